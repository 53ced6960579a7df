package model

import (
	"math"

	"zerolag/model/expr"
)

// Verdict is what became of one expectation.
type Verdict struct {
	Expectation *expr.Expectation
	Held        bool
	// Index is the event it was decided at: the moment asked for, the end of the
	// run, or the first event that broke an "always" or "never".
	Index    int
	Position Position
	// Failed are the comparisons that did not hold (of a "never": that did), for
	// people. Empty if the expectation held.
	Failed []Comparison
}

// Comparison is a comparison with the values of both sides, as text.
type Comparison struct {
	Text, Left, Right string
}

// Expect simulates the current branch to its end and evaluates expectations, in
// their order. The cursor stays.
func (r *Run) Expect(list []*expr.Expectation) []Verdict {
	r.Extend(r.allowance())
	verdicts := make([]Verdict, len(list))
	var always []int
	for i, e := range list {
		verdicts[i] = Verdict{Expectation: e, Held: true}
		switch e.When {
		case expr.Always, expr.Never:
			always = append(always, i)
		case expr.AtEnd:
			r.decide(&verdicts[i], r.b.known-1)
		case expr.AtTime:
			p := Position{e.Time, math.MaxInt}
			if e.Ordinal >= 0 {
				p.Ordinal = e.Ordinal
			}
			r.decide(&verdicts[i], r.b.find(p))
		}
	}
	r.decideAlways(verdicts, always)
	return verdicts
}

// decide evaluates an expectation after one event.
func (r *Run) decide(v *Verdict, index int) {
	var s scanner
	if index == 0 {
		s.start(r.ring.state(r.b, 0), r.b.plain)
	} else {
		s.start(r.ring.state(r.b, index-1), r.b.plain)
		s.next()
	}
	r.note(v, index, &s.ctx)
}

// note enters the outcome after one event into a verdict.
func (r *Run) note(v *Verdict, index int, c *expr.Context) {
	x := v.Expectation.Expr
	v.Index, v.Position = index, r.b.record(index).Position()
	v.Held = x.True(c) == (v.Expectation.When != expr.Never)
	if v.Held {
		return
	}
	for _, s := range x.Sides(c) {
		v.Failed = append(v.Failed, Comparison{s.Text, s.Left.Text(c.Frame), s.Right.Text(c.Frame)})
	}
}

// decideAlways evaluates the expectations at these indices of verdicts after
// every event, until each is broken or the run ends.
func (r *Run) decideAlways(verdicts []Verdict, open []int) {
	if len(open) == 0 {
		return
	}
	var s scanner
	s.start(r.ring.state(r.b, 0), r.b.plain)
	for index := range r.b.known {
		if index > 0 {
			s.next()
		}
		for _, i := range open {
			if verdicts[i].Held {
				r.note(&verdicts[i], index, &s.ctx)
			}
		}
	}
}
