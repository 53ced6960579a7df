package scheduler

import "slices"

// note records a step of the present event, with the state it left.
func (m *Machine) note(kind StepKind, why Reason, q *FairQueue, e *entity, other EntityID, args ...Arg) {
	s := Step{Kind: kind, Reason: why, CPU: int(q.cpu), Queue: q.id, Entity: NoEntity, Other: other, Args: slices.Clone(args)}
	if e != nil {
		s.Entity = e.id
	}
	if !m.rec.Bare {
		s.After = new(Frame)
		m.Frame(s.After)
	}
	m.rec.Steps = append(m.rec.Steps, s)
}

// notePick records a pick with its candidates: the running entity first, then
// the tree in order.
func (m *Machine) notePick(q *FairQueue, curr, chosen *entity, why Reason, searched bool) {
	id := NoEntity
	if chosen != nil {
		id = chosen.id
	}
	var list []Candidate
	if curr != nil {
		c := m.candidate(q, curr, true)
		c.Protected = m.rules.protected(curr)
		c.Visited = q.nr > 1
		if searched && !c.Eligible {
			c.Fate = FateDropped
		}
		list = append(list, c)
	}
	for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
		c := m.candidate(q, m.ent(n), searched && slices.Contains(m.visited, n))
		if !searched {
			c.Fate = FateNotAsked
		}
		list = append(list, c)
	}
	for i := range list {
		if list[i].Entity == id {
			list[i].Fate = FateChosen
		}
	}
	m.note(StepPick, why, q, chosen, id, Arg{ArgV, int64(m.peekV(q))}, Arg{ArgNr, int64(q.nr)})
	m.rec.Steps[len(m.rec.Steps)-1].Candidates = list
}

func (m *Machine) candidate(q *FairQueue, e *entity, visited bool) Candidate {
	c := Candidate{
		Entity: e.id, Curr: q.curr == e.id, Vruntime: e.vruntime, Deadline: e.deadline, Slice: e.slice,
		Eligible: m.looksEligibleNow(q, e), Visited: visited,
	}
	switch {
	case !visited && !c.Curr:
		c.Fate = FatePruned
	case !c.Eligible:
		c.Fate = FateNotEligible
	default:
		c.Fate = FateLater
	}
	return c
}

// Frame fills f with the machine's state as plain values, reusing its memory.
// It changes nothing: the reference points stay where they are.
func (m *Machine) Frame(f *Frame) {
	f.Now, f.Event = 0, m.event
	f.Features, f.BaseSlice, f.Preempt = m.features, m.cfg.BaseSlice, m.cfg.Preempt
	f.CPUs = slices.Grow(f.CPUs[:0], len(m.cpus))
	for i := range m.cpus {
		rq := &m.cpus[i]
		f.Now = max(f.Now, m.now(int32(i)))
		f.CPUs = append(f.CPUs, CPUFrame{
			Curr: rq.curr, Higher: rq.higher, Nr: int(rq.nr), Resched: rq.resched, Lazy: rq.lazy,
			Clock: m.now(int32(i)), ClockTask: Time(rq.clockTask - m.cfg.ClockStart), HrtickAt: rq.hrtick, LastPick: rq.lastPick,
		})
	}
	f.Groups = f.Groups[:0]
	for i := range m.groups {
		g := &m.groups[i]
		f.Groups = append(f.Groups, GroupFrame{
			ID: GroupID(i), Name: m.paths[i], Parent: g.parent, Shares: g.shares, Idle: g.idle, LoadAvg: uint64(g.loadAvg),
			Quota: g.quota.quota, Period: g.quota.period, Burst: g.quota.burst,
			Pool: g.quota.pool, RefillAt: g.quota.due(), QuotaStats: g.quota.stats,
		})
	}
	old := f.Queues
	f.Queues = slices.Grow(f.Queues[:0], len(m.queues))
	for i := range m.queues {
		var tree []EntityID
		if i < len(old) {
			tree = old[i].Tree[:0]
		}
		f.Queues = append(f.Queues, m.queueFrame(&m.queues[i], tree))
	}
	f.Entities = slices.Grow(f.Entities[:0], len(m.ents))
	for i := range m.ents {
		f.Entities = append(f.Entities, m.entityFrame(&m.ents[i], f))
	}
	f.TaskEntity = f.TaskEntity[:0]
	for i := range m.tasks {
		f.TaskEntity = append(f.TaskEntity, m.tasks[i].entity)
	}
}

