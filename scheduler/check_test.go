package scheduler

import (
	"strings"
	"testing"
)

// damaged is a simulation in the middle of its life: a group, a sleeper, a
// delayed task, several in the tree.
func damaged(t *testing.T) *Sim {
	t.Helper()
	w := interactive(named("7.2"), 12)
	w.Groups = []GroupSpec{{Name: "/g", Shares: NiceZeroLoad}}
	for i := range w.Tasks {
		w.Tasks[i].Group = GroupID(i % 3 / 2)
	}
	s := NewSim(w)
	for range 4000 {
		s.Step(nil)
		delayed, waiting := false, len(s.timers) > 1 && s.m.rootQueue(0).nr > 4 && s.m.queues[1].nr > 2 && s.m.cpus[0].curr != NoTask
		for i := range s.m.ents {
			delayed = delayed || s.m.ents[i].delayed && s.m.ents[i].isTask()
		}
		if delayed && waiting {
			break
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s
}

// someTask is a task for which want holds.
func someTask(s *Sim, want func(p *task, e *entity) bool) *task {
	for t := range s.m.tasks {
		if p := &s.m.tasks[t]; want(p, s.m.ent(p.entity)) {
			return p
		}
	}
	panic("no such task")
}

// Every kind of damage is noticed, and the message names the invariant.
func TestCheckNamesTheBrokenInvariant(t *testing.T) {
	inTree := func(s *Sim) *entity {
		q := s.m.rootQueue(0)
		return s.m.ent(s.m.ents[q.root].left)
	}
	queued := func(s *Sim) *entity {
		return s.m.ent(someTask(s, func(_ *task, e *entity) bool { return e.delayed }).entity)
	}
	asleep := func(s *Sim) *task {
		return someTask(s, func(p *task, e *entity) bool { return p.sleeping && !e.onRQ })
	}
	for _, r := range []struct {
		want   string
		damage func(s *Sim)
	}{
		{"sums", func(s *Sim) { s.m.rootQueue(0).sum++ }},
		{"sums", func(s *Sim) { s.m.queues[1].sumWeight-- }},
		{"sums", func(s *Sim) { inTree(s).vruntime += 1 << 40; s.m.climb(inTree(s).id, NoEntity) }},
		{"subtree minimum", func(s *Sim) { inTree(s).least -= 5 }},
		{"tree order", func(s *Sim) { inTree(s).deadline += 1 << 40 }},
		{"leftmost", func(s *Sim) { s.m.rootQueue(0).leftmost = s.m.rootQueue(0).root }},
		{"red-black tree", func(s *Sim) { s.m.ents[s.m.rootQueue(0).root].red = true }},
		{"red-black tree", func(s *Sim) { e := inTree(s); e.red = !e.red }},
		{"parent link", func(s *Sim) { inTree(s).up = inTree(s).id }},
		{"one place", func(s *Sim) { inTree(s).onRQ = false }},
		{"one place", func(s *Sim) { asleep(s).onRQ = rqQueued }},
		{"one place", func(s *Sim) { asleep(s).sleeping = false }},
		{"one place", func(s *Sim) { s.m.ent(asleep(s).entity).onRQ = true; asleep(s).onRQ = rqQueued }},
		{"one place", func(s *Sim) { s.m.cpus[0].pending++ }},
		{"delayed", func(s *Sim) { s.m.ent(asleep(s).entity).delayed = true }},
		{"counters: h_nr_delayed", func(s *Sim) { queued(s).delayed = false }},
		{"counters: nr of", func(s *Sim) { s.m.rootQueue(0).nr++ }},
		{"counters: idle nr", func(s *Sim) { s.m.rootQueue(0).nrIdle++ }},
		{"counters: h_nr_queued", func(s *Sim) { s.m.rootQueue(0).hQueued++ }},
		{"counters: h_nr_runnable", func(s *Sim) { s.m.rootQueue(0).hRunnable-- }},
		{"counters: h_nr_idle", func(s *Sim) { s.m.rootQueue(0).hIdle++ }},
		{"counters: load.weight", func(s *Sim) { s.m.rootQueue(0).load++ }},
		{"counters: nr_running", func(s *Sim) { s.m.cpus[0].nr++ }},
		{"current", func(s *Sim) { s.m.cpus[0].curr = NoTask }},
		{"current", func(s *Sim) { s.m.rootQueue(0).curr = s.m.ent(asleep(s).entity).id }},
		{"next buddy", func(s *Sim) { s.m.rootQueue(0).next = s.m.ent(asleep(s).entity).id }},
		{"parent", func(s *Sim) { s.m.ent(asleep(s).entity).parent = 3 }},
		{"CPU time", func(s *Sim) { s.m.ents[5].sumExec++ }},
		{"stored lag", func(s *Sim) { s.m.ent(asleep(s).entity).vlag = 1 << 40 }},
		{"timers", func(s *Sim) { s.timers[0].at += Second }},
	} {
		s := damaged(t)
		r.damage(s)
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), r.want) {
			t.Errorf("expected the check to name %q, got %v", r.want, err)
		}
	}
}

// V one off to either side is noticed: the lags do not sum to zero.
func TestCheckTestsWhatVMeans(t *testing.T) {
	l := newLab(named("6.12.y"))
	l.wait(1024, 0, 100)
	l.wait(1024, 21, 100)
	l.q.hQueued, l.q.hRunnable = 2, 2
	c := tally{black: -1, last: NoEntity}
	if err := l.walk(l.q, l.q.root, NoEntity, 0, &c); err != nil {
		t.Fatal(err)
	}
	if err := l.checkLags(l.q, &c); err != nil {
		t.Fatal(err)
	}
	for _, off := range []int64{-2048, 2048, 1 << 20} {
		l.q.sum += off
		if err := l.checkLags(l.q, &c); err == nil {
			t.Errorf("sums that are off by %d go unnoticed", off)
		}
		l.q.sum -= off
	}
}
