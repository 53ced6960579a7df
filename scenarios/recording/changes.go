package recording

import (
	"fmt"

	"zerolag/scheduler"
)

// attributes is a call of sched_setscheduler or sched_setattr, which takes
// effect inside it, between dequeue and enqueue.
type attributes struct {
	policy, runtime, flags uint64
}

// The flags of sched_setattr.
const (
	flagResetOnFork = 0x01
	flagKeepParams  = 0x10
)

// prepare makes changes that a call finds already made.
func (p *Player) prepare(n *node) {
	l := n.entry
	t := p.life(l.num64("p") + p.w.seOffset)
	if se := l.num64("se"); se != 0 {
		t = p.life(se)
	}
	if t == nil || t.task == scheduler.NoTask {
		return
	}
	if l.has("sprio") {
		policy, _ := fairPolicy(l.num64("pol"))
		if nice := niceOf(l.num64("sprio")); policy != t.policy || nice != t.nice {
			t.policy, t.nice = policy, nice
			p.setAttributesOf(t)
		}
	}
	switch n.name {
	case "enqueue_task_fair":
		p.enters(n, t)
	case "attach_entity_cfs_rq":
		p.attach(t, l.num64("q"))
	}
}

// enters prepares an enqueue: the queue is the one that the first nested call
// shows, and a task that comes from another class has been given its load there
// and has run for a time that is not recorded.
func (p *Player) enters(n *node, t *life) {
	if len(n.kids) > 0 && n.kids[0].name == "enqueue_entity" {
		p.attach(t, n.kids[0].entry.num64("q"))
	}
	if !t.other {
		t.attr = nil
		return
	}
	s := p.r.Entity(t.id)
	p.applyAttributes(t, &s)
	s.Weight, s.Inverse = p.r.LoadOf(t.task)
	for i := range entityFields {
		f := &entityFields[i]
		if v, ok := n.entry.get(f.name); ok && isRunTime(f.name) && v != f.get(&s) {
			p.result.Adopted[OtherClass]++
			f.set(&s, v)
		}
	}
	t.other = false
	p.tape.becomes(scheduler.EventWakeup, t.task)
	p.adoptEntity(t, s)
}

// isRunTime tells whether a field changes while a task runs in any class.
func isRunTime(name string) bool { return name == "sum" || name == "psum" || name == "ex" }

// attach makes a task a member of another queue.
func (p *Player) attach(t *life, addr uint64) {
	q := p.w.queues[addr]
	if q != nil && p.r.Member(t.id) != q.id && p.isAt(t.id, offQueue) {
		task, id := t.task, q.id
		p.change(func(r *scheduler.Replay) { r.Attach(task, id) })
	}
}

// setAttributesOf tells the machine policy and nice value of a task.
func (p *Player) setAttributesOf(t *life) {
	task, policy, nice := t.task, t.policy, t.nice
	p.change(func(r *scheduler.Replay) { r.SetAttributes(task, policy, nice) })
}

// adoptEntity and adoptQueue write a state.
func (p *Player) adoptEntity(t *life, s scheduler.EntityState) {
	id := t.id
	p.change(func(r *scheduler.Replay) { r.AdoptEntity(id, s) })
}

func (p *Player) adoptQueue(q *queueInfo, s scheduler.QueueState) {
	id := q.id
	p.change(func(r *scheduler.Replay) { r.AdoptQueue(id, s) })
}

// leavesClass takes a task out of the fair class.
func (p *Player) leavesClass(addr uint64) {
	t := p.life(addr)
	if t == nil {
		return
	}
	t.other = true
	if t.task == scheduler.NoTask {
		return
	}
	task := t.task
	p.change(func(r *scheduler.Replay) { r.LeaveClass(task) })
	for cpu := range p.w.cpus {
		if p.r.Curr(cpu) == task {
			p.tape.becomes(scheduler.EventBlock, task)
			p.setCurr(cpu, scheduler.NoTask, true)
		}
	}
}

