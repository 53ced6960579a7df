package scheduler

// cpuLoad is what balancing and fork placement look at of one CPU.
type cpuLoad struct {
	load      uint64 // load_avg of the root queue
	util      uint64 // utilisation, estimate included, at most 1024
	runnable  uint64 // runnable_avg of the root queue
	nr        int32  // rq.nr_running
	h         int32  // tasks of the fair class that count
	idle      bool
	schedIdle bool   // only idle-policy tasks are queued
	idleStamp uint64 // when it became idle
}

// idleKind says how idle the CPU that balances is.
type idleKind uint8

const (
	cpuBusy idleKind = iota
	cpuIdle
	cpuNewlyIdle
)

// groupKind classifies a group of CPUs; the order is that of comparison.
type groupKind uint8

const (
	groupHasSpare groupKind = iota
	groupFullyBusy
	groupSMTBalance
	groupImbalanced
	groupOverloaded
)

// moveKind is what an imbalance is measured in.
type moveKind uint8

const (
	moveLoad moveKind = iota
	moveUtil
	moveTask
)

const cpuCapacity = 1024

// groupLoad sums the CPUs of a group.
type groupLoad struct {
	load, util, runnable uint64
	nr, h, idle          int32
	weight               int
	capacity             uint64
	avgLoad              uint64
	kind                 groupKind
}

// balanceInput is the situation that decideBalance judges: a domain as seen by
// dst, which is in the first group.
type balanceInput struct {
	domain     *domain
	idle       idleKind
	loads      func(cpu int) cpuLoad
	imbalanced func(group int) bool // the flag of a group of the domain
	skip       CPUSet               // CPUs taken out of the search
	llcSize    int
	sisUtil    bool
}

// balancePlan is the decision: how much of what to pull from which CPU. group is
// -1 when the domain is balanced. idleScan is nr_idle_scan as written, -1 if not.
type balancePlan struct {
	group    int
	kind     moveKind
	amount   uint64
	source   int
	idleScan int
}

// decideBalance is find_busiest_group and find_busiest_queue (SPEC-SMP section
// 5.4).
func decideBalance(in *balanceInput) balancePlan {
	d := in.domain
	groups := make([]groupLoad, len(d.groups))
	var total groupLoad
	for i := range d.groups {
		groups[i] = in.sum(i)
		total.load += groups[i].load
		total.util += groups[i].util
		total.capacity += groups[i].capacity
	}
	plan := balancePlan{group: -1, source: -1, idleScan: -1}
	if in.sisUtil && in.idle != cpuNewlyIdle && d.weight == in.llcSize {
		plan.idleScan = idleScan(total.util, uint64(in.llcSize), d.pct)
	}
	b := in.busiestGroup(groups)
	if b < 0 || !in.unbalanced(&groups[0], &groups[b], &total) {
		return plan
	}
	plan.kind, plan.amount = in.amount(&groups[0], &groups[b], &total)
	if plan.amount == 0 {
		return plan
	}
	plan.group = b
	plan.source = in.busiestQueue(b, plan.kind, plan.amount)
	return plan
}

// idleScan is how many CPUs a wakeup may look at for an idle one: fewer, the
// busier the last-level cache is.
func idleScan(util, size, pct uint64) int {
	x := util / size
	t := min(x*x*pct*pct/(10000*cpuCapacity), cpuCapacity)
	return int((cpuCapacity - t) * size / cpuCapacity)
}

func (in *balanceInput) sum(group int) groupLoad {
	g := groupLoad{}
	set := in.domain.groups[group]
	for cpu := set.Next(0); cpu >= 0; cpu = nextOrNone(&set, cpu+1) {
		c := in.loads(cpu)
		g.load += c.load
		g.util += c.util
		g.runnable += c.runnable
		g.nr += c.nr
		g.h += c.h
		g.weight++
		if c.idle {
			g.idle++
		}
	}
	g.capacity = cpuCapacity * uint64(g.weight)
	g.kind = in.classify(&g, group)
	if g.kind == groupOverloaded {
		g.avgLoad = g.load * cpuCapacity / g.capacity
	}
	return g
}

func (in *balanceInput) classify(g *groupLoad, group int) groupKind {
	pct := in.domain.pct
	crowded := g.capacity*pct < g.runnable*100
	switch {
	case int(g.nr) > g.weight && (g.capacity*100 < g.util*pct || crowded):
		return groupOverloaded
	case in.imbalanced(group):
		return groupImbalanced
	case group != 0 && in.idle != cpuBusy && in.domain.groupFlags&sdShareCapacity != 0 && g.h > 1:
		return groupSMTBalance
	case int(g.nr) < g.weight || !crowded && g.capacity*100 > g.util*pct:
		return groupHasSpare
	}
	return groupFullyBusy
}

