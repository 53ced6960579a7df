package scheduler

// rules is the behaviour of a kernel version that no feature covers. Functions
// are named after the rule, not after the version.
type rules struct {
	fullWeight         bool // W is the full weight (7.1+), else the unscaled one
	exactEligible      bool // eligibility in 128 bits (7.1+), else wrapping
	keepsMaxSlice      bool // the tree keeps a largest slice (7.0+)
	boundedSums        bool // PELT sums are bounded in their own width (7.0+)
	runnableSum32      bool // propagation cuts the runnable sum to 32 bits
	placeZeroLag       bool // placement inflates and divides a zero lag too (6.12)
	shiftsZero         bool // placing a heavy entity moves the reference point (7.1+)
	lagAtDelay         bool // the lag is stored when an entity becomes delayed (7.1+)
	countsRunnable     bool // balancing counts tasks without delayed ones (6.14+)
	rearmsHrtick       bool // every enqueue and dequeue starts the slice timer anew (up to 7.0)
	protectAtPick      bool // only a real pick protects the slice (7.0+)
	cancelsNextOfShort bool // a short wakee clears the runner's buddy marks (7.1+)

	calcDelta      func(d uint64, e *entity) uint64
	divide         func(a, b int64) int64
	lagLimit       func(m *Machine, q *FairQueue, e *entity) uint64
	storeLag       func(m *Machine, q *FairQueue, e *entity) bool
	finishDelayed  func(m *Machine, q *FairQueue, e *entity)
	requeue        func(m *Machine, q *FairQueue, e *entity)
	reweight       func(m *Machine, q *FairQueue, e *entity, weight uint64)
	protect        func(m *Machine, q *FairQueue, e *entity)
	protected      func(e *entity) bool
	cancelProtect  func(m *Machine, q *FairQueue, e *entity)
	endCharge      func(m *Machine, q *FairQueue, e *entity, ended bool)
	pick           func(m *Machine, q *FairQueue, how pickMode) EntityID
	pickNext       func(m *Machine, q *FairQueue, how pickMode) EntityID
	checkPreempt   func(m *Machine, cpu int32, p *task, flags WakeFlags)
	switchEntities func(m *Machine, prev, next *entity)
	hrtickLength   func(m *Machine, e *entity) int64
}

// rules612y are the rules of 6.12.117: SPEC-6.12.
var rules612y = rules{
	rearmsHrtick:   true,
	placeZeroLag:   true,
	calcDelta:      calcDeltaInverse,
	divide:         div32,
	lagLimit:       limitByOwnSlice,
	storeLag:       storeLagPlain,
	finishDelayed:  zeroPositiveLag,
	requeue:        requeuePositiveLag,
	reweight:       rescaleAroundV,
	protect:        protectByToken,
	protected:      tokenHolds,
	cancelProtect:  cancelToken,
	endCharge:      reschedUnprotectedIneligible,
	pick:           pickTokenFirst,
	pickNext:       pickNextBuddyFirst,
	checkPreempt:   checkPreemptByPick,
	switchEntities: switchInterleaved,
	hrtickLength:   sliceLeft,
}

// rules72 are the rules of 7.2: SPEC-7x.
var rules72 = rules{
	fullWeight:         true,
	exactEligible:      true,
	keepsMaxSlice:      true,
	boundedSums:        true,
	runnableSum32:      true,
	countsRunnable:     true,
	shiftsZero:         true,
	lagAtDelay:         true,
	protectAtPick:      true,
	cancelsNextOfShort: true,
	calcDelta:          calcDeltaFull,
	divide:             div64,
	lagLimit:           limitByLongestSlice,
	storeLag:           storeLagNotLowered,
	finishDelayed:      func(*Machine, *FairQueue, *entity) {},
	requeue:            requeueMoved,
	reweight:           rescaleConservingLag,
	protect:            protectByVprot,
	protected:          vprotAhead,
	cancelProtect:      cancelVprot,
	endCharge:          reschedUnprotected,
	pick:               pickVprotFirst,
	pickNext:           pickNextOrDequeue,
	checkPreempt:       checkPreemptByClass,
	switchEntities:     switchPutsFirst,
	hrtickLength:       deadlineLeft,
}
