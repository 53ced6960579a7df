package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/views"
)

// picker is the list of built-in scenarios.
type picker struct {
	options Options
	entries []scenarios.Entry
	filter  string
	row     int
}

func newPicker(o Options, entries []scenarios.Entry) *picker {
	return &picker{options: o, entries: entries}
}

// shown are the entries that pass the filter.
func (p *picker) shown() []scenarios.Entry {
	var list []scenarios.Entry
	for _, e := range p.entries {
		if strings.Contains(strings.ToLower(e.Name+" "+e.About), strings.ToLower(p.filter)) {
			list = append(list, e)
		}
	}
	return list
}

func (a *app) pickNext() tea.Cmd     { return a.pickRow(1) }
func (a *app) pickPrevious() tea.Cmd { return a.pickRow(-1) }

func (a *app) pickRow(dir int) tea.Cmd {
	next := a.picker.row + dir
	if next < 0 || next >= len(a.picker.shown()) {
		a.say("no further scenario")
		return nil
	}
	a.picker.row = next
	return nil
}

func (a *app) pickFilter() tea.Cmd {
	p := a.picker
	filter := func(text string) { p.filter, p.row = text, 0 }
	return a.ask(prompt{
		label: "filter", hint: "letters of a name or description", changed: filter,
		done: func(text string) error { filter(text); return nil },
	}, "")
}

func (a *app) pickAll() tea.Cmd {
	a.picker.filter, a.picker.row = "", 0
	a.say("all scenarios")
	return nil
}

// pickOpen opens the selected scenario.
func (a *app) pickOpen() tea.Cmd {
	p := a.picker
	shown := p.shown()
	if p.row >= len(shown) {
		a.say("no scenario has these letters, esc shows all")
		return nil
	}
	o := p.options
	o.Argument = shown[p.row].Name
	opened, err := scenarios.Load(o.Argument)
	if err == nil {
		o.Scenario = opened
		a.s, err = openSession(o)
	}
	if err != nil {
		a.complain(oneLine(err))
		return nil
	}
	a.picker = nil
	a.s.resize(a.width, a.height)
	return nil
}

// table is the list as it is drawn.
func (p *picker) table() views.Table {
	t := views.Table{Columns: []views.Column{{}, {Head: "scenario"}, {Head: "what to look at"}}}
	for i, e := range p.shown() {
		mark := " "
		if i == p.row {
			mark = ">"
		}
		t.Rows = append(t.Rows, views.Row{Owner: rowOwner(i), Cells: []string{mark, e.Name, e.About}})
	}
	return t
}
