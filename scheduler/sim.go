package scheduler

import "fmt"

// Sim runs a Workload one Event at a time. It is flat: CopyFrom makes an equal
// Sim in reused memory, and two equal Sims go on identically.
//
// Events are totally ordered: by time; a reschedule that is asked for is served
// before anything else of its time; then ends of run segments, wakeups and
// arrivals, refills of quotas, ticks; then by CPU; then in file order. An edit comes right before
// the event whose ordinal it names.
type Sim struct {
	w        *Workload
	m        Machine
	edits    []Edit
	nextEdit int
	event    Event // the last one
	now      Time  // the clock of what happens at present
	tasks    []progress
	cpus     []simCPU
	timers   []timer     // heap of wakeups and arrivals
	extra    []*TaskSpec // tasks that edits have added
	objects  []object
	tickets  uint64    // order in which tasks began to wait for objects
	sent     []message // wakeups on their way to another CPU
	stuck    bool      // too many events at one time
	played   int       // events of the tape that have happened
}

// progress is where a task stands in its program.
type progress struct {
	pc       int32
	left     Time // CPU time left of the run instruction it is in
	wakeAt   Time // when its sleep ends; NoTime if no timer runs
	rounds   [MaxLoopDepth]int32
	kept     Time   // what was left when an edit stopped it
	timerAt  Time   // OpTimer: when it was due last
	random   uint64 // state of its generator
	ticket   uint64 // when it began to wait for waitsFor
	upTo     uint64 // barrier: whom it still has to wake
	waitsFor int32  // object, or NoObject
	will     intent
	kernel   bool // in kernel mode
	releases bool // barrier: it came last
	before   Time // run time of the task's former lives
}

// simCPU is what the simulation knows of a CPU beside its rq.
type simCPU struct {
	running   TaskID // whose run segment is active
	endTask   Time   // clock_task at which that segment ends
	tickAt    Time   // next tick, NoTime on an idle CPU
	higherEnd Time   // when a higher class gives the CPU back, NoTime if none runs
	lost      Time   // what interrupts have taken from clock_task before stallFrom
	balanceAt Time   // when the balance softirq is raised, NoTime if it is not
	idleAt    Time   // when this CPU balances for the idle ones, NoTime if it need not
	refresh   bool   // and then only refreshes their averages
	stallFrom Time   // start of the last tick's interrupt time, NoTime before the first
	since     Time   // clock_task at which running got the CPU
	handed    Time   // clock_task time of all finished turns, for Check
}

// maxSameTime is how many events may have the same time before a simulation
// counts as stuck.
const maxSameTime = 100_000

// NewSim builds the simulation of w at event 0, EventStart.
func NewSim(w *Workload) *Sim {
	if w.Tape != nil {
		return newTapeSim(w)
	}
	s := &Sim{w: w, m: *NewMachine(w.Config), edits: w.Edits}
	s.event = Event{Kind: EventStart, Task: NoTask, Waker: NoTask, Curr: NoTask, Prev: NoTask}
	for range w.Config.CPUs {
		s.cpus = append(s.cpus, simCPU{running: NoTask, tickAt: NoTime, higherEnd: NoTime, balanceAt: NoTime, idleAt: NoTime, stallFrom: NoTime})
	}
	s.touchAll()
	for _, g := range w.Groups {
		s.m.SetQuota(s.m.NewGroup(g.Parent, g.Name, g.Shares, g.Idle), g.Quota, g.Period, g.Burst)
	}
	for i := range w.Tasks {
		spec := &w.Tasks[i]
		t := s.newTask(spec)
		if spec.Start == nil && spec.Arrive != NoTime {
			s.pushTimer(timer{at: spec.Arrive, cpu: int32(spec.CPU), task: t})
		}
	}
	for range w.Objects {
		s.objects = append(s.objects, object{owner: NoTask})
	}
	s.startState()
	for cpu := range s.cpus {
		s.follow(cpu)
	}
	return s
}

// startState puts the tasks with a given start state where it says.
func (s *Sim) startState() {
	for i := range s.w.Tasks {
		if st := s.w.Tasks[i].Start; st != nil && !st.Running {
			s.m.startTask(TaskID(i), st)
		}
	}
	for _, q := range s.w.Queues {
		s.m.moveZero(q.Queue, q.Zero)
	}
	for i := range s.w.Tasks {
		if st := s.w.Tasks[i].Start; st != nil && st.Running {
			s.m.startTask(TaskID(i), st)
			s.m.startRunning(TaskID(i), st)
		}
	}
	for i := range s.w.Tasks {
		if st := s.w.Tasks[i].Start; st != nil && st.Asleep || st != nil && st.Delayed {
			s.fallAsleep(TaskID(i))
		}
	}
	for cpu := range s.m.cpus {
		if s.m.cpus[cpu].curr == NoTask && s.m.rootQueue(int32(cpu)).nr > 0 {
			s.m.cpus[cpu].resched = true
		}
	}
}

