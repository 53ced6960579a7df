package views

import (
	"fmt"
	"testing"
	"time"

	"zerolag/model"
	"zerolag/scheduler"
)

func probeHog(cpus int) *scheduler.Workload {
	p, _ := scheduler.ProfileByName("7.2")
	features := p.Defaults().With(scheduler.RunToParityWakeup, true)
	asleep := &scheduler.EntityStart{Asleep: true}
	bursts := func(first, pause scheduler.Time) []scheduler.Op {
		return []scheduler.Op{{Kind: scheduler.OpSleep, Dur: first}, {Kind: scheduler.OpRun, Dur: 10 * scheduler.Microsecond}, {Kind: scheduler.OpSleep, Dur: pause}, {Kind: scheduler.OpLoop, Target: 1}}
	}
	forever := []scheduler.Op{{Kind: scheduler.OpRun, Dur: 1000 * scheduler.Second}}
	cpu0, cpu20 := scheduler.CPUSet{1}, scheduler.CPUSet{1 << 20}
	w := &scheduler.Workload{
		Config: scheduler.Config{
			Kernel: p, CPUs: cpus, HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000,
			Features: features, ClockStart: 1 << 20,
		},
		Groups: []scheduler.GroupSpec{{Name: "/A", Shares: scheduler.NiceZeroLoad}, {Name: "/B", Shares: scheduler.NiceZeroLoad}, {Name: "/C", Shares: scheduler.NiceZeroLoad}},
		Tasks: []scheduler.TaskSpec{
			{Name: "A1", Group: 1, Allowed: cpu0, Program: forever},
			{Name: "B1", Group: 2, Allowed: cpu0, Program: bursts(3*scheduler.Millisecond, 50*scheduler.Microsecond), Start: asleep},
			{Name: "C1", Group: 3, CPU: 20, Allowed: cpu20, Program: forever},
		},
		TickOffset: make([]scheduler.Time, cpus),
		Until:      2 * scheduler.Second,
	}
	w.TickOffset[20] = 250 * scheduler.Microsecond
	for i := range 6 {
		w.Tasks = append(w.Tasks, scheduler.TaskSpec{
			Name: fmt.Sprint("S", i+1), Group: 1, CPU: 20, Allowed: cpu20, Start: asleep,
			Program: bursts(scheduler.Millisecond+scheduler.Time(i)*77*scheduler.Microsecond, 4*scheduler.Millisecond+scheduler.Time(i)*11*scheduler.Microsecond),
		})
	}
	return w
}

func TestProbe(t *testing.T) {
	w := probeHog(21)
	r := model.Open(w)
	r.SeekTime(47060 * scheduler.Microsecond)
	fmt.Println(r.Event(), r.Index())
	v0, v20 := r.Frame().Queues[0].V, r.Frame().Queues[20].V
	r.SeekPosition(model.Position{Time: 52 * scheduler.Millisecond})
	e := r.Event()
	fmt.Println(EventTitle(e, r.Frame()), e, r.Known())
	for i := range r.Steps() {
		s := &r.Steps()[i]
		fmt.Println(i, s.CPU, StepLine(s, w.Config.Kernel, r.Frame(), 6))
		for _, c := range []int{0, 20} {
			q := &s.After.Queues[c]
			fmt.Print("   V", c, " ", SignedMs(q.V.Sub([]scheduler.Vtime{20: v20, 0: v0}[c]), 6))
			for _, x := range s.After.Entities {
				if x.Queue == q.ID && x.OnRQ {
					fmt.Print("  ", x.Name, " w ", x.Weight, " v ", SignedMs(x.Vruntime.Sub([]scheduler.Vtime{20: v20, 0: v0}[c]), 6), " lag ", SignedMs(x.Lag, 6), " left ", SignedMs(x.Vprot.Sub(x.Vruntime), 6))
				}
			}
		}
		fmt.Println()
	}
	for _, q := range r.Frame().Queues {
		if q.Group == 1 && (q.CPU == 0 || q.CPU == 20) {
			fmt.Printf("cpu%d load %d contrib %d former %d at %v\n", q.CPU, q.LoadAvg, q.TgContrib, q.TgFormer, q.TgPublished)
		}
	}
	fmt.Println(r.Frame().Groups[1].LoadAvg, "ents", len(r.Frame().Entities), "queues", len(r.Frame().Queues))
	for range 3 {
		r.Step(1)
		t0 := time.Now()
		r.Flips()
		fmt.Println("flips", time.Since(t0), len(r.Steps()))
	}
	for i := range r.Steps() {
		fmt.Println(r.Steps()[i].Kind)
	}
}
