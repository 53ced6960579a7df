package views

import (
	"fmt"

	"zerolag/model"
	"zerolag/scheduler"
)

const (
	us = int64(scheduler.Microsecond)
	ms = int64(scheduler.Millisecond)
)

func vt(ns int64) scheduler.Vtime { return scheduler.Vtime(ns) }

// profile is a kernel version by name.
func profile(name string) *scheduler.Profile {
	p, _ := scheduler.ProfileByName(name)
	return p
}

// task is a queued task entity of the root queue.
func task(id int, name string, v, deadline int64) scheduler.EntityFrame {
	return scheduler.EntityFrame{
		ID: scheduler.EntityID(id), Name: name, Task: scheduler.TaskID(id), Owns: scheduler.NoQueue, Parent: scheduler.NoEntity,
		Weight: scheduler.NiceZeroLoad, Vruntime: vt(v), Deadline: vt(deadline), Slice: uint64(2800 * us),
		OnRQ: true, State: scheduler.StateQueued,
	}
}

// machine is a frame of one CPU with one queue; eligibility and lag follow from V.
func machine(now, zeroLag int64, curr scheduler.EntityID, entities ...scheduler.EntityFrame) *scheduler.Frame {
	f := &scheduler.Frame{
		Now: scheduler.Time(now), BaseSlice: uint64(2800 * us), Features: profile("7.2").Defaults(),
		CPUs:   []scheduler.CPUFrame{{Curr: scheduler.TaskID(curr), HrtickAt: scheduler.NoTime, Clock: scheduler.Time(now)}},
		Groups: []scheduler.GroupFrame{{Name: "/", Parent: scheduler.NoGroup}},
		Queues: []scheduler.QueueFrame{{Owner: scheduler.NoEntity, Curr: curr, Next: scheduler.NoEntity, V: vt(zeroLag), Zero: vt(zeroLag)}},
	}
	for _, e := range entities {
		if e.OnRQ {
			e.Lag = f.Queues[0].V.Sub(e.Vruntime)
			f.Queues[0].Nr++
		}
		e.Eligible = e.Lag >= 0
		if e.Curr = e.ID == curr; e.Curr {
			e.State = scheduler.StateRunning
		}
		f.Entities = append(f.Entities, e)
		f.TaskEntity = append(f.TaskEntity, e.ID)
	}
	return f
}

const (
	nginxV        = 1851424
	nginxDeadline = 3751424
	serviceV      = 151424
)

func nginxEntity() scheduler.EntityFrame {
	e := task(0, "nginx", nginxV, nginxDeadline)
	e.Protected, e.ProtectedTo, e.Vprot = true, vt(nginxDeadline), vt(nginxDeadline)
	return e
}

// nginxFrames are the states around the wakeup of service at 3.1 ms.
func nginxFrames() (before, after *scheduler.Frame) {
	asleep := task(1, "service", 0, 0)
	asleep.OnRQ, asleep.State, asleep.Lag, asleep.Vlag = false, scheduler.StateSleeping, 850*us, 850*us
	before = machine(3100*us, nginxV, 0, nginxEntity(), asleep)
	after = machine(3100*us, 1001424, 0, nginxEntity(), task(1, "service", serviceV, serviceV+2800*us))
	return before, after
}

// nginxMoment is the wakeup with its check; kept tells that the runner stays.
func nginxMoment(kept bool) Moment {
	before, after := nginxFrames()
	pick, check := scheduler.ReasonPickEarliest, scheduler.ReasonCheckPicked
	fates := [2]scheduler.Fate{scheduler.FateDropped, scheduler.FateChosen}
	if kept {
		pick, check = scheduler.ReasonPickProtectedNotElig, scheduler.ReasonCheckNotPicked
		fates = [2]scheduler.Fate{scheduler.FateChosen, scheduler.FateNotAsked}
	}
	place := scheduler.Step{Kind: scheduler.StepPlace, Reason: scheduler.ReasonPlacedWithLag, Entity: 1, Other: scheduler.NoEntity, After: after}
	place.Args = []scheduler.Arg{
		{Name: scheduler.ArgLag, Value: 850 * us},
		{Name: scheduler.ArgInflated, Value: 1700 * us},
		{Name: scheduler.ArgV, Value: nginxV},
		{Name: scheduler.ArgVruntimeTo, Value: serviceV},
	}
	return Moment{
		Profile: profile("7.2"),
		Event: scheduler.Event{
			Index: 14, Time: 3100 * 1000, Kind: scheduler.EventWakeup, Task: 1, Waker: scheduler.NoTask, Curr: 0, Prev: 0, Resched: !kept,
		},
		Steps: []scheduler.Step{
			place,
			{Kind: scheduler.StepPick, Reason: pick, Entity: 1, Other: 0, After: after, Candidates: []scheduler.Candidate{
				{Entity: 0, Curr: true, Vruntime: nginxV, Deadline: nginxDeadline, Slice: 2800000, Protected: true, Visited: true, Fate: fates[0]},
				{Entity: 1, Vruntime: serviceV, Deadline: serviceV + 2800000, Slice: 2800000, Eligible: true, Visited: true, Fate: fates[1]},
			}},
			{Kind: scheduler.StepCheck, Reason: check, Entity: 1, Other: 0, After: after},
		},
		Before: before, After: after,
		Flips: []string{"RUN_TO_PARITY_WAKEUP", "NO_WAKEUP_PREEMPTION", "NO_PLACE_LAG"}, FlipsKnown: true,
	}
}

