package scheduler

// rules is the behaviour of a kernel version that no feature covers. Functions
// are named after the rule, not after the version; variants stand side by side.
type rules struct {
	// Virtual time and the tree.
	fullWeight    bool      // W is the full weight (7.1+), else the unscaled one
	exactEligible bool      // eligibility in 128 bits (7.1+), else wrapping
	reference     reference // how the reference point moves
	byVruntime    bool      // the tree is ordered by vruntime (6.6, 6.7)
	keepsMinSlice bool      // the tree keeps a smallest slice (6.12+)
	keepsMaxSlice bool      // the tree keeps a largest slice (7.0+)
	calcDelta     func(d uint64, e *entity) uint64
	divide        func(a, b int64) int64

	// Lag, placement, delayed dequeue.
	placeZeroLag     bool // placement inflates and divides a zero lag too (up to 6.12.y)
	restoresDeadline bool // a relative deadline counts without PLACE_REL_DEADLINE (6.13 to 7.0)
	shiftsZero       bool // placing a heavy entity moves the reference point (7.1+)
	lagAtDelay       bool // the lag is stored when an entity becomes delayed (7.1+)
	countsDelayed    bool // delayed tasks are not counted as runnable (6.12.y+)
	delayKeepsMarks  bool // becoming delayed withdraws the buddy mark of one level only (6.12)
	slicesFromBelow  bool // a group entity takes the smallest slice below it (6.12+)
	losesSlices      bool // and passes a wrong or unrefreshed one upward (6.12)
	lagLimit         func(m *Machine, q *FairQueue, e *entity) uint64
	storeLag         func(m *Machine, q *FairQueue, e *entity) bool
	finishDelayed    func(m *Machine, q *FairQueue, e *entity)
	requeue          func(m *Machine, q *FairQueue, e *entity)

	// Weights and load averages.
	boundedSums      bool // PELT sums are bounded in their own width (7.0+)
	runnableSum32    bool // propagation cuts the runnable sum to 32 bits
	countsRunnable   bool // balancing counts tasks without delayed ones (6.14+)
	keepsEmptyWeight bool // an emptied group keeps its weight (6.12.y+)
	rewritesWeight   bool // a group's weight is written even if it is the same (6.6)
	limitsTgLoad     bool // a queue publishes its load once per ms (6.7+)
	scaledInitUtil   bool // a new task's utilisation uses the scaled weight (up to 6.9)
	writesIdleWeight bool // the idle policy's weight is written without a reweight (up to 6.10)
	currKeepsMin     bool // reweighting the current entity leaves min_vruntime (6.7)
	scalesProtection bool // reweight scales what is left of the protected slice (7.0)
	reweight         func(m *Machine, q *FairQueue, e *entity, weight uint64)

	// The turn of the running entity.
	vprotInVlag   bool // vprot is stored in vlag (6.17 to 6.19)
	protectAtPick bool // only a real pick protects the slice (7.0+)
	lazyModel     bool // there is a lazy preemption model (6.13+)
	fullHrtick    bool // the slice timer sets the full flag (7.1+)
	rearmsHrtick  bool // every enqueue and dequeue starts the slice timer anew (up to 7.0)
	rearmsAtPick  bool // and so does a pick that keeps the running task (up to 6.9)
	chargesParent bool // a fork charges the parent and is placed twice (up to 6.11)
	protect       func(m *Machine, q *FairQueue, e *entity)
	protected     func(e *entity) bool
	cancelProtect func(m *Machine, q *FairQueue, e *entity)
	endCharge     func(m *Machine, q *FairQueue, e *entity, ended bool)
	yield         func(m *Machine, q *FairQueue, e *entity)
	hrtickLength  func(m *Machine, e *entity) int64

	// Picks, wakeup checks, switches.
	buddyFeature       Feature // which feature lets a pick take a buddy
	nominatesDelayed   bool    // NEXT_BUDDY nominates delayed wakees too (6.12)
	idleKeepsToken     bool    // an idle runner that gives way keeps its protection (6.12)
	cancelsNextOfShort bool    // a short wakee clears the runner's buddy marks (7.1+)
	pick               func(m *Machine, q *FairQueue, how pickMode) EntityID
	pickNext           func(m *Machine, q *FairQueue, how pickMode) EntityID
	pickAtCheck        func(m *Machine, q *FairQueue, how pickMode) EntityID
	checkPreempt       func(m *Machine, cpu int32, p *task, flags WakeFlags)
	setFromIdle        func(m *Machine, p *task)
	switchEntities     func(m *Machine, prev, next *entity)
}

// with is a copy of the rules with some of them changed: a version described by
// its difference to a neighbour.
func (r rules) with(change func(r *rules)) rules {
	change(&r)
	return r
}

