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

// avgVruntime is avg_vruntime: V, the 0-lag point of the queue, the floor of
// the weighted mean of all vruntimes. It moves the reference point there
// (SPEC-6.12 section 3, SPEC-7x section 3.3).
func (m *Machine) avgVruntime(q *FairQueue) Vtime {
	d := m.meanKey(q)
	q.sum -= int64(q.sumWeight) * d
	q.zero = q.zero.Add(d)
	return q.zero
}

// peekV is V without moving the reference point, for frames.
func (m *Machine) peekV(q *FairQueue) Vtime { return q.zero.Add(m.meanKey(q)) }

// meanKey is the floor of sum/weight over tree and current, or the key of the
// running entity when nobody waits.
func (m *Machine) meanKey(q *FairQueue) int64 {
	if q.sumWeight == 0 {
		if c := m.current(q); c != nil {
			return c.vruntime.Sub(q.zero)
		}
		return 0
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
	m.treeInsert(q, e)
}

func (m *Machine) leaveTree(q *FairQueue, e *entity) {
	m.treeErase(q, e)
	m.sumSub(q, e)
}
