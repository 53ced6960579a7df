package tui

import (
	"zerolag/scheduler"
	"zerolag/views"
)

// A re-run of an event costs about as much as there is state. Up to promptState
// all features are re-run before the picture is drawn, well below a frame; beyond
// it they are re-run in slices of that much state.
const (
	promptState = 100
	sliceState  = 4000
)

// stateSize counts what a re-run copies: tasks, CPUs, and their groups.
func (s *session) stateSize() int {
	w := s.workload
	return len(w.Tasks) + w.Config.CPUs*(1+len(w.Groups))
}

// eventPoint is the event at the cursor, whatever the sub-step.
func (s *session) eventPoint() viewpoint {
	return viewpoint{s.run.Branch(), s.run.Index(), -1}
}

// flipsReady tells whether the settings that would change the decision at the
// cursor are known; with few tasks they are found at once.
func (s *session) flipsReady() bool {
	if !s.flipsKnown && s.stateSize() <= promptState {
		s.findFlips(scheduler.NumFeatures)
	}
	return s.flipsKnown
}

// findFlips re-runs the event with up to budget more features.
func (s *session) findFlips(budget int) {
	if !s.run.FindFlips(budget) {
		return
	}
	s.flips = views.FlipNames(s.run.Flips())
	s.flipsAt, s.flipsKnown = s.eventPoint(), true
}
