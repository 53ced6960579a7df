package scheduler

// enqueueEntity is enqueue_entity (SPEC-6.12 section 7.1).
func (m *Machine) enqueueEntity(q *FairQueue, e *entity, flags opFlags) {
	isCurr := q.curr == e.id
	if isCurr {
		m.placeEntity(q, e, flags)
	}
	m.updateCurr(q)
	m.updateLoadAvg(q, e, updateTg|doAttach)
	m.updateRunnable(e)
	m.updateCfsGroup(e)
	if !isCurr {
		m.placeEntity(q, e, flags)
	}
	m.account(q, e, 1)
	if flags&flagMigrated != 0 {
		e.execStart = 0
	}
	if !isCurr {
		m.enterTree(q, e)
	}
	e.onRQ = true
	if m.rec != nil {
		m.note(StepEnqueue, ReasonEnqueued, q, e, NoEntity, Arg{ArgNr, int64(q.nr)}, Arg{ArgV, int64(m.peekV(q))})
	}
	if len(m.quotas) > 0 && q.nr == 1 {
		m.checkEnqueueQuota(q)
	}
}

// account counts an entity in (sign 1) or out (-1) of its level.
func (m *Machine) account(q *FairQueue, e *entity, sign int32) {
	q.load += uint64(int64(sign)) * e.weight
	q.nr += sign
	if m.isIdle(e) {
		q.nrIdle += sign
	}
	if sign > 0 && e.isTask() {
		m.touchTask(e.task)
	}
}

// updateRunnable is se_update_runnable: a group entity's stored copy of the
// runnable tasks below.
func (m *Machine) updateRunnable(e *entity) {
	if !e.isTask() {
		e.runnableWeight = uint64(m.queues[e.own].hRunnable)
	}
}

// taskCount is what one task, or a branch of them, adds to the counters of every
// queue above it.
type taskCount struct {
	tasks   int32 // of one task 1, or -1 for a dequeue, or 0 for a delayed group entity
	idle    int32 // the same for the counters of idle tasks
	delayed int32 // and for tasks that are delayed and stay so
}

// count changes the h_ counters of a queue and hands the idle part upward: all
// tasks below an idle group count as idle.
func (m *Machine) count(q *FairQueue, c *taskCount) {
	q.hQueued += c.tasks
	q.hRunnable += c.tasks - c.delayed
	q.hIdle += c.idle
	q.hDelayed += c.delayed
	if q.idle {
		c.idle = c.tasks
	}
}

// enqueueTask is enqueue_task_fair (SPEC-6.12 section 7.2).
func (m *Machine) enqueueTask(p *task, flags opFlags) {
	e := m.ent(p.entity)
	m.estimateIn(p, e, flags)
	if flags&flagDelayed != 0 {
		m.requeueDelayed(e)
		return
	}
	c := taskCount{tasks: 1, idle: idleOf(p)}
	if flags&flagWakeup == 0 && e.delayed && m.rules.countsDelayed {
		c.delayed = 1
	}
	cpu, slice := p.cpu, uint64(0)
	for e != nil {
		if e.onRQ {
			if e.delayed {
				m.requeueDelayed(e)
			}
			break
		}
		q := m.queue(e.queue)
		if slice != 0 {
			e.slice, e.customSlice = slice, true
		}
		m.enqueueEntity(q, e, flags)
		slice = m.sliceForGroup(q)
		m.count(q, &c)
		if m.throttled(q) {
			return
		}
		flags = flagWakeup
		e = m.parentOf(e)
	}
	if !m.updateUpward(e, slice, &c) {
		return
	}
	m.cpus[cpu].nr++
	if m.cpus[cpu].nr > 1 {
		m.multi.overload = true
	}
	m.hrtickAfterEnqueue(cpu)
}

func idleOf(p *task) int32 {
	if p.policy == PolicyIdle {
		return 1
	}
	return 0
}

// sliceForGroup is what a queue hands upward: its smallest slice becomes the
// request of its group entity (6.12+); 0 for nothing.
func (m *Machine) sliceForGroup(q *FairQueue) uint64 {
	if !m.rules.slicesFromBelow {
		return 0
	}
	return m.minSlice(q)
}

