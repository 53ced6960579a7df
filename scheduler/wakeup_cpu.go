package scheduler

// WakeFrom is try_to_wake_up by a waking CPU, on a machine of several: it
// chooses the CPU of the wakee and queues it there, or sends it there by
// interrupt; then sent is true and Receive activates it (SPEC-SMP section 3.6).
// waker is NoTask for a timer.
func (m *Machine) WakeFrom(t, waker TaskID, cpu int, flags WakeFlags) (sent bool) {
	p := &m.tasks[t]
	if len(m.cpus) == 1 || p.onRQ != rqOff {
		m.Wake(t, flags)
		return false
	}
	p.sleeping = false
	p.stats.Wakeups++
	p.stats.Waiting, p.stats.WaitSince = true, m.now(int32(cpu))
	target, migrated := int(p.cpu), opFlags(0)
	w := wakeup{
		waker: waker, wakee: t, cpu: cpu, prev: int(p.cpu), sync: flags&WakeSync != 0,
		jiffies: m.jiffies(cpu), allowed: p.allowed, load: m.taskLoad,
	}
	if p.allowed.Count() > 1 {
		flags |= WakeRQSelected
		target = m.selectCPU(&w)
	} else {
		m.noteSelect(&w, p.allowed.Next(0), ReasonCPUPinned)
	}
	if !p.allowed.Has(target) {
		target = p.allowed.Next(0)
	}
	if target != int(p.cpu) {
		m.migrateAsleep(p, target)
		migrated = flagMigrated
	}
	if m.on(TtwuQueue) && (!m.sharesCache(cpu, target) || target != cpu && m.cpus[target].nr == 0) {
		m.cpus[target].pending++
		if m.rec != nil {
			e := m.ent(p.entity)
			m.note(StepSelect, ReasonQueuedRemote, m.queue(e.queue), e, NoEntity, Arg{ArgCPU, int64(target)})
		}
		p.migrated = migrated != 0
		return true
	}
	m.activate(p, migrated, flags)
	return false
}

// Receive is the interrupt that activates a task sent by WakeFrom.
func (m *Machine) Receive(t TaskID) {
	p := &m.tasks[t]
	m.cpus[p.cpu].pending--
	migrated := opFlags(0)
	if p.migrated {
		migrated = flagMigrated
	}
	m.activate(p, migrated, 0)
}

// CPUOf is the CPU that a task is on, or was on last.
func (m *Machine) CPUOf(t TaskID) int { return int(m.tasks[t].cpu) }

// activate is ttwu_do_activate: enqueue, preemption check, idle statistics.
func (m *Machine) activate(p *task, migrated opFlags, flags WakeFlags) {
	m.enqueueTask(p, flagWakeup|migrated)
	p.onRQ = rqQueued
	m.wakeupPreempt(p, flags)
	rq := &m.cpus[p.cpu]
	if rq.idleStamp != 0 {
		d := int64(rq.clock-rq.idleStamp) - int64(rq.avgIdle)
		rq.avgIdle = min(uint64(int64(rq.avgIdle)+d/8), 2*m.cfg.MigrationCost)
		rq.idleStamp = 0
	}
}

// migrateAsleep is migrate_task_rq_fair of a sleeper: its averages stay behind
// to be removed, aged to the present if its old CPU is idle (SPEC-SMP 6.2).
func (m *Machine) migrateAsleep(p *task, cpu int) {
	e := m.ent(p.entity)
	m.removeLoad(e)
	if old := int(p.cpu); m.idleCPU(old) && e.avg.advance(m.peltClock(m.queue(e.queue)), 0, 0, false) {
		e.avg.average(down(e.weight))
	}
	e.avg.last = 0
	if m.rec != nil {
		m.note(StepSelect, ReasonMigrated, m.queue(e.queue), e, NoEntity, Arg{ArgCPU, int64(cpu)}, Arg{ArgPrevCPU, int64(p.cpu)})
	}
	m.setTaskCPU(p, cpu)
}

// setTaskCPU is set_task_cpu of a task that is on no queue: it belongs to another
// CPU from now on.
func (m *Machine) setTaskCPU(p *task, cpu int) {
	p.cpu = int32(cpu)
	p.stats.Migrations++
	m.attachTo(p.entity, p.group, p.cpu)
}

