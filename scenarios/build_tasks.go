package scenarios

import (
	"fmt"
	"slices"

	"zerolag/scheduler"
)

// maxIdleRounds is how many instructions a repeat that takes no time may run.
const maxIdleRounds = 10_000

// plan is the program of one task entry, compiled.
type plan struct {
	def *taskDef
	ops []scheduler.Op
	// varies: each task of the entry has a program of its own, as times or
	// partners depend on its number.
	varies bool
	// blocks is where the program first waits for a wake of another task.
	blocks given[struct{}]
	links  []taskLink
	// instant: all of it uses no run or sleep. spins: an endless repeat does not.
	instant, spins bool
}

// taskLink is a wake or fork in a program.
type taskLink struct {
	kind scheduler.OpKind
	at   position
	from scheduler.TaskID // whose program; the entry's first task for a shared one
	task scheduler.TaskID
}

// programs compiles the programs; the tasks of an entry share one if they can.
func (b *builder) programs() {
	total := 0
	for i := range b.plans {
		p := &b.plans[i]
		body := p.def.program.value
		b.checkTime(body)
		p.instant = !uses(body, scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer)
		p.spins = spins(body)
		p.varies = p.def.wakesAt.value.step != 0 || b.varies(body)
		for number := range p.def.count.or(1) {
			if number == 0 || p.varies {
				b.compile(p, number)
				total += len(p.ops)
			}
			if total > maxInstructions {
				b.fail(p.def.at, "the programs have too many instructions", fmt.Sprintf("at most %d", maxInstructions))
			}
			if b.faulty() {
				return
			}
			b.w.Tasks[p.def.first+scheduler.TaskID(number)].Program = p.ops
		}
	}
}

// varies tells whether a body depends on the number of the task in its entry.
func (b *builder) varies(body []instr) bool {
	return slices.ContainsFunc(body, func(in instr) bool {
		d, known := b.names.defIDs[in.task]
		return in.dur.step != 0 || in.own || known && b.defs[d].count.set || b.varies(in.body)
	})
}

// compile makes the program of one task of an entry; number counts from 0. One that
// starts asleep begins with that sleep.
func (b *builder) compile(p *plan, number int64) {
	p.ops = nil
	if p.def.wakesAt.set {
		p.ops = append(p.ops, scheduler.Op{Kind: scheduler.OpSleep, Dur: p.def.wakesAt.value.of(number)})
	}
	b.flatten(p, p.def.program.value, number, 0)
}

// flatten appends a body; a repeat becomes its body and a jump back to it.
func (b *builder) flatten(p *plan, body []instr, number int64, depth uint8) {
	for i := range body {
		in := &body[i]
		op := scheduler.Op{Kind: in.kind, Dur: in.dur.of(number), Dist: in.dist, Max: in.most, Sync: in.sync, Kernel: in.kernel}
		switch in.kind {
		case scheduler.OpLoop:
			op.Target, op.Count, op.Depth = int32(len(p.ops)), in.times, depth
			b.flatten(p, in.body, number, depth+1)
		case scheduler.OpWake, scheduler.OpFork:
			if op.Task = b.partner(in, p.def, number); b.settle() {
				continue
			}
			p.links = append(p.links, taskLink{in.kind, in.at, p.def.first + scheduler.TaskID(number), op.Task})
		case scheduler.OpBlock:
			if !p.blocks.set {
				p.blocks = give(in.at, struct{}{})
			}
		case scheduler.OpLock, scheduler.OpUnlock, scheduler.OpBarrier, scheduler.OpSend, scheduler.OpReceive:
			op.Object, op.Count = b.object(in, p.def, number), in.times
			b.settle()
		case scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer, scheduler.OpYield, scheduler.OpExit:
		}
		p.ops = append(p.ops, op)
	}
}

// partner is the task that an instruction names. The name of an entry of as many
// tasks means the one with the same number.
func (b *builder) partner(in *instr, of *taskDef, number int64) scheduler.TaskID {
	ref := nameRef{in.at, in.task}
	d, known := b.names.defIDs[in.task]
	if !known || !b.defs[d].count.set {
		return b.task(ref)
	}
	other := &b.defs[d]
	switch {
	case other.count.value == 0:
		b.fail(ref.at, "the variant leaves out "+quote(other.name), "a variant that changes this program too")
		return scheduler.NoTask
	case other.count.value != of.count.or(1):
		b.fail(ref.at, fmt.Sprintf("%s is %d tasks and %s is %d", quote(other.name), other.count.value, quote(of.name), of.count.or(1)),
			"one of them, such as "+b.names.list[other.first]+", or equal counts")
	}
	return other.first + scheduler.TaskID(number)
}

