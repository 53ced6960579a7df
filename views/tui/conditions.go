package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/views"
)

// lists are the expressions of the user: stop conditions and watches. They belong to
// the names of one branch and are read anew on another.
type lists struct {
	conditions model.Conditions
	watches    *model.Watches
	readFor    *model.Run
	readWith   *expr.Names
}

// follow gives the expressions the meaning that they have on the current branch of a
// run.
func (l *lists) follow(run *model.Run) {
	if l.readFor == run && l.readWith == run.Names() {
		return
	}
	var texts []string
	if l.watches != nil {
		texts = l.watches.Texts()
	}
	l.readFor, l.readWith = run, run.Names()
	l.conditions.Restore(l.conditions.List(), l.readWith)
	l.watches = model.RestoreWatches(run, texts)
}

func (a *app) lacksCondition() string {
	switch {
	case a.s.conditions.Active() > 0 || a.s.scenario.Recorded():
		return ""
	case len(a.s.conditions.List()) > 0:
		return "no stop condition is on, I lists them"
	}
	return "no stop condition yet, u enters one"
}

// askCondition asks for another stop condition.
func (a *app) askCondition() tea.Cmd {
	return a.ask(prompt{label: "run until", hint: conditionHint(a.s.scenario), done: a.addCondition}, "")
}

// conditionHint is an example with a task of the scenario.
func conditionHint(x *scenarios.Scenario) string {
	hint := "V < V@prev"
	if tasks := x.Tasks(); len(tasks) > 0 {
		hint = fmt.Sprintf("%s.eligible == false, %s.waiting > 1ms, %s", expr.Quoted(tasks[0]), expr.Quoted(tasks[len(tasks)-1]), hint)
	}
	return "for example " + hint
}

// addCondition puts a condition on the list and goes to the next event where it
// holds.
func (a *app) addCondition(text string) error {
	s := a.s
	if text = strings.TrimSpace(text); text == "" {
		return errors.New("nothing to stop at, expected a condition")
	}
	if err := s.conditions.Add(text, s.run.Names()); err != nil {
		return err
	}
	s.cursors[paneConditions] = slices.IndexFunc(s.conditions.List(), func(c model.Condition) bool { return c.Text == text })
	var alone model.Conditions
	if err := alone.Add(text, s.run.Names()); err != nil {
		return err
	}
	a.runUntil(&alone, 1)
	return nil
}

func (a *app) previousStop() tea.Cmd { return a.toStop(-1) }
func (a *app) nextStop() tea.Cmd     { return a.toStop(1) }

// toStop goes to the nearest event in a direction at which a condition of the list
// holds that is switched on; in a recording without one to a disagreement.
func (a *app) toStop(dir int) tea.Cmd {
	if a.s.conditions.Active() == 0 {
		return a.toDisagreement(dir)
	}
	a.runUntil(&a.s.conditions, dir)
	return nil
}

// runUntil goes to the nearest event in a direction at which one of the conditions
// holds that are switched on.
func (a *app) runUntil(conditions *model.Conditions, dir int) {
	s := a.s
	which := "later"
	if dir < 0 {
		which = "earlier"
	}
	what := conditionsText(conditions)
	a.begin(job{what: "running until " + what, slice: func(budget int) bool {
		switch s.run.UntilAny(conditions, dir, budget) {
		case model.Working:
			if s.run.Known() < maxKnown {
				return false
			}
			a.say(fmt.Sprintf("%s does not hold in the first %d events", what, maxKnown))
		case model.Found:
			s.arrive()
			a.say("stop: " + s.heldText(conditions))
		case model.Exhausted:
			a.say("no " + which + " event with " + what)
		}
		return true
	}})
}

// conditionsText names the conditions that are switched on.
func conditionsText(conditions *model.Conditions) string {
	var on []string
	for _, c := range conditions.List() {
		if !c.Off && c.Fault == nil {
			on = append(on, c.Text)
		}
	}
	if len(on) == 1 {
		return on[0]
	}
	return fmt.Sprintf("one of %d conditions", len(on))
}

// heldText tells which conditions that are on hold at the cursor, and the values that
// made them.
func (s *session) heldText(conditions *model.Conditions) string {
	var parts []string
	list := conditions.List()
	for _, i := range s.run.Holding(conditions) {
		if list[i].Off {
			continue
		}
		part := list[i].Text
		if values := s.sidesText(s.run.ConditionSides(conditions, i)); values != "" {
			part += "  (left side: " + values + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// sidesText gives the values of the left sides of comparisons.
func (s *session) sidesText(sides []expr.Side) string {
	var parts []string
	for _, side := range sides {
		parts = append(parts, side.Left.Text(s.run.Frame()))
	}
	return strings.Join(parts, ", ")
}

// conditionTable lists the stop conditions: whether they are on, whether they hold
// here, and the values of their left sides.
func (s *session) conditionTable() views.Table {
	t := views.Table{Columns: []views.Column{{Head: ""}, {Head: "here"}, {Head: "condition"}, {Head: "left side"}}}
	holding := s.run.Holding(&s.conditions)
	for i, c := range s.conditions.List() {
		row := views.Row{Owner: rowOwner(i), Cells: []string{"on", "-", c.Text, s.sidesText(s.run.ConditionSides(&s.conditions, i))}}
		if c.Off {
			row.Cells[0], row.Style = "off", views.StyleDim
		}
		switch {
		case c.Fault != nil:
			row.Cells[1], row.Cells[3] = "?", c.Fault.Error()
		case slices.Contains(holding, i):
			row.Cells[1] = "holds"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// switchCondition switches the selected condition off, or on again.
func (a *app) switchCondition() tea.Cmd {
	s := a.s
	list := s.conditions.List()
	if len(list) == 0 {
		a.say("no stop condition yet, u enters one")
		return nil
	}
	i := min(s.cursors[paneConditions], len(list)-1)
	s.conditions.Switch(i)
	state := map[bool]string{true: "on", false: "off"}[list[i].Off]
	a.say(state + ": " + list[i].Text)
	return nil
}

func (a *app) nothingToRemove() string {
	switch {
	case a.pane == paneConditions && len(a.s.conditions.List()) > 0:
		return ""
	case a.pane == paneWatches && len(a.s.watches.Texts()) > 0:
		return ""
	}
	return "removes the selected stop condition (I lists them) or watch (v)"
}

// removeRow takes the selected condition or watch off its list.
func (a *app) removeRow() tea.Cmd {
	s := a.s
	if a.pane == paneWatches {
		i := s.chosenWatch()
		a.say("removed: " + s.watches.Texts()[i])
		s.watches.Remove(i)
		s.nothingToDo = false
	} else {
		list := s.conditions.List()
		i := min(s.cursors[paneConditions], len(list)-1)
		a.say("removed: " + list[i].Text)
		s.conditions.Remove(i)
	}
	s.cursors[a.pane] = max(s.cursors[a.pane]-1, 0)
	return nil
}
