package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scheduler"
	"zerolag/views"
)

// pairsScenario is a machine of two nodes with two cores each, on which wakeups and
// balancing move tasks.
const pairsScenario = `name: pairs
kernel: 7.2
hz: 1000
topology: 2x2x1
base_slice: 2.8ms
until: 20ms
tasks:
  - {name: client, count: 3, at: 0 + i*10us, does: "run 250us, wake_sync server, block, repeat"}
  - {name: server, count: 3, does: "block, run 150us, wake_sync client, repeat"}
  - {name: hog, count: 2, does: "run 1s"}
`

// bigScenario is a machine of 256 CPUs that is not balanced: tasks wait on the
// first ones that may run on 96.
const bigScenario = `name: big
kernel: 7.2
hz: 1000
topology: 2x4x16x2
balance: off
base_slice: 2.8ms
until: 20ms
tasks:
  - {name: hog, count: 60, cpus: "0-95", does: "run 1s"}
  - {name: pinned, count: 12, cpus: "1", does: "run 1s"}
`

// openText opens a scenario given as text, at a time.
func openText(t testing.TB, text string, at scheduler.Time, width, height int) *app {
	t.Helper()
	o := Options{Scenario: parse(t, text), Argument: "it.yaml", At: &model.Position{Time: at}, ASCII: true}
	return openWith(t, o, width, height)
}

// openAt opens a built-in scenario at a time.
func openAt(t testing.TB, name string, at scheduler.Time, width, height int) *app {
	t.Helper()
	a := open(t, name, width, height)
	press(a, ":")
	typeText(a, fmt.Sprintf("%dns", at))
	return a
}

const us = scheduler.Microsecond

// The hog's picture is SCREEN's second drawing: the reweight of the tick at 52 ms.
func TestHogFrame(t *testing.T) {
	a := openAt(t, "hog", 52_000*us, 120, 40)
	press(a, ">", ">", ">", ">", ">", ">")
	golden(t, "hog-120x40", a.View())
}

func TestHogFrameOfASmallScreen(t *testing.T) {
	a := openAt(t, "hog", 47_060*us, 80, 24)
	golden(t, "hog-80x24", a.View())
}

func TestMigrationFrame(t *testing.T) {
	a := openText(t, pairsScenario, 3000*us, 200, 50)
	press(a, "d", "tab")
	golden(t, "pairs-200x50", a.View())
}

func TestPlacementFrame(t *testing.T) {
	a := openText(t, pairsScenario, 1650*us, 80, 24)
	press(a, "d")
	golden(t, "pairs-80x24", a.View())
}

func TestMachineFrame(t *testing.T) {
	a := openText(t, bigScenario, 10_000*us, 120, 40)
	press(a, "m")
	golden(t, "big-120x40", a.View())
}

func TestUnicodeFrame(t *testing.T) {
	a := openAt(t, "hog", 47_060*us, 120, 40)
	a.glyphs, a.dirty = views.UnicodeGlyphs(), true
	press(a, "a")
	golden(t, "hog-lag-view", a.View())
}

// No sub-step of an event moves an axis.
func TestSubStepsKeepTheAxis(t *testing.T) {
	a := openAt(t, "hog", 52_000*us, 120, 40)
	want := a.s.look.rulers
	for i := range a.s.run.Steps() {
		press(a, ">")
		for q := range a.s.run.Frame().Queues {
			id := scheduler.QueueID(q)
			if got := a.s.look.rulers.Axis(id); got != want.Axis(id) {
				t.Fatalf("sub-step %d moves the axis of queue %d from %+v to %+v", i+1, q, want.Axis(id), got)
			}
		}
	}
}

func TestSelectedCPUAndItsDisplay(t *testing.T) {
	a := openText(t, pairsScenario, 1650*us, 120, 40)
	expect(t, a, "cpu3 /          idle  ! while 2 wait")
	press(a, "J")
	expect(t, a, "cpu1: display automatic")
	press(a, "x")
	expect(t, a, "cpu1: display its axis", " client3")
	press(a, "x")
	expect(t, a, "cpu1: display one line", "cpu1 /          hog1 runs, 1 wait: client3")
	press(a, "x")
	expect(t, a, "cpu1: display hidden")
	refuse(t, a, "cpu1 /")
	press(a, "K")
	expect(t, a, "cpu0: display automatic")
	press(a, "K")
	expect(t, a, "cpu3: display automatic")
	press(a, "X")
	expect(t, a, "every CPU is displayed automatically", "cpu1 /")
}

