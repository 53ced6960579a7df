package scheduler

import (
	"fmt"
	"testing"
)

// The worked examples of one queue: V, eligibility, lag, placement, pick,
// reweight, shares. Numbers are those of 6.12.y unless said otherwise.

// lab is a machine whose queue is set up by hand.
type lab struct {
	*Machine
	q *FairQueue
}

// newLab has base slice 2.8 ms, ticks of 4 ms and the reference point at 0.
func newLab(p *Profile) *lab {
	m := NewMachine(Config{Kernel: p, CPUs: 1, HZ: 250, BaseSlice: 2_800_000, NBase: p.NBase, Features: p.Defaults()})
	l := &lab{m, m.rootQueue(0)}
	l.q.zero = 0
	return l
}

// entity makes one off the queue; weights of the nice table get its inverse.
func (l *lab) entity(weight uint64, v, d int64) *entity {
	t := l.NewTask("e", 0, RootGroup, 0, PolicyNormal, 0)
	e := l.ent(l.tasks[t].entity)
	e.weight, e.vruntime, e.deadline, e.slice = weight<<fixedShift, Vtime(v), Vtime(d), l.cfg.BaseSlice
	for i, w := range niceWeight {
		if uint64(w) == weight {
			e.inverse = niceInverse[i]
		}
	}
	return e
}

// wait puts one into the tree, run makes one current.
func (l *lab) wait(weight uint64, v, d int64) *entity {
	e := l.entity(weight, v, d)
	l.account(l.q, e, 1)
	l.enterTree(l.q, e)
	e.onRQ = true
	return e
}

func (l *lab) run(weight uint64, v, d int64) *entity {
	e := l.entity(weight, v, d)
	l.account(l.q, e, 1)
	e.onRQ = true
	l.q.curr = e.id
	return e
}

func TestMeanOfAllVruntimes(t *testing.T) {
	l := newLab(named("6.12.y"))
	l.q.zero = 1000
	l.wait(1024, 1500, 1<<40)
	b := l.wait(335, 9000, 1<<40)
	c := l.run(3121, 400, 1<<40)
	step := func(v, zero, sum int64, load uint64) {
		t.Helper()
		if got := int64(l.avgVruntime(l.q)); got != v || int64(l.q.zero) != zero || l.q.sum != sum || l.q.sumWeight != load {
			t.Errorf("V %d, zero %d, sum %d, load %d; want %d %d %d %d", got, int64(l.q.zero), l.q.sum, l.q.sumWeight, v, zero, sum, load)
		}
	}
	step(1294, 1294, 2792454, 1359)
	l.leaveTree(l.q, b)
	step(671, 671, 848896, 1024)
	c.onRQ = false
	step(1500, 1500, 0, 1024)
	l.leaveTree(l.q, l.ent(l.q.leftmost))
	step(1500, 1500, 0, 0)
}

func TestMeanIsAFloor(t *testing.T) {
	for v, want := range map[int64]int64{-1: -1, 1: 0} {
		for _, p := range []*Profile{named("6.12.y"), named("7.2")} {
			l := newLab(p)
			l.wait(1024, v, 100)
			l.wait(1024, 0, 100)
			if got := int64(l.avgVruntime(l.q)); got != want {
				t.Errorf("%s: V of %d and 0 is %d, want %d", p.Name, v, got, want)
			}
		}
	}
}

func TestEligibilityWithoutDivision(t *testing.T) {
	for _, p := range []*Profile{named("6.12.y"), named("7.2")} {
		l := newLab(p)
		l.wait(1024, 0, 100)
		l.wait(1024, 21, 100)
		b := l.balanceOf(l.q)
		if !l.eligibleAt(l.q, b, 10) || l.eligibleAt(l.q, b, 11) || int64(l.peekV(l.q)) != 10 {
			t.Errorf("%s: of 0 and 21, 10 must be eligible and 11 not", p.Name)
		}
		l = newLab(p)
		l.wait(15, 103, 200)
		curr := l.run(1024, 100, 200)
		b = l.balanceOf(l.q)
		if !l.eligible(l.q, curr) || l.eligibleAt(l.q, b, 103) || int64(l.peekV(l.q)) != 100 {
			t.Errorf("%s: the heavy runner at 100 must be eligible and 103 not", p.Name)
		}
	}
}

