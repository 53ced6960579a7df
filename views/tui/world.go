package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// world is the scenario as options make it, and its run. Another kernel or HZ is
// another world; everything else is an edit of the run.
type world struct {
	change   scenarios.Options // without edits and changes, which the run has
	workload *scheduler.Workload
	run      *model.Run
}

// newWorld builds a world. The edits and changes of its options become a branch.
func newWorld(x *scenarios.Scenario, o scenarios.Options) (world, error) {
	whole, err := x.Workload(o)
	if err != nil {
		return world{}, err
	}
	o.Edits, o.Changes = nil, nil
	w, err := x.Workload(o)
	if err != nil {
		return world{}, err
	}
	run := model.Open(w)
	run.Adopt("", whole.Edits)
	return world{o, w, run}, nil
}

// rebuild opens the world of other options at the same time, with the edits of the
// current branch.
func (s *session) rebuild(o scenarios.Options) error {
	here := s.run.Position()
	o.Changes = scenarios.Changes(s.workload, s.run.Edits(), s.branchEdits())
	w, err := newWorld(s.scenario, o)
	if err != nil {
		return err
	}
	if i := w.branch(); i > 0 && s.run.Branch() != mainBranch {
		_ = w.run.RenameBranch(i, s.run.Branch()) // a name less is no fault
	}
	s.past, s.future = append(s.past, s.world), nil
	s.enter(w, here.Time)
	return nil
}

// mainBranch is the name of the branch without edits.
const mainBranch = "main"

// branch is the index of the current branch.
func (w *world) branch() int {
	for i, b := range w.run.Branches() {
		if b.Current {
			return i
		}
	}
	return 0
}

// enter shows another world at a time. What was drawn or found of the one before
// no longer holds.
func (s *session) enter(w world, at scheduler.Time) {
	s.world = w
	s.run.SeekTime(at)
	clear(s.looks)
	s.drawn = drawn{canvas: s.drawn.canvas}
	s.flipsKnown, s.job = false, nil
	s.selected, s.subject, s.unfolded, s.closed = scheduler.NoEntity, 0, nil, nil
	if v := s.versus; v != nil {
		s.versus = nil
		_ = s.compareWith(v.settings) // what cannot run there is compared no longer
	}
	s.arrive()
}

func (a *app) lacksUndo() string {
	if s := a.s; s.run.CanUndo() || len(s.past) > 0 {
		return ""
	}
	return "nothing to take back"
}

func (a *app) lacksRedo() string {
	if s := a.s; s.run.CanRedo() || len(s.future) > 0 {
		return ""
	}
	return "nothing was taken back"
}

// undo takes the last edit, change of branch or change of world back.
func (a *app) undo() tea.Cmd {
	s := a.s
	if s.run.Undo() {
		s.arrive()
	} else {
		s.travel(&s.past, &s.future)
	}
	a.say("taken back: " + s.whereabouts())
	return nil
}

// redo does again what undo took back.
func (a *app) redo() tea.Cmd {
	s := a.s
	if s.run.Redo() {
		s.arrive()
	} else {
		s.travel(&s.future, &s.past)
	}
	a.say("done again: " + s.whereabouts())
	return nil
}

// travel goes to the last world of a list and leaves the present one on the other.
func (s *session) travel(from, to *[]world) {
	last := len(*from) - 1
	w, here := (*from)[last], s.run.Position()
	*from, *to = (*from)[:last], append(*to, s.world)
	s.enter(w, here.Time)
}

// whereabouts says on which branch of which world one is.
func (s *session) whereabouts() string {
	c := &s.workload.Config
	return fmt.Sprintf("kernel %s, HZ %d, on %s", c.Kernel.Name, c.HZ, s.run.Branch())
}
