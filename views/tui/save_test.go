package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"zerolag/model"
	"zerolag/scenarios"
)

func TestQuitWithoutEditsQuits(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		a := open(t, "nginx", 80, 24)
		if _, cmd := a.Update(keyMsg(key)); !quits(cmd) {
			t.Errorf("%s does not quit", key)
		}
	}
}

// quits tells whether a command ends the program. It runs the command, which
// must not wait.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	_, ok := cmd().(tea.QuitMsg)
	return ok
}

func TestQuitWithUnsavedBranchesAsks(t *testing.T) {
	for _, key := range []string{"q", "ctrl+c"} {
		a := open(t, "nginx", 80, 24)
		press(a, "f", " ")
		if _, cmd := a.Update(keyMsg(key)); quits(cmd) {
			t.Fatalf("%s quits and loses a branch", key)
		}
		expect(t, a, "1 branch is not saved.  s save and quit   y quit   n stay")
		press(a, "x")
		expect(t, a, "not saved")
		press(a, "n")
		refuse(t, a, "not saved")
		a.Update(keyMsg(key))
		if _, cmd := a.Update(keyMsg("y")); !quits(cmd) {
			t.Error("y does not quit")
		}
	}
}

func TestEditsAndPositionReopenTheSameState(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "l", "l", "l", "l")
	selectFeature(t, a, "NEXT_BUDDY")
	press(a, " ", "f", "l", "h")
	want := a.s.command()
	const start = "zerolag nginx --kernel 7.2 --edit 3.1ms#0=RUN_TO_PARITY_WAKEUP --edit 5.2ms#0=NEXT_BUDDY --at 5.2ms#1 --hash "
	if !strings.HasPrefix(want, start) {
		t.Errorf("got  %s\nwant %s...", want, start)
	}
	at := a.s.run.Position()
	again := openWith(t, Options{Scenario: a.s.scenario, Argument: "nginx", At: &at, ASCII: true, Change: scenarios.Options{
		Kernel: "7.2", Changes: scenarios.Changes(a.s.workload, a.s.run.Edits(), a.s.branchEdits()),
	}}, 80, 24)
	if diff := cmp.Diff(a.s.run.Frame(), again.s.run.Frame(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("reopened in another state:\n%s", diff)
	}
	if got := again.s.command(); got != want {
		t.Errorf("reopened as %s", got)
	}
	if again.s.lost() != "" {
		t.Error("edits of the command line count as unsaved")
	}
}

// save types ctrl+s and a file name and gives what the program does next.
func save(a *app, path string) tea.Cmd {
	press(a, "ctrl+s", "ctrl+u")
	return typeLine(a, path)
}

// typeLine types a text and enter and gives what the program does next.
func typeLine(a *app, text string) tea.Cmd {
	for _, r := range text {
		a.Update(keyMsg(string(r)))
	}
	_, cmd := a.Update(keyMsg("enter"))
	settle(a)
	return cmd
}

// reload opens a file as the command line does.
func reload(t *testing.T, path string) *app {
	t.Helper()
	x, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return openWith(t, Options{Scenario: x, Argument: path, ASCII: true}, 80, 24)
}

// TestSavedSessionsLeadToTheSameStep: branches with their names, bookmarks, stop
// condition and position come back, and the picture is the same.
func TestSavedSessionsLeadToTheSameStep(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "j", " ", "f")
	press(a, "M")
	typeText(a, "here it's: different")
	expect(t, a, "! here it's: different", "bookmark set")
	press(a, "u")
	typeText(a, "nginx.lag < 0")
	press(a, "h", "h")
	path := filepath.Join(t.TempDir(), "mine.yaml")
	save(a, path)
	expect(t, a, "saved: zerolag ")
	press(a, "esc") // the message goes
	if a.s.lost() != "" {
		t.Errorf("%s after saving", a.s.lost())
	}

	b := reload(t, path)
	if diff := cmp.Diff(a.s.run.Branches(), b.s.run.Branches(), cmpopts.IgnoreFields(model.Branch{}, "From", "ForkAt")); diff != "" {
		t.Errorf("branches (-saved +reopened):\n%s", diff)
	}
	press(a, "0")
	press(b, "0")
	if diff := cmp.Diff(a.View(), b.View()); diff != "" {
		t.Errorf("another picture:\n%s", diff)
	}
	press(b, "]")
	expect(t, b, "stop: nginx.lag < 0")
	press(b, "g", "}")
	expect(t, b, "! here it's: different")
	if b.s.lost() != "" {
		t.Errorf("%s right after opening", b.s.lost())
	}
}

