package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// find is where a text stands on the screen.
func find(t *testing.T, a *app, text string) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(a.View(), "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return len([]rune(before)), y
		}
	}
	t.Fatalf("the picture lacks %q:\n%s", text, a.View())
	return 0, 0
}

// mouseAt gives one event of the mouse and lets the work finish.
func mouseAt(a *app, x, y int, action tea.MouseAction, button tea.MouseButton) {
	a.View()
	a.Update(tea.MouseMsg{X: x, Y: y, Action: action, Button: button})
	settle(a)
}

// click presses and releases the left button on a text.
func click(t *testing.T, a *app, text string) {
	t.Helper()
	x, y := find(t, a, text)
	mouseAt(a, x, y, tea.MouseActionPress, tea.MouseButtonLeft)
	mouseAt(a, x, y, tea.MouseActionRelease, tea.MouseButtonNone)
}

func TestTheWheelSteps(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	mouseAt(a, 5, 5, tea.MouseActionPress, tea.MouseButtonWheelDown)
	expect(t, a, "schedule: nginx")
	mouseAt(a, 5, 5, tea.MouseActionPress, tea.MouseButtonWheelUp)
	expect(t, a, "wakeup: service", "t 3.100 000 ms")
}

// TestTheMouseScrubs: a press on the lanes goes to the last event that the column
// shows, dragging follows, and after the release nothing does.
func TestTheMouseScrubs(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	x, y := find(t, a, "T---------------T")
	mouseAt(a, x+16, y, tea.MouseActionPress, tea.MouseButtonLeft)
	expect(t, a, "t 1.000 000 ms")
	mouseAt(a, x+32, y+3, tea.MouseActionMotion, tea.MouseButtonLeft)
	expect(t, a, "t 2.000 000 ms")
	mouseAt(a, x+32, y, tea.MouseActionRelease, tea.MouseButtonNone)
	mouseAt(a, x+16, y, tea.MouseActionMotion, tea.MouseButtonLeft)
	expect(t, a, "t 2.000 000 ms")
	x, y = find(t, a, "T---------------T")
	mouseAt(a, x+2, y+1, tea.MouseActionPress, tea.MouseButtonLeft)
	expect(t, a, "t 0.100 000 ms")
	before := a.s.run.Index()
	mouseAt(a, 79, y, tea.MouseActionPress, tea.MouseButtonLeft)
	if a.s.run.Index() != before {
		t.Error("a press beside the window moved")
	}
}

func TestTheMouseSelectsAndUnselects(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	click(t, a, "service             *")
	expect(t, a, "selected service")
	click(t, a, "service             *")
	if a.s.selected >= 0 {
		t.Error("a second press keeps the selection")
	}
}

func TestTheMouseToggles(t *testing.T) {
	a := open(t, "nginx", 160, 50)
	press(a, "f")
	click(t, a, "RESPECT_SLICE ")
	expect(t, a, "RESPECT_SLICE: ")
	click(t, a, "RESPECT_SLICE ")
	expect(t, a, "RESPECT_SLICE from this event on, which ran again", "b1")
	press(a, "B")
	click(t, a, "none beyond the scenario's")
	click(t, a, "none beyond the scenario's")
	expect(t, a, "on main")
	press(a, "E")
	click(t, a, "kill ")
	click(t, a, "kill ")
	expect(t, a, "kill service here: branch b2")
	x, y := find(t, a, "base_slice  ")
	row := a.s.cursors[paneEdit]
	mouseAt(a, x, y, tea.MouseActionPress, tea.MouseButtonWheelDown)
	if a.s.cursors[paneEdit] != row+1 {
		t.Error("the wheel over a pane does not move its selection")
	}
}

func TestTheMouseGoesToALineOfTheLog(t *testing.T) {
	a := open(t, "nginx", 160, 50)
	press(a, "e")
	click(t, a, "start     start")
	expect(t, a, "t 0.000 000 ms")
}

func TestTheMousePicksAScenario(t *testing.T) {
	a := openWith(t, Options{ASCII: true}, 80, 24)
	click(t, a, "three-hogs")
	expect(t, a, ">  three-hogs")
	click(t, a, "three-hogs")
	expect(t, a, "three-hogs  7.2")
	press(a, "?")
	mouseAt(a, 1, 1, tea.MouseActionPress, tea.MouseButtonWheelDown)
	if a.help.from != 1 {
		t.Error("the wheel does not scroll the list of keys")
	}
}

// TestTheMouseLeavesPromptsAlone.
func TestTheMouseLeavesPromptsAlone(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, ":")
	before := a.View()
	mouseAt(a, 3, 8, tea.MouseActionPress, tea.MouseButtonLeft)
	mouseAt(a, 3, 8, tea.MouseActionPress, tea.MouseButtonWheelDown)
	if a.View() != before {
		t.Errorf("the mouse changed\n%s", a.View())
	}
}
