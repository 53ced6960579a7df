package scheduler

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// smpLines reads a file of decision vectors.
func smpLines(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open("testdata/smp/" + name + ".txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	in := bufio.NewScanner(z)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		out = append(out, in.Text())
	}
	if in.Err() != nil || len(out) == 0 {
		t.Fatalf("%s: %d lines, %v", name, len(out), in.Err())
	}
	return out
}

// numbers reads the integers of a line behind its mark.
func numbers(t *testing.T, line string) []int64 {
	t.Helper()
	var out []int64
	for _, w := range strings.Fields(line)[1:] {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, n)
	}
	return out
}

// differ reports a vector that the machine answers otherwise, up to ten.
func differ(t *testing.T, bad *int, line, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	if *bad++; *bad <= 10 {
		t.Errorf("%s\nwant %s\ngot  %s", line, want, got)
	}
}

func smpMachine(topology Topology) *Machine {
	p, _ := ProfileByName("6.12.y")
	return NewMachine(Config{
		Kernel: p, CPUs: topology.CPUs(), HZ: 250, BaseSlice: 2_800_000, NBase: 700_000,
		MigrationCost: 500_000, Features: p.Defaults(), Topology: topology,
	})
}

// flag picks out a flag of a vector's bit mask.
func flag(mask, bit int64, f domainFlags) domainFlags {
	if mask&bit != 0 {
		return f
	}
	return 0
}

func TestBalanceDecisionsMatchVectors(t *testing.T) {
	lines, bad := smpLines(t, "balance"), 0
	for i := 0; i+1 < len(lines); i += 2 {
		a := numbers(t, lines[i])
		ng, gw := int(a[0]), int(a[1])
		d := &domain{
			pct: uint64(a[5]), weight: ng * gw, imbNuma: int(a[6]), cores: int(a[8]),
			flags:      flag(a[2], 2, sdShareLLC) | flag(a[2], 4, sdNUMA),
			groupFlags: flag(a[3], 1, sdShareCapacity) | flag(a[3], 8, sdPreferSibling),
		}
		marked, c := a[9:9+ng], a[9+ng:]
		loads := make([]cpuLoad, ng*gw)
		for k := range loads {
			x := c[k*5:]
			loads[k] = cpuLoad{load: uint64(x[0]), util: uint64(x[1]), runnable: uint64(x[2]), nr: int32(x[3]), h: int32(x[4]), idle: x[3] == 0}
		}
		for g := range ng {
			var s CPUSet
			for k := range gw {
				s.Add(g*gw + k)
			}
			d.groups = append(d.groups, s)
		}
		p := decideBalance(&balanceInput{
			domain: d, idle: idleKind(a[4]), llcSize: int(a[7]), sisUtil: true,
			loads:      func(cpu int) cpuLoad { return loads[cpu] },
			imbalanced: func(g int) bool { return marked[g] != 0 },
		})
		got := fmt.Sprintf("= %d %d %d %d %d", p.group, p.kind, p.amount, p.source, p.idleScan)
		if p.group < 0 {
			got = fmt.Sprintf("= -1 -1 0 -1 %d", p.idleScan)
		}
		differ(t, &bad, lines[i], lines[i+1], got)
	}
}

func TestForkPlacementMatchesVectors(t *testing.T) {
	lines, bad := smpLines(t, "fork"), 0
	for i := 0; i+1 < len(lines); i += 2 {
		a := numbers(t, lines[i])
		m := smpMachine(Topology{Nodes: int(a[0]), LLCsPerNode: 1, CoresPerLLC: int(a[1]), Threads: int(a[2])})
		for cpu := range m.multi.domains {
			if n := len(m.multi.domains[cpu]); n > 0 && m.multi.domains[cpu][n-1].level == LevelNUMA {
				m.multi.domains[cpu][n-1].imbNuma = int(a[3])
			}
		}
		loads := make([]cpuLoad, len(m.cpus))
		for k := range loads {
			x := a[6+k*7:]
			loads[k] = cpuLoad{
				load: uint64(x[0]), util: uint64(x[1]), runnable: uint64(x[2]), nr: int32(x[3]), h: int32(x[4]),
				idle: x[3] == 0, schedIdle: x[5] != 0, idleStamp: uint64(x[6]),
			}
		}
		got := m.findIdlestCPU(&forkChoice{cpu: int(a[4]), allowed: CPUSet{uint64(a[5])}, loads: func(cpu int) cpuLoad { return loads[cpu] }})
		differ(t, &bad, lines[i], lines[i+1], fmt.Sprintf("= %d", got))
	}
}

