package scenarios

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// recorded opens a recording of a running 6.12.117.
func recorded(t *testing.T, name string) (*Scenario, *model.Run) {
	t.Helper()
	s, err := Load("recording/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Workload(Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s, model.Open(w)
}

func recordings(t *testing.T) []string {
	t.Helper()
	dirs, err := os.ReadDir("recording/testdata")
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d recordings: %v", len(dirs), err)
	}
	var names []string
	for _, d := range dirs {
		names = append(names, d.Name())
	}
	return names
}

// Any way to an event of a recording gives the same state.
func TestRecordingIsSteppedInBothDirections(t *testing.T) {
	for _, name := range recordings(t) {
		_, forwards := recorded(t, name)
		_, jumping := recorded(t, name)
		forwards.Extend(1 << 20)
		if !forwards.Complete() || forwards.Known() != len(forwards.Workload().Tape.Events)+1 {
			t.Fatalf("%s: %d events known", name, forwards.Known())
		}
		for i := forwards.Known() - 1; i >= 0; i -= 7 {
			jumping.Seek(i)
			forwards.Seek(0)
			forwards.Seek(i)
			if a, b := forwards.Frame(), jumping.Frame(); !reflect.DeepEqual(a, b) {
				t.Fatalf("%s: event %d differs by the way there", name, i)
			}
		}
	}
}

// The lanes, which follow events, and the frames, which follow the machine, tell
// the same about every task that is not between two entries into the scheduler.
func TestRecordedTasksAreWhereTheLanesSay(t *testing.T) {
	for _, name := range recordings(t) {
		_, run := recorded(t, name)
		run.Extend(1 << 20)
		running := 0
		for i := range run.Known() {
			run.Seek(i)
			e := run.Event()
			between := e.Curr == e.Task && (e.Kind == scheduler.EventBlock || e.Kind == scheduler.EventExit)
			if task := run.Frame().Task(e.Curr); task != nil && !between {
				running++
				if task.State != scheduler.StateRunning || task.CPU != e.CPU {
					t.Fatalf("%s, event %d: %s runs, but is %c on cpu %d", name, i, task.Name, task.State.Letter(), task.CPU)
				}
			}
			for task := range run.Frame().TaskEntity {
				if x := run.Frame().Task(scheduler.TaskID(task)); x.Stats.Waiting && x.Stats.WaitSince > e.Time {
					t.Fatalf("%s, event %d at %d: %s waits since %d", name, i, e.Time, x.Name, x.Stats.WaitSince)
				}
			}
			if e.Time < 0 || i > 0 && run.Position().Before(run.Record(i-1).Position()) {
				t.Fatalf("%s: event %d goes back in time", name, i)
			}
		}
		if running < 30 {
			t.Errorf("%s: a task runs after %d events only", name, running)
		}
	}
}

// Every event can be asked which features would change it.
func TestRecordedEventsHaveFlips(t *testing.T) {
	flips := map[string]int{}
	for _, name := range []string{"03-wakeup", "09b-smp-hogs"} {
		_, run := recorded(t, name)
		for run.Step(1) {
			for _, f := range run.Flips() {
				flips[f.Setting.String()]++
			}
			if len(run.Steps()) == 0 && run.Event().Kind == scheduler.EventTick {
				t.Errorf("%s: the tick of event %d has no steps", name, run.Index())
			}
		}
	}
	for _, name := range []string{"NO_WAKEUP_PREEMPTION", "NO_RUN_TO_PARITY"} {
		if flips[name] == 0 {
			t.Errorf("%s changes no event: %v", name, flips)
		}
	}
}

func TestRecordingTellsWhatItIs(t *testing.T) {
	s, run := recorded(t, "08c-yield")
	if !s.Recorded() || s.Name != "08c-yield" || !strings.Contains(s.Source, "6.12.117") || run.Branch() != "recorded" {
		t.Errorf("name %q, source %q, branch %q", s.Name, s.Source, run.Branch())
	}
	if len(s.Bookmarks) == 0 || s.Bookmarks[0].Note != "wl go" {
		t.Fatalf("bookmarks %v: expected what was written into the trace", s.Bookmarks)
	}
	for _, b := range s.Bookmarks {
		at := model.Position{Time: b.Time, Ordinal: b.Ordinal}
		run.SeekPosition(at)
		if run.Position() != at {
			t.Errorf("bookmark %v is at no event", b)
		}
	}
	kinds := map[scheduler.EventKind]int{}
	run.Extend(1 << 20)
	for i := range run.Known() {
		kinds[run.Record(i).Kind]++
	}
	if kinds[scheduler.EventYield] != 13 || kinds[scheduler.EventFork] != 4 || kinds[scheduler.EventTick] == 0 || kinds[scheduler.EventExit] == 0 {
		t.Errorf("kinds of events: %v", kinds)
	}
	if _, ok := s.Task("t0-hog-182"); ok {
		t.Error("tasks of a recording are found by name in the run, not in the file")
	}
}

func TestRecordingCannotBeChanged(t *testing.T) {
	s, run := recorded(t, "08c-yield")
	f, _ := scheduler.ParseFeature("NO_RUN_TO_PARITY")
	for want, o := range map[string]Options{
		"kernel": {Kernel: "7.2"}, "variant": {Variant: "x"}, "HZ": {HZ: 1000}, "base slice": {BaseSlice: scheduler.Millisecond},
		"features": {Features: []scheduler.FeatureSetting{f}}, "edits": {Edits: make([]scheduler.Edit, 1)},
	} {
		if _, err := s.Workload(o); err == nil || !strings.Contains(err.Error(), "is a recording: expected no other "+want) {
			t.Errorf("%s: got %v", want, err)
		}
	}
	run.Seek(5)
	if err := run.Apply(scheduler.Edit{Kind: scheduler.EditFeature, Feature: f}); err == nil || !strings.Contains(err.Error(), "this is a recording") {
		t.Errorf("edit: got %v", err)
	}
	w, err := s.Workload(Options{Kernel: "6.12.y", Until: 10 * scheduler.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	short := model.Open(w)
	if short.Extend(1 << 20); !short.Complete() || short.Record(short.Known()-1).Time >= 10*scheduler.Millisecond {
		t.Errorf("the run goes on to event %d", short.Known())
	}
}

func TestRecordingHoldsNoSession(t *testing.T) {
	s, _ := recorded(t, "08c-yield")
	if _, err := Write(s, Session{}); err == nil || !strings.Contains(err.Error(), "08c-yield is a recording") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadableRecordingIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trace.txt"), []byte("# tracer: nop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "expected meta.json or meta.txt beside the trace") {
		t.Errorf("got %v", err)
	}
}
