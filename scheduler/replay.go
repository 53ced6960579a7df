package scheduler

// Replay runs single operations on a machine in an order that somebody else
// has decided: a real kernel, whose recording says which operation came when,
// on whom and at what clock. Each method is one kernel function of the same
// name. The load averages stand still: a recording holds them only as inputs of
// the share formula, see SetGroupLoad.
//
// Operations expect a legal order, as the kernel's own functions do.
type Replay struct{ m *Machine }

// NewReplay makes a machine without tasks for operations to run on.
func NewReplay(cfg Config) *Replay {
	r := &Replay{m: NewMachine(cfg)}
	boundPicks(r.m)
	return r
}

// boundPicks ends a pick that would be repeated for ever. Nobody is found when a
// delayed entity has been picked and has left, which each can do once; or when
// nobody is eligible, which takes keys that overflow.
func boundPicks(m *Machine) {
	own := *m.rules
	pick, empty := own.pickNext, 0 // picks in a row that found nobody on a queue that is not empty
	own.pickNext = func(m *Machine, q *FairQueue, how pickMode) EntityID {
		id := pick(m, q, how)
		if id != NoEntity || q.nr == 0 {
			empty = 0
		} else if empty++; empty > len(m.ents) {
			panic("nobody is eligible on a queue that is not empty")
		}
		return id
	}
	m.rules = &own
}

// Machine is the machine that the operations run on.
func (r *Replay) Machine() *Machine { return r.m }

// CopyFrom makes r equal to o, reusing the memory of r.
func (r *Replay) CopyFrom(o *Replay) { r.m.copyFrom(o.m) }

// KernelFlags are the flags of enqueue and dequeue with the kernel's numbers
// (SPEC-6.12 section 7).
type KernelFlags uint32

// The flags that act inside the fair class.
const (
	KernelSleep    KernelFlags = 0x01 // DEQUEUE_SLEEP
	KernelWakeup   KernelFlags = 0x01 // ENQUEUE_WAKEUP
	KernelSpecial  KernelFlags = 0x10
	KernelMigrated KernelFlags = 0x40
	KernelInitial  KernelFlags = 0x80
	KernelDelayed  KernelFlags = 0x200
)

func (f KernelFlags) enqueue() opFlags {
	return f.pick(flagWakeup, KernelWakeup) | f.pick(flagInitial, KernelInitial) |
		f.pick(flagMigrated, KernelMigrated) | f.pick(flagDelayed, KernelDelayed)
}

func (f KernelFlags) dequeue() opFlags {
	return f.pick(flagSleep, KernelSleep) | f.pick(flagSpecial, KernelSpecial) | f.pick(flagDelayed, KernelDelayed)
}

func (f KernelFlags) pick(flag opFlags, bit KernelFlags) opFlags {
	if f&bit == 0 {
		return 0
	}
	return flag
}

// AddGroup makes a task_group with an unused queue and entity on each CPU.
func (r *Replay) AddGroup(parent GroupID, path string) GroupID { return r.m.addGroup(parent, path) }

// AddTask makes a task that does not live yet, on the root queue of CPU 0.
func (r *Replay) AddTask(name string) TaskID {
	t := r.m.NewTask(name, 0, RootGroup, 0, PolicyNormal, 0)
	e := r.m.ent(r.m.tasks[t].entity)
	e.weight, e.inverse = NiceLoad(0, PolicyNormal), tableInverse(&r.m.tasks[t])
	return t
}

// TaskEntity is the entity of a task.
func (r *Replay) TaskEntity(t TaskID) EntityID { return r.m.tasks[t].entity }

// EntityTask is the task of an entity, NoTask for a group's.
func (r *Replay) EntityTask(id EntityID) TaskID { return r.m.ent(id).task }

// QueueOf is the queue of a group on a CPU.
func (r *Replay) QueueOf(g GroupID, cpu int) QueueID { return r.m.queueOf(g, int32(cpu)) }

// Owner is the group entity of a queue, NoEntity for a root queue.
func (r *Replay) Owner(q QueueID) EntityID { return r.m.queue(q).owner }

// Own is the queue below a group entity, NoQueue for a task.
func (r *Replay) Own(id EntityID) QueueID { return r.m.ent(id).own }

// Member is the queue that an entity belongs to.
func (r *Replay) Member(id EntityID) QueueID { return r.m.ent(id).queue }

// Attach makes a task that is on no queue a member of q (set_task_rq).
func (r *Replay) Attach(t TaskID, q QueueID) {
	p, to := &r.m.tasks[t], r.m.queue(q)
	p.group, p.cpu = to.group, to.cpu
	r.m.ent(p.entity).group = to.group
	r.m.attachTo(p.entity, to.group, to.cpu)
}

