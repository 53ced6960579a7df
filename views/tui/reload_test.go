package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAWrittenFileIsReloadedAtTheSameMoment with its branches, condition and name.
func TestAWrittenFileIsReloadedAtTheSameMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	writeFile(t, path, plainScenario)
	a := reload(t, path)
	press(a, "f", " ", "f", "u")
	typeText(a, "b.waiting > 2ms")
	press(a, ":")
	typeText(a, "12ms")
	press(a, "E", "j", "j", "E")
	at, branch := a.s.run.Position(), a.s.run.Branch()
	writeFile(t, path, strings.Replace(plainScenario, "{name: b,", "{name: b, nice: 5,", 1))
	a.Update(fileMsg{})
	settle(a)
	expect(t, a, "mine.yaml was written: this is the new run, at the same moment")
	if a.s.run.Position() != at || a.s.run.Branch() != branch || a.s.run.Frame().Task(1).Nice != 5 || !a.s.run.Dirty() {
		t.Errorf("at %v on %s with nice %d, want %v on %s with 5", a.s.run.Position(), a.s.run.Branch(), a.s.run.Frame().Task(1).Nice, at, branch)
	}
	press(a, "]")
	expect(t, a, "stop: b.waiting > 2ms")
}

// TestAFaultyFileKeepsTheOldRun and shows the fault.
func TestAFaultyFileKeepsTheOldRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	writeFile(t, path, plainScenario)
	a := reload(t, path)
	a.Update(tea.WindowSizeMsg{Width: 300, Height: 24})
	was := a.s.hash()
	for _, c := range []struct{ text, told string }{
		{strings.Replace(plainScenario, "name: b", "nam: b", 1), `unknown key "nam": expected name`},
		{"", "the old run stays"},
	} {
		writeFile(t, path, c.text)
		a.Update(fileMsg{})
		expect(t, a, "mine.yaml was written, but the old run stays: ", c.told)
		if a.s.hash() != was {
			t.Error("the run is another")
		}
	}
	writeFile(t, path, strings.Replace(plainScenario, "until: 50ms", "until: 60ms", 1))
	a.Update(fileMsg{})
	expect(t, a, "this is the new run")
}

// TestBranchesThatNoLongerFitAreGone: an edit may name a task that is no more; that
// of the current branch keeps the old run.
func TestBranchesThatNoLongerFitAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	writeFile(t, path, plainScenario)
	a := reload(t, path)
	choose(t, a, "nice of b")
	set(a, "5")
	writeFile(t, path, strings.Replace(plainScenario, "name: b", "name: c", 1))
	a.Update(fileMsg{})
	expect(t, a, "the old run stays", "unknown tas")
	press(a, "U")
	a.Update(fileMsg{})
	expect(t, a, "this is the new run")
	if n := len(a.s.run.Branches()); n != 1 {
		t.Errorf("%d branches, want main alone", n)
	}
}

// TestSavingIntoTheOwnFileIsNoChange: the session is another section.
func TestSavingIntoTheOwnFileIsNoChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	writeFile(t, path, plainScenario)
	a := reload(t, path)
	press(a, "f", " ")
	save(a, path)
	press(a, "y")
	a.Update(fileMsg{})
	refuse(t, a, "was written")
}

// TestTheFolderIsWatched: both ways in which editors write a file are noticed, each
// once, and other files are not.
func TestTheFolderIsWatched(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.yaml")
	writeFile(t, path, "1")
	changes := make(chan struct{}, 10)
	stop, err := watchFile(path, func() { changes <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	noticed := func(what string) {
		t.Helper()
		select {
		case <-changes:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is not noticed", what)
		}
	}
	writeFile(t, path, "2")
	writeFile(t, path, "3")
	noticed("writing in place")
	writeFile(t, filepath.Join(dir, "new"), "4")
	if err := os.Rename(filepath.Join(dir, "new"), path); err != nil {
		t.Fatal(err)
	}
	noticed("replacing the file")
	writeFile(t, filepath.Join(dir, "other.yaml"), "5")
	time.Sleep(3 * settling)
	if n := len(changes); n != 0 {
		t.Errorf("%d more changes noticed, want none", n)
	}
	if _, err := watchFile(filepath.Join(dir, "none", "x.yaml"), func() {}); err == nil {
		t.Error("a folder that does not exist is watched")
	}
}
