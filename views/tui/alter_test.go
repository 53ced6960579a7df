package tui

import (
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// choose opens the edit pane on a row.
func choose(t *testing.T, a *app, what string) {
	t.Helper()
	if a.pane != paneEdit {
		press(a, "E")
	}
	for range a.s.run.Frame().TaskEntity {
		for i, row := range a.s.alterations() {
			if row.what == what {
				a.s.cursors[paneEdit] = i
				return
			}
		}
		press(a, "tab")
	}
	t.Fatalf("no row %q", what)
}

// set types a value into the row that is chosen.
func set(a *app, value string) {
	press(a, "enter", "ctrl+u")
	typeText(a, value)
}

// alterScenario has everything that can be edited.
const alterScenario = `name: alter
kernel: 7.2
hz: 1000
cpus: 2
until: 50ms
groups: [{name: g}]
tasks:
  - {name: a, group: g, does: "run 1s"}
  - {name: b, does: "run 1ms, sleep 1ms, repeat"}
`

func openAlter(t *testing.T) *app {
	t.Helper()
	a := openWith(t, Options{Scenario: parse(t, alterScenario), ASCII: true}, 120, 50)
	press(a, ":")
	typeText(a, "5.5ms")
	return a
}

// TestEveryEditIsMadeAndSaved: each row opens a branch whose log has the edit, and
// the saved session opens on the same state.
func TestEveryEditIsMadeAndSaved(t *testing.T) {
	for what, c := range map[string]struct{ value, told string }{
		"nice of a":         {"5", "nice of a := 5 here: branch b1"},
		"policy of a":       {"batch", "policy of a := SCHED_BATCH here: branch b1"},
		"slice of a":        {"1ms", "slice of a := 1.000 ms here: branch b1"},
		"CPUs of a":         {"1", "cpus of a := 1 here: branch b1"},
		"group of a":        {"/", "a moves to / here: branch b1"},
		"put a to sleep":    {"", "put a to sleep here: branch b1"},
		"freeze a":          {"", "freeze a here: branch b1"},
		"kill a":            {"", "kill a here: branch b1"},
		"cpu.weight of /g":  {"300", "cpu.weight of /g := 300 here: branch b1"},
		"cpu.idle of /g":    {"true", "cpu.idle of /g := 1 here: branch b1"},
		"cpu.max of /g":     {"20ms/100ms", "cpu.max of /g := "},
		"add a task":        {"name: new, does: [run 1ms, wake b, sleep 1ms, repeat]", "add new here: branch b1"},
		"interrupt on cpu0": {"200us", "a higher class takes cpu0 for 0.200 ms here: branch b1"},
		"base_slice":        {"5ms", "base_slice := 5.000 ms here: branch b1"},
		"preempt":           {"lazy", "preempt := lazy here: branch b1"},
		"features":          {"NO_PLACE_LAG", "NO_PLACE_LAG here: branch b1"},
	} {
		t.Run(what, func(t *testing.T) {
			a := openAlter(t)
			choose(t, a, what)
			if c.value == "" {
				press(a, "enter")
			} else {
				set(a, c.value)
			}
			expect(t, a, c.told, "b1")
			press(a, "E")
			path := filepath.Join(t.TempDir(), "mine.yaml")
			save(a, path)
			b := reload(t, path)
			if a.s.hash() != b.s.hash() || a.s.run.Position() != b.s.run.Position() {
				t.Errorf("%s at %v is reopened as %s at %v", a.s.hash(), a.s.run.Position(), b.s.hash(), b.s.run.Position())
			}
		})
	}
}

// TestAnEditShowsWhatItSets: the pane tells the value that is in force.
func TestAnEditShowsWhatItSets(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "nice of a")
	set(a, "5")
	choose(t, a, "cpu.weight of /g")
	set(a, "300")
	expect(t, a, "nice of a           5", "cpu.weight of /g    300")
	press(a, "U", "U")
	expect(t, a, "nice of a           0", "cpu.weight of /g    100", "on main")
	press(a, "R")
	expect(t, a, "nice of a           5", "cpu.weight of /g    100")
}

// TestAnEditThatChangesNothingSaysSo.
func TestAnEditThatChangesNothingSaysSo(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "nice of a")
	press(a, "enter", "enter")
	expect(t, a, "nothing changes on main")
}

// TestSleepAndWake: a task put to sleep is out of the race until it is woken.
func TestSleepAndWake(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "put a to sleep")
	press(a, "enter", "E", "L", "L")
	if state := a.s.run.Frame().Task(0).State; state != scheduler.StateSleeping && state != scheduler.StateDelayed {
		t.Errorf("a is %v after it was put to sleep", state)
	}
	choose(t, a, "wake a")
	press(a, "enter")
	expect(t, a, "wake a here: branch b2")
}

