package tui

import (
	"strings"
	"testing"
)

func TestOriginOfANumberLeadsToItsSubSteps(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "O")
	expect(t, a, "origin of: service.vruntime", "such as service.vruntime, V or /a:load")
	press(a, "ctrl+u")
	typeText(a, "V")
	expect(t, a,
		"origin of V = 1.001424ms, vns (point), the average is rounded down",
		"enqueue_entity     service is queued, nr 2",
		"nr=2 V=1001424vns",
		"3.100 000   1.751424ms  1.851424ms  ~  update_curr        nginx ran 0.100000",
	)
	press(a, "j", "enter")
	expect(t, a, "t 3.100 000 ms", "sub-step 1/6: charge nginx", "delta=100000ns vdelta=100000vns")
	press(a, "j", "enter")
	expect(t, a, "t 3.000 000 ms", "update_curr: nginx ran 0.800000: v 0.951424 +0.800000 = 1.751424.")
}

func TestOriginOfTheSelectedFieldOfTheInspector(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "i")
	for !strings.HasPrefix(a.s.paneView(paneInspector, a.paneRoom()).Table.Rows[a.s.cursors[paneInspector]].Cells[0], "deadline") {
		press(a, "j")
	}
	press(a, "enter")
	expect(t, a, "origin of service.deadline = 2.951424ms", "place_entity", "service gets a deadline: v 0.151424 + 2.800000 = 2.951424")
}

func TestOriginRefusesWhatIsNoField(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "O", "ctrl+u")
	typeText(a, "nginx.vruntime > 1ms")
	expect(t, a, "not the field of somebody, expected one such as V or nginx.vruntime")
	press(a, "esc", "i", "enter")
	expect(t, a, "no trail leads to name: it never changes, or follows from other numbers")
}

func TestOriginReachesTheStartOfTheRun(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "g", "O", "ctrl+u")
	typeText(a, "service.vruntime")
	expect(t, a, "origin of service.vruntime = ", "the start of the run")
	press(a, "k")
	expect(t, a, "no further change")
}

func TestOriginBelongsToItsBranch(t *testing.T) {
	a := open(t, "nginx", 120, 40)
	press(a, "O", "ctrl+u")
	typeText(a, "V")
	press(a, "f")
	for a.s.feature().String() != "RUN_TO_PARITY_WAKEUP" {
		press(a, "j")
	}
	press(a, " ")
	a.pane = paneOrigin
	press(a, "enter")
	expect(t, a, "the number is of the branch main, B reopens it")
}

func TestLongFaultOfAPromptIsCutWithAMark(t *testing.T) {
	a := open(t, "nginx", 40, 12)
	press(a, "O", "ctrl+u")
	typeText(a, "nginx.vruntime > 1ms")
	expect(t, a, "not the field of somebody, expected o...")
}
