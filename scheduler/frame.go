package scheduler

// TaskState is where a task is, in the letters of the screen.
type TaskState uint8

// The task states.
const (
	StateNew      TaskState = iota // not forked yet
	StateRunning                   // R
	StateQueued                    // Q
	StateSleeping                  // S
	StateDelayed                   // z: asleep, still queued
	StateDead                      // X
)

// Letter is the state's letter on the screen.
func (s TaskState) Letter() byte { return "-RQSzX"[s] }

// TaskStats counts what happened to a task. Waits are wall time between
// becoming runnable (or being preempted) and running.
type TaskStats struct {
	SwitchedIn int // times it got the CPU
	Voluntary  int // times it gave it up: sleep, exit
	Preempted  int // times it lost it while it wanted to go on
	Wakeups    int
	Waiting    bool // is waiting now
	WaitSince  Time // since when
	WaitTotal  Time // finished waits
	WaitMax    Time // longest finished wait
	Waits      int  // number of finished waits
	LastSwitch Time // when it was switched in last
	Migrations int  // times it came to another CPU (nr_migrations)
	RanBefore  Time // run time before the start, of a recording
}

// EntityFrame is a plain copy of one sched_entity.
type EntityFrame struct {
	ID     EntityID
	Name   string
	Task   TaskID  // NoTask for a group entity
	Group  GroupID // the group it is the entity of, or the task's group
	CPU    int
	Queue  QueueID // the queue it belongs to
	Owns   QueueID // the queue below a group entity; NoQueue for a task
	Parent EntityID
	Depth  int

	Weight      uint64 // scaled
	Vruntime    Vtime
	Deadline    Vtime // relative to vruntime while RelDeadline
	Vlag        int64 // as stored; while running before 6.17 the protection token
	Vprot       Vtime // 6.17+: end of the protected slice
	Slice       uint64
	OnRQ        bool
	Delayed     bool
	RelDeadline bool
	CustomSlice bool
	Curr        bool  // current of its queue
	Next        bool  // next buddy of its queue
	Eligible    bool  // against its queue now, also for sleepers
	Protected   bool  // current and its slice protected
	ProtectedTo Vtime // where the protection ends, if Protected
	Lag         int64 // V - vruntime now (of a sleeper: stored lag)
	ExecStart   uint64
	SumExec     uint64
	PrevSumExec uint64
	LoadAvg     uint64
	LoadSum     uint64
	RunnableAvg uint64
	UtilAvg     uint64

	// Its place in the tree of its queue, while it is in it: children, NoEntity for
	// none, colour, and what the kernel stores about the subtree that it heads: the
	// smallest vruntime, or the smallest deadline if the tree is ordered by vruntime,
	// and the smallest and largest slice. Stored slices may be stale.
	Left, Right           EntityID
	Red                   bool
	Least                 Vtime
	LeastSlice, MostSlice uint64

	// Tasks only.
	Ran     Time // CPU time up to now: what was charged, and what it ran since
	State   TaskState
	Nice    int
	Policy  Policy
	Allowed CPUSet // affinity
	Stats   TaskStats
}

