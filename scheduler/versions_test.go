package scheduler

import (
	"strings"
	"testing"
)

// versionMachine is one CPU at HZ 250 with a base slice of 3 ms.
func versionMachine(profile string) *Machine {
	p := named(profile)
	return NewMachine(Config{
		Kernel: p, CPUs: 1, HZ: 250, BaseSlice: 3_000_000, NBase: p.NBase, MigrationCost: 500_000, Features: p.Defaults(),
	})
}

// at moves the clock of the only CPU.
func (m *Machine) at(t Time) { m.SetClock(0, t, t) }

// standing puts a nice 0 task directly on the root queue: in the tree, or as
// the current entity.
func (m *Machine) standing(v, deadline Vtime, curr bool) *entity {
	t := m.NewTask("", 0, RootGroup, 0, PolicyNormal, 0)
	e := m.ent(m.tasks[t].entity)
	e.weight, e.inverse = NiceZeroLoad, 0
	e.vruntime, e.deadline, e.slice, e.onRQ = v, deadline, m.cfg.BaseSlice, true
	q := m.rootQueue(0)
	m.account(q, e, 1)
	m.count(q, &taskCount{tasks: 1})
	if curr {
		q.curr = e.id
		return m.ent(e.id)
	}
	m.enterTree(q, e)
	return m.ent(e.id)
}

// TestReweightMovesVruntimeByVersion works through the ways in which a new
// weight moves an entity: 6.6 leaves vruntime, 6.7 and 6.8 take V without the
// waiting entity and do not bound the lag, 6.9 and 6.12 bound it.
func TestReweightMovesVruntimeByVersion(t *testing.T) {
	type place struct{ v, d int64 }
	for _, c := range []struct {
		name             string
		alone, curr      bool
		from             place
		weight           uint64
		in66, in68, in69 place
	}{
		{"R1 waits, half the weight", false, false, place{1e6, 3e6}, 524288, place{1e6, 5e6}, place{2e6, 6e6}, place{1.5e6, 5.5e6}},
		{"R2 waits, twice the weight", false, false, place{-1e6, 1.8e6}, 2097152, place{-1e6, 400000}, place{-500000, 900000}, place{-750000, 650000}},
		{"R3 current", false, true, place{1000001, 3e6}, 700000, place{1000001, 3995930}, place{1248984, 4244914}, place{1248984, 4244914}},
		{"R4 lag beyond the bound", false, true, place{20e6, 22e6}, 524288, place{20e6, 24e6}, place{30e6, 34e6}, place{22e6, 34e6}},
		{"R6 alone and current", true, true, place{500, 2800500}, 524288, place{500, 5600500}, place{500, 5600500}, place{500, 5600500}},
		{"R7 alone and waiting", true, false, place{500, 2800500}, 524288, place{500, 5600500}, place{1000, 5601000}, place{500, 5600500}},
	} {
		for profile, want := range map[string]place{"6.6": c.in66, "6.7": c.in68, "6.8": c.in68, "6.9": c.in69, "6.12": c.in69} {
			m := versionMachine(profile)
			q := m.rootQueue(0)
			q.zero = 0
			if !c.alone {
				m.standing(0, 3_000_000, false)
			}
			e := m.standing(Vtime(c.from.v), Vtime(c.from.d), c.curr)
			m.reweight(q, e, c.weight)
			if got := (place{int64(e.vruntime), int64(e.deadline)}); got != want {
				t.Errorf("%s on %s: got %+v, want %+v", c.name, profile, got, want)
			}
			if _, err := m.checkQueue(q); err != nil {
				t.Errorf("%s on %s: %v", c.name, profile, err)
			}
		}
	}
}

// TestReweightResetsDeadline: with the fixlet of April 2023 a new weight starts
// a whole request at the present vruntime.
func TestReweightResetsDeadline(t *testing.T) {
	for _, curr := range []bool{false, true} {
		m := versionMachine("6.6")
		m.SetFeature(FeatureSetting{ReweightResetsDeadline, true})
		q := m.rootQueue(0)
		q.zero = 0
		m.standing(0, 3_000_000, false)
		e := m.standing(1_000_000, 1_500_000, curr)
		m.reweight(q, e, 524288)
		if e.vruntime != 1_000_000 || e.deadline != 1_000_000+5_999_999 {
			t.Errorf("current %t: vruntime %d, deadline %d; want 1000000 and 6999999", curr, e.vruntime, e.deadline)
		}
		if _, err := m.checkQueue(q); err != nil {
			t.Error(err)
		}
	}
}