func TestStoredLagIsBounded(t *testing.T) {
	for _, r := range []struct {
		weight        uint64
		slice         uint64
		limit         uint64
		ahead, behind int64 // V 10 ms before it, and behind it
	}{
		{1024, 2_800_000, 5_600_000, 5_600_000, -5_600_000},
		{1024, 700_000, 4_000_000, 4_000_000, -4_000_000},
		{1024, 100_000, 4_000_000, 4_000_000, -4_000_000},
		{1024, 100_000_000, 200_000_000, 10_000_000, -10_000_000},
		{335, 2_800_000, 17_117_612, 10_000_000, -10_000_000},
		{3121, 2_800_000, 1_837_359, 1_837_359, -1_837_359},
		{15, 2_800_000, 382_293_333, 10_000_000, -10_000_000},
	} {
		l := newLab(named("6.12.y"))
		e := l.entity(r.weight, 0, 0)
		e.slice = r.slice
		if got := l.rules.lagLimit(l.Machine, l.q, e); got != r.limit {
			t.Errorf("weight %d, slice %d: limit %d, want %d", r.weight, r.slice, got, r.limit)
		}
		ahead := l.entityLag(l.q, 10_000_000, e)
		e.vruntime = 10_000_000
		behind := l.entityLag(l.q, 0, e)
		e.vruntime = 300
		if near := l.entityLag(l.q, 100, e); ahead != r.ahead || behind != r.behind || near != -200 {
			t.Errorf("weight %d, slice %d: lags %d %d %d, want %d %d -200", r.weight, r.slice, ahead, behind, near, r.ahead, r.behind)
		}
	}
}

func TestLagScalesWithWeight(t *testing.T) {
	for _, r := range []struct{ lag, from, to, want int64 }{
		{1_000_000, 1024, 335, 3_056_716},
		{-1_000_000, 335, 1024, -327_148},
		{-1_000_001, 1024, 3121, -328_100},
		{777, 15, 88761, 0},
	} {
		l := newLab(named("6.12.y"))
		e := l.entity(uint64(r.from), 0, 0)
		e.vlag = r.lag
		if l.rules.reweight(l.Machine, l.q, e, uint64(r.to)<<fixedShift); e.vlag != r.want {
			t.Errorf("lag %d from weight %d to %d is %d, want %d", r.lag, r.from, r.to, e.vlag, r.want)
		}
	}
}

// placement is one row of the table P1 ... P12.
type placement struct {
	name    string
	weight  uint64
	vlag    int64
	flags   opFlags
	edit    func(*lab, *entity)
	v, d, s int64
	zero    int64
}

func TestPlacement(t *testing.T) {
	runnerAtMs := func(l *lab) { l.run(1024, 1_000_000, 1<<40) }
	crowd := func(l *lab) { l.wait(1024, 10, 1<<40); l.wait(335, 20, 1<<40); l.run(3121, 30, 1<<40) }
	rel := func(d int64) func(*lab, *entity) {
		return func(_ *lab, e *entity) { e.relDeadline, e.deadline = true, Vtime(d) }
	}
	off := func(f Feature, then func(*lab, *entity)) func(*lab, *entity) {
		return func(l *lab, e *entity) { l.features = l.features.With(f, false); then(l, e) }
	}
	none := func(*lab, *entity) {}
	for _, r := range []struct {
		setup func(*lab)
		placement
	}{
		{func(l *lab) { l.q.zero = 5000 }, placement{"P1 empty queue", 1024, 500_000, 0, none, 5000, 2_805_000, 2_800_000, 5000}},
		{runnerAtMs, placement{"P2 positive lag", 1024, 500_000, 0, none, 0, 2_800_000, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P3 negative lag", 1024, -500_000, 0, none, 2_000_000, 4_800_000, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P4 light", 335, -500_000, 0, none, 1_663_574, 10_222_380, 2_800_000, 1_000_000}},
		{crowd, placement{"P5 crowd", 1024, 100_001, 0, none, -122_834, 2_677_166, 2_800_000, 24}},
		{runnerAtMs, placement{"P6 fork", 1024, 0, flagInitial, none, 1_000_000, 2_400_000, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P7 fork, nice 5", 335, 0, flagInitial, none, 1_000_000, 5_279_403, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P8 relative deadline", 1024, 0, 0, rel(1_234_567), 1_000_000, 2_234_567, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P9 overdue", 1024, 250_000, 0, rel(-5000), 500_000, 495_000, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P10 custom slice", 1024, 0, 0, func(_ *lab, e *entity) { e.customSlice, e.slice = true, 10_000_000 }, 1_000_000, 11_000_000, 10_000_000, 1_000_000}},
		{runnerAtMs, placement{"P11 NO_PLACE_LAG", 1024, 500_000, 0, off(PlaceLag, none), 1_000_000, 3_800_000, 2_800_000, 1_000_000}},
		{runnerAtMs, placement{"P12 NO_PLACE_REL_DEADLINE", 1024, 0, 0, off(PlaceRelDeadline, rel(1_234_567)), 1_000_000, 3_800_000, 2_800_000, 1_000_000}},
	} {
		l := newLab(named("6.12.y"))
		r.setup(l)
		e := l.entity(r.weight, 0, 0)
		e.vlag = r.vlag
		r.edit(l, e)
		l.placeEntity(l.q, e, r.flags)
		got := fmt.Sprint(int64(e.vruntime), int64(e.deadline), e.slice, int64(l.q.zero))
		if want := fmt.Sprint(r.v, r.d, r.s, r.zero); got != want {
			t.Errorf("%s: vruntime, deadline, slice, zero %s, want %s", r.name, got, want)
		}
	}
}