// rules612y are the rules of 6.12.117: SPEC-6.12.
var rules612y = rules{
	keepsMinSlice:    true,
	countsDelayed:    true,
	slicesFromBelow:  true,
	keepsEmptyWeight: true,
	limitsTgLoad:     true,
	rearmsHrtick:     true,
	placeZeroLag:     true,
	buddyFeature:     PickBuddy,
	calcDelta:        calcDeltaInverse,
	divide:           div32,
	lagLimit:         limitByOwnSlice,
	storeLag:         storeLagPlain,
	finishDelayed:    zeroPositiveLag,
	requeue:          requeuePositiveLag,
	reweight:         rescaleAroundV,
	protect:          protectByToken,
	protected:        tokenHolds,
	cancelProtect:    cancelToken,
	endCharge:        reschedUnprotectedIneligible,
	yield:            forfeitAndRenew,
	pick:             pickTokenFirst,
	pickNext:         pickNextBuddyFirst,
	pickAtCheck:      pickOnce,
	checkPreempt:     checkPreemptByPick,
	setFromIdle:      setBottomUp,
	switchEntities:   switchInterleaved,
	hrtickLength:     sliceLeft,
}

// The rules before 6.12.y, each by its difference to the next: SPEC-6.6-6.12.0
// section 2.
var (
	rules612 = rules612y.with(func(r *rules) {
		r.reference = referenceMin
		r.countsDelayed = false
		r.delayKeepsMarks = true
		r.losesSlices = true
		r.keepsEmptyWeight = false
		r.runnableSum32 = true
		r.buddyFeature = NextBuddy
		r.nominatesDelayed = true
		r.idleKeepsToken = true
		r.yield = postponeDeadline
	})
	rules69 = rules612.with(func(r *rules) {
		r.keepsMinSlice = false
		r.slicesFromBelow = false
		r.losesSlices = false
		r.delayKeepsMarks = false
		r.scaledInitUtil = true
		r.writesIdleWeight = true
		r.rearmsAtPick = true
		r.chargesParent = true
		r.endCharge = reschedAtRequestEnd
		r.checkPreempt = checkPreemptByTask
		r.setFromIdle = setTopDown
	})
	rules68 = rules69.with(func(r *rules) {
		r.reweight = rescaleAroundRest
	})
	rules67 = rules68.with(func(r *rules) {
		r.byVruntime = true
		r.currKeepsMin = true
		r.pick = pickByHeap
	})
	rules66 = rules67.with(func(r *rules) {
		r.rewritesWeight = true
		r.limitsTgLoad = false
		r.reweight = rescaleInPlace
	})
)

// rules72 are the rules of 7.2: SPEC-7x.
var rules72 = rules{
	fullWeight:         true,
	exactEligible:      true,
	keepsMinSlice:      true,
	keepsMaxSlice:      true,
	countsDelayed:      true,
	slicesFromBelow:    true,
	keepsEmptyWeight:   true,
	limitsTgLoad:       true,
	boundedSums:        true,
	runnableSum32:      true,
	countsRunnable:     true,
	shiftsZero:         true,
	lagAtDelay:         true,
	protectAtPick:      true,
	lazyModel:          true,
	fullHrtick:         true,
	cancelsNextOfShort: true,
	buddyFeature:       PickBuddy,
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
	yield:              forfeitAndRenew,
	pick:               pickBuddyIfProtected,
	pickNext:           pickNextOrDequeue,
	pickAtCheck:        pickAwake,
	checkPreempt:       checkPreemptByClass,
	setFromIdle:        setBottomUp,
	switchEntities:     switchPutsFirst,
	hrtickLength:       deadlineLeft,
}

// The rules before 7.2, each by its difference to the next: SPEC-7x.
var (
	rules71 = rules72.with(func(r *rules) {
		r.switchEntities = switchInterleaved
	})
	rules70 = rules71.with(func(r *rules) {
		r.fullWeight = false
		r.exactEligible = false
		r.calcDelta = calcDeltaInverse
		r.divide = div32
		r.restoresDeadline = true
		r.shiftsZero = false
		r.lagAtDelay = false
		r.fullHrtick = false
		r.rearmsHrtick = true
		r.cancelsNextOfShort = false
		r.scalesProtection = true
		r.storeLag = storeLagPlain
		r.finishDelayed = zeroPositiveLag
		r.requeue = requeuePositiveLag
		r.reweight = scaleAndPlace
		r.hrtickLength = sliceLeft
		r.pick = pickBuddyFirst
		r.pickAtCheck = pickOnce
	})
	rules619 = rules70.with(func(r *rules) {
		r.reference = referenceTree
		r.keepsMaxSlice = false
		r.boundedSums = false
		r.protectAtPick = false
		r.scalesProtection = false
		r.vprotInVlag = true
		r.lagLimit = limitByOwnSlice
		r.protected = vlagAhead
		r.yield = forfeitRequest
	})
	rules617 = rules619.with(func(r *rules) {
		r.reference = referenceMin
		r.yield = postponeDeadline
		r.pick = pickProtectedFirst
		r.pickNext = pickNextBuddyFirst
		r.checkPreempt = checkPreemptByShort
	})
)
