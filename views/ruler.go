package views

import (
	"slices"

	"zerolag/scheduler"
)

// absoluteReach is how far V may lie from 0 for labels to be the very values of
// vruntime; beyond it they count from V.
const absoluteReach = 100 * int64(scheduler.Millisecond)

// Rulers are the axes of all queues of a machine: one scale, and per queue an
// anchor and an offset. A Rulers value is not changed by its methods; they
// return a new one.
type Rulers struct {
	Mode     AxisMode
	NsPerCol int64
	Columns  int
	queues   []queueRuler // by QueueID
}

// How far the end of a request may lie ahead to count in a fit, in base slices:
// anybody's deadline, and the protection of a current entity, which is what it
// runs for.
const (
	nearReach = 2
	farReach  = 8
)

// edgeColumns is the room for a clipped value at the right edge.
const edgeColumns = 10

type queueRuler struct {
	anchor scheduler.Vtime
	at     scheduler.Time // when anchor was V
	left   int64
	known  bool
}

// Shift reports that a queue's ruler moved by whole major ticks.
type Shift struct {
	Queue scheduler.QueueID
	By    int64 // ns, positive: the window moved to later virtual time
}

// FitRulers chooses scale and offset so that the vruntimes and V of all frames
// are in the window; deadlines count if they are near. The last frame is the
// anchor moment. Frames may be nil.
func FitRulers(mode AxisMode, columns int, frames ...*scheduler.Frame) Rulers {
	r := Rulers{Mode: mode, Columns: columns, NsPerCol: 1}
	anchor := lastFrame(frames)
	if anchor == nil {
		r.NsPerCol = int64(100 * scheduler.Microsecond)
		return r
	}
	r.queues = make([]queueRuler, len(anchor.Queues))
	absolute := countsAbsolute(anchor)
	for i := range anchor.Queues {
		if q := &anchor.Queues[i]; populated(q) {
			r.queues[i].known = true
			if !absolute {
				r.queues[i].anchor, r.queues[i].at = q.V, anchor.Now
			}
		}
	}
	all := extent{}
	for _, f := range frames {
		r.addFrame(&all, f)
	}
	if !all.any {
		all.add(0)
	}
	r.NsPerCol = scaleFor(max(all.span(), int64(anchor.BaseSlice/4*5)), columns)
	left := r.axis(queueRuler{}).leftFor(all)
	for i := range r.queues {
		r.queues[i].left = left
	}
	return r
}

func lastFrame(frames []*scheduler.Frame) *scheduler.Frame {
	for _, f := range slices.Backward(frames) {
		if f != nil {
			return f
		}
	}
	return nil
}

// populated tells whether a queue has anybody, so that its V means something.
func populated(q *scheduler.QueueFrame) bool { return q.Nr > 0 }

// countsAbsolute tells whether labels can be vruntimes: one queue in use, and
// that near 0. Vruntimes of different queues must not look comparable.
func countsAbsolute(f *scheduler.Frame) bool {
	used, near := 0, true
	for i := range f.Queues {
		if q := &f.Queues[i]; populated(q) {
			used++
			near = near && int64(q.V) < absoluteReach && int64(q.V) > -absoluteReach
		}
	}
	return used <= 1 && near
}

// addFrame adds to e what a fit must show of a frame.
func (r Rulers) addFrame(e *extent, f *scheduler.Frame) {
	if f == nil {
		return
	}
	for i := range f.Queues {
		if q := &f.Queues[i]; populated(q) && r.known(q.ID) {
			e.add(r.Axis(q.ID).Coordinate(q.V, q.V))
		}
	}
	near, far := int64(nearReach*f.BaseSlice), int64(farReach*f.BaseSlice)
	for i := range f.Entities {
		entity := &f.Entities[i]
		q := f.Queue(entity.Queue)
		if !onAxis(entity) || q == nil || !r.known(q.ID) {
			continue
		}
		axis := r.Axis(q.ID)
		e.add(axis.Coordinate(entity.Vruntime, q.V))
		if d := entity.Deadline.Sub(entity.Vruntime); d > 0 && d <= near && !entity.RelDeadline {
			e.add(axis.Coordinate(entity.Deadline, q.V))
		}
		if d := entity.ProtectedTo.Sub(entity.Vruntime); entity.Curr && entity.Protected && d > 0 && d <= far {
			e.add(axis.Coordinate(entity.ProtectedTo, q.V))
		}
	}
}