// SetAttributes tells a task's policy and nice value (-20 ... 19) without
// changing its weight.
func (r *Replay) SetAttributes(t TaskID, policy Policy, nice int) {
	r.m.tasks[t].policy, r.m.tasks[t].nice = policy, int8(nice)
}

// LoadOf is the load of a task by its policy and nice value: scaled weight and
// inverse (set_load_weight).
func (r *Replay) LoadOf(t TaskID) (weight uint64, inverse uint32) {
	p := &r.m.tasks[t]
	return NiceLoad(int(p.nice), p.policy), tableInverse(p)
}

// Begin lets a task live from the start: as the running one of its CPU, waiting
// for it, or asleep.
func (r *Replay) Begin(t TaskID, runs bool) {
	p := &r.m.tasks[t]
	e := r.m.ent(p.entity)
	p.born, p.sleeping = true, e.delayed || !e.onRQ
	p.stats.RanBefore = Time(e.sumExec)
	if e.onRQ {
		p.onRQ = rqQueued
	}
	if runs {
		rq := &r.m.cpus[p.cpu]
		rq.curr, rq.lastPick = t, t
	} else if !p.sleeping {
		p.stats.Waiting = true
	}
}

// SetCurr tells who runs on a CPU: NoTask for the idle task, or, if higher, for a
// task of a higher class.
func (r *Replay) SetCurr(cpu int, t TaskID, higher bool) {
	rq := &r.m.cpus[cpu]
	now := r.m.now(int32(cpu))
	if prev := rq.curr; prev != t && prev != NoTask {
		r.m.tasks[prev].leaveCPU(now)
	}
	if rq.curr != t && t != NoTask {
		r.m.tasks[t].takeCPU(now)
	}
	rq.curr, rq.higher = t, higher
}

// Clock is rq_clock_task of a CPU, ns.
func (r *Replay) Clock(cpu int) uint64 { return r.m.cpus[cpu].clockTask }

// Curr is who runs on a CPU, NoTask if nobody of the fair class does.
func (r *Replay) Curr(cpu int) TaskID { return r.m.cpus[cpu].curr }

// Sleeps tells whether a task has gone to sleep, or left the fair class.
func (r *Replay) Sleeps(t TaskID) bool { return r.m.tasks[t].sleeping }

// Higher tells whether a task of a higher class runs on a CPU.
func (r *Replay) Higher(cpu int) bool { return r.m.cpus[cpu].higher }

// LeaveClass tells that a task goes on in another class: for the fair class it
// sleeps.
func (r *Replay) LeaveClass(t TaskID) { r.m.tasks[t].sleeping = true }

// Die tells that a task has come to its end.
func (r *Replay) Die(t TaskID) { r.m.tasks[t].dead = true }

// SetNr and Nr are rq.nr_running, tasks of other classes included.
func (r *Replay) SetNr(cpu, n int) { r.m.cpus[cpu].nr = int32(n) }

// Nr is rq.nr_running of a CPU.
func (r *Replay) Nr(cpu int) int { return int(r.m.cpus[cpu].nr) }

// SetResched writes need_resched of the running task.
func (r *Replay) SetResched(cpu int, on bool) {
	r.m.cpus[cpu].resched, r.m.cpus[cpu].lazy = on, false
}

// SetShares writes the scaled tg.shares of a group; its entities keep their
// weights until they are updated.
func (r *Replay) SetShares(g GroupID, shares uint64) { r.m.groups[g].shares = shares }

// Shares is the scaled tg.shares of a group.
func (r *Replay) Shares(g GroupID) uint64 { return r.m.groups[g].shares }

// SetGroupLoad gives the share formula of a group queue its load averages: the
// queue's own, what it has published, and that of the whole group (SPEC-6.12
// section 13.2).
func (r *Replay) SetGroupLoad(q QueueID, own, contrib, whole uint64) {
	to := r.m.queue(q)
	to.avg.load, to.share.contrib = own, int64(contrib)
	r.m.groups[to.group].loadAvg = int64(whole)
}

// EntityState is what the operations change of an entity.
type EntityState struct {
	Vruntime, Deadline   Vtime
	Vlag                 int64
	Vprot                Vtime
	Slice, Weight        uint64
	Inverse              uint32
	OnRQ, Delayed        bool
	RelDeadline, Custom  bool
	SumExec, PrevSumExec uint64
	ExecStart            uint64
}

// Entity is the state of an entity.
func (r *Replay) Entity(id EntityID) EntityState {
	e := r.m.ent(id)
	return EntityState{
		Vruntime: e.vruntime, Deadline: e.deadline, Vlag: e.vlag, Vprot: e.vprot, Slice: e.slice, Weight: e.weight,
		Inverse: e.inverse, OnRQ: e.onRQ, Delayed: e.delayed, RelDeadline: e.relDeadline, Custom: e.customSlice,
		SumExec: e.sumExec, PrevSumExec: e.prevSumExec, ExecStart: e.execStart,
	}
}

