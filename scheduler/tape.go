package scheduler

// Tape is what a kernel was recorded to do, event by event. A Sim whose workload
// has a tape plays it instead of running programs: the tape says which operations
// came when, the state is computed. Times count from Config.ClockStart.
type Tape struct {
	Release string // of the kernel that was recorded
	// Start brings the groups and tasks of the workload, which do not live yet, into
	// the state before the first event.
	Start  []Operation
	Events []TapeEvent // ascending by At
}

// Operation is something that happens to the machine: a kernel function, or a
// value taken from the recording.
type Operation func(*Replay)

// TapeEvent is one entry into the scheduler as it was recorded.
type TapeEvent struct {
	At          Time
	Kind        EventKind
	CPU         int
	Task, Waker TaskID // as in Event
	Operations  []Operation
	Call        string // the function with which it began, where Kind does not say it
	Line        int    // of the trace, where it began
	// Differs counts the recorded values and decisions that the machine did not come
	// to; Difference is the first of them in words.
	Differs    int
	Difference string
}

// newTapeSim builds the simulation of a workload with a tape at event 0.
func newTapeSim(w *Workload) *Sim {
	s := &Sim{w: w, m: *NewMachine(w.Config), edits: w.Edits, cpus: make([]simCPU, w.Config.CPUs)}
	s.event = Event{Kind: EventStart, Task: NoTask, Waker: NoTask, Curr: NoTask, Prev: NoTask}
	boundPicks(&s.m)
	r := &Replay{m: &s.m}
	for _, g := range w.Groups {
		r.AddGroup(g.Parent, g.Name)
	}
	for i := range w.Tasks {
		r.AddTask(w.Tasks[i].Name)
	}
	for _, do := range w.Tape.Start {
		do(r)
	}
	return s
}

// nextOnTape is the next event of the tape.
func (s *Sim) nextOnTape() (kind what, at Time, cpu int) {
	if s.played == len(s.w.Tape.Events) {
		return whatNothing, NoTime, 0
	}
	e := &s.w.Tape.Events[s.played]
	return whatRecorded, e.At, e.CPU
}

// play lets the next event of the tape happen. Once an edit has changed the
// machine what was recorded may have become impossible: then it does not come to
// pass, and the simulation is stuck.
func (s *Sim) play(e *Event) (done bool) {
	defer func() {
		if s.nextEdit > 0 && recover() != nil {
			s.stuck, done = true, false
		}
	}()
	t := &s.w.Tape.Events[s.played]
	s.played++
	e.Kind, e.Task, e.Waker, e.Recorded = t.Kind, t.Task, t.Waker, t
	r := &Replay{m: &s.m}
	for _, do := range t.Operations {
		do(r)
	}
	return true
}
