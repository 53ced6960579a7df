package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"zerolag/views"
)

func TestPresentationLeavesNoteStripsAndWhy(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", "P")
	expect(t, a, "presentation: ", "! A wakee with lag", "before    ", ">nginx", "moved", "PREEMPT", "flips with")
	refuse(t, a, "HZ 1000", "features:", "T-----", "q quit")
	checkSize(t, a)
	if !strings.HasPrefix(a.View(), "! A wakee with lag") {
		t.Errorf("the note is not on top:\n%s", a.View())
	}
	press(a, "l")
	expect(t, a, "service")
	press(a, "P", "P")
	expect(t, a, "HZ 1000", "the whole screen again")
	a.Update(tea.WindowSizeMsg{Width: 200, Height: 50})
	press(a, "P")
	refuse(t, a, "-- log")
	checkSize(t, a)
}

// TestWhoRunsNextHidesTheDecision until r asks for it, at every event anew.
func TestWhoRunsNextHidesTheDecision(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "r")
	expect(t, a, "r: nothing is hidden; P P asks who runs next")
	press(a, "P", "P")
	expect(t, a, "Who runs next?", "before    ", ">nginx")
	refuse(t, a, "! A wakee", "PREEMPT", "after ", "moved", "flips with")
	press(a, "r")
	expect(t, a, "! A wakee", "PREEMPT", "after ", "moved")
	refuse(t, a, "Who runs next?")
	press(a, "r")
	expect(t, a, "r: told already")
	press(a, "l")
	expect(t, a, "Who runs next?")
	refuse(t, a, "picks service")
	press(a, "r")
	expect(t, a, "service")
	press(a, "h")
	expect(t, a, "Who runs next?")
	checkSize(t, a)
}

// TestThemesChangeTheColoursAndNothingElse.
func TestThemesChangeTheColoursAndNothingElse(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	renderer := lipgloss.NewRenderer(nil)
	renderer.SetColorProfile(termenv.TrueColor)
	a.paint = func(theme views.Theme) *views.Styles { return views.NewStyles(renderer, theme) }
	seen := map[string]bool{}
	for _, name := range []string{"light", "mono", "dark"} {
		press(a, "ctrl+t")
		if !strings.Contains(a.View(), "theme: "+name) {
			t.Errorf("no %s in\n%s", name, a.View())
		}
		seen[strings.ReplaceAll(a.View(), "theme: "+name, "")] = true
	}
	if len(seen) != int(views.NumThemes) {
		t.Errorf("%d different pictures for %d themes", len(seen), views.NumThemes)
	}
}

// TestResumingShowsEverythingAgain: after a suspension the picture is drawn anew and
// the mouse is switched on again.
func TestResumingShowsEverythingAgain(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	before := a.View()
	a.frame = "garbage"
	_, cmd := a.Update(tea.ResumeMsg{})
	if a.View() != before {
		t.Errorf("after resuming:\n%s", a.View())
	}
	if !commandGives(cmd, tea.EnableMouseCellMotion()) {
		t.Error("the mouse stays off after resuming")
	}
}

// commandGives tells whether a command, or one of its batch, gives a message.
func commandGives(cmd tea.Cmd, want tea.Msg) bool {
	if cmd == nil {
		return false
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			if commandGives(c, want) {
				return true
			}
		}
		return false
	}
	return msg == want
}