// onAxis tells whether an entity has a place in virtual time now.
func onAxis(e *scheduler.EntityFrame) bool { return e.OnRQ || e.Curr }

func (r Rulers) known(q scheduler.QueueID) bool {
	return q >= 0 && int(q) < len(r.queues) && r.queues[q].known
}

func (r Rulers) axis(q queueRuler) Axis {
	return Axis{Mode: r.Mode, NsPerCol: max(r.NsPerCol, 1), Columns: r.Columns, Anchor: q.anchor, Left: q.left}
}

// Axis is the axis of one queue.
func (r Rulers) Axis(q scheduler.QueueID) Axis {
	if q < 0 || int(q) >= len(r.queues) {
		return r.axis(queueRuler{})
	}
	return r.axis(r.queues[q])
}

// anchoredAt is the moment at which the anchor of a queue was its V.
func (r Rulers) anchoredAt(q scheduler.QueueID) scheduler.Time {
	if q < 0 || int(q) >= len(r.queues) {
		return 0
	}
	return r.queues[q].at
}

// Resized is r for another number of columns: scale and offset stay.
func (r Rulers) Resized(columns int) Rulers {
	r.Columns = columns
	return r
}

// Keep is r for the next picture. A ruler stays where it is unless V, the
// current entity or one of the important ones left its window; then it moves by
// whole major ticks, and the move is reported. A queue seen for the first time
// is anchored at its V.
func (r Rulers) Keep(important []scheduler.EntityID, frames ...*scheduler.Frame) (Rulers, []Shift) {
	last := lastFrame(frames)
	if last == nil {
		return r, nil
	}
	if !slices.ContainsFunc(r.queues, func(q queueRuler) bool { return q.known }) {
		return FitRulers(r.Mode, r.Columns, frames...), nil
	}
	kept := r
	kept.queues = slices.Clone(r.queues)
	for len(kept.queues) < len(last.Queues) {
		kept.queues = append(kept.queues, queueRuler{})
	}
	var shifts []Shift
	for i := range last.Queues {
		q := &last.Queues[i]
		if !populated(q) {
			continue
		}
		ruler := &kept.queues[i]
		if !ruler.known {
			*ruler = queueRuler{anchor: q.V, at: last.Now, left: kept.firstLeft(), known: true}
		}
		if kept.Mode == AxisLag {
			continue
		}
		if by := kept.axis(*ruler).shift(importantExtent(kept.axis(*ruler), q.ID, important, frames)); by != 0 {
			ruler.left += by
			shifts = append(shifts, Shift{q.ID, by})
		}
	}
	if kept.Mode == AxisLag {
		shifts = kept.keepTogether(important, frames)
	}
	return kept, shifts
}

// Shows tells whether V of a CPU's root queue, its current entity and the important
// entities are inside their windows in all frames.
func (r Rulers) Shows(cpu int, important []scheduler.EntityID, frames ...*scheduler.Frame) bool {
	last := lastFrame(frames)
	if last == nil {
		return true
	}
	for i := range last.Queues {
		q := &last.Queues[i]
		concerned := q.ID == scheduler.QueueID(cpu)
		for _, id := range important {
			e := last.Entity(id)
			concerned = concerned || e != nil && e.Queue == q.ID
		}
		if !concerned || !r.known(q.ID) {
			continue
		}
		a := r.Axis(q.ID)
		e := importantExtent(a, q.ID, important, frames)
		if e.any && !(a.Inside(a.Column(e.lo)) && a.Inside(a.Column(e.hi))) {
			return false
		}
	}
	return true
}

