package scheduler

// column is a profile's place in the tables of defaults.
type column int

const (
	column66 column = iota
	column67
	column68
	column69
	column612
	column612y
	column617
	column619
	column70
	column71
	column72
)

// featureRow is a feature with its default in each profile, oldest first: t on,
// f off, - absent.
type featureRow struct {
	feature  Feature
	defaults string
}

// defaultsOf reads a column of a table.
func defaultsOf(rows []featureRow, c column) []FeatureDefault {
	var list []FeatureDefault
	for _, r := range rows {
		if d := r.defaults[c]; d != '-' {
			list = append(list, FeatureDefault{r.feature, d == 't'})
		}
	}
	return list
}

// kernelFeatures is each profile's features file, in its order (SPEC-7x section
// 15).
var kernelFeatures = []featureRow{
	{PlaceLag, "ttttttttttt"},
	{PlaceDeadlineInitial, "ttttttttttt"},
	{PlaceRelDeadline, "----ttttttt"},
	{RunToParity, "ttttttttttt"},
	{PreemptShort, "----ttttttt"},
	{NextBuddy, "fffffffffff"},
	{PickBuddy, "-----tttttt"},
	{CacheHotBuddy, "ttttttttttt"},
	{DelayDequeue, "----ttttttt"},
	{DelayZero, "----ttttttt"},
	{ParanoidAvg, "---------ff"},
	{WakeupPreemption, "ttttttttttt"},
	{Hrtick, "fffffffffff"},
	{HrtickDL, "fffffffffff"},
	{DoubleTick, "ffffff-----"},
	{NontaskCapacity, "ttttttttttt"},
	{TtwuQueue, "ttttttttttt"},
	{SisProp, "f----------"},
	{SisUtil, "ttttttttttt"},
	{WarnDoubleClock, "fffffffffff"},
	{RtPushIPI, "fffffffffff"},
	{RtRuntimeShare, "fffffffffff"},
	{LbMin, "fffffffffff"},
	{AttachAgeLoad, "ttttttttttt"},
	{WaIdle, "ttttttttttt"},
	{WaWeight, "ttttttttttt"},
	{WaBias, "ttttttttttt"},
	{UtilEst, "ttttttttttt"},
	{UtilEstFastup, "tt---------"},
	{HzBW, "tttt-------"},
	{LatencyWarn, "fffffffffff"},
	{NiRandom, "-----t-tttt"},
	{NiRate, "---------tt"},
}

// proposedFeatures are the proposals that make sense on each profile; the ones
// that describe present behaviour are on.
var proposedFeatures = []featureRow{
	{RunToParityWakeup, "fffffffffff"},
	{EnforceEligibility, "ttttttttttt"},
	{LagClamp, "ttttttttttt"},
	{RespectSlice, "--fffffffff"},
	{SliceSet, "--fffffffff"},
	{SchedQuanta, "fffffffffff"},
	{NrTestBase, "----fffffff"},
	{NrTestRoot, "----fffffff"},
	{NrTestV1, "----fffffff"},
	{TickRepick, "ffff-------"},
	{ReweightResetsDeadline, "ffff-------"},
	{SisCurrent, "fffffffffff"},
}
