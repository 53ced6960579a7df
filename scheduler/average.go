package scheduler

// balance is a queue's weighted sum of keys with the running entity counted:
// the left and right side of every eligibility test.
type balance struct {
	sum    int64
	weight uint64
	zero   Vtime
}

// sumWeightOf is W: the weight of an entity in the sums of its queue. Up to 7.0
// it is unscaled; from 7.1 on the full weight, shifted by PARANOID_AVG (SPEC-7x
// section 2.2).
func (m *Machine) sumWeightOf(q *FairQueue, e *entity) uint64 {
	if !m.rules.fullWeight {
		return down(e.weight)
	}
	if q.shift == 0 {
		return e.weight
	}
	return max(2, e.weight>>q.shift)
}

func (m *Machine) balanceOf(q *FairQueue) balance {
	b := balance{q.sum, q.sumWeight, q.zero}
	if c := m.current(q); c != nil {
		w := m.sumWeightOf(q, c)
		b.sum += c.vruntime.Sub(q.zero) * int64(w)
		b.weight += w
	}
	return b
}

// reference is the rule for the reference point of a queue's keys.
type reference uint8

const (
	referenceV    reference = iota // avg_vruntime moves it to V (6.12.y, 7.0+)
	referenceTree                  // moved to V after every change of the tree (6.19)
	referenceMin                   // min_vruntime: follows the smallest vruntime, never back (up to 6.18)
)

// avgVruntime is avg_vruntime: V, the 0-lag point of the queue, the floor of
// the weighted mean of all vruntimes. By referenceV it moves the reference
// point there (SPEC-6.12 section 3, SPEC-7x section 3).
func (m *Machine) avgVruntime(q *FairQueue) Vtime {
	d := m.meanKey(q)
	if m.rules.reference != referenceV {
		return q.zero.Add(d)
	}
	q.moveZero(d)
	return q.zero
}

// moveZero moves the reference point by d; no vruntime changes.
func (q *FairQueue) moveZero(d int64) {
	q.sum -= int64(q.sumWeight) * d
	q.zero = q.zero.Add(d)
}

// updateMin is update_min_vruntime (referenceMin): the reference point follows
// the smallest vruntime, and never goes back (SPEC-6.6-6.12.0 section 3.1).
func (m *Machine) updateMin(q *FairQueue) {
	if m.rules.reference != referenceMin {
		return
	}
	v, c := q.zero, m.current(q)
	if q.root != NoEntity {
		v = m.smallestWaiting(q)
	}
	switch {
	case c != nil && q.root != NoEntity:
		v = minVtime(c.vruntime, v)
	case c != nil:
		v = c.vruntime
	}
	if d := v.Sub(q.zero); d > 0 {
		q.moveZero(d)
	}
}

// smallestWaiting is the smallest vruntime of a tree that is not empty.
func (m *Machine) smallestWaiting(q *FairQueue) Vtime {
	if m.rules.byVruntime {
		return m.ents[q.leftmost].vruntime
	}
	return m.ents[q.root].least
}

// peekV is V without moving the reference point, for frames.
func (m *Machine) peekV(q *FairQueue) Vtime { return q.zero.Add(m.meanKey(q)) }

// meanKey is the floor of sum/weight over tree and current, or the key of the
// running entity when nobody waits.
func (m *Machine) meanKey(q *FairQueue) int64 {
	if q.sumWeight == 0 {
		c := m.current(q)
		if c == nil {
			return 0
		}
		if m.rules.reference == referenceV {
			return c.vruntime.Sub(q.zero)
		}
	}
	b := m.balanceOf(q)
	if b.sum < 0 {
		b.sum -= int64(b.weight) - 1
	}
	return m.rules.divide(b.sum, int64(b.weight))
}

// eligible is entity_eligible.
func (m *Machine) eligible(q *FairQueue, e *entity) bool {
	return m.eligibleAt(q, m.balanceOf(q), e.vruntime)
}

// eligibleAt is vruntime_eligible: sum >= (v - zero) * weight. It does not move
// the reference point; an overflow is remembered.
func (m *Machine) eligibleAt(q *FairQueue, b balance, v Vtime) bool {
	if !m.on(EnforceEligibility) {
		return true
	}
	ok, overflow := b.covers(v, m.rules.exactEligible)
	if overflow {
		q.overflow = true
	}
	return ok
}

