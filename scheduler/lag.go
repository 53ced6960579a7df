package scheduler

// limitByOwnSlice bounds a lag by twice the entity's slice, at least one tick
// (up to 6.19). With SCHED_QUANTA the base slice counts like the tick.
func limitByOwnSlice(m *Machine, _ *FairQueue, e *entity) uint64 {
	floor := m.tick
	if m.on(SchedQuanta) {
		floor = max(floor, m.cfg.BaseSlice)
	}
	return m.rules.calcDelta(max(2*e.slice, floor), e)
}

// limitByLongestSlice bounds a lag by the longest slice of the queue plus one
// tick (7.0+, SPEC-7x section 4.1).
func limitByLongestSlice(m *Machine, q *FairQueue, e *entity) uint64 {
	tick := m.tick
	if m.on(SchedQuanta) {
		tick = max(tick, m.cfg.BaseSlice)
	}
	return m.rules.calcDelta(m.maxSlice(q)+tick, e)
}

// entityLag is entity_lag: V - vruntime within the bound.
func (m *Machine) entityLag(q *FairQueue, v Vtime, e *entity) int64 {
	lag := v.Sub(e.vruntime)
	if !m.on(LagClamp) {
		m.noteLag(q, e, ReasonLagKept, v, lag, lag, 0)
		return lag
	}
	limit := int64(m.rules.lagLimit(m, q, e))
	clamped := min(max(lag, -limit), limit)
	why := ReasonLagKept
	if clamped != lag {
		why = ReasonLagClamped
	}
	m.noteLag(q, e, why, v, lag, clamped, limit)
	return clamped
}

func (m *Machine) noteLag(q *FairQueue, e *entity, why Reason, v Vtime, lag, to, limit int64) {
	if m.rec != nil {
		m.note(StepLag, why, q, e, NoEntity, Arg{ArgV, int64(v)}, Arg{ArgVruntime, int64(e.vruntime)},
			Arg{ArgLag, lag}, Arg{ArgLagTo, to}, Arg{ArgLimit, limit})
	}
}

// storeLagPlain is update_entity_lag up to 7.0. The entity still counts in V.
// The result, whether the stored lag implies another place, is used from 7.1 on.
func storeLagPlain(m *Machine, q *FairQueue, e *entity) bool {
	e.vlag = m.entityLag(q, m.avgVruntime(q), e)
	return false
}

// storeLagNotLowered is update_entity_lag from 7.1 on: the negative lag of a
// delayed entity only shrinks, and with DELAY_ZERO never becomes positive
// (SPEC-7x section 4.2).
func storeLagNotLowered(m *Machine, q *FairQueue, e *entity) bool {
	v := m.avgVruntime(q)
	lag := m.entityLag(q, v, e)
	if e.delayed {
		if lag < e.vlag {
			m.noteLag(q, e, ReasonLagNotLowered, v, lag, e.vlag, 0)
			lag = e.vlag
		}
		if m.on(DelayZero) && lag > 0 {
			m.noteLag(q, e, ReasonLagZeroed, v, lag, 0, 0)
			lag = 0
		}
	}
	e.vlag = lag
	return v.Add(-lag) != e.vruntime
}

// zeroPositiveLag ends a delayed dequeue up to 7.0: DELAY_ZERO drops a positive
// lag.
func zeroPositiveLag(m *Machine, q *FairQueue, e *entity) {
	if m.on(DelayZero) && e.vlag > 0 {
		m.noteLag(q, e, ReasonLagZeroed, m.peekV(q), e.vlag, 0, 0)
		e.vlag = 0
	}
}
