package model

import "zerolag/scheduler"

// Position names an event in a way that survives edits elsewhere: its time and
// its number, from 0, among the events of that time.
type Position struct {
	Time    scheduler.Time
	Ordinal int
}

// Before tells whether p lies before q.
func (p Position) Before(q Position) bool {
	if p.Time != q.Time {
		return p.Time < q.Time
	}
	return p.Ordinal < q.Ordinal
}

// EventRecord is the short record that is kept of every event. Record gives it
// without any replay.
type EventRecord struct {
	Time    scheduler.Time
	Ordinal int32
	Task    scheduler.TaskID  // whom it is about, NoTask if nobody
	Waker   scheduler.TaskID  // who woke or forked Task, NoTask for a timer
	Curr    scheduler.TaskID  // runs on CPU afterwards, NoTask when idle
	Prev    scheduler.TaskID  // ran on CPU before
	Group   scheduler.GroupID // EventRefill: whose quota; else RootGroup
	CPU     int16
	Kind    scheduler.EventKind
	flags   recordFlags
}

type recordFlags uint8

const (
	recordPreempted recordFlags = 1 << iota
	recordResched
	recordWakes     // an edit that wakes Task if it sleeps
	recordAdds      // an edit that adds Task
	recordDelayed   // Task went to sleep and stays queued
	recordUndelayed // the delayed sleep of somebody ended
	recordHigher    // a task of a higher class runs on CPU
)

// Position is where the event is.
func (e EventRecord) Position() Position { return Position{e.Time, int(e.Ordinal)} }

// Preempted tells whether Prev was switched out although it wanted to go on.
func (e EventRecord) Preempted() bool { return e.flags&recordPreempted != 0 }

// Resched tells whether need_resched is set on CPU afterwards.
func (e EventRecord) Resched() bool { return e.flags&recordResched != 0 }

// Delayed tells whether Task went to sleep but stays queued.
func (e EventRecord) Delayed() bool { return e.flags&recordDelayed != 0 }

// Switched tells whether the event changed the running task of CPU.
func (e EventRecord) Switched() bool { return e.Curr != e.Prev }

// Span is a stretch of wall time in which one task, or nobody, ran on a CPU.
type Span struct {
	Task     scheduler.TaskID // NoTask: idle
	From, To scheduler.Time
	// Preempted: at To the task lost the CPU although it wanted to go on.
	Preempted bool
	// Open: it still ran at To, the end of the window or of what is known.
	Open bool
}

// Segment is a stretch of wall time in which a task stayed in one state.
type Segment struct {
	State    scheduler.TaskState
	From, To scheduler.Time
}

// Decision is what an event decided, for comparing one re-run with another.
type Decision struct {
	Kind    scheduler.StepKind // the last check or pick, else the last resched
	Reason  scheduler.Reason
	Chosen  scheduler.EntityID // whom a pick chose, NoEntity otherwise
	CPU     int                // of the event: where a wakee or child lands
	Curr    scheduler.TaskID   // who runs afterwards
	Resched bool               // need_resched afterwards
}

// Flip is one feature whose change alone alters the decision of the event at
// the cursor.
type Flip struct {
	Setting scheduler.FeatureSetting
	Would   Decision // what the event decides with Setting
	// Outcome: another entity is chosen or runs, a wakee lands on another CPU, or
	// need_resched differs; else only the reason is another.
	Outcome bool
}

// Branch describes one branch of a Run.
type Branch struct {
	Name string // "main", or "recorded" for a recording; "b1", "b2", ...
	// Edits beyond the workload's own, ascending by position; All with those.
	Edits, All []scheduler.Edit
	// From is the branch it was forked from, ForkAt where; "" for main.
	From    string
	ForkAt  Position
	Current bool
}

// Progress says how a search stands after one call of Until.
type Progress uint8

// The states of a search.
const (
	Working   Progress = iota // call again
	Found                     // the cursor stands on the event found
	Exhausted                 // the run has no such event in that direction
)

// Stats are the numbers of all tasks at the cursor.
type Stats struct {
	Now   scheduler.Time // wall time since the start
	Total scheduler.Time // CPU time handed out to all tasks
	Tasks []TaskStat     // by TaskID
}

// TaskStat is one task's numbers. Times are ns of wall time; shares are parts
// per million.
type TaskStat struct {
	Task        scheduler.TaskID
	Name        string
	Runtime     scheduler.Time
	Share       int64 // of Total
	WeightShare int64 // of the weights of its siblings, level by level
	SwitchedIn  int
	Voluntary   int // gave the CPU up: sleep, exit
	Involuntary int // lost it while it wanted to go on
	Wakeups     int
	Migrations  int // came to another CPU
	// The waits that have ended: from becoming runnable to running.
	Waits     int
	WaitTotal scheduler.Time
	WaitAvg   scheduler.Time
	WaitP50   scheduler.Time // nearest rank
	WaitP99   scheduler.Time
	WaitMax   scheduler.Time
	// MaxFrom and MaxTo bound the longest of them; NoTime if there is none.
	MaxFrom, MaxTo scheduler.Time
	// Waiting is the length of the wait that goes on at the cursor, 0 if none.
	Waiting scheduler.Time
}
