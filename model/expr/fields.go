package expr

import "zerolag/scheduler"

// catalogue is every field, in the order of docs/FIELDS.md.
var catalogue = concat(entityFields, taskFields, groupFields, queueFields, cpuFields, runFields)

func concat(lists ...[]Field) []Field {
	var all []Field
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// Short names for the argument types of the tables below.
type (
	frame  = scheduler.Frame
	entity = scheduler.EntityFrame
	stats  = scheduler.TaskStats
	group  = scheduler.GroupFrame
	queue  = scheduler.QueueFrame
	cpu    = scheduler.CPUFrame
	event  = scheduler.Event
)

// How the kernel's formulas round.
const (
	roundCharge = "ns * 2^20 / weight by a 32-bit inverse, rounded down"
	roundScaled = "scaled by weights with a division that truncates"
)

var entityFields = []Field{
	{
		Name: "vruntime", Object: OfEntity, Type: Number, Unit: Vtime,
		Meaning: "virtual time it has had", Rounding: roundCharge,
		get: entityOf(func(e *entity) int64 { return int64(e.Vruntime) }),
	},
	{
		Name: "deadline", Object: OfEntity, Type: Number, Unit: Vtime,
		Meaning: "virtual deadline; its distance from vruntime while rel_deadline", Rounding: roundCharge,
		get: entityOf(func(e *entity) int64 { return int64(e.Deadline) }),
	},
	{
		Name: "vlag", Object: OfEntity, Type: Number, Unit: Vlen,
		Meaning: "stored lag; before 6.17, while running, the protection mark", Rounding: roundScaled,
		get: entityOf(func(e *entity) int64 { return e.Vlag }),
	},
	{
		Name: "vprot", Object: OfEntity, Type: Number, Unit: Vtime,
		Meaning: "where the protected slice ends (6.17 and later)", Rounding: roundCharge,
		get: entityOf(func(e *entity) int64 { return int64(e.Vprot) }),
	},
	{
		Name: "protected_to", Object: OfEntity, Type: Number, Unit: Vtime,
		Meaning: "where the protection ends, if protected",
		get:     entityOf(func(e *entity) int64 { return int64(e.ProtectedTo) }),
	},
	{
		Name: "lag", Object: OfEntity, Type: Number, Unit: Vlen,
		Meaning: "V - vruntime now; the stored lag of a sleeper",
		get:     entityOf(func(e *entity) int64 { return e.Lag }),
	},
	{
		Name: "slice", Object: OfEntity, Type: Number, Unit: Time,
		Meaning: "length of a request",
		get:     entityOf(func(e *entity) int64 { return signed(e.Slice) }),
	},
	{
		Name: "weight", Object: OfEntity, Type: Number, Unit: Weight,
		Meaning: "load.weight",
		get:     entityOf(func(e *entity) int64 { return signed(e.Weight) }),
	},
	{
		Name: "on_rq", Object: OfEntity, Type: Bool,
		Meaning: "is queued, or current",
		get:     entityOf(func(e *entity) int64 { return truth(e.OnRQ) }),
	},
	{
		Name: "sched_delayed", Aliases: []string{"delayed"}, Object: OfEntity, Type: Bool,
		Meaning: "sleeps, but stays queued until its lag is paid",
		get:     entityOf(func(e *entity) int64 { return truth(e.Delayed) }),
	},
	{
		Name: "rel_deadline", Object: OfEntity, Type: Bool,
		Meaning: "deadline holds a distance",
		get:     entityOf(func(e *entity) int64 { return truth(e.RelDeadline) }),
	},
	{
		Name: "custom_slice", Object: OfEntity, Type: Bool,
		Meaning: "slice was set for this entity",
		get:     entityOf(func(e *entity) int64 { return truth(e.CustomSlice) }),
	},
	{
		Name: "eligible", Object: OfEntity, Type: Bool,
		Meaning: "lag >= 0, by the exact test of its queue",
		get:     entityOf(func(e *entity) int64 { return truth(e.Eligible) }),
	},
	{
		Name: "protected", Object: OfEntity, Type: Bool,
		Meaning: "is current and its slice is protected",
		get:     entityOf(func(e *entity) int64 { return truth(e.Protected) }),
	},
	{
		Name: "is_curr", Object: OfEntity, Type: Bool,
		Meaning: "is the current entity of its queue",
		get:     entityOf(func(e *entity) int64 { return truth(e.Curr) }),
	},
	{
		Name: "is_next", Object: OfEntity, Type: Bool,
		Meaning: "is the next buddy of its queue",
		get:     entityOf(func(e *entity) int64 { return truth(e.Next) }),
	},
	{
		Name: "exec_start", Object: OfEntity, Type: Number, Unit: Time,
		Meaning: "clock_task of the last charge",
		get:     entityOf(func(e *entity) int64 { return signed(e.ExecStart) }),
	},
	{
		Name: "sum_exec_runtime", Object: OfEntity, Type: Number, Unit: Time,
		Meaning: "CPU time charged",
		get:     entityOf(func(e *entity) int64 { return signed(e.SumExec) }),
	},
	{
		Name: "prev_sum_exec_runtime", Object: OfEntity, Type: Number, Unit: Time,
		Meaning: "the same when it was picked last",
		get:     entityOf(func(e *entity) int64 { return signed(e.PrevSumExec) }),
	},
	{
		Name: "load_avg", Object: OfEntity, Type: Number,
		Meaning: "PELT load",
		get:     entityOf(func(e *entity) int64 { return signed(e.LoadAvg) }),
	},
	{
		Name: "runnable_avg", Object: OfEntity, Type: Number,
		Meaning: "PELT runnable average",
		get:     entityOf(func(e *entity) int64 { return signed(e.RunnableAvg) }),
	},
	{
		Name: "util_avg", Object: OfEntity, Type: Number,
		Meaning: "PELT utilisation",
		get:     entityOf(func(e *entity) int64 { return signed(e.UtilAvg) }),
	},
	{
		Name: "cpu", Object: OfEntity, Type: Number,
		Meaning: "CPU it belongs to",
		get:     entityOf(func(e *entity) int64 { return int64(e.CPU) }),
	},
	{
		Name: "depth", Object: OfEntity, Type: Number,
		Meaning: "levels below the root queue",
		get:     entityOf(func(e *entity) int64 { return int64(e.Depth) }),
	},
}

var taskFields = []Field{
	{
		Name: "state", Object: OfTask, Type: Word, words: stateWords,
		Meaning: "where it is",
		get:     taskOf(func(_ *frame, e *entity) int64 { return int64(e.State) }),
	},
	{
		Name: "policy", Object: OfTask, Type: Word, words: policyWords,
		Meaning: "scheduling policy",
		get:     taskOf(func(_ *frame, e *entity) int64 { return int64(e.Policy) }),
	},
	{
		Name: "nice", Object: OfTask, Type: Number,
		Meaning: "nice value",
		get:     taskOf(func(_ *frame, e *entity) int64 { return int64(e.Nice) }),
	},
	{
		Name: "ran", Aliases: []string{"runtime"}, Object: OfTask, Type: Number, Unit: Time,
		Meaning: "CPU time up to now, the part not yet charged included",
		get:     taskOf(func(_ *frame, e *entity) int64 { return int64(e.Ran) }),
	},
	{
		Name: "waiting", Object: OfTask, Type: Number, Unit: Time,
		Meaning: "length of the wait that goes on, 0 if none does",
		get:     taskOf(func(f *frame, e *entity) int64 { return int64(Waiting(f, e)) }),
	},
	{
		Name: "wait_total", Object: OfTask, Type: Number, Unit: Time,
		Meaning: "length of all waits that have ended",
		get:     statOf(func(s *stats) int64 { return int64(s.WaitTotal) }),
	},
	{
		Name: "waited", Object: OfTask, Type: Number, Unit: Time,
		Meaning: "wait_total and the wait that goes on",
		get:     taskOf(func(f *frame, e *entity) int64 { return int64(e.Stats.WaitTotal + Waiting(f, e)) }),
	},
	{
		Name: "wait_max", Object: OfTask, Type: Number, Unit: Time,
		Meaning: "the longest wait, the one that goes on included",
		get:     taskOf(func(f *frame, e *entity) int64 { return int64(max(e.Stats.WaitMax, Waiting(f, e))) }),
	},
	{
		Name: "waits", Object: OfTask, Type: Number,
		Meaning: "waits that have ended",
		get:     statOf(func(s *stats) int64 { return int64(s.Waits) }),
	},
	{
		Name: "switched_in", Object: OfTask, Type: Number,
		Meaning: "times it got the CPU",
		get:     statOf(func(s *stats) int64 { return int64(s.SwitchedIn) }),
	},
	{
		Name: "preempted", Aliases: []string{"involuntary"}, Object: OfTask, Type: Number,
		Meaning: "times it lost the CPU although it wanted to go on",
		get:     statOf(func(s *stats) int64 { return int64(s.Preempted) }),
	},
	{
		Name: "voluntary", Object: OfTask, Type: Number,
		Meaning: "times it gave the CPU up",
		get:     statOf(func(s *stats) int64 { return int64(s.Voluntary) }),
	},
	{
		Name: "wakeups", Object: OfTask, Type: Number,
		Meaning: "times it was woken",
		get:     statOf(func(s *stats) int64 { return int64(s.Wakeups) }),
	},
	{
		Name: "throttled", Object: OfTask, Type: Bool,
		Meaning: "its group, or one above, has no run time left on its CPU",
		get: taskOf(func(f *frame, e *entity) int64 {
			return truth(f.Queues[e.Queue].ThrottleCount > 0)
		}),
	},
	{
		Name: "migrations", Object: OfTask, Type: Number,
		Meaning: "times it came to another CPU, by a wakeup or by balancing",
		get:     statOf(func(s *stats) int64 { return int64(s.Migrations) }),
	},
	{
		Name: "last_switch", Object: OfTask, Type: Number, Unit: Time,
		Meaning: "when it got the CPU last",
		get:     statOf(func(s *stats) int64 { return int64(s.LastSwitch) }),
	},
}

var groupFields = []Field{
	{
		Name: "shares", Object: OfGroup, Type: Number, Unit: Weight,
		Meaning: "weight of the group as a whole",
		get:     groupOf(func(g *group) int64 { return signed(g.Shares) }),
	},
	{
		Name: "cpu_weight", Object: OfGroup, Type: Number,
		Meaning: "the same as cgroup v2 prints it, 1 to 10000",
		get:     groupOf(func(g *group) int64 { return signed(scheduler.WeightOfShares(g.Shares)) }),
	},
	{
		Name: "cpu_idle", Object: OfGroup, Type: Bool,
		Meaning: "cpu.idle is set",
		get:     groupOf(func(g *group) int64 { return truth(g.Idle) }),
	},
	{
		Name: "tg_load_avg", Object: OfGroup, Type: Number,
		Meaning: "load that all CPUs have published",
		get:     groupOf(func(g *group) int64 { return signed(g.LoadAvg) }),
	},
	{
		Name: "quota", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "cpu.max: run time in each period, 0 for no limit",
		get:     groupOf(func(g *group) int64 { return int64(g.Quota) }),
	},
	{
		Name: "period", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "cpu.max: the period, 0 if there was never a limit",
		get:     groupOf(func(g *group) int64 { return int64(g.Period) }),
	},
	{
		Name: "burst", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "cpu.max.burst: what may be saved up beyond the quota",
		get:     groupOf(func(g *group) int64 { return int64(g.Burst) }),
	},
	{
		Name: "pool", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "run time that its queues may still draw",
		get:     groupOf(func(g *group) int64 { return int64(g.Pool) }),
	},
	{
		Name: "refill_at", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "when the pool is filled up, the largest number while the timer rests",
		get:     groupOf(func(g *group) int64 { return int64(g.RefillAt) }),
	},
	{
		Name: "nr_periods", Object: OfGroup, Type: Number,
		Meaning: "periods that have ended, as in cpu.stat",
		get:     groupOf(func(g *group) int64 { return g.QuotaStats.Periods }),
	},
	{
		Name: "nr_throttled", Object: OfGroup, Type: Number,
		Meaning: "periods that ended with a throttled CPU, as in cpu.stat",
		get:     groupOf(func(g *group) int64 { return g.QuotaStats.ThrottledPeriods }),
	},
	{
		Name: "throttled_time", Object: OfGroup, Type: Number, Unit: Time,
		Meaning: "how long its CPUs have been throttled, those that still are left out",
		get:     groupOf(func(g *group) int64 { return int64(g.QuotaStats.Throttled) }),
	},
}

var queueFields = []Field{
	{
		Name: "V", Aliases: []string{"avg_vruntime"}, Object: OfQueue, Type: Number, Unit: Vtime,
		Meaning: "weighted average of the vruntimes: the point of zero lag", Rounding: "the average is rounded down",
		get: queueOf(func(_ *frame, q *queue) int64 { return int64(q.V) }),
	},
	{
		Name: "zero", Aliases: []string{"zero_vruntime", "min_vruntime"}, Object: OfQueue, Type: Number, Unit: Vtime,
		Meaning: "reference point of the sums",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.Zero) }),
	},
	{
		Name: "load", Object: OfQueue, Type: Number, Unit: Weight,
		Meaning: "weight of all queued entities",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.Load) }),
	},
	{
		Name: "nr_queued", Object: OfQueue, Type: Number,
		Meaning: "entities of this level, the current one included (nr_running in old kernels)",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.Nr) }),
	},
	{
		Name: "h_nr_queued", Object: OfQueue, Type: Number,
		Meaning: "tasks below, delayed ones included",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.HQueued) }),
	},
	{
		Name: "h_nr_runnable", Object: OfQueue, Type: Number,
		Meaning: "tasks below, delayed ones left out",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.HRunnable) }),
	},
	{
		Name: "h_nr_idle", Object: OfQueue, Type: Number,
		Meaning: "tasks below of idle policy or in idle groups",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.HIdle) }),
	},
	{
		Name: "sum", Aliases: []string{"sum_w_vruntime"}, Object: OfQueue, Type: Number,
		Meaning: "sum of weight * (vruntime - zero) of the tree",
		get:     queueOf(func(_ *frame, q *queue) int64 { return q.Sum }),
	},
	{
		Name: "sum_weight", Object: OfQueue, Type: Number,
		Meaning: "sum of the weights of the tree, as in sum",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.SumWeight) }),
	},
	{
		Name: "overflow", Object: OfQueue, Type: Bool,
		Meaning: "a product of a key and a weight has left 64 bits, now or before",
		get:     queueOf(func(_ *frame, q *queue) int64 { return truth(q.Overflow) }),
	},
	{
		Name: "min_slice", Object: OfQueue, Type: Number, Unit: Time,
		Meaning: "smallest slice; the largest number when empty",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.MinSlice) }),
	},
	{
		Name: "max_slice", Object: OfQueue, Type: Number, Unit: Time,
		Meaning: "largest slice",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.MaxSlice) }),
	},
	{
		Name: "spread", Object: OfQueue, Type: Number, Unit: Vlen,
		Meaning: "largest minus smallest vruntime of the queued entities",
		get:     queueOf(func(f *frame, q *queue) int64 { return spread(f, q) }),
	},
	{
		Name: "curr", Object: OfQueue, Type: Entity,
		Meaning: "current entity of this queue",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.Curr) }),
	},
	{
		Name: "next", Object: OfQueue, Type: Entity,
		Meaning: "next buddy of this queue",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.Next) }),
	},
	{
		Name: "load_avg", Object: OfQueue, Type: Number,
		Meaning: "PELT load",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.LoadAvg) }),
	},
	{
		Name: "runnable_avg", Object: OfQueue, Type: Number,
		Meaning: "PELT runnable average",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.RunnableAvg) }),
	},
	{
		Name: "util_avg", Object: OfQueue, Type: Number,
		Meaning: "PELT utilisation",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.UtilAvg) }),
	},
	{
		Name: "tg_load_avg_contrib", Object: OfQueue, Type: Number,
		Meaning: "part of the group's tg_load_avg",
		get:     queueOf(func(_ *frame, q *queue) int64 { return signed(q.TgContrib) }),
	},
	{
		Name: "runtime_remaining", Object: OfQueue, Type: Number, Unit: Time,
		Meaning: "run time drawn from the group's pool and not used; below 0 a debt",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.Remaining) }),
	},
	{
		Name: "throttled", Object: OfQueue, Type: Bool,
		Meaning: "its run time is used up: its group entity is off until a refill",
		get:     queueOf(func(_ *frame, q *queue) int64 { return truth(q.Throttled) }),
	},
	{
		Name: "throttle_count", Object: OfQueue, Type: Number,
		Meaning: "throttled queues from here up to the root; none of its tasks runs while there is one",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.ThrottleCount) }),
	},
	{
		Name: "turns_ended", Object: OfQueue, Type: Number,
		Meaning: "times that update_curr asked for a reschedule at this level",
		get:     queueOf(func(_ *frame, q *queue) int64 { return int64(q.TurnsEnded) }),
	},
}

