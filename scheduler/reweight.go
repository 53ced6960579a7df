package scheduler

// reweight is reweight_entity in the form of the version, or of the fixlet of
// April 2023.
func (m *Machine) reweight(q *FairQueue, e *entity, weight uint64) {
	if m.on(ReweightResetsDeadline) {
		resetDeadline(m, q, e, weight)
		return
	}
	m.rules.reweight(m, q, e, weight)
}

// rescaleInPlace is reweight_entity of 6.6: vruntime stays, the distance to the
// deadline is scaled (SPEC-6.6-6.12.0 section 3.7). A waiting entity stays in
// its tree, which is ordered by vruntime.
func rescaleInPlace(m *Machine, q *FairQueue, e *entity, weight uint64) {
	old := int64(e.weight)
	waits := e.onRQ && q.curr != e.id
	switch {
	case waits:
		m.sumSub(q, e)
	case e.onRQ:
		m.updateCurr(q)
	}
	if e.onRQ {
		q.load -= e.weight
	}
	from := *e
	m.subLoad(q, e)
	if e.onRQ {
		e.deadline = e.vruntime.Add(div32(e.deadline.Sub(e.vruntime)*old, int64(weight)))
	} else {
		e.vlag = div32(e.vlag*old, int64(weight))
	}
	if waits {
		m.climb(e.id, NoEntity)
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		q.load += weight
	}
	if waits {
		m.sumAdd(q, e)
	}
	m.noteReweight(q, &from, e, m.peekV(q))
}

// resetDeadline is the reweight_entity of the April 2023 fixlet: vruntime stays,
// a new request begins there with the new weight (PROPOSALS f).
func resetDeadline(m *Machine, q *FairQueue, e *entity, weight uint64) {
	waits := e.onRQ && q.curr != e.id
	switch {
	case waits:
		m.leaveTree(q, e)
	case e.onRQ:
		m.updateCurr(q)
	}
	from := *e
	m.subLoad(q, e)
	if !e.onRQ {
		e.vlag = div32(e.vlag*int64(e.weight), int64(weight))
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		e.deadline = e.vruntime + Vtime(m.rules.calcDelta(e.slice, e))
		q.load += weight - from.weight
	}
	if waits {
		m.enterTree(q, e)
	}
	m.noteReweight(q, &from, e, m.peekV(q))
}

// rescaleAroundRest is reweight_entity of 6.7 and 6.8: vruntime and deadline
// keep their weighted distance from V without any bound. V does not count an
// entity that waits (SPEC-6.6-6.12.0 section 3.7).
func rescaleAroundRest(m *Machine, q *FairQueue, e *entity, weight uint64) {
	old, v := int64(e.weight), Vtime(0)
	waits := e.onRQ && q.curr != e.id
	switch {
	case waits:
		m.leaveTree(q, e)
	case e.onRQ:
		m.updateCurr(q)
	}
	if e.onRQ {
		q.load -= e.weight
	}
	from := *e
	m.subLoad(q, e)
	if e.onRQ {
		v = m.avgVruntime(q)
		if v != e.vruntime {
			e.vruntime = v.Add(-div32(v.Sub(e.vruntime)*old, int64(weight)))
		}
		e.deadline = v.Add(div32(e.deadline.Sub(v)*old, int64(weight)))
	} else {
		e.vlag = div32(e.vlag*old, int64(weight))
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		q.load += weight
	}
	if waits {
		m.enterTree(q, e)
	}
	if waits || e.onRQ && !m.rules.currKeepsMin {
		m.updateMin(q)
	}
	m.noteReweight(q, &from, e, v)
}

// rescaleAroundV is reweight_entity of 6.9 to 6.12: vruntime and deadline keep
// their weighted distance from V, the lag bounded with the old weight (SPEC-6.12
// section 13.3).
func rescaleAroundV(m *Machine, q *FairQueue, e *entity, weight uint64) {
	old, v := int64(e.weight), Vtime(0)
	if e.onRQ {
		m.updateCurr(q)
		v = m.avgVruntime(q)
		if q.curr != e.id {
			m.leaveTree(q, e)
		}
		q.load -= e.weight
	}
	from := *e
	m.subLoad(q, e)
	if e.onRQ {
		if v != e.vruntime {
			e.vruntime = v.Add(-div32(m.entityLag(q, v, e)*old, int64(weight)))
		}
		e.deadline = v.Add(div32(from.deadline.Sub(v)*old, int64(weight)))
	} else {
		e.vlag = div32(e.vlag*old, int64(weight))
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		q.load += weight
		if q.curr != e.id {
			m.enterTree(q, e)
		}
		m.updateMin(q)
	}
	m.noteReweight(q, &from, e, v)
}

// scaleAndPlace is reweight_entity of 6.13 to 7.0: the entity leaves, its lag and
// the distance to its deadline are scaled, and it is placed again, which
// inflates the lag (SPEC-7x section 6.2).
func scaleAndPlace(m *Machine, q *FairQueue, e *entity, weight uint64) {
	old, v := int64(e.weight), Vtime(0)
	from, left := *e, int64(0)
	protected := false
	if e.onRQ {
		m.updateCurr(q)
		from = *e
		protected = m.rules.scalesProtection && q.curr == e.id && m.rules.protected(e)
		left = e.vprot.Sub(e.vruntime)
		m.rules.storeLag(m, q, e)
		if m.rec != nil {
			v = m.peekV(q)
		}
		e.deadline -= e.vruntime
		e.relDeadline = true
		q.nr--
		if q.curr != e.id {
			m.leaveTree(q, e)
		}
		q.load -= e.weight
	}
	m.subLoad(q, e)
	e.vlag = div32(e.vlag*old, int64(weight))
	if e.relDeadline {
		e.deadline = Vtime(div32(int64(e.deadline)*old, int64(weight)))
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		m.placeEntity(q, e, 0)
		if protected {
			e.vprot = e.vruntime.Add(div32(left*old, int64(weight)))
		}
		q.load += weight
		if q.curr != e.id {
			m.enterTree(q, e)
		}
		q.nr++
		m.updateMin(q)
	}
	m.noteReweight(q, &from, e, v)
}

