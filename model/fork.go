package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"zerolag/scheduler"
)

// Apply makes an edit right before the event at the cursor and re-runs that
// event: the cursor ends on it in the branch of these edits. At and Ordinal of
// e are set here. At the start, and on an edit, e comes after the edits that
// stand there and the cursor stays in front of the event that follows. An edit
// that changes nothing is ignored; edits that undo each other at one position
// cancel. An impossible edit is an error.
func (r *Run) Apply(e scheduler.Edit) error {
	behind := r.index
	onEdit := r.index == 0 || isEdit(r.b.record(r.index).Kind)
	if onEdit {
		behind = r.afterEdits(r.index)
	}
	p, err := r.insert(e, behind)
	if err != nil {
		return err
	}
	target := p.start + p.last - p.first
	if onEdit {
		target--
	}
	r.Seek(target)
	return nil
}

// Standing are the edits that come before one that Apply makes now.
func (r *Run) Standing() []scheduler.Edit {
	behind := r.index
	if r.index == 0 || isEdit(r.b.record(r.index).Kind) {
		behind = r.afterEdits(r.index)
	}
	return r.b.plain[:r.b.placeBefore(behind).last]
}

// ApplyFromStart makes an edit right after the start of the run; the cursor
// keeps its time.
func (r *Run) ApplyFromStart(e scheduler.Edit) error {
	here := *r.b.record(r.index)
	if _, err := r.insert(e, r.afterEdits(0)); err != nil {
		return err
	}
	r.approach(here)
	return nil
}

// afterEdits is the index of the first event after index that is no edit of the
// same time; it need not exist.
func (r *Run) afterEdits(index int) int {
	t := r.b.record(index).Time
	for i := index + 1; ; i++ {
		r.extendTo(i)
		if i >= r.b.known || !isEdit(r.b.record(i).Kind) || r.b.record(i).Time != t {
			return i
		}
	}
}

// insert makes the branch with e before the event at index the current one and
// gives the place of the edits before that event there.
func (r *Run) insert(e scheduler.Edit, index int) (place, error) {
	if r.w.Tape != nil {
		return place{}, errors.New("this is a recording: what the kernel did cannot be changed")
	}
	var f scheduler.Frame
	r.ring.state(r.b, index-1).Frame(&f)
	if err := r.checkEdit(&f, e); err != nil {
		return place{}, fmt.Errorf("impossible edit: %w", err)
	}
	if e.Kind == scheduler.EditAdd {
		e.Spec = r.knownSpec(e.Spec)
	}
	p := r.b.placeBefore(index)
	if holds(&f, e) {
		return p, nil
	}
	r.ring.state(r.b, p.start-1).Frame(&f)
	edits := r.b.with(e, p, &f)
	p.last += len(edits) - len(r.b.edits)
	r.visit(r.branchOf(edits))
	return p, nil
}

// branchOf finds the branch of these edits, or forks it from the current one.
func (r *Run) branchOf(edits []edit) *branch {
	for _, b := range r.branches {
		if slices.Equal(b.edits, edits) {
			return b
		}
	}
	at := r.b.firstChange(edits)
	before := r.ring.state(r.b, at-1)
	b := r.b.fork(r.freeName(), edits, at, before)
	b.names = namesOf(r.w, b.plain)
	b.forkAt = forkPosition(r.b.edits, edits)
	r.branches = append(r.branches, b)
	return b
}

// forkPosition is the position of the first edit in which two lists differ.
func forkPosition(a, b []edit) Position {
	for i := 0; ; i++ {
		switch {
		case i >= len(a):
			return Position{b[i].At, b[i].Ordinal}
		case i >= len(b):
			return Position{a[i].At, a[i].Ordinal}
		case a[i] != b[i]:
			p, q := Position{a[i].At, a[i].Ordinal}, Position{b[i].At, b[i].Ordinal}
			if q.Before(p) {
				return q
			}
			return p
		}
	}
}

// enter makes b the current branch with the cursor on an event that it knows.
func (r *Run) enter(b *branch) {
	if b == r.b {
		return
	}
	r.ring.keep(min(r.b.firstChange(b.edits), b.known), b.plain)
	r.b = b
	r.index, r.sub = min(r.index, b.known-1), -1
	r.forget()
	r.search, r.counter = nil, nil
}

// approach puts the cursor on the event most like one of another branch: of the
// same time, kind and task if there is one, best on the same CPU, else the last one
// up to its time.
func (r *Run) approach(e EventRecord) {
	r.extendPast(e.Time)
	last := r.b.find(Position{e.Time, math.MaxInt})
	like := -1
	for i := last; i >= 0 && r.b.record(i).Time == e.Time; i-- {
		n := r.b.record(i)
		if n.counterpart(&e) {
			r.place(i, -1)
			return
		}
		if like < 0 && n.Kind == e.Kind && n.Task == e.Task {
			like = i
		}
	}
	if like < 0 {
		like = last
	}
	r.place(like, -1)
}

// Branches lists the branches in order of creation; main is the first.
func (r *Run) Branches() []Branch {
	list := make([]Branch, len(r.branches))
	for i, b := range r.branches {
		list[i] = Branch{Name: b.name, All: b.plain, ForkAt: b.forkAt, Current: b == r.b}
		if b.parent != nil {
			list[i].From = b.parent.name
		}
		for _, e := range b.edits {
			if !e.own {
				list[i].Edits = append(list[i].Edits, e.Edit)
			}
		}
	}
	return list
}

// Branch is the name of the current branch.
func (r *Run) Branch() string { return r.b.name }

// SwitchBranch makes branch i of Branches the current one; the cursor goes to
// the event that is nearest to where it stood.
func (r *Run) SwitchBranch(i int) bool {
	if i < 0 || i >= len(r.branches) || r.branches[i] == r.b {
		return false
	}
	here := *r.b.record(r.index)
	r.visit(r.branches[i])
	r.approach(here)
	return true
}

// Dirty tells whether the current branch has edits beyond the workload's own.
func (r *Run) Dirty() bool {
	return slices.ContainsFunc(r.b.edits, func(e edit) bool { return !e.own })
}

// Edits are all edits of the current branch, the workload's own included: with
// the workload they are the whole run.
func (r *Run) Edits() []scheduler.Edit { return slices.Clone(r.b.plain) }
