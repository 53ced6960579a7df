package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

func pickOn(t *testing.T, width, height int) *app {
	t.Helper()
	return openWith(t, Options{ASCII: true}, width, height)
}

// The list has every topic as a heading, and the description of the selected
// scenario below it.
func TestPickerHasTopics(t *testing.T) {
	a := pickOn(t, 100, 200)
	for _, e := range scenarios.Library() {
		expect(t, a, e.Topic, e.Name)
	}
	expect(t, a, "A web server works 5 ms at a time; a small service wakes every 1.1 ms")
}

// v goes through the kernels; what is left shows on the kernel, and opens on it.
func TestPickerByKernel(t *testing.T) {
	a := pickOn(t, 100, 200)
	for _, p := range scheduler.Profiles() {
		press(a, "v")
		expect(t, a, "zerolag: cases that show on "+p.Name)
		for _, e := range scenarios.Library() {
			listed := strings.Contains(a.View(), "\n   "+e.Name+" ") || strings.Contains(a.View(), "\n>  "+e.Name+" ")
			if want := e.Shows != nil && e.ShownOn(p.Name); listed != want {
				t.Errorf("%s is listed for %s: %v, want %v", e.Name, p.Name, listed, want)
			}
		}
	}
	press(a, "v")
	expect(t, a, "zerolag: scenarios")
	press(a, "V", "V")
	expect(t, a, "cases that show on 7.1")
	press(a, "V", "V", "V", "V", "V", "V", "V", "enter")
	if a.s == nil {
		t.Fatal("no scenario opened")
	}
	if got := a.s.workload.Config.Kernel.Name; got != "6.8" {
		t.Errorf("opened on %s, want 6.8", got)
	}
}

// The filter finds kernels and topics too.
func TestPickerFilter(t *testing.T) {
	a := pickOn(t, 100, 40)
	press(a, "/")
	for _, letter := range "gone in 6.9" {
		a.Update(keyMsg(string(letter)))
	}
	press(a, "enter")
	expect(t, a, "cases/C28-v-without-the-leaver", "cases/C30-lag-without-bound")
	refuse(t, a, "nginx")
	press(a, "esc")
	expect(t, a, "nginx")
}

// A wide screen shows the first bookmark of the selected scenario beside the list,
// whatever it is; a narrow one does not.
func TestPickerPreview(t *testing.T) {
	a := pickOn(t, 120, 40)
	expect(t, a, "t 3.100 000 ms", "E/N st", "flips with")
	for range scenarios.Library()[1:] {
		press(a, "j")
		expect(t, a, "E/N st")
		if e := a.picker.selected(); a.picker.preview.name != e.Name || a.picker.preview.picture == nil {
			t.Errorf("%s has no preview", e.Name)
		}
	}
	a.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	refuse(t, a, "E/N st")
}
