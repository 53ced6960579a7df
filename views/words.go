package views

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// reasonWords says each Reason in words. {e} and {o} are the step's entity and
// its other party, {name} an operand by its JSON name, {+name} the same with a
// sign. A part in [brackets] is left out if one of its operands is missing.
var reasonWords = [scheduler.NumReasons]string{
	scheduler.ReasonNone: "done",

	scheduler.ReasonCharged:          "{e} ran[ {delta}][: v {vruntime_from} {+vdelta} = {vruntime_to}]",
	scheduler.ReasonRequestEnded:     "{e} used up its request[, its new deadline is {deadline}]: asks for a reschedule",
	scheduler.ReasonUnprotected:      "{e} is no longer protected[: v {vruntime} has reached vprot {vprot}]: asks for a reschedule",
	scheduler.ReasonUnprotectedInel:  "{e} is neither protected nor eligible[, v {vruntime} > V {V}]: asks for a reschedule",
	scheduler.ReasonOnlyEntity:       "{e} is alone on its queue: nobody to give way to",
	scheduler.ReasonKeepsRunning:     "{e} goes on[: it has not reached vprot {vprot}][: it has not reached its deadline {deadline}]",
	scheduler.ReasonQuantumUsed:      "{e} ran a full quantum[: {ran} of {quantum}] and another would be picked: asks for a reschedule",
	scheduler.ReasonTickRepicked:     "the tick would pick another than {e}: reschedule",
	scheduler.ReasonRanAgainstNobody: "{e} has nobody to give way to[: nr {nr}]: no reschedule",

	scheduler.ReasonDeadlineReached: "{e} reached its deadline[ {deadline_from}]: new request[, deadline v + {vslice} = {deadline_to}]",

	scheduler.ReasonLagKept:       "lag of {e} is kept[: V {V} - v {vruntime} = {lag}][, within +-{limit}]",
	scheduler.ReasonLagClamped:    "lag of {e} is clamped[: {lag} -> {lag_to}][, the limit is {limit}]",
	scheduler.ReasonLagZeroed:     "positive lag of {e}[ {lag}] is dropped: it was delayed",
	scheduler.ReasonLagNotLowered: "lag of {e} stays[ {lag_to}, {lag} is lower]: a delayed entity's lag only grows",

	scheduler.ReasonPlacedAtV:     "{e} is placed at V[ {V}]: no lag to preserve",
	scheduler.ReasonPlacedOnEmpty: "{e} is placed at V[ {V}]: nobody else there, its lag does not count",
	scheduler.ReasonPlacedWithLag: "{e} keeps its lag[ {lag}][, inflated by (W+w)/W to {inflated}][, v = V {V} - {inflated} = {vruntime_to}]",
	scheduler.ReasonFreshDeadline: "{e} gets a deadline[: v {vruntime} + {vslice} = {deadline_to}]",
	scheduler.ReasonHalfDeadline:  "{e} is new: its first slice is halved[, deadline {deadline_to}]",
	scheduler.ReasonRelDeadline:   "{e} keeps its distance to the deadline[, now {deadline_to}]",
	scheduler.ReasonZeroShifted:   "the reference point moves towards {e}, which is heavy[: by {inflated}]",

	scheduler.ReasonEnqueued:              "{e} is queued[, nr {nr}]",
	scheduler.ReasonDequeued:              "{e} leaves the queue[ with lag {lag}][, nr {nr}]",
	scheduler.ReasonDelayedForNegativeLag: "{e} sleeps but stays queued: it owes[ lag {lag}]",
	scheduler.ReasonRequeuedAsIs:          "{e} wakes while still queued and goes on where it stands",
	scheduler.ReasonRequeuedPlaced:        "{e} wakes while still queued and is placed again",
	scheduler.ReasonDelayedPicked:         "{e} was delayed and has become eligible: it leaves the queue now",
	scheduler.ReasonSliceFromBelow:        "{e} takes the smallest slice below it[: {slice}]",

	scheduler.ReasonReweightedQueued: "{e} is reweighted on the queue[: {weight_from} -> {weight_to}][, v {vruntime_from} -> {vruntime_to}]",
	scheduler.ReasonReweightedOff:    "{e} is reweighted off the queue[: {weight_from} -> {weight_to}][, lag {lag} -> {lag_to}]",
	scheduler.ReasonShares:           "weight of {e} by its share of the load[: {shares} * {own_load} / ({tg_load} - {contrib} + {own_load}) = {weight_to}]",
	scheduler.ReasonTgLoad:           "the queue of {e} publishes its load[: {contrib} -> {own_load}][, the group has {tg_load}]",

	scheduler.ReasonCheckSameTask:     "{e} is running already",
	scheduler.ReasonCheckIdleCPU:      "nobody runs: reschedule",
	scheduler.ReasonCheckHigherClass:  "a task of a higher class runs: no preemption",
	scheduler.ReasonCheckThrottled:    "the group of {e} has used up its quota: no preemption",
	scheduler.ReasonCheckPending:      "a reschedule is pending already: nothing to decide",
	scheduler.ReasonCheckFeatureOff:   "NO_WAKEUP_PREEMPTION: a wakeup never preempts",
	scheduler.ReasonCheckIdleGivesWay: "{o} is SCHED_IDLE and gives way to {e}",
	scheduler.ReasonCheckIdleWakee:    "{e} is SCHED_IDLE and never preempts {o}",
	scheduler.ReasonCheckBatch:        "the policy of {e} never preempts",
	scheduler.ReasonCheckForkDelayed:  "{e} is new or still delayed: no preemption",
	scheduler.ReasonCheckSync:         "sync wakeup: decided by the time {o} ran[: {ran}]",
	scheduler.ReasonCheckShort:        "{e} has a shorter slice[: {wakee_slice} < {runner_slice}]: the protection of {o} is not asked",
	scheduler.ReasonCheckPicked:       "the pick is {e}: it preempts {o}",
	scheduler.ReasonCheckNotPicked:    "the pick is not {e}: {o} stays",

	scheduler.ReasonPickOnly:             "{e} is the only entity on the queue",
	scheduler.ReasonPickBuddy:            "{e} is the next buddy and eligible: taken without a search",
	scheduler.ReasonPickProtected:        "{e} keeps running: eligible, and its slice is protected",
	scheduler.ReasonPickProtectedNotElig: "{e} keeps running: not eligible, but its slice is protected",
	scheduler.ReasonPickEarliest:         "{e} is eligible and has the earliest deadline",
	scheduler.ReasonPickCurrEarlier:      "{e} keeps running: its deadline is the earliest",
	scheduler.ReasonPickCurrOnlyEligible: "{e} keeps running: nobody waiting is eligible",
	scheduler.ReasonPickNobody:           "nobody can be picked",
	scheduler.ReasonPickLeftmost:         "nobody is eligible: {e} has the smallest vruntime",
	scheduler.ReasonPickNullPointer:      "nobody is eligible of {nr}: the kernel reads through a null pointer and crashes",
	scheduler.ReasonPickIdle:             "nothing is queued: the CPU idles",

	scheduler.ReasonPutPrev:  "{e} is no longer current",
	scheduler.ReasonSetNext:  "{e} becomes current",
	scheduler.ReasonSameTask: "{e} was picked again: it simply goes on",

	scheduler.ReasonProtectDeadline:  "{e} is protected until its deadline[ {vprot_to}]",
	scheduler.ReasonProtectMinSlice:  "{e} is protected for the smallest slice of the queue[ {min_slice}][, until {vprot_to}]",
	scheduler.ReasonProtectQuantum:   "NO_RUN_TO_PARITY: {e} is protected for the base slice only[, until {vprot_to}]",
	scheduler.ReasonProtectToken:     "{e} is protected until its deadline[ {deadline}] (vlag := deadline)",
	scheduler.ReasonProtectCancelled: "the protection of {e} is cancelled[, it was until {vprot_from}]",
	scheduler.ReasonProtectShortened: "the protection of {e} is shortened[: {vprot_from} -> {vprot_to}]",
	scheduler.ReasonProtectKept:      "the protection of {e} stays[ until {vprot_to}]",

	scheduler.ReasonBuddySet:     "{e} is nominated to run next",
	scheduler.ReasonBuddyCleared: "{e} is no longer nominated",

	scheduler.ReasonYieldPostpones:  "{e} moves its deadline one request later[: {deadline_to}]",
	scheduler.ReasonYieldForfeits:   "{e} forfeits the rest of its request[: v {vruntime_from} -> {vruntime_to}]",
	scheduler.ReasonYieldIneligible: "{e} is not eligible: it has nothing to forfeit",
	scheduler.ReasonYieldAlone:      "{e} is alone: nothing to yield to",

	scheduler.ReasonHrtickArmed: "the slice timer of {e} is armed[: {expires}]",
	scheduler.ReasonHrtickLate:  "the slice of {e} is used up already: reschedule",

	scheduler.ReasonQuotaDrawn:    "{e} draws[ {amount}] from its quota[, {pool} left]",
	scheduler.ReasonQuotaUsedUp:   "{e} has used up its quota[, {remaining} left]: reschedule",
	scheduler.ReasonQuotaReturned: "{e} has nothing to run and gives back[ {amount}][, {pool} in the pool]",
	scheduler.ReasonThrottled:     "{e} is throttled: it leaves the queue until its quota is filled up",
	scheduler.ReasonUnthrottled:   "{e} may run again[, after {waited}]",
	scheduler.ReasonRefilled:      "a period ends: the quota of {e} is filled up[ to {pool}]",

	scheduler.ReasonFeatureSwitched: "a feature was switched",
	scheduler.ReasonNiceSet:         "nice of {e} is set[: {from} -> {value}]",
	scheduler.ReasonSliceSet:        "slice of {e} is set[: {from} -> {value} ns]",
	scheduler.ReasonPolicySet:       "policy of {e} is set[ to {value}]",
	scheduler.ReasonSharesSet:       "cpu.weight of {e} is set[: shares {from} -> {shares}]",
	scheduler.ReasonGroupIdleSet:    "cpu.idle of {e} is set[ to {value}]",
	scheduler.ReasonQuotaSet:        "cpu.max of {e} is set[: {quota} in {period}]",
	scheduler.ReasonBaseSliceSet:    "base_slice_ns is set[ to {slice} ms]",
	scheduler.ReasonGroupMoved:      "{e} moves to another group",
	scheduler.ReasonPrioChecked:     "the priority of {e} changed: checked against {o}",

	scheduler.ReasonCPUPinned:       "{e} may run on cpu[{cpu}] only",
	scheduler.ReasonCPUSisCurrent:   "SIS_CURRENT: {e} and its partner are short: it stays on the waking cpu[{cpu}]",
	scheduler.ReasonAffineThisIdle:  "WA_IDLE: the waking cpu[{cpu}] is idle and shares the cache with cpu[{prev_cpu}]",
	scheduler.ReasonAffinePrevIdle:  "WA_IDLE: the previous cpu[{cpu}] is idle",
	scheduler.ReasonAffineSync:      "WA_IDLE: the waker is alone on cpu[{cpu}] and about to sleep",
	scheduler.ReasonAffineWeight:    "WA_WEIGHT: cpu[{cpu}] would be less loaded[: {this_load} < {prev_load}]",
	scheduler.ReasonAffineUndecided: "nothing speaks for the waking cpu[{this_cpu}]: the previous one, cpu[{cpu}]",
	scheduler.ReasonCPUTargetIdle:   "cpu[{cpu}] is idle",
	scheduler.ReasonCPUPrevIdle:     "the previous cpu[{cpu}] is idle and shares the cache",
	scheduler.ReasonCPURecent:       "cpu[{cpu}], used before, is idle",
	scheduler.ReasonCPUSibling:      "cpu[{cpu}], a thread of the previous core, is idle",
	scheduler.ReasonCPUIdleCore:     "the core of cpu[{cpu}] is wholly idle",
	scheduler.ReasonCPUIdleFound:    "cpu[{cpu}] is the first idle one found",
	scheduler.ReasonScanLimit:       "SIS_UTIL: the cache is busy, the search for an idle cpu is cut short",
	scheduler.ReasonCPUNoIdle:       "nobody idle found: cpu[{cpu}]",
	scheduler.ReasonCPUForkIdlest:   "cpu[{cpu}] is the least busy one of the group chosen",
	scheduler.ReasonQueuedRemote:    "TTWU_QUEUE: {e} is sent to cpu[{cpu}] by interrupt",
	scheduler.ReasonMigrated:        "{e} moves to cpu[{cpu}][ from cpu{prev_cpu}]",

	scheduler.ReasonBalanced:       "cpu[{cpu}] finds nothing to pull",
	scheduler.ReasonPulled:         "cpu[{cpu}] pulls[ {nr}] from cpu[{prev_cpu}]",
	scheduler.ReasonPullRefused:    "cpu[{cpu}] finds an imbalance[ of {imbalance}] on cpu[{prev_cpu}], but nobody there may move",
	scheduler.ReasonActiveBalance:  "cpu[{cpu}] pushes its running task {e} away",
	scheduler.ReasonNewidleSkipped: "cpu[{cpu}] goes idle without looking for work",
}

