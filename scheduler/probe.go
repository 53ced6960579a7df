package scheduler

import "fmt"

// ProbeKind is what a Probe is asked about.
type ProbeKind uint8

// The kinds of questions.
const (
	ProbeBalance ProbeKind = iota // whom to pull from, and how much (SPEC-SMP section 5.4)
	ProbeFork                     // where a new task starts (SPEC-SMP section 3.7)
	ProbeWakeup                   // where a wakee goes (SPEC-SMP section 3)
	ProbeLoad                     // load averages and group weights (SPEC-SMP section 1)
)

// Probe asks the machine for single decisions about CPUs in situations that are
// set up number by number, so that they can be compared with those of another
// implementation. The situation is that of 6.12.y with HZ=250 and its defaults.
type Probe struct {
	kind ProbeKind
	m    *Machine
	load *loadProbe
}

// NewProbe makes a probe. Wakeups and loads want a Begin first.
func NewProbe(kind ProbeKind) *Probe { return &Probe{kind: kind} }

// Answer is one line of what the machine says: integers, below a name if there
// are several lines. Fields names them; the last name serves for all that follow.
type Answer struct {
	Name   string
	Fields []string
	Values []int64
}

// Field names a value of the answer.
func (a *Answer) Field(i int) string { return a.Fields[min(i, len(a.Fields)-1)] }

// The names of the values of the answers.
var (
	balanceFields = []string{"group", "kind", "imbalance", "source", "nr_idle_scan"}
	forkFields    = []string{"cpu"}
	wakeupFields  = []string{"cpu", "waker.wakee_flips", "wakee.recent_used_cpu", "waker.last_wakee", "has_idle_cores"}
	averageFields = []string{"last_update_time", "load_sum", "runnable_sum", "util_sum", "period_contrib", "load_avg", "runnable_avg", "util_avg"}
	weightFields  = []string{
		"root.weight", "grp.weight", "g.weight", "tg.load_avg", "grp.tg_load_avg_contrib", "grp.prop_runnable_sum", "root.prop_runnable_sum",
	}
)

// The limits of what a situation may hold.
const (
	probeTasks = 8
	probeCPUs  = 256
)

// Begin starts a new case: for wakeups on a topology of nodes, cores in each and
// threads of each core, with eight new tasks; for loads on one CPU with a group.
func (p *Probe) Begin(args []int64) error {
	n := numbers{rest: args}
	switch p.kind {
	case ProbeWakeup:
		p.m = probeMachine(n.topology())
		for range probeTasks {
			p.m.NewTask("", 0, RootGroup, 0, PolicyNormal, 0)
		}
	case ProbeLoad:
		n.next()
		p.load = newLoadProbe()
	case ProbeBalance, ProbeFork:
		return fmt.Errorf("a case: expected a question")
	}
	return n.end()
}

// Ask puts a question: the numbers of the situation, for loads after the name of
// an operation. It returns what the machine decides.
func (p *Probe) Ask(op string, args []int64) ([]Answer, error) {
	n := numbers{rest: args}
	var a []Answer
	switch {
	case p.kind == ProbeBalance:
		a = askBalance(&n)
	case p.kind == ProbeFork:
		a = askFork(&n)
	case p.kind == ProbeWakeup && p.m != nil:
		a = askWakeup(p.m, &n)
	case p.kind == ProbeLoad && p.load != nil:
		a = p.load.ask(op, &n)
	default:
		return nil, fmt.Errorf("a question before the first case")
	}
	return a, n.end()
}

// numbers takes integers from a list; the first fault is kept, and zeros follow.
type numbers struct {
	rest []int64
	err  error
}

func (n *numbers) next() int64 {
	if len(n.rest) == 0 {
		if n.err == nil {
			n.err = fmt.Errorf("too few numbers")
		}
		return 0
	}
	x := n.rest[0]
	n.rest = n.rest[1:]
	return x
}

// within takes a number from low to high.
func (n *numbers) within(low, high int64) int {
	x := n.next()
	if n.err == nil && (x < low || x > high) {
		n.err = fmt.Errorf("number %d: expected %d to %d", x, low, high)
	}
	return int(min(max(x, low), high))
}

func (n *numbers) flag() bool { return n.next() != 0 }

// maskFlag picks a flag out of a mask.
func maskFlag(mask, bit int, f domainFlags) domainFlags {
	if mask&bit != 0 {
		return f
	}
	return 0
}

func (n *numbers) end() error {
	if n.err == nil && len(n.rest) > 0 {
		return fmt.Errorf("%d numbers too many", len(n.rest))
	}
	return n.err
}

func (n *numbers) topology() Topology {
	return Topology{Nodes: n.within(1, 4), LLCsPerNode: 1, CoresPerLLC: n.within(1, 16), Threads: n.within(1, 4)}
}

// load is a CPU as balancing sees it.
func (n *numbers) load() cpuLoad {
	l := cpuLoad{load: uint64(n.next()), util: uint64(n.next()), runnable: uint64(n.next()), nr: int32(n.next()), h: int32(n.next())}
	l.idle = l.nr == 0
	return l
}

