package recording

import (
	"fmt"
	"slices"
	"strconv"

	"zerolag/scheduler"
)

// halfDone are the values that a function has already changed, without an event
// of its own, when it calls another one. A nested call is replayed from them;
// the outer function, replayed as a whole, must come to the same result.
var halfDone = map[string][]string{
	"enqueue_task_fair":         {"sl", "cus"},
	"enqueue_entity":            {"q_nr", "q_w", "q_inr", "ex"},
	"dequeue_entity":            {"d", "rel", "q_next"},
	"set_next_entity":           {"q_next"},
	"requeue_delayed_entity":    {"q_nr", "lag"},
	"reweight_entity":           {"v", "d", "w", "inv", "q_w"},
	"check_preempt_wakeup_fair": {"lag"},
	"yield_task_fair":           {"v", "d", "sl", "q_next"},
	"update_curr":               {"v", "d", "sl", "inv", "sum", "ex"},
}

// call is the present call.
func (p *Player) call() *node { return p.calls[len(p.calls)-1] }

// half tells whether the caller of the present call may have left this field
// half done at its entry.
func (p *Player) half(l *line, name string) bool {
	if l.exit || len(p.calls) < 2 {
		return false
	}
	return slices.Contains(halfDone[p.calls[len(p.calls)-2].name], name)
}

// look compares everything that an event shows with the machine.
func (p *Player) look(l *line) {
	p.setClock(l)
	if _, fair := fairPolicy(l.num64("pol")); !fair && l.name == "wk" {
		if n := p.life(l.num64("p") + p.w.seOffset); n != nil && !n.other {
			p.leavesClass(n.addr)
		}
	}
	if l.name == "sw" {
		p.lookSwitch(l)
		return
	}
	for _, s := range p.w.sights(l) {
		p.lookEntity(l, s)
	}
	if addr := p.w.queueAddr(l); addr != 0 && l.has("q_zv") {
		p.lookQueue(l, p.w.queues[addr])
	}
	p.lookRunQueue(l)
}

// setClock moves the clock of the run queue that an event is about.
func (p *Player) setClock(l *line) {
	clk, ok := l.get("clk")
	cpu := int(l.num64("qcpu"))
	if !ok || !l.has("qcpu") || cpu >= p.w.cpus {
		return
	}
	now := scheduler.Time(clk)
	p.change(func(r *scheduler.Replay) { r.Machine().SetClock(cpu, now, now) })
}

// lookSwitch compares the two tasks of a switch, as far as they are known, and
// who runs now.
func (p *Player) lookSwitch(l *line) {
	next, want := scheduler.NoTask, uint64(0)
	_, fair := fairPolicy(l.num64("npol"))
	higher := !fair && l.num64("npid") != 0
	for _, side := range []struct{ addr, pid, policy, prefix string }{{"prev", "ppid", "ppol", "p"}, {"next", "npid", "npol", "n"}} {
		n := p.life(l.num64(side.addr) + p.w.seOffset)
		_, fair := fairPolicy(l.num64(side.policy))
		if n == nil || l.num64(side.pid) == 0 {
			continue
		}
		if !fair && !n.other {
			p.leavesClass(n.addr)
		}
		p.lookEntity(l, sight{n.addr, side.prefix})
		if task := n.task; side.prefix == "p" && n.exits && task != scheduler.NoTask {
			p.change(func(r *scheduler.Replay) { r.Die(task) })
		}
		if side.prefix == "n" && fair {
			next, want = n.task, n.addr
		}
	}
	p.decide(l, "switch to", p.label(want), p.label(p.addrs[p.running(l.cpu)]))
	p.setCurr(l.cpu, next, higher)
	p.change(func(r *scheduler.Replay) { r.SetResched(l.cpu, false) })
}

// setCurr tells who runs on a CPU.
func (p *Player) setCurr(cpu int, t scheduler.TaskID, higher bool) {
	if p.r.Curr(cpu) != t || p.r.Higher(cpu) != higher {
		p.change(func(r *scheduler.Replay) { r.SetCurr(cpu, t, higher) })
	}
}

// running is the task that set_next_entity has made the current one on a CPU,
// level by level.
func (p *Player) running(cpu int) scheduler.EntityID {
	q := p.r.QueueOf(scheduler.RootGroup, cpu)
	for {
		id := p.r.Queue(q).Curr
		if id == scheduler.NoEntity {
			return id
		}
		if q = p.r.Own(id); q == scheduler.NoQueue {
			return id
		}
	}
}

// lookEntity compares an entity. At its first sight there is nothing to compare:
// the values were adopted at the start. The run time of a task in another class
// is taken over when it comes back.
func (p *Player) lookEntity(l *line, at sight) {
	n := p.life(at.addr)
	if n == nil || n.id == scheduler.NoEntity {
		return
	}
	s := p.r.Entity(n.id)
	changed := false
	for i := range entityFields {
		f, half := &entityFields[i], false
		want, ok := l.get(at.prefix + f.name)
		if !ok {
			continue
		}
		got := f.get(&s)
		switch {
		case !n.seen:
			p.result.Adopted[FirstSight]++
		case want == got:
			p.result.Integers++
			continue
		case p.half(l, f.name):
			half = true
			p.result.Adopted[HalfDone]++
		case n.other && isRunTime(f.name):
			continue
		default:
			p.differ(l, p.label(n.addr), at.prefix+f.name, decimal(want, f.signed), decimal(got, f.signed))
		}
		if half || !f.structure {
			f.set(&s, want)
			changed = changed || want != got
		}
	}
	n.seen = true
	if changed {
		p.adoptEntity(n, s)
	}
}

