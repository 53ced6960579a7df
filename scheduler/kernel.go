package scheduler

// FeatureDefault is a feature of a profile with its default.
type FeatureDefault struct {
	Feature Feature
	On      bool
}

// Profile is one kernel version: its features, its names and, in rules, the
// behaviour that no feature covers.
type Profile struct {
	// Name is what users type: "7.2".
	Name string
	// Release is the exact release described.
	Release string
	// Summary is what the profile means, in one line.
	Summary string
	// NBase is the normalised base slice, ns.
	NBase uint64
	// Features in the order in which the kernel's features file prints them.
	Features []FeatureDefault
	// Proposals that can be switched on top of this profile.
	Proposals []FeatureDefault
	// ZeroName and NrName are the kernel's names of FairQueue.Zero and Nr.
	ZeroName, NrName string
	// HasVprot: the protected slice has its own end (6.17+); else it is the
	// whole request, marked by vlag == deadline.
	HasVprot bool

	rules *rules
}

// Profiles lists the kernel versions, oldest first.
func Profiles() []*Profile { return []*Profile{&profile612y, &profile72} }

// ProfileByName finds a profile by Name.
func ProfileByName(name string) (*Profile, bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Defaults is the set of features that are on by default.
func (p *Profile) Defaults() Features {
	var s Features
	for _, list := range [][]FeatureDefault{p.Features, p.Proposals} {
		for _, d := range list {
			s = s.With(d.Feature, d.On)
		}
	}
	return s
}

// Knows tells whether the profile has the feature, as its own or as a proposal.
func (p *Profile) Knows(f Feature) bool {
	for _, list := range [][]FeatureDefault{p.Features, p.Proposals} {
		for _, d := range list {
			if d.Feature == f {
				return true
			}
		}
	}
	return false
}

// proposals is the list of switches that every profile so far offers; the ones
// that describe present behaviour are on.
var proposals = []FeatureDefault{
	{RunToParityWakeup, false},
	{EnforceEligibility, true},
	{LagClamp, true},
	{RespectSlice, false},
	{SchedQuanta, false},
	{NrTestBase, false},
	{NrTestRoot, false},
	{NrTestV1, false},
	{SisCurrent, false},
}

var profile612y = Profile{
	Name:     "6.12.y",
	Release:  "6.12.117",
	Summary:  "late 6.12 stable, what distributions run",
	NBase:    700_000,
	ZeroName: "zero_vruntime",
	NrName:   "nr_running",
	rules:    &rules612y,
	Features: []FeatureDefault{
		{PlaceLag, true},
		{PlaceDeadlineInitial, true},
		{PlaceRelDeadline, true},
		{RunToParity, true},
		{PreemptShort, true},
		{NextBuddy, false},
		{PickBuddy, true},
		{CacheHotBuddy, true},
		{DelayDequeue, true},
		{DelayZero, true},
		{WakeupPreemption, true},
		{Hrtick, false},
		{HrtickDL, false},
		{DoubleTick, false},
		{NontaskCapacity, true},
		{TtwuQueue, true},
		{SisUtil, true},
		{WarnDoubleClock, false},
		{RtPushIPI, false},
		{RtRuntimeShare, false},
		{LbMin, false},
		{AttachAgeLoad, true},
		{WaIdle, true},
		{WaWeight, true},
		{WaBias, true},
		{UtilEst, true},
		{LatencyWarn, false},
		{NiRandom, true},
	},
	Proposals: proposals,
}

var profile72 = Profile{
	Name:     "7.2",
	Release:  "7.2",
	Summary:  "current: protected slice, lag bounded by the longest slice, full weights",
	NBase:    700_000,
	ZeroName: "zero_vruntime",
	NrName:   "nr_queued",
	HasVprot: true,
	rules:    &rules72,
	Features: []FeatureDefault{
		{PlaceLag, true},
		{PlaceDeadlineInitial, true},
		{PlaceRelDeadline, true},
		{RunToParity, true},
		{PreemptShort, true},
		{NextBuddy, false},
		{PickBuddy, true},
		{CacheHotBuddy, true},
		{DelayDequeue, true},
		{DelayZero, true},
		{ParanoidAvg, false},
		{WakeupPreemption, true},
		{Hrtick, false},
		{HrtickDL, false},
		{NontaskCapacity, true},
		{TtwuQueue, true},
		{SisUtil, true},
		{WarnDoubleClock, false},
		{RtPushIPI, false},
		{RtRuntimeShare, false},
		{LbMin, false},
		{AttachAgeLoad, true},
		{WaIdle, true},
		{WaWeight, true},
		{WaBias, true},
		{UtilEst, true},
		{LatencyWarn, false},
		{NiRandom, true},
		{NiRate, true},
	},
	Proposals: proposals,
}