func (m *Machine) queueFrame(q *FairQueue, tree []EntityID) QueueFrame {
	for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
		tree = append(tree, n)
	}
	x := QueueFrame{
		ID: q.id, Group: q.group, CPU: int(q.cpu), Owner: q.owner, Curr: q.curr, Next: q.next,
		Nr: int(q.nr), HQueued: int(q.hQueued), HRunnable: int(q.hRunnable), HDelayed: int(q.hDelayed),
		NrIdle: int(q.nrIdle), HIdle: int(q.hIdle), Load: q.load, Sum: q.sum, SumWeight: q.sumWeight, SumShift: int(q.shift),
		Zero: q.zero, V: m.peekV(q), MinSlice: m.minSlice(q), MaxSlice: m.maxSlice(q), Overflow: q.overflow,
		LoadAvg: q.avg.load, LoadSum: q.avg.loadSum, RunnableAvg: q.avg.runnable, UtilAvg: q.avg.util, TurnsEnded: q.turns,
		TgContrib: uint64(q.share.contrib), TgFormer: uint64(q.share.former), TgPublished: m.publishedAt(q), ThrottledAt: NoTime, Tree: tree, Root: q.root,
	}
	if len(m.quotas) > 0 {
		m.quotaFrame(q, &x)
	}
	if q.group != RootGroup {
		load, shares := m.shareOf(q)
		x.Publication, x.ShareLoad, x.ShareWeight = m.publication(q, m.rq(q).clock), uint64(load), uint64(shares)
	}
	return x
}

// publishedAt is when a queue published its load last; NoTime if it never did.
func (m *Machine) publishedAt(q *FairQueue) Time {
	if q.share.published == 0 {
		return NoTime
	}
	return Time(q.share.published - m.cfg.ClockStart)
}

func (m *Machine) entityFrame(e *entity, f *Frame) EntityFrame {
	q := m.queue(e.queue)
	x := EntityFrame{
		ID: e.id, Task: e.task, Group: e.group, CPU: int(q.cpu), Queue: e.queue, Owns: e.own, Parent: e.parent, Depth: int(e.depth),
		Weight: e.weight, Vruntime: e.vruntime, Deadline: e.deadline, Vlag: e.vlag, Vprot: m.vprot(e), Slice: e.slice,
		OnRQ: e.onRQ, Delayed: e.delayed, RelDeadline: e.relDeadline, CustomSlice: e.customSlice,
		Curr: q.curr == e.id, Next: q.next == e.id, Eligible: m.looksEligibleNow(q, e), Lag: e.vlag,
		ExecStart: e.execStart, SumExec: e.sumExec, PrevSumExec: e.prevSumExec,
		LoadAvg: e.avg.load, LoadSum: e.avg.loadSum, RunnableAvg: e.avg.runnable, UtilAvg: e.avg.util,
		Left: e.left, Right: e.right, Red: e.red, Least: e.least, LeastSlice: e.minSlice, MostSlice: e.maxSlice,
	}
	if e.onRQ {
		x.Lag = f.Queues[e.queue].V.Sub(e.vruntime)
	}
	if x.Curr && e.onRQ && m.rules.protected(e) {
		x.Protected, x.ProtectedTo = true, e.deadline
		if m.cfg.Kernel.HasVprot {
			x.ProtectedTo = x.Vprot
		}
	}
	if e.isTask() {
		p := &m.tasks[e.task]
		x.Name, x.Nice, x.Policy, x.Allowed = m.names[e.task], int(p.nice), p.policy, p.allowed
		x.Stats, x.State = p.stats, m.stateOf(e, p)
		x.Ran = Time(e.sumExec) - p.stats.RanBefore
		if clock := m.cpus[p.cpu].clockTask; x.State == StateRunning && clock > e.execStart {
			x.Ran += Time(clock - e.execStart)
		}
	} else {
		x.Name = m.paths[e.group]
	}
	return x
}

func (m *Machine) stateOf(e *entity, p *task) TaskState {
	switch {
	case !p.born:
		return StateNew
	case p.dead:
		return StateDead
	case e.delayed:
		return StateDelayed
	case p.sleeping:
		return StateSleeping
	case m.cpus[p.cpu].curr == e.task:
		return StateRunning
	}
	return StateQueued
}