// TestTickRepickDecidesInsteadOfTheRequest: before the fixlet the tick asked
// whom it would pick, and the end of a request asked nothing.
func TestTickRepickDecidesInsteadOfTheRequest(t *testing.T) {
	for _, repick := range []bool{false, true} {
		m := versionMachine("6.6")
		m.SetFeature(FeatureSetting{TickRepick, repick})
		m.SetFeature(FeatureSetting{RunToParity, false})
		m.at(Second)
		for range 2 {
			m.Fork(m.NewTask("", 0, RootGroup, 0, PolicyNormal, 0), 0)
		}
		m.Schedule(0, LeaveStay)
		m.at(Second + Millisecond)
		m.Tick(0)
		if got := m.NeedResched(0); got != repick {
			t.Errorf("TICK_REPICK %t: a tick within the request, another eligible: resched %t", repick, got)
		}
	}
}

// crash drives 6.8's reweight, which bounds nothing, into an overflow: the hog
// has run far ahead when the weights of both groups turn over.
func crash(m *Machine) {
	m.at(Second)
	a, b := m.NewGroup(RootGroup, "/a", NiceZeroLoad, false), m.NewGroup(RootGroup, "/b", MaxShares, false)
	m.Fork(m.NewTask("hog", 0, a, 0, PolicyNormal, 0), 0)
	m.Schedule(0, LeaveStay)
	m.Fork(m.NewTask("light", 0, b, 19, PolicyNormal, 0), 0)
	m.at(11 * Second)
	m.Tick(0)
	m.SetShares(b, MinShares)
	m.SetShares(a, MaxShares)
	m.Schedule(0, LeaveStay)
}

// TestNullPointerStopsTheMachine: where nobody is eligible 6.8 crashes. The
// machine stops there and says so; 6.7 falls back to the leftmost, 6.9 bounds
// the lag.
func TestNullPointerStopsTheMachine(t *testing.T) {
	m := versionMachine("6.8")
	m.rec = &Recorder{}
	crash(m)
	if !strings.Contains(m.Oops(), "nobody is eligible on cpu 0, queue /") {
		t.Fatalf("got %q, want the null pointer", m.Oops())
	}
	if last := m.rec.Steps[len(m.rec.Steps)-1]; last.Reason != ReasonPickNullPointer {
		t.Errorf("the last step has reason %d, want that of the null pointer", last.Reason)
	}
	for _, profile := range []string{"6.6", "6.7", "6.9", "6.12", "7.2"} {
		m := versionMachine(profile)
		crash(m)
		if m.Oops() != "" {
			t.Errorf("%s stops: %s", profile, m.Oops())
		}
	}
}

// TestForkStartsWithAFullSliceUpTo611: the first enqueue forgets that it is one.
func TestForkStartsWithAFullSliceUpTo611(t *testing.T) {
	for profile, want := range map[string]int64{"6.6": 3_000_000, "6.8": 3_000_000, "6.12": 1_500_000} {
		m := versionMachine(profile)
		m.at(Second)
		id := m.NewTask("", 0, RootGroup, 0, PolicyNormal, 0)
		m.Fork(id, 0)
		if e := m.ent(m.tasks[id].entity); e.deadline.Sub(e.vruntime) != want {
			t.Errorf("%s: the first request is %d long, want %d", profile, e.deadline.Sub(e.vruntime), want)
		}
	}
}

// TestYieldByVersion: a yield moves the deadline up to 6.18; later it gives the
// rest of the request away.
func TestYieldByVersion(t *testing.T) {
	for profile, want := range map[string][2]int64{
		"6.8": {0, 6_000_000}, "6.17": {0, 6_000_000}, "6.12.y": {3_000_000, 6_000_000}, "6.19": {3_000_000, 6_000_000}, "7.2": {3_000_000, 6_000_000},
	} {
		m := versionMachine(profile)
		q := m.rootQueue(0)
		q.zero = 0
		m.standing(1, 3_000_000, false)
		e := m.standing(0, 3_000_000, true)
		m.rules.yield(m, q, e)
		if got := [2]int64{int64(e.vruntime), int64(e.deadline)}; got != want {
			t.Errorf("%s: vruntime and deadline %v, want %v", profile, got, want)
		}
	}
}