// lookQueue compares a queue. The shape of its tree is compared once it has been
// known to hold at most one entity.
func (p *Player) lookQueue(l *line, q *queueInfo) {
	s := p.r.Queue(q.id)
	q.shaped = q.shaped || s.Waiting <= 1
	changed := false
	for i := range queueFields {
		f, half := &queueFields[i], false
		want, ok := l.get(f.name)
		if !ok || f.name == "q_root" && !q.shaped {
			continue
		}
		got := f.get(p, &s)
		switch {
		case !q.seen && f.set != nil && !f.structure:
			p.result.Adopted[FirstSight]++
		case want == got:
			p.result.Integers++
			continue
		case p.half(l, f.name) && want == f.written(p, s, want):
			half = true
			p.result.Adopted[HalfDone]++
		case p.call().raced:
			p.result.Adopted[UnlockedRead]++
		default:
			p.differ(l, "queue "+p.queueLabel(q), f.name, p.value(f, want), p.value(f, got))
		}
		if half || !f.structure {
			f.set(p, &s, want)
			changed = changed || want != got
		}
	}
	if changed {
		p.adoptQueue(q, s)
	}
	if !q.seen {
		q.seen = true
		p.showQueue(l, q)
	}
}

// showQueue takes the first sight of a queue in a nested call over to where the
// outer calls began.
func (p *Player) showQueue(l *line, q *queueInfo) {
	if len(p.calls) < 2 {
		return
	}
	id := q.id
	for depth, r := range p.saved[1:len(p.calls)] {
		s := r.Queue(id)
		for i := range queueFields {
			if f := &queueFields[i]; !f.structure {
				f.set(p, &s, l.num64(f.name))
			}
		}
		r.AdoptQueue(id, s)
		if depth == 0 {
			p.tape.add(func(r *scheduler.Replay) { r.AdoptQueue(id, s) })
		}
	}
}

// written is what the field reads after a value has been written to it.
func (f *queueField) written(p *Player, s scheduler.QueueState, v uint64) uint64 {
	f.set(p, &s, v)
	return f.get(p, &s)
}

// lookRunQueue compares rq.nr_running, which other classes change between
// operations, and takes over who runs.
func (p *Player) lookRunQueue(l *line) {
	cpu := int(l.num64("qcpu"))
	if !l.has("qcpu") || cpu >= p.w.cpus {
		return
	}
	if want, ok := l.get("nr"); ok {
		switch got := uint64(p.r.Nr(cpu)); {
		case want == got:
			p.result.Integers++
		case !l.exit && len(p.calls) == 1:
			p.result.Adopted[OtherTasks]++
			p.setNr(cpu, int(want))
		default:
			p.differ(l, fmt.Sprintf("cpu %d", cpu), "nr", decimal(want, true), decimal(got, true))
			p.setNr(cpu, int(want))
		}
	}
	if cur, ok := l.get("cur"); ok {
		t := scheduler.NoTask
		if n := p.life(cur + p.w.seOffset); n != nil && !n.other {
			t = n.task
		}
		p.setCurr(cpu, t, t == scheduler.NoTask && l.num64("curpid") != 0)
	}
}

func (p *Player) setNr(cpu, nr int) {
	p.change(func(r *scheduler.Replay) { r.SetNr(cpu, nr) })
}

// decide compares a decision.
func (p *Player) decide(l *line, what, want, got string) {
	p.result.Decisions++
	if want != got {
		p.differ(l, "decision", what, want, got)
	}
}

func (p *Player) differ(l *line, object, field, want, got string) {
	p.result.Differences++
	d := &Difference{Line: l.num, Object: object, Field: field, Want: want, Got: got, Event: l.text}
	for i := len(p.calls) - 1; i >= 0; i-- {
		if d.Call != "" {
			d.Call += " in "
		}
		d.Call += p.calls[i].name
		if d.Section == "" {
			d.Section = sections[p.calls[i].name]
		}
	}
	p.tape.differ(d)
	if p.result.First == nil {
		p.result.First = d
	}
}

// label names a task or a group entity for people.
func (p *Player) label(addr uint64) string {
	switch n := p.life(addr); {
	case addr == 0:
		return "none"
	case n == nil:
		return fmt.Sprintf("%#x", addr)
	case n.group:
		if q := p.w.queues[p.w.owners[addr]]; q != nil {
			return "group " + p.queueLabel(q)
		}
		return fmt.Sprintf("group %#x", addr)
	default:
		return p.taskName(n)
	}
}

// taskName is the name and pid of a task; one that never runs has its address.
func (p *Player) taskName(n *life) string {
	if n.name == "" || n.pid == 0 {
		return fmt.Sprintf("task-%x", n.addr-p.w.seOffset)
	}
	return fmt.Sprintf("%s-%d", n.name, n.pid)
}

func (p *Player) queueLabel(q *queueInfo) string {
	if q.tg == p.w.root {
		return fmt.Sprintf("/ on cpu %d", q.cpu)
	}
	return fmt.Sprintf("%s on cpu %d", p.path(p.w.groups[q.tg]), q.cpu)
}

// value prints an integer of a queue; entities by name.
func (p *Player) value(f *queueField, v uint64) string {
	switch f.name {
	case "q_curr", "q_next":
		return p.label(v)
	case "q_left", "q_root":
		if v != 0 {
			v -= p.w.nodeOffset
		}
		return p.label(v)
	}
	return decimal(v, f.signed)
}

func decimal(v uint64, signed bool) string {
	if signed {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatUint(v, 10)
}
