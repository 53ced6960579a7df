package tui

import (
	"zerolag/scheduler"
	"zerolag/views"
)

// drawn is what one picture leaves to the next: memory, and texts that still
// hold. It never decides what is shown.
type drawn struct {
	canvas  *views.Canvas
	scratch views.Scratch
	log     map[logKey]views.Row
	why     views.WhyBlock
	whyFor  whyKey
	lanes   views.Lanes
	laneFor laneKey
	groups  views.Table
	groupAt groupKey
	panes   [numPanes]views.Pane
	paneFor [numPanes]paneKey

	arranged    arrangement
	arrangedFor arrangeKey
	side        []views.Pane
	place       placeTexts
	placeFor    placeKey
	found       *scheduler.Frame // see session.found; nil: not known
	foundAt     viewpoint
}

// found is the state that the event at the cursor found.
func (s *session) found() *scheduler.Frame {
	d := &s.drawn
	if at := s.viewpoint(); d.found == nil || d.foundAt != at {
		m := views.Moment{Event: s.run.Event(), Steps: s.run.Steps(), Before: s.run.Before()}
		d.found, d.foundAt = m.BeforeDecision(), at
	}
	return d.found
}

// placeKey is what the texts about a place depend on.
type placeKey struct {
	at    viewpoint
	width int
}

// placeTexts are the texts of the status lines about the place of the cursor.
type placeTexts struct {
	scenario, title, note, nextNote string
	features                        []string
}

// placeTexts are those of a screen that wide.
func (s *session) placeTexts(width int) placeTexts {
	d := &s.drawn
	if key := (placeKey{s.viewpoint(), width}); d.placeFor != key {
		d.place, d.placeFor = s.newPlaceTexts(width), key
	}
	return d.place
}

// logKey names an event.
type logKey struct {
	branch string
	index  int
}

// maxLogRows bounds the rows of the log that are kept.
const maxLogRows = 1 << 12

// logRow is the row of an event in the log.
func (s *session) logRow(index int) views.Row {
	d := &s.drawn
	key := logKey{s.run.Branch(), index}
	if row, ok := d.log[key]; ok {
		return row
	}
	if d.log == nil || len(d.log) >= maxLogRows {
		d.log = map[logKey]views.Row{}
	}
	row := views.LogRow(s.run.EventAt(index), s.run.Frame())
	d.log[key] = row
	return row
}

// whyKey is what the Why block depends on.
type whyKey struct {
	at    viewpoint
	width int
	flips bool
	hint  string
}

// whyBlock is the Why block in that many columns.
func (s *session) whyBlock(width int, hint string) views.WhyBlock {
	d := &s.drawn
	key := whyKey{s.viewpoint(), width, s.flipsReady(), hint}
	if d.whyFor != key {
		d.why, d.whyFor = views.NewWhyBlock(s.moment(width), width, hint), key
	}
	return d.why
}

// laneKey is what the lanes depend on.
type laneKey struct {
	at      viewpoint
	width   int
	shown   string // CPUs
	folding int    // groups unfolded
}

// shownLanes are the lanes in that many columns.
func (s *session) shownLanes(width int, in *views.Strips) views.Lanes {
	d := &s.drawn
	var set scheduler.CPUSet
	for _, x := range in.Others {
		set.Add(x.CPU)
	}
	key := laneKey{at: s.viewpoint(), width: width, folding: len(s.unfolded)}
	if s.manyCPUs() {
		key.shown = set.String()
	}
	if s.versus != nil {
		return views.VersusLanes(s.run, s.versus.pair.B, width, in)
	}
	if d.laneFor != key {
		d.lanes, d.laneFor = views.NewLanes(s.run, width, in), key
	}
	return d.lanes
}

// groupKey is what the table of groups depends on.
type groupKey struct {
	at    viewpoint
	width int
}

// groupTables are the groups on several CPUs, in that many columns.
func (s *session) groupTables(width int) views.Table {
	d := &s.drawn
	if key := (groupKey{s.viewpoint(), width}); d.groupAt != key {
		d.groups, d.groupAt = views.GroupTables(s.groupFrame(), views.SharingCPUs, width), key
	}
	return d.groups
}

// groupFrame is the state whose loads are told: that after the sub-step.
func (s *session) groupFrame() *scheduler.Frame {
	_, after := s.pair()
	return after
}

// paneKey is what a pane depends on.
type paneKey struct {
	at      viewpoint
	room    room
	row     int
	subject int
	page    int
	cpu     int
	display int
	known   int
}

// keptPane is a pane, made anew only if what it depends on has changed.
func (s *session) keptPane(p pane, r room) views.Pane {
	switch p {
	case paneFeatures, paneBranches, paneEdit, paneOrigin, paneTree, paneCurves, paneVersus, paneWaits, paneConditions, paneWatches:
		return s.paneView(p, r)
	case paneNone, paneDecision, paneSteps, paneInspector, paneLog, paneStats, paneMachine, paneGroups, numPanes:
	}
	key := paneKey{at: s.viewpoint(), room: r, row: s.cursors[p], subject: s.subject, page: s.page, cpu: s.cpus.selected, display: s.cpus.changes}
	if p == paneLog {
		key.known = min(s.run.Known(), s.cursors[p]+2*r.rows)
	}
	d := &s.drawn
	if d.paneFor[p] != key {
		d.panes[p], d.paneFor[p] = s.paneView(p, r), key
	}
	return d.panes[p]
}
