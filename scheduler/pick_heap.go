package scheduler

// pickByHeap is pick_eevdf of 6.6 and 6.7, whose tree is ordered by vruntime: a
// search for the earliest deadline among the eligible, which are on its left
// (SPEC-6.6-6.12.0 section 3.3). Ties depend on the shape of the tree.
func pickByHeap(m *Machine, q *FairQueue, how pickMode) EntityID {
	curr := m.current(q)
	b := m.balanceOf(q)
	kept := m.keptAtWakeup(q, b, curr, how)
	if m.on(RunToParity) && kept != nil && tokenHolds(kept) {
		return m.picked(q, curr, kept, m.protectedReason(q, kept), false)
	}
	best, side := m.walkEligible(q, b, kept)
	if side != nil && (best == nil || !best.deadline.Before(side.least)) {
		best = m.heapBest(side)
	}
	why := ReasonPickEarliest
	switch {
	case best == nil && q.leftmost == NoEntity:
		return m.picked(q, curr, nil, ReasonPickNobody, true)
	case best == nil:
		best, why = m.ent(q.leftmost), ReasonPickLeftmost
	case best == kept:
		why = ReasonPickCurrEarlier
	}
	return m.picked(q, curr, best, why, true)
}

// walkEligible goes down the border between eligible and not. best is the
// earliest deadline on that path, the runner included; side is the subtree left
// of it with the earliest one.
func (m *Machine) walkEligible(q *FairQueue, b balance, kept *entity) (best, side *entity) {
	m.visited = m.visited[:0]
	best = kept
	for n := q.root; n != NoEntity; {
		e := m.ent(n)
		if !m.looksEligible(q, b, e) {
			n = e.left
			continue
		}
		if best == nil || e.deadline.Before(best.deadline) {
			best = e
		}
		if e.left != NoEntity {
			left := m.ent(e.left)
			if side == nil || left.least.Before(side.least) {
				side = left
			}
			if left.least == e.least {
				break
			}
		}
		if e.deadline == e.least {
			break
		}
		n = e.right
	}
	return best, side
}

// heapBest follows the smallest deadline down a subtree to the entity that has
// it; nil if the summaries lead nowhere.
func (m *Machine) heapBest(e *entity) *entity {
	for {
		if m.rec != nil {
			m.visited = append(m.visited, e.id)
		}
		next := e.right
		switch {
		case e.deadline == e.least:
			return e
		case e.left != NoEntity && m.ents[e.left].least == e.least:
			next = e.left
		}
		if next == NoEntity {
			return nil
		}
		e = m.ent(next)
	}
}
