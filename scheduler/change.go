package scheduler

// changeTask is the kernel's pattern for every change of a task: off the queue,
// off the CPU, change, back (SPEC-6.12 section 12). Lag and, from 6.12 on, the
// distance to the deadline survive it. flags is flagSave for a nice change.
func (m *Machine) changeTask(t TaskID, flags opFlags, change func(p *task, e *entity)) {
	p := &m.tasks[t]
	queued, running := p.onRQ == rqQueued, m.cpus[p.cpu].curr == t
	if queued {
		m.dequeueTask(p, flags)
	}
	if running {
		m.putTask(p)
	}
	change(p, m.ent(p.entity))
	if queued {
		m.enqueueTask(p, 0)
	}
	if running {
		m.setTask(p, false)
	}
}

// SetNice is set_user_nice; nice is -20 ... 19.
func (m *Machine) SetNice(t TaskID, nice int) {
	old := m.tasks[t].nice
	if int(old) == nice {
		return
	}
	m.changeTask(t, flagSave, func(p *task, e *entity) {
		p.nice = int8(nice)
		m.setLoadWeight(p, e)
	})
	m.noteTask(t, ReasonNiceSet, Arg{ArgFrom, int64(old)}, Arg{ArgValue, int64(nice)})
	m.prioChanged(t, old)
}

// setLoadWeight is set_load_weight: the reweight of a task that is off its
// queue, and the inverse from the table. Up to 6.10 the weight of the idle policy
// is written as it is: lag and load average keep the old one.
func (m *Machine) setLoadWeight(p *task, e *entity) {
	weight := NiceLoad(int(p.nice), p.policy)
	if p.policy == PolicyIdle && m.rules.writesIdleWeight {
		e.weight = weight
	} else {
		m.reweight(m.queue(e.queue), e, weight)
	}
	e.inverse = tableInverse(p)
}

// prioChanged is prio_changed_fair.
func (m *Machine) prioChanged(t TaskID, old int8) {
	p := &m.tasks[t]
	if p.nice == old || p.onRQ != rqQueued || m.rootQueue(p.cpu).nr == 1 {
		return
	}
	m.noteTask(t, ReasonPrioChecked)
	if m.cpus[p.cpu].curr != t {
		m.wakeupPreempt(p, 0)
		return
	}
	if p.nice > old {
		m.resched(p.cpu)
	}
}

// SetScheduler is sched_setscheduler within the fair class; nice is taken over
// unless the policy is SCHED_IDLE. A custom slice stays.
func (m *Machine) SetScheduler(t TaskID, policy Policy, nice int) {
	old := m.tasks[t].nice
	if policy == PolicyIdle && m.tasks[t].policy == PolicyIdle {
		return
	}
	m.changeTask(t, 0, func(p *task, e *entity) {
		p.policy = policy
		if policy != PolicyIdle {
			p.nice = int8(nice)
			if !e.customSlice {
				e.slice = m.cfg.BaseSlice
			}
		}
		m.setLoadWeight(p, e)
	})
	m.noteTask(t, ReasonPolicySet, Arg{ArgValue, int64(policy)})
	m.prioChanged(t, old)
}

// SetSlice is sched_setattr with sched_runtime in ns: a custom slice, bounded to
// MinCustomSlice ... MaxCustomSlice, or 0 to remove it.
func (m *Machine) SetSlice(t TaskID, slice uint64) {
	from := m.ent(m.tasks[t].entity).slice
	m.changeTask(t, 0, func(p *task, e *entity) {
		p.slice = slice
		e.customSlice, e.slice = slice != 0, m.cfg.BaseSlice
		if slice != 0 {
			e.slice = min(max(slice, MinCustomSlice), MaxCustomSlice)
		}
		m.setLoadWeight(p, e)
	})
	m.noteTask(t, ReasonSliceSet, Arg{ArgFrom, int64(from)}, Arg{ArgValue, int64(slice)})
}

// MoveGroup is sched_move_task: the task becomes a member of another group.
func (m *Machine) MoveGroup(t TaskID, g GroupID) {
	m.changeTask(t, 0, func(p *task, e *entity) {
		m.detachChain(e)
		e.avg.last = 0
		p.group, e.group = g, g
		m.attachTo(e.id, g, p.cpu)
		m.attachChain(e)
	})
	p := &m.tasks[t]
	m.noteTask(t, ReasonGroupMoved, Arg{ArgValue, int64(g)})
	if m.cpus[p.cpu].curr == t {
		m.resched(p.cpu)
	}
}

