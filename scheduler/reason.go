package scheduler

// Reason says which branch decided. It is a closed enumeration; views turn it
// into words with the Args recorded beside it.
type Reason uint8

// The reasons, by the operation that records them.
const (
	ReasonNone Reason = iota

	// Charge (update_curr).
	ReasonCharged          // ran, vruntime advanced
	ReasonRequestEnded     // asks for a reschedule: the request is used up
	ReasonUnprotected      // 6.17+: asks for a reschedule: protection is over
	ReasonUnprotectedInel  // 6.12: asks: neither protected nor eligible
	ReasonOnlyEntity       // alone on its queue: nobody to give way to
	ReasonKeepsRunning     // nothing ended
	ReasonQuantumUsed      // SCHED_QUANTA: a full quantum ran and another would be picked
	ReasonRanAgainstNobody // NR_TEST variants: suppressed
	ReasonTickRepicked     // TICK_REPICK: asks: the tick would pick another

	// Deadline (update_deadline).
	ReasonDeadlineReached // new request: new slice and deadline

	// Lag (update_entity_lag, reweight).
	ReasonLagKept       // V - v stored as it is
	ReasonLagClamped    // beyond the limit
	ReasonLagZeroed     // DELAY_ZERO: positive lag of a delayed entity dropped
	ReasonLagNotLowered // 7.1+: a delayed entity's lag only grows

	// Place (place_entity).
	ReasonPlacedAtV     // no lag to preserve
	ReasonPlacedOnEmpty // nobody there: lag is ignored
	ReasonPlacedWithLag // V - inflated lag
	ReasonFreshDeadline // v + slice/weight
	ReasonHalfDeadline  // PLACE_DEADLINE_INITIAL
	ReasonRelDeadline   // distance kept from before
	ReasonZeroShifted   // 7.1+: reference point moved towards a heavy entity

	// Enqueue, dequeue.
	ReasonEnqueued
	ReasonDequeued
	ReasonDelayedForNegativeLag // stays queued
	ReasonRequeuedAsIs          // wakes while delayed: goes on where it stands
	ReasonRequeuedPlaced        // wakes while delayed: placed again
	ReasonDelayedPicked         // a delayed entity was picked: really dequeued now
	ReasonSliceFromBelow        // a group entity takes the smallest slice below it

	// Weight (reweight_entity, set_load_weight).
	ReasonReweightedQueued
	ReasonReweightedOff
	ReasonShares // calc_group_shares
	ReasonTgLoad // update_tg_load_avg published a load

	// Check (wakeup_preempt_fair), exits in the order of the kernel's text.
	ReasonCheckSameTask
	ReasonCheckIdleCPU      // nobody runs: reschedule
	ReasonCheckHigherClass  // a higher class runs
	ReasonCheckThrottled    // the wakee's group has no run time left
	ReasonCheckPending      // need_resched already set
	ReasonCheckFeatureOff   // NO_WAKEUP_PREEMPTION
	ReasonCheckIdleGivesWay // an idle entity gives way to one that is not
	ReasonCheckIdleWakee    // an idle wakee never preempts one that is not
	ReasonCheckBatch        // the wakee's policy never preempts
	ReasonCheckForkDelayed  // 7.x: fork or still delayed: no preemption
	ReasonCheckSync         // 7.x NEXT_BUDDY with a sync wakeup: decided by time
	ReasonCheckShort        // shorter slice: the runner's protection is not asked
	ReasonCheckPicked       // the pick is the wakee: preempt
	ReasonCheckNotPicked    // the pick is another: the runner stays

	// Pick (pick_eevdf and its callers).
	ReasonPickOnly             // one entity on the queue
	ReasonPickBuddy            // next buddy, eligible
	ReasonPickProtected        // the runner's slice is protected
	ReasonPickProtectedNotElig // RUN_TO_PARITY_WAKEUP: protected although not eligible
	ReasonPickEarliest         // eligible entity with the earliest deadline, from the tree
	ReasonPickCurrEarlier      // the runner's deadline is strictly earlier
	ReasonPickCurrOnlyEligible // nobody in the tree is eligible
	ReasonPickNobody           // empty, or the wrapped arithmetic finds nobody
	ReasonPickIdle             // nothing queued: the CPU idles
	ReasonPickLeftmost         // 6.6, 6.7: nobody eligible, the smallest vruntime instead
	ReasonPickNullPointer      // nobody eligible: the kernel would crash here

	// Switch.
	ReasonPutPrev
	ReasonSetNext
	ReasonSameTask // picked again: neither put nor set

	// Protection.
	ReasonProtectDeadline  // until the deadline
	ReasonProtectMinSlice  // until the smallest slice of the queue
	ReasonProtectQuantum   // NO_RUN_TO_PARITY: until the normalised base slice
	ReasonProtectToken     // 6.12: vlag := deadline
	ReasonProtectCancelled // by a wakee or an idle runner
	ReasonProtectShortened // update_protect_slice after a check
	ReasonProtectKept      // the same, nothing changed

	// Buddies.
	ReasonBuddySet
	ReasonBuddyCleared

	// Yield.
	ReasonYieldForfeits   // eligible: vruntime := deadline
	ReasonYieldPostpones  // up to 6.18: the deadline moves by one request
	ReasonYieldIneligible // nothing changes
	ReasonYieldAlone

	// Timer.
	ReasonHrtickArmed
	ReasonHrtickLate // the slice is used up already: reschedule

	// Bandwidth of a group (cpu.max).
	ReasonQuotaDrawn    // a slice of the group's pool
	ReasonQuotaUsedUp   // asks: nothing left, the pool is empty
	ReasonQuotaReturned // an emptied queue gives its surplus back
	ReasonThrottled     // the group entity leaves its queue
	ReasonUnthrottled   // and comes back
	ReasonRefilled      // a period ends: the pool is filled up

	// Edits.
	ReasonFeatureSwitched
	ReasonNiceSet
	ReasonSliceSet
	ReasonPolicySet
	ReasonSharesSet
	ReasonGroupIdleSet
	ReasonQuotaSet
	ReasonBaseSliceSet
	ReasonGroupMoved
	ReasonPrioChecked // prio_changed_fair

	// Placement of a wakee (select_task_rq_fair), and of a new task.
	ReasonCPUPinned       // only one CPU is allowed
	ReasonCPUSisCurrent   // SIS_CURRENT: two short partners share a CPU
	ReasonAffineThisIdle  // WA_IDLE: the waking CPU is idle and shares the cache
	ReasonAffinePrevIdle  // WA_IDLE: the previous CPU is idle
	ReasonAffineSync      // WA_IDLE: the waker is alone and about to sleep
	ReasonAffineWeight    // WA_WEIGHT: the waking CPU would be less loaded
	ReasonAffineUndecided // neither: the previous CPU
	ReasonCPUTargetIdle   // the target is idle
	ReasonCPUPrevIdle     // the previous CPU is idle and shares the cache
	ReasonCPURecent       // the CPU used before that is idle
	ReasonCPUSibling      // a thread of the previous core is idle
	ReasonCPUIdleCore     // a wholly idle core
	ReasonCPUIdleFound    // an idle CPU of the cache
	ReasonScanLimit       // SIS_UTIL: the search was cut short
	ReasonCPUNoIdle       // nobody idle: the target
	ReasonCPUForkIdlest   // the slow path: least busy group and CPU
	ReasonQueuedRemote    // TTWU_QUEUE: sent to the target CPU by interrupt
	ReasonMigrated        // moved to another CPU

	// Balancing.
	ReasonBalanced       // nothing to pull
	ReasonPulled         // tasks were pulled
	ReasonPullRefused    // an imbalance, but nobody may move
	ReasonActiveBalance  // the running task is pushed
	ReasonNewidleSkipped // a pull is not worth it

	numReasons
)

// NumReasons is the number of Reason values.
const NumReasons = int(numReasons)
