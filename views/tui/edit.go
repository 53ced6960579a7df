package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
	"zerolag/views"
)

// features are the rows of the feature pane.
func (s *session) features() []scheduler.FeatureDefault {
	k := s.workload.Config.Kernel
	return slices.Concat(k.Features, k.Proposals)
}

// feature is the selected row of the feature pane.
func (s *session) feature() scheduler.Feature {
	rows := s.features()
	return rows[min(s.cursors[paneFeatures], len(rows)-1)].Feature
}

// featureText is what a feature does on a machine of that many CPUs, for the
// message line.
func featureText(f scheduler.Feature, cpus int) string {
	info := f.Info()
	text := info.Name + ": " + info.Meaning
	if info.Proposal != "" {
		text += " (proposal: " + info.Proposal + ")"
	}
	if inert := f.InertOn(cpus); inert != "" {
		text += " (no effect here: " + inert + ")"
	}
	return text
}

// flipping tells of a feature whether switching it changes the decision at the
// cursor.
func (s *session) flipping(f scheduler.Feature) bool {
	setting := scheduler.FeatureSetting{Feature: f, On: !s.run.Frame().Features.Has(f)}
	return s.flipsReady() && slices.Contains(s.flips, setting.String())
}

// tellingFeature is the row that the feature pane opens on: a proposal that
// flips the decision at the cursor, else a feature that does, else row.
func (s *session) tellingFeature(row int) int {
	rows := s.features()
	proposal := slices.IndexFunc(rows, func(d scheduler.FeatureDefault) bool {
		return d.Feature.Info().Proposal != "" && s.flipping(d.Feature)
	})
	if proposal >= 0 {
		return proposal
	}
	if flip := slices.IndexFunc(rows, func(d scheduler.FeatureDefault) bool { return s.flipping(d.Feature) }); flip >= 0 {
		return flip
	}
	return row
}

// featureTable lists the features and marks those that flip the decision.
func (s *session) featureTable() views.Table {
	t := views.FeatureTable(s.workload.Config.Kernel, s.run.Frame().Features, s.workload.Config.CPUs)
	for i, d := range s.features() {
		mark := " "
		if s.flipping(d.Feature) {
			mark = "*"
		}
		t.Rows[i].Cells[0] = mark + t.Rows[i].Cells[0]
	}
	return t
}

// switchHere switches the selected feature right before the event at the cursor
// and runs that event again.
func (a *app) switchHere() tea.Cmd {
	return a.switchFeature(a.s.run.Apply, "from this event on, which ran again")
}

// changeFromStart makes the selected change, or switches the selected feature, at
// the start of the run.
func (a *app) changeFromStart() tea.Cmd {
	if a.pane == paneEdit {
		return a.alter(true)
	}
	return a.switchFromStart()
}

// switchFromStart switches the selected feature at the start of the run.
func (a *app) switchFromStart() tea.Cmd {
	return a.switchFeature(a.s.run.ApplyFromStart, "from the start of the run")
}

func (a *app) switchFeature(apply func(scheduler.Edit) error, since string) tea.Cmd {
	s := a.s
	feature := s.feature()
	if why := feature.InertOn(s.workload.Config.CPUs); why != "" {
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
	s.future = nil
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
	s.future = nil
	s.arrive()
	a.say("on " + s.run.Branch() + ", at the nearest event")
	return nil
}
