package model

import "zerolag/scheduler"

// Tally is the numbers of some tasks together in a stretch of a run. Times are ns of
// wall time but for Runtime, which is CPU time.
type Tally struct {
	Runtime                            scheduler.Time
	SwitchedIn, Voluntary, Involuntary int
	Migrations                         int
	// The waits that ended, from becoming runnable to running.
	Waits            int
	WaitAvg, WaitMax scheduler.Time
	Jobs             Jobs
}

// Tally adds up the numbers of some tasks from a time on, after its last event, up to
// the cursor, which stays.
func (r *Run) Tally(tasks []scheduler.TaskID, from scheduler.Time) Tally {
	var t Tally
	if end := r.index; from > 0 {
		r.SeekTime(from)
		t.add(r.Stats(), tasks, -1)
		r.Seek(end)
	}
	t.add(r.Stats(), tasks, 1)
	t.Jobs = r.Jobs(tasks, from)
	var total scheduler.Time
	counter := r.countTo(r.index)
	for _, id := range tasks {
		for _, w := range counter.of(int(id)) {
			if from == 0 || w.from+w.length > from {
				t.Waits++
				total += w.length
				t.WaitMax = max(t.WaitMax, w.length)
			}
		}
	}
	if t.Waits > 0 {
		t.WaitAvg = total / scheduler.Time(t.Waits)
	}
	return t
}

// add adds the counters of some tasks, or takes them away.
func (t *Tally) add(s Stats, tasks []scheduler.TaskID, sign int) {
	for _, id := range tasks {
		k := &s.Tasks[id]
		t.Runtime += scheduler.Time(sign) * k.Runtime
		t.SwitchedIn += sign * k.SwitchedIn
		t.Voluntary += sign * k.Voluntary
		t.Involuntary += sign * k.Involuntary
		t.Migrations += sign * k.Migrations
	}
}
