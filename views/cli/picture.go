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
	e := run.Event()
	in := views.PictureInput{Width: d.width, Glyphs: d.glyphs, Status: s.status(run, d), Strips: strips(run, d.width)}
	in.Moment = views.Moment{
		Profile: s.workload.Config.Kernel, Event: e, Steps: run.Steps(), Before: run.Before(), After: run.Frame(),
		Flips: views.FlipNames(run.Flips()), FlipsKnown: true, Decimals: views.ShortDecimals,
	}
	if d.width >= wideStrips {
		in.Moment.Decimals = views.FullDecimals
	}
	in.Status.Uncharged = max(asked.Time-e.Time, 0)
	if before := run.Before(); d.beforeOnly && before != nil {
		in.Strips.Before, in.Strips.After, in.Strips.AfterLabel = nil, before, "before"
		in.Strips.Steps, in.Strips.Woken, in.Strips.Picked = nil, scheduler.NoTask, scheduler.NoEntity
	}
	lanes := s.lanes(run, d.width)
	in.Lanes = &lanes
	if d.command {
		in.Command = s.command(&asked)
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

// strips are the queues of the event's CPU before and after it.
func strips(run *model.Run, width int) views.Strips {
	e := run.Event()
	before, after := run.Pair()
	in := views.Strips{
		CPU: e.CPU, Before: before, After: after, BeforeLabel: "before", AfterLabel: "after", Steps: run.Steps(),
		Rulers: views.FitRulers(views.AxisAbsolute, views.RulerColumns(width), before, after),
		Woken:  scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
	}
	if e.Kind == scheduler.EventWakeup || e.Kind == scheduler.EventFork {
		in.Woken = e.Task
	}
	for _, step := range in.Steps {
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
