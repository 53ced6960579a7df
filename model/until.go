package model

import (
	"slices"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// search is a search that goes on over several calls of Until.
type search struct {
	conds []*expr.Expr
	dir   int
	home  int     // where the cursor stood
	scan  scanner // stands after event at
	at    int
	// Looking back: the stretch of events first ... stop-1 is looked at, hit is
	// the last one found in it, -1 if none.
	first, stop int
	hit         int
}

// scanner replays events one by one and keeps the state before and after each.
type scanner struct {
	sim    scheduler.Sim
	frames [2]scheduler.Frame
	ctx    expr.Context
	flip   int
}

// start puts the scanner after the event that sim stands after.
func (s *scanner) start(sim *scheduler.Sim, edits []scheduler.Edit) {
	s.sim.CopyFrom(sim)
	s.sim.SetEdits(edits)
	s.ctx = expr.Context{Frame: &s.frames[s.flip], Event: s.sim.Event()}
	s.sim.Frame(s.ctx.Frame)
}

// holds tells whether one of the conditions holds where the scanner stands.
func (s *search) holds() bool {
	return slices.ContainsFunc(s.conds, func(x *expr.Expr) bool { return x.True(&s.scan.ctx) })
}

// next takes one more event.
func (s *scanner) next() {
	s.flip = 1 - s.flip
	s.ctx.Prev, s.ctx.PrevEvent = s.ctx.Frame, s.ctx.Event
	s.ctx.Frame = &s.frames[s.flip]
	s.ctx.Event, _ = s.sim.Step(nil)
	s.sim.Frame(s.ctx.Frame)
}

// Until looks for the nearest event after the cursor (dir 1) or before it
// (dir -1) at which cond holds, looking at no more than budget events in this
// call. Call it again with the same arguments while it says Working; to give up,
// stop calling. The cursor moves only when it says Found.
func (r *Run) Until(cond *expr.Expr, dir, budget int) Progress {
	return r.until([]*expr.Expr{cond}, dir, budget)
}

// UntilAny is Until for the conditions of a list that are switched on: it looks for
// the nearest event at which one of them holds. Holding then tells which. Without
// any it is exhausted at once.
func (r *Run) UntilAny(c *Conditions, dir, budget int) Progress {
	conds := c.active()
	if len(conds) == 0 {
		return Exhausted
	}
	return r.until(conds, dir, budget)
}

func (r *Run) until(conds []*expr.Expr, dir, budget int) Progress {
	s := r.search
	if s == nil || !slices.Equal(s.conds, conds) || s.dir != dir || s.home != r.index {
		s = &search{conds: conds, dir: dir, home: r.index, hit: -1}
		s.at, s.stop, s.first = r.index, r.index, r.index-1
		if dir < 0 && r.index == 0 {
			return Exhausted
		}
		r.search = s
		if dir > 0 {
			s.scan.start(r.ring.state(r.b, r.index), r.b.plain)
		}
	}
	find := r.lookAhead
	if dir < 0 {
		find = r.lookBack
	}
	progress := find(s, budget)
	if progress != Working {
		r.search = nil
	}
	return progress
}

func (r *Run) lookAhead(s *search, budget int) Progress {
	for range budget {
		if s.at+1 == r.b.known && !r.b.advance(r.w.Until) {
			return Exhausted
		}
		s.scan.next()
		s.at++
		if s.holds() {
			r.place(s.at, -1)
			return Found
		}
	}
	return Working
}

// lookBack looks at the events before s.stop forwards, from a checkpoint on, and
// goes to the stretch before when there was no hit. A stretch begins after its
// checkpoint, whose own event needs the state before it; only event 0 has none.
func (r *Run) lookBack(s *search, budget int) Progress {
	for range budget {
		switch {
		case s.at < s.stop-1:
			s.scan.next()
			s.at++
			if s.holds() {
				s.hit = s.at
			}
			continue
		case s.hit >= 0:
			r.place(s.hit, -1)
			return Found
		case s.first == 0:
			return Exhausted
		}
		s.stop = s.first + 1
		c := r.b.checkpointBefore(max(s.stop-2, 0))
		s.first, s.at = c.index, c.index
		s.scan.start(c.sim, r.b.plain)
		if c.index == 0 && s.holds() {
			s.hit = 0
		}
	}
	return Working
}

// Value evaluates an expression at the cursor.
func (r *Run) Value(x *expr.Expr) expr.Value { return x.Eval(r.Context()) }

// Sides lists the comparisons of a condition that are false at the cursor, with
// the values of both sides; all of them if none is.
func (r *Run) Sides(x *expr.Expr) []expr.Side { return x.Sides(r.Context()) }

// Context is the cursor as expressions and fields see it.
func (r *Run) Context() *expr.Context {
	c := &expr.Context{Frame: r.Frame(), Event: r.Event(), Prev: r.Before(), Past: past{r, r.index}}
	if c.Prev != nil {
		c.PrevEvent = r.ring.state(r.b, r.index-1).Event()
	}
	return c
}
