package model

import (
	"reflect"
	"slices"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// edit is an edit of a branch. Own edits are the workload's; they move when
// others are inserted before them at the same time, but are never taken back.
type edit struct {
	scheduler.Edit
	own bool
}

// isEdit tells whether events of that kind are made by edits.
func isEdit(k scheduler.EventKind) bool {
	return k == scheduler.EventEdit || k == scheduler.EventInterrupt
}

func ownEdits(list []scheduler.Edit) []edit {
	edits := make([]edit, len(list))
	for i, e := range list {
		edits[i] = edit{e, true}
	}
	return edits
}

func plainEdits(edits []edit) []scheduler.Edit {
	list := make([]scheduler.Edit, len(edits))
	for i, e := range edits {
		list[i] = e.Edit
	}
	return list
}

// sameTarget tells whether the later of two edits makes the earlier one void.
func sameTarget(a, b scheduler.Edit) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case scheduler.EditFeature:
		return a.Feature.Feature == b.Feature.Feature
	case scheduler.EditNice, scheduler.EditSlice, scheduler.EditPolicy, scheduler.EditMove, scheduler.EditAffinity,
		scheduler.EditKill, scheduler.EditSleep, scheduler.EditFreeze:
		return a.Task == b.Task
	case scheduler.EditShares, scheduler.EditGroupIdle, scheduler.EditQuota:
		return a.Group == b.Group
	case scheduler.EditBaseSlice, scheduler.EditPreempt:
		return true
	case scheduler.EditWake, scheduler.EditInterrupt, scheduler.EditAdd:
	}
	return false
}

// sameSetting tells whether two edits of one target set the same.
func sameSetting(a, b scheduler.Edit) bool {
	return a.Feature == b.Feature && a.Group == b.Group && a.Policy == b.Policy && a.Value == b.Value && a.Allowed == b.Allowed &&
		a.Period == b.Period && a.Burst == b.Burst
}

// aboutTask tells whether an edit is about one task that exists already.
func aboutTask(k scheduler.EditKind) bool {
	switch k {
	case scheduler.EditNice, scheduler.EditSlice, scheduler.EditPolicy, scheduler.EditMove, scheduler.EditWake,
		scheduler.EditAffinity, scheduler.EditKill, scheduler.EditSleep, scheduler.EditFreeze:
		return true
	case scheduler.EditFeature, scheduler.EditShares, scheduler.EditGroupIdle, scheduler.EditBaseSlice,
		scheduler.EditInterrupt, scheduler.EditAdd, scheduler.EditPreempt, scheduler.EditQuota:
	}
	return false
}

// holds tells whether the state has what e sets already.
func holds(f *scheduler.Frame, e scheduler.Edit) bool {
	if aboutTask(e.Kind) {
		task := f.Task(e.Task)
		return task != nil && holdsOf(task, e)
	}
	switch e.Kind {
	case scheduler.EditFeature:
		return f.Features.Has(e.Feature.Feature) == e.Feature.On
	case scheduler.EditShares:
		return f.Groups[e.Group].Shares == uint64(e.Value)
	case scheduler.EditGroupIdle:
		return f.Groups[e.Group].Idle == (e.Value != 0)
	case scheduler.EditBaseSlice:
		return f.BaseSlice == uint64(e.Value)
	case scheduler.EditPreempt:
		return f.Preempt == scheduler.PreemptModel(e.Value)
	case scheduler.EditQuota:
		return holdsQuota(&f.Groups[e.Group], e)
	case scheduler.EditInterrupt, scheduler.EditAdd, scheduler.EditNice, scheduler.EditSlice, scheduler.EditPolicy,
		scheduler.EditMove, scheduler.EditWake, scheduler.EditAffinity, scheduler.EditKill, scheduler.EditSleep, scheduler.EditFreeze:
	}
	return false
}

// holdsOf tells whether a task has what e sets already.
func holdsOf(task *scheduler.EntityFrame, e scheduler.Edit) bool {
	asleep := task.State == scheduler.StateSleeping || task.State == scheduler.StateDelayed
	gone := task.State == scheduler.StateNew || task.State == scheduler.StateDead
	switch e.Kind {
	case scheduler.EditNice:
		return int64(task.Nice) == e.Value
	case scheduler.EditSlice:
		if e.Value == 0 {
			return !task.CustomSlice
		}
		return task.CustomSlice && task.Slice == uint64(e.Value)
	case scheduler.EditPolicy:
		return task.Policy == e.Policy
	case scheduler.EditMove:
		return task.Group == e.Group
	case scheduler.EditAffinity:
		return task.Allowed == e.Allowed
	case scheduler.EditWake:
		return !asleep
	case scheduler.EditKill:
		return gone
	case scheduler.EditSleep, scheduler.EditFreeze:
		return gone || asleep
	case scheduler.EditFeature, scheduler.EditShares, scheduler.EditGroupIdle, scheduler.EditBaseSlice,
		scheduler.EditInterrupt, scheduler.EditAdd, scheduler.EditPreempt, scheduler.EditQuota:
	}
	return false
}