// ForkCPU chooses the CPU of a new task that starts from a parent on cpu.
func (m *Machine) ForkCPU(t TaskID, cpu int) int {
	p := &m.tasks[t]
	p.partner = wakePartner{lastWakee: NoTask, recent: int32(cpu), flipDecay: m.jiffies(cpu)}
	if len(m.cpus) == 1 {
		return cpu
	}
	if p.allowed.Count() == 1 {
		return p.allowed.Next(0)
	}
	chosen := m.findIdlestCPU(&forkChoice{task: t, cpu: cpu, allowed: p.allowed, loads: m.loadOf})
	if !p.allowed.Has(chosen) {
		chosen = p.allowed.Next(0)
	}
	if m.rec != nil {
		m.note(StepSelect, ReasonCPUForkIdlest, m.rootQueue(int32(chosen)), m.ent(p.entity), NoEntity, Arg{ArgCPU, int64(chosen)})
	}
	return chosen
}

// SetAffinity restricts a task to a set of CPUs; it takes effect at its next
// placement.
func (m *Machine) SetAffinity(t TaskID, allowed CPUSet) { m.tasks[t].allowed = allowed }

// leaveForbidden moves a queued or running task off a CPU that it may not use any
// more; a running one gives way to the stopper first (SPEC-SMP section 6.1).
// SIMPLIFIED: the new CPU is the first allowed one.
func (m *Machine) leaveForbidden(t TaskID) {
	p := &m.tasks[t]
	from := int(p.cpu)
	if p.allowed.Has(from) || p.onRQ != rqQueued {
		return
	}
	running := m.cpus[from].curr == t
	if running {
		m.StartHigher(from)
	}
	to := p.allowed.Next(0)
	m.leave(t, to)
	m.attach(to, []TaskID{t})
	if running {
		m.EndHigher(from)
	}
}

// enterIdle notes that a CPU has gone idle: if its whole core is, wakeups may
// look for idle cores again.
func (m *Machine) enterIdle(cpu int) {
	if m.multi.topology.Threads <= 1 || m.cache(cpu).idleCores {
		return
	}
	core := m.multi.core[cpu]
	for s := core.Next(0); s >= 0; s = nextOrNone(&core, s+1) {
		if s != cpu && !m.idleCPU(s) {
			return
		}
	}
	m.cache(cpu).idleCores = true
}

// utilUnchanged marks a util_est whose task has had no update since.
const utilUnchanged = 1 << 31

// estimateIn and estimateOut keep the utilisation estimates of a CPU and a task
// (util_est_enqueue, util_est_dequeue, util_est_update; SPEC-SMP section 1.9),
// and the run lengths that SIS_CURRENT looks at.
func (m *Machine) estimateIn(p *task, e *entity, flags opFlags) {
	if len(m.cpus) == 1 || e.delayed && flags&(flagDelayed|flagWakeup) == 0 {
		return
	}
	m.queues[p.cpu].utilEst += uint64(p.utilEst &^ utilUnchanged)
}

func (m *Machine) estimateOut(p *task, e *entity, flags opFlags) {
	sleep := flags&flagSleep != 0
	if len(m.cpus) == 1 || e.delayed && !sleep {
		return
	}
	q := &m.queues[p.cpu]
	q.utilEst -= min(q.utilEst, uint64(p.utilEst&^utilUnchanged))
	if !sleep {
		return
	}
	m.measureRun(p, e)
	if p.utilEst&utilUnchanged != 0 {
		return
	}
	u, est := uint32(e.avg.util), p.utilEst
	switch {
	case est <= u:
		est = u
	case est-u < 10:
	case u > cpuCapacity:
		return
	case u+10 < uint32(e.avg.runnable):
	default:
		est = (4*est - (est - u)) >> 2
	}
	p.utilEst = est | utilUnchanged
}

// atLeastEstimate is what a CPU or task counts for: with UTIL_EST the estimate if
// that is more than the decayed utilisation.
func (m *Machine) atLeastEstimate(util, estimate uint64) uint64 {
	if m.on(UtilEst) {
		return max(util, estimate)
	}
	return util
}

// measureRun updates the average run time between two sleeps.
func (m *Machine) measureRun(p *task, e *entity) {
	m.updateCurr(m.queue(e.queue))
	d := int64(e.sumExec - p.partner.slept)
	p.partner.slept = e.sumExec
	p.partner.durAvg += (d - p.partner.durAvg) / 8
}
