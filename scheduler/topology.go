package scheduler

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// MaxCPUs is the largest machine.
const MaxCPUs = 256

// CPUSet is a set of CPU numbers below MaxCPUs.
type CPUSet [MaxCPUs / 64]uint64

// AllCPUs is the set of CPUs 0 ... n-1.
func AllCPUs(n int) CPUSet {
	var s CPUSet
	for cpu := range n {
		s.Add(cpu)
	}
	return s
}

// Has tells whether the CPU is in the set.
func (s *CPUSet) Has(cpu int) bool { return s[cpu>>6]>>(cpu&63)&1 != 0 }

// Add puts a CPU into the set.
func (s *CPUSet) Add(cpu int) { s[cpu>>6] |= 1 << (cpu & 63) }

// Remove takes a CPU out of the set.
func (s *CPUSet) Remove(cpu int) { s[cpu>>6] &^= 1 << (cpu & 63) }

// And is the intersection.
func (s CPUSet) And(o CPUSet) CPUSet {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// Count is the number of CPUs in the set.
func (s *CPUSet) Count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty tells whether no CPU is in the set.
func (s *CPUSet) Empty() bool { return *s == CPUSet{} }

// Next is the smallest CPU of the set that is at least from, -1 if none.
func (s *CPUSet) Next(from int) int {
	for cpu := from; cpu < MaxCPUs; {
		w := s[cpu>>6] >> (cpu & 63)
		if w != 0 {
			return cpu + bits.TrailingZeros64(w)
		}
		cpu = (cpu>>6 + 1) << 6
	}
	return -1
}

// String prints the set as the kernel prints cpu lists: "0,2-3".
func (s CPUSet) String() string {
	var parts []string
	for cpu := s.Next(0); cpu >= 0; {
		last := cpu
		for last+1 < MaxCPUs && s.Has(last+1) {
			last++
		}
		if last == cpu {
			parts = append(parts, strconv.Itoa(cpu))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", cpu, last))
		}
		if last+1 >= MaxCPUs {
			break
		}
		cpu = s.Next(last + 1)
	}
	return strings.Join(parts, ",")
}

// Numbering says how CPU numbers go over cores and threads.
type Numbering uint8

// NumberingSplit gives the first threads of all cores the low numbers: thread k
// of core c is CPU k*cores + c. NumberingAdjacent numbers the threads of a core
// one after another.
const (
	NumberingSplit Numbering = iota
	NumberingAdjacent
)

// Topology describes a symmetric machine (SPEC-SMP section 4.3). The zero value
// stands for a machine whose CPUs share nothing and are not balanced.
type Topology struct {
	Nodes       int // NUMA nodes
	LLCsPerNode int // last-level caches of a node
	CoresPerLLC int
	Threads     int // threads of a core
	Numbering   Numbering
}

// CPUs is the number of CPUs.
func (t Topology) CPUs() int { return t.Nodes * t.LLCsPerNode * t.CoresPerLLC * t.Threads }

// String is the short form nodes x cores x threads; machines with several
// caches a node have a fourth number in the middle.
func (t Topology) String() string {
	if t.LLCsPerNode == 1 {
		return fmt.Sprintf("%dx%dx%d", t.Nodes, t.CoresPerLLC, t.Threads)
	}
	return fmt.Sprintf("%dx%dx%dx%d", t.Nodes, t.LLCsPerNode, t.CoresPerLLC, t.Threads)
}

// ParseTopology reads "2x10x2" (nodes x cores x threads, one last-level cache a
// node) or "2x4x8x2" (nodes x caches x cores x threads).
func ParseTopology(text string) (Topology, error) {
	parts := strings.Split(text, "x")
	nums := make([]int, len(parts))
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 || n > MaxCPUs {
			return Topology{}, fmt.Errorf("topology %q: expected nodes x cores x threads like 2x10x2, or nodes x caches x cores x threads", text)
		}
		nums[i] = n
	}
	var t Topology
	switch len(nums) {
	case 3:
		t = Topology{Nodes: nums[0], LLCsPerNode: 1, CoresPerLLC: nums[1], Threads: nums[2]}
	case 4:
		t = Topology{Nodes: nums[0], LLCsPerNode: nums[1], CoresPerLLC: nums[2], Threads: nums[3]}
	default:
		return Topology{}, fmt.Errorf("topology %q: expected three or four numbers joined by x", text)
	}
	if t.CPUs() > MaxCPUs {
		return Topology{}, fmt.Errorf("topology %q has %d CPUs: expected at most %d", text, t.CPUs(), MaxCPUs)
	}
	return t, nil
}