// reasonText fills in the words of a step's reason.
func reasonText(s *scheduler.Step, f *scheduler.Frame, decimals int) string {
	if int(s.Reason) >= len(reasonWords) || reasonWords[s.Reason] == "" {
		return s.Kind.String()
	}
	text, _ := expand(reasonWords[s.Reason], s, f, decimals)
	return text
}

// expand fills in a template; missing tells whether an operand was not there.
func expand(template string, s *scheduler.Step, f *scheduler.Frame, decimals int) (text string, missing bool) {
	var b strings.Builder
	for template != "" {
		i := strings.IndexAny(template, "[{")
		if i < 0 {
			b.WriteString(template)
			break
		}
		b.WriteString(template[:i])
		if template[i] == '[' {
			inner, rest, _ := strings.Cut(template[i+1:], "]")
			if part, without := expand(inner, s, f, decimals); !without {
				b.WriteString(part)
			}
			template = rest
			continue
		}
		name, rest, _ := strings.Cut(template[i+1:], "}")
		value, ok := operand(name, s, f, decimals)
		b.WriteString(value)
		missing = missing || !ok
		template = rest
	}
	return b.String(), missing
}

// operand is the text of one placeholder.
func operand(name string, s *scheduler.Step, f *scheduler.Frame, decimals int) (text string, ok bool) {
	switch name {
	case "e":
		return entityName(f, s.Entity), true
	case "o":
		return entityName(f, s.Other), true
	}
	name, signed := strings.CutPrefix(name, "+")
	for _, arg := range s.Args {
		if arg.Name.String() != name {
			continue
		}
		if unlimited := arg.Name == scheduler.ArgLimit && arg.Value == 0; !unlimited {
			return argText(arg, f, decimals, signed), true
		}
	}
	return "", false
}

