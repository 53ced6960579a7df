package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
)

// feature is the selected row of the feature pane.
func (s *session) feature() scheduler.Feature {
	k := s.workload.Config.Kernel
	rows := slices.Concat(k.Features, k.Proposals)
	return rows[min(s.cursors[paneFeatures], len(rows)-1)].Feature
}

// switchHere switches the selected feature right before the event at the cursor
// and runs that event again.
func (a *app) switchHere() tea.Cmd {
	return a.switchFeature(a.s.run.Apply, "from this event on, which ran again")
}

// switchFromStart switches the selected feature at the start of the run.
func (a *app) switchFromStart() tea.Cmd {
	return a.switchFeature(a.s.run.ApplyFromStart, "from the start of the run")
}

func (a *app) switchFeature(apply func(scheduler.Edit) error, since string) tea.Cmd {
	s := a.s
	feature := s.feature()
	if why := feature.Info().Inert; why != "" {
		a.say(feature.String() + " changes nothing here: " + why)
		return nil
	}
	setting := scheduler.FeatureSetting{Feature: feature, On: !s.run.Frame().Features.Has(feature)}
	edit := scheduler.Edit{Kind: scheduler.EditFeature, Feature: setting, Task: scheduler.NoTask, Group: scheduler.NoGroup}
	from := s.run.Branch()
	if err := apply(edit); err != nil {
		a.complain(err.Error())
		return nil
	}
	s.arrive()
	a.say(fmt.Sprintf("%s %s: %s", setting, since, s.branchChange(from)))
	return nil
}

// branchChange says on which branch one is after an edit.
func (s *session) branchChange(from string) string {
	to := s.run.Branch()
	if from == to {
		return "nothing changes on " + to
	}
	if to == "main" {
		return "back on main"
	}
	return "branch " + to
}

// reopen makes the selected branch the current one.
func (a *app) reopen() tea.Cmd {
	s := a.s
	if !s.run.SwitchBranch(s.cursors[paneBranches]) {
		a.say(s.run.Branch() + " is open already")
		return nil
	}
	s.arrive()
	a.say("on " + s.run.Branch() + ", at the nearest event")
	return nil
}
