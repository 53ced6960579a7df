package scheduler

import (
	"fmt"
	"testing"
)

// interactive is a machine of one CPU with n tasks, nine of ten of which run
// for short bursts and sleep; about a third of them wait at any time.
func interactive(p *Profile, n int) *Workload {
	w := &Workload{Config: Config{
		Kernel: p, CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: p.NBase, MigrationCost: 500_000,
		Features: p.Defaults(), Aug: AugBuilt,
	}}
	for i := range n {
		run, sleep := Time(50_000+i%7*10_000), Time(n)*Time(60_000+i%11*7_000)
		program := []Op{{Kind: OpRun, Dur: run}, {Kind: OpSleep, Dur: sleep}, {Kind: OpLoop}}
		if i%10 == 0 {
			program = []Op{{Kind: OpRun, Dur: Second}, {Kind: OpLoop}}
		}
		w.Tasks = append(w.Tasks, TaskSpec{
			Name: fmt.Sprintf("t%d", i), Nice: i%11 - 5, Arrive: Time(i) * 10_000, Program: program,
		})
	}
	return w
}

func eachProfile(b *testing.B, do func(b *testing.B, p *Profile)) {
	for _, p := range Profiles() {
		b.Run(p.Name, func(b *testing.B) { do(b, p) })
	}
}

func BenchmarkEvents(b *testing.B) {
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			eachProfile(b, func(b *testing.B, p *Profile) {
				s := NewSim(interactive(p, n))
				for range 10_000 {
					s.Step(nil)
				}
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					s.Step(nil)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			})
		})
	}
}

func BenchmarkEventsInGroups(b *testing.B) {
	eachProfile(b, func(b *testing.B, p *Profile) {
		w := interactive(p, 30)
		for g := range 3 {
			w.Groups = append(w.Groups, GroupSpec{Name: fmt.Sprintf("/g%d", g), Shares: NiceZeroLoad})
		}
		for i := range w.Tasks {
			w.Tasks[i].Group = GroupID(i % 4)
		}
		s := NewSim(w)
		for range 10_000 {
			s.Step(nil)
		}
		b.ReportAllocs()
		b.ResetTimer()
		for range b.N {
			s.Step(nil)
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	})
}

// How the entities of a pick benchmark are made: even slices, mixed ones, or the
// worst case, in which all but the last in deadline order are not eligible.
const (
	evenSlices  = "even"
	mixedSlices = "mixed"
	worstCase   = "worst"
)

// crowd is a machine with n queued tasks of which one runs.
func crowd(p *Profile, n int, slices string) *Machine {
	m := NewMachine(interactive(p, 1).Config)
	m.SetClock(0, Second, Second)
	for i := range n {
		slice, nice := uint64(3_000_000), i%11-5
		if slices == mixedSlices {
			slice = 700_000 + uint64(i*7919%93)*100_000
		}
		m.Fork(m.NewTask("t", 0, RootGroup, nice, PolicyNormal, slice), 0)
	}
	m.Schedule(0, LeaveStay)
	if slices == worstCase {
		worsen(m)
	}
	return m
}

// worsen moves the entities of the tree so that only the last in deadline order
// is eligible: all others stand 1 us behind V, the last far before it.
func worsen(m *Machine) {
	q := m.rootQueue(0)
	var order []EntityID
	for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
		order = append(order, n)
	}
	for _, n := range order {
		m.leaveTree(q, m.ent(n))
	}
	for i, n := range order {
		e := m.ent(n)
		e.vruntime = q.zero.Add(1_000_000 + int64(i))
		e.deadline = e.vruntime.Add(1000)
		if i == len(order)-1 {
			e.vruntime = q.zero.Add(-4_000_000 * int64(len(order)))
			e.deadline = q.zero.Add(900_000_000)
		}
		m.enterTree(q, e)
	}
}

func BenchmarkPickCycle(b *testing.B) {
	for _, kind := range []string{evenSlices, mixedSlices, worstCase} {
		for _, n := range []int{10, 100, 1000, 10_000} {
			b.Run(fmt.Sprintf("%s/n=%d", kind, n), func(b *testing.B) {
				eachProfile(b, func(b *testing.B, p *Profile) { benchmarkPick(b, crowd(p, n, kind), kind) })
			})
		}
	}
}

// benchmarkPick measures update_curr, put_prev, pick and set_next. In the worst
// case the state must not move: only the search is repeated.
func benchmarkPick(b *testing.B, m *Machine, kind string) {
	q := m.rootQueue(0)
	clock := Second
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if kind == worstCase {
			if m.firstEligible(q, m.balanceOf(q)) == nil {
				b.Fatal("nobody found")
			}
			continue
		}
		clock += 3 * Millisecond
		m.SetClock(0, clock, clock)
		m.updateCurr(q)
		m.putPrevEntity(q, m.ent(q.curr))
		id := m.rules.pick(m, q, pickMode{protect: true})
		m.setNextEntity(q, m.ent(id), true)
	}
}

func BenchmarkCopyFrom(b *testing.B) {
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			s := NewSim(interactive(named("7.2"), n))
			for range 5000 {
				s.Step(nil)
			}
			c := NewSim(s.w)
			b.ReportAllocs()
			for b.Loop() {
				c.CopyFrom(s)
			}
		})
	}
}

func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			s := NewSim(interactive(named("7.2"), n))
			for range 5000 {
				s.Step(nil)
			}
			var f Frame
			b.ReportAllocs()
			for b.Loop() {
				s.Frame(&f)
			}
		})
	}
}

func BenchmarkRecordedStep(b *testing.B) {
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprintf("tasks=%d", n), func(b *testing.B) {
			s := NewSim(interactive(named("7.2"), n))
			for range 5000 {
				s.Step(nil)
			}
			var rec Recorder
			b.ReportAllocs()
			for b.Loop() {
				s.Step(&rec)
			}
		})
	}
}