// covers is the comparison itself. Up to 7.0 the product wraps; later it is exact
// (SPEC-7x section 3.4). overflow tells that it left 64 bits.
func (b balance) covers(v Vtime, exact bool) (ok, overflow bool) {
	hi, lo := mulSigned(v.Sub(b.zero), b.weight)
	overflow = hi != int64(lo)>>63
	if !exact {
		return b.sum >= int64(lo), overflow
	}
	sumHi := b.sum >> 63
	return sumHi > hi || sumHi == hi && uint64(b.sum) >= lo, overflow
}

// looksEligibleNow answers for pictures: like eligible, but it remembers nothing.
func (m *Machine) looksEligibleNow(q *FairQueue, e *entity) bool {
	ok, _ := m.balanceOf(q).covers(e.vruntime, m.rules.exactEligible)
	return ok || !m.on(EnforceEligibility)
}

// sumAdd and sumSub count an entity in or out of the sums of its queue
// (avg_vruntime_add, avg_vruntime_sub).
func (m *Machine) sumAdd(q *FairQueue, e *entity) {
	if m.on(ParanoidAvg) && m.rules.fullWeight {
		m.sumAddParanoid(q, e)
		return
	}
	w := m.sumWeightOf(q, e)
	key := e.vruntime.Sub(q.zero)
	if overflows(key, w) {
		q.overflow = true
	}
	q.sum += key * int64(w)
	q.sumWeight += w
}

func (m *Machine) sumSub(q *FairQueue, e *entity) {
	w := m.sumWeightOf(q, e)
	q.sum -= e.vruntime.Sub(q.zero) * int64(w)
	q.sumWeight -= w
}

// maxSumShift is the largest sum_shift; beyond it the kernel gives up.
const maxSumShift = 10

// sumAddParanoid adds with overflow checks: on overflow all weights of the
// queue are halved once more and the sums built anew (SPEC-7x section 3.5).
func (m *Machine) sumAddParanoid(q *FairQueue, e *entity) {
	for !m.trySumAdd(q, e) {
		q.overflow = true
		if q.shift >= maxSumShift || !m.rebuildSums(q) {
			w := m.sumWeightOf(q, e)
			q.sum += e.vruntime.Sub(q.zero) * int64(w)
			q.sumWeight += w
			return
		}
	}
}

// rebuildSums adds every tree entity anew with a larger shift; it tells whether
// one was found at which nothing overflows.
func (m *Machine) rebuildSums(q *FairQueue) bool {
	for q.shift < maxSumShift {
		q.shift++
		q.sum, q.sumWeight = 0, 0
		fits := true
		for n := q.leftmost; n != NoEntity && fits; n = m.treeNext(n) {
			fits = m.trySumAdd(q, &m.ents[n])
		}
		if fits {
			return true
		}
	}
	return false
}

func (m *Machine) trySumAdd(q *FairQueue, e *entity) bool {
	w := m.sumWeightOf(q, e)
	key := e.vruntime.Sub(q.zero)
	p := key * int64(w)
	sum := q.sum + p
	if overflows(key, w) || (q.sum >= 0) == (p >= 0) && (sum >= 0) != (p >= 0) {
		return false
	}
	q.sum = sum
	q.sumWeight += w
	return true
}

// enterTree and leaveTree are __enqueue_entity and __dequeue_entity.
func (m *Machine) enterTree(q *FairQueue, e *entity) {
	m.sumAdd(q, e)
	m.recentre(q)
	m.treeInsert(q, e)
}

func (m *Machine) leaveTree(q *FairQueue, e *entity) {
	m.treeErase(q, e)
	m.sumSub(q, e)
	m.recentre(q)
}

// recentre moves the reference point to V (referenceTree). An entity that is
// being put counts twice here, in the sums and as current; one that is being
// set does not count at all (SPEC-7x section 3.2).
func (m *Machine) recentre(q *FairQueue) {
	if m.rules.reference == referenceTree {
		q.moveZero(m.meanKey(q))
	}
}