// updateUpward is the second loop of enqueue and dequeue: the levels that stay
// queued are aged and reweighted, and take the smallest slice below as theirs. It
// ends at a throttled queue, and tells whether it has come to the root.
func (m *Machine) updateUpward(e *entity, slice uint64, c *taskCount) bool {
	for ; e != nil; e = m.parentOf(e) {
		q := m.queue(e.queue)
		m.updateLoadAvg(q, e, updateTg)
		m.updateRunnable(e)
		m.updateCfsGroup(e)
		if m.rules.slicesFromBelow {
			m.takeSlice(q, e, slice)
			slice = m.minSlice(q)
		}
		m.count(q, c)
		if m.throttled(q) {
			return false
		}
	}
	return true
}

// takeSlice gives a queued group entity the slice from below. 6.12.0 forgets to
// refresh the summaries above it.
func (m *Machine) takeSlice(q *FairQueue, e *entity, slice uint64) {
	if m.rec != nil && e.slice != slice {
		m.note(StepEnqueue, ReasonSliceFromBelow, q, e, NoEntity, Arg{ArgFrom, int64(e.slice)}, Arg{ArgSlice, int64(slice)})
	}
	e.slice = slice
	if q.curr != e.id && !m.rules.losesSlices {
		m.climb(e.id, NoEntity)
	}
}

// requeueDelayed is requeue_delayed_entity: a delayed entity is wanted again
// (SPEC-6.12 section 7.4, SPEC-7x section 7.3). The runner is not charged first.
func (m *Machine) requeueDelayed(e *entity) {
	q := m.queue(e.queue)
	m.rules.requeue(m, q, e)
	m.updateLoadAvg(q, e, 0)
	m.clearDelayed(e)
}

// requeuePositiveLag places a delayed entity again, at V, if DELAY_ZERO finds
// its lag positive (up to 7.0).
func requeuePositiveLag(m *Machine, q *FairQueue, e *entity) {
	if m.on(DelayZero) {
		m.rules.storeLag(m, q, e)
		if e.vlag > 0 {
			m.noteLag(q, e, ReasonLagZeroed, q.zero, e.vlag, 0, 0)
			e.vlag = 0
			m.placeAgain(q, e)
			return
		}
	}
	m.noteRequeue(q, e, ReasonRequeuedAsIs)
}

// requeueMoved places a delayed entity again if its stored lag implies another
// place than it stands at (7.1+).
func requeueMoved(m *Machine, q *FairQueue, e *entity) {
	if m.rules.storeLag(m, q, e) {
		m.placeAgain(q, e)
		return
	}
	m.noteRequeue(q, e, ReasonRequeuedAsIs)
}

func (m *Machine) placeAgain(q *FairQueue, e *entity) {
	q.nr--
	inTree := q.curr != e.id
	if inTree {
		m.leaveTree(q, e)
	}
	m.placeEntity(q, e, 0)
	if inTree {
		m.enterTree(q, e)
	}
	q.nr++
	m.noteRequeue(q, e, ReasonRequeuedPlaced)
}

func (m *Machine) noteRequeue(q *FairQueue, e *entity, why Reason) {
	if m.rec != nil {
		m.note(StepEnqueue, why, q, e, NoEntity, Arg{ArgLag, e.vlag}, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// setDelayed and clearDelayed change the delayed state; only tasks are counted,
// up to a throttled queue, and in 6.12.0 nobody.
func (m *Machine) setDelayed(e *entity) {
	e.delayed = true
	m.countDelayed(e, 1)
}

func (m *Machine) clearDelayed(e *entity) {
	e.delayed = false
	if e.isTask() && m.event > 0 {
		m.undelayed = append(m.undelayed, e.task)
	}
	m.countDelayed(e, -1)
}

func (m *Machine) countDelayed(e *entity, sign int32) {
	if !e.isTask() || !m.rules.countsDelayed {
		return
	}
	for ; e != nil; e = m.parentOf(e) {
		q := m.queue(e.queue)
		q.hRunnable -= sign
		q.hDelayed += sign
		if m.throttled(q) {
			return
		}
	}
}
