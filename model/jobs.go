package model

import (
	"math"
	"math/big"
	"slices"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// Jobs are the wakeups and jobs of tasks up to an event. A job is what a task does
// from a wakeup to the next time it goes to sleep; a wakeup takes until the task has
// a CPU, and the job begins there.
type Jobs struct {
	Wakeups, Lengths []scheduler.Time // of the jobs that have begun and that have ended, sorted
}

// jobCounter is what a branch tells about jobs and idle CPUs up to an event.
type jobCounter struct {
	index int
	from  scheduler.Time // what ended before is left out
	lanes lanes
	tasks []jobLane
	// The idle CPUs now; how many tasks wait that may run anywhere, and which others
	// do; how long CPUs were idle for nothing, counted up to at.
	idle       scheduler.CPUSet
	free       int
	bound      []scheduler.TaskID
	allowed    func(scheduler.TaskID) scheduler.CPUSet // empty: anywhere
	wasted, at scheduler.Time
}

// jobLane is the job that a task is at.
type jobLane struct {
	woken, begun     scheduler.Time // NoTime if it is not
	wakeups, lengths []scheduler.Time
}

// jobsTo counts what ended after a time, up to an event.
func (b *branch) jobsTo(index int, from scheduler.Time, allowed func(scheduler.TaskID) scheduler.CPUSet) *jobCounter {
	c := &jobCounter{index: index, from: from, at: from, lanes: b.lanesBefore(0), allowed: allowed}
	for i := range c.lanes.cpus {
		if c.lanes.cpus[i].task == scheduler.NoTask {
			c.idle.Add(i)
		}
	}
	for i := range c.lanes.tasks {
		if c.lanes.tasks[i].state == scheduler.StateQueued {
			c.wait(scheduler.TaskID(i), 1)
		}
	}
	for i := range index + 1 {
		c.take(b.record(i), b.undelayedAt(i, b.record(i)))
	}
	return c
}

// take counts an event.
func (c *jobCounter) take(e *EventRecord, undelayed []scheduler.TaskID) {
	if e.Time > c.at {
		c.wasted += scheduler.Time(c.idleInVain()) * (e.Time - c.at)
		c.at = e.Time
	}
	about := [...]scheduler.TaskID{e.Prev, e.Curr, e.Task}
	var before [len(about)]scheduler.TaskState
	for i, t := range about {
		if t >= 0 && !slices.Contains(about[:i], t) {
			before[i] = c.lanes.task(t).state
		}
	}
	if e.Curr == scheduler.NoTask {
		c.idle.Add(int(e.CPU))
	} else {
		c.idle.Remove(int(e.CPU))
	}
	c.lanes.apply(e, undelayed)
	for i, t := range about {
		if t >= 0 && !slices.Contains(about[:i], t) {
			c.enter(t, before[i], c.lanes.task(t).state, e.Time)
		}
	}
}

// idleInVain is how many CPUs are idle for nothing: one for each task that waits and
// may run on an idle one.
func (c *jobCounter) idleInVain() int {
	idle := c.idle.Count()
	if idle == 0 || c.free+len(c.bound) == 0 {
		return 0
	}
	waiting := c.free
	for _, t := range c.bound {
		if usable := c.allowed(t).And(c.idle); !usable.Empty() {
			waiting++
		}
	}
	return min(idle, waiting)
}

// wait counts one more waiting task, or one less.
func (c *jobCounter) wait(t scheduler.TaskID, sign int) {
	switch allowed := c.allowed(t); {
	case allowed.Empty():
		c.free += sign
	case sign > 0:
		c.bound = append(c.bound, t)
	default:
		c.bound = slices.DeleteFunc(c.bound, func(b scheduler.TaskID) bool { return b == t })
	}
}

// enter counts the change of a task's state at a time.
func (c *jobCounter) enter(t scheduler.TaskID, from, to scheduler.TaskState, at scheduler.Time) {
	for int(t) >= len(c.tasks) {
		c.tasks = append(c.tasks, jobLane{woken: scheduler.NoTime, begun: scheduler.NoTime})
	}
	lane := &c.tasks[t]
	asleep := func(s scheduler.TaskState) bool {
		return s == scheduler.StateSleeping || s == scheduler.StateDelayed
	}
	if asleep(from) && (to == scheduler.StateQueued || to == scheduler.StateRunning) {
		lane.woken = at
	}
	if to == scheduler.StateRunning && lane.woken != scheduler.NoTime {
		if at > c.from || c.from == 0 {
			lane.wakeups = append(lane.wakeups, at-lane.woken)
		}
		lane.woken, lane.begun = scheduler.NoTime, at
	}
	if (asleep(to) || to == scheduler.StateDead) && lane.begun != scheduler.NoTime {
		if at > c.from || c.from == 0 {
			lane.lengths = append(lane.lengths, at-lane.begun)
		}
		lane.begun = scheduler.NoTime
	}
	switch scheduler.StateQueued {
	case to:
		if from != to {
			c.wait(t, 1)
		}
	case from:
		c.wait(t, -1)
	}
}

// of are the jobs of some tasks.
func (c *jobCounter) of(tasks []scheduler.TaskID) Jobs {
	var j Jobs
	for _, t := range tasks {
		if int(t) < len(c.tasks) {
			j.Wakeups = append(j.Wakeups, c.tasks[t].wakeups...)
			j.Lengths = append(j.Lengths, c.tasks[t].lengths...)
		}
	}
	slices.Sort(j.Wakeups)
	slices.Sort(j.Lengths)
	return j
}

// Percentile is the nearest-rank percentile of sorted lengths, 0 < percent <= 100:
// the least one that at least percent of them do not exceed; false without any.
func Percentile(sorted []scheduler.Time, percent *big.Rat) (scheduler.Time, bool) {
	if len(sorted) == 0 {
		return 0, false
	}
	rank := new(big.Rat).Mul(percent, big.NewRat(int64(len(sorted)), 100))
	above, rest := new(big.Int).QuoRem(rank.Num(), rank.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		above.Add(above, big.NewInt(1))
	}
	return sorted[min(max(above.Int64(), 1), int64(len(sorted)))-1], true
}

// jobsTo is the counter up to an event; it is counted once.
func (r *Run) jobsTo(index int, from scheduler.Time) *jobCounter {
	if r.jobs == nil || r.jobsOf != r.b || r.jobs.index != index || r.jobs.from != from {
		r.jobs, r.jobsOf = r.b.jobsTo(index, from, r.allowed), r.b
	}
	return r.jobs
}

// allowed is where a task may run as the workload has it, empty for anywhere.
func (r *Run) allowed(t scheduler.TaskID) scheduler.CPUSet {
	if int(t) < len(r.w.Tasks) {
		return r.w.Tasks[t].Allowed
	}
	return scheduler.CPUSet{}
}

// Jobs are the wakeups and jobs of some tasks that ended after from, up to the cursor.
func (r *Run) Jobs(tasks []scheduler.TaskID, from scheduler.Time) Jobs {
	return r.jobsTo(r.index, from).of(tasks)
}

// Wasted is the CPU time from a time on up to the cursor during which CPUs were idle although
// tasks waited that may run there, one CPU counted for each of them. Affinities are
// those of the workload; their changes on the way are not looked at.
func (r *Run) Wasted(from scheduler.Time) scheduler.Time { return r.jobsTo(r.index, from).wasted }

// past answers what expressions ask about everything up to an event.
type past struct {
	r     *Run
	index int
}

// Percentile is a percentile of the wakeups, or of the jobs, of some tasks.
func (p past) Percentile(of expr.Span, tasks []scheduler.TaskID, percent *big.Rat) (scheduler.Time, bool) {
	j := p.r.jobsTo(p.index, 0).of(tasks)
	if of == expr.WakeupSpan {
		return Percentile(j.Wakeups, percent)
	}
	return Percentile(j.Lengths, percent)
}

// At is the moment after the last event up to a time, at most the present one.
func (p past) At(t scheduler.Time) *expr.Context {
	index := min(p.index, p.r.b.find(Position{t, math.MaxInt}))
	c := p.r.after(index)
	c.Past = past{p.r, index}
	return c
}

// Wasted is the CPU time for which CPUs were idle while tasks waited.
func (p past) Wasted() scheduler.Time { return p.r.jobsTo(p.index, 0).wasted }