func nginxStatus() Status {
	return Status{
		Scenario: "nginx", Kernel: "7.2", HZ: 1000, BaseSlice: uint64(2800 * us), Event: 14, Known: 3241, Complete: true,
		Time: scheduler.Time(3100 * us), Title: "wakeup: service", Branch: "main", Play: "stop",
		Note: "A wakee with lag pulls V left past the runner: its new slice is lost.",
	}
}

func nginxStrips(columns int) Strips {
	before, after := nginxFrames()
	return Strips{
		Before: before, After: after, BeforeLabel: "before", AfterLabel: "after",
		Rulers: FitRulers(AxisAbsolute, columns, before, after), Woken: 1, Picked: 1, Selected: scheduler.NoEntity,
	}
}

func nginxLanes(columns int) Lanes {
	seg := func(state scheduler.TaskState, from, to int64) model.Segment {
		return model.Segment{State: state, From: scheduler.Time(from * us), To: scheduler.Time(to * us)}
	}
	l := Lanes{Axis: FitLanes(columns, scheduler.Millisecond, scheduler.Time(3100*us)), Cursor: scheduler.Time(3100 * us)}
	for t := l.Axis.From; t < l.Axis.To(); t += scheduler.Millisecond {
		l.Ticks = append(l.Ticks, t)
	}
	l.Rows = []Lane{
		{Task: 0, Name: "nginx", Segments: []model.Segment{
			seg(scheduler.StateRunning, 0, 2000), seg(scheduler.StateQueued, 2000, 2200), seg(scheduler.StateRunning, 2200, 5000),
		}},
		{Task: 1, Name: "service", Wakeups: []scheduler.Time{scheduler.Time(3100 * us)}, Segments: []model.Segment{
			seg(scheduler.StateQueued, 100, 2000), seg(scheduler.StateRunning, 2000, 2200), seg(scheduler.StateSleeping, 2200, 3100),
		}},
	}
	return l
}

func nginxKeys() []KeyHelp {
	key := func(keys, short string) KeyHelp { return KeyHelp{Keys: keys, Short: short, Text: short} }
	return []KeyHelp{
		key("h/l", "event"), key("H/L", "switch"), key("b", "strips"), key("d", "why"), key("f", "features"),
		key("i", "fields"), key("?", "keys"), key("q", "quit"),
	}
}

// nginxScreen is the whole screen at a size.
func nginxScreen(width, height int, g Glyphs) ScreenInput {
	m := nginxMoment(false)
	m.Decimals = decimalsFor(width)
	main := MainWidth(width)
	return ScreenInput{
		Width: width, Height: height, Glyphs: g, Status: nginxStatus(), Strips: nginxStrips(RulerColumns(main)),
		Why: NewWhyBlock(m, main, "   [d]"), Lanes: nginxLanes(LaneColumns(main)), Keys: nginxKeys(),
		Side: []Pane{
			{Title: "nginx", Table: EntityTable(m.After, 0), Selected: -1},
			{Title: "log", Table: LogTable([]scheduler.Event{m.Event}, 14, m.After), Selected: -1},
		},
	}
}

// crowd is a queue of n entities, half of them eligible.
func crowd(n int) *scheduler.Frame {
	var entities []scheduler.EntityFrame
	for i := range n {
		v := int64(i-n/2) * 10 * us
		entities = append(entities, task(i, fmt.Sprintf("task%d", i), v, v+2800*us))
	}
	return machine(ms, 0, scheduler.EntityID(n/2), entities...)
}
