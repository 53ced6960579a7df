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
	if r.index == 0 {
		return nil
	}
	if r.view.hasFlips {
		return r.view.flips
	}
	is := r.Decision()
	var flips []Flip
	k := r.w.Config.Kernel
	for _, d := range slices.Concat(k.Features, k.Proposals) {
		if d.Feature.Info().Inert != "" {
			continue
		}
		setting := scheduler.FeatureSetting{Feature: d.Feature}
		setting.On = !r.ring.state(r.b, r.index-1).Features().Has(d.Feature)
		if would, ok := r.rerun(setting); ok && would != is {
			outcome := would.Chosen != is.Chosen || would.Curr != is.Curr || would.Resched != is.Resched
			flips = append(flips, Flip{setting, would, outcome})
		}
	}
	r.view.flips, r.view.hasFlips = flips, true
	return flips
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
	var rec scheduler.Recorder
	again, ok := r.scratch.Step(&rec)
	if !ok || again.Time != e.Time || again.Kind != e.Kind || again.CPU != int(e.CPU) {
		return Decision{}, false
	}
	return decisionOf(again, rec.Steps), true
}

// decisionOf sums up the steps of an event: the last check or pick decides, and
// without one the last word about a reschedule.
func decisionOf(e scheduler.Event, steps []scheduler.Step) Decision {
	d := Decision{Kind: scheduler.StepResched, Chosen: scheduler.NoEntity, Curr: e.Curr, Resched: e.Resched}
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
