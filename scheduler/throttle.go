package scheduler

// Throttling a branch of the hierarchy: a queue without run time, and all that is
// below it, waits for a refill (SPEC-6.12 section 13.7).

// throttled tells whether the queue itself is throttled, throttledBranch whether
// it or one above it is (throttled_hierarchy).
func (m *Machine) throttled(q *FairQueue) bool {
	return len(m.quotas) > 0 && m.quotas[q.id].throttled
}

func (m *Machine) throttledBranch(q *FairQueue) bool {
	return len(m.quotas) > 0 && m.quotas[q.id].depth > 0
}

// throttle is throttle_cfs_rq: unless the pool has been filled meanwhile, the
// queue's group entity, and every one above that is emptied by it, leaves its
// queue at once; one that is delayed is finished.
func (m *Machine) throttle(q *FairQueue, s *queueQuota) bool {
	if m.draw(q, s, 1) {
		return false
	}
	m.stopBranch(q)
	m.throttles++
	s.throttled, s.order, s.since = true, m.throttles, m.now(q.cpu)
	if m.rec != nil {
		m.note(StepQuota, ReasonThrottled, q, m.ownerOf(q), NoEntity, Arg{ArgRemaining, int64(s.remaining)}, Arg{ArgNr, int64(q.hQueued)})
	}
	c := branchCount(q, -1)
	e := m.ownerOf(q)
	for ; e != nil; e = m.parentOf(e) {
		if !e.onRQ {
			return true
		}
		flags := flagSleep | flagSpecial
		if e.delayed {
			flags |= flagDelayed
		}
		up := m.queue(e.queue)
		m.dequeueEntity(up, e, flags)
		m.count(up, &c)
		if up.load != 0 {
			e = m.parentOf(e)
			break
		}
	}
	for ; e != nil; e = m.parentOf(e) {
		if !e.onRQ {
			return true
		}
		up := m.queue(e.queue)
		m.updateLoadAvg(up, e, 0)
		m.updateRunnable(e)
		m.count(up, &c)
	}
	m.cpus[q.cpu].nr += c.tasks
	return true
}

// unthrottle is unthrottle_cfs_rq: the group entity, and those above that are off
// because of it, are queued like ones that wake; one that is delayed is finished
// first. Nobody is preempted by it, but an idle CPU reschedules.
func (m *Machine) unthrottle(q *FairQueue) {
	s := &m.quotas[q.id]
	s.throttled = false
	m.groups[q.group].quota.stats.Throttled += m.now(q.cpu) - s.since
	m.restartBranch(q)
	if m.rec != nil {
		m.note(StepQuota, ReasonUnthrottled, q, m.ownerOf(q), NoEntity,
			Arg{ArgWaited, int64(m.now(q.cpu) - s.since)}, Arg{ArgRemaining, int64(s.remaining)}, Arg{ArgNr, int64(q.hQueued)})
	}
	if q.load == 0 {
		return
	}
	c := branchCount(q, 1)
	e := m.ownerOf(q)
	for ; e != nil; e = m.parentOf(e) {
		up := m.queue(e.queue)
		if e.onRQ && !e.delayed {
			break
		}
		if e.delayed {
			m.dequeueEntity(up, e, flagSleep|flagDelayed)
		}
		m.enqueueEntity(up, e, flagWakeup)
		m.count(up, &c)
		if m.throttled(up) {
			return
		}
	}
	for ; e != nil; e = m.parentOf(e) {
		up := m.queue(e.queue)
		m.updateLoadAvg(up, e, updateTg)
		m.updateRunnable(e)
		m.count(up, &c)
		if m.throttled(up) {
			return
		}
	}
	rq := &m.cpus[q.cpu]
	rq.nr += c.tasks
	if rq.curr == NoTask && !rq.higher && m.rootQueue(q.cpu).nr > 0 {
		rq.resched = true
	}
}

// branchCount is what all tasks below a queue add (sign 1) to the counters above
// it, or take from them (-1).
func branchCount(q *FairQueue, sign int32) taskCount {
	c := taskCount{tasks: sign * q.hQueued, idle: sign * q.hIdle, delayed: sign * q.hDelayed}
	if q.idle {
		c.idle = c.tasks
	}
	return c
}

// stopBranch and restartBranch stop the clock of the load averages of a queue and
// all below it while anything above them is throttled (tg_throttle_down,
// tg_unthrottle_up).
func (m *Machine) stopBranch(q *FairQueue) {
	for g := q.group; int(g) < len(m.groups); g++ {
		if !m.isBelow(g, q.group) {
			continue
		}
		s := &m.quotas[m.queueOf(g, q.cpu)]
		if s.depth == 0 {
			s.stopped = m.cpus[q.cpu].clockTask
		}
		s.depth++
	}
}

func (m *Machine) restartBranch(q *FairQueue) {
	for g := q.group; int(g) < len(m.groups); g++ {
		if !m.isBelow(g, q.group) {
			continue
		}
		s := &m.quotas[m.queueOf(g, q.cpu)]
		s.depth--
		if s.depth == 0 {
			s.missed += m.cpus[q.cpu].clockTask - s.stopped
		}
	}
}

// isBelow tells whether a group is another or below it. Parents have lower ids.
func (m *Machine) isBelow(g, top GroupID) bool {
	for g > top {
		g = m.groups[g].parent
	}
	return g == top
}

// peltClock is cfs_rq_clock_pelt: clock_task without the time in which the queue
// could not run because it, or one above it, was throttled.
func (m *Machine) peltClock(q *FairQueue) uint64 {
	if len(m.quotas) == 0 {
		return m.rq(q).clockTask
	}
	s := &m.quotas[q.id]
	if s.depth > 0 {
		return s.stopped - s.missed
	}
	return m.rq(q).clockTask - s.missed
}
