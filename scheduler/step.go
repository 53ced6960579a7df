package scheduler

// StepKind is the operation that a sub-step is.
type StepKind uint8

// The operations.
const (
	StepCharge   StepKind = iota // update_curr: vruntime advances
	StepDeadline                 // update_deadline: a new request
	StepResched                  // resched_curr, or why not
	StepLag                      // update_entity_lag, entity_lag
	StepWeight                   // reweight_entity
	StepShares                   // update_cfs_group
	StepPlace                    // place_entity
	StepEnqueue                  // enqueue_entity, requeue_delayed_entity
	StepDequeue                  // dequeue_entity
	StepCheck                    // wakeup_preempt_fair
	StepPick                     // pick_eevdf
	StepPut                      // put_prev_entity
	StepSet                      // set_next_entity
	StepProtect                  // set_protect_slice and relatives
	StepBuddy                    // set_next_buddy, clear_buddies
	StepYield                    // yield_task_fair
	StepTimer                    // hrtick
	StepQuota                    // CFS bandwidth
	StepEdit                     // a change from outside
	StepSelect                   // select_task_rq_fair
	StepBalance                  // sched_balance_rq
	numStepKinds
)

var stepNames = [numStepKinds]string{
	"charge", "deadline", "resched", "lag", "weight", "shares", "place", "enqueue", "dequeue",
	"check", "pick", "put", "set", "protect", "buddy", "yield", "timer", "quota", "edit", "select", "balance",
}

// String is the word for the operation in logs and JSON.
func (k StepKind) String() string { return stepNames[k] }

// Unit is the unit of an operand.
type Unit uint8

// The units.
const (
	UnitNone   Unit = iota // count, flag or index
	UnitTime               // ns of wall time
	UnitVtime              // a point in virtual time
	UnitVlen               // a signed length in virtual time, ns at nice 0
	UnitWeight             // scaled weight
	UnitLoad               // unscaled weight or PELT load
	UnitEntity             // an EntityID
)

// ArgName names an operand of a step.
type ArgName uint8

// The operands.
const (
	ArgDelta        ArgName = iota // wall time charged
	ArgVdelta                      // the same in virtual time
	ArgVruntimeFrom                // vruntime before
	ArgVruntimeTo                  // and after
	ArgDeadlineFrom
	ArgDeadlineTo
	ArgVprotFrom
	ArgVprotTo
	ArgSlice    // request length
	ArgVslice   // the same in virtual time
	ArgV        // avg_vruntime
	ArgLag      // signed lag as computed
	ArgLagTo    // as stored
	ArgLimit    // the bound of the lag
	ArgInflated // lag after inflation by (load+w)/load
	ArgLoad     // sum of weights it was inflated with
	ArgWeight   // weight of the entity
	ArgWeightFrom
	ArgWeightTo
	ArgShares   // tg.shares
	ArgTgLoad   // tg.load_avg
	ArgOwnLoad  // this queue's load in the formula
	ArgContrib  // what this queue published
	ArgMinSlice // smallest slice of the queue
	ArgRan      // run time since the pick
	ArgQuantum
	ArgWakeeSlice
	ArgRunnerSlice
	ArgWakeeDeadline
	ArgRunnerDeadline
	ArgVprot
	ArgVruntime
	ArgDeadline
	ArgNr      // entities on the queue
	ArgExpires // timer length
	ArgValue   // value of an edit
	ArgFrom    // former value of an edit
	ArgCPU
	ArgPrevCPU  // where a wakee ran last
	ArgThisCPU  // the waking CPU
	ArgThisLoad // WA_WEIGHT: left side of the comparison
	ArgPrevLoad // and right side
	ArgImbalance
	ArgQuota     // cpu.max: run time a period
	ArgPeriod    // and the period
	ArgPool      // what a group's queues may still draw
	ArgAmount    // run time drawn or returned
	ArgRemaining // run time that a queue has left; below 0 is a debt
	ArgWaited    // how long it was throttled
	numArgs
)

// NumArgs is the number of ArgName values.
const NumArgs = int(numArgs)

// Arg is one operand with its value. Vtime values are stored as int64 and read
// signed, which is how they are printed.
type Arg struct {
	Name  ArgName
	Value int64
}

