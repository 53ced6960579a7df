package scheduler

import (
	"fmt"
	"strings"
)

// scriptOp is one operation of a random script, in the letters of vectors.
type scriptOp struct {
	letter byte
	args   [5]int64
	n      int
}

// String is the operation as a line of a vector.
func (o scriptOp) String() string {
	words := []string{string(o.letter)}
	for _, a := range o.args[:o.n] {
		words = append(words, fmt.Sprint(a))
	}
	return strings.Join(words, " ")
}

func makeOp(letter byte, args ...int64) scriptOp {
	o := scriptOp{letter: letter, n: len(args)}
	copy(o.args[:], args)
	return o
}

// rig drives a machine by operations and checks it after each; if the machine
// has one queue only, a second opinion runs beside it.
type rig struct {
	m       *Machine
	o       *opinion // nil with groups or several CPUs
	clock   Time
	script  []scriptOp
	cfg     Config
	audit   *audit // nil: steps are not recorded
	rec     Recorder
	wrapped bool // products have left 64 bits: the opinion does not wrap
}

func newRig(cfg Config, secondOpinion bool) *rig {
	r := &rig{m: NewMachine(cfg), cfg: cfg, audit: &audit{}}
	if secondOpinion {
		r.o = newOpinion(cfg, func(f Feature) bool { return r.m.on(f) })
		r.o.favour = r.favour
	}
	return r
}

// head is the first lines of the reproducing script. Features that vectors do
// not number are named in a comment.
func (r *rig) head() string {
	name := r.cfg.Kernel.Release
	aug := map[AugMode]string{AugBuilt: "built", AugIdeal: "ideal"}[r.cfg.Aug]
	text := fmt.Sprintf("# profile=%s ncpu=%d hz=%d base_slice=%d nbase=%d aug=%s\n#", name, r.cfg.CPUs, r.cfg.HZ, r.cfg.BaseSlice, r.cfg.NBase, aug)
	for f := range Feature(NumFeatures) {
		if on := r.cfg.Features.Has(f); on != r.cfg.Kernel.Defaults().Has(f) {
			text += " " + FeatureSetting{f, on}.String()
		}
	}
	return text + "\n"
}

// legal tells whether the state allows an operation.
func (r *rig) legal(o scriptOp) bool {
	alive := func(want func(p *task, e *entity) bool) bool {
		if o.args[0] < 0 || o.args[0] >= int64(len(r.m.tasks)) {
			return false
		}
		p := &r.m.tasks[o.args[0]]
		return p.born && !p.dead && want(p, r.m.ent(p.entity))
	}
	anyhow := func(*task, *entity) bool { return true }
	switch o.letter {
	case 'W', 'V':
		return alive(func(p *task, _ *entity) bool { return p.sleeping })
	case 'M':
		return alive(func(p *task, _ *entity) bool { return p.onRQ == rqQueued && r.m.cpus[p.cpu].curr != TaskID(o.args[0]) })
	case 'B':
		o.args[0], o.args[1] = o.args[1], o.args[0]
		return alive(func(p *task, _ *entity) bool {
			return p.onRQ == rqQueued && !p.sleeping && int64(p.cpu) == o.args[1] && r.m.cpus[p.cpu].curr != TaskID(o.args[0])
		})
	case 'N', 'L', 'P', 'X':
		return alive(anyhow)
	case 'H':
		return !r.m.groups[o.args[0]].idle
	case 'F':
		return len(r.m.tasks) < 12
	case 'G':
		return len(r.m.groups) < 5
	}
	return true
}

// do executes an operation, if it is legal now, and checks everything.
func (r *rig) do(o scriptOp) error {
	if !r.legal(o) {
		return nil
	}
	r.script = append(r.script, o)
	if r.audit != nil {
		r.rec.Steps = r.rec.Steps[:0]
		r.m.rec = &r.rec
	}
	r.apply(o)
	r.m.rec = nil
	err := r.m.Check()
	if err == nil && r.audit != nil {
		err = r.audit.steps(r.m, r.rec.Steps)
	}
	if err == nil && r.o != nil && !r.lostBits() {
		r.advise(o)
		err = r.agree()
	}
	if err != nil {
		lines := make([]string, len(r.script))
		for i, o := range r.script {
			lines[i] = o.String()
		}
		return fmt.Errorf("%w\n%s%s", err, r.head(), strings.Join(lines, "\n"))
	}
	return nil
}

// lostBits tells whether a product has ever left 64 bits.
func (r *rig) lostBits() bool {
	r.wrapped = r.wrapped || r.audit != nil && r.audit.wrapped
	return r.wrapped
}

func (r *rig) apply(o scriptOp) {
	a, m := o.args, r.m
	t, cpu := TaskID(a[0]), int(a[0])
	switch o.letter {
	case 'A':
		r.clock += Time(a[0])
		for c := range m.cpus {
			m.SetClock(c, r.clock, r.clock)
		}
	case 'G':
		m.NewGroup(GroupID(a[0]), fmt.Sprintf("/g%d", len(m.groups)), NiceZeroLoad, a[1] != 0)
	case 'F':
		m.Fork(m.NewTask(fmt.Sprintf("t%d", len(m.tasks)), cpu, GroupID(a[1]), int(a[2]), Policy(a[3]), uint64(a[4])), cpu)
	case 'S':
		m.Schedule(cpu, [...]Leave{LeaveStay, LeaveSleep, LeaveStay, LeaveDie}[a[1]+2*a[1]*a[2]])
	case 'W':
		m.Wake(t, 0)
	case 'V':
		m.Wake(t, WakeSync)
	case 'T':
		m.Tick(cpu)
	case 'Q':
		m.HrtickExpire(cpu)
	case 'Y':
		m.Yield(cpu)
		m.Schedule(cpu, LeaveStay)
	case 'B':
		m.YieldTo(cpu, TaskID(a[1]))
		m.Schedule(cpu, LeaveStay)
	case 'N':
		m.SetNice(t, int(a[1]))
	case 'L':
		m.SetSlice(t, uint64(a[1]))
	case 'P':
		m.SetScheduler(t, Policy(a[1]), int(a[2]))
	case 'M':
		m.Migrate(t, int(a[1]))
	case 'X':
		m.MoveGroup(t, GroupID(a[1]))
	case 'H':
		m.SetShares(GroupID(a[0]), uint64(a[1]))
	case 'I':
		m.SetGroupIdle(GroupID(a[0]), a[1] != 0)
	case 'K':
		m.SetFeature(FeatureSetting{Feature(a[0]), a[1] != 0})
	}
}

