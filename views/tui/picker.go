package tui

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// picker is the list of built-in scenarios.
type picker struct {
	options Options
	entries []scenarios.Entry
	filter  string
	kernel  string // only cases that show on this kernel, "" is all scenarios
	row     int    // among the entries that are shown
	preview preview
}

func newPicker(o Options, entries []scenarios.Entry) *picker {
	return &picker{options: o, entries: entries}
}

// shown are the entries that pass filter and kernel.
func (p *picker) shown() []scenarios.Entry {
	var list []scenarios.Entry
	for _, e := range p.entries {
		if p.kernel != "" && (e.Shows == nil || !e.ShownOn(p.kernel)) {
			continue
		}
		text := e.Name + " " + e.Topic + " " + e.About
		if e.Shows != nil {
			text += " " + e.Shows.String()
		}
		if strings.Contains(strings.ToLower(text), strings.ToLower(p.filter)) {
			list = append(list, e)
		}
	}
	return list
}

// selected is the entry of the row, nil if none passes the filter.
func (p *picker) selected() *scenarios.Entry {
	shown := p.shown()
	if p.row >= len(shown) {
		return nil
	}
	return &shown[p.row]
}

// opening is what opens the entry of the row. A case that is looked for by kernel
// is shown on that kernel.
func (p *picker) opening() (Options, error) {
	o := p.options
	e := p.selected()
	if e == nil {
		return o, errors.New("no scenario has these letters, esc shows all")
	}
	o.Argument = e.Name
	if p.kernel != "" {
		o.Change.Kernel = p.kernel
	}
	var err error
	o.Scenario, err = scenarios.Load(e.Name)
	return o, err
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
	a.picker.filter, a.picker.kernel, a.picker.row = "", "", 0
	a.say("all scenarios")
	return nil
}

func (a *app) pickNewer() tea.Cmd { return a.pickKernel(1) }
func (a *app) pickOlder() tea.Cmd { return a.pickKernel(-1) }

// pickKernel leaves the cases that show on the next kernel; behind the last come all
// scenarios again.
func (a *app) pickKernel(dir int) tea.Cmd {
	names := []string{""}
	for _, k := range scheduler.Profiles() {
		names = append(names, k.Name)
	}
	p := a.picker
	at := slices.Index(names, p.kernel) + dir
	p.kernel, p.row = names[(at+len(names))%len(names)], 0
	if p.kernel == "" {
		a.say("all scenarios")
	} else {
		a.say("cases that show on " + p.kernel + ", and open on it")
	}
	return nil
}

// pickOpen opens the selected scenario.
func (a *app) pickOpen() tea.Cmd {
	o, err := a.picker.opening()
	if err == nil {
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
