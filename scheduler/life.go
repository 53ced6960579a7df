package scheduler

// NewGroup makes a task_group with its queues and entities, attached at once
// (SPEC-6.12 section 13.1). shares are scaled; they are ignored for an idle
// group.
func (m *Machine) NewGroup(parent GroupID, path string, shares uint64, idle bool) GroupID {
	g := m.addGroup(parent, path)
	for cpu := range m.cpus {
		m.attachChain(m.ent(m.queue(m.queueOf(g, int32(cpu))).owner))
	}
	if idle {
		m.SetGroupIdle(g, true)
	} else {
		m.SetShares(g, shares)
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
// task may be started again; it begins anew.
func (m *Machine) Fork(t TaskID, cpu int) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	m.resetTask(p, e, cpu)
	m.initUtil(m.queue(e.queue), e)
	m.enqueueTask(p, flagInitial)
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
	m.entityTicks(rq, func(*FairQueue) {})
}

// HrtickExpire is the expiry of the slice timer: the walk of a tick, and a
// reschedule request at each level.
func (m *Machine) HrtickExpire(cpu int) {
	rq := &m.cpus[cpu]
	rq.hrtick = NoTime
	m.entityTicks(rq, func(q *FairQueue) { m.resched(q.cpu) })
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
// (SPEC-6.12 section 12, SPEC-7x section 11.7).
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
	if !m.eligible(q, e) {
		m.noteYield(q, e, ReasonYieldIneligible, e.vruntime)
		return
	}
	from := e.vruntime
	e.vruntime = e.deadline
	m.noteYield(q, e, ReasonYieldForfeits, from)
	m.updateDeadline(q, e)
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
	if p.onRQ != rqQueued || p.sleeping || int(p.cpu) != cpu {
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
	p.cpu = int32(cpu)
	m.attachTo(e.id, p.group, p.cpu)
	e.avg.last = 0
	m.enqueueTask(p, flagMigrated)
	p.onRQ = rqQueued
	m.wakeupPreempt(p, 0)
}