func TestWakeupPlacementMatchesVectors(t *testing.T) {
	lines, bad := smpLines(t, "wakeup"), 0
	var m *Machine
	for i := 0; i < len(lines); i++ {
		a := numbers(t, lines[i])
		if strings.HasPrefix(lines[i], "case") {
			m = smpMachine(Topology{Nodes: int(a[0]), LLCsPerNode: 1, CoresPerLLC: int(a[1]), Threads: int(a[2])})
			for range 8 {
				m.NewTask("", 0, 0, 0, PolicyNormal, 0)
			}
			continue
		}
		w := &wakeup{
			jiffies: uint64(a[0]), cpu: int(a[1]), waker: TaskID(a[2]), wakee: TaskID(a[3]), prev: int(a[4]),
			sync: a[5] != 0, allowed: CPUSet{uint64(a[10])},
		}
		w.load = func(t TaskID) uint64 {
			if t == w.waker {
				return uint64(a[11])
			}
			return uint64(a[12])
		}
		for k, f := range []Feature{WaIdle, WaWeight, WaBias, SisUtil} {
			m.features = m.features.With(f, a[6+k] != 0)
		}
		for k := range m.cpus {
			x, q := a[13+k*4:], &m.queues[k]
			m.cpus[k].nr, q.hDelayed, q.avg.load, q.hIdle = int32(x[0]), int32(x[1]), uint64(x[3]), -1
			if x[2] != 0 {
				q.hIdle = int32(x[0])
			}
		}
		caches := a[13+len(m.cpus)*4:]
		for k := range int(caches[0]) {
			c := m.cache(int(caches[1+k*3]))
			c.idleCores, c.idleScan = caches[2+k*3] != 0, int(caches[3+k*3])
		}
		cpu := m.selectCPU(w)
		waker, wakee := &m.tasks[w.waker].partner, &m.tasks[w.wakee].partner
		got := fmt.Sprintf("= %d %d %d %d", cpu, waker.flips, wakee.recent, waker.lastWakee)
		for k := range int(caches[0]) {
			got += " 0"
			if m.cache(int(caches[1+k*3])).idleCores {
				got = got[:len(got)-1] + "1"
			}
		}
		i++
		differ(t, &bad, lines[i-1], lines[i], got)
	}
}

// pelt drives the averages of one root queue and one group as the vectors do.
type pelt struct {
	m *Machine
	g *entity
}

func (p *pelt) levels(e *entity) (task, group *entity) {
	if e.parent == NoEntity {
		return e, nil
	}
	return e, p.g
}

func (p *pelt) enqueue(e *entity) {
	task, group := p.levels(e)
	join := func(e *entity) {
		q := p.m.queue(e.queue)
		if e.onRQ {
			p.m.updateLoadAvg(q, e, updateTg)
			p.m.updateRunnable(e)
			p.m.updateCfsGroup(e)
		} else {
			p.m.updateLoadAvg(q, e, updateTg|doAttach)
			p.m.updateRunnable(e)
			p.m.updateCfsGroup(e)
			q.load += e.weight
			e.onRQ = true
		}
		q.hQueued++
		q.hRunnable++
	}
	join(task)
	if group != nil {
		join(group)
	}
}

func (p *pelt) dequeue(e *entity, migrate bool) {
	task, group := p.levels(e)
	flags := updateTg
	if migrate {
		flags |= doDetach
	}
	q := p.m.queue(task.queue)
	p.m.updateLoadAvg(q, task, flags)
	p.leave(q, task)
	q.hQueued--
	q.hRunnable--
	if group != nil {
		root := p.m.queue(group.queue)
		p.m.updateLoadAvg(root, group, updateTg)
		p.m.updateRunnable(group)
		if q.hQueued == 0 {
			p.leave(root, group)
		}
		p.m.updateCfsGroup(group)
		root.hQueued--
		root.hRunnable--
	}
	if migrate {
		task.avg.last = 0
	}
}

func (p *pelt) leave(q *FairQueue, e *entity) {
	e.onRQ = false
	q.load -= e.weight
	if q.curr == e.id {
		q.curr = NoEntity
	}
}

