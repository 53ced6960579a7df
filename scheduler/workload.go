package scheduler

// Policy is a scheduling policy of the fair class, with the kernel's numbers.
type Policy uint8

// The policies of the fair class.
const (
	PolicyNormal Policy = 0
	PolicyBatch  Policy = 3
	PolicyIdle   Policy = 5
)

// String is the policy's name as sched(7) writes it.
func (p Policy) String() string {
	switch p {
	case PolicyBatch:
		return "SCHED_BATCH"
	case PolicyIdle:
		return "SCHED_IDLE"
	case PolicyNormal:
	}
	return "SCHED_OTHER"
}

// AugMode says how the smallest and largest slice of a queue are obtained.
type AugMode uint8

// AugBuilt reads the summaries that the kernel's red-black tree really holds,
// which can be stale (SPEC-7x section 18); AugIdeal computes the true values.
const (
	AugBuilt AugMode = iota
	AugIdeal
)

// PreemptModel says when a requested reschedule is served.
type PreemptModel uint8

// All models serve a request at once while the runner is in user mode. In kernel
// mode PreemptFull does so too; with PreemptLazy the fair class sets the lazy
// flag (7.x), which waits for the return to user mode or the next tick, which
// promotes it; PreemptNone and PreemptVoluntary wait for the return.
const (
	PreemptFull PreemptModel = iota
	PreemptLazy
	PreemptVoluntary
	PreemptNone
)

// String is the model's name in the kernel's preempt file.
func (p PreemptModel) String() string {
	return [...]string{"full", "lazy", "voluntary", "none"}[p]
}

// Config is the machine without its tasks. All fields are explicit; defaults
// belong to the caller (package scenarios).
type Config struct {
	Kernel        *Profile
	CPUs          int    // number of CPUs, at least 1
	HZ            int    // 100 ... 1000
	BaseSlice     uint64 // base_slice_ns, ns of wall time
	NBase         uint64 // normalised base slice, ns (used by NO_RUN_TO_PARITY from 6.17 on)
	MigrationCost uint64 // sysctl_sched_migration_cost, ns
	Features      Features
	Aug           AugMode
	Preempt       PreemptModel
	// Topology of the CPUs; one that does not have CPUs many stands for CPUs
	// cores that share a cache.
	Topology Topology
	// ClockStart is what the clocks show at the start of a simulation, ns. Load
	// averages are kept in windows of 2^20 ns of it, and 0 means "never" to them.
	ClockStart uint64
	// Balance switches load balancing between CPUs on.
	Balance bool
}

// OpKind is one kind of instruction of a task's program.
type OpKind uint8

// The instructions of a task program.
const (
	OpRun     OpKind = iota // use Dur of CPU time (clock_task)
	OpSleep                 // block; a wakeup comes Dur after the block
	OpBlock                 // block until another task wakes it
	OpWake                  // wake Task; nothing happens if it does not sleep
	OpYield                 // sched_yield()
	OpExit                  // die
	OpFork                  // start Task on this CPU; nothing happens if it lives
	OpLoop                  // jump back to Target; Count rounds in all, 0 = for ever
	OpTimer                 // sleep to the next multiple of Dur since the task's start; late: go on
	OpLock                  // take mutex Object, or block until it is handed over
	OpUnlock                // release mutex Object to its longest waiter
	OpBarrier               // block until Count tasks have come to barrier Object
	OpSend                  // put a message into Object; its longest waiter gets it
	OpReceive               // take a message from Object, or block until one comes
)

// String is the instruction's word in scenario files.
func (k OpKind) String() string {
	return [...]string{
		"run", "sleep", "block", "wake", "yield", "exit", "fork", "repeat",
		"timer", "lock", "unlock", "barrier", "send", "receive",
	}[k]
}

// Dist is the distribution a length of time is drawn from.
type Dist uint8

// The distributions.
const (
	DistFixed       Dist = iota // always Dur
	DistUniform                 // Dur ... Max, all alike
	DistExponential             // mean Dur, at most Max
)

// MaxLoopDepth is how deep repeats may nest.
const MaxLoopDepth = 8

// Op is one instruction. A program that runs off its end exits.
type Op struct {
	Kind   OpKind
	Dur    Time   // OpRun, OpSleep, OpTimer; with Dist its least value or its mean
	Dist   Dist   // OpRun, OpSleep: how Dur is drawn
	Max    Time   // Dist: the largest value
	Object int32  // OpLock ... OpReceive: which mutex, barrier or message queue
	Task   TaskID // OpWake, OpFork
	Target int32  // OpLoop: index of the body's first instruction
	Count  int32  // OpLoop, OpBarrier
	Sync   bool   // OpWake, OpSend, OpUnlock: the waker is about to sleep (WF_SYNC)
	Kernel bool   // OpRun: in kernel mode, where preemption depends on the model
	Depth  uint8  // OpLoop: nesting level, 0 ... MaxLoopDepth-1, names its counter
}

