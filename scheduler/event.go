package scheduler

// EventKind is one way to enter the scheduler.
type EventKind uint8

// The event kinds.
const (
	EventStart        EventKind = iota // the state before anything happened
	EventEdit                          // a change from outside
	EventFork                          // wake_up_new_task
	EventWakeup                        // try_to_wake_up with its preemption check
	EventBlock                         // schedule() of a task that goes to sleep
	EventExit                          // schedule() of a task that dies
	EventYield                         // sched_yield and its schedule()
	EventTick                          // sched_tick
	EventHrtick                        // expiry of the slice timer
	EventSchedule                      // schedule() because need_resched is set
	EventInterrupt                     // a task of a higher class takes the CPU
	EventInterruptEnd                  // and gives it back
	EventRefill                        // a group's period ends: its quota is filled up
	EventReceive                       // a wakeup sent by another CPU arrives
	EventBalance                       // the balance softirq after a tick
	EventIdleBalance                   // an idle CPU balances for all idle ones
	EventOther                         // of a recording: another function was called
	numEventKinds
)

var eventNames = [numEventKinds]string{
	"start", "edit", "fork", "wakeup", "block", "exit", "yield", "tick", "hrtick", "schedule", "interrupt", "interrupt-end",
	"refill", "receive", "balance", "idle-balance", "call",
}

// String is the word for the kind in logs and JSON.
func (k EventKind) String() string { return eventNames[k] }

// Event is one entry into the scheduler. Positions that people keep are
// (Time, Ordinal): the ordinal counts the events of the same time from 0.
type Event struct {
	Index   int
	Time    Time
	Ordinal int
	Kind    EventKind
	CPU     int
	Task    TaskID  // whom it is about: wakee, child, blocker, runner at a tick; NoTask if nobody
	Waker   TaskID  // EventWakeup, EventFork: who did it; NoTask for a timer
	Group   GroupID // EventRefill: whose quota; else RootGroup
	Edit    *Edit   // EventEdit, EventInterrupt: what was changed, else nil; read only
	// Curr is the task that runs on CPU afterwards, NoTask when idle.
	Curr TaskID
	// Prev is the task that ran on CPU before.
	Prev TaskID
	// Preempted: Prev was switched out although it wanted to go on.
	Preempted bool
	// Higher: a task of a higher class runs on CPU afterwards.
	Higher bool
	// Resched: need_resched is set on CPU afterwards.
	Resched bool
	// Recorded is the event of the tape; nil in a simulation. Read only.
	Recorded *TapeEvent
	// Delayed: Task went to sleep but stays queued, sched_delayed. Sim.Undelayed
	// tells when that ends.
	Delayed bool
}

// Switched tells whether the event changed the running task.
func (e Event) Switched() bool { return e.Curr != e.Prev }
