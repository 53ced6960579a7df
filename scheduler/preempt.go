package scheduler

// WakeFlags are the wakeup flags that the fair class looks at.
type WakeFlags uint8

// The wakeup flags.
const (
	WakeFork       WakeFlags = 1 << iota // a new task
	WakeSync                             // the waker is about to sleep
	WakeRQSelected                       // a CPU was chosen for the wakee
)

// wakeupPreempt is wakeup_preempt: does a task that has become runnable take
// the CPU from the running one?
func (m *Machine) wakeupPreempt(p *task, flags WakeFlags) {
	rq := &m.cpus[p.cpu]
	e := m.ent(p.entity)
	switch {
	case rq.higher:
		m.noteCheck(m.queue(e.queue), e, nil, ReasonCheckHigherClass)
	case rq.curr == NoTask:
		rq.resched = true
		m.noteCheck(m.queue(e.queue), e, nil, ReasonCheckIdleCPU)
	default:
		m.rules.checkPreempt(m, p.cpu, p, flags)
	}
}

func (m *Machine) noteCheck(q *FairQueue, wakee, runner *entity, why Reason, args ...Arg) {
	if m.rec == nil {
		return
	}
	other := NoEntity
	if runner != nil {
		other = runner.id
		args = append(args, Arg{ArgRunnerSlice, int64(runner.slice)}, Arg{ArgWakeeSlice, int64(wakee.slice)})
	}
	m.note(StepCheck, why, q, wakee, other, args...)
}

// findMatching raises two entities until they are members of one queue
// (find_matching_se).
func (m *Machine) findMatching(a, b *entity) (*entity, *entity) {
	for a.depth > b.depth {
		a = m.parentOf(a)
	}
	for b.depth > a.depth {
		b = m.parentOf(b)
	}
	for a.queue != b.queue {
		a, b = m.parentOf(a), m.parentOf(b)
	}
	return a, b
}

// nominate is what NEXT_BUDDY does at a wakeup up to 6.18.
func (m *Machine) nominate(wakee *entity, flags WakeFlags) {
	if m.on(NextBuddy) && flags&WakeFork == 0 && (!wakee.delayed || m.rules.nominatesDelayed) {
		m.setNextBuddy(wakee)
	}
}

// checkPreemptByTask is check_preempt_wakeup up to 6.9: the idle policy is asked
// of the running task itself, before WAKEUP_PREEMPTION, and the wakee preempts
// if it would be picked (SPEC-6.6-6.12.0 section 3.11).
func checkPreemptByTask(m *Machine, cpu int32, p *task, flags WakeFlags) {
	rq := &m.cpus[cpu]
	wakee := m.ent(p.entity)
	runner := m.ent(m.tasks[rq.curr].entity)
	own := m.queue(wakee.queue)
	if wakee == runner {
		m.noteCheck(own, wakee, runner, ReasonCheckSameTask)
		return
	}
	if m.throttledBranch(own) {
		m.noteCheck(own, wakee, runner, ReasonCheckThrottled)
		return
	}
	m.nominate(wakee, flags)
	switch {
	case rq.resched:
		m.noteCheck(own, wakee, runner, ReasonCheckPending)
		return
	case m.isIdle(runner) && !m.isIdle(wakee):
		m.resched(cpu)
		m.noteCheck(own, wakee, runner, ReasonCheckIdleGivesWay)
		return
	case p.policy != PolicyNormal:
		m.noteCheck(own, wakee, runner, ReasonCheckBatch)
		return
	case !m.on(WakeupPreemption):
		m.noteCheck(own, wakee, runner, ReasonCheckFeatureOff)
		return
	}
	e, f := m.findMatching(runner, wakee)
	q := m.queue(e.queue)
	switch idleE, idleF := m.isIdle(e), m.isIdle(f); {
	case idleE && !idleF:
		m.resched(cpu)
		m.noteCheck(q, f, e, ReasonCheckIdleGivesWay)
		return
	case idleE != idleF:
		m.noteCheck(q, f, e, ReasonCheckIdleWakee)
		return
	}
	m.updateCurr(q)
	m.reschedIfPicked(cpu, q, e, f)
}

// reschedIfPicked ends a wakeup check up to 6.16: the wakee preempts if
// pick_eevdf answers it.
func (m *Machine) reschedIfPicked(cpu int32, q *FairQueue, e, f *entity) {
	if m.rules.pick(m, q, pickMode{protect: true, wakeup: true, wakee: f}) == f.id {
		m.resched(cpu)
		m.noteCheck(q, f, e, ReasonCheckPicked)
		return
	}
	m.noteCheck(q, f, e, ReasonCheckNotPicked)
}

