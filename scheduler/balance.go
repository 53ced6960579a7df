package scheduler

// Load balancing between CPUs (SPEC-SMP section 5). SIMPLIFIED parts are marked.

// balancePass is one call of sched_balance_rq.
type balancePass struct {
	dst       int
	level     int
	kind      idleKind
	cpus      CPUSet // CPUs still considered as source
	plan      balancePlan
	failed    uint32
	replace   int  // a CPU of the local group for tasks that may not run on dst
	some, all bool // SOME_PINNED, ALL_PINNED
	active    bool
}

// updateBlocked is sched_balance_update_blocked_averages: all queues of a CPU
// are aged, children before parents, without reweighting (SPEC-SMP 1.7,
// BLOCKED).
func (m *Machine) updateBlocked(cpu int) {
	for g := len(m.groups) - 1; g >= 0; g-- {
		q := m.queue(m.queueOf(GroupID(g), int32(cpu)))
		if m.updateQueueAvg(q, m.peltClock(q)) {
			m.updateTgLoad(q)
		}
		e := m.ownerOf(q)
		if e != nil && (e.avg.load != 0 || e.avg.util != 0 || q.share.propagate) {
			m.updateLoadAvg(m.queue(e.queue), e, updateTg)
		}
	}
}

// Balance is the balance softirq of a CPU: its averages are aged, then every
// domain that is due is balanced, bottom up (SPEC-SMP section 5.1).
func (m *Machine) Balance(cpu int) {
	m.updateBlocked(cpu)
	m.balanceDomains(cpu, m.jiffies(cpu))
}

// BalanceDue tells whether a CPU's balance softirq is raised at this tick.
func (m *Machine) BalanceDue(cpu int) bool {
	return m.jiffies(cpu) >= m.cpus[cpu].nextBalance
}

// balanceDomains is sched_balance_domains; now is in jiffies.
func (m *Machine) balanceDomains(cpu int, now uint64) {
	busy := !m.acceptsWakee(cpu)
	next := now + 60*uint64(m.cfg.HZ)
	for l := range m.multi.domains[cpu] {
		s := m.level(cpu, l)
		if now > s.costDecay+uint64(m.cfg.HZ) {
			s.cost, s.costDecay = s.cost*253/256, now
		}
		goOn := true
		interval := m.balanceInterval(s, busy)
		if now >= s.last+interval {
			kind := cpuIdle
			if busy {
				kind = cpuBusy
			}
			var moved int
			if moved, goOn = m.balance(cpu, l, kind); moved > 0 {
				busy = !m.acceptsWakee(cpu)
			}
			s.last = now
			interval = m.balanceInterval(s, busy)
		}
		next = min(next, s.last+interval)
		if !goOn {
			break
		}
	}
	m.cpus[cpu].nextBalance = next
}

// balanceInterval is get_sd_balance_interval, in jiffies.
func (m *Machine) balanceInterval(s *levelState, busy bool) uint64 {
	ms := s.interval
	if busy {
		ms *= 16
	}
	j := (ms*uint64(m.cfg.HZ) + 999) / 1000
	if busy {
		j--
	}
	most := max(1, uint64(m.cfg.HZ)*uint64(len(m.cpus))/10)
	return min(max(j, 1), most)
}

// newidle is sched_balance_newidle: a CPU that found nothing to run looks for
// tasks elsewhere; true if some came. SIMPLIFIED: looking takes no time, so its
// cost never forbids it, and NI_RANDOM's dice are not rolled.
func (m *Machine) newidle(cpu int) bool {
	rq := &m.cpus[cpu]
	if !m.cfg.Balance || len(m.cpus) == 1 || rq.pending > 0 {
		rq.idleStamp = rq.clock
		return false
	}
	rq.idleStamp = rq.clock
	if !m.multi.overload {
		for l := range m.multi.domains[cpu] {
			s := m.level(cpu, l)
			rq.nextBalance = min(rq.nextBalance, s.last+m.balanceInterval(s, false))
			break
		}
		m.noteBalance(cpu, ReasonNewidleSkipped)
		return false
	}
	m.updateBlocked(cpu)
	for l := range m.multi.domains[cpu] {
		if moved, _ := m.balance(cpu, l, cpuNewlyIdle); moved > 0 || m.queues[cpu].hQueued > 0 {
			rq.idleStamp = 0
			return true
		}
	}
	return false
}

