package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
	"zerolag/views"
)

// rowOwner marks a row of a list, so that it can be clicked.
func rowOwner(i int) views.Owner { return views.Owner{Kind: views.OwnerRow, ID: int32(i)} }

// mouse carries out what the mouse asks for. Everything it can do has a key: the
// wheel steps, a press on the lanes goes to that time and dragging follows, a press
// on a row selects it and one on a selected row opens or switches it.
func (a *app) mouse(m tea.MouseMsg) tea.Cmd {
	if a.prompt != nil || a.question != nil || a.shown == nil {
		return nil
	}
	switch {
	case m.Button == tea.MouseButtonWheelDown:
		return a.wheel(1, m)
	case m.Button == tea.MouseButtonWheelUp:
		return a.wheel(-1, m)
	case m.Action == tea.MouseActionRelease:
		a.dragging = false
	case m.Button != tea.MouseButtonLeft || a.help != nil:
	case m.Action == tea.MouseActionMotion && a.dragging:
		return a.scrub(m.X)
	case m.Action == tea.MouseActionPress:
		a.dirty = true
		a.say("")
		return a.pressed(m.X, m.Y)
	}
	return nil
}

// wheel moves through what the mouse is on: the list on the whole screen, the rows
// of the open pane, else the events.
func (a *app) wheel(dir int, m tea.MouseMsg) tea.Cmd {
	a.dirty = true
	a.say("")
	on := a.shown.At(m.X, m.Y).Owner.Kind
	switch {
	case a.help != nil:
		return a.scrollHelp(dir)
	case a.s == nil:
		return a.pickRow(dir)
	case a.pane != paneNone && slices.Contains([]views.OwnerKind{views.OwnerRow, views.OwnerFeature, views.OwnerLog}, on):
		return a.moveRow(dir)
	}
	a.s.playing = false
	return a.step(dir)
}

// pressed is a press of the left button.
func (a *app) pressed(x, y int) tea.Cmd {
	owner := a.shown.At(x, y).Owner
	if a.s == nil {
		return a.pressedPicker(owner)
	}
	if views.OnLanes(a.shown, y) {
		a.dragging = true
		return a.scrub(x)
	}
	s := a.s
	switch owner.Kind {
	case views.OwnerEntity:
		a.pressedEntity(scheduler.EntityID(owner.ID))
	case views.OwnerLog:
		s.run.Seek(int(owner.ID))
		s.arrive()
	case views.OwnerFeature:
		row := slices.IndexFunc(s.features(), func(d scheduler.FeatureDefault) bool { return d.Feature == scheduler.Feature(owner.ID) })
		return a.pressedRow(paneFeatures, row)
	case views.OwnerRow:
		return a.pressedRow(a.pane, int(owner.ID))
	case views.OwnerNone, views.OwnerQueue, views.OwnerTask, views.OwnerLane:
	}
	return nil
}

func (a *app) pressedPicker(owner views.Owner) tea.Cmd {
	if owner.Kind != views.OwnerRow {
		return nil
	}
	if a.picker.row == int(owner.ID) {
		return a.pickOpen()
	}
	a.picker.row = int(owner.ID)
	return nil
}

// pressedRow selects a row of a pane; one that is selected is switched, made or
// reopened.
func (a *app) pressedRow(p pane, row int) tea.Cmd {
	s := a.s
	if a.pane != p || row < 0 {
		return nil
	}
	if s.cursors[p] == row {
		return a.selectRow()
	}
	s.cursors[p] = row
	if p == paneFeatures {
		a.say(featureText(s.feature(), s.workload.Config.CPUs))
	}
	return nil
}

// pressedEntity selects an entity, or unselects the selected one.
func (a *app) pressedEntity(id scheduler.EntityID) {
	s := a.s
	if s.selected == id {
		s.selected = scheduler.NoEntity
		return
	}
	s.selected = id
	if e := s.run.Frame().Entity(id); e != nil {
		a.say("selected " + e.Name + ": i shows its fields, s follows it, esc unselects")
	}
}

// scrub goes to the last event that a column of the lanes shows.
func (a *app) scrub(x int) tea.Cmd {
	s := a.s
	t, ok := s.drawn.lanes.Axis.Latest(x)
	if !ok {
		return nil
	}
	s.playing = false
	a.reach(t, "simulating", func() {
		s.run.SeekTime(t)
		s.arrive()
	})
	a.dirty = true
	return nil
}
