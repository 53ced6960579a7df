package tui

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"zerolag/scheduler"
	"zerolag/views"
)

// The smallest screen that something is drawn on.
const (
	minWidth  = 20
	minHeight = 5
)

// longDecimals is the width of the strips from which values show all six
// decimals.
const longDecimals = 120

// draw makes the picture of whatever is shown.
func (a *app) draw() string {
	if a.width <= 0 || a.height <= 0 {
		return ""
	}
	if a.width < minWidth || a.height < minHeight {
		c := views.NewCanvas(a.width, a.height)
		c.Text(0, 0, "too small", views.StyleNote)
		return c.String(a.styles)
	}
	c := a.canvas()
	a.shown = c
	a.drawAsking(c)
	return c.String(a.styles)
}

// canvas is the picture without what is asked of the user.
func (a *app) canvas() *views.Canvas {
	if a.help == nil && a.s != nil {
		a.s.drawn.canvas = views.Screen(a.presented(a.s.screen(a)))
		return a.s.drawn.canvas
	}
	c := views.NewCanvas(a.width, a.height)
	if a.help != nil {
		a.drawHelp(c)
	} else {
		a.drawPicker(c)
	}
	return c
}

// drawAsking draws the prompt or the question over the last two rows.
func (a *app) drawAsking(c *views.Canvas) {
	switch last := a.height - 1; {
	case a.question != nil:
		clearRows(c, last)
		c.Text(0, last, a.question.text, views.StyleNote)
	case a.prompt != nil:
		clearRows(c, last-1)
		a.prompt.draw(c, last-1)
	}
}

// clearRows blanks the rows from y on.
func clearRows(c *views.Canvas, y int) {
	for ; y < c.Height(); y++ {
		c.Fill(0, c.Width(), y, ' ', views.StyleText)
	}
}

// draw draws the line and below it a caret with the fault, or what is expected.
// Of a text that is too long the part around the cursor is shown.
func (p *prompt) draw(c *views.Canvas, y int) {
	x := c.Text(0, y, p.label+": ", views.StyleHeader)
	room := max(c.Width()-x-1, 1)
	text, at := []rune(p.line.Value()), p.line.Position()
	from := max(at-room, 0)
	c.Text(x, y, string(text[from:]), views.StyleText)
	under := " "
	if at < len(text) {
		under = string(text[at])
	}
	c.Text(x+ansi.StringWidth(string(text[from:at])), y, under, views.StyleSelect)
	if p.fault == "" {
		c.Text(0, y+1, ansi.Truncate(p.hint+"   [enter] [esc]", c.Width(), "..."), views.StyleDim)
		return
	}
	fault := p.fault
	at = 0
	if p.column >= 0 {
		at = x + ansi.StringWidth(string(text[min(from, p.column):p.column]))
		fault = "^ " + fault
		if before := fmt.Sprintf("%s ^", p.fault); at+len(fault) > c.Width() && len(before) <= at+1 {
			fault, at = before, at+1-len(before)
		}
	}
	c.Text(at, y+1, ansi.Truncate(fault, max(c.Width()-at, 1), "..."), views.StyleError)
}

// drawHelp lists the keys.
func (a *app) drawHelp(c *views.Canvas) {
	c.Text(0, 0, "zerolag: keys", views.StyleHeader)
	rows := a.helpRows()
	rows = rows[min(a.help.from, len(rows)):]
	t := views.Table{Columns: []views.Column{{}, {}}, Rows: rows[:min(len(rows), a.helpRoom())]}
	t.Draw(c.Sub(0, 1, a.width, a.helpRoom()), -1, a.glyphs)
	a.drawFoot(c, helpHints())
}

// drawFoot draws message and hints into the last rows.
func (a *app) drawFoot(c *views.Canvas, hints []views.KeyHelp) {
	style := views.StyleNote
	if a.fault {
		style = views.StyleError
	}
	c.Text(0, a.height-2, a.message, style)
	x := 0
	for _, h := range hints {
		x = c.Text(x, a.height-1, h.Keys, views.StyleKey)
		x = c.Text(x+1, a.height-1, h.Short, views.StyleDim) + 2
	}
}

// screen is everything that the screen of a session shows.
func (s *session) screen(a *app) views.ScreenInput {
	hint := "   [d]"
	if a.pane == paneDecision {
		hint = ""
	}
	main := views.MainWidth(a.width)
	in := views.ScreenInput{
		Width: a.width, Height: a.height, Glyphs: a.glyphs, Status: s.status(a.width), Strips: s.strips(), Why: s.whyBlock(main, hint),
		Message: a.message, MessageError: a.fault, Keys: a.keyLine(), Side: s.side(a), Canvas: s.drawn.canvas,
	}
	in.Lanes = s.shownLanes(main, &in.Strips)
	if s.versus != nil {
		in.Why = views.NewVersusBlock(s.moment(main), s.versusInput(main), main)
	}
	if s.manyCPUs() && len(s.workload.Groups) > 0 {
		in.Groups = s.groupTables(main)
	}
	if a.pane != paneNone {
		p := a.pane.marked(s.keptPane(a.pane, a.paneRoom()))
		in.Pane = &p
	}
	if a.prompt != nil {
		in.Message = a.prompt.label
	}
	return in
}

