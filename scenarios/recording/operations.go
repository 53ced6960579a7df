package recording

import (
	"fmt"

	"zerolag/scheduler"
)

// sections say where the specification states what a function does.
var sections = map[string]string{
	"update_curr":               "SPEC-6.12 section 8.1",
	"avg_vruntime":              "SPEC-6.12 section 3",
	"place_entity":              "SPEC-6.12 section 6",
	"__enqueue_entity":          "SPEC-6.12 section 3, SPEC-6.6-6.12.0 section 1",
	"__dequeue_entity":          "SPEC-6.12 section 3, SPEC-6.6-6.12.0 section 1",
	"update_entity_lag":         "SPEC-6.12 section 5",
	"enqueue_entity":            "SPEC-6.12 section 7.1",
	"enqueue_task_fair":         "SPEC-6.12 section 7.2",
	"dequeue_entity":            "SPEC-6.12 section 7.3",
	"requeue_delayed_entity":    "SPEC-6.12 section 7.4",
	"dequeue_entities":          "SPEC-6.12 section 7.5",
	"dequeue_task_fair":         "SPEC-6.12 section 7.5",
	"pick_eevdf":                "SPEC-6.12 section 9.1",
	"pick_task_fair":            "SPEC-6.12 section 9.4",
	"set_next_buddy":            "SPEC-6.12 section 9.5",
	"set_next_entity":           "SPEC-6.12 section 9.6",
	"put_prev_entity":           "SPEC-6.12 section 9.6",
	"sw":                        "SPEC-6.12 section 9.7",
	"check_preempt_wakeup_fair": "SPEC-6.12 section 10",
	"task_tick_fair":            "SPEC-6.12 section 11",
	"sched_fork":                "SPEC-6.12 section 12 (fork)",
	"yield_task_fair":           "SPEC-6.12 section 12 (yield)",
	"reweight_task_fair":        "SPEC-6.12 sections 1.1 and 12",
	"attach_entity_cfs_rq":      "SPEC-6.12 section 12 (group move)",
	"migrate_task_rq_fair":      "SPEC-6.12 section 12 (migration)",
	"switched_from_fair":        "SPEC-6.12 section 12 (to/from RT/DL)",
	"switched_to_fair":          "SPEC-6.12 section 12 (to/from RT/DL)",
	"set_group_shares":          "SPEC-6.12 section 1.4",
	"update_cfs_group":          "SPEC-6.12 section 13.2",
	"reweight_entity":           "SPEC-6.12 section 13.3",
}

// reschedules are the functions that may ask for a reschedule.
var reschedules = map[string]bool{
	"update_curr": true, "enqueue_entity": true, "dequeue_entity": true, "put_prev_entity": true, "reweight_entity": true,
	"enqueue_task_fair": true, "dequeue_entities": true, "dequeue_task_fair": true, "pick_task_fair": true,
	"check_preempt_wakeup_fair": true, "task_tick_fair": true, "yield_task_fair": true,
}

// needResched is TIF_NEED_RESCHED among the thread flags.
const needResched = 0x8