func TestPickExamples(t *testing.T) {
	type ent struct{ v, d int64 }
	for _, r := range []struct {
		name      string
		tree      []ent
		curr      *ent
		protected bool
		off       Features
		want      string
	}{
		{"K1 only B is eligible", []ent{{100, 3000}, {0, 4000}}, nil, false, 0, "B"},
		{"K2 an eligible later deadline wins", []ent{{5000, 5100}, {0, 9000}}, nil, false, 0, "B"},
		{"K3 equal deadlines: first in, first out", []ent{{0, 5000}, {0, 5000}}, nil, false, 0, "A"},
		{"K4 the runner ties: the tree wins", []ent{{0, 5000}}, &ent{0, 5000}, false, 0, "A"},
		{"K5 the runner is earlier", []ent{{0, 5000}}, &ent{0, 4999}, false, 0, "C"},
		{"K6 the runner is protected", []ent{{0, 5000}}, &ent{0, 9000}, true, 0, "C"},
		{"K7 the same with NO_RUN_TO_PARITY", []ent{{0, 5000}}, &ent{0, 9000}, true, 1 << RunToParity, "A"},
		{"K8 protected but not eligible", []ent{{0, 50000}}, &ent{10, 9000}, true, 0, "A"},
		{"K9 one entity: no test", []ent{{10, 9000}}, nil, false, 0, "A"},
	} {
		l := newLab(named("6.12.y"))
		l.features &^= r.off
		names := map[EntityID]string{}
		for i, e := range r.tree {
			names[l.wait(1024, e.v, e.d).id] = string(rune('A' + i))
		}
		if r.curr != nil {
			e := l.run(1024, r.curr.v, r.curr.d)
			names[e.id] = "C"
			if r.protected {
				e.vlag = int64(e.deadline)
			}
		}
		if got := names[l.rules.pick(l.Machine, l.q, pickMode{protect: true})]; got != r.want {
			t.Errorf("%s: picked %s, want %s", r.name, got, r.want)
		}
	}
}

func TestReweightExamples(t *testing.T) {
	for _, r := range []struct {
		name      string
		runs      bool
		alone     bool
		offQueue  bool
		v, d, lag int64
		weight    uint64
		want      string
	}{
		{"R1 in the tree, halved", false, false, false, 1_000_000, 3_000_000, 0, 524288, "1500000 5500000 0"},
		{"R2 in the tree, doubled", false, false, false, -1_000_000, 1_800_000, 0, 2097152, "-750000 650000 0"},
		{"R3 running", true, false, false, 1_000_001, 3_000_000, 0, 700000, "1248984 4244914 0"},
		{"R4 lag beyond the bound", true, false, false, 20_000_000, 22_000_000, 0, 524288, "21200000 34000000 0"},
		{"R5 off the queue", false, true, true, 0, 0, -1_000_000, 700000, "0 0 -1497965"},
		{"R6 alone", true, true, false, 500, 2_800_500, 0, 524288, "500 5600500 0"},
	} {
		l := newLab(named("6.12.y"))
		if !r.alone {
			l.wait(1024, 0, 1<<40)
		}
		var e *entity
		switch {
		case r.offQueue:
			e = l.entity(1024, r.v, r.d)
		case r.runs:
			e = l.run(1024, r.v, r.d)
		default:
			e = l.wait(1024, r.v, r.d)
		}
		e.vlag = r.lag
		l.rules.reweight(l.Machine, l.q, e, r.weight)
		if got := fmt.Sprint(int64(e.vruntime), int64(e.deadline), e.vlag); got != r.want {
			t.Errorf("%s: vruntime, deadline, lag %s, want %s", r.name, got, r.want)
		}
	}
}