// stepText is the sub-step at the cursor in one line.
func (s *session) stepText(decimals int) string {
	steps := s.run.Steps()
	return fmt.Sprintf("%d/%d ", s.run.Sub()+1, len(steps)) +
		views.StepLine(&steps[s.run.Sub()], s.workload.Config.Kernel, s.run.Frame(), decimals)
}

// side is what spare room shows beside what is open. Small screens have none.
func (s *session) side(a *app) []views.Pane {
	if a.height < 30 {
		return nil
	}
	side := s.drawn.side[:0]
	for _, p := range []pane{paneLog, paneSteps, paneInspector, paneStats} {
		if p == a.pane {
			continue
		}
		v := s.keptPane(p, a.paneRoom())
		if p != paneLog && p != paneSteps {
			v.Selected = -1
		}
		side = append(side, v)
	}
	s.drawn.side = side
	return side
}

// status is what the lines above the axis say on a screen that wide.
func (s *session) status(width int) views.Status {
	run, cfg, texts := s.run, &s.workload.Config, s.placeTexts(width)
	e := s.run.Event()
	st := views.Status{
		Scenario: texts.scenario, Kernel: cfg.Kernel.Name, HZ: cfg.HZ, BaseSlice: run.Frame().BaseSlice, Features: texts.features,
		Event: run.Index(), Known: run.Known() - 1, Complete: run.Complete(), Time: e.Time, CPU: e.CPU,
		Title: texts.title, Branch: views.Whereabouts(run.Branch(), e), Elsewhere: s.elsewhere, Play: s.playText(), Note: texts.note, NextNote: texts.nextNote,
	}
	if s.versus != nil {
		st.Note, st.NextNote = s.versusNote(), ""
	}
	if s.scope.kind != scopeAll {
		st.Scope = s.scopeName()
	}
	return st
}

// newPlaceTexts makes the texts about the place of the cursor.
func (s *session) newPlaceTexts(width int) placeTexts {
	run, f := s.run, s.run.Frame()
	texts := placeTexts{
		scenario: s.scenario.Name, title: views.EventTitle(run.Event(), f), features: views.ChangedFeatures(s.workload.Config.Kernel, f.Features),
	}
	if s.change.Variant != "" {
		texts.scenario += "/" + s.change.Variant
	}
	if sub := run.Sub(); sub >= 0 {
		steps := run.Steps()
		texts.title += fmt.Sprintf(", sub-step %d/%d: %s", sub+1, len(steps), views.StepTitle(&steps[sub], f))
		texts.note = s.stepText(decimals(width))
		return texts
	}
	texts.note, texts.nextNote = s.note()
	if ansi.StringWidth("! "+texts.note+"  "+texts.nextNote) > width {
		texts.nextNote = ""
	}
	return texts
}

func (s *session) strips() views.Strips {
	e := s.run.Event()
	in := views.Strips{
		CPU: s.cpu(), BeforeLabel: "before", AfterLabel: "after", Steps: s.run.Steps(), Origin: s.run.Before(),
		Rulers: s.look.rulers, Shifts: s.look.shifts, Refit: s.look.refit, Woken: scheduler.NoTask, Picked: s.picked(),
		Selected: s.selected, Unfolded: s.unfolded, Closed: s.closed, ShowZero: s.layout == layoutZero,
		FoldHint: "[enter] unfold", Scratch: &s.drawn.scratch,
	}
	arranged := s.arrange()
	in.Others, in.Idle = arranged.others, arranged.idle
	in.Before, in.After = s.pair()
	if s.layout == layoutOne {
		in.Before = nil
	}
	if e.Kind == scheduler.EventWakeup || e.Kind == scheduler.EventFork {
		in.Woken = e.Task
	}
	if sub := s.run.Sub(); sub >= 0 {
		in.AfterLabel = views.StepState(in.Steps[sub].Kind)
		in.BeforeLabel = stateBefore(in.Steps[:sub])
		in.Steps, in.Span = in.Steps[:sub+1], "in this "+e.Kind.String()
	}
	if s.versus != nil {
		return s.versusStrips(in)
	}
	return in
}

// stateBefore names the state that steps have left: that of the last one that
// could move something.
func stateBefore(steps []scheduler.Step) string {
	for _, step := range slices.Backward(steps) {
		if views.Moves(step.Kind) {
			return views.StepState(step.Kind)
		}
	}
	return "before"
}

// pair is the state before and after what the cursor stands on. Before a whole
// event the running entity is shown charged up to it, so that time which merely
// passed does not look like the event's doing.
func (s *session) pair() (before, after *scheduler.Frame) {
	if s.run.Sub() >= 0 {
		return s.run.Pair()
	}
	return s.found(), s.run.Frame()
}

func (s *session) moment(width int) views.Moment {
	m := views.Moment{
		Profile: s.workload.Config.Kernel, Topology: s.workload.Config.Topology, Event: s.run.Event(), Steps: s.run.Steps(),
		Before: s.run.Before(), After: s.run.Frame(), Decimals: decimals(width),
	}
	m.FlipsKnown = s.flipsReady()
	if m.FlipsKnown {
		m.Flips = s.flips
	}
	return m
}

// decimals is how exactly values in ms are shown on a screen that wide.
func decimals(width int) int {
	if views.MainWidth(width) >= longDecimals {
		return views.FullDecimals
	}
	return views.ShortDecimals
}
