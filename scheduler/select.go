package scheduler

// The choice of a CPU for a waking task (SPEC-SMP sections 3.3 to 3.5).

// wakeup is one choice: who wakes whom, from where.
type wakeup struct {
	waker, wakee TaskID // waker is NoTask for a timer on an idle CPU
	cpu          int    // the waking CPU
	prev         int    // where the wakee ran last
	sync         bool
	jiffies      uint64
	allowed      CPUSet
	load         func(TaskID) uint64 // task_h_load
}

// selectCPU is select_task_rq_fair for a wakeup.
func (m *Machine) selectCPU(w *wakeup) int {
	m.recordWakee(w)
	if m.wakesOnCurrent(w) {
		return m.chose(w, w.cpu, ReasonCPUSisCurrent)
	}
	affine := !m.wakesWide(w) && w.allowed.Has(w.cpu)
	target := w.prev
	if affine {
		for i := range m.multi.domains[w.cpu] {
			d := &m.multi.domains[w.cpu][i]
			if !d.span.Has(w.prev) {
				continue
			}
			if w.cpu != w.prev {
				target = m.wakeAffine(w, d)
			}
			break
		}
	}
	return m.selectIdleSibling(w, target)
}

// recordWakee is record_wakee: how often the waker changes its partner.
func (m *Machine) recordWakee(w *wakeup) {
	if w.waker == NoTask {
		return
	}
	p := &m.tasks[w.waker].partner
	if w.jiffies > p.flipDecay+uint64(m.cfg.HZ) {
		p.flips >>= 1
		p.flipDecay = w.jiffies
	}
	if p.lastWakee != w.wakee {
		p.lastWakee = w.wakee
		p.flips++
	}
}

// wakesWide is wake_wide: a waker of many, and a wakee that wakes many too, are
// not pulled together.
func (m *Machine) wakesWide(w *wakeup) bool {
	if w.waker == NoTask {
		return false
	}
	a, b := m.tasks[w.waker].partner.flips, m.tasks[w.wakee].partner.flips
	size := uint32(m.cache(w.cpu).span.Count())
	most, least := max(a, b), min(a, b)
	return least >= size && most >= least*size
}

// wakesOnCurrent is wake_on_current of the SIS_CURRENT proposal, as described:
// two short tasks that wake nobody but each other share the waker's CPU.
func (m *Machine) wakesOnCurrent(w *wakeup) bool {
	if !m.on(SisCurrent) || w.waker == NoTask || m.cpus[w.cpu].nr > 1 || !w.allowed.Has(w.cpu) {
		return false
	}
	a, b := &m.tasks[w.waker].partner, &m.tasks[w.wakee].partner
	short := func(p *wakePartner) bool { return p.durAvg != 0 && p.durAvg < int64(m.cfg.MigrationCost) }
	return short(a) && short(b) && a.flips == 0 && b.flips == 0 && a.lastWakee == w.wakee && b.lastWakee == w.waker
}

// wakeAffine is wake_affine: the waking CPU or the previous one.
func (m *Machine) wakeAffine(w *wakeup, d *domain) int {
	this, prev := w.cpu, w.prev
	if m.on(WaIdle) {
		rq := &m.cpus[this]
		switch {
		case m.idleCPU(this) && m.sharesCache(this, prev):
			if m.idleCPU(prev) {
				return m.affine(w, prev, ReasonAffinePrevIdle)
			}
			return m.affine(w, this, ReasonAffineThisIdle)
		case w.sync && rq.nr-m.queues[this].hDelayed == 1:
			return m.affine(w, this, ReasonAffineSync)
		case m.idleCPU(prev):
			return m.affine(w, prev, ReasonAffinePrevIdle)
		}
	}
	if m.on(WaWeight) && m.affineByWeight(w, d) {
		return this
	}
	return m.affine(w, prev, ReasonAffineUndecided)
}

// affineByWeight is wake_affine_weight: would the waking CPU be less loaded with
// the wakee than the previous one is without?
func (m *Machine) affineByWeight(w *wakeup, d *domain) bool {
	this := int64(m.queues[w.cpu].avg.load)
	if w.sync && w.waker != NoTask {
		own := int64(w.load(w.waker))
		if own > this {
			m.affine(w, w.cpu, ReasonAffineWeight)
			return true
		}
		this -= own
	}
	load := int64(w.load(w.wakee))
	this += load
	prev := int64(m.queues[w.prev].avg.load) - load
	if m.on(WaBias) {
		this *= 100
		prev *= 100 + (int64(d.pct)-100)/2
	}
	this *= cpuCapacity
	prev *= cpuCapacity
	if w.sync {
		prev++
	}
	if this >= prev {
		return false
	}
	m.affine(w, w.cpu, ReasonAffineWeight, Arg{ArgThisLoad, this}, Arg{ArgPrevLoad, prev})
	return true
}

