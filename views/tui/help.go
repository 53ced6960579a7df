package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/views"
)

// scroll is a list on the whole screen, from a row on.
type scroll struct{ from int }

func (a *app) openHelp() tea.Cmd {
	a.help = &scroll{}
	return nil
}

func (a *app) closeHelp() tea.Cmd {
	a.help = nil
	return nil
}

func (a *app) helpDown() tea.Cmd { return a.scrollHelp(1) }
func (a *app) helpUp() tea.Cmd   { return a.scrollHelp(-1) }

func (a *app) scrollHelp(rows int) tea.Cmd {
	last := max(len(a.helpRows())-a.helpRoom(), 0)
	next := a.help.from + rows
	if next < 0 || next > last {
		a.say("no further key")
		return nil
	}
	a.help.from = next
	return nil
}

// helpRoom is how many rows of the list are shown at once.
func (a *app) helpRoom() int { return max(a.height-3, 1) }

// helpPlace is the place whose keys are listed.
func (a *app) helpPlace() place {
	if a.s == nil {
		return placePick
	}
	return placeRun
}

// helpRows are the keys by section, each section under its name.
func (a *app) helpRows() []views.Row {
	var rows []views.Row
	for section := range numSections {
		head := views.Row{Cells: []string{section.String()}, Style: views.StyleHeader}
		for i := range a.keys {
			b := &a.keys[i]
			if b.section != section || b.place != a.helpPlace() {
				continue
			}
			if head.Cells != nil {
				rows = append(rows, head)
				head.Cells = nil
			}
			rows = append(rows, helpRow(b, b.refusal(a)))
		}
	}
	return rows
}

// helpRow is a key with what it does and, if it does nothing now, why.
func helpRow(b *binding, refusal string) views.Row {
	row := views.Row{Cells: []string{" " + b.show, b.text}}
	if refusal != "" {
		row.Style = views.StyleDim
		row.Cells[1] += " (now: " + refusal + ")"
	}
	return row
}
