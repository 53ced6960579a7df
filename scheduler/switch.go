package scheduler

// Leave says how the running task enters schedule().
type Leave uint8

// A task that stays wants to go on: it is preempted or yields.
const (
	LeaveStay   Leave = iota
	LeaveSleep        // blocks
	LeaveDie          // exits: never delayed
	LeaveFrozen       // is frozen: sleeps, never delayed
)

// Schedule is __schedule on a CPU: the running task stays, blocks or dies, the
// next one is picked and switched to (SPEC-6.12 section 9.7).
func (m *Machine) Schedule(cpu int, how Leave) {
	rq := &m.cpus[cpu]
	rq.hrtick = NoTime
	prev := rq.curr
	if prev != NoTask && how != LeaveStay {
		m.blockTask(&m.tasks[prev], how)
	}
	next := NoTask
	p := m.pickTask(int32(cpu))
	if p == nil && m.newidle(cpu) {
		p = m.pickTask(int32(cpu))
	}
	if p != nil {
		next = m.ent(p.entity).task
	} else if m.oops != "" {
		return
	} else if m.rec != nil {
		m.note(StepPick, ReasonPickIdle, m.rootQueue(int32(cpu)), nil, NoEntity)
	}
	rq.lastPick = next
	if next != prev {
		m.switchTo(cpu, prev, next)
	} else if prev != NoTask {
		m.keepTask(int32(cpu), m.ent(m.tasks[prev].entity))
	}
	rq.resched, rq.lazy = false, false // also what the charges of the switch asked for
	if prev != NoTask && how == LeaveDie {
		p := &m.tasks[prev]
		p.dead = true
		m.removeLoad(m.ent(p.entity))
	}
}

// keepTask lets the running task go on: nothing is put or set. Up to 6.9 the
// slice timer starts anew.
func (m *Machine) keepTask(cpu int32, e *entity) {
	if m.rec != nil {
		m.note(StepSet, ReasonSameTask, m.queue(e.queue), e, NoEntity)
	}
	if m.rules.rearmsAtPick {
		m.hrtickStart(cpu, e)
	}
}

// switchTo replaces the running task of a CPU; either may be NoTask.
func (m *Machine) switchTo(cpu int, prev, next TaskID) {
	rq := &m.cpus[cpu]
	now := m.now(int32(cpu))
	if prev != NoTask {
		m.tasks[prev].leaveCPU(now)
	}
	switch {
	case next == NoTask:
		m.putTask(&m.tasks[prev])
		m.enterIdle(cpu)
	case prev == NoTask:
		m.rules.setFromIdle(m, &m.tasks[next])
	default:
		m.rules.switchEntities(m, m.ent(m.tasks[prev].entity), m.ent(m.tasks[next].entity))
	}
	if next != NoTask {
		m.tasks[next].takeCPU(now)
		m.hrtickStart(int32(cpu), m.ent(m.tasks[next].entity))
	}
	rq.curr = next
}

// leaveCPU and takeCPU keep the statistics of a task at a switch.
func (p *task) leaveCPU(now Time) {
	if p.sleeping {
		p.stats.Voluntary++
		return
	}
	p.stats.Preempted++
	p.stats.Waiting, p.stats.WaitSince = true, now
}

func (p *task) takeCPU(now Time) {
	p.stats.SwitchedIn++
	p.stats.LastSwitch = now
	p.endWait(now)
}

func (p *task) endWait(now Time) {
	if !p.stats.Waiting {
		return
	}
	p.stats.Waiting = false
	w := now - p.stats.WaitSince
	p.stats.WaitTotal += w
	p.stats.WaitMax = max(p.stats.WaitMax, w)
	p.stats.Waits++
}

