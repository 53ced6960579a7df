package model

import (
	"math"
	"sort"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// patience is how many events a move simulates at most when the workload has no
// end of its own.
const patience = 1_000_000

// Run is one workload with all its branches and a cursor on an event of the
// current branch. It is not safe for concurrent use.
type Run struct {
	w        *scheduler.Workload
	branches []*branch
	b        *branch // the current one
	visited  visits  // for Undo and Redo
	index    int     // of the event at the cursor
	sub      int     // sub-step at the cursor, -1 for the whole event
	ring     *ring
	scratch  scheduler.Sim // for re-runs
	view     view
	search   *search
	counter  *counter
	jobs     *jobCounter
	jobsOf   *branch // that jobs counts
}

// view caches what is shown of the event at the cursor.
type view struct {
	after, before       scheduler.Frame
	hasAfter, hasBefore bool
	steps               []scheduler.Step
	hasSteps            bool
	flips               []Flip
	flipped             int // features of the profile that flips has looked at
}

// Open makes the run of w with the cursor at event 0, the start. The workload
// must not change afterwards.
func Open(w *scheduler.Workload) *Run {
	b := newMain(w)
	return &Run{w: w, branches: []*branch{b}, b: b, sub: -1, ring: newRing()}
}

// Workload is the workload as it was opened.
func (r *Run) Workload() *scheduler.Workload { return r.w }

// Names resolves the names that expressions about the current branch may use.
func (r *Run) Names() *expr.Names { return r.b.names }

// Event is the event at the cursor.
func (r *Run) Event() scheduler.Event { return r.ring.state(r.b, r.index).Event() }

// Index is the number of the event at the cursor; 0 is the start.
func (r *Run) Index() int { return r.index }

// Position is the position of the event at the cursor.
func (r *Run) Position() Position { return r.b.record(r.index).Position() }

// Known is the number of events simulated so far on this branch, the start
// included: events 0 ... Known()-1 have records.
func (r *Run) Known() int { return r.b.known }

// Complete tells whether the whole branch is known: it ends before the first
// event at or after the workload's Until, or when nothing more happens.
func (r *Run) Complete() bool { return r.b.complete }

// Stuck tells that the branch is complete because a program makes events without
// end at one time.
func (r *Run) Stuck() bool { return r.b.complete && r.b.head.Stuck() }

// Record is the short record of a known event, 0 <= index < Known().
func (r *Run) Record(index int) EventRecord { return *r.b.record(index) }

// EventAt is a known event, 0 <= index < Known(), with its edit if one made it;
// like Record it needs no replay.
func (r *Run) EventAt(index int) scheduler.Event {
	rec := r.b.record(index)
	e := scheduler.Event{
		Index: index, Time: rec.Time, Ordinal: int(rec.Ordinal), Kind: rec.Kind, CPU: int(rec.CPU), Task: rec.Task,
		Waker: rec.Waker, Group: rec.Group, Curr: rec.Curr, Prev: rec.Prev, Preempted: rec.Preempted(), Higher: rec.flags&recordHigher != 0,
		Resched: rec.Resched(), Delayed: rec.Delayed(),
	}
	if isEdit(e.Kind) {
		e.Edit = &r.b.plain[sort.SearchInts(r.b.editEvents, index)]
	}
	if tape := r.w.Tape; tape != nil && index > 0 {
		e.Recorded = &tape.Events[index-1]
	}
	return e
}

// Find is the index of the last known event at or before p.
func (r *Run) Find(p Position) int { return r.b.find(p) }

// Extend simulates up to budget more events beyond the known ones and tells
// whether the branch is complete. The cursor stays.
func (r *Run) Extend(budget int) bool {
	for range budget {
		if !r.b.advance(r.w.Until) {
			break
		}
	}
	return r.b.complete
}

// allowance is how many events one move may simulate.
func (r *Run) allowance() int {
	if r.w.Until > 0 {
		return math.MaxInt
	}
	return patience
}

// extendTo makes an event known, if there is such an event.
func (r *Run) extendTo(index int) {
	if more := index - r.b.known + 1; more > 0 {
		r.Extend(min(more, r.allowance()))
	}
}

// extendPast makes all events up to time t known.
func (r *Run) extendPast(t scheduler.Time) {
	for range r.allowance() {
		if r.b.record(r.b.known-1).Time > t || !r.b.advance(r.w.Until) {
			return
		}
	}
}

// Seek moves the cursor to an event, simulating as far as needed; an index
// outside the run goes to its nearer end. Every move tells whether the cursor
// moved.
func (r *Run) Seek(index int) bool {
	r.extendTo(index)
	return r.place(min(max(index, 0), r.b.known-1), -1)
}

// place puts the cursor on a known event and one of its sub-steps.
func (r *Run) place(index, sub int) bool {
	moved := index != r.index || sub != r.sub
	if index != r.index {
		r.index = index
		r.forget()
	}
	r.sub = sub
	return moved
}

// forget drops what was cached of the event at the cursor.
func (r *Run) forget() {
	v := &r.view
	v.hasAfter, v.hasBefore, v.hasSteps = false, false, false
	v.flips, v.flipped = nil, 0
}

// SeekTime moves to the last event with Time <= t.
func (r *Run) SeekTime(t scheduler.Time) bool {
	return r.SeekPosition(Position{t, math.MaxInt})
}

// SeekPosition moves to the last event at or before p.
func (r *Run) SeekPosition(p Position) bool {
	r.extendPast(p.Time)
	return r.place(r.b.find(p), -1)
}

// Step moves by delta events.
func (r *Run) Step(delta int) bool { return r.Seek(r.index + delta) }

// Switch moves over -delta or delta events at which a CPU's running task
// changed and stops on the last of them.
func (r *Run) Switch(delta int) bool {
	moved := false
	for ; delta > 0; delta-- {
		moved = r.seekSwitch(1) || moved
	}
	for ; delta < 0; delta++ {
		moved = r.seekSwitch(-1) || moved
	}
	return moved
}

// seekSwitch goes to the next switch in a direction, if there is one.
func (r *Run) seekSwitch(dir int) bool {
	budget := r.allowance()
	for i := r.index + dir; i >= 0 && budget > 0; i += dir {
		if i == r.b.known && !r.b.advance(r.w.Until) {
			return false
		}
		if r.b.record(i).Switched() {
			return r.place(i, -1)
		}
		budget--
	}
	return false
}

// Frame is the state after the event at the cursor. It is valid until the
// cursor moves and is not to be changed.
func (r *Run) Frame() *scheduler.Frame {
	if !r.view.hasAfter {
		r.ring.state(r.b, r.index).Frame(&r.view.after)
		r.view.hasAfter = true
	}
	return &r.view.after
}

// Before is the state before the event at the cursor, nil at event 0.
func (r *Run) Before() *scheduler.Frame {
	if r.index == 0 {
		return nil
	}
	if !r.view.hasBefore {
		r.ring.state(r.b, r.index-1).Frame(&r.view.before)
		r.view.hasBefore = true
	}
	return &r.view.before
}

// Pair is the state before and after what the cursor stands on: the event, or
// the sub-step when Sub is not -1. before is nil at event 0.
func (r *Run) Pair() (before, after *scheduler.Frame) {
	if r.sub < 0 {
		return r.Before(), r.Frame()
	}
	steps := r.Steps()
	if r.sub == 0 {
		return r.Before(), steps[0].After
	}
	return steps[r.sub-1].After, steps[r.sub].After
}

// Steps are the sub-steps of the event at the cursor, made by replay.
func (r *Run) Steps() []scheduler.Step {
	if r.index == 0 {
		return nil
	}
	if !r.view.hasSteps {
		var rec scheduler.Recorder
		r.scratch.CopyFrom(r.ring.state(r.b, r.index-1))
		r.scratch.Step(&rec)
		r.view.steps, r.view.hasSteps = rec.Steps, true
	}
	return r.view.steps
}

// Sub is the sub-step the cursor stands on, -1 for the event as a whole.
func (r *Run) Sub() int { return r.sub }

// SubStep moves by one sub-step, delta 1 or -1, into the next or previous event
// at the ends. Every other move leaves the sub-steps.
func (r *Run) SubStep(delta int) bool {
	last := len(r.Steps()) - 1
	switch {
	case delta > 0 && r.sub < last:
		return r.place(r.index, r.sub+1)
	case delta < 0 && r.sub > 0:
		return r.place(r.index, r.sub-1)
	case delta < 0 && r.sub < 0 && last >= 0:
		return r.place(r.index, last)
	case delta == 0 || !r.Step(delta):
		return false
	}
	last = len(r.Steps()) - 1
	if delta > 0 {
		last = min(last, 0)
	}
	r.place(r.index, last)
	return true
}

// Whole leaves the sub-steps: the cursor stands on the whole event again.
func (r *Run) Whole() { r.sub = -1 }
