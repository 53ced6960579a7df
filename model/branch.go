package model

import (
	"slices"
	"sort"

	"github.com/google/btree"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

const (
	chunkLen = 4096 // events that share a chunk
	// firstSpacing is the distance of checkpoints, in events, until they become
	// too many for checkpointMemory bytes; then it doubles.
	firstSpacing     = 4096
	checkpointMemory = 64 << 20
	treeDegree       = 16
)

// branch is one history: the records of its events, checkpoints, and the
// simulation that stands after the last known event. A full chunk never changes
// again, and a checkpoint never changes at all, so branches share both.
type branch struct {
	name   string
	parent *branch
	forkAt Position
	edits  []edit
	names  *expr.Names
	plain  []scheduler.Edit // edits as the simulation takes them

	chunks      []*chunk
	known       int
	editEvents  []int // indices of the events that edits make, one per edit
	undelayed   []undelayed
	lanes       lanes // after the last known event
	head        *scheduler.Sim
	complete    bool
	checkpoints *btree.BTreeG[checkpoint]
	spacing     int
	stateSize   int // bytes of one state, about
}

// undelayed is an event at which delayed sleeps ended.
type undelayed struct {
	index int
	tasks []scheduler.TaskID
}

// chunk holds the records of chunkLen events and what everybody did before the
// first of them, so that no search goes back further than one chunk.
type chunk struct {
	records []EventRecord
	start   lanes
}

// checkpoint is a whole state after an event.
type checkpoint struct {
	index int
	sim   *scheduler.Sim
}

func newTree() *btree.BTreeG[checkpoint] {
	return btree.NewG(treeDegree, func(a, b checkpoint) bool { return a.index < b.index })
}

// mainName is the name of the branch without edits.
func mainName(w *scheduler.Workload) string {
	if w.Tape != nil {
		return "recorded"
	}
	return "main"
}

// newMain is the branch of the workload's own edits, known up to the start.
func newMain(w *scheduler.Workload) *branch {
	sim := scheduler.NewSim(w)
	b := &branch{
		name: mainName(w), edits: ownEdits(w.Edits), plain: w.Edits, head: sim, names: namesOf(w, w.Edits),
		checkpoints: newTree(), spacing: firstSpacing, stateSize: len(sim.AppendState(nil)),
	}
	var f scheduler.Frame
	sim.Frame(&f)
	b.lanes = lanesOf(&f)
	b.note(sim.Event())
	return b
}

// fork makes the branch of other edits, which shares the events before index at
// with b. before is the state after event at-1.
func (b *branch) fork(name string, edits []edit, at int, before *scheduler.Sim) *branch {
	n := &branch{
		name: name, parent: b, edits: edits, plain: plainEdits(edits), known: at,
		editEvents:  b.editEvents[:sort.SearchInts(b.editEvents, at):sort.SearchInts(b.editEvents, at)],
		undelayed:   b.undelayed[:b.undelayedBefore(at):b.undelayedBefore(at)],
		checkpoints: b.checkpoints.Clone(), spacing: b.spacing, stateSize: b.stateSize,
		head: copyOf(before, b.plain),
	}
	n.head.SetEdits(n.plain)
	full, rest := at/chunkLen, at%chunkLen
	n.chunks = append(n.chunks, b.chunks[:full]...)
	n.lanes = b.lanesBefore(at)
	if rest > 0 {
		old := b.chunks[full]
		c := &chunk{records: make([]EventRecord, rest, chunkLen), start: old.start}
		copy(c.records, old.records)
		n.chunks = append(n.chunks, c)
	}
	for {
		last, ok := n.checkpoints.Max()
		if !ok || last.index < at {
			return n
		}
		n.checkpoints.Delete(last)
	}
}

// copyOf is a new simulation equal to s.
func copyOf(s *scheduler.Sim, edits []scheduler.Edit) *scheduler.Sim {
	n := &scheduler.Sim{}
	n.CopyFrom(s)
	n.SetEdits(edits)
	return n
}

func (b *branch) record(i int) *EventRecord { return &b.chunks[i/chunkLen].records[i%chunkLen] }

// advance simulates one more event; false at the end of the run. The run ends
// before the first event at or after until, if until is positive.
func (b *branch) advance(until scheduler.Time) bool {
	if b.complete {
		return false
	}
	over := func(t scheduler.Time) bool { return until > 0 && t >= until }
	t, ok := b.head.Next()
	if !ok || over(t) {
		b.complete = true
		return false
	}
	// Next may have named a moment at which nothing happened after all.
	e, ok := b.head.Step(nil)
	if !ok || over(e.Time) {
		b.complete = true
		return false
	}
	b.note(e)
	return true
}

// note records the event that head stands after.
func (b *branch) note(e scheduler.Event) {
	if b.known%chunkLen == 0 {
		c := &chunk{records: make([]EventRecord, 0, chunkLen), start: b.lanes.clone()}
		b.chunks = append(b.chunks, c)
	}
	c := b.chunks[len(b.chunks)-1]
	record := recordOf(&e)
	if tasks := b.head.Undelayed(); len(tasks) > 0 {
		record.flags |= recordUndelayed
		b.undelayed = append(b.undelayed, undelayed{b.known, slices.Clone(tasks)})
	}
	c.records = append(c.records, record)
	if isEdit(e.Kind) {
		b.editEvents = append(b.editEvents, b.known)
	}
	b.lanes.apply(&record, b.undelayedAt(b.known, &record))
	if b.known%b.spacing == 0 {
		b.checkpoints.ReplaceOrInsert(checkpoint{b.known, copyOf(b.head, b.plain)})
		b.thin()
	}
	b.known++
}

// thin drops every other checkpoint when they take too much memory.
func (b *branch) thin() {
	if b.checkpoints.Len()*b.stateSize <= checkpointMemory || b.checkpoints.Len() < 16 {
		return
	}
	b.spacing *= 2
	var drop []checkpoint
	b.checkpoints.Ascend(func(c checkpoint) bool {
		if c.index%b.spacing != 0 {
			drop = append(drop, c)
		}
		return true
	})
	for _, c := range drop {
		b.checkpoints.Delete(c)
	}
}

// checkpointBefore is the last checkpoint at or before an event; there is always
// the one of event 0.
func (b *branch) checkpointBefore(index int) checkpoint {
	var found checkpoint
	b.checkpoints.DescendLessOrEqual(checkpoint{index: index}, func(c checkpoint) bool {
		found = c
		return false
	})
	return found
}

// find is the index of the last known event at or before p, 0 if there is none.
func (b *branch) find(p Position) int {
	after := sort.Search(b.known, func(i int) bool { return p.Before(b.record(i).Position()) })
	return max(after-1, 0)
}

// firstAt is the index of the first known event at or after p, known if there is
// none.
func (b *branch) firstAt(p Position) int {
	return sort.Search(b.known, func(i int) bool { return !b.record(i).Position().Before(p) })
}

// lanesBefore is what everybody did right before an event.
func (b *branch) lanesBefore(index int) lanes {
	if index == b.known {
		return b.lanes.clone()
	}
	c := b.chunks[index/chunkLen]
	l := c.start.clone()
	first := index - index%chunkLen
	for i := first; i < index; i++ {
		e := b.record(i)
		l.apply(e, b.undelayedAt(i, e))
	}
	return l
}

// undelayedBefore counts the entries of undelayed before an event.
func (b *branch) undelayedBefore(index int) int {
	return sort.Search(len(b.undelayed), func(i int) bool { return b.undelayed[i].index >= index })
}

// undelayedAt are the tasks whose delayed sleep ended at an event.
func (b *branch) undelayedAt(index int, e *EventRecord) []scheduler.TaskID {
	if e.flags&recordUndelayed == 0 {
		return nil
	}
	return b.undelayed[b.undelayedBefore(index)].tasks
}

// editFlags says what an edit does to its task.
func editFlags(k scheduler.EditKind) recordFlags {
	switch k {
	case scheduler.EditWake, scheduler.EditKill:
		return recordWakes
	case scheduler.EditAdd:
		return recordAdds
	case scheduler.EditFeature, scheduler.EditNice, scheduler.EditSlice, scheduler.EditPolicy, scheduler.EditShares,
		scheduler.EditGroupIdle, scheduler.EditBaseSlice, scheduler.EditMove, scheduler.EditInterrupt,
		scheduler.EditAffinity, scheduler.EditSleep, scheduler.EditFreeze, scheduler.EditPreempt,
		scheduler.EditQuota:
	}
	return 0
}

func recordOf(e *scheduler.Event) EventRecord {
	r := EventRecord{
		Time: e.Time, Ordinal: int32(e.Ordinal), Task: e.Task, Waker: e.Waker,
		Curr: e.Curr, Prev: e.Prev, Group: e.Group, CPU: int16(e.CPU), Kind: e.Kind,
	}
	if e.Preempted {
		r.flags |= recordPreempted
	}
	if e.Higher {
		r.flags |= recordHigher
	}
	if e.Resched {
		r.flags |= recordResched
	}
	if e.Delayed {
		r.flags |= recordDelayed
	}
	if e.Kind == scheduler.EventEdit {
		r.flags |= editFlags(e.Edit.Kind)
	}
	return r
}