// setNextEntity is set_next_entity: an entity leaves the tree and becomes the
// current one of its queue. pick is false for the set_next that ends an
// attribute change.
func (m *Machine) setNextEntity(q *FairQueue, e *entity, pick bool) {
	m.clearBuddies(q, e)
	if e.onRQ {
		m.leaveTree(q, e)
		m.updateLoadAvg(q, e, updateTg)
		if pick || !m.rules.protectAtPick {
			m.rules.protect(m, q, e)
		}
	}
	e.execStart = m.rq(q).clockTask
	q.curr = e.id
	e.prevSumExec = e.sumExec
	if m.rec != nil {
		m.note(StepSet, ReasonSetNext, q, e, NoEntity, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// putPrevEntity is put_prev_entity: the current entity goes back to the tree,
// behind entities with the same deadline, if it is still queued. A queue without run
// time is throttled.
func (m *Machine) putPrevEntity(q *FairQueue, e *entity) {
	if e.onRQ {
		m.updateCurr(q)
	}
	if len(m.quotas) > 0 {
		m.checkQuota(q)
	}
	if e.onRQ {
		m.enterTree(q, e)
		m.updateLoadAvg(q, e, 0)
	}
	q.curr = NoEntity
	if m.rec != nil {
		m.note(StepPut, ReasonPutPrev, q, e, NoEntity, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// putTask and setTask put or set all levels of a task.
func (m *Machine) putTask(p *task) {
	for e := m.ent(p.entity); e != nil; e = m.parentOf(e) {
		m.putPrevEntity(m.queue(e.queue), e)
	}
}

func (m *Machine) setTask(p *task, pick bool) {
	m.touchTask(m.ent(p.entity).task)
	for e := m.ent(p.entity); e != nil; e = m.parentOf(e) {
		m.setNextEntity(m.queue(e.queue), e, pick)
	}
}

// setBottomUp sets the levels of a task after idling, its own first (6.12+);
// setTopDown the root's first, which ages parents before children (up to 6.9).
func setBottomUp(m *Machine, p *task) { m.setTask(p, true) }

func setTopDown(m *Machine, p *task) { m.setLevels(m.ent(p.entity)) }

func (m *Machine) setLevels(e *entity) {
	if parent := m.parentOf(e); parent != nil {
		m.setLevels(parent)
	}
	m.setNextEntity(m.queue(e.queue), e, true)
}

// switchInterleaved walks both chains together up to the common queue (up to
// 7.1, SPEC-6.12 section 9.6).
func switchInterleaved(m *Machine, prev, next *entity) {
	for next.queue != prev.queue {
		dn, dp := next.depth, prev.depth
		if dn <= dp {
			m.putPrevEntity(m.queue(prev.queue), prev)
			prev = m.parentOf(prev)
		}
		if dn >= dp {
			m.setNextEntity(m.queue(next.queue), next, true)
			next = m.parentOf(next)
		}
	}
	q := m.queue(next.queue)
	m.putPrevEntity(q, prev)
	m.setNextEntity(q, next, true)
}

// switchPutsFirst puts all levels that change, then sets them (7.2, SPEC-7x
// section 14).
func switchPutsFirst(m *Machine, prev, next *entity) {
	for p, n := prev, next; ; {
		q := m.queue(p.queue)
		if q.curr != NoEntity {
			m.putPrevEntity(q, p)
		}
		if n.queue == p.queue {
			break
		}
		d := n.depth - p.depth
		if d >= 0 {
			n = m.parentOf(n)
		}
		if d <= 0 {
			p = m.parentOf(p)
		}
	}
	for n := next; n != nil; n = m.parentOf(n) {
		q := m.queue(n.queue)
		if q.curr != NoEntity {
			return
		}
		m.setNextEntity(q, n, true)
	}
}

// StartHigher gives the CPU to a task of a higher class: the running task is put
// and waits. EndHigher takes it back; a reschedule follows.
func (m *Machine) StartHigher(cpu int) {
	rq := &m.cpus[cpu]
	rq.hrtick = NoTime
	if rq.curr != NoTask {
		p := &m.tasks[rq.curr]
		p.leaveCPU(m.now(int32(cpu)))
		m.putTask(p)
	}
	rq.curr, rq.higher = NoTask, true
	rq.resched, rq.lazy = false, false
	rq.nr++
}

// EndHigher lets the higher class sleep again and asks for a reschedule.
func (m *Machine) EndHigher(cpu int) {
	rq := &m.cpus[cpu]
	rq.higher = false
	rq.nr--
	rq.resched = true
}