// uses tells whether a body or a repeat in it has one of some instructions.
func uses(body []instr, kinds ...scheduler.OpKind) bool {
	for i := range body {
		for _, k := range kinds {
			if body[i].kind == k {
				return true
			}
		}
		if uses(body[i].body, kinds...) {
			return true
		}
	}
	return false
}

// spins tells whether a body has an endless repeat without run or sleep. That is
// legal if it blocks, as long as the one who wakes it takes time.
func spins(body []instr) bool {
	for i := range body {
		in := &body[i]
		if in.kind != scheduler.OpLoop {
			continue
		}
		if in.times == 0 && !uses(in.body, scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer, scheduler.OpExit) || spins(in.body) {
			return true
		}
	}
	return false
}

// timely are the instructions that time can pass in.
var timely = []scheduler.OpKind{
	scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer, scheduler.OpBlock, scheduler.OpBarrier, scheduler.OpReceive,
	scheduler.OpExit,
}

// checkTime refuses repeats that go round and round while no time passes.
func (b *builder) checkTime(body []instr) {
	for i := range body {
		in := &body[i]
		if in.kind != scheduler.OpLoop {
			continue
		}
		if uses(in.body, timely...) {
			b.checkTime(in.body)
			continue
		}
		if steps(body[i:i+1]) > maxIdleRounds {
			b.fail(in.at, "this repeat takes no time", "a run, sleep or block inside it")
		}
	}
}

// steps counts the instructions that a body without time runs, up to a bit more
// than maxIdleRounds.
func steps(body []instr) int64 {
	total := int64(0)
	for i := range body {
		n := int64(1)
		if in := &body[i]; in.kind == scheduler.OpLoop {
			n = steps(in.body) * int64(in.times)
			if in.times == 0 {
				n = maxIdleRounds + 1
			}
		}
		total = min(total+n, maxIdleRounds+1)
	}
	return total
}

// circles refuses tasks that only wake or fork each other round a circle:
// no time would ever pass. Entries stand for their tasks.
func (b *builder) circles() {
	const (
		unseen = iota
		open
		done
	)
	state := make([]uint8, len(b.plans))
	var visit func(i int32)
	visit = func(i int32) {
		state[i] = open
		for _, link := range b.plans[i].links {
			next := b.names.defs[link.task]
			to := &b.plans[next]
			goesOn := to.spins || link.kind == scheduler.OpFork && to.instant
			if next == i || !goesOn {
				continue
			}
			switch state[next] {
			case open:
				b.fail(link.at, "tasks wake each other in a circle and take no time", "a run or sleep in one of the programs")
			case unseen:
				visit(next)
			}
		}
		state[i] = done
	}
	for i := range b.plans {
		if state[i] == unseen && b.plans[i].spins {
			visit(int32(i))
		}
	}
}

// forks marks the tasks that another task starts.
func (b *builder) forks() {
	forker := make([]scheduler.TaskID, len(b.w.Tasks)) // plus 1
	for i := range b.plans {
		p := &b.plans[i]
		for _, link := range p.links {
			if link.kind != scheduler.OpFork {
				continue
			}
			name := b.w.Tasks[link.task].Name
			child := b.plans[b.names.defs[link.task]].def
			switch {
			case child == p.def:
				b.fail(link.at, "task "+quote(name)+" forks itself", "another task")
			case forker[link.task] != 0 || p.def.count.or(1) > 1 && !p.varies:
				b.fail(link.at, "task "+quote(name)+" is forked in two places", "one fork of it, by one task")
			case child.arrive.set:
				b.fail(child.arrive.at, "task "+quote(name)+" arrives and is forked by "+p.def.name, "no key at in a task that is forked")
			case child.wakesAt.set:
				b.fail(child.wakesAt.at, "task "+quote(name)+" sleeps from the start and is forked by "+p.def.name, "no key wakes_at in a task that is forked")
			}
			forker[link.task] = link.from + 1
			b.w.Tasks[link.task].Arrive = scheduler.NoTime
		}
	}
	b.checkForkChains(forker)
}

