package scenarios

import (
	"fmt"
	"path/filepath"
	"strings"

	"zerolag/scenarios/recording"
	"zerolag/scheduler"
)

// fromRecording makes a scenario of the recording in a trace file: its run plays
// what the kernel did. What was written into the trace are bookmarks.
func fromRecording(argument, trace string) (*Scenario, error) {
	rec, err := recording.Load(trace)
	if err != nil {
		return nil, err
	}
	w, marks := rec.Workload()
	s := &Scenario{
		Name: recordingName(argument), src: &source{file: trace}, recorded: w,
		About:  fmt.Sprintf("What a running kernel did, %d events as they were recorded.", len(w.Tape.Events)),
		Source: "recording of Linux " + w.Tape.Release,
	}
	for _, t := range w.Tasks {
		s.names.list = append(s.names.list, t.Name)
	}
	for _, m := range marks {
		at := w.Tape.Events[m.Event].At
		ordinal := 0
		for i := m.Event; i > 0 && w.Tape.Events[i-1].At == at; i-- {
			ordinal++
		}
		if at == 0 {
			ordinal++ // the start
		}
		s.Bookmarks = append(s.Bookmarks, Bookmark{Time: at, Ordinal: ordinal, Note: m.Text})
	}
	return s, nil
}

// recordingName is the name of the directory, or of the trace if that is what was
// named.
func recordingName(argument string) string {
	if path, err := filepath.Abs(argument); err == nil {
		argument = path
	}
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(argument), ".gz"), ".txt")
}

// Recorded tells whether the scenario is a recording of a running kernel.
func (s *Scenario) Recorded() bool { return s.recorded != nil }

// playback is the workload of a recording. Options can end it earlier; nothing
// else of what happened can be changed.
func (s *Scenario) playback(o Options) (*scheduler.Workload, error) {
	w := *s.recorded
	if o.Until != 0 {
		w.Until = o.Until
	}
	changed := ""
	switch {
	case o.Kernel != "" && o.Kernel != w.Config.Kernel.Name:
		changed = "kernel"
	case o.Variant != "":
		changed = "variant"
	case o.HZ != 0:
		changed = "HZ"
	case o.BaseSlice != 0:
		changed = "base slice"
	case len(o.Features) > 0:
		changed = "features"
	case len(o.Edits)+len(o.Changes) > 0:
		changed = "edits"
	default:
		return &w, nil
	}
	return nil, fmt.Errorf("%s is a recording: expected no other %s, because what the kernel did cannot be changed", s.Name, changed)
}
