package scheduler

// updateCurr is update_curr: it charges the running entity of a queue for the
// time since its last charge and decides whether its turn is over (SPEC-6.12
// section 8, SPEC-7x section 10).
func (m *Machine) updateCurr(q *FairQueue) {
	if q.curr == NoEntity {
		return
	}
	e := &m.ents[q.curr]
	now := m.rq(q).clockTask
	d := int64(now - e.execStart)
	if d <= 0 {
		return
	}
	e.execStart = now
	e.sumExec += uint64(d)
	vd := m.rules.calcDelta(uint64(d), e)
	e.vruntime += Vtime(vd)
	if m.rec != nil {
		m.note(StepCharge, ReasonCharged, q, e, NoEntity,
			Arg{ArgDelta, d}, Arg{ArgVdelta, int64(vd)},
			Arg{ArgVruntimeFrom, int64(e.vruntime - Vtime(vd))}, Arg{ArgVruntimeTo, int64(e.vruntime)},
			Arg{ArgWeight, int64(m.sumWeightOf(q, e))})
	}
	ended := m.updateDeadline(q, e)
	m.updateMin(q)
	if len(m.quotas) > 0 {
		m.chargeQuota(q, Time(d))
	}
	m.endCharge(q, e, ended)
}

// endCharge asks for a reschedule if the turn of the running entity is over.
func (m *Machine) endCharge(q *FairQueue, e *entity, ended bool) {
	if m.ranAgainstNobody(q) {
		if m.rec != nil && ended {
			m.note(StepResched, ReasonOnlyEntity, q, e, NoEntity, Arg{ArgNr, int64(q.nr)})
		}
		return
	}
	if m.on(SchedQuanta) {
		if ended {
			m.endTurn(q, e, ReasonQuantumUsed, Arg{ArgRan, int64(e.sumExec - e.prevSumExec)}, Arg{ArgQuantum, int64(m.cfg.BaseSlice)})
		}
		return
	}
	m.rules.endCharge(m, q, e, ended)
}

// ranAgainstNobody is the test that keeps a turn from ending, in the form of
// 6.12 (d4ac164bde7a) or one of its rivals (PROPOSALS e).
func (m *Machine) ranAgainstNobody(q *FairQueue) bool {
	switch {
	case m.on(NrTestV1):
		return false
	case m.on(NrTestBase):
		return m.rq(q).nr == 1
	case m.on(NrTestRoot):
		return m.rootQueue(q.cpu).nr == 1
	}
	return q.nr == 1
}

