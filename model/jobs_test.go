package model

import (
	"math/big"
	"slices"
	"testing"

	"zerolag/scheduler"
)

// naiveJobs finds wakeups and jobs in the states after every event, not in records.
type naiveJobs struct {
	woken, begun     map[int]scheduler.Time
	wakeups, lengths map[int][]scheduler.Time
	moved            map[int]int
	wasted           scheduler.Time
}

func (n *naiveJobs) take(w *scheduler.Workload, before, after *scheduler.Frame) {
	idle, waiting := 0, 0
	for i := range before.CPUs {
		if before.CPUs[i].Curr == scheduler.NoTask {
			idle++
		}
	}
	usable := func(task int) bool {
		for i := range before.CPUs {
			allowed := &w.Tasks[task].Allowed
			if before.CPUs[i].Curr == scheduler.NoTask && (allowed.Empty() || allowed.Has(i)) {
				return true
			}
		}
		return false
	}
	asleep := func(s scheduler.TaskState) bool { return s == scheduler.StateSleeping || s == scheduler.StateDelayed }
	for t := range after.TaskEntity {
		from, to := before.Task(scheduler.TaskID(t)), after.Task(scheduler.TaskID(t))
		if from.State == scheduler.StateQueued && usable(t) {
			waiting++
		}
		if from.State != scheduler.StateNew && from.CPU != to.CPU {
			n.moved[t]++
		}
		if asleep(from.State) && !asleep(to.State) {
			n.woken[t] = after.Now
		}
		if since, woken := n.woken[t]; woken && to.State == scheduler.StateRunning {
			n.wakeups[t] = append(n.wakeups[t], after.Now-since)
			delete(n.woken, t)
			n.begun[t] = after.Now
		}
		if since, begun := n.begun[t]; begun && asleep(to.State) {
			n.lengths[t] = append(n.lengths[t], after.Now-since)
			delete(n.begun, t)
		}
	}
	n.wasted += scheduler.Time(min(idle, waiting)) * (after.Now - before.Now)
}

// TestJobsAreThoseOfTheStates: what the records tell is what the states show.
func TestJobsAreThoseOfTheStates(t *testing.T) {
	all := workloads(t)
	pinned := *all["two cpus 7.2"]
	pinned.Tasks = slices.Clone(pinned.Tasks)
	for i := range pinned.Tasks {
		pinned.Tasks[i].Allowed.Add(i % 2)
		pinned.Tasks[i].CPU = i % 2
	}
	all["pinned"] = &pinned
	for name, w := range all {
		n := naiveJobs{
			woken: map[int]scheduler.Time{}, begun: map[int]scheduler.Time{}, moved: map[int]int{},
			wakeups: map[int][]scheduler.Time{}, lengths: map[int][]scheduler.Time{},
		}
		sim := scheduler.NewSim(w)
		var frames [2]scheduler.Frame
		sim.Frame(&frames[0])
		r := Open(w)
		r.Seek(3000)
		for events := range r.Index() {
			sim.Step(nil)
			sim.Frame(&frames[1-events%2])
			n.take(w, &frames[events%2], &frames[1-events%2])
		}
		found := 0
		for id, k := range r.Stats().Tasks {
			j := r.Jobs([]scheduler.TaskID{scheduler.TaskID(id)}, 0)
			slices.Sort(n.wakeups[id])
			slices.Sort(n.lengths[id])
			if !slices.Equal(j.Wakeups, n.wakeups[id]) || !slices.Equal(j.Lengths, n.lengths[id]) {
				t.Fatalf("%s: %s has jobs %v, the states show %v and %v", name, k.Name, j, n.wakeups[id], n.lengths[id])
			}
			if k.Migrations != n.moved[id] {
				t.Errorf("%s: %s has %d migrations, the states show %d", name, k.Name, k.Migrations, n.moved[id])
			}
			found += len(j.Lengths)
		}
		if found == 0 {
			t.Errorf("%s has no jobs", name)
		}
		if r.Wasted(0) != n.wasted {
			t.Errorf("%s: %d ns wasted, the states show %d", name, r.Wasted(0), n.wasted)
		}
	}
}

func TestPercentileIsTheNearestRank(t *testing.T) {
	sorted := make([]scheduler.Time, 1000)
	for i := range sorted {
		sorted[i] = scheduler.Time(i + 1)
	}
	for _, c := range []struct {
		tenths int64
		want   scheduler.Time
	}{{1, 1}, {500, 500}, {990, 990}, {999, 999}, {1000, 1000}} {
		if got, ok := Percentile(sorted, big.NewRat(c.tenths, 10)); !ok || got != c.want {
			t.Errorf("%d/10 %% is %d, want %d", c.tenths, got, c.want)
		}
	}
	if got, _ := Percentile(sorted[:10], big.NewRat(901, 10)); got != 10 {
		t.Errorf("90.1 %% of ten are %d, want the tenth", got)
	}
	if _, ok := Percentile(nil, big.NewRat(50, 1)); ok {
		t.Error("a percentile of nothing")
	}
}

// TestTalliesOfTwoPartsAddUp: what is counted from a time on is what is counted in
// all without what had been counted then.
func TestTalliesOfTwoPartsAddUp(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.SeekTime(200 * ms)
		for id := range r.Stats().Tasks {
			tasks := []scheduler.TaskID{scheduler.TaskID(id)}
			whole, late := r.Tally(tasks, 0), r.Tally(tasks, 100*ms)
			lateWasted := r.Wasted(100 * ms)
			r.SeekTime(100 * ms)
			early := r.Tally(tasks, 0)
			sums := [][3]int64{
				{int64(early.Runtime), int64(late.Runtime), int64(whole.Runtime)},
				{int64(early.SwitchedIn), int64(late.SwitchedIn), int64(whole.SwitchedIn)},
				{int64(early.Waits), int64(late.Waits), int64(whole.Waits)},
				{int64(len(early.Jobs.Wakeups)), int64(len(late.Jobs.Wakeups)), int64(len(whole.Jobs.Wakeups))},
				{int64(len(early.Jobs.Lengths)), int64(len(late.Jobs.Lengths)), int64(len(whole.Jobs.Lengths))},
			}
			wasted := r.Wasted(0)
			r.SeekTime(200 * ms)
			sums = append(sums, [3]int64{int64(wasted), int64(lateWasted), int64(r.Wasted(0))})
			for i, s := range sums {
				if s[0]+s[1] != s[2] {
					t.Errorf("%s task %d, number %d: %d and %d, in all %d", name, id, i, s[0], s[1], s[2])
				}
			}
			if whole.WaitMax != max(early.WaitMax, late.WaitMax) {
				t.Errorf("%s task %d: longest waits %d and %d, in all %d", name, id, early.WaitMax, late.WaitMax, whole.WaitMax)
			}
			if late.Waits == 0 && early.Waits > 20 {
				t.Errorf("%s task %d: no waits in the second half", name, id)
			}
		}
	}
}