func probeMachine(t Topology) *Machine {
	p, _ := ProfileByName("6.12.y")
	return NewMachine(Config{
		Kernel: p, CPUs: t.CPUs(), HZ: 250, BaseSlice: 2_800_000, NBase: p.NBase,
		MigrationCost: 500_000, Features: p.Defaults(), Topology: t,
	})
}

// askBalance reads a domain seen by CPU 0 and the loads of its CPUs, group by
// group.
func askBalance(n *numbers) []Answer {
	groups, size := n.within(1, probeCPUs), n.within(1, probeCPUs)
	if groups*size > probeCPUs && n.err == nil {
		n.err = fmt.Errorf("%d CPUs: expected at most %d", groups*size, probeCPUs)
	}
	own, inner, idle := n.within(0, 255), n.within(0, 255), idleKind(n.within(int64(cpuBusy), int64(cpuNewlyIdle)))
	d := &domain{
		pct: uint64(n.next()), weight: groups * size, imbNuma: int(n.next()),
		flags:      maskFlag(own, 2, sdShareLLC) | maskFlag(own, 4, sdNUMA),
		groupFlags: maskFlag(inner, 1, sdShareCapacity) | maskFlag(inner, 8, sdPreferSibling),
	}
	in := balanceInput{domain: d, idle: idle, llcSize: n.within(1, probeCPUs), sisUtil: true}
	d.cores = n.within(1, probeCPUs)
	marked := make([]bool, groups)
	for g := range marked {
		marked[g] = n.flag()
	}
	if n.err != nil {
		return nil
	}
	loads := make([]cpuLoad, groups*size)
	for cpu := range loads {
		loads[cpu] = n.load()
	}
	for g := range groups {
		var s CPUSet
		for k := range size {
			s.Add(g*size + k)
		}
		d.groups = append(d.groups, s)
	}
	in.loads, in.imbalanced = func(cpu int) cpuLoad { return loads[cpu] }, func(g int) bool { return marked[g] }
	p := decideBalance(&in)
	if p.group < 0 {
		return answer(balanceFields, -1, -1, 0, -1, int64(p.idleScan))
	}
	return answer(balanceFields, int64(p.group), int64(p.kind), int64(p.amount), int64(p.source), int64(p.idleScan))
}

func answer(fields []string, values ...int64) []Answer {
	return []Answer{{Fields: fields, Values: values}}
}

// askFork reads a topology, the CPU of the parent, the affinity and the loads.
func askFork(n *numbers) []Answer {
	m := probeMachine(n.topology())
	imbNuma := int(n.next())
	for cpu := range m.multi.domains {
		if top := len(m.multi.domains[cpu]) - 1; top >= 0 && m.multi.domains[cpu][top].level == LevelNUMA {
			m.multi.domains[cpu][top].imbNuma = imbNuma
		}
	}
	c := forkChoice{cpu: n.within(0, int64(len(m.cpus)-1)), allowed: CPUSet{uint64(n.next())}}
	loads := make([]cpuLoad, len(m.cpus))
	for cpu := range loads {
		loads[cpu] = n.load()
		loads[cpu].schedIdle, loads[cpu].idleStamp = n.flag(), uint64(n.next())
	}
	if n.err != nil {
		return nil
	}
	c.loads = func(cpu int) cpuLoad { return loads[cpu] }
	return answer(forkFields, int64(m.findIdlestCPU(&c)))
}

// askWakeup reads who wakes whom from where, the state of every CPU and of every
// last-level cache. What the wakeup remembers stays for the next one.
func askWakeup(m *Machine, n *numbers) []Answer {
	top := int64(len(m.cpus) - 1)
	w := &wakeup{
		jiffies: uint64(n.next()), cpu: n.within(0, top), waker: TaskID(n.within(0, probeTasks-1)), wakee: TaskID(n.within(0, probeTasks-1)),
		prev: n.within(0, top), sync: n.flag(),
	}
	for _, f := range []Feature{WaIdle, WaWeight, WaBias, SisUtil} {
		m.features = m.features.With(f, n.flag())
	}
	w.allowed = CPUSet{uint64(n.next())}
	ofWaker, ofWakee := uint64(n.next()), uint64(n.next())
	w.load = func(t TaskID) uint64 {
		if t == w.waker {
			return ofWaker
		}
		return ofWakee
	}
	for k := range m.cpus {
		q := &m.queues[k]
		m.cpus[k].nr, q.hDelayed, q.hIdle = int32(n.next()), int32(n.next()), -1
		if n.flag() {
			q.hIdle = m.cpus[k].nr
		}
		q.avg.load = uint64(n.next())
	}
	var caches []*cache
	for range n.within(0, top+1) {
		c := m.cache(n.within(0, top))
		c.idleCores, c.idleScan = n.flag(), int(n.next())
		caches = append(caches, c)
	}
	if n.err != nil {
		return nil
	}
	cpu := m.selectCPU(w)
	waker, wakee := &m.tasks[w.waker].partner, &m.tasks[w.wakee].partner
	values := []int64{int64(cpu), int64(waker.flips), int64(wakee.recent), int64(waker.lastWakee)}
	for _, c := range caches {
		idle := int64(0)
		if c.idleCores {
			idle = 1
		}
		values = append(values, idle)
	}
	return answer(wakeupFields, values...)
}
