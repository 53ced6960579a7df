package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// machineKeys are the keys of the top level that describe the machine and that
// variants do not have.
func (r *reader) machineKeys() []key {
	m := &r.s.machine
	return []key{
		{"cpus", func(n *node) { m.cpus = give(n.at, r.integer(n, "cpus", 1, maxCPUs)) }},
		{"topology", func(n *node) { m.topology = give(n.at, r.topology(n)) }},
		{"scaling_cpus", func(n *node) { m.scalingCPUs = give(n.at, r.integer(n, "scaling_cpus", 1, 8192)) }},
		{"nbase", func(n *node) { m.nbase = give(n.at, r.baseSlice(n, "nbase")) }},
		{"migration_cost", func(n *node) { m.migrationCost = give(n.at, r.moment(n, "migration_cost")) }},
		{"preempt", func(n *node) { m.preempt = r.preempt(n) }},
		{"tick_offset", r.tickOffset},
		{"irq_per_tick", func(n *node) { m.irqPerTick = give(n.at, r.moment(n, "irq_per_tick")) }},
		{"ipi_delay", func(n *node) { m.ipiDelay = give(n.at, r.moment(n, "ipi_delay")) }},
		{"seed", func(n *node) { m.seed = give(n.at, r.seed(n)) }},
		{"clock_start", func(n *node) { m.clockStart = give(n.at, r.time(n, "clock_start", firstClock, maxTime)) }},
	}
}

func (r *reader) preempt(n *node) scheduler.PreemptModel {
	var names []string
	for p := scheduler.PreemptFull; p <= scheduler.PreemptNone; p++ {
		if n.kind == kindScalar && n.text == p.String() {
			return p
		}
		names = append(names, p.String())
	}
	r.fail(n.at, "preempt is "+n.describe(), "one of "+strings.Join(names, ", "))
	return scheduler.PreemptFull
}

// aug reads how the smallest and the largest slice of a queue are found.
func (r *reader) aug(n *node) scheduler.AugMode {
	switch {
	case n.kind == kindScalar && n.text == "ideal":
		return scheduler.AugIdeal
	case n.kind != kindScalar || n.text != "built":
		r.fail(n.at, "aug is "+n.describe(), "built or ideal")
	}
	return scheduler.AugBuilt
}

func (r *reader) onOff(n *node, what string) bool {
	if n.kind != kindScalar || n.text != "on" && n.text != "off" {
		r.fail(n.at, what+" is "+n.describe(), "on or off")
	}
	return n.text == "on"
}

// tickPhase is the offset of the ticks of some CPUs; of all if the set is empty.
type tickPhase struct {
	cpus   scheduler.CPUSet
	at     position
	offset scheduler.Time
}

// tickOffset reads one offset for all CPUs, a list with one for each, or a map
// from CPUs to theirs.
func (r *reader) tickOffset(n *node) {
	m := &r.s.machine
	add := func(cpus scheduler.CPUSet, n *node) {
		m.ticks = append(m.ticks, tickPhase{cpus, n.at, r.moment(n, "tick_offset")})
	}
	switch n.kind {
	case kindScalar, kindNull:
		add(scheduler.CPUSet{}, n)
	case kindList:
		m.ticksListed = true
		for cpu, item := range n.items {
			if cpu == maxCPUs {
				r.fail(item.at, fmt.Sprintf("tick_offset has %d times", len(n.items)), "one for each CPU")
				return
			}
			var set scheduler.CPUSet
			set.Add(cpu)
			add(set, item)
		}
		if len(n.items) == 0 {
			r.fail(n.at, "tick_offset is an empty list", "a time, or a time for each CPU")
		}
	case kindMap:
		for _, f := range n.fields {
			add(r.cpuSet(&node{kind: kindScalar, at: f.at, text: f.key}, "the CPU"), f.value)
		}
	}
}

// topology reads the short form, 2x10x2, or a map with its parts.
func (r *reader) topology(n *node) scheduler.Topology {
	if n.kind == kindScalar {
		t, err := scheduler.ParseTopology(n.text)
		if err != nil {
			t = scheduler.Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 1, Threads: 1}
			r.fail(n.at, "topology is "+n.describe(),
				fmt.Sprintf("nodes x cores x threads such as 2x10x2, or nodes x caches x cores x threads, with at most %d CPUs", maxCPUs))
		}
		return t
	}
	t := scheduler.Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 1, Threads: 1}
	part := func(name string, to *int) key {
		return key{name, func(n *node) { *to = int(r.integer(n, name, 1, maxCPUs)) }}
	}
	r.object(n, "topology", []key{
		part("nodes", &t.Nodes),
		part("llcs_per_node", &t.LLCsPerNode),
		part("cores_per_llc", &t.CoresPerLLC),
		part("threads", &t.Threads),
		{"numbering", func(n *node) { t.Numbering = r.numbering(n) }},
	})
	if t.CPUs() > maxCPUs {
		r.fail(n.at, "the topology has "+strconv.Itoa(t.CPUs())+" CPUs", fmt.Sprintf("at most %d", maxCPUs))
	}
	return t
}

// numbering reads how the numbers of CPUs go over cores and threads.
func (r *reader) numbering(n *node) scheduler.Numbering {
	switch {
	case n.kind == kindScalar && n.text == "split":
		return scheduler.NumberingSplit
	case n.kind == kindScalar && n.text == "adjacent":
		return scheduler.NumberingAdjacent
	}
	r.fail(n.at, "numbering is "+n.describe(), "split or adjacent")
	return scheduler.NumberingSplit
}

// show reads which part of the machine the screen shows.
func (r *reader) show(n *node) {
	m := &r.s.machine
	r.object(n, "show", []key{
		{"cpus", func(n *node) { m.show = give(n.at, r.cpuSet(n, "cpus")) }},
	})
	r.s.Show = m.show.value
}