// SetShares writes the scaled tg.shares of a group and reweights its entities
// (SPEC-6.12 section 13.2). Not for an idle group.
func (m *Machine) SetShares(g GroupID, shares uint64) {
	group := &m.groups[g]
	if group.shares == shares {
		return
	}
	from := group.shares
	group.shares = shares
	for cpu := range m.cpus {
		for e := m.ownerOf(m.queue(m.queueOf(g, int32(cpu)))); e != nil; e = m.parentOf(e) {
			m.updateLoadAvg(m.queue(e.queue), e, updateTg)
			m.updateCfsGroup(e)
		}
	}
	if m.rec != nil {
		q := m.queue(m.queueOf(g, 0))
		m.note(StepEdit, ReasonSharesSet, q, m.ownerOf(q), NoEntity, Arg{ArgFrom, int64(from)}, Arg{ArgShares, int64(shares)})
	}
}

// SetGroupIdle writes cpu.idle of a group: its entities count as idle and get
// the weight of a SCHED_IDLE task; back, the default weight (SPEC-6.12 1.4).
func (m *Machine) SetGroupIdle(g GroupID, idle bool) {
	if m.groups[g].idle == idle {
		return
	}
	m.groups[g].idle = idle
	sign := int32(-1)
	shares := uint64(NiceZeroLoad)
	if idle {
		sign, shares = 1, idleGroupShares
	}
	for cpu := range m.cpus {
		q := m.queue(m.queueOf(g, int32(cpu)))
		q.idle = idle
		m.countGroupIdle(q, sign)
	}
	if m.rec != nil {
		q := m.queue(m.queueOf(g, 0))
		m.note(StepEdit, ReasonGroupIdleSet, q, m.ownerOf(q), NoEntity, Arg{ArgValue, int64(sign)})
	}
	m.SetShares(g, shares)
}

// countGroupIdle moves the tasks below a queue whose cpu.idle changed into or
// out of the idle counters above it.
func (m *Machine) countGroupIdle(own *FairQueue, sign int32) {
	e := m.ownerOf(own)
	if e.onRQ {
		m.queue(e.queue).nrIdle += sign
	}
	d := sign * (own.hQueued - own.hIdle)
	for ; e != nil && e.onRQ; e = m.parentOf(e) {
		q := m.queue(e.queue)
		q.hIdle += d
		if q.idle {
			return
		}
	}
}

// SetFeature switches a feature.
func (m *Machine) SetFeature(s FeatureSetting) {
	m.features = m.features.With(s.Feature, s.On)
	m.noteMachine(ReasonFeatureSwitched, Arg{ArgValue, int64(s.Feature)})
}

// SetBaseSlice writes base_slice_ns; it takes effect at each entity's next
// request or placement.
func (m *Machine) SetBaseSlice(ns uint64) {
	from := m.cfg.BaseSlice
	m.cfg.BaseSlice = ns
	m.noteMachine(ReasonBaseSliceSet, Arg{ArgFrom, int64(from)}, Arg{ArgSlice, int64(ns)})
}

// SetNBase, SetMigrationCost and SetPreempt write further tunables: the
// normalised base slice and the migration cost in ns, and the preemption model.
func (m *Machine) SetNBase(ns uint64) { m.cfg.NBase = ns }

// SetMigrationCost writes sysctl_sched_migration_cost, ns.
func (m *Machine) SetMigrationCost(ns uint64) { m.cfg.MigrationCost = ns }

// SetPreempt chooses the preemption model.
func (m *Machine) SetPreempt(model PreemptModel) { m.cfg.Preempt = model }

func (m *Machine) noteTask(t TaskID, why Reason, args ...Arg) {
	if m.rec != nil {
		e := m.ent(m.tasks[t].entity)
		m.note(StepEdit, why, m.queue(e.queue), e, NoEntity, args...)
	}
}

func (m *Machine) noteMachine(why Reason, args ...Arg) {
	if m.rec != nil {
		m.note(StepEdit, why, m.rootQueue(0), nil, NoEntity, args...)
	}
}