// fallAsleep lets a task that starts asleep begin with its program's first
// sleep, or wait to be woken.
func (s *Sim) fallAsleep(t TaskID) {
	p := &s.tasks[t]
	prog := s.spec(t).Program
	if int(p.pc) < len(prog) && (prog[p.pc].Kind == OpSleep || prog[p.pc].Kind == OpBlock) {
		if prog[p.pc].Kind == OpSleep {
			s.sleepUntil(t, s.now+prog[p.pc].Dur)
		}
		p.pc++
	}
}

// Event is the event that the Sim stands after.
func (s *Sim) Event() Event { return s.event }

// Undelayed lists the tasks whose delayed sleep ended in the last event: they woke,
// or left their queue. It is valid until the next Step.
func (s *Sim) Undelayed() []TaskID { return s.m.undelayed }

// Features is the set of features that are on now.
func (s *Sim) Features() Features { return s.m.features }

// SetEdits replaces the list of edits, ascending by (At, Ordinal). Those that
// the Sim has applied already must stay as they are.
func (s *Sim) SetEdits(edits []Edit) { s.edits = edits }

// Stuck tells that the simulation has ended because a program makes events
// without end at one time.
func (s *Sim) Stuck() bool { return s.stuck }

// Oops describes where the kernel would have crashed; "" while it runs. The
// simulation ends there.
func (s *Sim) Oops() string { return s.m.oops }

// CopyFrom makes s equal to o, reusing the memory of s. Both share the Workload.
func (s *Sim) CopyFrom(o *Sim) {
	s.w, s.edits, s.nextEdit, s.event, s.now, s.stuck = o.w, o.edits, o.nextEdit, o.event, o.now, o.stuck
	s.m.copyFrom(&o.m)
	s.tasks = append(s.tasks[:0], o.tasks...)
	s.cpus = append(s.cpus[:0], o.cpus...)
	s.timers = append(s.timers[:0], o.timers...)
	s.sent = append(s.sent[:0], o.sent...)
	s.extra = append(s.extra[:0], o.extra...)
	s.objects = append(s.objects[:0], o.objects...)
	s.tickets, s.played = o.tickets, o.played
}

// AppendState appends the whole state in a canonical form: equal bytes mean
// equal states.
func (s *Sim) AppendState(dst []byte) []byte {
	m := &s.m
	e := s.event
	e.Edit, e.Recorded = nil, nil // addresses; nextEdit and played say as much
	return fmt.Appendf(dst, "%v\n%v %v %v\n%v\n%v\n%v\n%v\n%v\n%v %v\n%v %v\n%v\n%v\n%v\n%v\n%v %v %v %v\n%v\n", e, m.features, m.cfg.BaseSlice, s.nextEdit,
		m.ents, m.queues, m.cpus, m.tasks, m.groups, m.quotas, m.throttles, m.multi.caches, m.multi.levels, s.tasks, s.cpus, s.timers, s.sent, s.objects, s.tickets, len(s.extra), s.stuck, s.played)
}

// Frame fills f with the present state, reusing its memory.
func (s *Sim) Frame(f *Frame) {
	s.m.Frame(f)
	f.Now, f.Event = s.event.Time, s.event.Index
}

// clockTask is rq_clock_task of a CPU at t: without what interrupts have taken.
func (s *Sim) clockTask(c *simCPU, t Time) Time {
	if c.stallFrom == NoTime {
		return t
	}
	return t - c.lost - min(t-c.stallFrom, s.w.IRQPerTick)
}

// segmentEnd is when the active run segment of a CPU ends if no further tick
// takes time from it.
func (s *Sim) segmentEnd(c *simCPU) Time {
	if c.running == NoTask {
		return NoTime
	}
	end := c.endTask
	if end == NoTime {
		return NoTime
	}
	if c.stallFrom != NoTime {
		end += c.lost + s.w.IRQPerTick
	}
	return end
}

// touch advances the clocks of a CPU to the present.
func (s *Sim) touch(cpu int) {
	if s.w.Tape != nil {
		return // its operations set the clocks
	}
	t := s.now
	start := Time(s.w.Config.ClockStart)
	s.m.SetClock(cpu, start+t, start+s.clockTask(&s.cpus[cpu], t))
}

func (s *Sim) touchAll() {
	for cpu := range s.cpus {
		s.touch(cpu)
	}
}

// what is the kind of thing that happens next.
type what uint8