// perform lets the machine do what a call did, and compares its decisions.
func (p *Player) perform(n *node) {
	l := n.line()
	if n.exit != nil {
		p.setClock(n.exit)
	}
	p.shareInputs(n)
	cpu := int(l.num64("qcpu"))
	if !reschedules[n.name] || !l.has("qcpu") || cpu >= p.w.cpus {
		p.try(n)
		return
	}
	pending := n.name == "check_preempt_wakeup_fair" && l.num64("curfl")&needResched != 0
	asked, was := pending, p.r.Machine().NeedResched(cpu)
	p.change(func(r *scheduler.Replay) { r.SetResched(cpu, pending) })
	n.walk(func(k *node) {
		asked = asked || k.name == "resched_curr" && k.entry.num64("qcpu") == uint64(cpu)
	})
	p.try(n)
	got := p.r.Machine().NeedResched(cpu)
	p.decide(n.last(), "reschedule", yes(asked), yes(got))
	flag := (got || was) && n.name != "pick_task_fair" // schedule() clears it
	p.change(func(r *scheduler.Replay) { r.SetResched(cpu, flag) })
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// try performs a call. A recording that has been cut or edited may ask for what
// is impossible; that is a difference.
func (p *Player) try(n *node) {
	at, kept := p.save(0), p.tape.length()
	defer func() {
		if r := recover(); r != nil {
			p.r.CopyFrom(at)
			p.tape.cut(kept)
			p.differ(n.line(), "operation", n.name, "done", fmt.Sprintf("impossible (%v)", r))
		}
	}()
	if err := p.do(n, n.line()); err != nil {
		p.differ(n.line(), "operation", n.name, "done", err.Error())
	}
}

// do is one call; events that do not change the fair class are only looked at.
func (p *Player) do(n *node, l *line) error {
	if sections[n.name] != "" {
		p.result.Operations++
	}
	flags := scheduler.KernelFlags(l.num64("flags"))
	switch n.name {
	case "update_curr":
		return p.onQueue(l, (*scheduler.Replay).UpdateCurr)
	case "avg_vruntime":
		return p.onQueue(l, (*scheduler.Replay).AvgVruntime)
	case "place_entity":
		return p.onEntity(l, anywhere, func(r *scheduler.Replay, e scheduler.EntityID) { r.PlaceEntity(e, flags) })
	case "__enqueue_entity":
		return p.onEntity(l, enters, (*scheduler.Replay).EnterTree)
	case "__dequeue_entity":
		return p.onEntity(l, leaves, (*scheduler.Replay).LeaveTree)
	case "update_entity_lag":
		return p.onEntity(l, anywhere, (*scheduler.Replay).UpdateEntityLag)
	case "enqueue_entity":
		return p.onEntity(l, offQueue, func(r *scheduler.Replay, e scheduler.EntityID) { r.EnqueueEntity(e, flags) })
	case "dequeue_entity":
		return p.dequeue(n, l.num64("se"), func(r *scheduler.Replay, e scheduler.EntityID) { r.DequeueEntity(e, flags) })
	case "dequeue_entities":
		return p.dequeue(n, l.num64("se"), func(r *scheduler.Replay, e scheduler.EntityID) { r.DequeueEntities(e, flags) })
	case "requeue_delayed_entity":
		return p.onEntity(l, onQueue, (*scheduler.Replay).RequeueDelayed)
	case "set_next_entity":
		return p.onEntity(l, notCurrent, (*scheduler.Replay).SetNextEntity)
	case "put_prev_entity":
		return p.onEntity(l, current, (*scheduler.Replay).PutPrevEntity)
	case "pick_eevdf":
		return p.pickEntity(n)
	case "reweight_entity":
		return p.reweight(l)
	case "set_next_buddy":
		return p.onEntity(l, anywhere, (*scheduler.Replay).SetNextBuddy)
	case "update_cfs_group":
		return p.updateGroup(l)
	}
	return p.doTask(n, l, flags)
}

// doTask is one call about a task or a CPU.
func (p *Player) doTask(n *node, l *line, flags scheduler.KernelFlags) error {
	switch n.name {
	case "enqueue_task_fair":
		where := offQueue
		if flags&scheduler.KernelDelayed != 0 {
			where = onQueue
		}
		return p.onTask(l, where, func(r *scheduler.Replay, t scheduler.TaskID) { r.EnqueueTask(t, flags) })
	case "dequeue_task_fair":
		return p.dequeue(n, l.num64("p")+p.w.seOffset, func(r *scheduler.Replay, e scheduler.EntityID) { r.DequeueTask(r.EntityTask(e), flags) })
	case "pick_task_fair":
		return p.pickTask(n)
	case "check_preempt_wakeup_fair":
		how := wakeFlags(l.num64("wflags"))
		return p.onTask(l, anywhere, func(r *scheduler.Replay, t scheduler.TaskID) { r.CheckPreempt(t, how) })
	case "task_tick_fair":
		return p.onCPU(l, tick(l))
	case "yield_task_fair":
		return p.onCPU(l, (*scheduler.Replay).Yield)
	case "sched_fork":
		return p.fork(l)
	case "dl_server_update_idle_time":
		return p.fairServer(n)
	case "sched_setscheduler_attr":
		return p.setAttributes(l)
	case "reweight_task_fair":
		return p.reweightTask(l)
	case "set_group_shares":
		return p.setShares(l)
	case "switched_from_fair":
		p.leavesClass(l.num64("p") + p.w.seOffset)
	case "sched_process_exit":
		if t := p.byPid(l.pid); t != nil {
			t.exits = true
		}
	}
	return nil
}

// The wakeup flags of the kernel.
const (
	kernelWakeFork = 0x4
	kernelWakeSync = 0x10
)

func wakeFlags(n uint64) scheduler.WakeFlags {
	var f scheduler.WakeFlags
	if n&kernelWakeFork != 0 {
		f |= scheduler.WakeFork
	}
	if n&kernelWakeSync != 0 {
		f |= scheduler.WakeSync
	}
	return f
}

func (p *Player) onQueue(l *line, do func(*scheduler.Replay, scheduler.QueueID)) error {
	q := p.w.queues[p.w.queueAddr(l)]
	if q == nil {
		return fmt.Errorf("queue %#x is not known", l.num64("q"))
	}
	id := q.id
	p.change(func(r *scheduler.Replay) { do(r, id) })
	return nil
}

// place is where an entity must be for a call to be legal.
type place uint8

const (
	anywhere   place = iota
	onQueue          // on_rq
	offQueue         // not on_rq
	leaves           // waiting, inside a caller that keeps the queue whole
	enters           // not waiting, likewise
	current          // the current entity of its queue
	notCurrent       // its queue has no current entity
)

var placeNames = [...]string{"anywhere", "on its queue", "off its queue", "in the tree, inside a caller", "outside the tree, inside a caller", "current", "on a queue without a current entity"}

func (p *Player) isAt(id scheduler.EntityID, where place) bool {
	switch where {
	case onQueue:
		return p.r.Entity(id).OnRQ && (p.r.InTree(id) || p.isAt(id, current))
	case offQueue:
		return !p.r.Entity(id).OnRQ && !p.r.InTree(id)
	case leaves, enters:
		return p.r.InTree(id) == (where == leaves) && len(p.calls) > 1
	case current:
		return p.r.Queue(p.r.Member(id)).Curr == id && !p.r.InTree(id)
	case notCurrent:
		return p.r.Queue(p.r.Member(id)).Curr == scheduler.NoEntity
	case anywhere:
	}
	return true
}

func (p *Player) onEntity(l *line, where place, do func(*scheduler.Replay, scheduler.EntityID)) error {
	return p.onKnown(l.num64("se"), where, do)
}

func (p *Player) onTask(l *line, where place, do func(*scheduler.Replay, scheduler.TaskID)) error {
	return p.onKnown(l.num64("p")+p.w.seOffset, where, func(r *scheduler.Replay, id scheduler.EntityID) { do(r, r.EntityTask(id)) })
}

func (p *Player) onKnown(addr uint64, where place, do func(*scheduler.Replay, scheduler.EntityID)) error {
	id := p.known(addr)
	if id == scheduler.NoEntity {
		return fmt.Errorf("entity %#x is not known", addr)
	}
	if !p.isAt(id, where) {
		return fmt.Errorf("%s is not %s", p.label(addr), placeNames[where])
	}
	p.change(func(r *scheduler.Replay) { do(r, id) })
	return nil
}

// dequeue is a call after which the entity has left or stays, delayed.
func (p *Player) dequeue(n *node, addr uint64, do func(*scheduler.Replay, scheduler.EntityID)) error {
	err := p.onKnown(addr, onQueue, do)
	if err == nil {
		p.delayed(n, p.r.Entity(p.known(addr)).OnRQ)
	}
	return err
}

func (p *Player) onCPU(l *line, do func(*scheduler.Replay, int)) error {
	cpu := int(l.num64("qcpu"))
	if !l.has("qcpu") || cpu >= p.w.cpus {
		return fmt.Errorf("expected a CPU from 0 to %d", p.w.cpus-1)
	}
	p.change(func(r *scheduler.Replay) { do(r, cpu) })
	return nil
}

// tick is the periodic tick, or the expiry of the slice timer.
func tick(l *line) func(*scheduler.Replay, int) {
	if l.num64("queued") != 0 {
		return (*scheduler.Replay).HrtickExpire
	}
	return (*scheduler.Replay).Tick
}

// delayed compares whether a dequeue left its entity queued: functions then
// return 0, dequeue_entities -1, and else 1.
func (p *Player) delayed(n *node, got bool) {
	stays, ret := int64(0), int64(0)
	if n.name == "dequeue_entities" {
		stays = -1
	}
	if n.exit != nil {
		ret = int64(n.exit.num64("ret"))
	}
	want := fmt.Sprintf("return value %d", ret)
	switch ret {
	case stays:
		want = "yes"
	case 1:
		want = "no"
	}
	p.decide(n.last(), "delayed dequeue", want, yes(got))
}

// pickEntity is pick_eevdf, which changes nothing.
func (p *Player) pickEntity(n *node) error {
	q := p.w.queues[p.w.queueAddr(n.line())]
	if q == nil {
		return fmt.Errorf("queue %#x is not known", n.line().num64("q"))
	}
	want := uint64(0)
	if n.exit != nil {
		want = n.exit.num64("ret")
	}
	p.decide(n.last(), "pick", p.label(want), p.label(p.addrs[p.r.PickEEVDF(q.id)]))
	return nil
}

func (p *Player) pickTask(n *node) error {
	if err := p.onCPU(n.line(), (*scheduler.Replay).PickTask); err != nil {
		return err
	}
	got, want := uint64(0), uint64(0)
	if t := p.r.LastPick(int(n.line().num64("qcpu"))); t != scheduler.NoTask {
		got = p.addrs[p.r.TaskEntity(t)]
	}
	if n.exit != nil && n.exit.num64("p") != 0 {
		want = n.exit.num64("p") + p.w.seOffset
	}
	p.decide(n.last(), "pick", p.label(want), p.label(got))
	return nil
}
