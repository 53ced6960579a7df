package scheduler

// Time is a moment or a length in ns of wall time (rq_clock or rq_clock_task).
// Simulations start at 0.
type Time int64

// Common lengths of wall time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
)

// NoTime marks a moment that never comes.
const NoTime Time = 1<<63 - 1

// Vtime is a point in virtual time: ns at nice 0, modulo 2^64. Queues start at
// 2^64 - 2^20, that is -1.048576 ms.
type Vtime uint64

// Before tells whether a lies before b on the wrapping axis: s64(a-b) < 0.
func (a Vtime) Before(b Vtime) bool { return int64(a-b) < 0 }

// Sub is the signed distance a-b in ns of virtual time.
func (a Vtime) Sub(b Vtime) int64 { return int64(a - b) }

// Add moves a by the signed distance d.
func (a Vtime) Add(d int64) Vtime { return a + Vtime(d) }

func minVtime(a, b Vtime) Vtime {
	if b.Before(a) {
		return b
	}
	return a
}

// EntityID names a sched_entity of a Machine: an index, stable for the whole run.
type EntityID int32

// QueueID names a cfs_rq: group*CPUs + cpu. Queue ids below the number of CPUs
// are root queues.
type QueueID int32

// TaskID names a task, in order of creation (for a simulation: file order).
type TaskID int32

// GroupID names a task_group; 0 is the root group.
type GroupID int32

// Absent ids.
const (
	NoEntity EntityID = -1
	NoQueue  QueueID  = -1
	NoTask   TaskID   = -1
	NoGroup  GroupID  = -1
)

// RootGroup is the task_group that every CPU's root queue belongs to.
const RootGroup GroupID = 0

// Weights (SPEC-6.12 section 1.1). Load.Weight fields are scaled by 1024.
const (
	fixedShift       = 10
	NiceZeroLoad     = 1 << 20 // NICE_0_LOAD, scaled weight of nice 0
	MinNice          = -20
	MaxNice          = 19
	MinShares        = 2 << fixedShift         // smallest tg.shares, scaled
	MaxShares        = (1 << 18) << fixedShift // largest tg.shares, scaled
	idleGroupShares  = 3 << fixedShift
	MinCustomSlice   = 100_000           // ns, smallest sched_runtime of a fair task
	MaxCustomSlice   = 100_000_000       // ns, largest sched_runtime of a fair task
	initialVtime     = ^Vtime(1<<20 - 1) // u64(-2^20)
	defaultMigration = 500_000           // sysctl_sched_migration_cost, ns
	hrtickMin        = 10_000            // ns
	noSlice          = ^uint64(0)        // min_slice of an empty queue
)

// niceWeight is sched_prio_to_weight: unscaled weight of nice -20 ... 19.
var niceWeight = [40]uint32{
	88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
	9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
	1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
	110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
}

// niceInverse is sched_prio_to_wmult: 2^32/weight, rounded, of nice -20 ... 19.
var niceInverse = [40]uint32{
	48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437,
	449829, 563644, 704093, 875809, 1099582, 1376151, 1717300, 2157191, 2708050, 3363326,
	4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321, 19976592, 24970740, 31350126,
	39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153,
}

// The weight of a SCHED_IDLE task, whatever its nice.
const (
	idleWeight  = 3
	idleInverse = 1431655765
)

// NiceLoad is the scaled load.weight of a task with that nice (-20...19) and
// policy (set_load_weight, SPEC-6.12 section 1.1).
func NiceLoad(nice int, policy Policy) uint64 {
	if policy == PolicyIdle {
		return idleWeight << fixedShift
	}
	return uint64(niceWeight[nice-MinNice]) << fixedShift
}

// SharesOfWeight converts cgroup v2 cpu.weight (1...10000) to scaled tg.shares
// (SPEC-6.12 section 1.4).
func SharesOfWeight(weight uint64) uint64 {
	return (weight*1024 + 50) / 100 << fixedShift
}

// WeightOfShares is what reading cpu.weight returns for scaled tg.shares
// (SPEC-6.12 section 1.4).
func WeightOfShares(shares uint64) uint64 {
	return min(max((down(shares)*100+512)/1024, 1), 10000)
}

// down is scale_load_down: the unscaled weight, 0 or at least 2.
func down(w uint64) uint64 {
	if w == 0 {
		return 0
	}
	return max(2, w>>fixedShift)
}

// TickLength is TICK_NSEC of a HZ: floor((10^9 + HZ/2)/HZ) ns.
func TickLength(hz int) Time {
	return (Second + Time(hz)/2) / Time(hz)
}

// ScaledBaseSlice is base_slice_ns for a normalised slice on that many online
// CPUs with logarithmic scaling, the kernel's default (SPEC-6.12 section 14).
func ScaledBaseSlice(normalised uint64, cpus int) uint64 {
	factor := uint64(1)
	for n := min(cpus, 8); n > 1; n >>= 1 {
		factor++
	}
	return normalised * factor
}