var cpuFields = []Field{
	{
		Name: "curr", Object: OfCPU, Type: Entity,
		Meaning: "task that runs, idle if none",
		get:     cpuOf(func(f *frame, p *cpu) int64 { return entityID(f, p.Curr) }),
	},
	{
		Name: "pick", Object: OfCPU, Type: Entity,
		Meaning: "task that was picked last",
		get:     cpuOf(func(f *frame, p *cpu) int64 { return entityID(f, p.LastPick) }),
	},
	{
		Name: "nr_running", Object: OfCPU, Type: Number,
		Meaning: "runnable tasks of the CPU",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return int64(p.Nr) }),
	},
	{
		Name: "need_resched", Object: OfCPU, Type: Bool,
		Meaning: "a reschedule is asked for",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return truth(p.Resched) }),
	},
	{
		Name: "need_resched_lazy", Object: OfCPU, Type: Bool,
		Meaning: "the same, to be served at the next tick",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return truth(p.Lazy) }),
	},
	{
		Name: "higher", Object: OfCPU, Type: Bool,
		Meaning: "a task of a higher class runs",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return truth(p.Higher) }),
	},
	{
		Name: "clock", Object: OfCPU, Type: Number, Unit: Time,
		Meaning: "rq_clock at its last update",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return int64(p.Clock) }),
	},
	{
		Name: "clock_task", Object: OfCPU, Type: Number, Unit: Time,
		Meaning: "the same without interrupt time",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return int64(p.ClockTask) }),
	},
	{
		Name: "hrtick_at", Object: OfCPU, Type: Number, Unit: Time,
		Meaning: "when the slice timer fires, the largest number if it is not armed",
		get:     cpuOf(func(_ *frame, p *cpu) int64 { return int64(p.HrtickAt) }),
	},
}

