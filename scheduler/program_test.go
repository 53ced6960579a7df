package scheduler

import (
	"fmt"
	"strings"
	"testing"
)

// program runs tasks on one 7.2 CPU and prints what happens as
// "ms kind task>runner", ticks and plain reschedules left out.
func program(t *testing.T, until Time, change func(*Workload), tasks ...TaskSpec) string {
	t.Helper()
	w := &Workload{
		Config: Config{
			Kernel: named("7.2"), CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000,
			Features: named("7.2").Defaults(), ClockStart: 1 << 20,
		},
		Tasks: tasks, Until: until, Objects: []string{"a", "b"},
	}
	if change != nil {
		change(w)
	}
	s := NewSim(w)
	var out []string
	name := func(id TaskID) string {
		if id == NoTask {
			return "-"
		}
		return s.m.names[id]
	}
	for at, ok := s.Next(); ok && at < until; at, ok = s.Next() {
		e, ok := s.Step(nil)
		if !ok {
			break
		}
		if err := s.Check(); err != nil {
			t.Fatalf("event %d: %v", e.Index, err)
		}
		if e.Kind != EventTick {
			out = append(out, fmt.Sprintf("%d.%d %s %s>%s", e.Time/Millisecond, e.Time/(100*Microsecond)%10, e.Kind, name(e.Task), name(e.Curr)))
		}
	}
	return strings.Join(out, "\n")
}

func run(d Time) Op { return Op{Kind: OpRun, Dur: d} }

