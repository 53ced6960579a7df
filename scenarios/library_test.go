package scenarios_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// TestLibraryListsEveryFile: nothing is embedded that users cannot reach, and
// every entry says what to look at.
func TestLibraryListsEveryFile(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*.yaml", "*/*.yaml"} {
		found, err := filepath.Glob("library/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	entries := scenarios.Library()
	if len(files) != len(entries) || entries[0].Name != "nginx" {
		t.Errorf("%d files, %d entries, the first is %s", len(files), len(entries), entries[0].Name)
	}
	for _, e := range entries {
		if !slices.Contains(files, "library/"+e.Name+".yaml") || e.About == "" {
			t.Errorf("entry %+v", e)
		}
	}
}

// TestLibraryRunsOnEveryKernel: each scenario can be put on each kernel, unless a
// variant is about a feature that the kernel does not have.
func TestLibraryRunsOnEveryKernel(t *testing.T) {
	for _, e := range scenarios.Library() {
		s, err := scenarios.Load(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kernel := range scheduler.Profiles() {
			for _, variant := range append(s.VariantNames(), "") {
				o := scenarios.Options{Kernel: kernel.Name, Variant: variant}
				if _, err := s.Workload(o); err != nil && !strings.Contains(err.Error(), "has no feature") {
					t.Errorf("%s on %s: %v", e.Name, kernel.Name, err)
				}
			}
		}
	}
}

// TestLibraryKeepsItsPromises evaluates every expectation of every built-in
// scenario.
func TestLibraryKeepsItsPromises(t *testing.T) {
	for _, e := range scenarios.Library() {
		s, err := scenarios.Load(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range s.Runs() {
			_, verdicts, err := s.Test(run, s.Workload)
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
			for i, v := range verdicts {
				if !v.Held {
					t.Errorf("%s variant %q, line %d: %s does not hold: %v", e.Name, run.Options.Variant, run.Expect[i].Line, run.Expect[i].Text, v.Compared)
				}
			}
		}
	}
}

// TestBookmarksOfTheLibraryStandOnEvents: a note is about something that happens
// then.
func TestBookmarksOfTheLibraryStandOnEvents(t *testing.T) {
	for _, e := range scenarios.Library() {
		s, err := scenarios.Load(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Bookmarks) == 0 {
			t.Errorf("%s has no bookmarks", e.Name)
		}
		at := positions(build(t, s, scenarios.Options{}))
		for _, b := range s.Bookmarks {
			if !at[position{b.Time, b.Ordinal}] {
				t.Errorf("%s: no event at %s #%d: %s", e.Name, scenarios.FormatTime(b.Time), b.Ordinal, b.Note)
			}
		}
	}
}
