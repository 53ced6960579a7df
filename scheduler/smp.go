package scheduler

// multi is what a machine of several CPUs keeps beside its run queues: the
// topology and what balancing remembers.
type multi struct {
	topology Topology
	domains  [][]domain // by CPU, bottom up; not changed after the start
	caches   []cache    // state of each last-level cache
	cacheOf  []int32    // by CPU
	core     []CPUSet   // by CPU: the threads of its core
	levels   []levelState
	marked   []bool // imbalanced flag by (level, first CPU of the group)
	nohz     nohzState
	overload bool // some CPU has more than one task (rd.overloaded)
}

// cache is the state of a last-level cache (sched_domain_shared).
type cache struct {
	span      CPUSet
	idleCores bool // has_idle_cores
	idleScan  int  // nr_idle_scan
}

// levelState is what a CPU's domain remembers between balance passes.
type levelState struct {
	interval  uint64 // balance_interval, ms
	last      uint64 // last_balance, jiffies
	failed    uint32 // nr_balance_failed
	cost      uint64 // max_newidle_lb_cost, ns
	costDecay uint64 // last_decay_max_lb_cost, jiffies
	calls     uint32 // newidle_call
	success   uint32
	ratio     uint32
}

// wakePartner is what a task remembers of wakeups.
type wakePartner struct {
	lastWakee TaskID
	flips     uint32 // wakee_flips
	flipDecay uint64 // jiffies of the last halving
	recent    int32  // recent_used_cpu
	durAvg    int64  // SIS_CURRENT: average run time between sleeps, ns
	slept     uint64 // SIS_CURRENT: sum_exec_runtime at the last sleep
}

func newMulti(t Topology, cpus int) multi {
	if t.CPUs() != cpus {
		t = Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: cpus, Threads: 1}
	}
	m := multi{topology: t, cacheOf: make([]int32, cpus)}
	for cpu := range cpus {
		m.domains = append(m.domains, buildDomains(t, cpu))
		m.core = append(m.core, t.spanOf(cpu, 1))
		span := t.spanOf(cpu, t.CoresPerLLC)
		if first := span.Next(0); first != cpu {
			m.cacheOf[cpu] = m.cacheOf[first]
			continue
		}
		m.cacheOf[cpu] = int32(len(m.caches))
		m.caches = append(m.caches, cache{span: span, idleCores: true, idleScan: span.Count()})
	}
	for cpu := range cpus {
		for l := range maxLevels {
			s := levelState{calls: 512, success: 256, ratio: 512}
			if l < len(m.domains[cpu]) {
				s.interval = uint64(m.domains[cpu][l].weight)
			}
			m.levels = append(m.levels, s)
		}
	}
	m.marked = make([]bool, maxLevels*cpus)
	return m
}

const maxLevels = 4

func (m *Machine) level(cpu, l int) *levelState { return &m.multi.levels[cpu*maxLevels+l] }

func (m *Machine) cache(cpu int) *cache { return &m.multi.caches[m.multi.cacheOf[cpu]] }

// sharesCache is cpus_share_cache.
func (m *Machine) sharesCache(a, b int) bool { return m.multi.cacheOf[a] == m.multi.cacheOf[b] }

func (u *multi) copyFrom(o *multi) {
	u.topology, u.domains, u.cacheOf, u.core = o.topology, o.domains, o.cacheOf, o.core
	u.nohz, u.overload = o.nohz, o.overload
	u.caches = append(u.caches[:0], o.caches...)
	u.levels = append(u.levels[:0], o.levels...)
	u.marked = append(u.marked[:0], o.marked...)
}

// idleCPU is idle_cpu: nothing runs, nothing is queued, no wakeup is on its way.
func (m *Machine) idleCPU(cpu int) bool {
	rq := &m.cpus[cpu]
	return rq.curr == NoTask && !rq.higher && rq.nr == 0 && rq.pending == 0
}

// schedIdleCPU is sched_idle_cpu: only tasks of idle policy or group are queued.
func (m *Machine) schedIdleCPU(cpu int) bool {
	rq := &m.cpus[cpu]
	return rq.nr > 0 && rq.nr == m.queues[cpu].hIdle
}

// acceptsWakee is the idle test of the wakeup search.
func (m *Machine) acceptsWakee(cpu int) bool { return m.idleCPU(cpu) || m.schedIdleCPU(cpu) }

// jiffies is the tick counter at the present of a CPU; it starts well above 0.
func (m *Machine) jiffies(cpu int) uint64 { return firstJiffy + m.cpus[cpu].clock/m.tick }

// firstJiffy keeps "a second ago" representable at the start.
const firstJiffy = 1 << 20

// loadOf gathers what balancing looks at of a CPU.
func (m *Machine) loadOf(cpu int) cpuLoad {
	rq, q := &m.cpus[cpu], &m.queues[cpu]
	h := q.hQueued
	if m.rules.countsRunnable {
		h = q.hRunnable
	}
	return cpuLoad{
		load: q.avg.load, util: min(m.atLeastEstimate(q.avg.util, q.utilEst), cpuCapacity), runnable: q.avg.runnable,
		nr: rq.nr, h: h, idle: m.idleCPU(cpu), schedIdle: m.schedIdleCPU(cpu), idleStamp: rq.idleStamp,
	}
}

// taskLoad is task_h_load: a task's load in terms of its CPU's root queue,
// through the hierarchy (SPEC-SMP section 3.1).
func (m *Machine) taskLoad(t TaskID) uint64 {
	e := m.ent(m.tasks[t].entity)
	q := m.queue(e.queue)
	return e.avg.load * m.queueLoad(q) / (q.avg.load + 1)
}

// queueLoad is h_load of a queue, computed at most once a jiffy.
func (m *Machine) queueLoad(q *FairQueue) uint64 {
	now := m.jiffies(int(q.cpu))
	if q.hLoadAt == now {
		return q.hLoad
	}
	q.hLoadAt = now
	q.hLoad = q.avg.load
	if g := m.ownerOf(q); g != nil {
		up := m.queue(g.queue)
		q.hLoad = m.queueLoad(up) * g.avg.load / (up.avg.load + 1)
	}
	return q.hLoad
}

// nohzState is what tickless idle CPUs share.
type nohzState struct {
	next        uint64 // jiffies: when idle CPUs are balanced next
	nextBlocked uint64 // and when their averages are refreshed
}
