package model

import (
	"slices"

	"zerolag/scheduler"
)

// Decision is what the event at the cursor decided.
func (r *Run) Decision() Decision { return decisionOf(r.Event(), r.Steps()) }

// Flips are the features whose change alone alters the decision of the event at
// the cursor, in the order of the profile, proposals last. Each is found by
// re-running the event from the state before it.
func (r *Run) Flips() []Flip {
	for !r.FindFlips(scheduler.NumFeatures) {
	}
	return r.view.flips
}

// FindFlips re-runs the event at the cursor with up to budget more features
// switched, and tells whether Flips is complete. The work for one event can so be
// done in slices; moving the cursor drops what is found.
func (r *Run) FindFlips(budget int) (complete bool) {
	if r.index == 0 {
		return true
	}
	k := r.w.Config.Kernel
	defaults := slices.Concat(k.Features, k.Proposals)
	is, v := r.Decision(), &r.view
	for ; v.flipped < len(defaults) && budget > 0; v.flipped++ {
		f := defaults[v.flipped].Feature
		if f.InertOn(r.w.Config.CPUs) != "" {
			continue
		}
		budget--
		setting := scheduler.FeatureSetting{Feature: f, On: !r.ring.state(r.b, r.index-1).Features().Has(f)}
		if would, ok := r.rerun(setting); ok && would != is {
			outcome := would.Chosen != is.Chosen || would.Curr != is.Curr || would.Resched != is.Resched || would.CPU != is.CPU
			v.flips = append(v.flips, Flip{setting, would, outcome})
		}
	}
	return v.flipped == len(defaults)
}

// rerun is the decision of the event at the cursor with another setting of one
// feature; ok is false if the event does not come to pass then.
func (r *Run) rerun(setting scheduler.FeatureSetting) (d Decision, ok bool) {
	e := *r.b.record(r.index)
	applied, _ := slices.BinarySearch(r.b.editEvents, r.index)
	toggle := scheduler.Edit{At: e.Time, Ordinal: int(e.Ordinal), Kind: scheduler.EditFeature, Feature: setting}
	edits := slices.Insert(slices.Clone(r.b.plain), applied, toggle)
	for i := applied + 1; i < len(edits) && edits[i].At == e.Time; i++ {
		edits[i].Ordinal++
	}
	r.scratch.CopyFrom(r.ring.state(r.b, r.index-1))
	r.scratch.SetEdits(edits)
	r.scratch.Step(nil)
	rec := scheduler.Recorder{Bare: true}
	again, ok := r.scratch.Step(&rec)
	placed := e.Kind == scheduler.EventWakeup || e.Kind == scheduler.EventFork
	if !ok || again.Time != e.Time || again.Kind != e.Kind || again.Task != e.Task || again.CPU != int(e.CPU) && !placed {
		return Decision{}, false
	}
	return decisionOf(again, rec.Steps), true
}

// decisionOf sums up the steps of an event: the last check or pick decides, and
// without one the last word about a reschedule.
func decisionOf(e scheduler.Event, steps []scheduler.Step) Decision {
	d := Decision{Kind: scheduler.StepResched, Chosen: scheduler.NoEntity, CPU: e.CPU, Curr: e.Curr, Resched: e.Resched}
	chosen := false
	for i := range steps {
		s := &steps[i]
		switch {
		case s.Kind == scheduler.StepCheck || s.Kind == scheduler.StepPick:
			d.Kind, d.Reason, chosen = s.Kind, s.Reason, true
		case s.Kind == scheduler.StepResched && !chosen:
			d.Reason = s.Reason
		}
		if s.Kind == scheduler.StepPick {
			d.Chosen = s.Other
		}
	}
	return d
}