var argTable = [numArgs]struct {
	name string
	unit Unit
}{
	ArgDelta:          {"delta", UnitTime},
	ArgVdelta:         {"vdelta", UnitVlen},
	ArgVruntimeFrom:   {"vruntime_from", UnitVtime},
	ArgVruntimeTo:     {"vruntime_to", UnitVtime},
	ArgDeadlineFrom:   {"deadline_from", UnitVtime},
	ArgDeadlineTo:     {"deadline_to", UnitVtime},
	ArgVprotFrom:      {"vprot_from", UnitVtime},
	ArgVprotTo:        {"vprot_to", UnitVtime},
	ArgSlice:          {"slice", UnitTime},
	ArgVslice:         {"vslice", UnitVlen},
	ArgV:              {"V", UnitVtime},
	ArgLag:            {"lag", UnitVlen},
	ArgLagTo:          {"lag_to", UnitVlen},
	ArgLimit:          {"limit", UnitVlen},
	ArgInflated:       {"inflated", UnitVlen},
	ArgLoad:           {"load", UnitLoad},
	ArgWeight:         {"weight", UnitLoad},
	ArgWeightFrom:     {"weight_from", UnitWeight},
	ArgWeightTo:       {"weight_to", UnitWeight},
	ArgShares:         {"shares", UnitWeight},
	ArgTgLoad:         {"tg_load", UnitLoad},
	ArgOwnLoad:        {"own_load", UnitLoad},
	ArgContrib:        {"contrib", UnitLoad},
	ArgMinSlice:       {"min_slice", UnitTime},
	ArgRan:            {"ran", UnitTime},
	ArgQuantum:        {"quantum", UnitTime},
	ArgWakeeSlice:     {"wakee_slice", UnitTime},
	ArgRunnerSlice:    {"runner_slice", UnitTime},
	ArgWakeeDeadline:  {"wakee_deadline", UnitVtime},
	ArgRunnerDeadline: {"runner_deadline", UnitVtime},
	ArgVprot:          {"vprot", UnitVtime},
	ArgVruntime:       {"vruntime", UnitVtime},
	ArgDeadline:       {"deadline", UnitVtime},
	ArgNr:             {"nr", UnitNone},
	ArgExpires:        {"expires", UnitTime},
	ArgValue:          {"value", UnitNone},
	ArgFrom:           {"from", UnitNone},
	ArgCPU:            {"cpu", UnitNone},
	ArgPrevCPU:        {"prev_cpu", UnitNone},
	ArgThisCPU:        {"this_cpu", UnitNone},
	ArgThisLoad:       {"this_load", UnitNone},
	ArgPrevLoad:       {"prev_load", UnitNone},
	ArgImbalance:      {"imbalance", UnitNone},
	ArgQuota:          {"quota", UnitTime},
	ArgPeriod:         {"period", UnitTime},
	ArgPool:           {"pool", UnitTime},
	ArgAmount:         {"amount", UnitTime},
	ArgRemaining:      {"remaining", UnitTime},
	ArgWaited:         {"waited", UnitTime},
}

// String is the operand's name in JSON.
func (a ArgName) String() string { return argTable[a].name }

// Unit is the operand's unit.
func (a ArgName) Unit() Unit { return argTable[a].unit }

// Fate says what became of a candidate in a pick.
type Fate uint8

// The fates.
const (
	FateChosen      Fate = iota
	FateNotEligible      // looked at, lag < 0
	FateLater            // eligible, but its deadline is not the earliest
	FatePruned           // never looked at: its subtree could not hold the answer
	FateDropped          // the runner: not eligible, so not a candidate
	FateNotAsked         // decided before it was looked at
)

// String is the fate's word in JSON.
func (f Fate) String() string {
	return [...]string{"chosen", "not-eligible", "later-deadline", "pruned", "dropped", "not-asked"}[f]
}

// Candidate is one entity that a pick could have chosen.
type Candidate struct {
	Entity    EntityID
	Curr      bool // the running entity, outside the tree
	Vruntime  Vtime
	Deadline  Vtime
	Slice     uint64
	Eligible  bool
	Protected bool
	Visited   bool // the search looked at it
	Fate      Fate
}

// Step is one operation inside an event, recorded at the branch that decided.
type Step struct {
	Kind   StepKind
	Reason Reason
	CPU    int
	Queue  QueueID  // the queue it acted on; NoQueue if none
	Entity EntityID // the entity it is about
	Other  EntityID // the second party (runner in a check, chosen in a pick); NoEntity if none
	Args   []Arg
	// Candidates of a pick: the running entity first, then tree order.
	Candidates []Candidate
	// After is the machine's state when the step was done; nil in a Bare record.
	After *Frame
}

// Arg finds an operand; ok is false if the step does not carry it.
func (s *Step) Arg(name ArgName) (value int64, ok bool) {
	for _, a := range s.Args {
		if a.Name == name {
			return a.Value, true
		}
	}
	return 0, false
}

// Recorder collects the steps of one event.
type Recorder struct {
	Steps []Step
	// Bare leaves After out of the steps: far cheaper, for who compares decisions.
	Bare bool
}