func TestGroupShares(t *testing.T) {
	for _, r := range []struct {
		shares, weight, load, tgLoad, contrib, want uint64
	}{
		{1048576, 1048576, 0, 0, 0, 1048576},
		{1048576, 1048576, 700, 700, 700, 1048576},
		{1048576, 1048576, 1024, 2048, 1024, 524288},
		{1048576, 2097152, 500, 1600, 480, 677867},
		{15360, 1048576, 1024, 8192, 1024, 1920},
		{2048, 15360, 15, 100000, 15, 2},
		{1048576, 15360, 900, 1900, 900, 496693},
		{268435456, 1048576, 1024, 1025, 1024, 268173567},
		{1048576, 1048576, 1024, 1500, 1024, 715827},
		{1048576, 1048576, 512, 1536, 512, 524288},
		{1048576, 1048576, 1024, 1300, 1000, 810983},
		{1048576, 2097152, 1900, 2924, 1900, 699050},
	} {
		l := newLab(named("6.12.y"))
		g := l.NewGroup(RootGroup, "/g", NiceZeroLoad, false)
		own := l.queue(l.queueOf(g, 0))
		own.load, own.avg.load, own.share.contrib = r.weight, r.load, int64(r.contrib)
		l.groups[g].shares, l.groups[g].loadAvg = r.shares, int64(r.tgLoad)
		if got := l.groupShares(own); got != r.want {
			t.Errorf("shares of %+v are %d, want %d", r, got, r.want)
		}
	}
}

func TestSliceTimerLength(t *testing.T) {
	for _, r := range []struct {
		ran    uint64
		expiry Time
	}{
		{1_000_000, 1_800_000},
		{2_795_000, 10_000},
		{2_800_001, NoTime},
	} {
		l := newLab(named("6.12.y"))
		l.features = l.features.With(Hrtick, true)
		l.wait(1024, 0, 1<<40)
		e := l.run(1024, 0, 2_800_000)
		l.q.hQueued, l.cpus[0].curr = 2, e.task
		e.sumExec = r.ran
		l.hrtickStart(0, e)
		if rq := &l.cpus[0]; rq.hrtick != r.expiry || rq.resched != (r.expiry == NoTime) {
			t.Errorf("ran %d: timer %d, resched %t, want %d", r.ran, rq.hrtick, rq.resched, r.expiry)
		}
	}
}

// TestNginxTotals is the wakeup preemption case: one CPU, 5 ms of work and 1 ms
// of sleep against 0.2 ms and 0.9 ms, with and without RUN_TO_PARITY_WAKEUP.
func TestNginxTotals(t *testing.T) {
	for _, p := range []*Profile{named("6.12.y"), named("7.2")} {
		for _, r := range []struct {
			on                  bool
			switched, preempted int
			waited              int64 // tenths of a ms
			ran                 int64
		}{
			{false, 540, 386, 4072, 7691},
			{true, 324, 162, 6431, 8056},
		} {
			w := interactive(p, 1)
			w.Config.Features = w.Config.Features.With(RunToParityWakeup, r.on)
			w.Tasks = []TaskSpec{
				{Name: "nginx", Program: []Op{{Kind: OpRun, Dur: 5 * Millisecond}, {Kind: OpSleep, Dur: Millisecond}, {Kind: OpLoop}}},
				{Name: "service", Arrive: 100 * Microsecond, Program: []Op{{Kind: OpRun, Dur: 200 * Microsecond}, {Kind: OpSleep, Dur: 900 * Microsecond}, {Kind: OpLoop}}},
			}
			s := NewSim(w)
			for next, ok := s.Next(); ok && next < Second; next, ok = s.Next() {
				s.Step(nil)
			}
			nginx, service := &s.m.tasks[0], &s.m.tasks[1]
			waited := (int64(service.stats.WaitTotal) + 50_000) / 100_000
			ran := (int64(s.m.ent(nginx.entity).sumExec) + 50_000) / 100_000
			if nginx.stats.SwitchedIn != r.switched || nginx.stats.Preempted != r.preempted || waited != r.waited || ran != r.ran {
				t.Errorf("%s, toggle %t: switched in %d, preempted %d, service waited %d, nginx ran %d tenths of a ms; want %+v",
					p.Name, r.on, nginx.stats.SwitchedIn, nginx.stats.Preempted, waited, ran, r)
			}
		}
	}
}
