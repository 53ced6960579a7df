package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const recordedYields = "../../scenarios/recording/testdata/08c-yield"

// mistold copies a recording and tells another base slice about its kernel, so
// that the machine disagrees with it.
func mistold(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"trace.txt.gz", "meta.json"} {
		data, err := os.ReadFile(filepath.Join(recordedYields, name))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(data), `"base_slice_ns": 3000000`, `"base_slice_ns": 3000001`, 1)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRecordingIsSteppedThrough(t *testing.T) {
	a := open(t, recordedYields, 120, 40)
	expect(t, a, "08c-yield   6.12.y   HZ 250   base 3 ms", "recorded, line 435", "! wl go", "wakeup: t0-hog-182")
	press(a, "g", "l", "l")
	expect(t, a, "fork: wl-181 by record.sh-134", "check_preempt_wakeup_fair", "recorded, line 15")
	press(a, "G")
	last := a.s.run.Index()
	press(a, "h")
	if a.s.run.Index() != last-1 {
		t.Errorf("at event %d, want %d", a.s.run.Index(), last-1)
	}
}

func TestWholeRecordingAgrees(t *testing.T) {
	a := open(t, recordedYields, 120, 40)
	press(a, "]")
	expect(t, a, "no later event at which the machine disagrees with the kernel")
	press(a, "[")
	expect(t, a, "no earlier event at which the machine disagrees with the kernel")
}

func TestBracketsGoToDisagreements(t *testing.T) {
	a := open(t, mistold(t), 120, 40)
	press(a, "g", "]")
	first := a.s.run.Index()
	expect(t, a, "! the machine disagrees in", "computed 3000001")
	press(a, "]")
	second := a.s.run.Index()
	if first == 0 || second <= first {
		t.Fatalf("disagreements at events %d and %d", first, second)
	}
	press(a, "[")
	if a.s.run.Index() != first {
		t.Errorf("at event %d, want %d", a.s.run.Index(), first)
	}
}

func TestStopConditionGoesBeforeDisagreements(t *testing.T) {
	a := open(t, mistold(t), 120, 40)
	press(a, "g", "u")
	typeText(a, "event == yield")
	if kind := a.s.run.Event().Kind.String(); kind != "yield" {
		t.Errorf("at a %s, want a yield", kind)
	}
	press(a, "]")
	if kind := a.s.run.Event().Kind.String(); kind != "yield" {
		t.Errorf("at a %s, want a yield", kind)
	}
}

func TestRecordingRefusesChanges(t *testing.T) {
	a := open(t, recordedYields, 120, 40)
	before := a.s.run.Index()
	press(a, "f", " ")
	expect(t, a, "this is a recording: what the kernel did cannot be changed")
	press(a, "E", "enter")
	expect(t, a, "this is a recording: what the kernel did cannot be changed")
	press(a, "ctrl+s")
	expect(t, a, "this is a recording: only a scenario file can hold a session")
	for _, key := range []string{"c", "T"} {
		press(a, key)
		expect(t, a, "this is a recording: it happened in one way only")
	}
	press(a, "f", "S")
	expect(t, a, "this is a recording: what the kernel did cannot be changed")
	if a.s.run.Index() != before || len(a.s.run.Branches()) != 1 {
		t.Errorf("at event %d of %d branches", a.s.run.Index(), len(a.s.run.Branches()))
	}
}

// Every key works on a recording, of two CPUs too, and the program goes on.
func TestEveryKeyWorksOnARecording(t *testing.T) {
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // where keys write files
	for _, name := range []string{"07-cgroup", "09b-smp-hogs"} {
		a := open(t, filepath.Join(home, "../../scenarios/recording/testdata", name), 100, 30)
		for _, start := range []string{"g", "}", "G"} {
			for _, b := range keyTable() {
				if b.place != placeRun || b.show == "q ctrl+c" || b.show == "ctrl+z" {
					continue
				}
				for _, key := range b.keys {
					press(a, start, key, "j", " ", "enter", "esc", "esc", "esc")
					a.help = nil
					if a.View() == "" || a.s == nil {
						t.Fatalf("%s: nothing is drawn after %s %s", name, start, key)
					}
				}
			}
		}
		if branches := a.s.run.Branches(); len(branches) != 1 || branches[0].Name != "recorded" {
			t.Errorf("%s: branches %v", name, branches)
		}
	}
}