func (m *Machine) affine(w *wakeup, cpu int, why Reason, args ...Arg) int {
	m.noteSelect(w, cpu, why, args...)
	return cpu
}

// selectIdleSibling is select_idle_sibling: an idle CPU near the target.
func (m *Machine) selectIdleSibling(w *wakeup, target int) int {
	prev := w.prev
	if m.acceptsWakee(target) {
		return m.chose(w, target, ReasonCPUTargetIdle)
	}
	if prev != target && m.sharesCache(prev, target) && m.acceptsWakee(prev) {
		return m.chose(w, prev, ReasonCPUPrevIdle)
	}
	p := &m.tasks[w.wakee].partner
	recent := int(p.recent)
	p.recent = int32(prev)
	if recent != prev && recent != target && m.sharesCache(recent, target) && m.acceptsWakee(recent) && w.allowed.Has(recent) {
		return m.chose(w, recent, ReasonCPURecent)
	}
	llc := m.cache(target)
	if llc.span.Count() == 1 {
		return m.chose(w, target, ReasonCPUNoIdle)
	}
	if m.multi.topology.Threads > 1 && !llc.idleCores && m.sharesCache(prev, target) {
		core := m.multi.core[prev]
		for s := core.Next(0); s >= 0; s = nextOrNone(&core, s+1) {
			if s != prev && w.allowed.Has(s) && m.acceptsWakee(s) {
				return m.chose(w, s, ReasonCPUSibling)
			}
		}
	}
	if cpu := m.selectIdleCPU(w, llc, target); cpu >= 0 {
		return cpu
	}
	return m.chose(w, target, ReasonCPUNoIdle)
}

// selectIdleCPU is select_idle_cpu: it scans the cache from the target on, at
// most nr_idle_scan CPUs unless an idle core is known; -1 if it finds none.
func (m *Machine) selectIdleCPU(w *wakeup, llc *cache, target int) int {
	left := int(^uint(0) >> 1)
	if m.on(SisUtil) {
		left = llc.idleScan + 1
		if left == 1 {
			m.noteSelect(w, target, ReasonScanLimit)
			return -1
		}
	}
	todo := llc.span.And(w.allowed)
	seen := todo
	fallback := -1
	for i := range len(m.cpus) {
		x := (target + 1 + i) % len(m.cpus)
		if !todo.Has(x) {
			continue
		}
		if m.multi.topology.Threads > 1 && llc.idleCores {
			if m.selectIdleCore(x, &todo, &seen, &fallback) {
				return m.chose(w, x, ReasonCPUIdleCore)
			}
			continue
		}
		left--
		if left <= 0 {
			m.noteSelect(w, target, ReasonScanLimit)
			return -1
		}
		if m.acceptsWakee(x) {
			return m.chose(w, x, ReasonCPUIdleFound)
		}
	}
	if m.multi.topology.Threads > 1 && llc.idleCores {
		llc.idleCores = false
	}
	if fallback >= 0 {
		return m.chose(w, fallback, ReasonCPUIdleFound)
	}
	return -1
}

// selectIdleCore is select_idle_core: true if all threads of x's core are idle.
// Otherwise the first idle thread seen becomes the fallback and the core leaves
// the scan.
func (m *Machine) selectIdleCore(x int, todo, seen *CPUSet, fallback *int) bool {
	idle := true
	core := m.multi.core[x]
	for s := core.Next(0); s >= 0; s = nextOrNone(&core, s+1) {
		if !m.idleCPU(s) {
			idle = false
			if *fallback >= 0 {
				break
			}
			if m.schedIdleCPU(s) && seen.Has(s) {
				*fallback = s
				break
			}
			continue
		}
		if *fallback < 0 && todo.Has(s) {
			*fallback = s
		}
	}
	if idle {
		return true
	}
	for s := core.Next(0); s >= 0; s = nextOrNone(&core, s+1) {
		todo.Remove(s)
	}
	return false
}

func (m *Machine) chose(w *wakeup, cpu int, why Reason) int {
	m.noteSelect(w, cpu, why)
	return cpu
}

func (m *Machine) noteSelect(w *wakeup, cpu int, why Reason, args ...Arg) {
	if m.rec == nil {
		return
	}
	e := m.ent(m.tasks[w.wakee].entity)
	m.note(StepSelect, why, m.rootQueue(int32(cpu)), e, NoEntity,
		append(args, Arg{ArgCPU, int64(cpu)}, Arg{ArgPrevCPU, int64(w.prev)}, Arg{ArgThisCPU, int64(w.cpu)})...)
}