// keepTogether shifts the rulers of all queues by the same length if that of one
// must move: in the lag view V stands in one column.
func (r Rulers) keepTogether(important []scheduler.EntityID, frames []*scheduler.Frame) []Shift {
	var all extent
	for i := range r.queues {
		id := scheduler.QueueID(i)
		if e := importantExtent(r.Axis(id), id, important, frames); e.any && r.queues[i].known {
			all.add(e.lo)
			all.add(e.hi)
		}
	}
	common := queueRuler{left: r.firstLeft()}
	by := r.axis(common).shift(all)
	if by == 0 {
		return nil
	}
	var shifts []Shift
	for i := range r.queues {
		if r.queues[i].known {
			r.queues[i].left += by
			shifts = append(shifts, Shift{scheduler.QueueID(i), by})
		}
	}
	return shifts
}

// firstLeft is the offset that a new ruler takes over: that of the first known
// queue anchored at its V, or one that has V at a third of the window.
func (r Rulers) firstLeft() int64 {
	for _, q := range r.queues {
		if q.known && (q.anchor != 0 || r.Mode == AxisLag) {
			return q.left
		}
	}
	return alignDown(-r.NsPerCol*int64(r.Columns/3), max(r.NsPerCol, 1)*ticksPerMajor)
}

// importantExtent is the range that must be seen of a queue: V, the current and
// the important entities in all frames.
func importantExtent(a Axis, id scheduler.QueueID, important []scheduler.EntityID, frames []*scheduler.Frame) extent {
	var e extent
	for _, f := range frames {
		if f == nil {
			continue
		}
		q := f.Queue(id)
		if q == nil || !populated(q) {
			continue
		}
		e.add(a.Coordinate(q.V, q.V))
		add := func(entity scheduler.EntityID) {
			if x := f.Entity(entity); x != nil && x.Queue == id && onAxis(x) {
				e.add(a.Coordinate(x.Vruntime, q.V))
			}
		}
		add(q.Curr)
		for _, entity := range important {
			add(entity)
		}
	}
	return e
}

// shift is how far the window must move, in whole major ticks, to show e; e's
// near end then stands a fifth inside. The last columns count as outside: they
// hold the values of deadlines that lie beyond. What is wider than the window
// keeps its end nearest to the move.
func (a Axis) shift(e extent) int64 {
	if !e.any || a.Columns <= 0 {
		return 0
	}
	lo, hi := a.Column(e.lo), a.Column(e.hi)
	limit := a.Columns - min(edgeColumns, a.Columns/4)
	if lo >= 0 && hi < limit || lo < 0 && hi >= limit {
		return 0
	}
	fifth := a.NsPerCol * int64(a.Columns/5)
	target := subSaturating(e.lo, fifth)
	if lo < 0 {
		target = subSaturating(e.hi, a.NsPerCol*int64(a.Columns)-fifth)
	}
	return alignDown(subSaturating(target, a.Left), a.major())
}

// Zoom is r one scale finer (in > 0) or coarser, with the V of every queue of f
// kept in its column.
func (r Rulers) Zoom(in int, f *scheduler.Frame) Rulers {
	scale := nextScale(r.NsPerCol)
	if in > 0 {
		scale = previousScale(r.NsPerCol)
	}
	zoomed := r
	zoomed.NsPerCol = max(scale, 1)
	zoomed.queues = slices.Clone(r.queues)
	for i := range zoomed.queues {
		axis := r.Axis(scheduler.QueueID(i))
		centre := axis.Left + axis.NsPerCol*int64(axis.Columns/2)
		if q := f.Queue(scheduler.QueueID(i)); q != nil && populated(q) {
			centre = axis.Coordinate(q.V, q.V)
		}
		offset := int64(axis.Column(centre)) * zoomed.NsPerCol
		zoomed.queues[i].left = alignDown(subSaturating(centre, offset), zoomed.NsPerCol)
	}
	return zoomed
}

// Pan is r with every window moved by that many major ticks.
func (r Rulers) Pan(majors int) Rulers {
	panned := r
	panned.queues = slices.Clone(r.queues)
	for i := range panned.queues {
		panned.queues[i].left += int64(majors) * r.NsPerCol * ticksPerMajor
	}
	return panned
}