const (
	whatNothing what = iota // in order of precedence at equal times
	whatEdit
	whatSchedule
	whatSegment
	whatHigherEnd
	whatTimer
	whatMessage
	whatRefill
	whatTick
	whatHrtick
	whatBalance
	whatIdleBalance
	whatRecorded
)

// upcoming finds what happens next, when and on which CPU.
func (s *Sim) upcoming() (kind what, at Time, cpu int) {
	at = NoTime
	for c := range s.cpus {
		if s.served(c) {
			kind, at, cpu = whatSchedule, s.now, c
			break
		}
	}
	if kind == whatNothing {
		kind, at, cpu = s.nextTimed()
	}
	if s.nextEdit < len(s.edits) {
		e := &s.edits[s.nextEdit]
		ordinal := 0
		if at == s.event.Time {
			ordinal = s.event.Ordinal + 1
		}
		if e.At < at || e.At == at && e.Ordinal <= ordinal {
			return whatEdit, max(e.At, s.now), e.CPU
		}
	}
	return kind, at, cpu
}

// served tells whether a requested reschedule of a CPU happens now.
func (s *Sim) served(cpu int) bool {
	rq := &s.m.cpus[cpu]
	if rq.higher || !rq.resched && !rq.lazy || s.w.Tape != nil {
		return false
	}
	if t := s.cpus[cpu].running; t == NoTask || t != rq.curr || !s.tasks[t].kernel {
		return true
	}
	switch s.m.cfg.Preempt {
	case PreemptFull:
		return true
	case PreemptLazy:
		return rq.resched
	case PreemptVoluntary, PreemptNone:
	}
	return false
}

// nextTimed finds what comes first by the clock; at equal times the order of the
// constants of what decides, then that of the CPUs.
func (s *Sim) nextTimed() (kind what, at Time, cpu int) {
	if s.w.Tape != nil {
		return s.nextOnTape()
	}
	at = NoTime
	if len(s.timers) > 0 {
		kind, at, cpu = whatTimer, s.timers[0].at, int(s.timers[0].cpu)
	}
	for i := range s.sent {
		if t := s.sent[i].at; t < at {
			kind, at, cpu = whatMessage, t, int(s.sent[i].cpu)
		}
	}
	if len(s.m.quotas) > 0 {
		if g, t := s.m.nextRefill(); t < at {
			kind, at, cpu = whatRefill, t, s.m.refillCPU(g)
		}
	}
	for c := range s.cpus {
		if k, t := s.nextOn(c); t < at || t == at && k < kind {
			kind, at, cpu = k, t, c
		}
	}
	return kind, at, cpu
}

// nextOn is what comes first by the clock on one CPU; whatNothing at NoTime.
func (s *Sim) nextOn(cpu int) (kind what, at Time) {
	c := &s.cpus[cpu]
	at = NoTime
	if t := s.segmentEnd(c); t < at {
		kind, at = whatSegment, t
	}
	if c.higherEnd < at {
		kind, at = whatHigherEnd, c.higherEnd
	}
	if c.tickAt < at {
		kind, at = whatTick, c.tickAt
	}
	if t := s.m.cpus[cpu].hrtick; t < at {
		kind, at = whatHrtick, t
	}
	if c.balanceAt < at {
		kind, at = whatBalance, c.balanceAt
	}
	if c.idleAt < at {
		kind, at = whatIdleBalance, c.idleAt
	}
	return kind, at
}

// Next is the time of the next event; ok is false when there is none. The end of
// a run segment counts even if the program then goes on without an event.
func (s *Sim) Next() (t Time, ok bool) {
	kind, at, _ := s.upcoming()
	return at, kind != whatNothing && !s.stuck && s.m.oops == ""
}

// Step takes the next event. ok is false when nothing will ever happen again.
// rec, if not nil, is emptied and collects the sub-steps.
func (s *Sim) Step(rec *Recorder) (e Event, ok bool) {
	if rec != nil {
		rec.Steps = rec.Steps[:0]
	}
	s.m.rec = rec
	for !ok && !s.stuck && s.m.oops == "" {
		kind, at, cpu := s.upcoming()
		if kind == whatNothing {
			break
		}
		ok = s.take(kind, at, cpu)
	}
	s.m.rec = nil
	return s.event, ok
}

