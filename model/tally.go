package model

import "zerolag/scheduler"

// Tally is the numbers of some tasks together up to the cursor. Times are ns of wall
// time but for Runtime, which is CPU time.
type Tally struct {
	Runtime                            scheduler.Time
	SwitchedIn, Voluntary, Involuntary int
	Migrations                         int
	// WaitAvg and WaitMax are of all waits that have ended, from becoming runnable to
	// running.
	WaitAvg, WaitMax scheduler.Time
	Jobs             Jobs
}

// Tally adds up the numbers of some tasks.
func (r *Run) Tally(tasks []scheduler.TaskID) Tally {
	t := Tally{Jobs: r.Jobs(tasks)}
	stats := r.Stats()
	var total scheduler.Time
	waits := 0
	for _, id := range tasks {
		k := &stats.Tasks[id]
		t.Runtime += k.Runtime
		t.SwitchedIn += k.SwitchedIn
		t.Voluntary += k.Voluntary
		t.Involuntary += k.Involuntary
		t.Migrations += k.Migrations
		t.WaitMax = max(t.WaitMax, k.WaitMax)
		total += k.WaitTotal
		waits += k.Waits
	}
	if waits > 0 {
		t.WaitAvg = total / scheduler.Time(waits)
	}
	return t
}