// balance is sched_balance_rq: at one level, pull from the busiest CPU of the
// busiest group. goOn is false if this CPU is not the one to balance here.
func (m *Machine) balance(dst, level int, kind idleKind) (moved int, goOn bool) {
	d := &m.multi.domains[dst][level]
	p := balancePass{dst: dst, level: level, kind: kind, cpus: d.span, replace: -1}
	if kind != cpuNewlyIdle && !m.shouldBalance(dst, d) {
		return 0, false
	}
	s := m.level(dst, level)
	for {
		p.failed, p.some, p.all, p.replace = s.failed, false, true, -1
		p.plan = m.planBalance(&p, d)
		if p.plan.source < 0 {
			m.balanced(&p, s, false)
			return 0, true
		}
		moved = m.pull(&p, d)
		if moved > 0 || !p.all || m.cpus[p.plan.source].nr <= 1 {
			break
		}
		p.cpus.Remove(p.plan.source)
		if p.cpus.Empty() {
			m.balanced(&p, s, true)
			return 0, true
		}
	}
	m.noteBalanced(&p, moved)
	if moved == 0 {
		m.pullFailed(&p, s, d)
	} else {
		s.failed = 0
	}
	s.interval = uint64(d.weight)
	return moved, true
}

// shouldBalance is should_we_balance: of the local group, the first idle CPU of
// a wholly idle core, else the first idle one, else the first one.
func (m *Machine) shouldBalance(dst int, d *domain) bool {
	set := d.groups[0]
	idle := -1
	skip := CPUSet{}
	for cpu := set.Next(0); cpu >= 0; cpu = nextOrNone(&set, cpu+1) {
		if skip.Has(cpu) || !m.idleCPU(cpu) {
			continue
		}
		if d.level != LevelSMT && !m.coreIdle(cpu) {
			if idle < 0 {
				idle = cpu
			}
			for i, w := range m.multi.core[cpu] {
				skip[i] |= w
			}
			continue
		}
		return cpu == dst
	}
	if idle >= 0 {
		return idle == dst
	}
	return set.Next(0) == dst
}

func (m *Machine) coreIdle(cpu int) bool {
	core := m.multi.core[cpu]
	for s := core.Next(0); s >= 0; s = nextOrNone(&core, s+1) {
		if !m.idleCPU(s) {
			return false
		}
	}
	return true
}

// planBalance decides at a level and writes what the decision leaves behind: the
// scan limit of wakeups and, at the top, whether any CPU has too much to do.
func (m *Machine) planBalance(p *balancePass, d *domain) balancePlan {
	in := balanceInput{
		domain: d, idle: p.kind, loads: m.loadOf, llcSize: m.cache(p.dst).span.Count(), sisUtil: m.on(SisUtil),
		imbalanced: func(g int) bool { return *m.mark(p.level, &d.groups[g]) },
	}
	for cpu := d.span.Next(0); cpu >= 0; cpu = nextOrNone(&d.span, cpu+1) {
		if !p.cpus.Has(cpu) {
			in.skip.Add(cpu)
		}
	}
	plan := decideBalance(&in)
	if plan.idleScan >= 0 {
		m.cache(p.dst).idleScan = plan.idleScan
	}
	if p.level == len(m.multi.domains[p.dst])-1 {
		m.multi.overload = false
		for cpu := d.span.Next(0); cpu >= 0; cpu = nextOrNone(&d.span, cpu+1) {
			if m.cpus[cpu].nr > 1 {
				m.multi.overload = true
			}
		}
	}
	return plan
}

// mark is the imbalanced flag of a group at a level.
func (m *Machine) mark(level int, group *CPUSet) *bool {
	return &m.multi.marked[level*len(m.cpus)+group.Next(0)]
}

