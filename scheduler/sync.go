package scheduler

// Objects let tasks wait for each other: mutexes, barriers, message queues. They
// are what a program in user space would build on blocking and waking.

// object is the state of one of them.
type object struct {
	owner TaskID // mutex: who holds it
	count int32  // barrier: who has come; message queue: messages that wait
}

// NoObject is what a task waits for that waits for no object.
const NoObject int32 = -1

// synchronise executes an instruction on an object; false if nobody blocks or
// wakes by it.
func (s *Sim) synchronise(e *Event, t TaskID, op *Op) bool {
	o := &s.objects[op.Object]
	switch op.Kind {
	case OpLock:
		if o.owner == NoTask {
			o.owner = t
			return false
		}
		s.waitFor(e, t, op.Object)
	case OpUnlock:
		if o.owner != t {
			return false
		}
		o.owner = s.longestWaiter(op.Object, s.tickets)
		return s.release(e, o.owner, t, op)
	case OpSend:
		w := s.longestWaiter(op.Object, s.tickets)
		if w == NoTask {
			o.count++
		}
		return s.release(e, w, t, op)
	case OpReceive:
		if o.count > 0 {
			o.count--
			return false
		}
		s.waitFor(e, t, op.Object)
	case OpBarrier:
		return s.barrier(e, t, op)
	case OpRun, OpSleep, OpBlock, OpWake, OpYield, OpExit, OpFork, OpLoop, OpTimer:
	}
	return true
}

// barrier blocks all but the last of Count tasks; the last one wakes them, one
// wakeup an event, and goes on when all are awake.
func (s *Sim) barrier(e *Event, t TaskID, op *Op) bool {
	p, o := &s.tasks[t], &s.objects[op.Object]
	if !p.releases {
		o.count++
		if o.count < op.Count {
			s.waitFor(e, t, op.Object)
			return true
		}
		o.count = 0
		p.releases, p.upTo = true, s.tickets
	}
	w := s.longestWaiter(op.Object, p.upTo)
	if w == NoTask {
		p.releases = false
		return false
	}
	p.pc-- // it looks for the next one when it goes on
	return s.release(e, w, t, op)
}

// waitFor blocks the running task on an object.
func (s *Sim) waitFor(e *Event, t TaskID, obj int32) {
	p := &s.tasks[t]
	p.waitsFor, p.ticket = obj, s.tickets
	s.tickets++
	s.block(e)
}

// longestWaiter is the task that has waited longest for an object, of those that
// came before the given ticket; NoTask if there is none.
func (s *Sim) longestWaiter(obj int32, before uint64) TaskID {
	best := NoTask
	for i := range s.tasks {
		p := &s.tasks[i]
		if p.waitsFor == obj && p.ticket < before && (best == NoTask || p.ticket < s.tasks[best].ticket) {
			best = TaskID(i)
		}
	}
	return best
}

// release wakes a waiter; false if there is none.
func (s *Sim) release(e *Event, w, waker TaskID, op *Op) bool {
	if w == NoTask {
		return false
	}
	s.tasks[w].waitsFor = NoObject
	if !s.m.Sleeps(w) { // killed or woken from outside meanwhile
		return false
	}
	s.wake(e, w, waker, op.flags())
	return true
}

// intent is what a task will do when it runs next, because of an edit.
type intent uint8

const (
	willGoOn intent = iota
	willDie
	willSleep
	willFreeze
)

// obey does what an edit wants of the running task. A task put to sleep keeps
// the rest of its run segment.
func (s *Sim) obey(e *Event, c *simCPU, p *progress) {
	will := p.will
	p.will = willGoOn
	c.endTask = s.clockTask(c, e.Time) + p.kept
	switch will {
	case willDie:
		s.exit(e)
	case willSleep:
		s.block(e)
	case willFreeze:
		e.Kind = EventBlock
		s.m.Schedule(e.CPU, LeaveFrozen)
	case willGoOn:
	}
}

// intend tells a task what to do as soon as it runs. One that is to die is woken
// for it.
func (s *Sim) intend(ev *Event, t TaskID, will intent) {
	p, task := &s.tasks[t], &s.m.tasks[t]
	if !task.born || task.dead {
		return
	}
	if s.m.Sleeps(t) {
		if will == willDie {
			p.will, p.waitsFor = will, NoObject
			s.wake(ev, t, NoTask, 0)
			ev.Kind = EventEdit
		}
		return
	}
	p.will = will
	if c := &s.cpus[task.cpu]; c.running == t {
		p.left = max(0, c.endTask-s.clockTask(c, ev.Time))
		s.beginSegment(c, ev.Time)
	}
}