// checkPreemptByPick is check_preempt_wakeup_fair of 6.12 (SPEC-6.12 section
// 10): the wakee preempts if it would be picked; a shorter slice ends the
// runner's protection first.
func checkPreemptByPick(m *Machine, cpu int32, p *task, flags WakeFlags) {
	rq := &m.cpus[cpu]
	wakee := m.ent(p.entity)
	runner := m.ent(m.tasks[rq.curr].entity)
	own := m.queue(wakee.queue)
	if wakee != runner && !m.throttledBranch(m.queue(wakee.queue)) {
		m.nominate(wakee, flags)
	}
	if why := m.checkEarlyExit(rq, wakee, runner); why != ReasonNone {
		m.noteCheck(own, wakee, runner, why)
		return
	}
	e, f := m.findMatching(runner, wakee)
	q := m.queue(e.queue)
	switch why := m.checkKinds(e, f, p); why {
	case ReasonNone:
	case ReasonCheckIdleGivesWay:
		if !m.rules.idleKeepsToken {
			m.rules.cancelProtect(m, q, e)
		}
		m.resched(cpu)
		fallthrough
	default:
		m.noteCheck(q, f, e, why)
		return
	}
	m.updateCurr(q)
	if !m.followsSlices() && m.on(PreemptShort) && f.slice < e.slice && m.eligible(q, f) &&
		(f.deadline.Before(e.deadline) || !m.eligible(q, e)) {
		m.rules.cancelProtect(m, q, e)
		m.noteCheck(q, f, e, ReasonCheckShort)
	}
	m.reschedIfPicked(cpu, q, e, f)
}

// checkPreemptByShort is check_preempt_wakeup_fair of 6.17 and 6.18 (SPEC-7x
// section 11.4): the pick does not ask for the runner's protection if the
// wakee's slice is shorter.
func checkPreemptByShort(m *Machine, cpu int32, p *task, flags WakeFlags) {
	rq := &m.cpus[cpu]
	wakee := m.ent(p.entity)
	runner := m.ent(m.tasks[rq.curr].entity)
	if wakee != runner && !m.throttledBranch(m.queue(wakee.queue)) {
		m.nominate(wakee, flags)
	}
	if why := m.checkEarlyExit(rq, wakee, runner); why != ReasonNone {
		m.noteCheck(m.queue(wakee.queue), wakee, runner, why)
		return
	}
	e, f := m.findMatching(runner, wakee)
	q := m.queue(e.queue)
	switch why := m.checkKinds(e, f, p); why {
	case ReasonNone:
	case ReasonCheckIdleGivesWay:
		m.preemptShort(cpu, q, e, f, why)
		return
	default:
		m.noteCheck(q, f, e, why)
		return
	}
	m.updateCurr(q)
	short := m.on(PreemptShort) && f.slice < e.slice
	m.checkByPick(cpu, q, e, f, short, m.on(RunToParity) && short)
}

// checkPreemptByClass is wakeup_preempt_fair from 6.19 on (SPEC-7x sections 11.1
// to 11.3): a shorter slice overrides protection.
func checkPreemptByClass(m *Machine, cpu int32, p *task, flags WakeFlags) {
	rq := &m.cpus[cpu]
	wakee := m.ent(p.entity)
	runner := m.ent(m.tasks[rq.curr].entity)
	if why := m.checkEarlyExit(rq, wakee, runner); why != ReasonNone {
		m.noteCheck(m.queue(wakee.queue), wakee, runner, why)
		return
	}
	e, f := m.findMatching(runner, wakee)
	q := m.queue(e.queue)
	switch why := m.checkKinds(e, f, p); why {
	case ReasonNone:
	case ReasonCheckIdleGivesWay:
		// The buddy marks are looked for on the queue of the running task here.
		m.preemptShort(cpu, m.queue(runner.queue), e, f, why)
		return
	default:
		m.noteCheck(q, f, e, why)
		return
	}
	m.updateCurr(q)
	short := m.on(PreemptShort) && f.slice < e.slice
	if !short {
		if flags&WakeFork != 0 || f.delayed {
			m.noteCheck(q, f, e, ReasonCheckForkDelayed)
			return
		}
		if m.on(NextBuddy) && m.setPreemptBuddy(q, f) && flags&WakeSync != 0 {
			m.preemptSync(cpu, q, e, f, flags)
			return
		}
	}
	m.checkByPick(cpu, q, e, f, short, m.on(RunToParity))
}

