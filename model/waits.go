package model

import (
	"cmp"
	"slices"
	"sort"

	"zerolag/scheduler"
)

// Wait is a wait of a task that has ended: from becoming runnable, or losing the
// CPU, to running. Times are wall time.
type Wait struct {
	From, To scheduler.Time
	CPU      int // the one that the task then ran on
	// Begin and End are the events that began and ended it; Begin is 0 if it began
	// at the start.
	Begin, End int
	// By tells who had CPU during the wait, the longest first. The lengths add up
	// to the wait.
	By []Antagonist
}

// Length is how long it lasted.
func (w *Wait) Length() scheduler.Time { return w.To - w.From }

// Antagonist is somebody who had the CPU while another waited.
type Antagonist struct {
	Task scheduler.TaskID // NoTask: nobody of the fair class
	Time scheduler.Time
}

// waiting follows one task through the records and tells who runs while it waits.
type waiting struct {
	task  scheduler.TaskID
	lanes lanes
	begin int
	by    [][]Antagonist // by CPU, since the wait began
}

// Waits are the waits of a task that ended up to the cursor, in order.
func (r *Run) Waits(task scheduler.TaskID) []Wait {
	if task < 0 {
		return nil
	}
	var waits []Wait
	w := waiting{task: task, lanes: r.b.lanesBefore(0), by: make([][]Antagonist, r.w.Config.CPUs)}
	for i := range r.index + 1 {
		e := r.b.record(i)
		if ended, ok := w.take(i, e, r.b.undelayedAt(i, e)); ok {
			waits = append(waits, ended)
		}
	}
	return waits
}

// take takes one event and gives the wait that it ended.
func (w *waiting) take(index int, e *EventRecord, undelayed []scheduler.TaskID) (ended Wait, ok bool) {
	lane := w.lanes.task(w.task)
	waits := lane.state == scheduler.StateQueued
	if e.Switched() && waits {
		cpu := w.lanes.cpus[e.CPU]
		w.by[e.CPU] = addAntagonist(w.by[e.CPU], Antagonist{cpu.task, e.Time - max(cpu.since, lane.since)})
		if e.Curr == w.task {
			ended = Wait{lane.since, e.Time, int(e.CPU), w.begin, index, sortedAntagonists(w.by[e.CPU])}
			ok = true
		}
	}
	w.lanes.apply(e, undelayed)
	if w.lanes.task(w.task).state == scheduler.StateQueued && !waits {
		w.begin = index
		for cpu := range w.by {
			w.by[cpu] = w.by[cpu][:0]
		}
	}
	return ended, ok
}

// addAntagonist adds a length to its task's.
func addAntagonist(list []Antagonist, a Antagonist) []Antagonist {
	if a.Time == 0 {
		return list
	}
	for i := range list {
		if list[i].Task == a.Task {
			list[i].Time += a.Time
			return list
		}
	}
	return append(list, a)
}

// sortedAntagonists is a copy, the longest first, then by task.
func sortedAntagonists(list []Antagonist) []Antagonist {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, func(a, b Antagonist) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Task, b.Task))
	})
	return sorted
}

// Antagonists sums up who made a task wait over some of its waits.
func Antagonists(waits []Wait) []Antagonist {
	var sum []Antagonist
	for i := range waits {
		for _, a := range waits[i].By {
			sum = addAntagonist(sum, a)
		}
	}
	return sortedAntagonists(sum)
}

// Bucket counts the waits of From <= length < To. Longest is the index of the
// longest of them among the waits that were counted.
type Bucket struct {
	From, To scheduler.Time
	Count    int
	Longest  int
}

// Histogram counts waits exactly in buckets of 1, 2, 5, 10, ... ns; the first has
// the waits of no length. Buckets before the shortest and after the longest wait
// are left out, empty ones between them are not.
func Histogram(waits []Wait) []Bucket {
	edges := []scheduler.Time{0, 1}
	for unit := scheduler.Nanosecond; unit <= 1000*scheduler.Second; unit *= 10 {
		edges = append(edges, 2*unit, 5*unit, 10*unit)
	}
	buckets := make([]Bucket, len(edges))
	low, high := len(edges), -1
	for i := range waits {
		length := waits[i].Length()
		k := sort.Search(len(edges), func(j int) bool { return edges[j] > length }) - 1
		b := &buckets[k]
		if b.Count == 0 || length > waits[b.Longest].Length() {
			b.Longest = i
		}
		b.Count++
		low, high = min(low, k), max(high, k)
	}
	if high < 0 {
		return nil
	}
	for k := range buckets {
		buckets[k].From, buckets[k].To = edges[k], scheduler.NoTime
		if k+1 < len(edges) {
			buckets[k].To = edges[k+1]
		}
	}
	return buckets[low : high+1]
}
