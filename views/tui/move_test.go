package tui

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOpensAtFirstBookmarkWithBothStrips(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	expect(t, a, "t 3.100 000 ms", "wakeup: service", "before", "after", "! A wakee with lag", "PREEMPT", "RUN_TO_PARITY_WAKEUP")
}

func TestSteppingBackShowsTheSamePicture(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 50}} {
		for _, keys := range [][2]string{{"l", "h"}, {">", "<"}, {"L", "H"}} {
			a := open(t, "nginx", size.width, size.height)
			if keys[0] == ">" {
				press(a, ">")
			}
			frames := []string{a.View()}
			for range 60 {
				press(a, keys[0])
				frames = append(frames, a.View())
			}
			for i := len(frames) - 2; i >= 1; i-- {
				press(a, keys[1])
				if diff := cmp.Diff(frames[i], a.View()); diff != "" {
					t.Fatalf("%dx%d: %s back to picture %d differs:\n%s", size.width, size.height, keys[1], i, diff)
				}
			}
		}
	}
}

func TestEntityStaysInItsColumnAcrossEvents(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	before := a.s.look.rulers
	press(a, "l")
	if got := a.s.look.rulers; got.Axis(0) != before.Axis(0) {
		t.Errorf("the axis moved from %+v to %+v though everything was in sight", before.Axis(0), got.Axis(0))
	}
}

func TestSubStepsShowTheirOwnBeforeAndAfter(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, ">")
	expect(t, a, "sub-step 1/", "! 1/", "update_curr: nginx ran 0.100", "charge")
	press(a, ">")
	expect(t, a, "sub-step 2/", "place_entity: service keeps its lag")
	press(a, "<", "<")
	expect(t, a, "t 3.000 000 ms", "sub-step")
	press(a, "l")
	refuse(t, a, "sub-step")
	expect(t, a, "t 3.100 000 ms")
}

func TestGoToTimeAndEvent(t *testing.T) {
	for text, want := range map[string]string{
		"4.2ms":   "t 4.200 000 ms   cpu0   wakeup",
		"4.2ms#1": "t 4.200 000 ms   cpu0   schedule",
		"#14":     "ev 14/",
		"ev 14":   "ev 14/",
		"event 3": "ev 3/",
		"4.15ms":  "nothing happens at 4.15ms",
		"9s":      "nothing happens at 9s",
		"#99999":  "the run has no event 99999",
	} {
		a := open(t, "nginx", 80, 24)
		press(a, ":")
		typeText(a, text)
		expect(t, a, want)
	}
}

func TestGoToFaultsKeepThePrompt(t *testing.T) {
	for text, want := range map[string]string{
		"soon":    "is not a time",
		"3.1xs":   "unknown unit",
		"3.1ms#x": "expected the number of an event",
		"#x":      "expected a number from 0",
		"-1ms":    "the run starts at 0",
	} {
		a := open(t, "nginx", 100, 24)
		press(a, ":")
		typeText(a, text)
		expect(t, a, "go to: "+text, want)
		press(a, "esc")
		expect(t, a, "t 3.100 000 ms")
	}
}

func TestFirstAndLast(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "g")
	expect(t, a, "ev 0/", "start")
	press(a, "h")
	expect(t, a, atFirst)
	press(a, "G", "l")
	expect(t, a, atLast)
	if a.s.run.Index() != a.s.run.Known()-1 {
		t.Errorf("at event %d, want the last, %d", a.s.run.Index(), a.s.run.Known()-1)
	}
}

func TestBookmarks(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "}")
	expect(t, a, "t 4.200 000 ms", "! The same again")
	press(a, "{")
	expect(t, a, "t 3.100 000 ms", "! A wakee with lag")
	press(a, "{")
	expect(t, a, "no earlier bookmark")
}

func TestRunUntilBothWays(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "u")
	typeText(a, "nginx.eligible == false && service.state == running")
	if a.prompt != nil {
		t.Fatalf("the condition was refused: %s", a.prompt.fault)
	}
	expect(t, a, "stop: nginx.eligible == false")
	first := a.s.run.Index()
	press(a, "]")
	if a.s.run.Index() <= first {
		t.Errorf("] went from event %d to %d", first, a.s.run.Index())
	}
	press(a, "[")
	if a.s.run.Index() != first {
		t.Errorf("[ went to event %d, want back to %d", a.s.run.Index(), first)
	}
	press(a, "u", "ctrl+u")
	typeText(a, "V > 1s")
	expect(t, a, "no later event with V > 1s")
	press(a, "I", "k", " ", "[")
	expect(t, a, "no earlier event with V > 1s")
}

func TestConditionFaultIsUnderItsColumn(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "u")
	typeText(a, "nginx.eligible == flase")
	expect(t, a, "run until: nginx.eligible == flase\n                             ^ unknown name flase")
	if a.prompt.line.Position() != len("nginx.eligible == ") {
		t.Errorf("the cursor is at %d, want at the fault", a.prompt.line.Position())
	}
	press(a, "ctrl+k")
	typeText(a, "false")
	expect(t, a, "stop: nginx.eligible == false")
}

func TestSearchInTheLog(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "g", "/")
	typeText(a, "WAKEUP service")
	expect(t, a, "wakeup: service")
	at := a.s.run.Index()
	press(a, "n")
	expect(t, a, "wakeup: service")
	press(a, "N")
	if a.s.run.Index() != at {
		t.Errorf("N went to event %d, want back to %d", a.s.run.Index(), at)
	}
	press(a, "N")
	expect(t, a, "no earlier event with WAKEUP service")
}

func TestScopeCountsWhatItSkips(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "s")
	expect(t, a, "scope service", "steps stop at every event of service")
	press(a, "l", "l", "l")
	expect(t, a, "+1 elsewhere")
	press(a, "s")
	expect(t, a, "steps stop at every event of everything")
	refuse(t, a, "scope service")
}

func TestScopeOfAQueue(t *testing.T) {
	a := open(t, "groups", 120, 40)
	press(a, "s")
	expect(t, a, "scope cpu0 /")
	press(a, "l")
	if !a.s.inScope()(a.s.run.Index()) {
		t.Errorf("l stopped at event %d, which is out of scope", a.s.run.Index())
	}
}

func TestPlayStepsAndStops(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	at := a.s.run.Index()
	a.Update(keyMsg("p"))
	expect(t, a, "[play x1]")
	a.Update(playMsg(a.s.play))
	a.Update(playMsg(a.s.play))
	if a.s.run.Index() != at+2 {
		t.Errorf("after two ticks at event %d, want %d", a.s.run.Index(), at+2)
	}
	a.Update(playMsg(a.s.play - 1))
	if a.s.run.Index() != at+2 {
		t.Error("a tick of an earlier playback moved the cursor")
	}
	a.Update(keyMsg("+"))
	expect(t, a, "[play x2]")
	press(a, "h")
	expect(t, a, "[stop]")
	a.Update(playMsg(a.s.play))
	if a.s.run.Index() != at+1 {
		t.Error("a tick moved the cursor after the playback was stopped")
	}
}

func TestPlayEndsWithTheRun(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "G", "p")
	a.Update(playMsg(a.s.play))
	expect(t, a, "[stop]", atLast)
}

func TestSpeedHasLimits(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	for range playSpeeds {
		press(a, "-")
	}
	expect(t, a, "this is the slowest: x1/4")
	for range playSpeeds {
		press(a, "+")
	}
	expect(t, a, "this is the fastest: x128")
}
