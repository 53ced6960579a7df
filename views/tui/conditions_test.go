package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// enter types a line for the prompt that a key opens.
func enter(a *app, key, text string) {
	press(a, key)
	typeText(a, text)
}

func TestConditionsAreKeptAndSwitched(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	enter(a, "u", "nginx.eligible == false")
	enter(a, "u", "service.waiting > 1ms")
	expect(t, a, "stop: service.waiting > 1ms  (left side: ")
	press(a, "I")
	expect(t, a, ">  on  holds", "nginx.eligible == false", "service.waiting > 1ms")
	at := a.s.run.Index()
	press(a, "[")
	expect(t, a, "stop: nginx.eligible == false")
	if a.s.run.Index() >= at {
		t.Errorf("[ went from event %d to %d", at, a.s.run.Index())
	}
	press(a, "k", " ")
	expect(t, a, "off: nginx.eligible == false", ">  off  holds")
	press(a, "]")
	if a.s.run.Index() != at {
		t.Errorf("] went to event %d, want %d where the one that is on holds", a.s.run.Index(), at)
	}
	press(a, "D")
	expect(t, a, "removed: nginx.eligible == false")
	press(a, "enter")
	expect(t, a, "off: service.waiting > 1ms")
	press(a, "]")
	expect(t, a, "no stop condition is on, I lists them")
	press(a, "delete", "[")
	expect(t, a, "no stop condition yet, u enters one")
	press(a, " ")
	expect(t, a, "no stop condition yet, u enters one")
	press(a, "D")
	expect(t, a, "removes the selected stop condition (I lists them) or watch (v)")
	enter(a, "u", "")
	expect(t, a, "nothing to stop at, expected a condition")
}

func TestSameConditionIsOneAndSwitchedOn(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	enter(a, "u", "V < V@prev")
	press(a, "I", " ")
	enter(a, "u", " V < V@prev ")
	if list := a.s.conditions.List(); len(list) != 1 || list[0].Off {
		t.Errorf("the list is %+v", list)
	}
}

func TestWatchesShowTheirLastChanges(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	enter(a, ":", "10ms")
	enter(a, "V", "nginx.lag")
	expect(t, a, "nginx.lag  -1.25ms  10.000 000  -750us  ->  -1.25ms", "9.000 000  -250us  ->   -750us")
	enter(a, "V", "now > 1s")
	expect(t, a, ">  now > 1s", "never")
	press(a, "enter")
	expect(t, a, "now > 1s did not change before")
	press(a, "k", "enter")
	expect(t, a, "t 9.000 000 ms", "here nginx.lag became -750us, before -250us", ">  nginx.lag")
	press(a, "enter")
	expect(t, a, "t 8.000 000 ms")
	press(a, "k")
	expect(t, a, "no further row")
	press(a, "D")
	expect(t, a, "removed: nginx.lag", ">  now > 1s")
	press(a, "D", "enter")
	expect(t, a, "nothing is watched yet, V enters an expression")
	enter(a, "V", "nginx.lagg")
	expect(t, a, "^ ")
	press(a, "ctrl+u", "ctrl+k", "enter")
	expect(t, a, "nothing to watch, expected an expression")
	press(a, "esc", "v")
	refuse(t, a, "watches: ")
}

// On another branch and in another world the expressions are about the run there.
func TestExpressionsFollowTheRun(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	enter(a, "V", "nginx.lag")
	enter(a, "u", "now >= 20ms && event == tick")
	check := func(where string) {
		t.Helper()
		settle(a)
		x, err := expr.Parse("nginx.lag", a.s.run.Names())
		if err != nil {
			t.Fatal(err)
		}
		list := a.s.watches.List()
		if len(list) != 1 || !list[0].Settled || list[0].Value != a.s.run.Value(x) {
			t.Errorf("%s: the watches are %+v", where, list)
		}
		press(a, "g", "]")
		if at := a.s.run.Position().Time; at != 20*scheduler.Millisecond {
			t.Errorf("%s: stopped at %v, want the tick at 20 ms", where, at)
		}
	}
	check("main")
	o := a.s.change
	o.HZ = 250
	if err := a.s.rebuild(o); err != nil {
		t.Fatal(err)
	}
	check("HZ 250")
	press(a, "f", " ")
	check("branch " + a.s.run.Branch())
	press(a, "U", "U")
	check("taken back")
}

func TestConditionsAndWatchesAreSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	a := open(t, "nginx", 80, 24)
	enter(a, "u", "nginx.eligible == false")
	enter(a, "u", "service.waiting > 1ms")
	enter(a, "V", "nginx.lag")
	enter(a, "V", "V - V@prev")
	press(a, "I", " ", "ctrl+s", "ctrl+u")
	typeText(a, path)
	expect(t, a, "saved: ")
	x, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b := openWith(t, Options{Scenario: x, Argument: path, ASCII: true}, 80, 24)
	want, got := a.s.snapshot(), b.s.snapshot()
	if diff := cmp.Diff(want.Conditions, got.Conditions); diff != "" || len(got.Conditions) != 2 || !got.Conditions[1].Off {
		t.Errorf("conditions %+v:\n%s", got.Conditions, diff)
	}
	if diff := cmp.Diff([]string{"nginx.lag", "V - V@prev"}, got.Watches); diff != "" {
		t.Error(diff)
	}
	press(b, "v")
	expect(t, b, "nginx.lag", "V - V@prev")
}

// A file with an expression that has no meaning opens, and shows which one it is.
func TestSavedExpressionWithoutMeaningIsShown(t *testing.T) {
	x := parse(t, plainScenario+"session:\n  at: 5ms\n  conditions: ['nobody.lag > 0', 'b.lag > 0']\n  watches: ['nobody.lag', 'a.lag']\n")
	a := openWith(t, Options{Scenario: x, ASCII: true}, 120, 40)
	press(a, "I")
	expect(t, a, "on  ?", "unknown name nobody")
	press(a, "]")
	expect(t, a, "stop: b.lag > 0")
	press(a, "v")
	expect(t, a, "nobody.lag: ", "unknown name nobody", "a.lag  ")
	if got := a.s.snapshot(); len(got.Conditions) != 2 || len(got.Watches) != 2 {
		t.Errorf("what has no meaning was dropped: %+v %+v", got.Conditions, got.Watches)
	}
}

func TestBranchIsWrittenAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "l", "l", "l")
	selectFeature(t, a, "NEXT_BUDDY")
	press(a, " ")
	branches := a.s.run.Branches()
	if len(branches) != 3 {
		t.Fatalf("branches %+v", branches)
	}
	press(a, "B", "k", "F")
	expect(t, a, "write "+branches[1].Name+" as: nginx-"+branches[1].Name+".yaml")
	press(a, "enter")
	expect(t, a, "written: zerolag nginx-"+branches[1].Name+".yaml opens "+branches[1].Name)
	if a.s.lost() == "" {
		t.Error("the whole work counts as saved")
	}
	x, err := scenarios.Load("nginx-" + branches[1].Name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := openWith(t, Options{Scenario: x, Argument: "x.yaml", ASCII: true}, 80, 24)
	if diff := cmp.Diff(branches[1].All, b.s.run.Edits()); diff != "" || len(b.s.run.Branches()) != 2 || b.s.run.Branch() != branches[1].Name {
		t.Errorf("opened %s of %+v:\n%s", b.s.run.Branch(), b.s.run.Branches(), diff)
	}
	if at := b.s.run.Position(); at.Time != branches[1].ForkAt.Time {
		t.Errorf("opened at %+v, it forks at %+v", at, branches[1].ForkAt)
	}
	press(a, "F")
	typeText(a, "")
	expect(t, a, "exists.  y replace it   n leave it")
	press(a, "n", "g", "esc", "B", "k", "k", "F", "ctrl+u")
	typeText(a, "main")
	if _, err := os.Stat("main.yaml"); err != nil {
		t.Error(err)
	}
}

// What is added after the first edit is in the recovery file as well.
func TestRecoveryHasConditionsAndWatches(t *testing.T) {
	a := openWith(t, Options{Scenario: parse(t, plainScenario), Argument: "plain", ASCII: true, Recovery: t.TempDir()}, 80, 24)
	press(a, "f", " ")
	if a.keep() != nil {
		t.Fatal("nothing has changed, but the file is written again")
	}
	enter(a, "V", "a.lag")
	if len(a.recovery.kept.Watches) != 1 {
		t.Errorf("kept: %+v", a.recovery.kept)
	}
	enter(a, "u", "b.lag > 0")
	if len(a.recovery.kept.Conditions) != 1 {
		t.Errorf("kept: %+v", a.recovery.kept)
	}
}

// Conditions and watches alone are kept for a crash, but quitting does not ask.
func TestCrashLosesNoWatches(t *testing.T) {
	folder := t.TempDir()
	a := openWith(t, Options{Scenario: parse(t, plainScenario), Argument: "plain", ASCII: true, Recovery: folder}, 80, 24)
	if kept, err := a.end(); kept || err != nil {
		t.Errorf("without any work: kept %v, %v", kept, err)
	}
	enter(a, "V", "a.lag")
	if kept, err := a.end(); !kept || err != nil {
		t.Errorf("kept %v, %v", kept, err)
	}
	text, err := os.ReadFile(a.recovery.path())
	if err != nil || !strings.Contains(string(text), "watches:\n    - 'a.lag'\n") {
		t.Errorf("the recovery file: %v\n%s", err, text)
	}
	if _, cmd := a.Update(keyMsg("q")); !quits(cmd) {
		t.Error("quitting asks about watches")
	}
}