// busiestGroup is the group to pull from, -1 if none; ties go to the first in
// ring order.
func (in *balanceInput) busiestGroup(groups []groupLoad) int {
	best := -1
	start := groupLoad{idle: 1<<31 - 1}
	for i := 1; i < len(groups); i++ {
		present := &start
		if best >= 0 {
			present = &groups[best]
		}
		if groups[i].h > 0 && in.busier(&groups[i], present) {
			best = i
		}
	}
	return best
}

func (in *balanceInput) busier(g, than *groupLoad) bool {
	if g.kind != than.kind {
		return g.kind > than.kind
	}
	switch g.kind {
	case groupOverloaded:
		return g.avgLoad > than.avgLoad
	case groupImbalanced:
		return false
	case groupFullyBusy:
		return in.domain.groupFlags&sdShareCapacity == 0
	case groupSMTBalance:
		if g.idle == 0 && than.idle == 0 {
			return in.domain.groupFlags&sdShareCapacity == 0
		}
	case groupHasSpare:
	}
	return g.idle < than.idle || g.idle == than.idle && g.nr > than.nr
}

// unbalanced tells whether anything should be pulled from b into l.
func (in *balanceInput) unbalanced(l, b, total *groupLoad) bool {
	pct := in.domain.pct
	switch {
	case b.kind == groupImbalanced:
		return true
	case l.kind > b.kind:
		return false
	}
	if l.kind == groupOverloaded {
		average := total.load * cpuCapacity / total.capacity
		if l.avgLoad >= b.avgLoad || l.avgLoad >= average || 100*b.avgLoad <= pct*l.avgLoad {
			return false
		}
	}
	if in.prefersSibling() && l.kind == groupHasSpare && in.siblings(l, b) > 1 {
		return true
	}
	if b.kind == groupOverloaded {
		return true
	}
	if in.idle == cpuBusy || b.weight > 1 && l.idle <= b.idle+1 || b.h == 1 {
		return false
	}
	return true
}

func (in *balanceInput) prefersSibling() bool { return in.domain.groupFlags&sdPreferSibling != 0 }

// siblings is sibling_imbalance: how many tasks too many b has, per core.
func (in *balanceInput) siblings(l, b *groupLoad) int64 {
	if in.idle == cpuBusy || b.nr == 0 {
		return 0
	}
	return max(0, int64(b.nr)-int64(l.nr)) // the groups of a symmetric machine have equally many cores
}

// amount is calculate_imbalance.
func (in *balanceInput) amount(l, b, total *groupLoad) (moveKind, uint64) {
	if b.kind == groupSMTBalance || b.kind == groupImbalanced {
		return moveTask, 1
	}
	if l.kind == groupHasSpare {
		if b.kind > groupFullyBusy && in.domain.flags&sdShareLLC == 0 {
			u := max(l.capacity, l.util) - l.util
			if u == 0 && in.idle != cpuBusy {
				return moveTask, 1
			}
			return moveUtil, u
		}
		n := uint64(uint32(l.idle - b.idle))
		if b.weight == 1 || in.prefersSibling() {
			n = uint64(in.siblings(l, b))
		}
		if in.domain.flags&sdNUMA != 0 {
			n = adjustNuma(n, int(l.nr)+1, in.domain.imbNuma)
		}
		return moveTask, n >> 1
	}
	average := total.load * cpuCapacity / total.capacity
	local := l.avgLoad
	if l.kind < groupOverloaded {
		local = l.load * cpuCapacity / l.capacity
		if local >= b.avgLoad || local >= average {
			return moveLoad, 0
		}
	}
	return moveLoad, min((b.avgLoad-average)*b.capacity, (average-local)*l.capacity) / cpuCapacity
}

// adjustNuma is adjust_numa_imbalance: a few tasks out of balance between nodes
// are allowed.
func adjustNuma(n uint64, running, allowed int) uint64 {
	if running <= allowed && n <= 2 {
		return 0
	}
	return n
}

// busiestQueue is find_busiest_queue: the CPU of the group to pull from, -1 if
// none qualifies.
func (in *balanceInput) busiestQueue(group int, kind moveKind, amount uint64) int {
	best, most := -1, uint64(0)
	set := in.domain.groups[group]
	for cpu := set.Next(0); cpu >= 0; cpu = nextOrNone(&set, cpu+1) {
		c := in.loads(cpu)
		if c.h == 0 || in.skip.Has(cpu) {
			continue
		}
		var x uint64
		switch kind {
		case moveLoad:
			if c.h == 1 && c.load > amount {
				continue
			}
			x = c.load
		case moveUtil:
			if c.h <= 1 {
				continue
			}
			x = min(max(c.util, c.runnable), cpuCapacity)
		case moveTask:
			x = uint64(c.h)
		}
		if x > most {
			best, most = cpu, x
		}
	}
	return best
}
