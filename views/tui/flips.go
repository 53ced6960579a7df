package tui

import "zerolag/views"

// promptTasks is the number of tasks up to which every feature's re-run of an
// event takes well below a frame, so that the picture need not wait for it.
const promptTasks = 64

// eventPoint is the event at the cursor, whatever the sub-step.
func (s *session) eventPoint() viewpoint {
	return viewpoint{s.run.Branch(), s.run.Index(), -1}
}

// flipsReady tells whether the settings that would change the decision at the
// cursor are known; with few tasks they are found at once.
func (s *session) flipsReady() bool {
	if !s.flipsKnown && len(s.workload.Tasks) <= promptTasks {
		s.computeFlips()
	}
	return s.flipsKnown
}

func (s *session) computeFlips() {
	s.flips = views.FlipNames(s.run.Flips())
	s.flipsAt, s.flipsKnown = s.eventPoint(), true
}