func assertHistory(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimSpace(want); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestMutexIsHandedToTheLongestWaiter(t *testing.T) {
	body := []Op{{Kind: OpLock}, run(Millisecond), {Kind: OpSleep, Dur: Millisecond}, {Kind: OpUnlock}}
	got := program(t, 20*Millisecond, nil, TaskSpec{Name: "a", Program: body}, TaskSpec{Name: "b", Program: body}, TaskSpec{Name: "c", Program: body})
	assertHistory(t, got, `
0.0 fork a>-
0.0 schedule ->a
0.0 fork b>a
0.0 fork c>a
1.0 block a>b
1.0 block b>c
1.0 block c>-
2.0 wakeup a>-
2.0 schedule ->a
2.0 wakeup b>a
2.0 schedule a>b
3.0 block b>a
3.0 exit a>-
4.0 wakeup b>-
4.0 schedule ->b
4.0 wakeup c>b
4.0 schedule b>c
5.0 block c>b
5.0 exit b>-
6.0 wakeup c>-
6.0 schedule ->c
6.0 exit c>-`)
}

func TestBarrierLetsAllGoWhenTheLastHasCome(t *testing.T) {
	body := []Op{run(Millisecond), {Kind: OpBarrier, Count: 3}, run(Millisecond)}
	got := program(t, 20*Millisecond, nil, TaskSpec{Name: "a", Program: body}, TaskSpec{Name: "b", Program: body}, TaskSpec{Name: "c", Program: body})
	for _, line := range []string{"1.0 block a>b", "2.0 block b>c", "3.0 wakeup a>c", "3.0 wakeup b>c"} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	if n := strings.Count(got, "exit"); n != 3 {
		t.Errorf("%d tasks have exited:\n%s", n, got)
	}
}

func TestMessagesWaitForTheirReceiver(t *testing.T) {
	got := program(t, 20*Millisecond, nil,
		TaskSpec{Name: "tx", Program: []Op{{Kind: OpSend}, {Kind: OpSend}, run(Millisecond), {Kind: OpSend}}},
		TaskSpec{Name: "rx", Program: []Op{{Kind: OpReceive}, {Kind: OpReceive}, {Kind: OpReceive}}},
	)
	assertHistory(t, got, `
0.0 fork tx>-
0.0 schedule ->tx
0.0 fork rx>tx
1.0 exit tx>rx
1.0 exit rx>-`)
}

func TestTimerKeepsItsPeriod(t *testing.T) {
	got := program(t, 12*Millisecond, nil, TaskSpec{Name: "t", Program: []Op{
		run(Millisecond),
		{Kind: OpTimer, Dur: 3 * Millisecond},
		run(4 * Millisecond),
		{Kind: OpTimer, Dur: 3 * Millisecond},
		run(Millisecond),
		{Kind: OpTimer, Dur: 3 * Millisecond},
	}})
	assertHistory(t, got, `
0.0 fork t>-
0.0 schedule ->t
1.0 block t>-
3.0 wakeup t>-
3.0 schedule ->t
8.0 block t>-
9.0 wakeup t>-
9.0 schedule ->t
9.0 exit t>-`)
}

func TestDrawsAreSeededAndBounded(t *testing.T) {
	lengths := func(seed uint64, op Op) (list []Time) {
		p := progress{random: seed}
		for range 1000 {
			list = append(list, p.draw(&op))
		}
		return list
	}
	uniform := Op{Dist: DistUniform, Dur: 10, Max: 19}
	exponential := Op{Dist: DistExponential, Dur: Millisecond, Max: 4 * Millisecond}
	if a, b := fmt.Sprint(lengths(1, uniform)), fmt.Sprint(lengths(1, uniform)); a != b {
		t.Error("equal seeds draw differently")
	}
	if a, b := fmt.Sprint(lengths(1, uniform)), fmt.Sprint(lengths(2, uniform)); a == b {
		t.Error("different seeds draw alike")
	}
	seen := map[Time]bool{}
	for _, d := range lengths(1, uniform) {
		seen[d] = true
	}
	if len(seen) != 10 || !seen[10] || !seen[19] {
		t.Errorf("uniform draws of 10...19: %d different values", len(seen))
	}
	sum := Time(0)
	for _, d := range lengths(1, exponential) {
		if d < 1 || d > exponential.Max {
			t.Fatalf("exponential draw %d is out of bounds", d)
		}
		sum += d
	}
	if mean := sum / 1000; mean < 850*Microsecond || mean > 1100*Microsecond {
		t.Errorf("mean of the exponential draws: %d ns", mean)
	}
}

// TestKernelModeWaitsAsTheModelSays: k is in kernel mode for 5 ms when u, of
// another policy, preempts it at 1.5 ms.
func TestKernelModeWaitsAsTheModelSays(t *testing.T) {
	for model, when := range map[PreemptModel]string{
		PreemptFull: "1.5 schedule k>u", PreemptLazy: "2.0 schedule k>u",
		PreemptVoluntary: "5.0 schedule k>u", PreemptNone: "5.0 schedule k>u",
	} {
		got := program(t, 10*Millisecond, func(w *Workload) { w.Config.Preempt = model },
			TaskSpec{Name: "k", Policy: PolicyIdle, Program: []Op{{Kind: OpRun, Dur: 5 * Millisecond, Kernel: true}, run(Millisecond)}},
			TaskSpec{Name: "u", Start: &EntityStart{Asleep: true}, Program: []Op{{Kind: OpSleep, Dur: 1500 * Microsecond}, run(Millisecond)}},
		)
		if !strings.Contains(got, when) {
			t.Errorf("%s: no %q in\n%s", model, when, got)
		}
	}
}

func TestEditsStopAndAddTasks(t *testing.T) {
	edits := func(list ...Edit) func(*Workload) { return func(w *Workload) { w.Edits = list } }
	hog := TaskSpec{Name: "a", Program: []Op{run(10 * Millisecond)}}
	got := program(t, 30*Millisecond, edits(
		Edit{At: 2500 * Microsecond, Kind: EditSleep},
		Edit{At: 4 * Millisecond, Kind: EditWake},
		Edit{At: 5 * Millisecond, Kind: EditFreeze},
		Edit{At: 6 * Millisecond, Kind: EditAdd, Spec: &TaskSpec{Name: "new", Program: []Op{run(Millisecond)}}},
		Edit{At: 8 * Millisecond, Kind: EditKill},
	), hog)
	assertHistory(t, got, `
0.0 fork a>-
0.0 schedule ->a
2.5 edit a>a
2.5 block a>-
4.0 edit a>-
4.0 schedule ->a
5.0 edit a>a
5.0 block a>-
6.0 edit new>-
6.0 schedule ->new
7.0 exit new>-
8.0 edit a>-
8.0 schedule ->a
8.0 exit a>-`)
}

func TestATaskPutToSleepGoesOnWhereItWas(t *testing.T) {
	got := program(t, 30*Millisecond, func(w *Workload) {
		w.Edits = []Edit{{At: 2500 * Microsecond, Kind: EditSleep}, {At: 4 * Millisecond, Kind: EditWake}}
	}, TaskSpec{Name: "a", Program: []Op{run(10 * Millisecond)}})
	if !strings.HasSuffix(got, "11.5 exit a>-") {
		t.Errorf("10 ms of work with a pause of 1.5 ms:\n%s", got)
	}
}

func TestAffinityMovesARunningTask(t *testing.T) {
	got := program(t, 10*Millisecond, func(w *Workload) {
		w.Config.CPUs = 2
		w.Edits = []Edit{{At: Millisecond, Kind: EditAffinity, Allowed: CPUSet{2}}}
	}, TaskSpec{Name: "a", Allowed: CPUSet{1}, Program: []Op{run(5 * Millisecond)}})
	for _, line := range []string{"1.0 schedule ->a", "5.0 exit a>-"} {
		if !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
}
