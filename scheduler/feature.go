package scheduler

import "strings"

// Feature is one switch of the scheduler: a sched_feat() of some kernel, or a
// proposal from a mailing list, which Info marks as such.
type Feature uint8

// The features, in the order of the newest profile's features.h, then those
// that only older kernels have, then the proposals.
const (
	PlaceLag Feature = iota
	PlaceDeadlineInitial
	PlaceRelDeadline
	RunToParity
	PreemptShort
	NextBuddy
	PickBuddy
	CacheHotBuddy
	DelayDequeue
	DelayZero
	ParanoidAvg
	WakeupPreemption
	Hrtick
	HrtickDL
	DoubleTick
	NontaskCapacity
	TtwuQueue
	SisProp
	SisUtil
	WarnDoubleClock
	RtPushIPI
	RtRuntimeShare
	LbMin
	AttachAgeLoad
	WaIdle
	WaWeight
	WaBias
	UtilEst
	UtilEstFastup
	HzBW
	LatencyWarn
	NiRandom
	NiRate

	// Proposals.
	RunToParityWakeup
	EnforceEligibility
	LagClamp
	RespectSlice
	SchedQuanta
	NrTestBase
	NrTestRoot
	NrTestV1
	SisCurrent
	SliceSet
	TickRepick
	ReweightResetsDeadline

	numFeatures
)

// NumFeatures is the number of Feature values.
const NumFeatures = int(numFeatures)

// Features is a set of switched-on features, one bit a Feature.
type Features uint64

// Has tells whether f is on.
func (s Features) Has(f Feature) bool { return s>>f&1 != 0 }

// With is s with f switched to on.
func (s Features) With(f Feature, on bool) Features {
	if on {
		return s | 1<<f
	}
	return s &^ (1 << f)
}

// FeatureInfo describes a feature for people.
type FeatureInfo struct {
	// Name in the kernel's style, e.g. RUN_TO_PARITY.
	Name string
	// Meaning in one line: what it does when on.
	Meaning string
	// Since and Until are the first and last kernel versions with it; "" is
	// before the first profile, or still there.
	Since, Until string
	// Proposal says where it was proposed; "" for a feature of a kernel.
	Proposal string
	// BetweenCPUs: it acts on a machine of several CPUs only.
	BetweenCPUs bool
	// Inert says why toggling changes nothing on any machine; "" if it changes
	// something.
	Inert string
}

const (
	inertDebug = "debugging aid, decides nothing"
	inertOther = "not about the fair class"
	inertDice  = "balancing takes no time here, so no pull is counted and no dice are thrown"
)