// Place is a CPU's core and its thread of that core: cores are numbered node by
// node, cache by cache.
func (t Topology) Place(cpu int) (core, thread int) {
	cores := t.Nodes * t.LLCsPerNode * t.CoresPerLLC
	if t.Numbering == NumberingAdjacent {
		return cpu / t.Threads, cpu % t.Threads
	}
	return cpu % cores, cpu / cores
}

// spanOf is the set of CPUs whose core number divided by cores equals that of
// the given CPU.
func (t Topology) spanOf(cpu, cores int) CPUSet {
	var s CPUSet
	own, _ := t.Place(cpu)
	for other := range t.CPUs() {
		if core, _ := t.Place(other); core/cores == own/cores {
			s.Add(other)
		}
	}
	return s
}

// DomainLevel is a level of the scheduling domains.
type DomainLevel uint8

// The levels, bottom up.
const (
	LevelSMT  DomainLevel = iota // threads of a core
	LevelMC                      // cores of a last-level cache
	LevelPkg                     // caches of a node
	LevelNUMA                    // nodes
)

// String is the kernel's name of the level.
func (l DomainLevel) String() string { return [...]string{"SMT", "MC", "PKG", "NUMA"}[l] }

// domainFlags are SD_ flags.
type domainFlags uint8

const (
	sdShareCapacity domainFlags = 1 << iota // threads of one core
	sdShareLLC
	sdNUMA
	sdPreferSibling
)

// domain is a sched_domain of one CPU (SPEC-SMP section 4).
type domain struct {
	level      DomainLevel
	span       CPUSet
	groups     []CPUSet // ring order, the CPU's own group first
	flags      domainFlags
	groupFlags domainFlags // flags of the child domain, which its groups carry
	pct        uint64      // imbalance_pct
	niceTries  int         // cache_nice_tries
	weight     int         // CPUs in span
	cores      int         // cores of one group
	imbNuma    int         // imb_numa_nr
}

var levelTable = [...]struct {
	flags domainFlags
	pct   uint64
	tries int
}{
	LevelSMT:  {sdShareCapacity | sdShareLLC | sdPreferSibling, 110, 0},
	LevelMC:   {sdShareLLC | sdPreferSibling, 117, 1},
	LevelPkg:  {sdPreferSibling, 117, 1},
	LevelNUMA: {sdNUMA, 117, 2},
}

// buildDomains makes the domains of a CPU, bottom up. Levels that span no more
// than their child are dropped and hand PREFER_SIBLING down.
func buildDomains(t Topology, cpu int) []domain {
	var out []domain
	cores := [...]int{LevelSMT: 1, LevelMC: t.CoresPerLLC, LevelPkg: t.CoresPerLLC * t.LLCsPerNode, LevelNUMA: t.CoresPerLLC * t.LLCsPerNode * t.Nodes}
	childSpan, childFlags := CPUSet{}, domainFlags(0)
	childSpan.Add(cpu)
	for l, n := range cores {
		span := t.spanOf(cpu, n)
		if span == childSpan {
			continue
		}
		d := domain{level: DomainLevel(l), span: span, flags: levelTable[l].flags, groupFlags: childFlags, pct: levelTable[l].pct, niceTries: levelTable[l].tries, weight: span.Count()}
		d.groups = ringOf(span, childSpan, cpu, func(c int) CPUSet {
			if len(out) == 0 {
				var s CPUSet
				s.Add(c)
				return s
			}
			return t.spanOf(c, childCores(cores[:], out[len(out)-1].level))
		})
		d.cores = max(1, d.groups[0].Count()/t.Threads)
		if DomainLevel(l) == LevelNUMA {
			d.imbNuma = imbNumaNr(t)
		}
		childSpan, childFlags = span, d.flags
		out = append(out, d)
	}
	return out
}

func childCores(cores []int, l DomainLevel) int { return cores[l] }

// ringOf splits a span into child spans: first the CPU's own, then ascending by
// first CPU, wrapping.
func ringOf(span, own CPUSet, cpu int, childOf func(int) CPUSet) []CPUSet {
	groups := []CPUSet{own}
	var before []CPUSet
	seen := own
	for c := span.Next(0); c >= 0; c = nextOrNone(&span, c+1) {
		if seen.Has(c) {
			continue
		}
		g := childOf(c)
		for i := range seen {
			seen[i] |= g[i]
		}
		if c < own.Next(0) {
			before = append(before, g)
		} else {
			groups = append(groups, g)
		}
	}
	return append(groups, before...)
}

func nextOrNone(s *CPUSet, from int) int {
	if from >= MaxCPUs {
		return -1
	}
	return s.Next(from)
}

// imbNumaNr is imb_numa_nr: how many tasks may be out of balance between nodes.
func imbNumaNr(t Topology) int {
	if t.LLCsPerNode == 1 {
		return max(1, t.CoresPerLLC*t.Threads>>3)
	}
	return t.LLCsPerNode
}