// holdsQuota tells whether a group has the quota that e sets already. Writing the
// same one again begins its queues anew, which changes something once it is limited.
func holdsQuota(g *scheduler.GroupFrame, e scheduler.Edit) bool { return e.Value == 0 && g.Quota == 0 }

// namesOf are the names of a workload and of the tasks that edits add.
func namesOf(w *scheduler.Workload, edits []scheduler.Edit) *expr.Names {
	whole := *w
	whole.Tasks = slices.Clip(w.Tasks)
	for i := range edits {
		if edits[i].Kind == scheduler.EditAdd {
			whole.Tasks = append(whole.Tasks, *edits[i].Spec)
		}
	}
	return expr.NamesOf(&whole)
}

// knownSpec is the task that an edit of some branch adds if it is equal to spec,
// else spec: equal edits must be the same.
func (r *Run) knownSpec(spec *scheduler.TaskSpec) *scheduler.TaskSpec {
	for _, b := range r.branches {
		for _, e := range b.edits {
			if e.Kind == scheduler.EditAdd && reflect.DeepEqual(e.Spec, spec) {
				return e.Spec
			}
		}
	}
	return spec
}

// addedBy counts the tasks that edits add.
func addedBy(edits []edit) int {
	n := 0
	for _, e := range edits {
		if e.Kind == scheduler.EditAdd {
			n++
		}
	}
	return n
}

// makeRoom renumbers the tasks that later edits are about when an edit before them
// adds a task, which takes the next number.
func makeRoom(later []edit, added scheduler.TaskID) {
	for i := range later {
		if aboutTask(later[i].Kind) && later[i].Task >= added {
			later[i].Task++
		}
	}
}

// place is where an edit goes: among the edits list[first:last] that stand
// directly before the event at index last-first+start, at one time.
type place struct {
	time        scheduler.Time
	ordinal     int // of the first of these edits, or of the event behind them
	first, last int
	start       int // index of the event of the first of these edits
}

// placeBefore is the place right before an event, which need not be known.
func (b *branch) placeBefore(index int) place {
	prev := b.record(index - 1)
	p := place{time: prev.Time, ordinal: int(prev.Ordinal) + 1, start: index}
	if index < b.known {
		p.time, p.ordinal = b.record(index).Time, int(b.record(index).Ordinal)
	}
	p.last, _ = slices.BinarySearch(b.editEvents, index)
	p.first = p.last
	for p.first > 0 && b.editEvents[p.first-1] == p.start-1 && b.record(p.start-1).Time == p.time {
		p.first--
		p.start--
		p.ordinal = b.edits[p.first].Ordinal
	}
	if p.start == 1 && p.time == 0 {
		p.ordinal = 0
	}
	return p
}

// with is the list of b's edits with e at p: it replaces one of the same target
// there, and goes away with it if it sets what holds without both. before is
// the state before the edits at p.
func (b *branch) with(e scheduler.Edit, p place, before *scheduler.Frame) []edit {
	e.At, e.Ordinal = p.time, p.ordinal
	here := slices.Clone(b.edits[p.first:p.last])
	for i := range here {
		if !here[i].own && sameTarget(here[i].Edit, e) {
			here = slices.Delete(here, i, i+1)
			break
		}
	}
	void := holds(before, e)
	for _, h := range here {
		if sameTarget(h.Edit, e) {
			void = sameSetting(h.Edit, e)
		}
	}
	if !void {
		here = append(here, edit{Edit: e})
	}
	sortFeatures(here)
	later := slices.Clone(b.edits[p.last:])
	if e.Kind == scheduler.EditAdd {
		makeRoom(later, scheduler.TaskID(len(before.TaskEntity)+addedBy(b.edits[p.first:p.last])))
	}
	shift := len(here) - (p.last - p.first)
	for i := range later {
		if later[i].At == p.time {
			later[i].Ordinal += shift
		}
	}
	return slices.Concat(b.edits[:p.first], here, later)
}

// sortFeatures brings neighbouring feature edits, which commute, into one order,
// so that the same set is the same list.
func sortFeatures(edits []edit) {
	movable := func(e edit) bool { return !e.own && e.Kind == scheduler.EditFeature }
	for i := 1; i < len(edits); i++ {
		for j := i; j > 0 && movable(edits[j]) && movable(edits[j-1]) &&
			edits[j].Feature.Feature < edits[j-1].Feature.Feature; j-- {
			edits[j], edits[j-1] = edits[j-1], edits[j]
		}
	}
}

// firstChange is the index of the first event of b that may differ with other
// edits, known if none of the known ones does.
func (b *branch) firstChange(edits []edit) int {
	i := 0
	for i < len(edits) && i < len(b.edits) && edits[i].Edit == b.edits[i].Edit {
		i++
	}
	at := b.known
	for _, list := range [][]edit{edits, b.edits} {
		if i < len(list) {
			at = min(at, b.firstAt(Position{list[i].At, list[i].Ordinal}))
		}
	}
	return max(at, 1)
}
