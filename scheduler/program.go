package scheduler

// timer is a wakeup or an arrival to come.
type timer struct {
	at   Time
	cpu  int32
	task TaskID
}

func (a timer) before(b timer) bool {
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.cpu != b.cpu:
		return a.cpu < b.cpu
	}
	return a.task < b.task
}

// The timers are a flat heap of four children a node.

func (s *Sim) pushTimer(t timer) {
	s.timers = append(s.timers, t)
	i := len(s.timers) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !t.before(s.timers[up]) {
			break
		}
		s.timers[i] = s.timers[up]
		i = up
	}
	s.timers[i] = t
}

func (s *Sim) popTimer() timer {
	top := s.timers[0]
	n := len(s.timers) - 1
	last := s.timers[n]
	s.timers = s.timers[:n]
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		for j := child + 1; j < min(child+4, n); j++ {
			if s.timers[j].before(s.timers[child]) {
				child = j
			}
		}
		if !s.timers[child].before(last) {
			break
		}
		s.timers[i] = s.timers[child]
		i = child
	}
	if n > 0 {
		s.timers[i] = last
	}
	return top
}

func (s *Sim) sleepUntil(t TaskID, at Time) {
	s.tasks[t].wakeAt = at
	s.pushTimer(timer{at: at, cpu: s.m.tasks[t].cpu, task: t})
}

// timerFires wakes or starts a task; false if the timer has become void because
// somebody else woke the task.
func (s *Sim) timerFires(e *Event) bool {
	t := s.popTimer().task
	p := &s.m.tasks[t]
	if !p.born {
		s.fork(e, t, NoTask)
		return true
	}
	if s.tasks[t].wakeAt != e.Time || !s.m.Sleeps(t) {
		return false
	}
	s.wake(e, t, NoTask, 0)
	return true
}

// wake wakes a task from the CPU of the event: the waker's, or for a timer the
// one on which the task went to sleep. The event is about the CPU that the wakee
// lands on.
func (s *Sim) wake(e *Event, t, waker TaskID, flags WakeFlags) {
	e.Kind, e.Task, e.Waker = EventWakeup, t, waker
	s.tasks[t].wakeAt = NoTime
	if s.m.WakeFrom(t, s.m.cpus[e.CPU].curr, e.CPU, flags) {
		s.sent = append(s.sent, message{at: e.Time + s.w.IPIDelay, cpu: int32(s.m.CPUOf(t)), task: t})
		return
	}
	s.onCPUOf(e, t)
}

// message is a wakeup on its way to another CPU.
type message struct {
	at   Time
	cpu  int32
	task TaskID
}

// receive activates all tasks that have been sent to the CPU, oldest first.
func (s *Sim) receive(e *Event) {
	e.Kind = EventReceive
	kept := s.sent[:0]
	for _, msg := range s.sent {
		if int(msg.cpu) != e.CPU || msg.at > e.Time {
			kept = append(kept, msg)
			continue
		}
		if e.Task == NoTask {
			e.Task = msg.task
		}
		s.m.Receive(msg.task)
	}
	s.sent = kept
}

func (s *Sim) fork(e *Event, t, parent TaskID) {
	e.Kind, e.Task, e.Waker = EventFork, t, parent
	before := s.tasks[t].before + Time(s.m.ent(s.m.tasks[t].entity).sumExec)
	s.tasks[t] = progress{wakeAt: NoTime, waitsFor: NoObject, timerAt: e.Time, random: s.tasks[t].random, before: before}
	cpu := s.spec(t).CPU
	if parent != NoTask {
		cpu = e.CPU
	}
	s.m.Fork(t, s.m.ForkCPU(t, cpu))
	s.onCPUOf(e, t)
}

func (o *Op) flags() WakeFlags {
	if o.Sync {
		return WakeSync
	}
	return 0
}

// onCPUOf makes an event about a task's CPU.
func (s *Sim) onCPUOf(e *Event, t TaskID) {
	if cpu := int(s.m.tasks[t].cpu); cpu != e.CPU {
		e.CPU = cpu
		e.Prev = s.m.cpus[cpu].curr
	}
}

