package scheduler

import "fmt"

// pickMode says who asks pick_eevdf.
type pickMode struct {
	protect bool    // a protected runner may be kept: all picks but those for a shorter slice
	wakeup  bool    // a wakeup check asks
	wakee   *entity // and for whom
}

// pickTokenFirst is pick_eevdf of 6.8 to 6.16 (SPEC-6.12 section 9.1), with the
// March 2024 form of RUN_TO_PARITY_WAKEUP and RESPECT_SLICE (PROPOSALS a.1, b).
func pickTokenFirst(m *Machine, q *FairQueue, how pickMode) EntityID {
	curr := m.current(q)
	if q.nr == 1 {
		return m.pickSingle(q, curr)
	}
	b := m.balanceOf(q)
	if m.followsSlices() {
		return m.pickBySlice(q, b, curr, how)
	}
	kept := m.keptAtWakeup(q, b, curr, how)
	if m.on(RunToParity) && kept != nil && tokenHolds(kept) {
		return m.picked(q, curr, kept, m.protectedReason(q, kept), false)
	}
	return m.pickEarliest(q, b, curr, kept)
}

// keptAtWakeup is the runner if it is a candidate up to 6.16: eligible, or
// protected while RUN_TO_PARITY_WAKEUP answers a wakeup check (PROPOSALS a.1).
func (m *Machine) keptAtWakeup(q *FairQueue, b balance, curr *entity, how pickMode) *entity {
	if curr == nil || m.eligibleAt(q, b, curr.vruntime) {
		return curr
	}
	if m.on(RunToParityWakeup) && how.wakeup && tokenHolds(curr) {
		return curr
	}
	return nil
}

// pickProtectedFirst is pick_eevdf of 6.17 and 6.18, which does not look at
// buddies (SPEC-7x section 9).
func pickProtectedFirst(m *Machine, q *FairQueue, how pickMode) EntityID {
	curr := m.current(q)
	if q.nr == 1 {
		return m.pickSingle(q, curr)
	}
	return m.pickProtected(q, m.balanceOf(q), curr, how)
}

// pickBuddyFirst is pick_eevdf of 6.19 and 7.0: an eligible buddy comes first.
func pickBuddyFirst(m *Machine, q *FairQueue, how pickMode) EntityID {
	curr := m.current(q)
	if q.nr == 1 {
		return m.pickSingle(q, curr)
	}
	b := m.balanceOf(q)
	if next := m.eligibleBuddy(q, b); next != nil {
		return m.picked(q, curr, next, ReasonPickBuddy, false)
	}
	return m.pickProtected(q, b, curr, how)
}

// pickBuddyIfProtected is pick_eevdf from 7.1 on: buddies do not count when a
// wakeup check asks for a shorter slice.
func pickBuddyIfProtected(m *Machine, q *FairQueue, how pickMode) EntityID {
	curr := m.current(q)
	if q.nr == 1 {
		return m.pickSingle(q, curr)
	}
	b := m.balanceOf(q)
	if how.protect {
		if next := m.eligibleBuddy(q, b); next != nil {
			return m.picked(q, curr, next, ReasonPickBuddy, false)
		}
	}
	return m.pickProtected(q, b, curr, how)
}

// pickProtected is the rest of pick_eevdf from 6.17 on, with the July 2026 form
// of RUN_TO_PARITY_WAKEUP (PROPOSALS a.2).
func (m *Machine) pickProtected(q *FairQueue, b balance, curr *entity, how pickMode) EntityID {
	if m.followsSlices() {
		return m.pickBySlice(q, b, curr, how)
	}
	kept := curr
	if curr != nil && !m.eligibleAt(q, b, curr.vruntime) {
		kept = nil
		if m.on(RunToParityWakeup) && how.protect && m.rules.protected(curr) {
			kept = curr
		}
	}
	if kept != nil && how.protect && m.rules.protected(kept) {
		return m.picked(q, curr, kept, m.protectedReason(q, kept), false)
	}
	return m.pickEarliest(q, b, curr, kept)
}

// eligibleBuddy is the next buddy if the pick may take it.
func (m *Machine) eligibleBuddy(q *FairQueue, b balance) *entity {
	if q.next == NoEntity || !m.on(m.rules.buddyFeature) {
		return nil
	}
	if next := m.ent(q.next); m.eligibleAt(q, b, next.vruntime) {
		return next
	}
	return nil
}

func (m *Machine) protectedReason(q *FairQueue, e *entity) Reason {
	if m.rec != nil && !m.looksEligibleNow(q, e) {
		return ReasonPickProtectedNotElig
	}
	return ReasonPickProtected
}

// followsSlices tells whether the pick_curr proposal replaces the test of the
// runner; RESPECT_SLICE implies SLICE_SET.
func (m *Machine) followsSlices() bool {
	return m.features&(1<<RespectSlice|1<<SliceSet) != 0
}

// pickBySlice is pick_eevdf with that proposal: an ineligible runner stays a
// candidate (PROPOSALS b).
func (m *Machine) pickBySlice(q *FairQueue, b balance, curr *entity, how pickMode) EntityID {
	if m.respectsSlice(q, b, curr, how) {
		return m.picked(q, curr, curr, ReasonPickProtected, false)
	}
	return m.pickEarliest(q, b, curr, curr)
}