func (p *pelt) run(e *entity) {
	task, group := p.levels(e)
	for _, q := range []*FairQueue{p.m.queue(1), p.m.queue(0)} {
		if q.curr != NoEntity {
			p.m.updateLoadAvg(q, p.m.ent(q.curr), 0)
			q.curr = NoEntity
		}
	}
	for _, e := range []*entity{task, group} {
		if e != nil {
			q := p.m.queue(e.queue)
			p.m.updateLoadAvg(q, e, updateTg)
			q.curr = e.id
		}
	}
}

func (p *pelt) tick() {
	for _, q := range []*FairQueue{p.m.queue(1), p.m.queue(0)} {
		if q.curr != NoEntity {
			e := p.m.ent(q.curr)
			p.m.updateLoadAvg(q, e, updateTg)
			p.m.updateCfsGroup(e)
		}
	}
}

func (p *pelt) do(op string, a []int64) {
	m := p.m
	task := func() *entity { return m.ent(m.tasks[a[0]].entity) }
	switch op {
	case "now":
		m.SetClock(0, Time(a[0]), Time(a[0]))
	case "attg":
		m.updateLoadAvg(m.queue(0), p.g, 0)
		m.attachLoad(m.queue(0), p.g)
	case "shares":
		m.groups[1].shares = uint64(a[0])
	case "ext":
		m.groups[1].loadAvg += a[0]
	case "w":
		task().weight = uint64(a[1])
	case "init":
		e := task()
		e.avg.load, e.avg.util, e.avg.runnable = down(e.weight), uint64(a[1]), uint64(a[1])
	case "enq":
		p.enqueue(task())
	case "deq":
		p.dequeue(task(), a[1] != 0)
	case "run":
		p.run(task())
	case "tick":
		p.tick()
	case "blk":
		p.blocked()
	case "rm":
		m.removeLoad(task())
		task().avg.last = 0
	}
}

// blocked is updateBlocked as the vectors have it: the group entity is aged even
// when nothing is left of it.
func (p *pelt) blocked() {
	root, own := p.m.queue(0), p.m.queue(1)
	if p.m.updateQueueAvg(own, p.m.cpus[0].clockTask) {
		p.m.updateTgLoad(own)
	}
	p.m.updateLoadAvg(root, p.g, updateTg)
	p.m.updateQueueAvg(root, p.m.cpus[0].clockTask)
}

func (p *pelt) state() []string {
	m := p.m
	line := func(name string, a *average) string {
		return fmt.Sprintf("= %s %d %d %d %d %d %d %d %d", name, a.last, a.loadSum, a.runnableSum, a.utilSum, a.contrib, a.load, a.runnable, a.util)
	}
	root, own := m.queue(0), m.queue(1)
	out := []string{line("root", &root.avg), line("grp", &own.avg), line("g", &p.g.avg)}
	for i := range m.tasks {
		out = append(out, line("t", &m.ent(m.tasks[i].entity).avg))
	}
	return append(out, fmt.Sprintf("= x %d %d %d %d %d %d %d", root.load, own.load, p.g.weight, m.groups[1].loadAvg,
		own.share.contrib, own.share.propSum, root.share.propSum))
}

func newPelt() *pelt {
	m := smpMachine(Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: 1, Threads: 1})
	m.addGroup(RootGroup, "/g")
	for i := range 6 {
		g := GroupID(1)
		if i >= 4 {
			g = RootGroup
		}
		t := m.NewTask("", 0, g, 0, PolicyNormal, 0)
		m.ent(m.tasks[t].entity).weight = NiceZeroLoad
	}
	return &pelt{m: m, g: m.ownerOf(m.queue(1))}
}

func TestAveragesMatchVectors(t *testing.T) {
	lines, bad := smpLines(t, "pelt"), 0
	var p *pelt
	op := ""
	for i := 0; i < len(lines); i++ {
		switch words := strings.Fields(lines[i]); words[0] {
		case "case":
			p = newPelt()
		case ">":
			op = lines[i]
			p.do(words[1], numbers(t, op[2:]))
		case "=":
			for k, got := range p.state() {
				differ(t, &bad, fmt.Sprintf("line %d after %s", i+k+1, op), lines[i+k], got)
			}
			i += 9
		}
	}
}