// argText prints an operand in its unit: virtual and wall time in ms.
func argText(arg scheduler.Arg, f *scheduler.Frame, decimals int, signed bool) string {
	switch arg.Name.Unit() {
	case scheduler.UnitTime, scheduler.UnitVtime, scheduler.UnitVlen:
		if signed {
			return SignedMs(arg.Value, decimals)
		}
		return Ms(arg.Value, decimals)
	case scheduler.UnitEntity:
		return entityName(f, scheduler.EntityID(arg.Value))
	case scheduler.UnitNone, scheduler.UnitWeight, scheduler.UnitLoad:
	}
	return strconv.FormatInt(arg.Value, 10)
}

// StepState is the state that a step leaves, as the label of a strip: "charged".
func StepState(k scheduler.StepKind) string {
	switch k {
	case scheduler.StepCharge:
		return "charged"
	case scheduler.StepDeadline:
		return "new request"
	case scheduler.StepWeight:
		return "reweighted"
	case scheduler.StepPlace:
		return "placed"
	case scheduler.StepEnqueue:
		return "queued"
	case scheduler.StepDequeue:
		return "dequeued"
	case scheduler.StepYield:
		return "yielded"
	case scheduler.StepResched, scheduler.StepLag, scheduler.StepShares, scheduler.StepCheck, scheduler.StepPick, scheduler.StepPut,
		scheduler.StepSet, scheduler.StepProtect, scheduler.StepBuddy, scheduler.StepTimer, scheduler.StepQuota, scheduler.StepEdit, scheduler.StepSelect, scheduler.StepBalance:
	}
	return k.String()
}

