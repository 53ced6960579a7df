package cli

import (
	"fmt"
	"slices"
	"strings"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// subject is the scenario that a command is about, with the changes to it.
type subject struct {
	argument string // names it on the command line
	scenario *scenarios.Scenario
	changes  *changes
	workload *scheduler.Workload
}

// load reads a scenario and builds its workload. With --invariants the whole run
// is checked first.
func load(argument string, c *changes, out *output) (*subject, error) {
	s, err := scenarios.Load(argument)
	if err != nil {
		return nil, err
	}
	w, err := build(s, c.options, c.edits)
	if err != nil {
		return nil, err
	}
	sub := &subject{argument: argument, scenario: s, changes: c, workload: w}
	if c.invariants {
		return sub, sub.checkInvariants(out, (*scheduler.Sim).Check)
	}
	return sub, nil
}

// build makes a scenario's workload with features switched on the way.
func build(s *scenarios.Scenario, o scenarios.Options, edits []scheduler.Edit) (*scheduler.Workload, error) {
	w, err := s.Workload(o)
	if err != nil {
		return nil, err
	}
	for _, e := range edits {
		if !w.Config.Kernel.Knows(e.Feature.Feature) {
			return nil, fmt.Errorf("kernel %s has no feature %v: expected one of 'zerolag features --kernel %s --long'",
				w.Config.Kernel.Name, e.Feature.Feature, w.Config.Kernel.Name)
		}
	}
	w.Edits = append(slices.Clip(w.Edits), edits...)
	slices.SortStableFunc(w.Edits, compareEdits)
	return w, nil
}

// command is the command line that opens the run at a position.
func (s *subject) command(at *model.Position) string {
	return commandLine(s.argument, s.changes.options, s.changes.edits, at)
}

// inside demands that the run reaches a moment; at may be nil.
func (s *subject) inside(at *model.Position) error {
	if end := s.workload.Until; at != nil && at.Time > end {
		return fmt.Errorf("%s is after the end of the run: expected a moment up to %s, or a longer run with --until",
			scenarios.FormatTime(at.Time), scenarios.FormatTime(end))
	}
	return nil
}

// title names the run: scenario and variant.
func (s *subject) title() string {
	if v := s.changes.options.Variant; v != "" {
		return s.scenario.Name + "/" + v
	}
	return s.scenario.Name
}

// settings are kernel, tick and slice of the run in one line.
func (s *subject) settings() string {
	cfg := &s.workload.Config
	features := "default"
	if changed := views.ChangedFeatures(cfg.Kernel, cfg.Features); len(changed) > 0 {
		features = strings.Join(changed, " ")
	}
	return fmt.Sprintf("%s  kernel %s  HZ %d  base slice %s  features: %s", s.title(), cfg.Kernel.Name, cfg.HZ,
		scenarios.FormatTime(scheduler.Time(cfg.BaseSlice)), features)
}

// eachEvent simulates a workload and calls visit after every event, the start
// included, until it returns false or the run ends: before the first event at or
// after Until. rec may be nil. stuck tells that a program makes events without
// end at one time.
func eachEvent(w *scheduler.Workload, rec *scheduler.Recorder, visit func(*scheduler.Sim) bool) (stuck bool) {
	sim := scheduler.NewSim(w)
	over := func(t scheduler.Time) bool { return w.Until > 0 && t >= w.Until }
	for visit(sim) {
		if t, ok := sim.Next(); !ok || over(t) {
			break
		}
		if e, ok := sim.Step(rec); !ok || over(e.Time) {
			break
		}
	}
	return sim.Stuck()
}

// checkInvariants runs the workload with check after every event. The first event
// that breaks one is printed with the command that goes there.
func (s *subject) checkInvariants(out *output, check func(*scheduler.Sim) error) error {
	var broken error
	eachEvent(s.workload, nil, func(sim *scheduler.Sim) bool {
		if broken = check(sim); broken == nil {
			return true
		}
		var f scheduler.Frame
		sim.Frame(&f)
		e := sim.Event()
		at := model.Position{Time: e.Time, Ordinal: e.Ordinal}
		out.printf("invariant broken: %v\nafter:     %s\nreproduce: %s --invariants\n", broken, views.LogLine(e, nil, &f), s.command(&at))
		return false
	})
	if broken != nil {
		return errFailed
	}
	return nil
}

// errStuck tells why a run ended early.
func (s *subject) errStuck(at scheduler.Time) error {
	return fmt.Errorf("%s: the run is stuck at %s: a program makes events without end at one time", s.argument, scenarios.FormatTime(at))
}
