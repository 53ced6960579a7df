package views

import (
	"slices"

	"zerolag/scheduler"
)

// Scratch is memory that one picture leaves to the next. The zero value is ready
// for use; a Scratch serves one picture at a time.
type Scratch struct {
	alive  []bool // by EntityID
	keep   []bool // by EntityID
	ids    []scheduler.EntityID
	rest   []scheduler.EntityID
	rows   []stripRow
	movers []mover
	moved  []movedRow
	causes []cause
	counts []int
}

// stripRow is one row of a strip.
type stripRow struct {
	kind   rowKind
	queue  scheduler.QueueID
	depth  int
	entity scheduler.EntityID // whose row, or whose queue's axis
	// leaf ends the chain of entities that are alone on their queues and share
	// the row: gC/C1. It is entity itself if there is no such chain.
	leaf scheduler.EntityID
	rest []scheduler.EntityID // rowDensity
}

type rowKind uint8

const (
	rowEntity rowKind = iota
	rowRuler          // the axis of a nested queue
	rowDensity
)

// resized is s with n cleared elements.
func resized[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// members lists the entities of the CPU that exist in one of the moments, in
// order of id.
func (s *Scratch) members(in *Strips) {
	s.alive = resized(s.alive, len(in.After.Entities))
	if in.Before != nil {
		s.markAlive(in.Before)
	}
	s.markAlive(in.After)
	s.ids = s.ids[:0]
	for i := range in.After.Entities {
		if e := &in.After.Entities[i]; s.alive[i] && (e.CPU == in.CPU || in.wasOn(e.ID)) {
			s.ids = append(s.ids, e.ID)
		}
	}
}

// wasOn tells of an entity whether the first of two compared runs has it on the CPU.
func (in *Strips) wasOn(id scheduler.EntityID) bool {
	if !in.Compared || in.Before == nil {
		return false
	}
	e := in.Before.Entity(id)
	return e != nil && e.CPU == in.CPU
}

// markAlive marks the living tasks and the groups above them.
func (s *Scratch) markAlive(f *scheduler.Frame) {
	for i := range f.Entities {
		e := &f.Entities[i]
		if e.Task == scheduler.NoTask || e.State == scheduler.StateNew || e.State == scheduler.StateDead {
			continue
		}
		for e != nil && int(e.ID) < len(s.alive) && e.ID >= 0 && !s.alive[e.ID] {
			s.alive[e.ID] = true
			e = f.Entity(e.Parent)
		}
	}
}

// Living lists the living tasks of a CPU and the groups above them, in order of
// id.
func Living(f *scheduler.Frame, cpu int) []scheduler.EntityID {
	var s Scratch
	s.members(&Strips{CPU: cpu, After: f})
	return s.ids
}

// rowBuilder collects the rows of a queue and of the queues below it. Both
// strips of a pair use the same rows, so that everybody stands below himself.
type rowBuilder struct {
	in   *Strips
	s    *Scratch
	some bool // only those marked in keep get rows
}

// buildRows chooses the rows of the strips, at most limit of them. With more
// entities the current, woken, picked and selected ones are kept, then as many
// others as fit, in order; the rest share one row per queue.
func (s *Scratch) buildRows(in *Strips, limit int) []stripRow {
	b := rowBuilder{in: in, s: s}
	if b.build() <= limit {
		return s.rows
	}
	b.some = true
	b.pin()
	root := scheduler.QueueID(in.CPU)
	for _, id := range s.ids {
		if s.keep[id] || in.After.Entity(id).Queue != root {
			continue
		}
		s.keep[id] = true
		if b.build() > limit {
			s.keep[id] = false
			break
		}
	}
	b.build()
	return s.rows
}

func (b *rowBuilder) build() int {
	b.s.rows, b.s.rest = b.s.rows[:0], b.s.rest[:0]
	b.queue(scheduler.QueueID(b.in.CPU), 0)
	return len(b.s.rows)
}

// pin marks the entities that always have a row, with their ancestors.
func (b *rowBuilder) pin() {
	b.s.keep = resized(b.s.keep, len(b.in.After.Entities))
	for _, f := range [...]*scheduler.Frame{b.in.Before, b.in.After} {
		if f == nil {
			continue
		}
		for i := range f.Queues {
			if q := &f.Queues[i]; q.CPU == b.in.CPU {
				b.pinOne(q.Curr)
			}
		}
	}
	if e := b.in.After.Task(b.in.Woken); e != nil {
		b.pinOne(e.ID)
	}
	b.pinOne(b.in.Picked)
	b.pinOne(b.in.Selected)
}

func (b *rowBuilder) pinOne(id scheduler.EntityID) {
	for e := b.in.After.Entity(id); e != nil && !b.s.keep[e.ID]; e = b.in.After.Entity(e.Parent) {
		b.s.keep[e.ID] = true
	}
}

func (b *rowBuilder) queue(id scheduler.QueueID, depth int) {
	left := 0
	for _, member := range b.s.ids {
		if b.in.After.Entity(member).Queue != id {
			continue
		}
		if b.some && !b.s.keep[member] {
			left++
			continue
		}
		b.entity(member, depth)
	}
	if left == 0 {
		return
	}
	from := len(b.s.rest)
	for _, member := range b.s.ids {
		if b.in.After.Entity(member).Queue == id && !b.s.keep[member] {
			b.s.rest = append(b.s.rest, member)
		}
	}
	rest := b.s.rest[from:len(b.s.rest):len(b.s.rest)]
	b.s.rows = append(b.s.rows, stripRow{kind: rowDensity, queue: id, depth: depth, entity: scheduler.NoEntity, leaf: scheduler.NoEntity, rest: rest})
}

// entity adds the row of an entity; below a group entity that is not folded
// follow the axis and the rows of its queue.
func (b *rowBuilder) entity(id scheduler.EntityID, depth int) {
	e := b.in.After.Entity(id)
	row := stripRow{entity: id, leaf: id, queue: e.Queue, depth: depth}
	n, only := b.s.children(b.in.After, e.Owns)
	for n == 1 && !slices.Contains(b.in.Unfolded, e.ID) {
		e = b.in.After.Entity(only)
		row.leaf = e.ID
		n, only = b.s.children(b.in.After, e.Owns)
	}
	b.s.rows = append(b.s.rows, row)
	if n == 0 || b.in.folds(e.ID, n) || b.some && !b.keepsOne(e.Owns) {
		return
	}
	b.s.rows = append(b.s.rows, stripRow{kind: rowRuler, queue: e.Owns, depth: depth + 1, entity: e.ID, leaf: e.ID})
	b.queue(e.Owns, depth+1)
}

// Folds tells whether a group of n members shows none of them: unless it is
// Unfolded, if it is Closed, has one member only, or is on an other CPU than that
// of the event.
func (in *Strips) Folds(id scheduler.EntityID, n int, other bool) bool {
	if slices.Contains(in.Unfolded, id) {
		return false
	}
	return n == 1 || other || slices.Contains(in.Closed, id)
}

func (in *Strips) folds(id scheduler.EntityID, n int) bool { return in.Folds(id, n, in.side) }

// children counts the members of a queue; only is one of them.
func (s *Scratch) children(f *scheduler.Frame, q scheduler.QueueID) (n int, only scheduler.EntityID) {
	if q == scheduler.NoQueue {
		return 0, scheduler.NoEntity
	}
	for _, id := range s.ids {
		if f.Entity(id).Queue == q {
			n++
			only = id
		}
	}
	return n, only
}

func (b *rowBuilder) keepsOne(q scheduler.QueueID) bool {
	for _, id := range b.s.ids {
		if b.s.keep[id] && b.in.After.Entity(id).Queue == q {
			return true
		}
	}
	return false
}

// appendChain appends the names from an entity down to leaf: gC/C1.
func appendChain(dst []byte, f *scheduler.Frame, top, leaf scheduler.EntityID) []byte {
	e := f.Entity(leaf)
	if e == nil {
		return dst
	}
	if leaf != top {
		dst = append(appendChain(dst, f, top, e.Parent), '/')
	}
	return append(dst, shortName(e)...)
}
