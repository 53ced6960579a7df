package scenarios_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"zerolag/scenarios"
)

// TestFormatNormalises holds files before and after.
func TestFormatNormalises(t *testing.T) {
	datadriven.RunTest(t, "testdata/format", func(t *testing.T, d *datadriven.TestData) string {
		text, err := scenarios.Format("x.yaml", []byte(strings.ReplaceAll(d.Input, "<SPACES>", "   ")))
		if err != nil {
			return err.Error() + "\n"
		}
		again, err := scenarios.Format("x.yaml", text)
		if err != nil || string(again) != string(text) {
			t.Errorf("formatting again: %v\n%s", err, again)
		}
		return strings.ReplaceAll(string(text), "\n\n", "\n<EMPTY>\n")
	})
}

// TestLibraryIsFormatted: the built-in scenarios are as the formatter writes them.
func TestLibraryIsFormatted(t *testing.T) {
	for _, e := range scenarios.Library() {
		text, err := os.ReadFile("library/" + e.Name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := scenarios.Format(e.Name, text)
		if err != nil {
			t.Error(err)
			continue
		}
		if string(formatted) != string(text) {
			t.Errorf("library/%s.yaml is not formatted: zerolag fmt -w scenarios/library/%s.yaml", e.Name, e.Name)
		}
	}
}

// FuzzFormat: a scenario means the same afterwards and is not changed again.
func FuzzFormat(f *testing.F) {
	f.Add([]byte("# a\ntasks: # b\n- {name: a, # c\n does: run}\n\n\n- name: b\n  does: >-\n   run\n   1ms\n"))
	f.Add([]byte("tasks: [{name: 'a', does: \"run\"}, {name: b, does: [run 1ms, {repeat: [run 1ms]}]}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		once, err := scenarios.Format("x.yaml", text)
		if err != nil {
			if !errors.As(err, new(*scenarios.Fault)) {
				t.Errorf("got %v", err)
			}
			return
		}
		twice, err := scenarios.Format("x.yaml", once)
		if err != nil || string(twice) != string(once) {
			t.Errorf("%v\n%q\n%q", err, once, twice)
		}
	})
}
