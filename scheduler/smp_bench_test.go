package scheduler

import (
	"fmt"
	"testing"
)

// office is a machine of many CPUs with that many tasks, one in ten a hog, that
// are placed and balanced.
func office(topology Topology, tasks int) *Workload {
	p := named("7.2")
	w := &Workload{Config: Config{
		Kernel: p, CPUs: topology.CPUs(), HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000,
		Features: p.Defaults(), ClockStart: 1 << 20, Balance: true, Topology: topology,
	}}
	for i := range tasks {
		program := []Op{
			{Kind: OpRun, Dur: Time(50+7*(i%50)) * Microsecond},
			{Kind: OpSleep, Dur: Time(300+131*(i%37)) * Microsecond},
			{Kind: OpLoop},
		}
		if i%10 == 0 {
			program = []Op{{Kind: OpRun, Dur: NoTime / 4}}
		}
		w.Tasks = append(w.Tasks, TaskSpec{
			Name: fmt.Sprint("t", i), Nice: i%11 - 5, CPU: i % topology.CPUs(), Arrive: Time(i) * 10 * Microsecond, Program: program,
		})
	}
	return w
}

func BenchmarkEventsOfManyCPUs(b *testing.B) {
	for _, c := range []struct {
		name     string
		topology Topology
		tasks    int
	}{
		{"8x100", Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 8, Threads: 1}, 800},
		{"40x10", Topology{Nodes: 2, LLCsPerNode: 1, CoresPerLLC: 10, Threads: 2}, 400},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := NewSim(office(c.topology, c.tasks))
			for range 100_000 {
				s.Step(nil)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Step(nil)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
