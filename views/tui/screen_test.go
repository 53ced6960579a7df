package tui

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/teatest"
	"github.com/google/go-cmp/cmp"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// checkSize fails unless the picture fills the screen exactly and no more.
func checkSize(t *testing.T, a *app) {
	t.Helper()
	rows := strings.Split(a.View(), "\n")
	if len(rows) != a.height {
		t.Fatalf("%dx%d: %d rows", a.width, a.height, len(rows))
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > a.width {
			t.Fatalf("%dx%d: a row of %d columns: %q", a.width, a.height, w, row)
		}
	}
}

func TestPictureHasTheSizeOfTheScreen(t *testing.T) {
	for _, name := range []string{"nginx", "groups"} {
		a := open(t, name, 80, 24)
		for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 50}, {160, 24}, {60, 15}, {40, 10}, {20, 5}, {19, 4}, {1, 1}, {300, 90}, {80, 24}} {
			a.Update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
			for p := range numPanes {
				a.pane, a.dirty = p, true
				checkSize(t, a)
			}
		}
	}
}

func TestResizingThereAndBackShowsTheSame(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	before := a.View()
	for _, size := range []struct{ width, height int }{{20, 5}, {0, 0}, {200, 50}, {80, 24}} {
		a.Update(tea.WindowSizeMsg{Width: size.width, Height: size.height})
		a.View()
	}
	if diff := cmp.Diff(before, a.View()); diff != "" {
		t.Errorf("resizing corrupts the picture:\n%s", diff)
	}
}

func TestTooSmallAScreenSaysSo(t *testing.T) {
	a := open(t, "nginx", 19, 4)
	expect(t, a, "too small")
}

func TestRowsBesideAndBelowOnBigScreens(t *testing.T) {
	a := open(t, "nginx", 200, 50)
	expect(t, a, " log ", "sub-steps")
	a = open(t, "nginx", 80, 24)
	refuse(t, a, " log ")
}

func TestLayoutsOfTheStrips(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "b")
	refuse(t, a, "before  ")
	expect(t, a, "after only", "after  ")
	press(a, "b")
	expect(t, a, "before  ", "0 marks the reference point")
	press(a, "b")
	expect(t, a, "strips: before and after")
}

func TestLagViewNamesItsAxis(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "a")
	expect(t, a, "v-V")
	if a.s.look.rulers.Mode != views.AxisLag {
		t.Error("the axis does not measure lag")
	}
	press(a, "a")
	if a.s.look.rulers.Mode != views.AxisAbsolute {
		t.Error("a does not go back")
	}
}

func TestZoomAndPanBelongToTheUser(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	fit := a.s.look.rulers
	press(a, "z", "shift+right")
	chosen := a.s.look.rulers
	if chosen.NsPerCol >= fit.NsPerCol {
		t.Errorf("zoomed in from %d to %d ns a column", fit.NsPerCol, chosen.NsPerCol)
	}
	a.Update(tea.WindowSizeMsg{Width: 100, Height: 30})
	if got := a.s.look.rulers.NsPerCol; got != chosen.NsPerCol {
		t.Errorf("resizing changed the user's scale from %d to %d", chosen.NsPerCol, got)
	}
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	press(a, "0")
	if diff := cmp.Diff(fit.Axis(0), a.s.look.rulers.Axis(0)); diff != "" {
		t.Errorf("0 does not fit as at first:\n%s", diff)
	}
	for range 40 {
		press(a, "z")
	}
	expect(t, a, "this is the finest scale")
}

func TestInspectorShowsEveryKindOfThing(t *testing.T) {
	a := open(t, "nginx", 100, 44)
	press(a, "i")
	expect(t, a, "service  2/4 [tab]", "vruntime", "ms virt", "raw")
	press(a, "tab")
	expect(t, a, "cpu0 /  3/4", "zero_vruntime", "nr_queued")
	press(a, "tab")
	expect(t, a, "cpu0  4/4", "need_resched")
	press(a, "shift+tab", "shift+tab", "shift+tab")
	expect(t, a, "nginx  1/4")
	press(a, "j", "j", "i")
	refuse(t, a, "1/4")
}

func TestDecisionTable(t *testing.T) {
	a := open(t, "nginx", 100, 30)
	press(a, "d")
	expect(t, a, "candidate", "running, lag < 0: no candidate", "chosen")
	press(a, "h")
	expect(t, a, "nobody was picked in this event")
}

