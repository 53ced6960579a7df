package scheduler

import "fmt"

// loadProbe drives the averages of one CPU's root queue and one group with four
// tasks; two more tasks stand in the root. Nothing is scheduled: the operations
// are the bare calls that age, attach and detach.
type loadProbe struct {
	m *Machine
	g *entity
}

const (
	probeGrouped = 4 // tasks in the group
	probeLoads   = 6 // tasks in all
)

func newLoadProbe() *loadProbe {
	m := probeMachine(Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 1, Threads: 1})
	g := m.addGroup(RootGroup, "/g")
	for i := range probeLoads {
		of := g
		if i >= probeGrouped {
			of = RootGroup
		}
		t := m.NewTask("", 0, of, 0, PolicyNormal, 0)
		m.ent(m.tasks[t].entity).weight = NiceZeroLoad
	}
	return &loadProbe{m: m, g: m.ownerOf(m.queue(m.queueOf(g, 0)))}
}

func (p *loadProbe) root() *FairQueue { return p.m.rootQueue(0) }
func (p *loadProbe) own() *FairQueue  { return p.m.queue(p.g.own) }

// path is a task's entity and, if the task is in it, the group's.
func (p *loadProbe) path(e *entity) []*entity {
	if e.parent == NoEntity {
		return []*entity{e}
	}
	return []*entity{e, p.g}
}

// ask executes one operation and tells all averages. Every operation has two
// operands, some ignore one or both.
func (p *loadProbe) ask(op string, n *numbers) []Answer {
	m := p.m
	if len(n.rest) != 2 {
		n.err = fmt.Errorf("operation %q has %d operands: expected 2", op, len(n.rest))
		return nil
	}
	task := func() *entity { return m.ent(m.tasks[n.within(0, probeLoads-1)].entity) }
	switch op {
	case "now":
		t := Time(n.next())
		m.SetClock(0, t, t)
	case "attg":
		n.next()
		m.updateLoadAvg(p.root(), p.g, 0)
		m.attachLoad(p.root(), p.g)
	case "shares":
		m.groups[1].shares = uint64(n.next())
	case "ext":
		m.groups[1].loadAvg += n.next()
	case "w":
		e := task()
		e.weight = uint64(n.next())
	case "init":
		e, util := task(), uint64(n.next())
		e.avg.load, e.avg.util, e.avg.runnable = down(e.weight), util, util
	case "enq":
		p.enqueue(task())
	case "deq":
		e := task()
		p.dequeue(e, n.flag())
	case "run":
		p.run(task())
	case "tick":
		p.tick()
	case "blk":
		p.blocked()
	case "rm":
		e := task()
		m.removeLoad(e)
		e.avg.last = 0
	default:
		n.err = fmt.Errorf("operation %q: expected now, attg, shares, ext, w, init, enq, deq, run, tick, blk or rm", op)
	}
	n.rest = nil
	return p.averages()
}

func (p *loadProbe) enqueue(e *entity) {
	for _, e := range p.path(e) {
		q, flags := p.m.queue(e.queue), updateTg
		if !e.onRQ {
			flags |= doAttach
		}
		p.m.updateLoadAvg(q, e, flags)
		p.m.updateRunnable(e)
		p.m.updateCfsGroup(e)
		if !e.onRQ {
			q.load += e.weight
			e.onRQ = true
		}
		q.hQueued++
		q.hRunnable++
	}
}

func (p *loadProbe) dequeue(e *entity, migrate bool) {
	flags := updateTg
	if migrate {
		flags |= doDetach
	}
	for _, e := range p.path(e) {
		q := p.m.queue(e.queue)
		p.m.updateLoadAvg(q, e, flags)
		p.m.updateRunnable(e)
		if e.isTask() || p.own().hQueued == 0 {
			p.leave(q, e)
		}
		p.m.updateCfsGroup(e)
		q.hQueued--
		q.hRunnable--
		flags = updateTg
	}
	if migrate {
		e.avg.last = 0
	}
}

func (p *loadProbe) leave(q *FairQueue, e *entity) {
	e.onRQ = false
	q.load -= e.weight
	if q.curr == e.id {
		q.curr = NoEntity
	}
}

func (p *loadProbe) run(e *entity) {
	for _, q := range []*FairQueue{p.own(), p.root()} {
		if q.curr != NoEntity {
			p.m.updateLoadAvg(q, p.m.ent(q.curr), 0)
			q.curr = NoEntity
		}
	}
	for _, e := range p.path(e) {
		q := p.m.queue(e.queue)
		p.m.updateLoadAvg(q, e, updateTg)
		q.curr = e.id
	}
}

func (p *loadProbe) tick() {
	for _, q := range []*FairQueue{p.own(), p.root()} {
		if q.curr != NoEntity {
			e := p.m.ent(q.curr)
			p.m.updateLoadAvg(q, e, updateTg)
			p.m.updateCfsGroup(e)
		}
	}
}

// blocked ages what nobody runs on; the group entity too, even when nothing is
// left of it.
func (p *loadProbe) blocked() {
	now := p.m.cpus[0].clockTask
	if p.m.updateQueueAvg(p.own(), now) {
		p.m.updateTgLoad(p.own())
	}
	p.m.updateLoadAvg(p.root(), p.g, updateTg)
	p.m.updateQueueAvg(p.root(), now)
}

// averages are those of both queues, the group's entity and the tasks, and the
// sums behind the group's weight.
func (p *loadProbe) averages() []Answer {
	m, root, own := p.m, p.root(), p.own()
	of := func(name string, a *average) Answer {
		return Answer{name, averageFields, []int64{
			int64(a.last), int64(a.loadSum), int64(a.runnableSum), int64(a.utilSum), int64(a.contrib),
			int64(a.load), int64(a.runnable), int64(a.util),
		}}
	}
	out := []Answer{of("root", &root.avg), of("grp", &own.avg), of("g", &p.g.avg)}
	for i := range m.tasks {
		out = append(out, of("t", &m.ent(m.tasks[i].entity).avg))
	}
	return append(out, Answer{"x", weightFields, []int64{
		int64(root.load), int64(own.load), int64(p.g.weight), m.groups[1].loadAvg,
		own.share.contrib, own.share.propSum, root.share.propSum,
	}})
}