func TestMachinePaneSelectsAndGoesThere(t *testing.T) {
	a := openText(t, pairsScenario, 1650*us, 80, 24)
	press(a, "m")
	expect(t, a, "machine: 4 CPUs 2x2x1, selected cpu0", ">0", "idle ! while others wait")
	press(a, "j")
	expect(t, a, "selected cpu1", ">1", "*0")
	press(a, " ")
	expect(t, a, "cpu1: display its axis")
	press(a, "enter")
	expect(t, a, "t 2.000 000 ms   cpu1   tick: hog1")
	press(a, "k", "m")
	refuse(t, a, "machine: ")
}

func TestScopesOfSeveralCPUs(t *testing.T) {
	a := openAt(t, "hog", 47_060*us, 120, 40)
	press(a, "s")
	expect(t, a, "scope cpu0", "steps stop at every event of cpu0")
	press(a, "l")
	expect(t, a, "t 48.000 000 ms   cpu0", "+1 elsewhere")
	press(a, "s")
	expect(t, a, "scope cpu0 /A")
	press(a, "s")
	expect(t, a, "scope A1")
	press(a, "s")
	expect(t, a, "steps stop at every event of everything")
	refuse(t, a, "scope ")
}

func TestWeightsPane(t *testing.T) {
	a := openAt(t, "hog", 52_000*us, 120, 40)
	press(a, "W")
	expect(t, a, "group C", "0.750 ms ago: 3501 -> 3563", "1 ms not over", "1048576*1024/(4587-1024+1024) = 234083")
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 40})
	expect(t, a, "weight 1048576*1024/(4587-1024+1024) = 234083", "4 <= 1024/64")
}

func TestDecisionPaneOfABalancingPass(t *testing.T) {
	a := openText(t, pairsScenario, 1000*us, 120, 40)
	press(a, ":")
	typeText(a, "1ms#4")
	press(a, "d")
	expect(t, a, "idle-balance", "decision: balancing, in order (~ simplified)", "client2 moves to cpu2 from cpu0", "~ simplified")
}

// In the lag view a migrating task is on the axis before and after.
func TestLagViewShowsAMigrationOnOneAxis(t *testing.T) {
	a := openText(t, pairsScenario, 1000*us, 80, 24)
	press(a, ":")
	typeText(a, "1ms#4")
	client := func() (before, after string) {
		var rows []string
		for line := range strings.Lines(a.View()) {
			if strings.HasPrefix(line, " client2 ") {
				rows = append(rows, line)
			}
		}
		if len(rows) < 2 {
			t.Fatalf("client2 needs a row before and after:\n%s", a.View())
		}
		return rows[0], rows[1]
	}
	before, after := client()
	if strings.Contains(before, "*") || !strings.Contains(before, "on cpu0") || !strings.Contains(after, "*") {
		t.Errorf("vruntimes of two queues are not comparable:\n%s%s", before, after)
	}
	press(a, "a")
	before, after = client()
	if !strings.Contains(before, "*") || !strings.Contains(before, "on cpu0") || !strings.Contains(after, "*") {
		t.Errorf("the lag of a task on another CPU has a place:\n%s%s", before, after)
	}
}

func TestForkTellsItsCandidates(t *testing.T) {
	a := openText(t, pairsScenario, 10*us, 120, 40)
	press(a, "d")
	expect(t, a, "taken: least busy of the group chosen", "dropped: busier, or in another group")
}

// Every size, pane and CPU keeps the picture inside the screen.
func TestManyCPUsFitEveryScreen(t *testing.T) {
	for name, text := range map[string]string{"pairs": pairsScenario, "big": bigScenario} {
		a := openText(t, text, 3000*us, 80, 24)
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 50}, {160, 24}, {60, 15}, {40, 10}, {20, 5}, {300, 90}} {
			a.Update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
			for p := range numPanes {
				a.pane, a.dirty = p, true
				checkSize(t, a)
			}
			for range 8 {
				press(a, "l", "J", "x")
				checkSize(t, a)
			}
		}
		if strings.Contains(a.View(), "too small") {
			t.Errorf("%s: the last screen is not small", name)
		}
	}
}