// checkForkChains refuses tasks that nobody ever starts, because they fork each
// other.
func (b *builder) checkForkChains(forker []scheduler.TaskID) {
	round := make([]int32, len(forker)) // in which walk a task was seen
	for start := range forker {
		task := scheduler.TaskID(start)
		for forker[task] != 0 && round[task] == 0 {
			round[task] = int32(start) + 1
			task = forker[task] - 1
		}
		if forker[task] != 0 && round[task] == int32(start)+1 {
			at := b.plans[b.names.defs[task]].def.at
			b.fail(at, "task "+quote(b.w.Tasks[task].Name)+" is forked by its own descendant", "one of them to arrive by itself")
			return
		}
	}
}

// wakes refuses tasks that wait for a wake that nobody sends.
func (b *builder) wakes() {
	for i := range b.plans {
		p := &b.plans[i]
		for _, link := range p.links {
			if link.kind == scheduler.OpWake && (link.task != link.from || p.def.count.or(1) > 1 && !p.varies) {
				b.woken[link.task] = true
			}
		}
	}
	for i := range b.plans {
		p := &b.plans[i]
		for t := range p.def.count.or(1) {
			if id := p.def.first + scheduler.TaskID(t); p.blocks.set && !b.woken[id] {
				b.neverWoken(p.blocks.at, "blocks", id)
				return
			}
		}
	}
}

func (b *builder) neverWoken(at position, how string, id scheduler.TaskID) {
	name := b.w.Tasks[id].Name
	b.fail(at, "task "+quote(name)+" "+how+", but nobody ever wakes it",
		fmt.Sprintf("wake: %s in the program of another task or in an event", name))
}

// start sets the state of tasks that are there from the beginning.
func (b *builder) start() {
	running := make([]scheduler.TaskID, b.w.Config.CPUs)
	for i := range running {
		running[i] = scheduler.NoTask
	}
	for i := range b.s.starts {
		d := &b.s.starts[i]
		if b.startOne(d); b.settle() {
			continue
		}
		id := b.task(d.task)
		spec := &b.w.Tasks[id]
		if !d.running {
			continue
		}
		if other := running[spec.CPU]; other != scheduler.NoTask {
			b.fail(d.task.at, fmt.Sprintf("both %s and %s are running on CPU %d", b.w.Tasks[other].Name, spec.Name, spec.CPU), "one running task on a CPU")
			return
		}
		running[spec.CPU] = id
	}
}

// startOne sets the state of one task.
func (b *builder) startOne(d *startDef) {
	if _, isGroup := b.s.Group(d.task.name); isGroup {
		if _, isTask := b.names.ids[d.task.name]; !isTask {
			b.fail(d.task.at, "start names the group "+quote(d.task.name), "a task: the entity of a group is set through its tasks")
			return
		}
	}
	id := b.task(d.task)
	if b.faulty() {
		return
	}
	spec := &b.w.Tasks[id]
	queued := !d.asleep
	switch {
	case spec.Arrive != 0:
		b.fail(d.task.at, "task "+quote(spec.Name)+" has a start state and enters later", "a task that is neither forked nor has a key at")
	case queued && !d.vruntime.set:
		b.fail(d.task.at, "the start state of "+quote(spec.Name)+" has no vruntime", "vruntime, as it is not asleep")
	case queued && !d.deadline.set:
		b.fail(d.task.at, "the start state of "+quote(spec.Name)+" has no deadline", "deadline, as it is not asleep")
	case d.slice.set && spec.Slice != 0:
		b.fail(d.slice.at, "task "+quote(spec.Name)+" has a slice already", "slice in the task or in its start state")
	case spec.Start != nil && queued && !d.delayed:
		b.fail(d.task.at, "task "+quote(spec.Name)+" has wakes_at and does not start asleep", "a start state with asleep or delayed")
	case (d.asleep || d.delayed) && !b.woken[id] && spec.Start == nil:
		b.neverWoken(d.task.at, "starts asleep", id)
	}
	if d.slice.set {
		spec.Slice = d.slice.value
	}
	deadline := d.deadline.value
	spec.Start = &scheduler.EntityStart{
		Vruntime: d.vruntime.value, Deadline: deadline,
		Vlag: d.vlag.value, Vprot: d.vprot.or(deadline),
		Asleep: d.asleep, Delayed: d.delayed, Running: d.running, RelDeadline: d.relative,
	}
	if d.running && !d.vlag.set && !b.w.Config.Kernel.HasVprot {
		spec.Start.Vlag = int64(deadline) // the token of a protected slice
	}
}