// Moves tells whether a step can change what is on an axis.
func Moves(k scheduler.StepKind) bool { return StepState(k) != k.String() }

// StepTitle is a step in the status line: "reweight A 237291 -> 234083".
func StepTitle(s *scheduler.Step, f *scheduler.Frame) string {
	name := entityName(f, s.Entity)
	from, ok := s.Arg(scheduler.ArgWeightFrom)
	to, _ := s.Arg(scheduler.ArgWeightTo)
	switch {
	case s.Entity == scheduler.NoEntity:
		return s.Kind.String()
	case ok:
		return fmt.Sprintf("reweight %s %d -> %d", name, from, to)
	}
	return s.Kind.String() + " " + name
}

// kernelFunction is the kernel function that a step mirrors, under the name it
// has in that kernel.
func kernelFunction(s *scheduler.Step, p *scheduler.Profile) string {
	switch s.Kind {
	case scheduler.StepCharge:
		return "update_curr"
	case scheduler.StepDeadline:
		return "update_deadline"
	case scheduler.StepResched:
		return "update_curr"
	case scheduler.StepLag:
		return "update_entity_lag"
	case scheduler.StepWeight:
		return "reweight_entity"
	case scheduler.StepShares:
		return "update_cfs_group"
	case scheduler.StepPlace:
		return "place_entity"
	case scheduler.StepEnqueue:
		return "enqueue_entity"
	case scheduler.StepDequeue:
		return "dequeue_entity"
	case scheduler.StepCheck:
		if p != nil && p.HasVprot {
			return "wakeup_preempt_fair"
		}
		return "check_preempt_wakeup_fair"
	case scheduler.StepPick:
		return "pick_eevdf"
	case scheduler.StepPut:
		return "put_prev_entity"
	case scheduler.StepSet:
		return "set_next_entity"
	case scheduler.StepProtect:
		if p != nil && p.HasVprot {
			return "set_protect_slice"
		}
		return "set_next_entity"
	case scheduler.StepBuddy:
		return "set_next_buddy"
	case scheduler.StepYield:
		return "yield_task_fair"
	case scheduler.StepTimer:
		return "hrtick_start_fair"
	case scheduler.StepEdit:
		return "edit"
	case scheduler.StepSelect:
		return "select_task_rq_fair"
	case scheduler.StepBalance:
		return "sched_balance_rq"
	case scheduler.StepQuota:
		return quotaFunction(s.Reason)
	}
	return s.Kind.String()
}
