package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
	"zerolag/views"
)

// pane is what stands beside or below the strips.
type pane uint8

const (
	paneNone pane = iota
	paneDecision
	paneSteps
	paneFeatures
	paneInspector
	paneLog
	paneStats
	paneBranches
	paneMachine
	paneGroups
	paneOrigin
	paneTree
	paneCurves
	paneVersus
	paneWaits
	paneConditions
	paneWatches
	paneEdit // keeps tab for itself, so it is the last
	numPanes
)

// togglePane opens a pane, or closes it if it is open.
func (a *app) togglePane(p pane) tea.Cmd {
	if a.pane == p {
		a.pane = paneNone
		return nil
	}
	a.openPane(p)
	return nil
}

func (a *app) openPane(p pane) {
	a.pane = p
	switch p {
	case paneLog:
		a.s.cursors[p] = a.s.run.Index()
	case paneBranches:
		a.s.cursors[p] = slices.IndexFunc(a.s.run.Branches(), isCurrent)
	case paneInspector:
		if focus := a.s.focus(); focus != nil {
			a.s.subject = max(slices.Index(a.s.subjects(), subject{kind: subjectEntity, id: int32(focus.ID)}), 0)
		}
	case paneFeatures:
		a.s.cursors[p] = a.s.tellingFeature(a.s.cursors[p])
	case paneTree, paneWaits:
		a.s.page = 0
	case paneCurves:
		a.s.page = 0
		a.s.chooseCurvePoint()
	case paneDecision:
		a.s.page = 0
		a.s.cursors[p] = a.decidingRow()
	case paneEdit:
		a.s.chooseAltered()
	case paneNone, paneSteps, paneStats, paneMachine, paneGroups, paneOrigin, paneVersus, paneConditions, paneWatches, numPanes:
	}
}

// decidingRow is the row of the decision table that decided: where the table is
// longer than the pane, the pane begins around it.
func (a *app) decidingRow() int {
	_, t := a.s.decisionTable(a.paneRoom().width)
	for i, row := range slices.Backward(t.Rows) {
		if row.Style == views.StyleWhy {
			return i
		}
	}
	return 0
}

func (a *app) nextTab() tea.Cmd     { return a.turn(1) }
func (a *app) previousTab() tea.Cmd { return a.turn(-1) }

// turn goes to the next pane; inside the inspector and the decisions to what they
// show next.
func (a *app) turn(dir int) tea.Cmd {
	s := a.s
	switch a.pane {
	case paneDecision:
		if next := s.page + dir; next >= 0 && next < len(s.decisions(a.paneRoom().width)) {
			s.page = next
			s.cursors[paneDecision] = a.decidingRow()
			return nil
		}
	case paneCurves, paneWaits:
		if s.turnCurves(dir) {
			return nil
		}
	case paneTree:
		if next := s.page + dir; next >= 0 && next < len(s.treeQueues()) {
			s.page = next
			return nil
		}
	case paneInspector:
		if next := s.subject + dir; next >= 0 && next < len(s.subjects()) {
			s.subject = next
			return nil
		}
	case paneEdit:
		s.nextAltered(dir)
		return nil
	case paneVersus:
		if s.turnVersus(dir) {
			return nil
		}
	case paneNone, paneSteps, paneFeatures, paneLog, paneStats, paneBranches, paneMachine, paneGroups, paneOrigin, paneConditions, paneWatches, numPanes:
	}
	a.openPane(pane((int(a.pane) + dir + int(numPanes)) % int(numPanes)))
	return nil
}

func (a *app) nextRow() tea.Cmd     { return a.moveRow(1) }
func (a *app) previousRow() tea.Cmd { return a.moveRow(-1) }

// moveRow moves the selection of the open pane; without one, that of the strips.
func (a *app) moveRow(dir int) tea.Cmd {
	s := a.s
	rows := 0
	switch a.pane {
	case paneNone:
		a.selectEntity(dir)
		return nil
	case paneSteps:
		return a.stepRow(dir)
	case paneMachine:
		if why := a.lacksCPUs(); why != "" {
			a.say(why)
			return nil
		}
		return a.selectCPU(dir)
	case paneOrigin:
		a.moveOrigin(dir)
		return nil
	case paneLog:
		rows = s.run.Known()
	case paneWatches:
		rows = len(s.watches.Texts())
	case paneDecision, paneFeatures, paneInspector, paneStats, paneBranches, paneGroups, paneEdit, paneVersus, paneWaits, paneConditions, paneTree, paneCurves, numPanes:
		rows = len(s.paneView(a.pane, a.paneRoom()).Table.Rows)
	}
	next := s.cursors[a.pane] + dir
	if next < 0 || next >= rows {
		a.say("no further row")
		return nil
	}
	s.cursors[a.pane] = next
	if a.pane == paneFeatures {
		a.say(featureText(s.feature(), s.workload.Config.CPUs))
	}
	return nil
}

