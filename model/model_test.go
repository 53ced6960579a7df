package model

import (
	"bytes"
	"testing"

	"zerolag/scheduler"
)

const (
	us = scheduler.Microsecond
	ms = scheduler.Millisecond
)

// forever makes a program that repeats its instructions.
func forever(ops ...scheduler.Op) []scheduler.Op {
	return append(ops, scheduler.Op{Kind: scheduler.OpLoop})
}

func run(d scheduler.Time) scheduler.Op   { return scheduler.Op{Kind: scheduler.OpRun, Dur: d} }
func sleep(d scheduler.Time) scheduler.Op { return scheduler.Op{Kind: scheduler.OpSleep, Dur: d} }

// machine is one CPU of a machine of eight or more, HZ 1000.
func machine(t testing.TB, kernel string) scheduler.Config {
	t.Helper()
	k, ok := scheduler.ProfileByName(kernel)
	if !ok {
		t.Fatalf("no kernel %s", kernel)
	}
	return scheduler.Config{
		Kernel: k, CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: k.NBase,
		MigrationCost: 500_000, Features: k.Defaults(),
	}
}

// nginx is a server that is woken past by a short-running service.
func nginx(t testing.TB, kernel string) *scheduler.Workload {
	return &scheduler.Workload{
		Config: machine(t, kernel),
		Tasks: []scheduler.TaskSpec{
			{Name: "nginx", Program: forever(run(5*ms), sleep(1*ms))},
			{Name: "service", Arrive: 100 * us, Program: forever(run(200*us), sleep(900*us))},
		},
		Until: scheduler.Second,
	}
}

// office has a bit of everything: groups, nice, slices, policies, an exit, a
// wakeup by another task, own edits and an interruption.
func office(t testing.TB, kernel string) *scheduler.Workload {
	w := &scheduler.Workload{
		Config: machine(t, kernel),
		Groups: []scheduler.GroupSpec{
			{Name: "a", Shares: scheduler.SharesOfWeight(100)},
			{Name: "b", Parent: 1, Shares: scheduler.SharesOfWeight(300)},
		},
		Tasks: []scheduler.TaskSpec{
			{Name: "hog", Group: 1, Program: []scheduler.Op{run(10 * scheduler.Second)}},
			{Name: "short", Slice: 300_000, Program: forever(run(700*us), sleep(1300*us))},
			{Name: "batch", Group: 2, Policy: scheduler.PolicyBatch, Program: forever(run(2*ms), sleep(3*ms))},
			{Name: "nice", Nice: 5, Arrive: 3 * ms, Program: forever(run(1*ms), scheduler.Op{Kind: scheduler.OpWake, Task: 4}, sleep(500*us))},
			{Name: "blocker", Program: forever(run(100*us), scheduler.Op{Kind: scheduler.OpBlock})},
			{Name: "brief", Arrive: 20 * ms, Program: []scheduler.Op{run(4 * ms)}},
		},
		Edits: []scheduler.Edit{
			{At: 30 * ms, Kind: scheduler.EditNice, Task: 1, Value: -3},
			{At: 40 * ms, Kind: scheduler.EditInterrupt, Value: int64(2 * ms)},
			{At: 60 * ms, Ordinal: 1, Kind: scheduler.EditFeature, Feature: scheduler.FeatureSetting{Feature: scheduler.NextBuddy, On: true}},
		},
		Until: 300 * ms,
	}
	return w
}

// limited is the office with quotas: the group is throttled again and again.
func limited(t testing.TB, kernel string) *scheduler.Workload {
	w := office(t, kernel)
	w.Groups[0].Quota, w.Groups[0].Period = 2*ms, 10*ms
	w.Edits = append(w.Edits, scheduler.Edit{At: 100 * ms, Kind: scheduler.EditQuota, Group: 2, Value: int64(ms), Period: 7 * ms, Burst: ms / 2})
	return w
}

// workloads are the runs that the properties of history are tested on.
func workloads(t testing.TB) map[string]*scheduler.Workload {
	all := map[string]*scheduler.Workload{}
	for _, k := range []string{"6.6", "6.12.y", "7.2"} {
		all["nginx "+k] = nginx(t, k)
		all["office "+k] = office(t, k)
		two := office(t, k)
		two.Config.CPUs = 2
		two.Tasks[1].CPU, two.Tasks[2].CPU, two.Tasks[4].CPU = 1, 1, 1
		all["two cpus "+k] = two
	}
	all["quota 6.12.y"] = limited(t, "6.12.y")
	return all
}

// state is the whole state after an event of the current branch.
func state(r *Run, index int) []byte { return r.ring.state(r.b, index).AppendState(nil) }

// straight is the states of a run taken step by step by the simulation alone.
func straight(w *scheduler.Workload, edits []scheduler.Edit) [][]byte {
	sim := scheduler.NewSim(w)
	sim.SetEdits(edits)
	states := [][]byte{sim.AppendState(nil)}
	for {
		e, ok := sim.Step(nil)
		if !ok || e.Time >= w.Until {
			return states
		}
		states = append(states, sim.AppendState(nil))
	}
}

