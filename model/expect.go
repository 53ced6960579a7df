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
	// Compared are comparisons with the values of both sides, for people: of an
	// expectation that failed those that did not hold (of a "never": that did), of
	// one that held those of its moment.
	Compared []Comparison
}

// Comparison is a comparison with the values of both sides and, of numbers, how far
// they are from each other; all as text.
type Comparison struct {
	Text, Left, Right, Apart string
}

// Expect simulates the current branch to its end and evaluates expectations, in
// their order. others opens the other runs that they look at; it may be nil if they
// look at none. The cursor stays.
func (r *Run) Expect(list []*expr.Expectation, others func(expr.RunRef) *Run) []Verdict {
	r.Extend(r.allowance())
	verdicts := make([]Verdict, len(list))
	var always []int
	for i, e := range list {
		verdicts[i] = Verdict{Expectation: e, Held: true}
		switch e.When {
		case expr.Always, expr.Never:
			always = append(always, i)
		case expr.AtEnd, expr.AtTime:
			r.decide(&verdicts[i], others)
		}
	}
	r.decideAlways(verdicts, always)
	return verdicts
}

// decide evaluates an expectation about one moment.
func (r *Run) decide(v *Verdict, others func(expr.RunRef) *Run) {
	index := r.moment(v.Expectation)
	c := r.after(index)
	c.Past = past{r, index}
	for _, ref := range v.Expectation.Expr.Runs() {
		other := others(ref)
		other.Extend(other.allowance())
		at := other.moment(v.Expectation)
		moment := other.after(at)
		moment.Past = past{other, at}
		c.Runs = append(c.Runs, moment)
	}
	r.note(v, index, c)
	if v.Held {
		v.compare(c)
	}
}

// moment is the event that an expectation is about.
func (r *Run) moment(e *expr.Expectation) int {
	if e.When == expr.AtEnd {
		return r.b.known - 1
	}
	p := Position{e.Time, math.MaxInt}
	if e.Ordinal >= 0 {
		p.Ordinal = e.Ordinal
	}
	return r.b.find(p)
}

// after is the moment after an event, as expressions look at it.
func (r *Run) after(index int) *expr.Context {
	var s scanner
	if index == 0 {
		s.start(r.ring.state(r.b, 0), r.b.plain)
	} else {
		s.start(r.ring.state(r.b, index-1), r.b.plain)
		s.next()
	}
	return &s.ctx
}

// note enters the outcome after one event into a verdict.
func (r *Run) note(v *Verdict, index int, c *expr.Context) {
	v.Index, v.Position = index, r.b.record(index).Position()
	v.Held = v.Expectation.Expr.True(c) == (v.Expectation.When != expr.Never)
	if !v.Held {
		v.compare(c)
	}
}

// compare enters the values of both sides of the comparisons.
func (v *Verdict) compare(c *expr.Context) {
	for _, s := range v.Expectation.Expr.Sides(c) {
		k := Comparison{Text: s.Text, Left: s.Left.Text(c.Frame), Right: s.Right.Text(c.Frame)}
		if s.Apart.Known {
			k.Apart = s.Apart.Text(c.Frame)
		}
		v.Compared = append(v.Compared, k)
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
