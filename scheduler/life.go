package scheduler

// NewGroup makes a task_group with its queues and entities, attached at once
// (SPEC-6.12 section 13.1). shares are scaled; they are ignored for an idle
// group, whose entities keep the first weight until they are queued.
func (m *Machine) NewGroup(parent GroupID, path string, shares uint64, idle bool) GroupID {
	g := m.addGroup(parent, path)
	for cpu := range m.cpus {
		m.attachChain(m.ent(m.queue(m.queueOf(g, int32(cpu))).owner))
	}
	if !idle {
		m.SetShares(g, shares)
		return g
	}
	m.groups[g].idle, m.groups[g].shares = true, idleGroupShares
	for cpu := range m.cpus {
		m.queue(m.queueOf(g, int32(cpu))).idle = true
	}
	return g
}

// NewTask makes a task that does not run yet. slice is a custom slice in ns, 0
// for none; it is bounded to MinCustomSlice ... MaxCustomSlice.
func (m *Machine) NewTask(name string, cpu int, g GroupID, nice int, policy Policy, slice uint64) TaskID {
	t := TaskID(len(m.tasks))
	id := m.addEntity(entity{own: NoQueue, task: t, group: g})
	m.attachTo(id, g, int32(cpu))
	m.tasks = append(m.tasks, task{
		entity: id, group: g, cpu: int32(cpu), nice: int8(nice), policy: policy, slice: slice,
		allowed: AllCPUs(len(m.cpus)), partner: wakePartner{lastWakee: NoTask},
	})
	m.names = append(m.names, name)
	return t
}

// Fork starts a task on a CPU: wake_up_new_task (SPEC-6.12 section 12). A dead
// task may be started again; it begins anew. Up to 6.11 the fork charges the
// running task, the parent, and the first enqueue does not know that it is one:
// the first slice is not halved (SPEC-6.6-6.12.0 section 3.13).
func (m *Machine) Fork(t TaskID, cpu int) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	m.resetTask(p, e, cpu)
	flags := flagInitial
	if m.rules.chargesParent {
		flags = 0
		if curr := m.cpus[cpu].curr; curr != NoTask {
			m.updateCurr(m.queue(m.ent(m.tasks[curr].entity).queue))
		}
	}
	m.initUtil(m.queue(e.queue), e)
	m.enqueueTask(p, flags)
	p.onRQ = rqQueued
	p.stats.Waiting, p.stats.WaitSince = true, m.now(int32(cpu))
	m.wakeupPreempt(p, WakeFork)
}

// resetTask gives a task the state it has before its first enqueue.
func (m *Machine) resetTask(p *task, e *entity, cpu int) {
	p.cpu, p.born, p.dead, p.sleeping, p.onRQ = int32(cpu), true, false, false, rqOff
	*e = entity{id: e.id, own: NoQueue, task: e.task, group: p.group, left: NoEntity, right: NoEntity, up: NoEntity}
	m.attachTo(e.id, p.group, int32(cpu))
	e.slice = m.cfg.BaseSlice
	if p.slice != 0 {
		e.slice, e.customSlice = min(max(p.slice, MinCustomSlice), MaxCustomSlice), true
	}
	e.weight, e.inverse = NiceLoad(int(p.nice), p.policy), tableInverse(p)
	e.avg.load = down(e.weight)
}

func tableInverse(p *task) uint32 {
	if p.policy == PolicyIdle {
		return idleInverse
	}
	return niceInverse[int(p.nice)-MinNice]
}

// Wake is try_to_wake_up of a task on its own CPU. A delayed sleeper is requeued
// where it stands; then comes the preemption check (SPEC-6.12 section 7.7).
func (m *Machine) Wake(t TaskID, flags WakeFlags) {
	p := &m.tasks[t]
	p.sleeping = false
	p.stats.Wakeups++
	p.stats.Waiting, p.stats.WaitSince = true, m.now(p.cpu)
	if p.onRQ != rqOff {
		if m.ent(p.entity).delayed {
			m.enqueueTask(p, flagDelayed)
		}
	} else {
		m.enqueueTask(p, flagWakeup)
		p.onRQ = rqQueued
	}
	if m.cpus[p.cpu].curr != t {
		m.wakeupPreempt(p, flags)
	}
}