// beginSegment starts or resumes the run segment of the task that has got the
// CPU. Instructions that are no run end at once and are executed then.
func (s *Sim) beginSegment(c *simCPU, now Time) {
	t := c.running
	p := &s.tasks[t]
	if p.left == 0 {
		s.fetchRun(t)
	}
	if p.will != willGoOn {
		p.kept, p.left = p.left, 0
	}
	c.endTask = s.clockTask(c, now) + p.left
	if p.left == NoTime {
		c.endTask = NoTime
	}
}

// fetchRun enters the next instruction if it is a run.
func (s *Sim) fetchRun(t TaskID) {
	p := &s.tasks[t]
	prog := s.spec(t).Program
	s.loop(p, prog)
	if int(p.pc) < len(prog) && prog[p.pc].Kind == OpRun {
		p.left, p.kernel = p.draw(&prog[p.pc]), prog[p.pc].Kernel
		p.pc++
	}
}

// loop follows jumps until another instruction or the end.
func (s *Sim) loop(p *progress, prog []Op) {
	for int(p.pc) < len(prog) && prog[p.pc].Kind == OpLoop {
		op := &prog[p.pc]
		if op.Count == 0 {
			p.pc = op.Target
			continue
		}
		p.rounds[op.Depth]++
		if p.rounds[op.Depth] < op.Count {
			p.pc = op.Target
			continue
		}
		p.rounds[op.Depth] = 0
		p.pc++
	}
}

// segmentEnds executes the instruction that follows a run segment of the
// running task; false if that is another run, or nothing happens by it.
func (s *Sim) segmentEnds(e *Event) bool {
	c := &s.cpus[e.CPU]
	t := c.running
	p := &s.tasks[t]
	e.Task = t
	if p.will != willGoOn {
		s.obey(e, c, p)
		return true
	}
	c.endTask = s.clockTask(c, e.Time) // goes on at once, if it keeps the CPU
	if p.kernel {
		p.kernel = false // back in user mode, a pending request is served first
		if s.m.NeedResched(e.CPU) {
			return false
		}
	}
	p.left = 0
	prog := s.spec(t).Program
	s.loop(p, prog)
	if int(p.pc) >= len(prog) {
		s.exit(e)
		return true
	}
	op := &prog[p.pc]
	if op.Kind == OpRun {
		s.beginSegment(c, e.Time)
		return false
	}
	p.pc++
	return s.execute(e, t, op)
}

// execute carries out an instruction that is no run; false if nothing happens
// by it.
func (s *Sim) execute(e *Event, t TaskID, op *Op) bool {
	p := &s.tasks[t]
	switch op.Kind {
	case OpSleep:
		s.sleepUntil(t, e.Time+p.draw(op))
		s.block(e)
	case OpTimer:
		if p.timerAt += op.Dur; p.timerAt <= e.Time {
			return false
		}
		s.sleepUntil(t, p.timerAt)
		s.block(e)
	case OpBlock:
		s.block(e)
	case OpWake:
		if !s.m.Sleeps(op.Task) {
			return false
		}
		s.wake(e, op.Task, t, op.flags())
	case OpFork:
		if target := &s.m.tasks[op.Task]; target.born && !target.dead {
			return false
		}
		s.fork(e, op.Task, t)
	case OpYield:
		e.Kind = EventYield
		s.m.Yield(e.CPU)
		s.m.Schedule(e.CPU, LeaveStay)
	case OpExit:
		s.exit(e)
	case OpLock, OpUnlock, OpBarrier, OpSend, OpReceive:
		return s.synchronise(e, t, op)
	case OpRun, OpLoop:
	}
	return true
}

func (s *Sim) block(e *Event) {
	e.Kind = EventBlock
	s.m.Schedule(e.CPU, LeaveSleep)
}

func (s *Sim) exit(e *Event) {
	e.Kind = EventExit
	s.m.Schedule(e.CPU, LeaveDie)
}