// checkKinds is the middle of a wakeup check from 6.12 on: an idle runner gives
// way, an idle, batch or idle-policy wakee does not preempt.
func (m *Machine) checkKinds(e, f *entity, p *task) Reason {
	switch idleE, idleF := m.isIdle(e), m.isIdle(f); {
	case idleE && !idleF:
		return ReasonCheckIdleGivesWay
	case idleE != idleF:
		return ReasonCheckIdleWakee
	case p.policy != PolicyNormal:
		return ReasonCheckBatch
	}
	return ReasonNone
}

// checkEarlyExit is the first exits of the wakeup check.
func (m *Machine) checkEarlyExit(rq *runQueue, wakee, runner *entity) Reason {
	switch {
	case wakee == runner:
		return ReasonCheckSameTask
	case m.throttledBranch(m.queue(wakee.queue)):
		return ReasonCheckThrottled
	case rq.resched:
		return ReasonCheckPending
	case !m.on(WakeupPreemption):
		return ReasonCheckFeatureOff
	}
	return ReasonNone
}

// pickOnce asks pick_eevdf (up to 7.0); pickAwake lets pick_next_entity really
// dequeue the delayed entities that it picks, until one is awake (7.1+).
func pickOnce(m *Machine, q *FairQueue, how pickMode) EntityID { return m.rules.pick(m, q, how) }

func pickAwake(m *Machine, q *FairQueue, how pickMode) EntityID {
	picked := m.rules.pickNext(m, q, how)
	for picked == NoEntity && q.nr > 0 && m.oops == "" {
		picked = m.rules.pickNext(m, q, how)
	}
	return picked
}

// checkByPick ends a wakeup check from 6.17 on: it picks, with the runner's
// protection unless the wakee's slice is shorter. shortens tells that a runner
// that stays is protected for no longer than the shortest slice.
func (m *Machine) checkByPick(cpu int32, q *FairQueue, e, f *entity, short, shortens bool) {
	picked := m.rules.pickAtCheck(m, q, pickMode{protect: !short, wakeup: true, wakee: f})
	switch {
	case picked == f.id && short:
		m.preemptShort(cpu, q, e, f, ReasonCheckShort)
	case picked == f.id:
		m.reschedLazy(cpu)
		m.noteCheck(q, f, e, ReasonCheckPicked)
	default:
		m.noteCheck(q, f, e, ReasonCheckNotPicked)
		if shortens {
			m.shortenProtection(q, e)
		}
	}
}

// preemptShort ends the runner's protection and buddy marks and asks for a
// reschedule.
func (m *Machine) preemptShort(cpu int32, marks *FairQueue, e, f *entity, why Reason) {
	m.rules.cancelProtect(m, m.queue(e.queue), e)
	if m.rules.cancelsNextOfShort {
		m.clearBuddies(marks, e)
	}
	m.reschedLazy(cpu)
	m.noteCheck(m.queue(e.queue), f, e, why)
}

// setPreemptBuddy is set_preempt_buddy: a buddy with an earlier deadline stays.
func (m *Machine) setPreemptBuddy(q *FairQueue, f *entity) bool {
	if q.next != NoEntity && m.ent(q.next).deadline.Before(f.deadline) {
		return false
	}
	m.setNextBuddy(f)
	return true
}

// preemptSync is preempt_sync: with a sync wakeup the runner keeps the CPU until
// it has run for the migration cost. The charge right before has reset the
// clock that this is measured with; the order is the kernel's.
func (m *Machine) preemptSync(cpu int32, q *FairQueue, e, f *entity, flags WakeFlags) {
	t := m.cfg.MigrationCost
	if flags&WakeRQSelected != 0 {
		t >>= 2
	}
	ran := uint64(max(0, int64(m.cpus[cpu].clockTask-e.execStart)))
	if f.deadline.Before(e.deadline) && ran >= t {
		m.reschedLazy(cpu)
		m.noteCheck(q, f, e, ReasonCheckSync, Arg{ArgRan, int64(ran)}, Arg{ArgValue, 1})
		return
	}
	m.noteCheck(q, f, e, ReasonCheckSync, Arg{ArgRan, int64(ran)}, Arg{ArgValue, 0})
}