// stepRow goes to the next sub-step without leaving the event.
func (a *app) stepRow(dir int) tea.Cmd {
	next := a.s.run.Sub() + dir
	if next < 0 || next >= len(a.s.run.Steps()) {
		a.say("no further sub-step in this event")
		return nil
	}
	return a.subStep(dir, "")
}

// selectEntity selects the next entity of the shown CPU.
func (a *app) selectEntity(dir int) {
	s := a.s
	list := s.members()
	if len(list) == 0 {
		a.say("nobody is on " + cpuName(s.cpu()))
		return
	}
	i := slices.Index(list, s.selected)
	switch {
	case i < 0 && dir < 0:
		i = len(list) - 1
	case i < 0:
		i = 0
	default:
		i = (i + dir + len(list)) % len(list)
	}
	s.selected = list[i]
	e := s.run.Frame().Entity(s.selected)
	a.say("selected " + e.Name + ": i shows its fields, s follows it, esc unselects")
}

func (a *app) escape() tea.Cmd {
	switch {
	case a.pane != paneNone:
		a.pane = paneNone
	case a.s.selected != scheduler.NoEntity:
		a.s.selected = scheduler.NoEntity
	default:
		a.say("nothing to close")
	}
	return nil
}

func (a *app) nothingToSelect() string {
	switch {
	case a.pane == paneFeatures || a.pane == paneBranches || a.pane == paneEdit || a.pane == paneConditions:
		return ""
	case a.pane == paneMachine:
		return a.lacksCPUs()
	}
	return "nothing to switch here, f opens the features, B the branches, E edits"
}

func (a *app) selectRow() tea.Cmd {
	switch a.pane {
	case paneBranches:
		return a.reopen()
	case paneMachine:
		return a.changeDisplay()
	case paneEdit:
		return a.alter(false)
	case paneConditions:
		return a.switchCondition()
	case paneWatches:
		return a.goToChange()
	case paneNone, paneDecision, paneSteps, paneFeatures, paneInspector, paneLog, paneStats, paneGroups, paneOrigin, paneTree, paneCurves, paneVersus, paneWaits, numPanes:
	}
	return a.switchHere()
}

// enterRow opens what the selected row stands for.
func (a *app) enterRow() tea.Cmd {
	switch a.pane {
	case paneLog:
		a.s.run.Seek(a.s.cursors[paneLog])
		a.s.arrive()
	case paneBranches:
		return a.reopen()
	case paneEdit:
		return a.alter(false)
	case paneNone:
		a.unfold()
	case paneFeatures:
		a.say("space switches the feature here, S from the start of the run")
	case paneMachine:
		a.nextOfCPU()
	case paneInspector:
		a.originOfRow()
	case paneOrigin:
		a.goToOrigin()
	case paneVersus:
		return a.enterDifference()
	case paneCurves:
		a.goToPoint()
	case paneWaits:
		return a.goToWait()
	case paneConditions:
		return a.switchCondition()
	case paneWatches:
		return a.goToChange()
	case paneDecision, paneSteps, paneStats, paneGroups, numPanes:
		a.say("nothing to open here")
	}
	return nil
}

// unfold gives the members of a group rows of their own, or folds them.
func (a *app) unfold() {
	s := a.s
	focus := s.focus()
	if focus == nil {
		a.say("there is no entity to unfold")
		return
	}
	group := focus.ID
	if focus.Owns == scheduler.NoQueue {
		group = focus.Parent
	}
	if group == scheduler.NoEntity {
		a.say(focus.Name + " is in no group: nothing to unfold")
		return
	}
	f := s.run.Frame()
	cpu := f.Entity(group).CPU
	inside := slices.DeleteFunc(views.Living(f, cpu), func(id scheduler.EntityID) bool { return f.Entity(id).Parent != group })
	strips := views.Strips{Unfolded: s.unfolded, Closed: s.closed}
	name := f.Entity(group).Name + " on " + cpuName(cpu)
	if len(inside) == 0 {
		a.say(name + " has no members: nothing to unfold")
		return
	}
	if strips.Folds(group, len(inside), cpu != s.cpu()) {
		s.unfolded, s.closed = append(s.unfolded, group), without(s.closed, group)
		a.say("unfolded " + name)
		return
	}
	s.unfolded, s.closed = without(s.unfolded, group), append(s.closed, group)
	a.say("folded " + name)
}

// without is list without id.
func without(list []scheduler.EntityID, id scheduler.EntityID) []scheduler.EntityID {
	return slices.DeleteFunc(list, func(x scheduler.EntityID) bool { return x == id })
}
