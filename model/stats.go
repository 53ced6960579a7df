package model

import (
	"math/bits"
	"slices"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// million is the whole of a share in parts per million.
const million = 1_000_000

// counter collects the waits that ended, from the records of a branch.
type counter struct {
	b     *branch
	next  int // index of the first event not counted
	lanes lanes
	waits [][]wait // by task
}

// wait is a wait that ended: event is the one that gave the task a CPU.
type wait struct {
	from, length scheduler.Time
	event        int
}

func newCounter(b *branch) *counter { return &counter{b: b, lanes: b.lanesBefore(0)} }

// of are the waits of a task.
func (c *counter) of(task int) []wait {
	if task < len(c.waits) {
		return c.waits[task]
	}
	return nil
}

// countTo collects up to an event.
func (c *counter) countTo(index int) {
	for ; c.next <= index; c.next++ {
		e := c.b.record(c.next)
		if task := e.Curr; e.Switched() && task >= 0 && c.lanes.task(task).state == scheduler.StateQueued {
			since := c.lanes.task(task).since
			for int(task) >= len(c.waits) {
				c.waits = append(c.waits, nil)
			}
			c.waits[task] = append(c.waits[task], wait{since, e.Time - since, c.next})
		}
		c.lanes.apply(e, c.b.undelayedAt(c.next, e))
	}
}

// countTo is the counter up to an event. Going back starts again.
func (r *Run) countTo(index int) *counter {
	if r.counter == nil || r.counter.b != r.b || r.counter.next > index+1 {
		r.counter = newCounter(r.b)
	}
	r.counter.countTo(index)
	return r.counter
}

// Stats are the numbers of all tasks at the cursor.
func (r *Run) Stats() Stats { return statsOf(r.Frame(), r.countTo(r.index)) }

func statsOf(f *scheduler.Frame, c *counter) Stats {
	s := Stats{Now: f.Now, Tasks: make([]TaskStat, len(f.TaskEntity))}
	for i := range s.Tasks {
		e := f.Task(scheduler.TaskID(i))
		s.Tasks[i] = TaskStat{
			Task: e.Task, Name: e.Name, Runtime: e.Ran, WeightShare: weightShare(f, e),
			SwitchedIn: e.Stats.SwitchedIn, Voluntary: e.Stats.Voluntary, Involuntary: e.Stats.Preempted,
			Wakeups: e.Stats.Wakeups, Migrations: e.Stats.Migrations, Waiting: expr.Waiting(f, e),
		}
		s.Tasks[i].countWaits(c.of(i))
		s.Total += s.Tasks[i].Runtime
	}
	for i := range s.Tasks {
		s.Tasks[i].Share = share(uint64(s.Tasks[i].Runtime), uint64(s.Total))
	}
	return s
}

// countWaits enters the finished waits.
func (t *TaskStat) countWaits(waits []wait) {
	t.Waits, t.MaxFrom, t.MaxTo = len(waits), scheduler.NoTime, scheduler.NoTime
	if len(waits) == 0 {
		return
	}
	lengths := make([]scheduler.Time, len(waits))
	for i, w := range waits {
		lengths[i] = w.length
		t.WaitTotal += w.length
		if i == 0 || w.length > t.WaitMax {
			t.WaitMax, t.MaxFrom, t.MaxTo = w.length, w.from, w.from+w.length
		}
	}
	slices.Sort(lengths)
	t.WaitAvg = t.WaitTotal / scheduler.Time(len(waits))
	t.WaitP50, t.WaitP99 = rank(lengths, 50), rank(lengths, 99)
}

// rank is the nearest-rank percentile of sorted lengths: the least one that at
// least percent of them do not exceed.
func rank(sorted []scheduler.Time, percent int) scheduler.Time {
	return sorted[(len(sorted)*percent+99)/100-1]
}

// share is part/whole in parts per million, rounded down; part <= whole.
func share(part, whole uint64) int64 {
	if whole == 0 {
		return 0
	}
	return int64(scale(million, part, whole))
}

// scale is n*part/whole with a product of 128 bits; part <= whole, whole > 0.
func scale(n, part, whole uint64) uint64 {
	high, low := bits.Mul64(n, part)
	q, _ := bits.Div64(high, low, whole)
	return q
}

// weightShare is the share that the weights promise a living task if everybody
// wanted to run, in parts per million: at each level, its weight (or its group's
// shares) over those of all living members of that group.
func weightShare(f *scheduler.Frame, e *scheduler.EntityFrame) int64 {
	if !alive(e) {
		return 0
	}
	// Kept in 2^-40 so that rounding at each level stays far below one millionth.
	const whole = 1 << 40
	part := uint64(whole)
	group, weight := e.Group, e.Weight
	for {
		if sum := memberWeights(f, group); sum > 0 {
			part = scale(part, min(weight, sum), sum)
		}
		if group == scheduler.RootGroup {
			return int64(scale(million, part, whole))
		}
		weight, group = f.Groups[group].Shares, f.Groups[group].Parent
	}
}

func alive(e *scheduler.EntityFrame) bool {
	return e.State != scheduler.StateNew && e.State != scheduler.StateDead
}

// memberWeights is the sum of the weights of the living tasks of a group and of
// the shares of its child groups that have living tasks.
func memberWeights(f *scheduler.Frame, group scheduler.GroupID) uint64 {
	var sum uint64
	peopled := make([]bool, len(f.Groups))
	for _, id := range f.TaskEntity {
		e := f.Entity(id)
		if !alive(e) {
			continue
		}
		if e.Group == group {
			sum += e.Weight
		}
		for g := e.Group; g >= 0 && !peopled[g]; g = f.Groups[g].Parent {
			peopled[g] = true
		}
	}
	for g := range f.Groups {
		if peopled[g] && f.Groups[g].Parent == group && scheduler.GroupID(g) != scheduler.RootGroup {
			sum += f.Groups[g].Shares
		}
	}
	return sum
}
