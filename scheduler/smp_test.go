package scheduler

import "testing"

func TestManyCPUsKeepTheInvariants(t *testing.T) {
	for _, text := range []string{"1x4x1", "1x2x2", "2x4x2"} {
		topology, err := ParseTopology(text)
		if err != nil {
			t.Fatal(err)
		}
		s := NewSim(office(topology, 4*topology.CPUs()))
		moved := 0
		for range 5000 {
			e, ok := s.Step(nil)
			if !ok {
				t.Fatalf("%s: ends at %d", text, e.Time)
			}
			if err := s.Check(); err != nil {
				t.Fatalf("%s, event %d at %d: %v", text, e.Index, e.Time, err)
			}
		}
		var f Frame
		s.Frame(&f)
		for i := range s.w.Tasks {
			if f.Task(TaskID(i)).CPU != s.w.Tasks[i].CPU {
				moved++
			}
		}
		if moved == 0 {
			t.Errorf("%s: nobody moved", text)
		}
	}
}

func TestAnIdleCPUPullsAWaitingTask(t *testing.T) {
	forever := []Op{{Kind: OpRun, Dur: NoTime / 4}}
	p := named("7.2")
	w := &Workload{Config: Config{
		Kernel: p, CPUs: 2, HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000, Features: p.Defaults(),
		ClockStart: 1 << 20, Balance: true, Topology: Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 2, Threads: 1},
	}}
	for i := range 3 {
		w.Tasks = append(w.Tasks, TaskSpec{Name: string(rune('a' + i)), Program: forever})
	}
	w.Tasks = append(w.Tasks, TaskSpec{Name: "short", Allowed: CPUSet{2}, CPU: 1, Program: []Op{{Kind: OpRun, Dur: 5 * Millisecond}}})
	s := NewSim(w)
	for at, ok := s.Next(); ok && at < 200*Millisecond; at, ok = s.Next() {
		s.Step(nil)
	}
	var f Frame
	s.Frame(&f)
	if a, b := f.Queues[0].Nr, f.Queues[1].Nr; a+b != 3 || a == 0 || b == 0 {
		t.Errorf("three hogs on two CPUs stand %d and %d", a, b)
	}
}

func TestUtilEstCountsASleeperThatIsBack(t *testing.T) {
	p := named("7.2")
	for _, on := range []bool{true, false} {
		cfg := Config{
			Kernel: p, CPUs: 2, HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, Features: p.Defaults().With(UtilEst, on),
			Topology: Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 2, Threads: 1},
		}
		m := NewMachine(cfg)
		q := &m.queues[0]
		q.avg.util, q.utilEst = 100, 300
		want := uint64(100)
		if on {
			want = 300
		}
		if got := m.loadOf(0).util; got != want {
			t.Errorf("UTIL_EST %t: a CPU of util_avg 100 and util_est 300 counts %d, want %d", on, got, want)
		}
	}
}