var featureTable = [numFeatures]FeatureInfo{
	PlaceLag:             {Name: "PLACE_LAG", Meaning: "a waking entity is placed with the lag it left with; off: everybody is placed at V"},
	PlaceDeadlineInitial: {Name: "PLACE_DEADLINE_INITIAL", Meaning: "a forked task's first slice is halved; up to 6.11 the placement that does so is made again without it"},
	PlaceRelDeadline:     {Name: "PLACE_REL_DEADLINE", Meaning: "a renice, attribute change or migration keeps the distance to the deadline", Since: "6.12"},
	RunToParity:          {Name: "RUN_TO_PARITY", Meaning: "the running entity is protected until its slice is used up"},
	PreemptShort:         {Name: "PREEMPT_SHORT", Meaning: "a wakee with a shorter slice may break the runner's protection", Since: "6.12"},
	NextBuddy:            {Name: "NEXT_BUDDY", Meaning: "a wakee is nominated to run next"},
	PickBuddy:            {Name: "PICK_BUDDY", Meaning: "the pick honours a nominated next buddy that is eligible; before it NEXT_BUDDY decided that too", Since: "6.14, 6.12.y"},
	CacheHotBuddy:        {Name: "CACHE_HOT_BUDDY", Meaning: "a buddy counts as cache hot for load balancing", BetweenCPUs: true},
	DelayDequeue:         {Name: "DELAY_DEQUEUE", Meaning: "a sleeper with negative lag stays queued until it has paid", Since: "6.12"},
	DelayZero:            {Name: "DELAY_ZERO", Meaning: "a delayed entity never leaves or wakes with positive lag", Since: "6.12"},
	ParanoidAvg:          {Name: "PARANOID_AVG", Meaning: "sums that would overflow are rescaled to smaller weights", Since: "7.1"},
	WakeupPreemption:     {Name: "WAKEUP_PREEMPTION", Meaning: "a wakeup may preempt the running task"},
	Hrtick:               {Name: "HRTICK", Meaning: "a timer ends the slice between ticks"},
	HrtickDL:             {Name: "HRTICK_DL", Meaning: "the same timer for the deadline class", Inert: inertOther},
	DoubleTick:           {Name: "DOUBLE_TICK", Meaning: "the periodic tick acts although the slice timer is active", Until: "6.12", Inert: "nothing follows its test any more"},
	NontaskCapacity:      {Name: "NONTASK_CAPACITY", Meaning: "interrupt and steal time reduce a CPU's capacity", Inert: "a CPU always has its whole capacity here"},
	TtwuQueue:            {Name: "TTWU_QUEUE", Meaning: "remote wakeups are queued to the target CPU by interrupt", BetweenCPUs: true},
	SisProp:              {Name: "SIS_PROP", Meaning: "the search for an idle CPU is limited in proportion to idle time", Until: "6.6", Inert: "the search is limited by SIS_UTIL only"},
	SisUtil:              {Name: "SIS_UTIL", Meaning: "the search for an idle CPU is limited by utilisation", BetweenCPUs: true},
	WarnDoubleClock:      {Name: "WARN_DOUBLE_CLOCK", Meaning: "warn when the clock is updated twice", Inert: inertDebug},
	RtPushIPI:            {Name: "RT_PUSH_IPI", Meaning: "real-time tasks are pushed by interrupt", Inert: inertOther},
	RtRuntimeShare:       {Name: "RT_RUNTIME_SHARE", Meaning: "CPUs lend each other real-time bandwidth", Inert: inertOther},
	LbMin:                {Name: "LB_MIN", Meaning: "load balancing ignores very light tasks", BetweenCPUs: true},
	AttachAgeLoad:        {Name: "ATTACH_AGE_LOAD", Meaning: "load is aged before an entity is attached elsewhere", Inert: "whoever is attached here is new or has been detached, so has no age"},
	WaIdle:               {Name: "WA_IDLE", Meaning: "a wakeup may go to the waking CPU because it is idle", BetweenCPUs: true},
	WaWeight:             {Name: "WA_WEIGHT", Meaning: "a wakeup compares the loads of two CPUs", BetweenCPUs: true},
	WaBias:               {Name: "WA_BIAS", Meaning: "bias in that comparison", BetweenCPUs: true},
	UtilEst:              {Name: "UTIL_EST", Meaning: "balancing counts what a sleeper will use when it is back, not only its decayed utilisation", BetweenCPUs: true},
	UtilEstFastup:        {Name: "UTIL_EST_FASTUP", Meaning: "the utilisation estimate rises at once", Until: "6.7", Inert: "the estimate always does here"},
	HzBW:                 {Name: "HZ_BW", Meaning: "a CPU with a limited group keeps its tick", Until: "6.11", Inert: "no tick is ever stopped while a task runs"},
	LatencyWarn:          {Name: "LATENCY_WARN", Meaning: "warn when need_resched stays set for long", Inert: inertDebug},
	NiRandom:             {Name: "NI_RANDOM", Meaning: "new-idle balancing is tried in proportion to its past success", Since: "6.19, 6.12.y", Inert: inertDice},
	NiRate:               {Name: "NI_RATE", Meaning: "new-idle balancing is rate limited", Since: "7.1", Inert: inertDice},

	RunToParityWakeup:  {Name: "RUN_TO_PARITY_WAKEUP", Meaning: "a protected runner is kept at a wakeup although it is not eligible", Proposal: "thread 001, March 2024 and July 2026"},
	EnforceEligibility: {Name: "ENFORCE_ELIGIBILITY", Meaning: "only entities with non-negative lag may be picked; off: everybody is eligible", Proposal: "October 2023; thread 001"},
	LagClamp:           {Name: "LAG_CLAMP", Meaning: "stored lag is bounded; off: it is kept as it is", Proposal: "switch for 147f3efaa241; thread 001"},
	RespectSlice:       {Name: "RESPECT_SLICE", Meaning: "an unfinished slice is kept; RUN_TO_PARITY then relaxes it at the 0-lag point", Proposal: "thread 001, April 2024"},
	SchedQuanta:        {Name: "SCHED_QUANTA", Meaning: "base_slice is a quantum: only a full one of run time ends a turn", Proposal: "thread 003, January 2024"},
	NrTestBase:         {Name: "NR_TEST_BASE", Meaning: "no resched at a request's end if the CPU has one task (85e511df3cec)", Proposal: "thread 004, September 2024"},
	NrTestRoot:         {Name: "NR_TEST_ROOT", Meaning: "no resched at a request's end if the root queue has one entity", Proposal: "thread 004, September 2024"},
	SisCurrent:         {Name: "SIS_CURRENT", Meaning: "a short wakee whose partner is short too stays on the waking CPU", Proposal: "thread 002, April 2023; as described", BetweenCPUs: true},
	NrTestV1:           {Name: "NR_TEST_V1", Meaning: "a request's end counts only if that queue has more than one entity, inside update_deadline", Proposal: "thread 004, September 2024"},
	SliceSet:           {Name: "SLICE_SET", Meaning: "a runner that is not eligible stays a candidate by its deadline; part of RESPECT_SLICE", Proposal: "thread 001, April 2024"},

	TickRepick:             {Name: "TICK_REPICK", Meaning: "each tick asks for a reschedule if another would be picked, a request's end does not", Proposal: "before the fixlet of 20 April 2023; thread 000"},
	ReweightResetsDeadline: {Name: "REWEIGHT_RESETS_DEADLINE", Meaning: "a new weight begins a new request at the present vruntime", Proposal: "fixlet of 20 April 2023; thread 000"},
}

