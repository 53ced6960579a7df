package scheduler

// The choice of a CPU for a new task, and for one that execs (SPEC-SMP section
// 3.7).

// forkChoice is one choice of the slow path.
type forkChoice struct {
	task    TaskID
	cpu     int // where it starts from: the parent's CPU
	allowed CPUSet
	loads   func(cpu int) cpuLoad // without the task itself
}

// findIdlestCPU is sched_balance_find_dst_cpu: from the widest domain down, the
// least busy group, then its least busy CPU.
func (m *Machine) findIdlestCPU(f *forkChoice) int {
	cpu := f.cpu
	l := len(m.multi.domains[cpu]) - 1
	for l >= 0 {
		d := &m.multi.domains[cpu][l]
		g := f.idlestGroup(d)
		if g < 0 {
			l--
			continue
		}
		next := f.idlestIn(d.groups[g], cpu)
		if next == cpu {
			l--
			continue
		}
		cpu = next
		weight := d.weight
		for l = len(m.multi.domains[cpu]) - 1; l >= 0 && m.multi.domains[cpu][l].weight >= weight; l-- {
		}
	}
	return cpu
}

// idlestGroup is sched_balance_find_dst_group: a group that is clearly less busy
// than the local one, which is group 0; -1 to stay.
func (f *forkChoice) idlestGroup(d *domain) int {
	best := -1
	start := groupLoad{kind: groupOverloaded, avgLoad: 1<<32 - 1}
	local, localAllowed := groupLoad{}, false
	var chosen groupLoad
	for i := range d.groups {
		if set := d.groups[i].And(f.allowed); set.Empty() {
			continue
		}
		g := f.sum(d, i)
		if i == 0 {
			local, localAllowed = g, true
			continue
		}
		present := &chosen
		if best < 0 {
			present = &start
		}
		if idler(&g, present) {
			best, chosen = i, g
		}
	}
	switch {
	case best < 0:
		return -1
	case !localAllowed || local.kind > chosen.kind:
		return best
	case local.kind < chosen.kind:
		return -1
	}
	if f.staysAmongEqual(d, &local, &chosen) {
		return -1
	}
	return best
}

// sum is the load of a group's allowed CPUs; its weight is that of the whole.
func (f *forkChoice) sum(d *domain, group int) groupLoad {
	set := d.groups[group]
	g := groupLoad{weight: set.Count()}
	set = set.And(f.allowed)
	for cpu := set.Next(0); cpu >= 0; cpu = nextOrNone(&set, cpu+1) {
		c := f.loads(cpu)
		g.load += c.load
		g.util += c.util
		g.runnable += c.runnable
		g.nr += c.nr
		if c.idle {
			g.idle++
		}
	}
	g.capacity = cpuCapacity * uint64(g.weight)
	in := balanceInput{domain: d, idle: cpuBusy, imbalanced: func(int) bool { return false }}
	g.kind = in.classify(&g, group)
	if g.kind == groupOverloaded || g.kind == groupFullyBusy {
		g.avgLoad = g.load * cpuCapacity / g.capacity
	}
	return g
}

func idler(g, than *groupLoad) bool {
	if g.kind != than.kind {
		return g.kind < than.kind
	}
	switch g.kind {
	case groupOverloaded, groupFullyBusy:
		return g.avgLoad < than.avgLoad
	case groupHasSpare:
		return g.idle > than.idle || g.idle == than.idle && g.util < than.util
	case groupImbalanced, groupSMTBalance:
	}
	return false
}

// staysAmongEqual tells whether the best group is not better enough than a local
// one of the same kind.
func (f *forkChoice) staysAmongEqual(d *domain, local, best *groupLoad) bool {
	numa := d.flags&sdNUMA != 0
	if local.kind == groupHasSpare {
		if numa {
			diff := uint64(max(local.idle-best.idle, best.idle-local.idle))
			set := d.groups[0].And(f.allowed)
			if adjustNuma(diff, int(local.nr)+1, min(d.imbNuma, set.Count())) == 0 {
				return true
			}
		}
		return local.idle >= best.idle
	}
	imb := cpuCapacity * (d.pct - 100) / 100
	if numa && best.avgLoad+imb >= local.avgLoad {
		return true
	}
	return best.avgLoad >= local.avgLoad+imb || 100*local.avgLoad <= d.pct*best.avgLoad
}

// idlestIn is sched_balance_find_dst_group_cpu: a CPU that runs only idle tasks,
// else the one that became idle last, else the least loaded.
func (f *forkChoice) idlestIn(group CPUSet, cpu int) int {
	set := group.And(f.allowed)
	if group.Count() == 1 {
		return group.Next(0)
	}
	idle, least := -1, -1
	var stamp, load uint64
	for c := set.Next(0); c >= 0; c = nextOrNone(&set, c+1) {
		x := f.loads(c)
		switch {
		case x.schedIdle:
			return c
		case x.idle:
			if x.idleStamp > stamp {
				idle, stamp = c, x.idleStamp
			}
		case idle < 0 && (least < 0 || x.load < load):
			least, load = c, x.load
		}
	}
	switch {
	case idle >= 0:
		return idle
	case least >= 0:
		return least
	}
	return cpu
}