// balanced ends a pass that pulls nothing because nothing is out of balance, or
// because everybody is pinned.
func (m *Machine) balanced(p *balancePass, s *levelState, pinned bool) {
	m.noteBalance(p.dst, ReasonBalanced)
	if !pinned {
		if parent := p.level + 1; parent < len(m.multi.domains[p.dst]) {
			*m.mark(parent, &m.multi.domains[p.dst][parent].groups[0]) = false
		}
	}
	s.failed = 0
	most := 2 * uint64(m.multi.domains[p.dst][p.level].weight)
	if pinned {
		most = 512
	}
	if p.kind != cpuNewlyIdle && s.interval < most {
		s.interval *= 2
	}
}

// pullFailed ends a pass that found an imbalance but could move nobody: after
// some of them the running task of the source is pushed.
func (m *Machine) pullFailed(p *balancePass, s *levelState, d *domain) {
	if p.kind != cpuNewlyIdle {
		s.failed++
	}
	if p.plan.kind != moveTask || int(s.failed) <= d.niceTries+2 {
		return
	}
	rq := &m.cpus[p.plan.source]
	if rq.curr == NoTask || !m.tasks[rq.curr].allowed.Has(p.dst) {
		return
	}
	s.failed = 0
	m.activeBalance(p, d)
}

// pull is detach_tasks and attach_tasks: it moves tasks from the planned source
// and counts them.
func (m *Machine) pull(p *balancePass, d *domain) int {
	moved := 0
	left := int64(p.plan.amount)
	for {
		list := m.detach(p, d, &left)
		m.attach(p.dst, list)
		moved += len(list)
		if p.some && left > 0 {
			if parent := p.level + 1; parent < len(m.multi.domains[p.dst]) {
				*m.mark(parent, &m.multi.domains[p.dst][parent].groups[0]) = true
			}
		}
		if left <= 0 || p.replace < 0 || p.kind == cpuNewlyIdle {
			return moved
		}
		p.cpus.Remove(p.dst)
		p.dst, p.replace, p.some = p.replace, -1, false
	}
}

// maxLooks is how many tasks a detach looks at (sched_nr_migrate).
const maxLooks = 32

// detach takes tasks off the source, the least recently run first, until the
// imbalance is gone.
func (m *Machine) detach(p *balancePass, d *domain, left *int64) []TaskID {
	src := &m.cpus[p.plan.source]
	if src.nr <= 1 {
		return nil
	}
	var list []TaskID
	for looks := min(maxLooks, int(src.nr)); looks > 0 && *left > 0; looks-- {
		if p.kind != cpuBusy && src.nr <= 1 {
			break
		}
		t := m.leastRecent(p.plan.source)
		if t == NoTask {
			break
		}
		size, ok := m.movable(p, d, t, *left)
		if !ok {
			m.touchTask(t)
			continue
		}
		m.leave(t, p.dst)
		list = append(list, t)
		*left -= size
		if p.kind == cpuNewlyIdle {
			break
		}
	}
	return list
}

// leastRecent is the tail of a CPU's task list: enqueue and running move a task
// to its head.
func (m *Machine) leastRecent(cpu int) TaskID {
	best := NoTask
	for i := range m.tasks {
		t := &m.tasks[i]
		if int(t.cpu) == cpu && m.ents[t.entity].onRQ && (best == NoTask || t.stamp < m.tasks[best].stamp) {
			best = TaskID(i)
		}
	}
	return best
}

// touchTask moves a task to the head of its CPU's list.
func (m *Machine) touchTask(t TaskID) {
	m.stamp++
	m.tasks[t].stamp = m.stamp
}

// movable tells whether a task may be pulled and how much of the imbalance it
// takes.
func (m *Machine) movable(p *balancePass, d *domain, t TaskID, left int64) (int64, bool) {
	if !m.canMigrate(p, d, t) {
		return 0, false
	}
	shift := min(p.failed, 63)
	switch p.plan.kind {
	case moveLoad:
		l := int64(max(m.taskLoad(t), 1))
		if m.on(LbMin) && l < 16 && p.failed == 0 || l>>shift > left {
			return 0, false
		}
		return l, true
	case moveUtil:
		e := m.ent(m.tasks[t].entity)
		u := int64(m.atLeastEstimate(e.avg.util, uint64(m.tasks[t].utilEst&^utilUnchanged)))
		return u, u>>shift <= left
	case moveTask:
	}
	return 1, true
}

