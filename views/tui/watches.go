package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/views"
)

// askWatch asks for an expression to watch.
func (a *app) askWatch() tea.Cmd {
	hint := "for example V, pick, nr_queued"
	if e := a.s.focus(); e != nil {
		name := expr.Quoted(e.Name)
		hint = "for example " + name + ".lag, " + name + ".eligible, V, pick, nr_queued"
	}
	return a.ask(prompt{label: "watch", hint: hint, done: a.addWatch}, "")
}

// addWatch puts an expression on the list and shows it.
func (a *app) addWatch(text string) error {
	s := a.s
	if text = strings.TrimSpace(text); text == "" {
		return errors.New("nothing to watch, expected an expression")
	}
	if err := s.watches.Add(text); err != nil {
		return err
	}
	s.nothingToDo = false
	a.openPane(paneWatches)
	s.cursors[paneWatches] = slices.Index(s.watches.Texts(), text)
	return nil
}

// watchTable lists the watched expressions with their values here and their last
// changes, the latest first; first is the row where the selected one begins.
func (s *session) watchTable() (t views.Table, first int) {
	t = views.Table{Columns: []views.Column{
		{Head: "watch"}, {Head: "here", Right: true}, {Head: "at ms", Right: true}, {Head: "was", Right: true}, {Head: ""}, {Head: "became", Right: true},
	}}
	f := s.run.Frame()
	first = -1
	for i, w := range s.watches.List() {
		if i == s.chosenWatch() {
			first = len(t.Rows)
		}
		head := views.Row{Owner: rowOwner(i), Cells: []string{w.Text, w.Value.Text(f), "never"}}
		switch {
		case w.Fault != nil:
			head.Cells = []string{w.Text + ": " + w.Fault.Error()}
		case !w.Settled:
			head.Cells[2] = "..."
		}
		rows := []views.Row{head}
		for k, c := range s.watches.Changes(i, model.WatchDepth) {
			row := views.Row{Owner: rowOwner(i), Cells: []string{"", "", views.Clock(c.Position.Time), c.Old.Text(f), "->", c.New.Text(f)}}
			if c.Index == s.run.Index() {
				row.Style = views.StyleCurr
			}
			if k == 0 {
				row.Cells[0], row.Cells[1] = head.Cells[0], head.Cells[1]
				rows = rows[:0]
			}
			rows = append(rows, row)
		}
		t.Rows = append(t.Rows, rows...)
	}
	return t, first
}

// chosenWatch is the selected expression, -1 if there is none.
func (s *session) chosenWatch() int { return min(s.cursors[paneWatches], len(s.watches.Texts())-1) }

// goToChange goes to the last change of the selected expression before this event.
func (a *app) goToChange() tea.Cmd {
	s, i := a.s, a.s.chosenWatch()
	if i < 0 {
		a.say("nothing is watched yet, V enters an expression")
		return nil
	}
	text := s.watches.Texts()[i]
	a.begin(job{what: "looking for a change of " + text, slice: func(budget int) bool {
		settled := s.watches.Update(budget)
		for _, c := range s.watches.Changes(i, model.WatchDepth) {
			if c.Index < s.run.Index() {
				s.run.Seek(c.Index)
				s.arrive()
				a.say(fmt.Sprintf("here %s became %s, before %s", text, c.New.Text(s.run.Frame()), c.Old.Text(s.run.Frame())))
				return true
			}
		}
		if settled {
			a.say(text + " did not change before")
		}
		return settled
	}})
	return nil
}