// TestAFaultOfAnEditStandsBelowItsPlace.
func TestAFaultOfAnEditStandsBelowItsPlace(t *testing.T) {
	a := openAlter(t)
	for what, c := range map[string]struct{ value, told string }{
		"nice of a":          {"50", "^ nice is \"50\": expected an integer from -20 to 19"},
		"group of a":         {"/nowhere", "^ unknown group \"/nowhere\""},
		"add a task":         {"name: a, does: run", "      ^ duplicate task name \"a\""},
		"CPUs of a":          {"7", "there is no CPU 7"},
		"slice of a":         {"1min", "^ slice \"1min\" has the unknown unit"},
		"HZ (a new run)":     {"5", "hz is 5: expected 100 to 1000"},
		"kernel (a new run)": {"5.4", "unknown kernel \"5.4\""},
		"features":           {"NO_SUCH", "NO_SUCH"},
		"policy of a":        {"fifo", "^ policy is \"fifo\": expected other, batch or idle"},
	} {
		choose(t, a, what)
		set(a, c.value)
		expect(t, a, what+": "+c.value, c.told)
		press(a, "esc")
	}
	if n := len(a.s.run.Branches()); n != 1 {
		t.Errorf("%d branches after faults", n)
	}
}

// TestEditFromTheStart: S makes the change at time 0 and keeps the moment.
func TestEditFromTheStart(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "nice of a")
	press(a, "S", "ctrl+u")
	typeText(a, "5")
	expect(t, a, "nice of a := 5 from the start of the run: branch b1", "t 5.")
	if e := a.s.branchEdits(); len(e) != 1 || e[0].At != 0 {
		t.Errorf("edits %v, want one at 0", e)
	}
}

func TestTabChoosesTheNextTaskToEdit(t *testing.T) {
	a := openAlter(t)
	press(a, "E")
	first := a.s.altered
	press(a, "tab")
	if a.s.altered == first {
		t.Error("tab keeps the task")
	}
	press(a, "shift+tab")
	if a.s.altered != first || a.pane != paneEdit {
		t.Error("shift+tab does not go back")
	}
}

// TestTasksAddedCanBeEdited and the tasks behind keep their edits.
func TestTasksAddedCanBeEdited(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "add a task")
	set(a, "name: new, does: run")
	choose(t, a, "nice of new")
	set(a, "7")
	expect(t, a, "nice of new := 7 here: branch b2")
	at := a.s.run.Position()
	again := openWith(t, Options{
		Scenario: a.s.scenario, At: &at, ASCII: true, Change: scenarios.Options{Changes: scenarios.Changes(a.s.workload, a.s.run.Edits(), a.s.branchEdits())},
	}, 120, 50)
	if a.s.hash() != again.s.hash() {
		t.Errorf("the changes %v make another run", scenarios.Changes(a.s.workload, a.s.run.Edits(), a.s.branchEdits()))
	}
}

// TestAnotherKernelIsANewRunAtTheSameTime, with the edits of the branch, and U goes
// back to the run before.
func TestAnotherKernelIsANewRunAtTheSameTime(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "nice of a")
	set(a, "5")
	was := a.s.hash()
	choose(t, a, "kernel (a new run)")
	set(a, "6.12.y")
	expect(t, a, "a new run: kernel 6.12.y, HZ 1000, on b1; U goes back", "6.12.y", "t 5.", "nice of a           5")
	choose(t, a, "HZ (a new run)")
	set(a, "250")
	expect(t, a, "HZ 250", "kernel 6.12.y, HZ 250, on b1")
	if got := a.s.command(); !strings.Contains(got, "--kernel 6.12.y --hz 250") || !strings.Contains(got, "renice") {
		t.Errorf("the command is %s", got)
	}
	press(a, "U", "U")
	expect(t, a, "kernel 7.2, HZ 1000, on b1")
	if a.s.hash() != was {
		t.Error("undo leads to another run")
	}
	press(a, "R")
	expect(t, a, "kernel 6.12.y, HZ 1000, on b1")
	press(a, "R")
	expect(t, a, "kernel 6.12.y, HZ 250, on b1")
	press(a, "U", "U", "U")
	expect(t, a, "kernel 7.2, HZ 1000, on main")
}

// TestAnotherKernelRefusesFeaturesThatItLacks.
func TestAnotherKernelRefusesFeaturesThatItLacks(t *testing.T) {
	a := openAlter(t)
	choose(t, a, "features")
	set(a, "NO_DELAY_DEQUEUE")
	choose(t, a, "kernel (a new run)")
	set(a, "6.6")
	expect(t, a, "kernel 6.6 has no feature DELAY_DEQUEUE", "7.2")
	if a.prompt == nil {
		t.Error("the prompt is closed")
	}
}

// TestEditPaneFitsSmallScreens.
func TestEditPaneFitsSmallScreens(t *testing.T) {
	a := open(t, "groups", 80, 24)
	press(a, "E")
	expect(t, a, "edits at this event", "nice of ")
	checkSize(t, a)
	for range 30 {
		press(a, "j")
	}
	expect(t, a, "no further row", "kernel (a new run)")
	a.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	checkSize(t, a)
}
