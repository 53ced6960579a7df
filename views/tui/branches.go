package tui

import (
	"fmt"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
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

// askExport asks for the file to write a branch to.
func (a *app) askExport() tea.Cmd {
	s := a.s
	_, b := a.chosenBranch()
	file := strings.TrimSuffix(strings.TrimSuffix(s.sessionFile(), ".yaml"), ".yml") + "-" + fileWord(b.Name) + ".yaml"
	return a.ask(prompt{label: "write " + b.Name + " as", hint: "a scenario file with this branch alone", done: func(path string) error {
		if path != "" && !isScenarioFile(path) {
			path += ".yaml"
		}
		return a.writeWith(path, "", func() error {
			text, err := scenarios.Write(s.scenario, s.branchSnapshot(b))
			if err != nil {
				return err
			}
			if err := replaceFile(path, text); err != nil {
				return err
			}
			a.say("written: zerolag " + scenarios.ShellWord(path) + " opens " + b.Name)
			return nil
		})
	}}, file)
}

// branchSnapshot is the session with one branch, where it begins to differ; the
// current one where one is.
func (s *session) branchSnapshot(b model.Branch) scenarios.Session {
	x := s.snapshot()
	x.Branch, x.Branches, x.Options.Edits = "", nil, nil
	if len(b.Edits) > 0 {
		x.Branch, x.Options.Edits = b.Name, b.All
	}
	if !b.Current {
		x.Time, x.Ordinal = b.ForkAt.Time, b.ForkAt.Ordinal
	}
	return x
}

// fileWord is a name as a part of the name of a file.
func fileWord(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, name)
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