// GroupSpec is one task_group. Groups are given parents first; index i of
// Workload.Groups is GroupID i+1.
type GroupSpec struct {
	Name   string
	Parent GroupID
	Shares uint64 // scaled tg.shares, MinShares ... MaxShares; ignored when Idle
	Idle   bool   // cpu.idle
	// Quota of run time in each Period, on all CPUs together, and Burst more of what
	// earlier periods left (cpu.max, cpu.max.burst); Quota 0 is no limit, Period 0
	// DefaultPeriod.
	Quota, Period, Burst Time
}

// TaskSpec is one task. Index i of Workload.Tasks is TaskID i.
type TaskSpec struct {
	Name    string
	Group   GroupID
	Nice    int
	Policy  Policy
	Slice   uint64 // custom slice in ns (sched_runtime), 0 = base slice
	CPU     int    // where it starts from; placement may choose another allowed one
	Allowed CPUSet // affinity; empty = all CPUs
	Arrive  Time   // fork at that time; NoTime: when another task forks it
	Program []Op
	Start   *EntityStart // state set directly at 0 instead of a fork
}

// EntityStart sets an entity's state directly at time 0. The entity is put on
// its queue (or stays off it, Asleep) without any placement.
type EntityStart struct {
	Vruntime    Vtime
	Deadline    Vtime
	Vlag        int64
	Vprot       Vtime
	Asleep      bool // not queued; Vlag is its stored lag
	Delayed     bool // queued, asleep, sched_delayed
	Running     bool // current of its CPU
	RelDeadline bool
}

// QueueStart sets the reference point of a queue at time 0.
type QueueStart struct {
	Queue QueueID
	Zero  Vtime
}

// EditKind is one way to change the world from outside.
type EditKind uint8

// The edits.
const (
	EditFeature   EditKind = iota // switch Feature
	EditNice                      // set_user_nice(Task, Value)
	EditSlice                     // sched_setattr(Task) with sched_runtime Value, 0 = none
	EditPolicy                    // sched_setscheduler(Task, Policy)
	EditShares                    // cpu.weight of Group: scaled shares Value
	EditGroupIdle                 // cpu.idle of Group: Value 0 or 1
	EditBaseSlice                 // base_slice_ns := Value
	EditMove                      // move Task to Group
	EditWake                      // wake Task if it sleeps
	EditInterrupt                 // a task of a higher class takes CPU for Value ns
	EditAffinity                  // sched_setaffinity(Task, Allowed)
	EditAdd                       // a new task, Spec, is forked
	EditKill                      // Task dies as soon as it runs; a sleeper is woken for it
	EditSleep                     // Task sleeps as soon as it runs, until it is woken
	EditFreeze                    // the same, never delayed, like the freezer
	EditPreempt                   // the preemption model becomes Value
	EditQuota                     // cpu.max of Group: quota Value ns in Period, 0 = no limit, and Burst
)

// Edit is one change at a position. Among the events of its time it comes
// right before the one that would have that Ordinal; Ordinal 0 comes first.
type Edit struct {
	At      Time
	Ordinal int
	Kind    EditKind
	Feature FeatureSetting
	Task    TaskID
	Group   GroupID
	Policy  Policy
	CPU     int
	Value   int64
	Period  Time // EditQuota; 0 is DefaultPeriod
	Burst   Time // EditQuota
	Allowed CPUSet
	Spec    *TaskSpec // not changed afterwards
}

// Workload is everything that a simulation needs. It is not changed by a Sim
// and may be shared.
type Workload struct {
	Config     Config
	Groups     []GroupSpec
	Tasks      []TaskSpec
	Queues     []QueueStart
	Edits      []Edit // ascending (At, Ordinal), ties in the order they apply
	TickOffset []Time // per CPU; nil = 0 everywhere
	// IRQPerTick is the time each tick's interrupt takes from clock_task, ns.
	IRQPerTick Time
	// IPIDelay is how long a wakeup sent to another CPU takes (TTWU_QUEUE), ns.
	IPIDelay Time
	// Objects are the names of the mutexes, barriers and message queues that programs
	// use; Op.Object is an index.
	Objects []string
	// Seed starts the draws of random times.
	Seed uint64
	// Tape is played instead of programs; nil for a simulation.
	Tape *Tape
	// Until is the suggested end of the run.
	Until Time
}