// respectsSlice is pick_curr of the RESPECT_SLICE proposal: the unfinished slice
// of the runner is kept, unless one of two relaxations applies (PROPOSALS b).
func (m *Machine) respectsSlice(q *FairQueue, b balance, curr *entity, how pickMode) bool {
	if curr == nil || !how.protect || !m.on(RespectSlice) {
		return false
	}
	if m.on(RunToParity) && !m.eligibleAt(q, b, curr.vruntime) {
		return false
	}
	if w := how.wakee; m.on(PreemptShort) && w != nil && w.slice < curr.slice && w.deadline.Before(curr.deadline) {
		return false
	}
	return m.rules.protected(curr)
}

// pickSingle is the answer for a queue of one entity: no test at all.
func (m *Machine) pickSingle(q *FairQueue, curr *entity) EntityID {
	id := q.leftmost
	if curr != nil {
		id = curr.id
	}
	if m.rec != nil {
		var chosen *entity
		if id != NoEntity {
			chosen = m.ent(id)
		}
		m.notePick(q, curr, chosen, ReasonPickOnly, false)
	}
	return id
}

// pickEarliest takes the eligible entity with the earliest deadline: the first
// eligible one in tree order, unless the runner, if still a candidate, has a
// strictly earlier deadline.
func (m *Machine) pickEarliest(q *FairQueue, b balance, curr, kept *entity) EntityID {
	best := m.firstEligible(q, b)
	switch {
	case best == nil && kept == nil:
		return m.picked(q, curr, nil, ReasonPickNobody, true)
	case best == nil:
		return m.picked(q, curr, kept, ReasonPickCurrOnlyEligible, true)
	case kept != nil && kept.deadline.Before(best.deadline):
		return m.picked(q, curr, kept, ReasonPickCurrEarlier, true)
	}
	return m.picked(q, curr, best, ReasonPickEarliest, true)
}

// firstEligible searches the tree with the smallest vruntime of each subtree:
// the leftmost if it is eligible; else left while the left subtree holds
// somebody eligible, else the node itself, else right.
func (m *Machine) firstEligible(q *FairQueue, b balance) *entity {
	m.visited = m.visited[:0]
	if q.leftmost == NoEntity {
		return nil
	}
	if first := m.ent(q.leftmost); m.looksEligible(q, b, first) {
		return first
	}
	n := q.root
	for n != NoEntity {
		e := m.ent(n)
		if e.left != NoEntity && m.eligibleAt(q, b, m.ents[e.left].least) {
			n = e.left
			continue
		}
		if m.looksEligible(q, b, e) {
			return e
		}
		n = e.right
	}
	return nil
}

func (m *Machine) looksEligible(q *FairQueue, b balance, e *entity) bool {
	if m.rec != nil {
		m.visited = append(m.visited, e.id)
	}
	return m.eligibleAt(q, b, e.vruntime)
}

// picked records a decision and returns it.
func (m *Machine) picked(q *FairQueue, curr, chosen *entity, why Reason, searched bool) EntityID {
	if m.rec != nil {
		m.notePick(q, curr, chosen, why, searched)
	}
	if chosen == nil {
		return NoEntity
	}
	return chosen.id
}

// pickNextBuddyFirst is pick_next_entity up to 6.18: an eligible buddy comes
// before everything; a delayed pick is really dequeued.
func pickNextBuddyFirst(m *Machine, q *FairQueue, how pickMode) EntityID {
	if q.next != NoEntity && m.on(m.rules.buddyFeature) {
		b := m.balanceOf(q)
		if next := m.eligibleBuddy(q, b); next != nil {
			return m.picked(q, m.current(q), next, ReasonPickBuddy, false)
		}
	}
	return pickNextOrDequeue(m, q, how)
}

// pickNextOrDequeue is pick_next_entity: NoEntity after a delayed pick has been
// really dequeued, and the pick must be made again; or at a null pointer.
func pickNextOrDequeue(m *Machine, q *FairQueue, how pickMode) EntityID {
	id := m.rules.pick(m, q, how)
	if id == NoEntity {
		m.nullPick(q)
		return NoEntity
	}
	e := m.ent(id)
	if !e.delayed {
		return id
	}
	if m.rec != nil {
		m.note(StepPick, ReasonDelayedPicked, q, e, NoEntity, Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgV, int64(m.peekV(q))})
	}
	m.dequeueEntities(e, flagSleep|flagDelayed)
	return NoEntity
}

// nullPick stops the machine where the kernel would read through the null
// pointer that a pick without result returned: nobody is eligible. It happens in
// 6.8 to 6.9-rc5, whose reweight can overflow (SPEC-6.6-6.12.0 section 3.3).
func (m *Machine) nullPick(q *FairQueue) {
	m.oops = fmt.Sprintf("null pointer in pick_next_entity: nobody is eligible on cpu %d, queue %s", q.cpu, m.paths[q.group])
	if m.rec != nil {
		m.note(StepPick, ReasonPickNullPointer, q, nil, NoEntity, Arg{ArgV, int64(m.peekV(q))}, Arg{ArgNr, int64(q.nr)})
	}
}

// pickTask is pick_task_fair: from the root down, charging the running entity
// of each level first. A queue without run time is throttled and the pick made
// again. nil when nothing is queued, or at a null pointer.
func (m *Machine) pickTask(cpu int32) *task {
	root := m.rootQueue(cpu)
again:
	for root.nr > 0 && m.oops == "" {
		q := root
		for {
			if m.current(q) != nil {
				m.updateCurr(q)
			}
			if len(m.quotas) > 0 && m.checkQuota(q) {
				continue again
			}
			id := m.rules.pickNext(m, q, pickMode{protect: true})
			if id == NoEntity {
				continue again
			}
			e := m.ent(id)
			if e.isTask() {
				return &m.tasks[e.task]
			}
			q = m.queue(e.own)
		}
	}
	return nil
}