// rescaleConservingLag is reweight_entity from 7.1 on: weight times lag is
// kept, deadline and a running protection are scaled around V (SPEC-7x section
// 6.3). When the bound of the lag bites, vruntime is pulled towards V while
// deadline and protection are only scaled.
func rescaleConservingLag(m *Machine, q *FairQueue, e *entity, weight uint64) {
	old, v := int64(e.weight), Vtime(0)
	relProt := false
	from := *e
	if e.onRQ {
		m.updateCurr(q)
		v = m.avgVruntime(q)
		from = *e
		e.vlag = m.entityLag(q, v, e)
		e.deadline -= v
		e.relDeadline = true
		if q.curr == e.id && m.rules.protected(e) {
			e.vprot -= v
			relProt = true
		}
		q.nr--
		if q.curr != e.id {
			m.leaveTree(q, e)
		}
		q.load -= e.weight
	}
	m.subLoad(q, e)
	e.vlag = div64(e.vlag*old, int64(weight))
	if e.relDeadline {
		e.deadline = Vtime(div64(int64(e.deadline)*old, int64(weight)))
	}
	if relProt {
		e.vprot = Vtime(div64(int64(e.vprot)*old, int64(weight)))
	}
	m.setWeight(q, e, weight)
	if e.onRQ {
		if relProt {
			e.vprot += v
		}
		e.deadline += v
		e.relDeadline = false
		e.vruntime = v.Add(-e.vlag)
		q.load += weight
		if q.curr != e.id {
			m.enterTree(q, e)
		}
		q.nr++
	}
	m.noteReweight(q, &from, e, v)
}

// setWeight writes a new weight and recomputes the load average from its sum.
func (m *Machine) setWeight(q *FairQueue, e *entity, weight uint64) {
	e.weight, e.inverse = weight, 0
	e.avg.load = down(weight) * e.avg.loadSum / e.avg.divider()
	m.addLoad(q, e)
}

func (m *Machine) noteReweight(q *FairQueue, from, e *entity, v Vtime) {
	if m.rec == nil {
		return
	}
	if !e.onRQ {
		m.note(StepWeight, ReasonReweightedOff, q, e, NoEntity, Arg{ArgWeightFrom, int64(from.weight)}, Arg{ArgWeightTo, int64(e.weight)},
			Arg{ArgLag, from.vlag}, Arg{ArgLagTo, e.vlag})
		return
	}
	m.note(StepWeight, ReasonReweightedQueued, q, e, NoEntity, Arg{ArgWeightFrom, int64(from.weight)}, Arg{ArgWeightTo, int64(e.weight)},
		Arg{ArgV, int64(v)}, Arg{ArgVruntimeFrom, int64(from.vruntime)}, Arg{ArgVruntimeTo, int64(e.vruntime)},
		Arg{ArgDeadlineFrom, int64(from.deadline)}, Arg{ArgDeadlineTo, int64(e.deadline)},
		Arg{ArgVprotFrom, int64(m.vprot(from))}, Arg{ArgVprotTo, int64(m.vprot(e))})
}

// updateCfsGroup is update_cfs_group: a group entity takes the weight that its
// share of the group's load gives it. From 6.12.y on an emptied group keeps its
// weight, and a throttled one always does; 6.6 writes the weight even if it is the
// old one.
func (m *Machine) updateCfsGroup(e *entity) {
	if e.isTask() {
		return
	}
	own := m.queue(e.own)
	if own.load == 0 && m.rules.keepsEmptyWeight || m.throttledBranch(own) {
		return
	}
	if shares := m.groupShares(own); shares != e.weight || m.rules.rewritesWeight {
		m.reweight(m.queue(e.queue), e, shares)
	}
}

// groupShares is calc_group_shares: tg.shares * load / (load of the whole group),
// within [2, tg.shares] (SPEC-6.12 section 13.2).
func (m *Machine) groupShares(own *FairQueue) uint64 {
	g := &m.groups[own.group]
	load, shares := m.shareOf(own)
	if m.rec != nil && uint64(shares) != m.ents[own.owner].weight {
		m.note(StepShares, ReasonShares, own, m.ownerOf(own), NoEntity, Arg{ArgShares, int64(g.shares)},
			Arg{ArgOwnLoad, load}, Arg{ArgTgLoad, g.loadAvg}, Arg{ArgContrib, own.share.contrib}, Arg{ArgWeightTo, shares})
	}
	return uint64(shares)
}

// shareOf is the load that a queue brings into the formula of groupShares, and
// the weight that comes out of it.
func (m *Machine) shareOf(own *FairQueue) (load, shares int64) {
	g := &m.groups[own.group]
	load = max(int64(down(own.load)), int64(own.avg.load))
	whole := g.loadAvg - own.share.contrib + load
	shares = int64(g.shares) * load
	if whole != 0 {
		shares /= whole
	}
	return load, min(max(shares, 2), int64(g.shares))
}