func TestSeekEqualsSteps(t *testing.T) {
	for name, w := range workloads(t) {
		want := straight(w, w.Edits)
		r := Open(w)
		r.Extend(1 << 30)
		if r.Known() != len(want) || !r.Complete() {
			t.Fatalf("%s: %d events known, complete %v; want %d", name, r.Known(), r.Complete(), len(want))
		}
		// Jumps of all lengths both ways, from a fixed generator.
		x := uint32(1)
		for range 300 {
			x = x*1664525 + 1013904223
			i := int(x>>8) % len(want)
			r.Seek(i)
			if !bytes.Equal(state(r, r.Index()), want[i]) {
				t.Fatalf("%s: the state after event %d differs from the straight run", name, i)
			}
		}
	}
}

func TestStepBackLandsWhereStepForwardHadBeen(t *testing.T) {
	for name, w := range workloads(t) {
		want := straight(w, w.Edits)
		r := Open(w)
		r.Seek(len(want) - 1)
		for i := len(want) - 1; i >= 0; i-- {
			if r.Index() != i || !bytes.Equal(state(r, i), want[i]) {
				t.Fatalf("%s: stepping back to event %d: cursor on %d, or another state", name, i, r.Index())
			}
			if moved := r.Step(-1); moved != (i > 0) {
				t.Fatalf("%s: step back from event %d moved: %v", name, i, moved)
			}
		}
	}
}

func TestCheckpointDistanceChangesNothing(t *testing.T) {
	for name, w := range workloads(t) {
		want := straight(w, w.Edits)
		for _, spacing := range []int{1, 7, 64, 1000} {
			r := Open(w)
			r.b.spacing = spacing
			r.Extend(1 << 30)
			for i := 0; i < len(want); i += 97 {
				if !bytes.Equal(state(r, i), want[i]) {
					t.Fatalf("%s: checkpoints every %d: state after event %d differs", name, spacing, i)
				}
			}
		}
	}
}

func TestThinningKeepsJumpsExact(t *testing.T) {
	w := nginx(t, "7.2")
	want := straight(w, nil)
	r := Open(w)
	r.b.spacing, r.b.stateSize = 10, checkpointMemory/20
	r.Extend(1 << 30)
	if n := r.b.checkpoints.Len(); n > 20 || r.b.spacing == 10 {
		t.Errorf("%d checkpoints at a distance of %d: not thinned", n, r.b.spacing)
	}
	for i := len(want) - 1; i >= 0; i -= 61 {
		if !bytes.Equal(state(r, i), want[i]) {
			t.Fatalf("state after event %d differs", i)
		}
	}
}

func TestStepsEndInTheStateAfterTheEvent(t *testing.T) {
	r := Open(office(t, "7.2"))
	for range 500 {
		r.Step(1)
		r.Steps()
		if !bytes.Equal(r.scratch.AppendState(nil), state(r, r.Index())) {
			t.Fatalf("event %d: recording its steps led to another state", r.Index())
		}
	}
}

func TestSubStepsWalkThroughEvents(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(3100 * us)
	first, n := r.Index(), len(r.Steps())
	if n < 2 {
		t.Fatalf("%d sub-steps at a wakeup, want some", n)
	}
	for i := range n {
		if !r.SubStep(1) || r.Sub() != i || r.Index() != first {
			t.Fatalf("sub-step %d of event %d: on %d of %d", i, first, r.Sub(), r.Index())
		}
		before, after := r.Pair()
		if before == nil || after != r.Steps()[i].After {
			t.Fatalf("sub-step %d: wrong pair of states", i)
		}
	}
	if r.SubStep(1); r.Index() != first+1 || r.Sub() > 0 {
		t.Errorf("after the last sub-step: on %d of event %d, want the first of event %d", r.Sub(), r.Index(), first+1)
	}
	r.Seek(first)
	if r.Sub() != -1 {
		t.Error("a move did not leave the sub-steps")
	}
	if r.SubStep(-1); r.Sub() != n-1 || r.Index() != first {
		t.Errorf("back from the whole event: on %d of event %d, want its last", r.Sub(), r.Index())
	}
}

func TestPositionsNameEvents(t *testing.T) {
	r := Open(office(t, "7.2"))
	r.Extend(1 << 30)
	for i := range r.Known() {
		if got := r.Find(r.Record(i).Position()); got != i {
			t.Fatalf("position of event %d finds event %d", i, got)
		}
	}
	r.SeekTime(50 * ms)
	next := r.Record(r.Index() + 1)
	if r.Position().Time > 50*ms || next.Time <= 50*ms {
		t.Errorf("the last event up to 50 ms: %v, followed by %v", r.Position(), next.Position())
	}
}

func TestSwitchStopsAtChangesOfTheRunningTask(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.Extend(1 << 30)
	var forth, back []int
	for r.Switch(1) {
		forth = append(forth, r.Index())
	}
	r.Seek(r.Known() - 1)
	if r.Event().Switched() {
		back = append(back, r.Index())
	}
	for r.Switch(-1) {
		back = append(back, r.Index())
	}
	if len(forth) < 1000 || len(forth) != len(back) {
		t.Fatalf("%d switches forth, %d back", len(forth), len(back))
	}
	for i, index := range forth {
		if e := r.Record(index); !e.Switched() || back[len(back)-1-i] != index {
			t.Fatalf("stop %d on event %d forth, %d back", i, index, back[len(back)-1-i])
		}
	}
}