// TestSavingAgainGoesToTheSameFile without asking, and keeps the scenario's text.
func TestSavingAgainGoesToTheSameFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(path, []byte(plainScenario+"# a comment\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := reload(t, path)
	press(a, "f", " ", "ctrl+s")
	expect(t, a, "save session as: "+path[:20])
	press(a, "enter")
	expect(t, a, "exists.  y replace it")
	press(a, "y")
	press(a, "f", "f", "j", " ", "ctrl+s", "enter")
	expect(t, a, "saved: zerolag ")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), plainScenario+"# a comment\n") || strings.Count(string(text), "session:") != 1 {
		t.Errorf("the file is now\n%s", text)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is now %v", info.Mode())
	}
}

// TestAFailedSaveKeepsThePromptAndTheOldFile: nothing is lost when the folder cannot
// be written.
func TestAFailedSaveKeepsThePromptAndTheOldFile(t *testing.T) {
	a := open(t, "nginx", 100, 24)
	press(a, "f", " ")
	save(a, filepath.Join(t.TempDir(), "none", "mine.yaml"))
	expect(t, a, "save session as: ", "no such file or directory")
	press(a, "esc")
	if a.s.lost() == "" {
		t.Error("the branch counts as saved")
	}
	path := filepath.Join(t.TempDir(), "folder.yaml")
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	save(a, path)
	press(a, "y")
	if !a.fault {
		t.Error("a folder was replaced")
	}
}

func TestQuitSavesTheSession(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	path := filepath.Join(t.TempDir(), "mine")
	press(a, "f", " ", "q", "s", "ctrl+u")
	if cmd := typeLine(a, path); !quits(cmd) {
		t.Error("the program goes on after the session was saved")
	}
	expect(t, reload(t, path+".yaml"), "keeps nginx", "b1")
}

func TestBookmarksAskBeforeTheyAreLost(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "l", "M")
	typeText(a, "mine")
	press(a, "q")
	expect(t, a, "bookmarks are not saved.  s save and quit")
	press(a, "n", "M", "ctrl+u", "enter")
	expect(t, a, "no bookmark of yours here")
	if _, cmd := a.Update(keyMsg("q")); !quits(cmd) {
		t.Error("q asks though nothing is unsaved")
	}
}

// TestBookmarksKeepTheirEventInEveryBranch: an edit at the same time moves the event
// on by one, and the bookmark with it.
func TestBookmarksKeepTheirEventInEveryBranch(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "f", "M")
	typeText(a, "mine")
	expect(t, a, "wakeup: service", "! mine")
	press(a, "U")
	expect(t, a, "wakeup: service", "! mine", "taken back: kernel 7.2, HZ 1000, on main")
	press(a, "h", "}")
	expect(t, a, "wakeup: service", "! mine")
}

func TestUndoAndRedo(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "U")
	expect(t, a, "U: nothing to take back", "PREEMPT.")
	press(a, "f", " ", "R")
	expect(t, a, "R: nothing was taken back", "keeps nginx")
	press(a, "U")
	expect(t, a, "PREEMPT.", "on main")
	press(a, "R")
	expect(t, a, "keeps nginx", "done again: kernel 7.2, HZ 1000, on b1")
}

func TestFlagsOutrankTheSessionOfTheFile(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "l")
	path := filepath.Join(t.TempDir(), "mine.yaml")
	save(a, path)
	x, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b := openWith(t, Options{Scenario: x, Argument: path, ASCII: true, Change: scenarios.Options{Kernel: "6.12.y"}}, 80, 24)
	expect(t, b, "6.12.y", "main", "t 3.100 000 ms")
}

func TestAnotherHashIsTold(t *testing.T) {
	x, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	for hash, told := range map[string]bool{"": false, "58a15554db9d": false, "123456789abc": true} {
		a := openWith(t, Options{Scenario: x, Argument: "nginx", ASCII: true, Hash: hash}, 160, 24)
		if got := strings.Contains(a.View(), "this is another run than the one the command line was made for"); got != told {
			t.Errorf("hash %q: told %v\n%s", hash, got, a.View())
		}
	}
}
