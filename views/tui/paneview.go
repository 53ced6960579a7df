package tui

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"zerolag/views"
)

// room is the space of a pane and what it is drawn with.
type room struct {
	width, rows int
	glyphs      views.Glyphs
}

// paneRoom is the space that the open pane has at most.
func (a *app) paneRoom() room {
	width := views.MainWidth(a.width)
	if width < a.width {
		width = a.width - width
	}
	return room{width - 2, a.height, a.glyphs}
}

// paneView is a pane as a table with its selected row.
func (s *session) paneView(p pane, r room) views.Pane {
	f := s.run.Frame()
	out := views.Pane{Selected: s.cursors[p]}
	switch p {
	case paneDecision:
		out.Title, out.Table = s.decisionTable(r.width)
	case paneSteps:
		out.Title = "sub-steps: < > steps through them"
		out.Table, out.Selected = s.stepTable()
		return out
	case paneFeatures:
		out.Title = "features: * flips this decision, P proposal, ! changed"
		out.Table = s.featureTable()
	case paneInspector:
		out.Title, out.Table = s.inspect(f)
	case paneLog:
		out.Title = "log"
		out.Table, out.Selected = s.log(s.cursors[p], r.rows)
		return out
	case paneStats:
		out.Title, out.Table = "tasks up to here", fitted(views.StatsTable(s.run.Stats()), r.width)
	case paneBranches:
		out.Title, out.Table = "branches: enter reopens", s.branchTable()
	case paneMachine:
		out.Title = s.machineTitle()
		out.Table, out.Selected = s.machineTable(r)
		return out
	case paneGroups:
		out.Title, out.Table = "weights of groups: loads, what is published, the formula", views.GroupTables(f, 1, r.width)
	case paneEdit:
		out.Title, out.Table = "edits at this event: enter makes one, S from the start, tab next task", s.alterTable()
	case paneCurves:
		out.Title, out.Table = s.curvePane(r)
	case paneTree:
		out.Title, out.Table = s.treeTable(r.glyphs)
	case paneOrigin:
		out.Title = s.originTitle()
		out.Table, out.Selected = s.originTable()
		return out
	case paneVersus:
		out.Title, out.Table = s.versusPane()
	case paneWaits:
		out.Title, out.Table = s.waitPane()
	case paneConditions:
		out.Title, out.Table = "stop conditions: u adds, space on/off, D removes, [ ] go", s.conditionTable()
	case paneWatches:
		out.Title = "watches: V adds, D removes, enter goes to the change before"
		out.Table, out.Selected = s.watchTable()
		return out
	case paneNone, numPanes:
	}
	out.Selected = min(out.Selected, len(out.Table.Rows)-1)
	return out
}

// marked is a pane whose rows stand for something to choose with a column that
// points at the selected one, for screens without colours.
func (p pane) marked(v views.Pane) views.Pane {
	switch p {
	case paneFeatures, paneLog, paneBranches, paneSteps, paneEdit, paneOrigin, paneCurves, paneVersus, paneWaits, paneConditions, paneWatches:
		v.Table = pointAt(v.Table, v.Selected)
	case paneNone, paneDecision, paneInspector, paneStats, paneMachine, paneGroups, paneTree, numPanes:
	}
	return v
}

func pointAt(t views.Table, selected int) views.Table {
	out := views.Table{Columns: slices.Concat([]views.Column{{}}, t.Columns), Rows: slices.Clone(t.Rows)}
	cells := make([]string, 0, len(t.Rows)*len(out.Columns))
	for i := range out.Rows {
		mark := " "
		if i == selected {
			mark = ">"
		}
		from := len(cells)
		cells = append(append(cells, mark), out.Rows[i].Cells...)
		out.Rows[i].Cells = cells[from:len(cells):len(cells)]
	}
	return out
}

// fitted is a table, turned on its side if it is too wide and fits so.
func fitted(t views.Table, width int) views.Table {
	if tableWidth(t) <= width {
		return t
	}
	if side := turned(t); tableWidth(side) <= width {
		return side
	}
	return t
}

// turned makes rows of columns: the first column becomes the head.
func turned(t views.Table) views.Table {
	out := views.Table{Columns: []views.Column{{Head: t.Columns[0].Head}}}
	for _, row := range t.Rows {
		out.Columns = append(out.Columns, views.Column{Head: row.Cells[0], Right: true})
	}
	for i, column := range t.Columns[1:] {
		cells := []string{column.Head}
		for _, row := range t.Rows {
			cells = append(cells, row.Cells[i+1])
		}
		out.Rows = append(out.Rows, views.Row{Cells: cells})
	}
	return out
}

// tableWidth is the number of columns that a table needs.
func tableWidth(t views.Table) int {
	total := 0
	for i, column := range t.Columns {
		width := ansi.StringWidth(column.Head)
		for _, row := range t.Rows {
			width = max(width, ansi.StringWidth(row.Cells[i]))
		}
		total += width + 2
	}
	return total
}
