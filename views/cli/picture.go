package cli

import (
	"cmp"

	"zerolag/model"
	"zerolag/scheduler"
	"zerolag/views"
)

// wideStrips is the width from which pictures show all six decimals.
const wideStrips = 120

// drawing is how a picture is drawn.
type drawing struct {
	width      int
	glyphs     views.Glyphs
	beforeOnly bool // the state before the event instead of both
	note       string
	command    bool // the command that reopens it stands below
	trees      bool // draw the trees of the CPU's queues, too
}

// picture draws the event at the cursor of a run. asked is the position that was
// asked for, which may lie after the event.
func (s *subject) picture(run *model.Run, d drawing, asked model.Position) *views.Canvas {
	m := views.Moment{
		Profile: s.workload.Config.Kernel, Topology: s.workload.Config.Topology, Event: run.Event(), Steps: run.Steps(), Before: run.Before(), After: run.Frame(),
		Flips: views.FlipNames(run.Flips()), FlipsKnown: true, Decimals: views.ShortDecimals,
	}
	if d.width >= wideStrips {
		m.Decimals = views.FullDecimals
	}
	in := views.PictureInput{Width: d.width, Glyphs: d.glyphs, Status: s.status(run, d), Strips: s.strips(m, d), Moment: m}
	if s.workload.Config.CPUs > 1 {
		in.Groups = views.GroupTables(in.Strips.After, views.SharingCPUs, d.width)
	}
	lanes := views.NewLanes(run, d.width, &in.Strips)
	in.Lanes = &lanes
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
		Complete: run.Complete(), Time: e.Time, CPU: e.CPU, Title: views.EventTitle(e, f), Branch: views.Whereabouts(run.Branch(), e), Note: cmp.Or(views.Disagreement(e), d.note),
	}
}

// strips are the queues of the event's CPU before and after it, or before it alone,
// and the other CPUs.
func (s *subject) strips(m views.Moment, d drawing) views.Strips {
	before := m.BeforeDecision()
	in := views.Strips{
		CPU: m.Event.CPU, Before: before, After: m.After, BeforeLabel: "before", AfterLabel: "after", Steps: m.Steps, Origin: m.Before,
		Rulers: views.FitRulers(views.AxisAbsolute, views.RulerColumns(d.width), m.States()...),
		Woken:  scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
	}
	if cpus := s.workload.Config.CPUs; cpus > 1 {
		display := views.FirstDisplays(s.scenario.Show, cpus)
		in.Others, in.Idle = views.Arrange(m.After, m.Steps, m.Event.CPU, display, d.width >= wideStrips)
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