// canMigrate is can_migrate_task.
func (m *Machine) canMigrate(p *balancePass, d *domain, t TaskID) bool {
	task := &m.tasks[t]
	e := m.ent(task.entity)
	q := m.queue(e.queue)
	target := m.queue(m.queueOf(task.group, int32(p.dst)))
	if m.throttledBranch(q) || m.throttledBranch(target) {
		return false
	}
	if m.rules.countsRunnable {
		if e.delayed && p.plan.kind != moveLoad {
			return false
		}
		if p.failed == 0 && m.on(PlaceLag) && target.nr > 0 && !m.eligible(q, e) {
			return false
		}
	}
	if !task.allowed.Has(p.dst) {
		p.some = true
		if p.kind != cpuNewlyIdle && !p.active && p.replace < 0 {
			both := d.groups[0].And(task.allowed)
			both = both.And(p.cpus)
			p.replace = both.Next(0)
		}
		return false
	}
	p.all = false
	if m.cpus[task.cpu].curr == t {
		return false
	}
	return p.active || int(p.failed) > d.niceTries || !m.cacheHot(p, d, t)
}

// cacheHot is task_hot.
func (m *Machine) cacheHot(p *balancePass, d *domain, t TaskID) bool {
	task := &m.tasks[t]
	e := m.ent(task.entity)
	switch {
	case task.policy == PolicyIdle || d.level == LevelSMT:
		return false
	case m.on(CacheHotBuddy) && m.cpus[p.dst].nr > 0 && m.queue(e.queue).next == e.id:
		return true
	case m.cfg.MigrationCost == 0:
		return false
	}
	return int64(m.cpus[task.cpu].clockTask-e.execStart) < int64(m.cfg.MigrationCost)
}

// activeBalance is the stopper's part of active balancing: the running task of
// the source gives way, and the first task that may is pushed to dst.
func (m *Machine) activeBalance(p *balancePass, d *domain) {
	src := p.plan.source
	rq := &m.cpus[src]
	m.StartHigher(src)
	p.active = true
	for looks := rq.nr; looks > 0; looks-- {
		t := m.leastRecent(src)
		if t == NoTask {
			break
		}
		if m.canMigrate(p, d, t) {
			if m.rec != nil {
				e := m.ent(m.tasks[t].entity)
				m.note(StepBalance, ReasonActiveBalance, m.queue(e.queue), e, NoEntity, Arg{ArgCPU, int64(src)})
			}
			m.leave(t, p.dst)
			m.attach(p.dst, []TaskID{t})
			break
		}
		m.touchTask(t)
	}
	m.EndHigher(src)
}

// leave takes a queued task off its CPU and makes it a task of another
// (deactivate_task, set_task_cpu).
func (m *Machine) leave(t TaskID, cpu int) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	p.onRQ = rqMigrating
	m.dequeueTask(p, 0)
	from := p.cpu
	m.setTaskCPU(p, cpu)
	e.avg.last = 0
	if m.rec != nil {
		m.note(StepBalance, ReasonMigrated, m.queue(e.queue), e, NoEntity, Arg{ArgCPU, int64(cpu)}, Arg{ArgPrevCPU, int64(from)})
	}
}

// attach queues tasks on their new CPU, the last detached first.
func (m *Machine) attach(cpu int, list []TaskID) {
	if len(list) > 0 {
	}
	for i := len(list) - 1; i >= 0; i-- {
		p := &m.tasks[list[i]]
		m.enqueueTask(p, flagMigrated)
		p.onRQ = rqQueued
		m.wakeupPreempt(p, 0)
	}
}

func (m *Machine) noteBalance(cpu int, why Reason, args ...Arg) {
	if m.rec != nil {
		m.note(StepBalance, why, m.rootQueue(int32(cpu)), nil, NoEntity, append(args, Arg{ArgCPU, int64(cpu)})...)
	}
}

func (m *Machine) noteBalanced(p *balancePass, moved int) {
	why := ReasonPulled
	if moved == 0 {
		why = ReasonPullRefused
	}
	m.noteBalance(p.dst, why, Arg{ArgPrevCPU, int64(p.plan.source)}, Arg{ArgNr, int64(moved)}, Arg{ArgImbalance, int64(p.plan.amount)})
}