// applyAttributes is the part of __setscheduler_params that the fair class
// keeps: slice and custom slice.
func (p *Player) applyAttributes(t *life, s *scheduler.EntityState) {
	a := t.attr
	t.attr = nil
	if a == nil || a.flags&flagKeepParams != 0 {
		return
	}
	if policy, fair := fairPolicy(a.policy); !fair || policy == scheduler.PolicyIdle {
		return
	}
	s.Custom, s.Slice = a.runtime != 0, p.rec.config.BaseSlice
	if s.Custom {
		s.Slice = min(max(a.runtime, scheduler.MinCustomSlice), scheduler.MaxCustomSlice)
	}
}

func (p *Player) setAttributes(l *line) error {
	if t := p.life(l.num64("p") + p.w.seOffset); t != nil {
		t.attr = &attributes{l.num64("apol"), l.num64("aruntime"), l.num64("aflags")}
		t.resets = t.attr.flags&flagResetOnFork != 0
	}
	return nil
}

// reweightTask is the start of a task's reweight: what the new attributes make
// of slice and weight. The inverse weight is written after reweight_entity.
func (p *Player) reweightTask(l *line) error {
	t := p.life(l.num64("p") + p.w.seOffset)
	if t == nil || t.task == scheduler.NoTask {
		return fmt.Errorf("task %#x is not known", l.num64("p"))
	}
	s := p.r.Entity(t.id)
	p.applyAttributes(t, &s)
	p.adoptEntity(t, s)
	weight, inverse := p.r.LoadOf(t.task)
	p.integer(l, p.label(t.addr), "nw", l.num64("nw"), weight)
	p.integer(l, p.label(t.addr), "ninv", l.num64("ninv"), uint64(inverse))
	t.inverse = &inverse
	return nil
}

// integer compares one computed integer that is no state.
func (p *Player) integer(l *line, object, field string, want, got uint64) {
	if want == got {
		p.result.Integers++
		return
	}
	p.differ(l, object, field, decimal(want, false), decimal(got, false))
}

// reweight is reweight_entity: of a task by its nice value, of a group by its
// shares.
func (p *Player) reweight(l *line) error {
	t := p.life(l.num64("se"))
	if t == nil || t.id == scheduler.NoEntity {
		return fmt.Errorf("entity %#x is not known", l.num64("se"))
	}
	weight := l.num64("weight")
	if weight == 0 {
		return fmt.Errorf("weight 0: expected a positive weight")
	}
	want := uint64(0)
	if t.group {
		want = p.r.GroupShares(p.r.Own(t.id))
	} else {
		want, _ = p.r.LoadOf(t.task)
	}
	p.integer(l, p.label(t.addr), "weight", weight, want)
	id := t.id
	p.change(func(r *scheduler.Replay) { r.ReweightEntity(id, weight) })
	return nil
}

// tableInverse writes the inverse weight of a task after its reweight.
func (p *Player) tableInverse(addr uint64) {
	t := p.life(addr)
	if t == nil || t.inverse == nil {
		return
	}
	s := p.r.Entity(t.id)
	s.Inverse = *t.inverse
	t.inverse = nil
	p.adoptEntity(t, s)
}

// fork makes a new task of the executing one: load and slice are inherited,
// unless the parent resets them; all else starts at zero. What a parent that no
// event has shown yet hands down is adopted.
func (p *Player) fork(l *line) error {
	addr := l.num64("p") + p.w.seOffset
	if _, fair := fairPolicy(l.num64("pol")); !fair {
		return nil
	}
	if t := p.life(addr); t != nil && (t.born || !t.forked) {
		p.live[addr]++
	}
	t := p.life(addr)
	if t == nil || t.task == scheduler.NoTask {
		return nil
	}
	t.born = true
	p.setAttributesOf(t)
	parent := p.byPid(l.pid)
	if parent == nil || parent.task == scheduler.NoTask {
		return nil
	}
	from := p.r.Entity(parent.id)
	s := scheduler.EntityState{Deadline: from.Deadline, Slice: from.Slice, Custom: from.Custom, Weight: from.Weight, Inverse: from.Inverse}
	if parent.resets {
		s.Slice, s.Custom = p.rec.config.BaseSlice, false
		s.Weight, s.Inverse = p.r.LoadOf(t.task)
	}
	t.seen = true
	p.adoptEntity(t, s)
	return nil
}

