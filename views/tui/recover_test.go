package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
)

// gone is a process that is no more: no system gives out a number that big.
const gone = "1999999999.yaml"

// openKeeping opens nginx with a folder for recovery files.
func openKeeping(t *testing.T, folder string) *app {
	t.Helper()
	x, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	return openWith(t, Options{Scenario: x, Argument: "nginx", ASCII: true, Recovery: folder}, 80, 24)
}

// do gives a key and carries out what the program wants done, messages included.
func do(a *app, keys ...string) {
	for _, k := range keys {
		_, cmd := a.Update(keyMsg(k))
		carryOut(a, cmd)
		settle(a)
	}
}

// carryOut runs commands that do not wait.
func carryOut(a *app, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			carryOut(a, c)
		}
	case keptMsg:
		a.Update(msg)
	}
}

// crash leaves the folder as a process that ended unexpectedly does.
func crash(t *testing.T, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d recovery files, %v", len(files), err)
	}
	if err := os.Rename(files[0], filepath.Join(folder, gone)); err != nil {
		t.Fatal(err)
	}
}

// TestACrashLosesNothing: work is on the disk after each key, and the next start
// offers it.
func TestACrashLosesNothing(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "zerolag")
	a := openKeeping(t, folder)
	do(a, "f", " ", "f", "l")
	crash(t, folder)

	b := openKeeping(t, folder)
	expect(t, b, "unsaved work on nginx of ", "r restore   d discard   n later")
	do(b, "n")
	refuse(t, b, "unsaved work")
	b = openKeeping(t, folder)
	do(b, "r")
	expect(t, b, "keeps nginx", "b1", "restored; ctrl+s saves it")
	if got, want := b.s.command(), "zerolag nginx --kernel 7.2 --edit 3.1ms#0=RUN_TO_PARITY_WAKEUP --at 3.1ms#1 --hash "; !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := os.Stat(filepath.Join(folder, gone)); err == nil {
		t.Error("restored work is offered again")
	}
	do(b, "q")
	expect(t, b, "1 branch is not saved")
	crash(t, folder)
}

// TestThePickerOffersWorkOnAnyScenario.
func TestThePickerOffersWorkOnAnyScenario(t *testing.T) {
	folder := t.TempDir()
	a := openKeeping(t, folder)
	do(a, "f", " ")
	crash(t, folder)
	b := openWith(t, Options{ASCII: true, Recovery: folder}, 80, 24)
	expect(t, b, "unsaved work on nginx")
	do(b, "r")
	expect(t, b, "keeps nginx")
	other, err := scenarios.Load("nice")
	if err != nil {
		t.Fatal(err)
	}
	crash(t, folder)
	refuse(t, openWith(t, Options{Scenario: other, Argument: "nice", ASCII: true, Recovery: folder}, 80, 24), "unsaved work")
}

// TestNothingUnsavedLeavesNoFile: not after saving, not after discarding, not after
// the user quit.
func TestNothingUnsavedLeavesNoFile(t *testing.T) {
	folder := t.TempDir()
	files := func() int {
		list, _ := filepath.Glob(filepath.Join(folder, "*"))
		return len(list)
	}
	a := openKeeping(t, folder)
	do(a, "l", "h")
	if files() != 0 {
		t.Error("moving makes a recovery file")
	}
	do(a, "f", " ")
	if files() != 1 {
		t.Fatal("an edit makes no recovery file")
	}
	save(a, filepath.Join(t.TempDir(), "mine.yaml"))
	do(a, "l")
	if files() != 0 {
		t.Error("saved work has a recovery file")
	}
	do(a, " ", "q", "y")
	if kept, err := a.end(); kept || err != nil || files() != 0 {
		t.Errorf("after quitting: kept %v, %v, %d files", kept, err, files())
	}

	a = openKeeping(t, folder)
	do(a, "f", " ")
	crash(t, folder)
	do(openKeeping(t, folder), "d")
	if files() != 0 {
		t.Error("discarded work is still there")
	}
}

// TestASignalKeepsTheWork: the program ends without the user having quit.
func TestASignalKeepsTheWork(t *testing.T) {
	folder := t.TempDir()
	a := openKeeping(t, folder)
	press(a, "f", " ") // the write that this asks for never happens
	if kept, err := a.end(); !kept || err != nil {
		t.Fatalf("kept %v, %v", kept, err)
	}
	crash(t, folder)
	expect(t, openKeeping(t, folder), "unsaved work on nginx")
}

// TestAFolderThatCannotBeWrittenIsTold, and the program goes on.
func TestAFolderThatCannotBeWrittenIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := openKeeping(t, filepath.Join(file, "zerolag"))
	do(a, "f", " ")
	expect(t, a, "unsaved work is not safe, its recovery file cannot be written", "keeps nginx")
	if _, err := a.end(); err == nil {
		t.Error("the end does not tell that work is lost")
	}
}

// TestLaterWorkIsNeverReplacedByEarlier, though writes may come in any order.
func TestLaterWorkIsNeverReplacedByEarlier(t *testing.T) {
	a := openKeeping(t, t.TempDir())
	press(a, "f")
	_, first := a.Update(keyMsg(" "))
	press(a, "f", "f", "j")
	_, second := a.Update(keyMsg(" "))
	carryOut(a, second)
	before, err := os.ReadFile(a.recovery.path())
	if err != nil {
		t.Fatal(err)
	}
	carryOut(a, first)
	if after, _ := os.ReadFile(a.recovery.path()); string(after) != string(before) {
		t.Errorf("an earlier write replaced a later one:\n%s", after)
	}
}

func TestStateFolder(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for state, want := range map[string]string{
		"/state": "/state/zerolag", "": "/home/me/.local/state/zerolag", "relative": "/home/me/.local/state/zerolag",
	} {
		t.Setenv("XDG_STATE_HOME", state)
		if got := StateFolder(); got != filepath.FromSlash(want) {
			t.Errorf("XDG_STATE_HOME=%s: got %s, want %s", state, got, want)
		}
	}
}