// advise lets the second opinion do the same.
func (r *rig) advise(op scriptOp) {
	a, o := op.args, r.o
	o.now = int64(r.clock)
	var e *opinionEnt
	if n := int(a[0]); n < len(o.ents) {
		e = o.ents[n]
	}
	switch op.letter {
	case 'F':
		o.fork(int(a[2]), Policy(a[3]), a[4])
	case 'S':
		o.schedule([...]Leave{LeaveStay, LeaveSleep, LeaveStay, LeaveDie}[a[1]+2*a[1]*a[2]])
	case 'W', 'V':
		o.wake(e, op.letter == 'V')
	case 'T':
		o.onTick()
	case 'Q':
		o.expire()
	case 'Y':
		o.yield()
		o.schedule(LeaveStay)
	case 'B':
		o.nominate(o.ents[a[1]])
		o.yield()
		o.schedule(LeaveStay)
	case 'N':
		if int(a[1]) != e.nice {
			o.change(e, leaveNice, int(a[1]), e.policy, func() {})
		}
	case 'L':
		o.change(e, leaveChange, e.nice, e.policy, func() {
			e.custom, e.slice = a[1] != 0, o.base
			if e.custom {
				e.slice = min(max(a[1], 100_000), 100_000_000)
			}
		})
	case 'P':
		r.advisePolicy(e, Policy(a[1]), int(a[2]))
	}
}

func (r *rig) advisePolicy(e *opinionEnt, policy Policy, nice int) {
	if policy == PolicyIdle {
		if e.policy != PolicyIdle {
			r.o.change(e, leaveChange, e.nice, policy, func() {})
		}
		return
	}
	r.o.change(e, leaveChange, nice, policy, func() {
		if !e.custom {
			e.slice = r.o.base
		}
	})
}

// favour chooses of equals whom the machine has chosen: the running task after a
// pick, the wakee if it preempts, another than the runner if its turn is over.
func (r *rig) favour(tied []*opinionEnt, wakee *opinionEnt) *opinionEnt {
	picks := strings.IndexByte("SYB", r.script[len(r.script)-1].letter) >= 0
	for _, e := range tied {
		var chosen bool
		switch {
		case wakee != nil:
			chosen = (e == wakee) == r.m.NeedResched(0)
		case picks:
			chosen = r.m.Curr(0) != NoTask && e == r.o.ents[r.m.Curr(0)]
		default:
			chosen = (e != r.o.curr) == r.m.NeedResched(0)
		}
		if chosen {
			return e
		}
	}
	return tied[0]
}

// agree compares the machine with the second opinion.
func (r *rig) agree() error {
	q, o := r.m.rootQueue(0), r.o
	index := func(e *opinionEnt) int64 {
		for i, x := range o.ents {
			if x == e {
				return int64(i)
			}
		}
		return -1
	}
	next := int64(-1)
	if q.next != NoEntity {
		next = int64(r.m.ents[q.next].task)
	}
	pairs := []pair{
		{"running task", int64(r.m.Curr(0)), index(o.curr)},
		{"need_resched", bit(r.m.NeedResched(0)), bit(o.resched)},
		{"nr", int64(q.nr), int64(o.nr)},
		{"V", int64(r.m.peekV(q)), o.peek()},
		{"next buddy", next, index(o.next)},
	}
	for i, e := range o.ents {
		x := r.m.ent(r.m.tasks[i].entity)
		name := func(field string) string { return fmt.Sprintf("t%d %s", i, field) }
		pairs = append(
			pairs,
			pair{name("vruntime"), int64(x.vruntime), e.v},
			pair{name("deadline"), int64(x.deadline), e.d},
			pair{name("vlag"), x.vlag, e.vlag},
			pair{name("vprot"), int64(x.vprot), e.vprot},
			pair{name("slice"), int64(x.slice), e.slice},
			pair{name("weight"), int64(x.weight), e.weight},
			pair{name("sum_exec"), int64(x.sumExec), e.sumExec},
			pair{name("on_rq"), bit(x.onRQ), bit(e.onRQ)},
			pair{name("delayed"), bit(x.delayed), bit(e.delayed)},
			pair{name("rel_deadline"), bit(x.relDeadline), bit(e.rel)},
			pair{name("custom_slice"), bit(x.customSlice), bit(e.custom)},
			pair{name("policy"), int64(r.m.tasks[i].policy), int64(e.policy)},
			pair{name("nice"), int64(r.m.tasks[i].nice), int64(e.nice)},
		)
	}
	for _, p := range pairs {
		if p.machine != p.opinion {
			return fmt.Errorf("%s: the machine says %d, the second opinion %d", p.name, p.machine, p.opinion)
		}
	}
	return nil
}

type pair struct {
	name             string
	machine, opinion int64
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
