package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// selectFeature opens the feature pane on a feature.
func selectFeature(t *testing.T, a *app, name string) {
	t.Helper()
	if a.pane != paneFeatures {
		press(a, "f")
	}
	for i, d := range a.s.features() {
		if d.Feature.String() == name {
			a.s.cursors[paneFeatures] = i
			a.dirty = true
			return
		}
	}
	t.Fatalf("no feature %s", name)
}

func TestToggleChangesTheDecisionBeforeOnesEyes(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f")
	if got := a.s.feature(); got != scheduler.RunToParityWakeup {
		t.Errorf("the pane opens on %s, want the proposal that flips the decision", got)
	}
	expect(t, a, "PREEMPT", "main", "* flips this decision")
	before := a.s.run.Position()
	press(a, " ")
	expect(t, a, "keeps nginx", "b1", "t 3.100 000 ms", "wakeup: service", "! A wakee with lag", "from this event on, which ran again: branch b1")
	refuse(t, a, "PREEMPT.")
	press(a, " ")
	expect(t, a, "PREEMPT", "main", "back on main")
	if got := a.s.run.Position(); got != before {
		t.Errorf("toggling twice ends at %v, want %v", got, before)
	}
	press(a, " ")
	if n := len(a.s.run.Branches()); n != 2 {
		t.Errorf("%d branches after toggling three times, want main and b1", n)
	}
}

func TestToggleKeepsTheAxis(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	before := a.s.look.rulers.Axis(0)
	press(a, "f", " ")
	if got := a.s.look.rulers.Axis(0); got != before {
		t.Errorf("the axis went from %+v to %+v", before, got)
	}
}

func TestSwitchFromTheStart(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	selectFeature(t, a, "RUN_TO_PARITY_WAKEUP")
	press(a, "S")
	expect(t, a, "from the start of the run: branch b1")
	if e := a.s.branchEdits(); len(e) != 1 || e[0].At != 0 {
		t.Errorf("edits %v, want one at 0", e)
	}
}

func TestInertFeatureSaysWhyItDoesNothing(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	selectFeature(t, a, "TTWU_QUEUE")
	press(a, " ")
	expect(t, a, "TTWU_QUEUE changes nothing here: ")
	if a.s.run.Branch() != "main" {
		t.Error("an inert feature opened a branch")
	}
}

func TestFeatureRowsMarkChangesAndProposals(t *testing.T) {
	a := open(t, "nginx", 160, 50)
	press(a, "f", " ")
	expect(t, a, "*P!  RUN_TO_PARITY_WAKEUP")
	press(a, "j")
	expect(t, a, "ENFORCE_ELIGIBILITY: only entities with non-negative lag may be picked; off: everybody is eligible (proposal: ")
}

func TestBranchesAreListedAndReopened(t *testing.T) {
	a := open(t, "nginx", 100, 30)
	press(a, "f", " ", "B")
	expect(t, a, "branches: enter reopens", "RUN_TO_PARITY_WAKEUP at 3.1ms", "none beyond the scenario's")
	press(a, "k", "enter")
	expect(t, a, "on main", "PREEMPT")
	press(a, "enter")
	expect(t, a, "main is open already")
	press(a, "j", " ")
	expect(t, a, "on b1", "keeps nginx")
}

func TestWriteNeverReplacesSilently(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	path := filepath.Join(t.TempDir(), "p.txt")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	press(a, "w", "ctrl+u")
	typeText(a, path)
	expect(t, a, "exists.  y replace it")
	press(a, "n")
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file was replaced by %q", text)
	}
	press(a, "w", "ctrl+u")
	typeText(a, path)
	press(a, "y")
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "nginx  7.2") {
		t.Errorf("after y the file is %q", text)
	}
	expect(t, a, "written to ")
}

func TestWriteFaultKeepsThePrompt(t *testing.T) {
	a := open(t, "nginx", 100, 24)
	press(a, "w", "ctrl+u")
	typeText(a, filepath.Join(t.TempDir(), "none", "p.txt"))
	expect(t, a, "write to: ", "no such file or directory")
	press(a, "ctrl+u")
	typeText(a, "")
	expect(t, a, "no name, expected that of a file to write")
}

func TestCopyHandsThePictureToTheTerminal(t *testing.T) {
	t.Setenv("TMUX", "")
	a := open(t, "nginx", 80, 24)
	var terminal strings.Builder
	a.terminal = &terminal
	a.Update(a.copyPicture()())
	if !strings.HasPrefix(terminal.String(), "\x1b]52;c;") {
		t.Errorf("the terminal got %q, want an OSC 52 sequence", terminal.String())
	}
	expect(t, a, "copied, if this terminal lets programs copy")
}

func TestPictureFitsAMail(t *testing.T) {
	a := open(t, "nginx", 200, 50)
	text := a.s.picture()
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 76 || strings.TrimRight(line, " ") != line {
			t.Errorf("line of %d bytes: %q", len(line), line)
		}
	}
	if strings.IndexFunc(text, func(r rune) bool { return r > 126 || r < ' ' && r != '\n' }) >= 0 {
		t.Errorf("the picture is not plain ASCII:\n%s", text)
	}
	if !strings.HasSuffix(text, "zerolag nginx --kernel 7.2 --at 3.1ms --hash 58a15554db9d\n") {
		t.Errorf("the picture does not end with the command that reopens it:\n%s", text)
	}
}

func TestCommandNamesWhatWasChanged(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Scenario: nginx, Argument: "my file.yaml", ASCII: true, Change: scenarios.Options{
		Kernel: "7.2", HZ: 250, BaseSlice: 3 * scheduler.Millisecond, Until: scheduler.Second,
		Features: []scheduler.FeatureSetting{{Feature: scheduler.RunToParity}, {Feature: scheduler.NextBuddy, On: true}},
	}}
	a := openWith(t, o, 80, 24)
	want := "zerolag 'my file.yaml' --kernel 7.2 --features NO_RUN_TO_PARITY,NEXT_BUDDY --hz 250 --base-slice 3ms --until 1s --at "
	if got := a.s.command(); !strings.HasPrefix(got, want) {
		t.Errorf("got  %s\nwant %s...", got, want)
	}
}

func TestImpossibleEditIsAnError(t *testing.T) {
	nginx, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	change := scenarios.Change{At: scenarios.Moment{Time: 3100 * scheduler.Microsecond}, Text: "DOUBLE_TICK"}
	_, err = newApp(Options{Scenario: nginx, Change: scenarios.Options{Changes: []scenarios.Change{change}}}, plain)
	if err == nil || !strings.Contains(err.Error(), "DOUBLE_TICK") {
		t.Errorf("got %v, want an error about DOUBLE_TICK, which 7.2 does not have", err)
	}
}

// An edit may send the wakeup to another CPU; undo leads back to it all the same.
func TestUndoLeadsBackToAWakeupThatWentElsewhere(t *testing.T) {
	a := open(t, "pingpong", 80, 24)
	before, cpu := a.s.run.Index(), a.s.run.Event().CPU
	selectFeature(t, a, "TTWU_QUEUE")
	press(a, " ")
	if now := a.s.run.Event().CPU; now == cpu {
		t.Fatalf("the wakeup is on cpu%d in both branches", now)
	}
	press(a, "U")
	if now := a.s.run.Index(); now != before {
		t.Errorf("at event %d after undo, want %d", now, before)
	}
}