// Tick is sched_tick: a pending lazy request becomes a full one, then every
// level of the running task is charged and reweighted, leaf first.
func (m *Machine) Tick(cpu int) {
	rq := &m.cpus[cpu]
	if rq.lazy {
		rq.resched = true
	}
	m.entityTicks(rq, m.tickRepick)
}

// HrtickExpire is the expiry of the slice timer: the walk of a tick, and a
// reschedule request at each level.
func (m *Machine) HrtickExpire(cpu int) {
	rq := &m.cpus[cpu]
	rq.hrtick = NoTime
	m.entityTicks(rq, func(q *FairQueue) {
		if m.rules.fullHrtick {
			m.resched(q.cpu)
		} else {
			m.reschedLazy(q.cpu)
		}
	})
}

// entityTicks is entity_tick for each level of the running task.
func (m *Machine) entityTicks(rq *runQueue, then func(*FairQueue)) {
	if rq.curr == NoTask {
		return
	}
	for e := m.ent(m.tasks[rq.curr].entity); e != nil; e = m.parentOf(e) {
		q := m.queue(e.queue)
		m.updateCurr(q)
		m.updateLoadAvg(q, e, updateTg)
		m.updateCfsGroup(e)
		then(q)
	}
}

// Yield is sched_yield by the running task, without the schedule() that follows
// (SPEC-6.12 section 12).
func (m *Machine) Yield(cpu int) {
	rq := &m.cpus[cpu]
	if rq.curr == NoTask {
		return
	}
	e := m.ent(m.tasks[rq.curr].entity)
	q := m.queue(e.queue)
	if rq.nr == 1 {
		m.noteYield(q, e, ReasonYieldAlone, e.vruntime)
		return
	}
	m.clearBuddies(q, e)
	m.updateCurr(q)
	m.rules.yield(m, q, e)
}

// postponeDeadline is the yield up to 6.18: the deadline moves by one request,
// eligible or not; vruntime stays.
func postponeDeadline(m *Machine, q *FairQueue, e *entity) {
	e.deadline += Vtime(m.rules.calcDelta(e.slice, e))
	if m.rec != nil {
		m.note(StepYield, ReasonYieldPostpones, q, e, NoEntity, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgDeadlineTo, int64(e.deadline)})
	}
}

// forfeitRequest is the yield of 6.19: an eligible task gives away the rest of
// its request; the next one has the same slice.
func forfeitRequest(m *Machine, q *FairQueue, e *entity) {
	if m.forfeits(q, e) {
		e.deadline += Vtime(m.rules.calcDelta(e.slice, e))
	}
}

// forfeitAndRenew is the yield of 6.12.y and from 7.0 on: the next request is
// one like any other (SPEC-7x section 11.7).
func forfeitAndRenew(m *Machine, q *FairQueue, e *entity) {
	if m.forfeits(q, e) {
		m.updateDeadline(q, e)
	}
}

// forfeits moves an eligible task to the end of its request.
func (m *Machine) forfeits(q *FairQueue, e *entity) bool {
	if !m.eligible(q, e) {
		m.noteYield(q, e, ReasonYieldIneligible, e.vruntime)
		return false
	}
	from := e.vruntime
	e.vruntime = e.deadline
	m.noteYield(q, e, ReasonYieldForfeits, from)
	return true
}

func (m *Machine) noteYield(q *FairQueue, e *entity, why Reason, from Vtime) {
	if m.rec != nil {
		m.note(StepYield, why, q, e, NoEntity, Arg{ArgVruntimeFrom, int64(from)}, Arg{ArgVruntimeTo, int64(e.vruntime)})
	}
}

// YieldTo is yield_to: a queued, awake task of the CPU becomes the next buddy and
// the running task yields.
func (m *Machine) YieldTo(cpu int, t TaskID) {
	p := &m.tasks[t]
	if p.onRQ != rqQueued || p.sleeping || int(p.cpu) != cpu || m.throttledBranch(m.queue(m.ent(p.entity).queue)) {
		return
	}
	m.setNextBuddy(m.ent(p.entity))
	m.Yield(cpu)
}

// Migrate moves a queued, not running task to another CPU: its lag and the
// distance to its deadline travel (SPEC-6.12 section 12).
func (m *Machine) Migrate(t TaskID, cpu int) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	p.onRQ = rqMigrating
	m.dequeueTask(p, 0)
	m.setTaskCPU(p, cpu)
	e.avg.last = 0
	m.enqueueTask(p, flagMigrated)
	p.onRQ = rqQueued
	m.wakeupPreempt(p, 0)
}