func TestOperationsPaneFollowsTheSubSteps(t *testing.T) {
	a := open(t, "nginx", 100, 30)
	press(a, "o", "j", "j")
	expect(t, a, "sub-step 2/", ">  2  place_entity")
	press(a, "k", "k")
	expect(t, a, "no further sub-step in this event")
}

func TestLogSelectsAndJumps(t *testing.T) {
	a := open(t, "nginx", 100, 30)
	press(a, "e", "j", "j", "enter")
	if got := a.s.run.Index(); got != 11 {
		t.Errorf("enter went to event %d, want 11", got)
	}
}

func TestStatsTurnOnTheirSideWhereNarrow(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "t")
	expect(t, a, "Task          nginx  service")
	upright := fitted(views.StatsTable(a.s.run.Stats()), 300)
	if got := upright.Columns[1].Head; got != "Runtime ms" {
		t.Errorf("where there is room the second column is %q, want Runtime ms", got)
	}
}

func TestSelectionWithoutAPane(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "j")
	expect(t, a, "selected nginx")
	press(a, "k")
	expect(t, a, "selected service")
	press(a, "esc", "esc")
	expect(t, a, "nothing to close")
}

func TestUnfoldingAGroup(t *testing.T) {
	a := open(t, "groups", 120, 40)
	for range 20 {
		press(a, "j")
		if a.s.run.Frame().Entity(a.s.selected).Name == "deep" {
			break
		}
	}
	expect(t, a, "inner/deep")
	press(a, "enter")
	refuse(t, a, "inner/deep")
	expect(t, a, "unfolded ", "in inner")
	press(a, "enter")
	expect(t, a, "inner/deep")
}

func TestTabGoesThroughAllPanes(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	seen := map[pane]bool{}
	for range 30 {
		seen[a.pane] = true
		press(a, "tab")
	}
	if len(seen) != int(numPanes) {
		t.Errorf("tab reaches %d of %d panes", len(seen), numPanes)
	}
}

func TestPickerFiltersAndOpens(t *testing.T) {
	a := openWith(t, Options{ASCII: true}, 80, 24)
	expect(t, a, "zerolag: scenarios", ">  nginx", "three-hogs")
	checkSize(t, a)
	press(a, "/")
	typeText(a, "SLEEPER")
	expect(t, a, ">  sleeper")
	refuse(t, a, "three-hogs")
	press(a, "esc", "j", "k", "enter")
	expect(t, a, "t 3.100 000 ms", "wakeup: service")
}

func TestPickerWithoutAMatchSaysSo(t *testing.T) {
	a := openWith(t, Options{ASCII: true}, 80, 24)
	press(a, "/")
	typeText(a, "zzz")
	press(a, "enter")
	expect(t, a, "no scenario has these letters")
}

func TestVariantIsShown(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Scenario: nginx, Argument: "nginx", Change: scenarios.Options{Variant: "with"}, ASCII: true}
	a := openWith(t, o, 120, 40)
	expect(t, a, "nginx/with", "RUN_TO_PARITY_WAKEUP (proposal)", "keeps nginx")
}

func TestAnyKeyCancelsASearch(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	a.begin(job{what: "looking", slice: func(int) bool { return false }})
	expect(t, a, "looking ... any key cancels")
	if a.wake() == nil {
		t.Error("nothing goes on with the search")
	}
	a.Update(keyMsg("z"))
	if a.s.job != nil {
		t.Error("the search goes on")
	}
}

func TestNoPictureIsDrawnTwice(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	a.View()
	a.frame = "kept"
	if a.View() != "kept" {
		t.Error("View draws although nothing changed")
	}
}

// TestRandomKeysNeverPanic presses random keys on screens of random sizes.
func TestRandomKeysNeverPanic(t *testing.T) {
	t.Chdir(t.TempDir())
	var keys []string
	for _, b := range keyTable() {
		keys = append(keys, b.keys...)
	}
	keys = append(keys, "y", "n", "x", "1", "m", "s", ".", "#", "=", "backspace", "ctrl+u", "left", "esc", "enter", "l", "h", " ")
	for _, name := range []string{"nginx", "groups", "yield", "pairs", ""} {
		t.Run("on "+name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(len(name))))
			a := openWith(t, Options{ASCII: true}, 80, 24)
			switch name {
			case "":
			case "pairs":
				a = openText(t, pairsScenario, 1000*us, 80, 24)
			default:
				a = open(t, name, 80, 24)
			}
			for i := range 1500 {
				key := keys[random.IntN(len(keys))]
				a.Update(keyMsg(key))
				if i%7 == 0 {
					settle(a)
				}
				if i%40 == 0 {
					a.Update(tea.WindowSizeMsg{Width: random.IntN(210), Height: random.IntN(60)})
				}
				if a.width > 0 && a.height > 0 {
					checkSize(t, a)
				}
			}
		})
	}
}

