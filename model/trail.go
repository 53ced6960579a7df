package model

import (
	"slices"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// resolveCost is what finding the sub-step of one change counts in a budget of
// events.
const resolveCost = 32

// Link is one sub-step that changed a number.
type Link struct {
	Index    int // of the event
	Position Position
	// Sub is the sub-step, for SeekSub; -1 if the event changed the number outside
	// of its sub-steps, as the passing of time does.
	Sub int
	// Step is what the machine recorded there: reason and operands of the formula.
	// Step.After is nil. Meaningful unless Sub is -1.
	Step     scheduler.Step
	Old, New expr.Value
	// Result is the operand that states the new value, if Stated: then the
	// operands of Step are the whole formula. Otherwise the number followed from
	// what the sub-step did to others.
	Result scheduler.ArgName
	Stated bool
}

// Trail is where a number came from: the sub-steps that changed it, backwards
// from the cursor. An event that leaves the number as it found it has no link. The
// trail stays valid when the cursor moves or the branch changes.
type Trail struct {
	b     *branch
	ring  *ring
	field *expr.Field
	id    int
	track *tracker
	links []Link
	open  []Change // found, but their sub-steps are not looked at yet; oldest first
	limit int      // of the first event: its sub-steps after this one do not count; -1 none
	start int      // the event at which the trail begins
	sim   scheduler.Sim
	frame scheduler.Frame
}

// Trail makes the trail of a field of an object, which is named as in
// expr.Field.Of, from the sub-step or event at the cursor on.
func (r *Run) Trail(field *expr.Field, id int) *Trail {
	t := &Trail{b: r.b, ring: newRing(), field: field, id: id, limit: -1, start: r.index}
	t.track = newTracker(r.b, r.index, func(c *expr.Context) expr.Value { return field.Of(c, id) })
	if r.sub >= 0 {
		// The event may have changed the number and changed it back, or changed it
		// only in later sub-steps: it is looked at in any case, and then the others.
		t.limit = r.sub
		t.open = []Change{{Index: r.index}}
		t.track = newTracker(r.b, r.index-1, t.track.values...)
	}
	return t
}

// Extend looks further back, at about budget events, and says Found when there
// are new links, Exhausted at the start of the run, else Working.
func (t *Trail) Extend(budget int) Progress {
	known := len(t.links)
	for budget > 0 {
		if n := len(t.open); n > 0 {
			t.resolve(t.open[n-1].Index)
			t.open = t.open[:n-1]
			budget -= resolveCost
			continue
		}
		if t.track.low == 0 {
			break
		}
		low := t.track.low
		t.track.dig(min(budget, chunkLen))
		budget -= chunkLen
		if t.track.low < low {
			t.open, t.track.changes[0] = t.track.changes[0], nil
		}
	}
	switch {
	case len(t.links) > known:
		return Found
	case len(t.open) == 0 && t.track.low == 0:
		return Exhausted
	}
	return Working
}

// Links are the links found so far, the latest first.
func (t *Trail) Links() []Link { return t.links }

// resolve finds the sub-steps of an event that changed the number.
func (t *Trail) resolve(index int) {
	var rec scheduler.Recorder
	t.sim.CopyFrom(t.ring.state(t.b, index-1))
	t.sim.SetEdits(t.b.plain)
	t.sim.Frame(&t.frame)
	last := t.at(&t.frame)
	event, _ := t.sim.Step(&rec)
	position := Position{event.Time, event.Ordinal}
	var links []Link
	for i := range rec.Steps {
		if index == t.start && t.limit >= 0 && i > t.limit {
			break
		}
		step := &rec.Steps[i]
		if v := t.at(step.After); v != last {
			link := Link{Index: index, Position: position, Sub: i, Step: *step, Old: last, New: v}
			link.Step.After = nil
			link.Result, link.Stated = t.stated(step, v)
			links, last = append(links, link), v
		}
	}
	t.sim.Frame(&t.frame)
	if v := t.at(&t.frame); v != last && (index != t.start || t.limit < 0) {
		links = append(links, Link{Index: index, Position: position, Sub: -1, Old: last, New: v})
	}
	slices.Reverse(links)
	t.links = append(t.links, links...)
}

// at is the number in a state.
func (t *Trail) at(f *scheduler.Frame) expr.Value {
	return t.field.Of(&expr.Context{Frame: f}, t.id)
}

// results names the operands that state the new value of a field.
var results = []struct {
	object expr.Object
	field  string
	args   []scheduler.ArgName
}{
	{expr.OfEntity, "vruntime", []scheduler.ArgName{scheduler.ArgVruntimeTo, scheduler.ArgVruntime}},
	{expr.OfEntity, "deadline", []scheduler.ArgName{scheduler.ArgDeadlineTo, scheduler.ArgDeadline}},
	{expr.OfEntity, "vlag", []scheduler.ArgName{scheduler.ArgLagTo, scheduler.ArgLag, scheduler.ArgDeadline, scheduler.ArgVprotTo}},
	{expr.OfEntity, "vprot", []scheduler.ArgName{scheduler.ArgVprotTo}},
	{expr.OfEntity, "slice", []scheduler.ArgName{scheduler.ArgSlice, scheduler.ArgValue}},
	{expr.OfEntity, "weight", []scheduler.ArgName{scheduler.ArgWeightTo}},
	{expr.OfEntity, "lag", []scheduler.ArgName{scheduler.ArgLagTo, scheduler.ArgLag}},
	{expr.OfQueue, "V", []scheduler.ArgName{scheduler.ArgV}},
	{expr.OfQueue, "zero", []scheduler.ArgName{scheduler.ArgV}},
	{expr.OfQueue, "runtime_remaining", []scheduler.ArgName{scheduler.ArgRemaining}},
	{expr.OfQueue, "min_slice", []scheduler.ArgName{scheduler.ArgMinSlice}},
	{expr.OfQueue, "nr_queued", []scheduler.ArgName{scheduler.ArgNr}},
}

// stated finds the operand of a step that states the new value.
func (t *Trail) stated(s *scheduler.Step, v expr.Value) (scheduler.ArgName, bool) {
	about := int(s.Entity)
	if t.field.Object == expr.OfQueue {
		about = int(s.Queue)
	}
	if about != t.id {
		return 0, false
	}
	for _, r := range results {
		if r.object != t.field.Object || r.field != t.field.Name {
			continue
		}
		for _, name := range r.args {
			if n, ok := s.Arg(name); ok && n == v.N {
				return name, true
			}
		}
	}
	return 0, false
}

// SeekSub moves the cursor to a sub-step of an event, as a Link names it; -1 is
// the event as a whole. A sub-step that the event does not have is its last one.
func (r *Run) SeekSub(index, sub int) bool {
	was, wasSub := r.index, r.sub
	r.Seek(index)
	if sub >= 0 {
		r.place(r.index, min(sub, len(r.Steps())-1))
	}
	return r.index != was || r.sub != wasSub
}