// AdoptEntity writes the state of an entity. One that stands in a tree keeps its
// place there, as in the moments in which the kernel changes one in place.
func (r *Replay) AdoptEntity(id EntityID, s EntityState) {
	e := r.m.ent(id)
	q := r.m.queue(e.queue)
	inTree := r.InTree(id)
	if inTree {
		r.m.sumSub(q, e)
	}
	e.vruntime, e.deadline, e.vlag, e.vprot, e.slice, e.weight = s.Vruntime, s.Deadline, s.Vlag, s.Vprot, s.Slice, s.Weight
	e.inverse, e.onRQ, e.delayed, e.relDeadline, e.customSlice = s.Inverse, s.OnRQ, s.Delayed, s.RelDeadline, s.Custom
	e.sumExec, e.prevSumExec, e.execStart = s.SumExec, s.PrevSumExec, s.ExecStart
	if inTree {
		r.m.sumAdd(q, e)
		r.m.climb(id, NoEntity)
	}
}

// QueueState is what the operations change of a queue. Sum, SumWeight, Root,
// Leftmost and Waiting follow from its tree.
type QueueState struct {
	Zero                   Vtime
	Sum                    int64
	SumWeight, Load        uint64
	Nr, HQueued, HRunnable int32
	NrIdle                 int32
	Idle                   bool
	Curr, Next             EntityID
	Root, Leftmost         EntityID
	Waiting                int // entities in the tree
}

// Queue is the state of a queue.
func (r *Replay) Queue(id QueueID) QueueState {
	q := r.m.queue(id)
	s := QueueState{
		Zero: q.zero, Sum: q.sum, SumWeight: q.sumWeight, Load: q.load, Nr: q.nr, HQueued: q.hQueued,
		HRunnable: q.hRunnable, NrIdle: q.nrIdle, Idle: q.idle, Curr: q.curr, Next: q.next, Root: q.root, Leftmost: q.leftmost,
	}
	for n := q.leftmost; n != NoEntity; n = r.m.treeNext(n) {
		s.Waiting++
	}
	return s
}

// AdoptQueue writes the state of a queue, but for what follows from its tree.
func (r *Replay) AdoptQueue(id QueueID, s QueueState) {
	r.m.moveZero(id, s.Zero)
	q := r.m.queue(id)
	q.load, q.nr, q.hQueued, q.hRunnable, q.nrIdle, q.idle = s.Load, s.Nr, s.HQueued, s.HRunnable, s.NrIdle, s.Idle
	q.hDelayed = s.HQueued - s.HRunnable
	q.curr, q.next = s.Curr, s.Next
}

// InTree tells whether an entity stands in the tree of its queue.
func (r *Replay) InTree(id EntityID) bool {
	root := r.m.queue(r.m.ent(id).queue).root
	for id != root {
		if id = r.m.ent(id).up; id == NoEntity {
			return false
		}
	}
	return true
}

// holdLoads keeps the load averages where they are: nothing ages, is attached
// or propagates during the next operation.
func (r *Replay) holdLoads() {
	for i := range r.m.ents {
		e := &r.m.ents[i]
		e.avg = average{last: r.m.rq(r.m.queue(e.queue)).clockTask}
	}
	for i := range r.m.queues {
		q := &r.m.queues[i]
		q.avg = average{last: r.m.rq(q).clockTask, load: q.avg.load}
		q.share.propagate, q.share.propSum = false, 0
	}
}

// UpdateCurr is update_curr.
func (r *Replay) UpdateCurr(q QueueID) { r.m.updateCurr(r.m.queue(q)) }

// AvgVruntime is avg_vruntime: it moves the reference point to V.
func (r *Replay) AvgVruntime(q QueueID) { r.m.avgVruntime(r.m.queue(q)) }

// PlaceEntity is place_entity.
func (r *Replay) PlaceEntity(id EntityID, flags KernelFlags) {
	e := r.m.ent(id)
	r.m.placeEntity(r.m.queue(e.queue), e, flags.enqueue())
}

// EnterTree is __enqueue_entity.
func (r *Replay) EnterTree(id EntityID) {
	e := r.m.ent(id)
	r.m.enterTree(r.m.queue(e.queue), e)
}

// LeaveTree is __dequeue_entity.
func (r *Replay) LeaveTree(id EntityID) {
	e := r.m.ent(id)
	r.m.leaveTree(r.m.queue(e.queue), e)
}

// UpdateEntityLag is update_entity_lag.
func (r *Replay) UpdateEntityLag(id EntityID) {
	e := r.m.ent(id)
	r.m.rules.storeLag(r.m, r.m.queue(e.queue), e)
}

