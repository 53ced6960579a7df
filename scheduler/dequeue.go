package scheduler

// dequeueEntity is dequeue_entity; false means that the entity stays queued,
// delayed, because its lag is negative (SPEC-6.12 section 7.3, SPEC-7x 7.2).
func (m *Machine) dequeueEntity(q *FairQueue, e *entity, flags opFlags) bool {
	m.updateCurr(q)
	delays := flags&flagDelayed == 0 && m.delays(q, e, flags)
	if delays && m.rules.delayKeepsMarks {
		m.clearBuddy(q, e)
	} else {
		m.clearBuddies(q, e)
	}
	if delays {
		m.updateLoadAvg(q, e, 0)
		if m.rules.lagAtDelay {
			m.rules.storeLag(m, q, e)
		}
		m.setDelayed(e)
		if m.rec != nil {
			v := m.peekV(q)
			m.note(StepDequeue, ReasonDelayedForNegativeLag, q, e, NoEntity,
				Arg{ArgV, int64(v)}, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgLag, v.Sub(e.vruntime)})
		}
		return false
	}
	load := updateTg
	if e.isTask() && m.tasks[e.task].onRQ == rqMigrating {
		load |= doDetach
	}
	m.updateLoadAvg(q, e, load)
	m.updateRunnable(e)
	m.rules.storeLag(m, q, e)
	if m.on(PlaceRelDeadline) && flags&flagSleep == 0 {
		e.deadline -= e.vruntime
		e.relDeadline = true
	}
	if q.curr != e.id {
		m.leaveTree(q, e)
	}
	e.onRQ = false
	m.account(q, e, -1)
	if len(m.quotas) > 0 {
		m.returnQuota(q)
	}
	m.updateCfsGroup(e)
	if flags&flagSave == 0 {
		m.updateMin(q)
	}
	if flags&flagDelayed != 0 {
		m.rules.finishDelayed(m, q, e)
		m.clearDelayed(e)
	}
	if m.rec != nil {
		m.note(StepDequeue, ReasonDequeued, q, e, NoEntity, Arg{ArgLag, e.vlag}, Arg{ArgNr, int64(q.nr)})
	}
	return true
}

// delays tells whether a dequeue leaves the entity queued until its lag is paid.
func (m *Machine) delays(q *FairQueue, e *entity, flags opFlags) bool {
	return m.on(DelayDequeue) && flags&flagSleep != 0 && flags&flagSpecial == 0 && !m.eligible(q, e)
}

// dequeueEntities is dequeue_entities: an entity and the ancestors that it
// empties leave their queues, as far up as a throttled queue. false means that the
// task itself stays, delayed (SPEC-6.12 section 7.5).
func (m *Machine) dequeueEntities(e *entity, flags opFlags) bool {
	sleep, finishing := flags&flagSleep != 0, flags&flagDelayed != 0
	cpu := m.queue(e.queue).cpu
	var p *task
	var c taskCount
	if e.isTask() {
		p = &m.tasks[e.task]
		c = taskCount{tasks: -1, idle: -idleOf(p)}
		if !sleep && !finishing && e.delayed && m.rules.countsDelayed {
			c.delayed = -1
		}
	}
	tasks, slice, throttled := c.tasks, uint64(0), false
	if p == nil && m.rules.losesSlices {
		slice = noSlice
	}
	for e != nil {
		q := m.queue(e.queue)
		if !m.dequeueEntity(q, e, flags) {
			if p != nil && e.id == p.entity {
				return false
			}
			if !m.rules.losesSlices {
				slice = m.minSlice(q)
			}
			break
		}
		m.count(q, &c)
		if throttled = m.throttled(q); throttled {
			break
		}
		parent := m.parentOf(e)
		if q.load != 0 {
			slice = m.sliceForGroup(q)
			if sleep && parent != nil && !m.throttledBranch(q) {
				m.setNextBuddy(parent)
			}
			e = parent
			break
		}
		flags = flags&^(flagDelayed|flagSpecial) | flagSleep
		e = parent
	}
	if !throttled && m.updateUpward(e, slice, &c) {
		m.cpus[cpu].nr += tasks
	}
	if p != nil && finishing {
		m.hrtickAfterDequeue(cpu)
		p.onRQ = rqOff
	}
	return true
}

// dequeueTask is dequeue_task_fair; false means delayed.
func (m *Machine) dequeueTask(p *task, flags opFlags) bool {
	cpu, e := p.cpu, m.ent(p.entity)
	m.estimateOut(p, e, flags)
	if !m.dequeueEntities(e, flags) {
		return false
	}
	m.hrtickAfterDequeue(cpu)
	return true
}

// blockTask is block_task: the running task goes to sleep, or dies.
func (m *Machine) blockTask(p *task, how Leave) {
	flags := flagSleep
	if how != LeaveSleep {
		flags |= flagSpecial
	}
	p.sleeping = true
	if m.dequeueTask(p, flags) {
		p.onRQ = rqOff
	}
}

// setNextBuddy is set_next_buddy: nominate an entity and its ancestors.
func (m *Machine) setNextBuddy(e *entity) {
	for ; e != nil; e = m.parentOf(e) {
		if !e.onRQ || m.isIdle(e) {
			return
		}
		q := m.queue(e.queue)
		q.next = e.id
		if m.rec != nil {
			m.note(StepBuddy, ReasonBuddySet, q, e, NoEntity)
		}
	}
}

// clearBuddies is clear_buddies: withdraw the nomination of an entity and of
// its ancestors.
func (m *Machine) clearBuddies(q *FairQueue, e *entity) {
	for e != nil && q.next == e.id {
		m.clearBuddy(q, e)
		if e = m.parentOf(e); e != nil {
			q = m.queue(e.queue)
		}
	}
}

// clearBuddy withdraws the nomination on one level.
func (m *Machine) clearBuddy(q *FairQueue, e *entity) {
	if q.next != e.id {
		return
	}
	q.next = NoEntity
	if m.rec != nil {
		m.note(StepBuddy, ReasonBuddyCleared, q, e, NoEntity)
	}
}
