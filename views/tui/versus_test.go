package tui

import (
	"strings"
	"testing"

	"zerolag/scenarios"
)

// compared opens nginx beside a run of other settings.
func compared(t *testing.T, settings string, width, height int) *app {
	t.Helper()
	opened, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	return openWith(t, Options{Scenario: opened, Argument: "nginx", Versus: settings, ASCII: true}, width, height)
}

func TestTwoRunsInLockStep(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 24)
	golden(t, "versus-80x24", a.View())
	press(a, "h")
	if at, vs := a.s.run.Position(), a.s.versus.pair.B.Position(); at != vs {
		t.Errorf("one event back the runs stand at %v and %v, want the same", at, vs)
	}
}

func TestVersusGoldenFrames(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 120, 40)
	press(a, ")", "C")
	golden(t, "versus-120x40", a.View())
	a = compared(t, "RUN_TO_PARITY_WAKEUP", 200, 50)
	press(a, "C", "tab")
	golden(t, "versus-200x50", a.View())
}

func TestDecisionsThatDiffer(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 24)
	press(a, "g", ")")
	expect(t, a, "t 3.100 000 ms", "decision 1 of 684 that differ", "PREEMPT", "keeps nginx")
	press(a, ")")
	expect(t, a, "t 4.200 000 ms", "decision 2 of 684", "which has no such event", "0.200000 ms earlier")
	press(a, "(")
	expect(t, a, "t 3.100 000 ms", "decision 1 of 684")
	press(a, "(")
	expect(t, a, "no earlier decision differs")
}

func TestAnEventThatTheOtherRunHasAlone(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 30)
	press(a, "C")
	for range 3 {
		press(a, "j")
	}
	for !strings.Contains(a.s.versusNote(), "above there is no such event") {
		press(a, "j", "enter")
	}
	expect(t, a, "No such event: the last one before it", "is at 5.800 000 ms.", "t 5.800 000 ms", "6.100 000  schedule: idle")
}

func TestComparisonLeadsToItsDifferencesAndNumbers(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 30)
	press(a, "C", "j", "enter")
	expect(t, a, "t 4.200 000 ms", "decisions that differ: 684")
	press(a, "tab")
	expect(t, a, "numbers of both runs", "switches", "1385", "809", "0.584")
	press(a, "enter")
	expect(t, a, "nothing to go to here")
	press(a, "shift+tab")
	expect(t, a, "decisions that differ: 684")
}

func TestCompareFromAnyMoment(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, ")")
	expect(t, a, "nothing is compared, c asks with what")
	press(a, "c")
	typeText(a, "NO_SUCH_FEATURE")
	expect(t, a, "unknown setting")
	press(a, "esc", "c")
	typeText(a, "kernel=6.12.y,hz=250")
	expect(t, a, "above: main, below: kernel=6.12.y,hz=250", "this run", "the other")
	press(a, "c", "ctrl+u", "enter")
	expect(t, a, "no comparison", "after ")
	refuse(t, a, "the other")
}

// TestOneSettingIsNoDifference compares a run with itself: the settings are those
// that it has.
func TestOneSettingIsNoDifference(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY", 80, 24)
	press(a, "g", ")")
	expect(t, a, "no later decision differs")
	refuse(t, a, "differ ")
}

func TestComparisonFollowsEdits(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 24)
	selectFeature(t, a, "RUN_TO_PARITY_WAKEUP")
	press(a, "S", "g", ")")
	expect(t, a, "no later decision differs", "above: b1")
	press(a, "U", ")")
	expect(t, a, "above: main", "decision ")
}

func TestComparisonShowsWholeEvents(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 24)
	press(a, ">")
	expect(t, a, "a comparison shows whole events")
	press(a, "b")
	expect(t, a, "strips: both runs; 0 marks the reference point")
	press(a, "b")
	expect(t, a, "this run", "the other")
}

func TestPictureOfAComparison(t *testing.T) {
	a := compared(t, "RUN_TO_PARITY_WAKEUP", 80, 24)
	text := a.s.picture()
	for _, want := range []string{"this run", "the other", "PREEMPT", "keeps nginx", "--vs RUN_TO_PARITY_WAKEUP"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q:\n%s", want, text)
		}
	}
}