// reschedAtRequestEnd is the end of update_deadline up to 6.9: the turn is over
// when the request is used up. With TICK_REPICK the tick decides instead.
func reschedAtRequestEnd(m *Machine, q *FairQueue, e *entity, ended bool) {
	switch {
	case ended && !m.on(TickRepick):
		m.endTurn(q, e, ReasonRequestEnded, Arg{ArgDeadline, int64(e.deadline)})
	case m.rec != nil:
		m.note(StepResched, ReasonKeepsRunning, q, e, NoEntity, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// reschedUnprotectedIneligible is the end of update_curr up to 6.16: the turn is
// over when the request is used up, or when the runner is neither protected nor
// eligible.
func reschedUnprotectedIneligible(m *Machine, q *FairQueue, e *entity, ended bool) {
	switch {
	case ended:
		m.endTurn(q, e, ReasonRequestEnded, Arg{ArgDeadline, int64(e.deadline)})
	case m.on(PreemptShort) && !m.rules.protected(e) && !m.eligible(q, e):
		m.endTurn(q, e, ReasonUnprotectedInel, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgV, int64(m.peekV(q))})
	case m.rec != nil:
		m.note(StepResched, ReasonKeepsRunning, q, e, NoEntity, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// reschedUnprotected is the end of update_curr from 6.17 on: the turn is over
// when the request is used up or the protected slice has ended.
func reschedUnprotected(m *Machine, q *FairQueue, e *entity, ended bool) {
	switch {
	case ended:
		m.endTurn(q, e, ReasonRequestEnded, Arg{ArgDeadline, int64(e.deadline)})
	case !m.rules.protected(e):
		m.endTurn(q, e, ReasonUnprotected, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgVprot, int64(m.vprot(e))})
	case m.rec != nil:
		m.note(StepResched, ReasonKeepsRunning, q, e, NoEntity, Arg{ArgVprot, int64(m.vprot(e))})
	}
}

func (m *Machine) endTurn(q *FairQueue, e *entity, why Reason, args ...Arg) {
	m.reschedLazy(q.cpu)
	q.turns++
	if m.rec != nil {
		m.note(StepResched, why, q, e, NoEntity, args...)
	}
	m.clearBuddies(q, e)
}

// updateDeadline is update_deadline: it starts a new request when the present
// one is used up, and tells whether the turn ends by it (SPEC-6.12 section 8.2).
func (m *Machine) updateDeadline(q *FairQueue, e *entity) bool {
	ended := !e.vruntime.Before(e.deadline)
	if ended {
		if !e.customSlice {
			e.slice = m.cfg.BaseSlice
		}
		from, vslice := e.deadline, m.rules.calcDelta(e.slice, e)
		e.deadline = e.vruntime + Vtime(vslice)
		m.avgVruntime(q)
		if m.rec != nil {
			m.note(StepDeadline, ReasonDeadlineReached, q, e, NoEntity,
				Arg{ArgSlice, int64(e.slice)}, Arg{ArgVslice, int64(vslice)},
				Arg{ArgDeadlineFrom, int64(from)}, Arg{ArgDeadlineTo, int64(e.deadline)}, Arg{ArgV, int64(q.zero)})
		}
	}
	if m.on(SchedQuanta) {
		return m.quantumUsed(q, e)
	}
	if ended && m.on(NrTestV1) && q.nr <= 1 {
		if m.rec != nil {
			m.note(StepResched, ReasonRanAgainstNobody, q, e, NoEntity, Arg{ArgNr, int64(q.nr)})
		}
		return false
	}
	return ended
}

// quantumUsed is the test of SCHED_QUANTA: a full base_slice of run time since
// the pick, and somebody else would be picked (PROPOSALS d).
func (m *Machine) quantumUsed(q *FairQueue, e *entity) bool {
	if e.sumExec-e.prevSumExec < m.cfg.BaseSlice {
		return false
	}
	if e.isTask() && m.rq(q).resched {
		return false
	}
	return q.nr > 1 && m.peekPick(q) != e.id
}

// tickRepick is check_preempt_tick, which the fixlet of April 2023 removed: a
// tick asks for a reschedule if somebody else would be picked (PROPOSALS f).
func (m *Machine) tickRepick(q *FairQueue) {
	if !m.on(TickRepick) || q.nr <= 1 {
		return
	}
	if e := &m.ents[q.curr]; m.peekPick(q) != e.id {
		m.endTurn(q, e, ReasonTickRepicked, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// peekPick is whom a real pick would choose, without recording it.
func (m *Machine) peekPick(q *FairQueue) EntityID {
	rec := m.rec
	m.rec = nil
	id := m.rules.pick(m, q, pickMode{protect: true})
	m.rec = rec
	return id
}

// resched is resched_curr: the full flag.
func (m *Machine) resched(cpu int32) { m.cpus[cpu].resched = true }

// reschedLazy is resched_curr_lazy: the lazy flag if the kernel (6.13+) and the
// preemption model have one and somebody of the fair class runs (SPEC-7x section 10.3).
func (m *Machine) reschedLazy(cpu int32) {
	rq := &m.cpus[cpu]
	switch {
	case !m.rules.lazyModel || m.cfg.Preempt != PreemptLazy || rq.curr == NoTask:
		rq.resched = true
	case !rq.resched:
		rq.lazy = true
	}
}