var runFields = []Field{
	{
		Name: "now", Object: OfRun, Type: Number, Unit: Time,
		Meaning: "time since the start",
		get:     runOf(func(f *frame, _ *event) int64 { return int64(f.Now) }),
	},
	{
		Name: "base_slice", Object: OfRun, Type: Number, Unit: Time,
		Meaning: "base_slice_ns",
		get:     runOf(func(f *frame, _ *event) int64 { return signed(f.BaseSlice) }),
	},
	{
		Name: "preempt", Object: OfRun, Type: Word, words: preemptWords,
		Meaning: "preemption model",
		get:     runOf(func(f *frame, _ *event) int64 { return int64(f.Preempt) }),
	},
	{
		Name: "queued", Object: OfRun, Type: Number,
		Meaning: "runnable tasks of the CPU that has most of them, the one that runs included",
		get:     runOf(func(f *frame, _ *event) int64 { return mostRunnable(f) }),
	},
	{
		Name: "index", Object: OfRun, Type: Number,
		Meaning: "number of the event",
		get:     runOf(func(_ *frame, e *event) int64 { return int64(e.Index) }),
	},
	{
		Name: "ordinal", Object: OfRun, Type: Number,
		Meaning: "its number among the events of the same time",
		get:     runOf(func(_ *frame, e *event) int64 { return int64(e.Ordinal) }),
	},
	{
		Name: "event", Object: OfRun, Type: Word, words: eventWords,
		Meaning: "kind of the event",
		get:     runOf(func(_ *frame, e *event) int64 { return int64(e.Kind) }),
	},
	{
		Name: "event_cpu", Object: OfRun, Type: Number,
		Meaning: "CPU it happened on",
		get:     runOf(func(_ *frame, e *event) int64 { return int64(e.CPU) }),
	},
	{
		Name: "subject", Object: OfRun, Type: Entity,
		Meaning: "task it is about",
		get:     runOf(func(f *frame, e *event) int64 { return entityID(f, e.Task) }),
	},
	{
		Name: "waker", Object: OfRun, Type: Entity,
		Meaning: "task that woke or forked it, idle for a timer",
		get:     runOf(func(f *frame, e *event) int64 { return entityID(f, e.Waker) }),
	},
	{
		Name: "switched", Object: OfRun, Type: Bool,
		Meaning: "it changed the running task",
		get:     runOf(func(_ *frame, e *event) int64 { return truth(e.Switched()) }),
	},
}
