package scheduler

// Slice protection: how long the running entity is kept by RUN_TO_PARITY.

// protectByToken marks the whole request as protected: vlag := deadline. The
// mark is lost when the deadline moves (up to 6.16, SPEC-6.12 section 8.4).
func protectByToken(m *Machine, q *FairQueue, e *entity) {
	e.vlag = int64(e.deadline)
	if m.rec != nil {
		m.note(StepProtect, ReasonProtectToken, q, e, NoEntity, Arg{ArgDeadline, int64(e.deadline)})
	}
}

func tokenHolds(e *entity) bool { return e.vlag == int64(e.deadline) }

func cancelToken(m *Machine, q *FairQueue, e *entity) {
	if !tokenHolds(e) {
		return
	}
	e.vlag = int64(e.deadline + 1)
	m.noteCancel(q, e, Arg{ArgDeadline, int64(e.deadline)})
}

func (m *Machine) noteCancel(q *FairQueue, e *entity, arg Arg) {
	if m.rec != nil {
		m.note(StepProtect, ReasonProtectCancelled, q, e, NoEntity, arg)
	}
}

// vprot and setVprot are the end of the protected slice; until 6.19 it shares
// its storage with vlag.
func (m *Machine) vprot(e *entity) Vtime {
	if m.rules.vprotInVlag {
		return Vtime(e.vlag)
	}
	return e.vprot
}

func (m *Machine) setVprot(e *entity, v Vtime) {
	if m.rules.vprotInVlag {
		e.vlag = int64(v)
		return
	}
	e.vprot = v
}

// protectByVprot is set_protect_slice: the slice is protected up to the
// smallest slice of the others (RUN_TO_PARITY) or the normalised base slice
// (SPEC-7x section 8.2). e has left the tree and is not current yet.
func protectByVprot(m *Machine, q *FairQueue, e *entity) {
	s, why := m.cfg.NBase, ReasonProtectQuantum
	if m.on(RunToParity) || m.on(RespectSlice) {
		s, why = m.minSlice(q), ReasonProtectMinSlice
	}
	s = min(s, e.slice)
	p := e.deadline
	if s != e.slice {
		p = minVtime(p, e.vruntime+Vtime(m.rules.calcDelta(s, e)))
	}
	if p == e.deadline {
		why = ReasonProtectDeadline
	}
	m.setVprot(e, p)
	if m.rec != nil {
		m.note(StepProtect, why, q, e, NoEntity,
			Arg{ArgVprotTo, int64(p)}, Arg{ArgMinSlice, int64(s)}, Arg{ArgDeadline, int64(e.deadline)})
	}
}

// vprotAhead is protect_slice; vlagAhead the same while vprot is stored in vlag
// (6.17 to 6.19).
func vprotAhead(e *entity) bool { return e.vruntime.Before(e.vprot) }

func vlagAhead(e *entity) bool { return e.vruntime.Before(Vtime(e.vlag)) }

// cancelVprot is cancel_protect_slice.
func cancelVprot(m *Machine, q *FairQueue, e *entity) {
	if !m.rules.protected(e) {
		return
	}
	from := m.vprot(e)
	m.setVprot(e, e.vruntime)
	m.noteCancel(q, e, Arg{ArgVprotFrom, int64(from)})
}

// shortenProtection is update_protect_slice: after a wakeup check that kept the
// runner, a shorter slice in the queue bounds its protection.
func (m *Machine) shortenProtection(q *FairQueue, e *entity) {
	from, s := m.vprot(e), m.minSlice(q)
	to := minVtime(from, e.vruntime+Vtime(m.rules.calcDelta(s, e)))
	m.setVprot(e, to)
	if m.rec == nil {
		return
	}
	why := ReasonProtectKept
	if to != from {
		why = ReasonProtectShortened
	}
	m.note(StepProtect, why, q, e, NoEntity, Arg{ArgVprotFrom, int64(from)}, Arg{ArgVprotTo, int64(to)}, Arg{ArgMinSlice, int64(s)})
}
