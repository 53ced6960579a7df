package tui

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"zerolag/scenarios"
	"zerolag/views"
)

var writeFrames = flag.Bool("write-frames", false, "rewrite the golden frames")

// golden compares a frame with testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	got += "\n"
	if *writeFrames {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got), go test ./views/tui -run %s -write-frames rewrites it:\n%s", path, t.Name(), diff)
	}
}

// open opens a built-in scenario on a screen of that size, simulated to its end.
func open(t testing.TB, name string, width, height int) *app {
	t.Helper()
	opened, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return openWith(t, Options{Scenario: opened, Argument: name, ASCII: true}, width, height)
}

// plain paints nothing.
func plain(views.Theme) *views.Styles { return views.PlainStyles() }

func openWith(t testing.TB, o Options, width, height int) *app {
	t.Helper()
	a, err := newApp(o, plain)
	if err != nil {
		t.Fatal(err)
	}
	a.Update(tea.WindowSizeMsg{Width: width, Height: height})
	settle(a)
	return a
}

// settle does all the work that is waiting.
func settle(a *app) {
	for a.s != nil && a.s.busy() {
		a.Update(workMsg{})
	}
}

// press gives keys, named as in the table, and lets the work finish after each.
func press(a *app, keys ...string) {
	for _, k := range keys {
		a.Update(keyMsg(k))
		settle(a)
	}
}

// typeText types a text and enter.
func typeText(a *app, text string) {
	for _, r := range text {
		a.Update(keyMsg(string(r)))
	}
	press(a, "enter")
}

// keyMsg is the message of a key named as in the table.
func keyMsg(name string) tea.KeyMsg {
	named := map[string]tea.KeyType{
		"left": tea.KeyLeft, "right": tea.KeyRight, "up": tea.KeyUp, "down": tea.KeyDown, "home": tea.KeyHome, "end": tea.KeyEnd,
		"shift+left": tea.KeyShiftLeft, "shift+right": tea.KeyShiftRight, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab,
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+u": tea.KeyCtrlU, "ctrl+s": tea.KeyCtrlS, "ctrl+t": tea.KeyCtrlT,
		"ctrl+k": tea.KeyCtrlK, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
	}
	if k, ok := named[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// expect fails unless the picture has every text.
func expect(t *testing.T, a *app, texts ...string) {
	t.Helper()
	frame := a.View()
	for _, text := range texts {
		if !strings.Contains(frame, text) {
			t.Errorf("the picture lacks %q:\n%s", text, frame)
		}
	}
}

// refuse fails if the picture has one of the texts.
func refuse(t *testing.T, a *app, texts ...string) {
	t.Helper()
	frame := a.View()
	for _, text := range texts {
		if strings.Contains(frame, text) {
			t.Errorf("the picture should not have %q:\n%s", text, frame)
		}
	}
}
