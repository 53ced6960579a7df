package cli

import (
	"fmt"
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
	w, err := s.Workload(c.options)
	if err != nil {
		return nil, err
	}
	if warning := scenarios.Differs(scenarios.Hash(w), c.hash); warning != "" {
		fmt.Fprintf(c.stderr(), "zerolag: %s\n", warning)
	}
	sub := &subject{argument: argument, scenario: s, changes: c, workload: w}
	if c.invariants && s.Recorded() {
		return nil, fmt.Errorf("%s is a recording: expected no --invariants, 'zerolag verify %s' checks it", s.Name, scenarios.ShellWord(argument))
	}
	if c.invariants {
		return sub, sub.checkInvariants(out, (*scheduler.Sim).Check)
	}
	return sub, nil
}

// inside demands that the run reaches a moment; at may be nil.
func (s *subject) inside(at *model.Position) error {
	if end := s.workload.Until; at != nil && at.Time > end {
		return fmt.Errorf("%s is after the end of the run: expected a moment up to %s, or a longer run with --until",
			scenarios.FormatTime(at.Time), scenarios.FormatTime(end))
	}
	return nil
}

// seek goes to the last event at or before a moment, and warns if that is not the
// one whose number was asked for.
func (s *subject) seek(run *model.Run, at model.Position) {
	run.SeekPosition(at)
	if at.Ordinal > 0 && run.Position() != at {
		fmt.Fprintf(s.changes.stderr(), "zerolag: nothing happens at %s: this is the last event before\n", scenarios.Moment(at))
	}
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