// Thread is a discussion on the kernel's mailing list that proposals name by number.
type Thread struct {
	Number  string // "001"
	Subject string
	Dates   string
}

// Threads lists the discussions in the order of their numbers.
func Threads() []Thread {
	return []Thread{
		{"000", "schbench and the first EEVDF", "April 2023"},
		{"001", "curbing wakeup preemption", "March 2024 and July 2026"},
		{"002", "SIS_CURRENT: wake short tasks on the current CPU", "April and May 2023"},
		{"003", "base_slice as an explicit time quantum", "January and February 2024"},
		{"004", "the nr_running test at the end of a request", "September 2024"},
	}
}

// Info describes f.
func (f Feature) Info() FeatureInfo { return featureTable[f] }

// onlyBetween is the remark on a feature that acts between CPUs.
const onlyBetween = "acts between CPUs only"

// InertOn says why toggling f changes nothing on a machine of that many CPUs; ""
// if it changes something.
func (f Feature) InertOn(cpus int) string {
	if f.Info().BetweenCPUs && cpus == 1 {
		return onlyBetween
	}
	return f.Info().Inert
}

// Remark is what there is to say about f beside its meaning: where it was
// proposed, whether it acts between CPUs only, or why it has no effect.
func (f Feature) Remark() string {
	info, remarks := f.Info(), []string(nil)
	if info.Proposal != "" {
		remarks = append(remarks, "proposal: "+info.Proposal)
	}
	if info.BetweenCPUs {
		remarks = append(remarks, onlyBetween)
	}
	if info.Inert != "" {
		remarks = append(remarks, "no effect: "+info.Inert)
	}
	return strings.Join(remarks, "; ")
}

// String is the feature's name in the kernel's style.
func (f Feature) String() string { return featureTable[f].Name }

// FeatureByName finds a feature; the name is in upper case, without NO_.
func FeatureByName(name string) (Feature, bool) {
	for f := range featureTable {
		if featureTable[f].Name == name {
			return Feature(f), true
		}
	}
	return 0, false
}

// FeatureSetting switches one feature, as writing NAME or NO_NAME to the
// kernel's features file does.
type FeatureSetting struct {
	Feature Feature
	On      bool
}

// String prints the setting in the kernel's syntax.
func (s FeatureSetting) String() string {
	if s.On {
		return s.Feature.String()
	}
	return "NO_" + s.Feature.String()
}

// ParseFeature reads NAME or NO_NAME; ok is false for an unknown name. Whether a
// kernel has the feature is for Profile.Knows to say.
func ParseFeature(text string) (setting FeatureSetting, ok bool) {
	if f, found := FeatureByName(text); found {
		return FeatureSetting{f, true}, true
	}
	if rest, cut := strings.CutPrefix(text, "NO_"); cut {
		if f, found := FeatureByName(rest); found {
			return FeatureSetting{f, false}, true
		}
	}
	return FeatureSetting{}, false
}