// take lets one thing happen; false if it was no event, like a run instruction
// that follows another.
func (s *Sim) take(kind what, at Time, cpu int) bool {
	last := &s.event
	e := Event{Index: last.Index + 1, Time: at, CPU: cpu, Task: NoTask, Waker: NoTask}
	if at == last.Time {
		e.Ordinal = last.Ordinal + 1
	}
	if e.Ordinal > maxSameTime {
		s.stuck = true
		return false
	}
	s.now, s.m.event, s.m.undelayed = at, e.Index, s.m.undelayed[:0]
	if kind == whatEdit {
		e.CPU = s.editCPU(&s.edits[s.nextEdit])
	}
	s.touchAll()
	e.Prev = s.m.cpus[e.CPU].curr
	if !s.handle(kind, &e) {
		s.m.event = last.Index
		return false
	}
	rq := &s.m.cpus[e.CPU]
	e.Curr, e.Higher, e.Resched = rq.curr, rq.higher, rq.resched || rq.lazy
	e.Preempted = e.Prev != NoTask && e.Curr != e.Prev && !s.m.tasks[e.Prev].sleeping
	e.Delayed = e.Kind == EventBlock && s.m.ent(s.m.tasks[e.Task].entity).delayed
	s.event = e
	for c := range s.cpus {
		if s.w.Tape == nil {
			s.follow(c)
		}
	}
	return true
}

func (s *Sim) handle(kind what, e *Event) bool {
	switch kind {
	case whatEdit:
		s.applyEdit(e)
	case whatSchedule:
		e.Kind, e.Task = EventSchedule, e.Prev
		s.m.Schedule(e.CPU, LeaveStay)
	case whatSegment:
		return s.segmentEnds(e)
	case whatHigherEnd:
		e.Kind = EventInterruptEnd
		s.cpus[e.CPU].higherEnd = NoTime
		s.m.EndHigher(e.CPU)
	case whatTimer:
		return s.timerFires(e)
	case whatMessage:
		s.receive(e)
	case whatBalance:
		e.Kind, e.Task = EventBalance, NoTask
		s.cpus[e.CPU].balanceAt = NoTime
		s.m.Balance(e.CPU)
	case whatIdleBalance:
		e.Kind = EventIdleBalance
		s.cpus[e.CPU].idleAt = NoTime
		s.m.NohzBalance(e.CPU, s.cpus[e.CPU].refresh)
	case whatRefill:
		e.Kind = EventRefill
		e.Group, _ = s.m.nextRefill()
		s.m.Refill(e.Group)
	case whatTick:
		e.Kind, e.Task = EventTick, e.Prev
		s.tick(e.CPU)
	case whatHrtick:
		e.Kind, e.Task = EventHrtick, e.Prev
		s.m.HrtickExpire(e.CPU)
	case whatRecorded:
		return s.play(e)
	case whatNothing:
		return false
	}
	return true
}

// tick is the periodic tick; its interrupt takes time from clock_task, starting
// now.
func (s *Sim) tick(cpu int) {
	c := &s.cpus[cpu]
	s.m.Tick(cpu)
	if s.w.IRQPerTick > 0 {
		if c.stallFrom != NoTime {
			c.lost += s.w.IRQPerTick
		}
		c.stallFrom = s.now
	}
	c.tickAt += TickLength(s.w.Config.HZ)
	if s.w.Config.Balance && len(s.cpus) > 1 {
		s.raiseBalance(cpu, c)
	}
}

// raiseBalance decides at a tick whether balancing follows, here or on an idle
// CPU.
func (s *Sim) raiseBalance(cpu int, c *simCPU) {
	if s.m.BalanceDue(cpu) {
		c.balanceAt = s.now
	}
	if by, refreshOnly := s.m.NohzKick(cpu); by >= 0 && s.cpus[by].idleAt == NoTime {
		s.cpus[by].idleAt, s.cpus[by].refresh = s.now, refreshOnly
	}
}

// follow brings the simulation's view of a CPU up to date after an event: whose
// run segment is active, and whether ticks come.
func (s *Sim) follow(cpu int) {
	c, rq := &s.cpus[cpu], &s.m.cpus[cpu]
	now := s.now
	if c.running != rq.curr {
		if c.running != NoTask {
			p := &s.tasks[c.running]
			p.left = max(0, c.endTask-s.clockTask(c, now))
			c.handed += Time(rq.clockTask) - c.since
		}
		c.running, c.since = rq.curr, Time(rq.clockTask)
		if c.running != NoTask {
			s.beginSegment(c, now)
		}
	}
	busy := rq.curr != NoTask || rq.higher
	switch {
	case !busy:
		c.tickAt = NoTime
	case c.tickAt == NoTime:
		c.tickAt = s.nextTick(cpu, now)
	}
}

// nextTick is the first tick of a CPU after now.
func (s *Sim) nextTick(cpu int, now Time) Time {
	length, offset := TickLength(s.w.Config.HZ), Time(0)
	if s.w.TickOffset != nil {
		offset = s.w.TickOffset[cpu]
	}
	if now < offset {
		return offset
	}
	return offset + ((now-offset)/length+1)*length
}