// QueueFrame is a plain copy of one cfs_rq.
type QueueFrame struct {
	ID          QueueID
	Group       GroupID
	CPU         int
	Owner       EntityID // its group entity; NoEntity for a root queue
	Curr        EntityID
	Next        EntityID
	Nr          int // entities of this level: nr_queued, nr_running before 6.14
	HQueued     int // tasks below, delayed ones included
	HRunnable   int
	HDelayed    int
	NrIdle      int // idle entities of this level
	HIdle       int
	Load        uint64 // scaled
	Sum         int64  // weighted sum of the keys of the tree
	SumWeight   uint64
	SumShift    int   // PARANOID_AVG: how often the weights were halved
	Overflow    bool  // a product key*weight has left 64 bits
	Zero        Vtime // reference point: zero_vruntime
	V           Vtime // avg_vruntime, computed without moving Zero
	MinSlice    uint64
	MaxSlice    uint64
	LoadAvg     uint64
	LoadSum     uint64
	RunnableAvg uint64
	UtilAvg     uint64
	TgContrib   uint64 // what the queue has published of its LoadAvg to its group
	TgFormer    uint64 // what it had published before that
	TgPublished Time   // when it published last, by its CPU's clock; NoTime if never
	Publication Publication
	// ShareLoad is the queue's load in the formula of its group's shares,
	// ShareWeight the scaled weight that the formula gives now.
	ShareLoad   uint64
	ShareWeight uint64
	// Limited: its group has a quota, of which Remaining has been drawn and not been
	// run; below 0 it is a debt.
	Limited   bool
	Remaining Time
	// Throttled: its group entity is off, since ThrottledAt, until a refill.
	// ThrottleCount counts the throttled queues from this one up to the root: none
	// of its tasks runs while it is above 0.
	Throttled     bool
	ThrottledAt   Time // NoTime if it is not throttled
	ThrottleCount int
	// TurnsEnded counts the charges (update_curr) at this queue that asked for a
	// reschedule.
	TurnsEnded int
	// Tree holds the queued entities without the current one, by deadline.
	Tree []EntityID
	Root EntityID // of the tree, NoEntity if it is empty
}

// Publication says what would become of publishing a queue's load to its group
// now.
type Publication uint8

// The verdicts. A root queue belongs to no group that shares: PublicationNone.
const (
	PublicationNone     Publication = iota
	PublicationDue                  // at the next update
	PublicationTooSoon              // less than 1 ms after the last one (6.7+)
	PublicationTooSmall             // the load moved by no more than 1/64
)

// GroupFrame is a plain copy of one task_group.
type GroupFrame struct {
	ID      GroupID
	Name    string // full path, "/" for the root
	Parent  GroupID
	Shares  uint64
	Idle    bool
	LoadAvg uint64
	// cpu.max: Quota of run time in each Period and Burst more; Quota 0 is no limit.
	Quota, Period, Burst Time
	Pool                 Time // what the group's queues may still draw
	RefillAt             Time // when the pool is filled up next, NoTime if the timer rests
	QuotaStats           QuotaStats
}

// CPUFrame is a plain copy of one rq.
type CPUFrame struct {
	Curr      TaskID // NoTask when idle
	Higher    bool   // a task of a higher class runs
	Nr        int    // rq.nr_running
	Resched   bool
	Lazy      bool
	Clock     Time
	ClockTask Time
	HrtickAt  Time // NoTime when not armed
	LastPick  TaskID
}

// Frame is the state of the whole machine as plain values. Entities and Queues
// are indexed by EntityID and QueueID; tasks that do not exist yet have State
// StateNew.
type Frame struct {
	Now       Time
	Event     int
	Features  Features
	BaseSlice uint64
	Preempt   PreemptModel
	CPUs      []CPUFrame
	Groups    []GroupFrame
	Queues    []QueueFrame
	Entities  []EntityFrame
	// TaskEntity maps a TaskID to its EntityID.
	TaskEntity []EntityID
}

// Entity is the frame of one entity, nil for NoEntity.
func (f *Frame) Entity(id EntityID) *EntityFrame {
	if id < 0 || int(id) >= len(f.Entities) {
		return nil
	}
	return &f.Entities[id]
}

// Task is the frame of a task's entity, nil for NoTask.
func (f *Frame) Task(id TaskID) *EntityFrame {
	if id < 0 || int(id) >= len(f.TaskEntity) {
		return nil
	}
	return f.Entity(f.TaskEntity[id])
}

// Queue is the frame of one queue, nil for NoQueue.
func (f *Frame) Queue(id QueueID) *QueueFrame {
	if id < 0 || int(id) >= len(f.Queues) {
		return nil
	}
	return &f.Queues[id]
}
