package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
)

// branchSetting begins what names a branch to compare with.
const branchSetting = "branch="

// chosenBranch is the branch that keys act on: the selected row of the open pane of
// branches, else the current branch.
func (a *app) chosenBranch() (index int, b model.Branch) {
	s := a.s
	list := s.run.Branches()
	index = s.branch()
	if a.pane == paneBranches {
		index = min(s.cursors[paneBranches], len(list)-1)
	}
	return index, list[index]
}

// askName asks for the name of a branch.
func (a *app) askName() tea.Cmd {
	index, b := a.chosenBranch()
	return a.ask(prompt{label: "name of " + b.Name, hint: "a short name of its own", done: func(text string) error {
		if err := a.s.run.RenameBranch(index, text); err != nil {
			return err
		}
		a.say("the branch is named " + a.s.run.Branches()[index].Name)
		return nil
	}}, b.Name)
}

// branchRun is the run of a branch, with a cursor of its own.
func (s *session) branchRun(name string) (*model.Run, error) {
	for _, b := range s.run.Branches() {
		if b.Name == name {
			w := *s.workload
			w.Edits = b.All
			return model.Open(&w), nil
		}
	}
	return nil, fmt.Errorf("no branch %q, B lists the branches", name)
}

// happenedOnce says why a recording has no branches and no other run.
func (a *app) happenedOnce() string {
	if a.s.scenario.Recorded() {
		return "this is a recording: it happened in one way only"
	}
	return ""
}
