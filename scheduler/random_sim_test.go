package scheduler

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// workload draws a simulation: groups, programs that block, wake, yield, fork
// and exit, and edits.
func (d *dice) workload() *Workload {
	w := &Workload{Config: d.config(false), IRQPerTick: Time(d.upTo(3) * 3830)}
	w.Config.Preempt = PreemptModel(d.upTo(2))
	if on := d.upTo(5) == 0; on {
		w.Config.Features = w.Config.Features.With(Hrtick, true)
	}
	for g := range d.upTo(4) {
		w.Groups = append(w.Groups, GroupSpec{
			Name: fmt.Sprintf("/g%d", g), Parent: GroupID(d.upTo(int(g) + 1)),
			Shares: uint64(pickOne(d, diceShares)), Idle: d.upTo(5) == 0,
		})
	}
	tasks := int(1 + d.upTo(7))
	for t := range tasks {
		spec := TaskSpec{
			Name: fmt.Sprintf("t%d", t), Group: GroupID(d.upTo(len(w.Groups) + 1)), Nice: int(pickOne(d, diceNices)),
			Policy: pickOne(d, policies), Slice: uint64(pickOne(d, diceSlices)), CPU: int(d.upTo(w.Config.CPUs)),
			Arrive: Time(d.upTo(8) * 500_000), Program: d.program(tasks),
		}
		if d.upTo(8) == 0 {
			spec.Arrive = NoTime
		}
		w.Tasks = append(w.Tasks, spec)
	}
	for at := Time(0); d.upTo(4) > 0 && d.more(); {
		at += Time(pickOne(d, diceTimes))
		e := d.edit(w)
		e.At, e.Ordinal = at, len(w.Edits)
		w.Edits = append(w.Edits, e)
	}
	return w
}

// program draws a loop of instructions. Runs and sleeps stand between the others,
// so that time passes.
func (d *dice) program(tasks int) []Op {
	var p []Op
	for range 1 + d.upTo(3) {
		p = append(p, Op{Kind: OpRun, Dur: 20_000 + Time(pickOne(d, diceTimes))})
		switch other := TaskID(d.upTo(tasks)); d.upTo(8) {
		case 0, 1, 2:
			p = append(p, Op{Kind: OpSleep, Dur: 1 + Time(pickOne(d, diceTimes))})
		case 3:
			p = append(p, Op{Kind: OpYield})
		case 4:
			p = append(p, Op{Kind: OpWake, Task: other})
		case 5:
			p = append(p, Op{Kind: OpFork, Task: other})
		case 6:
			p = append(p, Op{Kind: OpBlock})
		case 7:
			p = append(p, Op{Kind: OpWake, Task: other}, Op{Kind: OpSleep, Dur: 300_000})
		}
	}
	if d.upTo(6) == 0 {
		return append(p, Op{Kind: OpExit})
	}
	return append(p, Op{Kind: OpLoop, Count: int32(d.upTo(3) * 7)})
}

func (d *dice) edit(w *Workload) Edit {
	e := Edit{Kind: EditKind(d.upTo(int(EditInterrupt) + 1)), Task: TaskID(d.upTo(len(w.Tasks))), CPU: int(d.upTo(w.Config.CPUs))}
	switch e.Kind {
	case EditFeature:
		e.Feature = FeatureSetting{RunToParity, d.upTo(2) == 0}
		if f := Feature(d.upTo(NumFeatures)); w.Config.Kernel.Knows(f) && scripted(f) {
			e.Feature.Feature = f
		}
	case EditNice:
		e.Value = pickOne(d, diceNices)
	case EditSlice:
		e.Value = pickOne(d, diceSlices)
	case EditPolicy:
		e.Policy = pickOne(d, policies)
	case EditShares, EditGroupIdle:
		if len(w.Groups) == 0 {
			return Edit{Kind: EditWake, Task: e.Task}
		}
		e.Group = GroupID(1 + d.upTo(len(w.Groups)))
		e.Value = d.upTo(2)
		if e.Kind == EditShares {
			e.Value = pickOne(d, diceShares)
		}
	case EditBaseSlice:
		e.Value = pickOne(d, []int64{700_000, 2_800_000, 10_000_000})
	case EditMove:
		e.Group = GroupID(d.upTo(len(w.Groups) + 1))
	case EditInterrupt:
		e.Value = 1 + pickOne(d, diceTimes)
	case EditWake:
	}
	return e
}

// simulate runs a drawn workload: the invariants hold after each event, recorded
// steps are what the sums say, and a copy that records nothing is always equal.
func simulate(data []byte) error {
	d := &dice{data: data}
	w := d.workload()
	s, silent := NewSim(w), NewSim(w)
	rec, a := Recorder{}, &audit{}
	for range 150 {
		e, ok := s.Step(&rec)
		if _, same := silent.Step(nil); same != ok {
			return fmt.Errorf("event %d: recording it changes whether it happens", e.Index)
		}
		if !ok {
			break
		}
		if err := s.Check(); err != nil {
			return fmt.Errorf("event %d, %s at %d: %w", e.Index, e.Kind, e.Time, err)
		}
		if !bytes.Equal(s.AppendState(nil), silent.AppendState(nil)) {
			return fmt.Errorf("event %d, %s at %d: recording it changes the state", e.Index, e.Kind, e.Time)
		}
		if a.wrapped {
			return nil
		}
		if err := a.steps(&s.m, rec.Steps); err != nil {
			return fmt.Errorf("event %d, %s at %d: %w", e.Index, e.Kind, e.Time, err)
		}
	}
	return nil
}

func TestSimulationsKeepInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := simulate(rapid.SliceOfN(rapid.Byte(), 30, 300).Draw(t, "workload")); err != nil {
			t.Fatal(err)
		}
	})
	for seed := range uint32(30) {
		if err := simulate(noise(seed, 250)); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzSim runs arbitrary bytes as a workload.
func FuzzSim(f *testing.F) {
	for seed := range uint32(6) {
		f.Add(noise(seed+100, 200))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := simulate(data); err != nil {
			t.Fatal(err)
		}
	})
}

// noise is n bytes that look random and are always the same (splitmix64).
func noise(seed uint32, n int) []byte {
	data := make([]byte, n)
	x := uint64(seed)
	for i := range data {
		x += 0x9e3779b97f4a7c15
		z := (x ^ x>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		data[i] = byte(z >> 56)
	}
	return data
}

// forEachWorkload calls do with drawn workloads that are always the same.
func forEachWorkload(t *testing.T, do func(t *testing.T, w *Workload)) {
	t.Helper()
	for seed := range uint32(40) {
		d := &dice{data: noise(seed, 250)}
		do(t, d.workload())
	}
}

// states runs a workload and keeps the state after each event.
func states(w *Workload, events int) [][]byte {
	s := NewSim(w)
	out := [][]byte{s.AppendState(nil)}
	for range events {
		if _, ok := s.Step(nil); !ok {
			break
		}
		out = append(out, s.AppendState(nil))
	}
	return out
}

func TestSameWorkloadSameStates(t *testing.T) {
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		if a, b := states(w, 200), states(w, 200); !slices.EqualFunc(a, b, bytes.Equal) {
			t.Fatal("two runs of one workload differ")
		}
	})
}

// A copy taken anywhere, into memory used before, goes on like the original.
func TestCopyGoesOnLikeTheOriginal(t *testing.T) {
	used := NewSim(&Workload{Config: Config{Kernel: named("6.12.y"), CPUs: 1, HZ: 250, BaseSlice: 700_000}})
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		want := states(w, 120)
		s := NewSim(w)
		for i := range want {
			if i > 0 {
				s.Step(nil)
			}
			if i%13 != 0 {
				continue
			}
			used.CopyFrom(s)
			for j := i; ; j++ {
				if !bytes.Equal(used.AppendState(nil), want[j]) {
					t.Fatalf("copy at event %d differs at event %d", i, j)
				}
				if j+1 == len(want) {
					break
				}
				used.Step(nil)
			}
		}
	})
}

// Copying must not tie the two together.
func TestCopyLeavesTheOriginalAlone(t *testing.T) {
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		s, c := NewSim(w), NewSim(w)
		for range 30 {
			s.Step(nil)
		}
		c.CopyFrom(s)
		before := s.AppendState(nil)
		for range 50 {
			c.Step(nil)
		}
		if !bytes.Equal(before, s.AppendState(nil)) {
			t.Fatal("stepping a copy changed the original")
		}
	})
}

func TestNamesChangeNothing(t *testing.T) {
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		renamed := *w
		renamed.Tasks = slices.Clone(w.Tasks)
		for i := range renamed.Tasks {
			renamed.Tasks[i].Name = fmt.Sprintf("other name %d", 99-i)
		}
		if !slices.EqualFunc(states(w, 150), states(&renamed, 150), bytes.Equal) {
			t.Fatal("renaming tasks changed the run")
		}
	})
}

// Reading a frame moves no reference point.
func TestFramesChangeNothing(t *testing.T) {
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		s := NewSim(w)
		var f Frame
		for i, want := range states(w, 100) {
			if i > 0 {
				s.Step(nil)
			}
			s.Frame(&f)
			if !bytes.Equal(s.AppendState(nil), want) {
				t.Fatalf("event %d: reading frames changed the run", i)
			}
		}
	})
}

// A feature that is switched and switched back before anything else happens
// leaves the state as it was, but for the events themselves.
func TestToggleTwiceIsNothing(t *testing.T) {
	forEachWorkload(t, func(t *testing.T, w *Workload) {
		m, n := NewSim(w), NewSim(w)
		for range 40 {
			m.Step(nil)
			n.Step(nil)
		}
		for f := range Feature(NumFeatures) {
			on := n.m.on(f)
			n.m.SetFeature(FeatureSetting{f, !on})
			n.m.SetFeature(FeatureSetting{f, on})
		}
		if !bytes.Equal(m.AppendState(nil), n.AppendState(nil)) {
			t.Fatal("switching features to and fro changed the state")
		}
	})
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, p := range Profiles() {
		s := NewSim(interactive(p, 100))
		for range 20_000 {
			s.Step(nil)
		}
		if n := testing.AllocsPerRun(5000, func() { s.Step(nil) }); n != 0 {
			t.Errorf("%s: %v allocations an event", p.Name, n)
		}
		copied := NewSim(s.w)
		copied.CopyFrom(s)
		if n := testing.AllocsPerRun(100, func() { copied.CopyFrom(s) }); n != 0 {
			t.Errorf("%s: %v allocations a copy", p.Name, n)
		}
		var f Frame
		s.Frame(&f)
		if n := testing.AllocsPerRun(100, func() { s.Frame(&f) }); n != 0 {
			t.Errorf("%s: %v allocations a frame", p.Name, n)
		}
	}
}