// byPid is the living task with a pid.
func (p *Player) byPid(pid int) *life {
	for _, n := range p.w.lifeOrder {
		if n.pid == pid && p.life(n.addr) == n {
			return n
		}
	}
	return nil
}

// fairServer takes over exec_start of the running task, which the fair server
// may move when the first fair task comes to an idle CPU.
func (p *Player) fairServer(n *node) error {
	t := p.life(n.line().num64("p") + p.w.seOffset)
	if t == nil || t.id == scheduler.NoEntity || t.other || n.exit == nil {
		return nil
	}
	s := p.r.Entity(t.id)
	if ex := n.exit.num64("ex"); ex != s.ExecStart {
		p.result.Adopted[FairServer]++
		s.ExecStart = ex
		p.adoptEntity(t, s)
	}
	return nil
}

// shareInputs gives the share formula the load averages that the calls inside
// n show.
func (p *Player) shareInputs(n *node) {
	n.walk(func(k *node) {
		if k.name != "update_cfs_group" || k.entry == nil {
			return
		}
		l := k.entry
		if q := p.w.queues[l.num64("my")]; q != nil {
			if k != n {
				p.shares(p.w.groups[q.tg], l.num64("tg_sh"))
			}
			id, own, contrib, whole := q.id, l.num64("gq_la"), l.num64("gq_con"), l.num64("tg_la")
			p.change(func(r *scheduler.Replay) { r.SetGroupLoad(id, own, contrib, whole) })
		}
	})
}

// shares writes the scaled shares of a group.
func (p *Player) shares(g *groupInfo, shares uint64) {
	id := g.id
	p.change(func(r *scheduler.Replay) { r.SetShares(id, shares) })
}

// updateGroup is update_cfs_group: it compares weight and shares, and whether a
// reweight follows.
func (p *Player) updateGroup(l *line) error {
	t, q := p.life(l.num64("se")), p.w.queues[l.num64("my")]
	if t == nil || t.id == scheduler.NoEntity || q == nil {
		return fmt.Errorf("group entity %#x is not known", l.num64("se"))
	}
	g := p.w.groups[q.tg]
	if g.shares {
		p.integer(l, "group "+p.path(g), "tg_sh", l.num64("tg_sh"), p.r.Shares(g.id))
	} else {
		g.shares = true
		p.result.Adopted[FirstSight]++
	}
	p.shares(g, l.num64("tg_sh"))
	p.result.Adopted[LoadAverage] += 3
	weight, load := p.r.Entity(t.id).Weight, p.r.Queue(q.id).Load
	p.integer(l, p.label(t.addr), "w", l.num64("w"), weight)
	p.integer(l, p.label(t.addr), "gq_w", l.num64("gq_w"), load)
	follows := p.following != nil && p.following.name == "reweight_entity" && p.following.line().num64("se") == t.addr
	p.decide(l, "reweight", yes(follows), yes(load != 0 && p.r.GroupShares(q.id) != weight))
	return nil
}

func (p *Player) setShares(l *line) error {
	g := p.w.groups[l.num64("tg")]
	if g == nil {
		return nil
	}
	if g.shares {
		p.integer(l, "group "+p.path(g), "old", l.num64("old"), p.r.Shares(g.id))
	}
	p.shares(g, l.num64("shares"))
	g.shares = true
	return nil
}