func TestProgramRunsAndQuits(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	a, err := newApp(Options{Scenario: nginx, Argument: "nginx", ASCII: true}, plain)
	if err != nil {
		t.Fatal(err)
	}
	program := teatest.NewTestModel(t, a, teatest.WithInitialTermSize(80, 24))
	program.Send(keyMsg("l"))
	program.Send(keyMsg("q"))
	final, ok := program.FinalModel(t).(*app)
	if !ok {
		t.Fatal("the program ended with another model")
	}
	expect(t, final, "schedule: nginx", "pick_eevdf: service")
}

func TestRunNeedsNoTerminalToEnd(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Run(Options{Scenario: nginx, Argument: "nginx"}, strings.NewReader("q"), &out); err != nil {
		t.Fatal(err)
	}
}

func TestFaultyVariantIsAnError(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Scenario: nginx, Change: scenarios.Options{Variant: "no such"}}
	if err := Run(o, strings.NewReader(""), io.Discard); err == nil {
		t.Error("a variant that does not exist is no error")
	}
}

// axesScenario has 8 CPUs, each with an axis on a big screen.
const axesScenario = `name: axes
kernel: 7.2
hz: 1000
cpus: 8
base_slice: 2.8ms
until: 50ms
tasks:
  - {name: hog, count: 16, does: "run 1s"}
`

// crowdScenario has 40 CPUs and 10 tasks for each.
const crowdScenario = `name: crowd
kernel: 7.2
hz: 1000
topology: 2x10x2
base_slice: 2.8ms
until: 30ms
tasks:
  - {name: hog, count: 200, does: "run 1s"}
  - {name: nap, count: 200, does: "run 200us, sleep 1ms + i*3us, repeat"}
`

func TestViewAllocatesLittle(t *testing.T) {
	for name, a := range map[string]*app{
		"one CPU":      open(t, "nginx", 200, 60),
		"groups":       open(t, "groups", 200, 60),
		"eight queues": openText(t, axesScenario, 10*scheduler.Millisecond, 200, 60),
		"hog":          openAt(t, "hog", 47_060*us, 200, 60),
	} {
		a.View()
		n := testing.AllocsPerRun(20, func() {
			a.dirty = true
			a.View()
		})
		if n > 10 {
			t.Errorf("%s: a picture takes %v allocations, want at most 10", name, n)
		}
	}
}

func BenchmarkViewCached(b *testing.B) {
	a := open(b, "nginx", 200, 60)
	a.View()
	b.ReportAllocs()
	for b.Loop() {
		a.View()
	}
}

func BenchmarkViewDirty(b *testing.B) {
	for _, x := range []struct {
		name string
		app  *app
	}{
		{"nginx", open(b, "nginx", 200, 60)},
		{"groups", open(b, "groups", 200, 60)},
		{"8axes", openText(b, axesScenario, 10*scheduler.Millisecond, 200, 60)},
	} {
		b.Run(x.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.app.dirty = true
				x.app.View()
			}
		})
	}
}

func BenchmarkStep(b *testing.B) {
	for _, size := range []struct{ width, height int }{{80, 24}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(b *testing.B) {
			a := open(b, "nginx", size.width, size.height)
			for i := 0; b.Loop(); i++ {
				key := "l"
				if i/500%2 == 1 {
					key = "h"
				}
				a.Update(keyMsg(key))
				a.View()
			}
		})
	}
	b.Run("40x10", func(b *testing.B) {
		a := openText(b, crowdScenario, 10*scheduler.Millisecond, 200, 60)
		for i := 0; b.Loop(); i++ {
			key := "l"
			if i/500%2 == 1 {
				key = "h"
			}
			a.Update(keyMsg(key))
			a.View()
		}
	})
}

func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		nginx, err := scenarios.Load("nginx")
		if err != nil {
			b.Fatal(err)
		}
		a, err := newApp(Options{Scenario: nginx, Argument: "nginx"}, plain)
		if err != nil {
			b.Fatal(err)
		}
		a.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
		a.View()
	}
}