// EnqueueEntity is enqueue_entity.
func (r *Replay) EnqueueEntity(id EntityID, flags KernelFlags) {
	r.holdLoads()
	e := r.m.ent(id)
	r.m.enqueueEntity(r.m.queue(e.queue), e, flags.enqueue())
}

// DequeueEntity is dequeue_entity, after which the entity may stay, delayed.
func (r *Replay) DequeueEntity(id EntityID, flags KernelFlags) {
	r.holdLoads()
	e := r.m.ent(id)
	r.m.dequeueEntity(r.m.queue(e.queue), e, flags.dequeue())
}

// RequeueDelayed is requeue_delayed_entity.
func (r *Replay) RequeueDelayed(id EntityID) {
	r.holdLoads()
	r.m.requeueDelayed(r.m.ent(id))
}

// SetNextEntity is set_next_entity.
func (r *Replay) SetNextEntity(id EntityID) {
	r.holdLoads()
	e := r.m.ent(id)
	r.m.setNextEntity(r.m.queue(e.queue), e, true)
}

// PutPrevEntity is put_prev_entity.
func (r *Replay) PutPrevEntity(id EntityID) {
	r.holdLoads()
	e := r.m.ent(id)
	r.m.putPrevEntity(r.m.queue(e.queue), e)
}

// PickEEVDF is pick_eevdf, NoEntity if there is nobody. It changes nothing.
func (r *Replay) PickEEVDF(q QueueID) EntityID {
	return r.m.rules.pick(r.m, r.m.queue(q), pickMode{protect: true})
}

// ReweightEntity is reweight_entity; weight is scaled.
func (r *Replay) ReweightEntity(id EntityID, weight uint64) {
	r.holdLoads()
	e := r.m.ent(id)
	r.m.rules.reweight(r.m, r.m.queue(e.queue), e, weight)
}

// GroupShares is calc_group_shares of a group queue: the scaled weight that
// update_cfs_group gives to its entity.
func (r *Replay) GroupShares(q QueueID) uint64 { return r.m.groupShares(r.m.queue(q)) }

// SetNextBuddy is set_next_buddy.
func (r *Replay) SetNextBuddy(id EntityID) { r.m.setNextBuddy(r.m.ent(id)) }

// EnqueueTask is enqueue_task_fair.
func (r *Replay) EnqueueTask(t TaskID, flags KernelFlags) {
	r.holdLoads()
	p := &r.m.tasks[t]
	r.m.enqueueTask(p, flags.enqueue())
	if r.m.cpus[p.cpu].curr != t {
		if !p.stats.Waiting {
			p.stats.Waiting, p.stats.WaitSince = true, r.m.now(p.cpu)
		}
		if p.born && p.sleeping {
			p.stats.Wakeups++
		}
	}
	p.born, p.sleeping, p.dead, p.onRQ = true, r.m.ent(p.entity).delayed, false, rqQueued
}

// DequeueTask is dequeue_task_fair, after which the task may stay, delayed.
func (r *Replay) DequeueTask(t TaskID, flags KernelFlags) {
	r.holdLoads()
	p := &r.m.tasks[t]
	if flags&KernelSleep != 0 {
		p.sleeping = true
	}
	if r.m.dequeueTask(p, flags.dequeue()) {
		p.onRQ = rqOff
	}
}

// DequeueEntities is dequeue_entities, after which the entity may stay, delayed.
func (r *Replay) DequeueEntities(id EntityID, flags KernelFlags) {
	r.holdLoads()
	r.m.dequeueEntities(r.m.ent(id), flags.dequeue())
}

// PickTask is pick_task_fair; LastPick tells whom it chose.
func (r *Replay) PickTask(cpu int) {
	r.holdLoads()
	next := NoTask
	if p := r.m.pickTask(int32(cpu)); p != nil {
		next = r.m.ent(p.entity).task
	}
	r.m.cpus[cpu].lastPick = next
}

// LastPick is whom the last pick of a CPU chose, NoTask if nothing was queued.
func (r *Replay) LastPick(cpu int) TaskID { return r.m.cpus[cpu].lastPick }

// CheckPreempt is check_preempt_wakeup_fair against the running task of the
// wakee's CPU.
func (r *Replay) CheckPreempt(t TaskID, flags WakeFlags) {
	p := &r.m.tasks[t]
	r.m.rules.checkPreempt(r.m, p.cpu, p, flags)
}

// Tick is task_tick_fair of the periodic tick.
func (r *Replay) Tick(cpu int) {
	r.holdLoads()
	r.m.Tick(cpu)
}

// HrtickExpire is task_tick_fair of the slice timer.
func (r *Replay) HrtickExpire(cpu int) {
	r.holdLoads()
	r.m.HrtickExpire(cpu)
}

// Yield is yield_task_fair.
func (r *Replay) Yield(cpu int) { r.m.Yield(cpu) }
