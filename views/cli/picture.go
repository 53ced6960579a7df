package cli

import (
	"zerolag/model"
	"zerolag/scheduler"
	"zerolag/views"
)

// maxLanes bounds the tasks that have a real-time lane in a picture.
const maxLanes = 8

// wideStrips is the width from which pictures show all six decimals.
const wideStrips = 120

// drawing is how a picture is drawn.
type drawing struct {
	width      int
	glyphs     views.Glyphs
	beforeOnly bool // the state before the event instead of both
	note       string
	command    bool // the command that reopens it stands below
}

// picture draws the event at the cursor of a run. asked is the position that was
// asked for, which may lie after the event.
func (s *subject) picture(run *model.Run, d drawing, asked model.Position) *views.Canvas {
	m := views.Moment{
		Profile: s.workload.Config.Kernel, Event: run.Event(), Steps: run.Steps(), Before: run.Before(), After: run.Frame(),
		Flips: views.FlipNames(run.Flips()), FlipsKnown: true, Decimals: views.ShortDecimals,
	}
	if d.width >= wideStrips {
		m.Decimals = views.FullDecimals
	}
	lanes := s.lanes(run, d.width)
	in := views.PictureInput{Width: d.width, Glyphs: d.glyphs, Status: s.status(run, d), Strips: strips(m, d), Moment: m, Lanes: &lanes}
	in.Status.Uncharged = max(asked.Time-m.Event.Time, 0)
	if d.command {
		in.Command = s.reproducing(asked)
	}
	return views.Picture(in)
}

func (s *subject) status(run *model.Run, d drawing) views.Status {
	e, f, cfg := run.Event(), run.Frame(), &s.workload.Config
	return views.Status{
		Scenario: s.title(), Kernel: cfg.Kernel.Name, HZ: cfg.HZ, BaseSlice: f.BaseSlice,
		Features: views.ChangedFeatures(cfg.Kernel, f.Features), Event: run.Index(), Known: run.Known() - 1,
		Complete: run.Complete(), Time: e.Time, CPU: e.CPU, Title: views.EventTitle(e, f), Branch: run.Branch(), Note: d.note,
	}
}

// strips are the queues of the event's CPU before and after it, or before it alone.
func strips(m views.Moment, d drawing) views.Strips {
	before := m.BeforeDecision()
	in := views.Strips{
		CPU: m.Event.CPU, Before: before, After: m.After, BeforeLabel: "before", AfterLabel: "after", Steps: m.Steps, Origin: m.Before,
		Rulers: views.FitRulers(views.AxisAbsolute, views.RulerColumns(d.width), before, m.After),
		Woken:  scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
	}
	if d.beforeOnly && before != nil {
		in.Before, in.After, in.AfterLabel, in.Steps = nil, before, "before", nil
		return in
	}
	if m.Event.Kind == scheduler.EventWakeup || m.Event.Kind == scheduler.EventFork {
		in.Woken = m.Event.Task
	}
	for _, step := range m.Steps {
		if step.Kind == scheduler.StepPick {
			in.Picked = step.Other
		}
	}
	return in
}

// lanes are the real-time rows of the event's CPU.
func (s *subject) lanes(run *model.Run, width int) views.Lanes {
	e, f := run.Event(), run.Frame()
	axis := views.FitLanes(views.LaneColumns(width), scheduler.TickLength(s.workload.Config.HZ), e.Time)
	l := views.Lanes{Axis: axis, Cursor: e.Time, Ticks: s.ticks(axis, e.CPU)}
	first, end := run.Range(axis.From, min(e.Time+1, axis.To()))
	for t := range f.TaskEntity {
		task := f.Task(scheduler.TaskID(t))
		if task.CPU != e.CPU || len(l.Rows) == maxLanes {
			continue
		}
		lane := views.Lane{Task: task.Task, Name: task.Name, Segments: run.Segments(task.Task, axis.From, min(e.Time, axis.To()))}
		for i := first; i < end; i++ {
			if r := run.Record(i); r.Kind == scheduler.EventWakeup && r.Task == task.Task {
				lane.Wakeups = append(lane.Wakeups, r.Time)
			}
		}
		l.Rows = append(l.Rows, lane)
	}
	return l
}

// ticks are the times of a CPU's ticks in the window of the lanes.
func (s *subject) ticks(axis views.LaneAxis, cpu int) []scheduler.Time {
	offset := scheduler.Time(0)
	if s.workload.TickOffset != nil {
		offset = s.workload.TickOffset[cpu]
	}
	var ticks []scheduler.Time
	first := max((axis.From-offset+axis.Tick-1)/axis.Tick, 0)
	for t := offset + first*axis.Tick; t < axis.To(); t += axis.Tick {
		ticks = append(ticks, t)
	}
	return ticks
}
