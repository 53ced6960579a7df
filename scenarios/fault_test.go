package scenarios_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"zerolag/scenarios"
)

// TestEveryFaultPointsAtItsPlace holds the whole text of a fault, caret included,
// for each way in which a scenario can be wrong.
func TestEveryFaultPointsAtItsPlace(t *testing.T) {
	for _, file := range []string{"testdata/faults-values", "testdata/faults-names", "testdata/faults-programs", "testdata/faults-limits", "testdata/faults-yaml"} {
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			return parseFault(t, unescape(d.Input))
		})
	}
}

// unescape lets the stories hold what an editor would hide.
func unescape(text string) string {
	return strings.NewReplacer("<TAB>", "\t", "<NUL>", "\x00", "<ESC>", "\x1b", "<FF>", "\xff", "<SPACES>", strings.Repeat(" ", 300)).Replace(text)
}

// TestLintFindsEveryFault holds all faults of files that have several, each once.
func TestLintFindsEveryFault(t *testing.T) {
	datadriven.RunTest(t, "testdata/lint", func(t *testing.T, d *datadriven.TestData) string {
		var all strings.Builder
		for _, f := range scenarios.Lint("x.yaml", []byte(d.Input)) {
			all.WriteString(f.Error() + "\n")
		}
		if _, err := scenarios.Parse("x.yaml", []byte(d.Input)); err != nil && !strings.Contains(all.String(), err.Error()) {
			t.Errorf("lint does not find %v", err)
		}
		return all.String()
	})
}

func parseFault(t *testing.T, text string) string {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", []byte(text))
	if err == nil {
		return fmt.Sprintf("ok: %s\n", s.Name)
	}
	var fault *scenarios.Fault
	if !errors.As(err, &fault) {
		t.Fatalf("the error is a %T, want a Fault: %v", err, err)
	}
	return err.Error() + "\n"
}

// big is a scenario of more than n bytes.
func big(n int) string {
	return "tasks:\n- {name: a, does: run}\nabout: " + strings.Repeat("x", n) + "\n"
}

// TestHugeFilesAreRefused covers the limits that no file in testdata can reach.
func TestHugeFilesAreRefused(t *testing.T) {
	brackets := "tasks: " + strings.Repeat("[", 100_000)
	instructions := "tasks:\n- {name: a, does: \"" + strings.Repeat("yield,", 100_001) + "run\"}\n"
	for _, c := range []struct{ name, text, want string }{
		{"size", big(4 << 20), "bytes: expected at most 4 MiB"},
		{"tasks", "tasks:\n- {name: a, count: 60000, does: run}\n- {name: b, count: 60000, does: run}\n", "too many tasks: expected at most 100000"},
		{"instructions", instructions, "too many instructions: expected at most 100000"},
		{"brackets", brackets, "nested too deeply: expected at most 64 levels"},
		{"dashes", "tasks:\n" + strings.Repeat("- ", 100_000), "nested too deeply: expected at most 64 levels"},
		{"events", "tasks: [{name: a, does: run}]\nevents: [{at: 0, every: 1us, wake: a}]\n", "too many events with their repetitions: expected at most 100000"},
		{"queues", "cpus: 256\ngroups:\n" + manyGroups(500) + "tasks: [{name: a, does: run}]\n", "queues: expected at most 100000"},
	} {
		_, err := scenarios.Parse("x.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if err != nil && len(err.Error()) > 1000 {
			t.Errorf("%s: the message has %d bytes", c.name, len(err.Error()))
		}
	}
}

func manyGroups(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {name: g%d}\n", i)
	}
	return b.String()
}

// TestLongLinesAreCutAroundTheCaret: the caret stays below the fault.
func TestLongLinesAreCutAroundTheCaret(t *testing.T) {
	text := "tasks: [" + strings.Repeat("{name: a, does: run}, ", 50) + "]"
	_, err := scenarios.Parse("x.yaml", []byte(strings.Replace(text, "name: a", "name: b", 1)))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 3 || len(lines[1]) > 100 {
		t.Fatalf("got %q", lines)
	}
	if caret := len(lines[2]) - 1; lines[1][caret] != 'a' {
		t.Errorf("the caret stands below %q in\n%s", lines[1][caret:caret+1], err)
	}
}

// TestOptionsAreChecked: what the command line asks for is refused in words.
func TestOptionsAreChecked(t *testing.T) {
	s, err := scenarios.Load("nginx")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    scenarios.Options
		want string
	}{
		{scenarios.Options{Kernel: "7.3"}, `unknown kernel "7.3": expected 7.2, the nearest profile; 7.3 differs: one flat run queue per CPU: tasks of all groups compete with hierarchical weights; a short slice sets the next buddy and shortens protection; the summaries of the tree are right (aug: ideal)`},
		{scenarios.Options{Variant: "wiht"}, `unknown variant "wiht" of nginx: expected with`},
		{scenarios.Options{HZ: 99}, "hz is 99: expected 100 to 1000"},
		{scenarios.Options{BaseSlice: 1}, "base slice is 1ns: expected 100us to 1s"},
		{scenarios.Options{Until: -1}, "until is -1ns: expected 1ns to 86400s"},
		{scenarios.Options{Kernel: "6.12.y", Features: setting(t, "NI_RATE")}, "kernel 6.12.y has no feature NI_RATE: expected a feature of this kernel, or kernel 7.1 or 7.2"},
	} {
		if _, err := s.Workload(c.o); err == nil || err.Error() != c.want {
			t.Errorf("%+v\ngot  %v\nwant %s", c.o, err, c.want)
		}
	}
}

// TestLoadSuggestsNames: a mistyped built-in name leads to the right one.
func TestLoadSuggestsNames(t *testing.T) {
	_, err := scenarios.Load("ngnix")
	if err == nil || err.Error() != `no scenario or file "ngnix": expected a file or nginx` {
		t.Errorf("got %v", err)
	}
}

// TestLoadReadsFiles: any path is as good as a built-in name.
func TestLoadReadsFiles(t *testing.T) {
	file := t.TempDir() + "/mine.yaml"
	if err := os.WriteFile(file, []byte("tasks: [{name: a, does: run}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load(file)
	if err != nil || s.Name != "mine" {
		t.Errorf("got %v, %v", s, err)
	}
}

// FuzzParse: no input makes the reader panic, and a fault always points into the
// file. Whatever parses can be built.
func FuzzParse(f *testing.F) {
	for _, e := range scenarios.Library() {
		text, err := os.ReadFile("library/" + e.Name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{
		"", "\x00", "a: &a [*a]", "tasks: [{name: a, does: [{repeat: [run 1ms]}]}]",
		"tasks: {", "- - - -", "? a\n: b", "%YAML\n---\n", "tasks: [{name: a, does: 'repeat 3, run'}]",
		"tasks: [{name: a, count: 3, does: 'block, wake a1, repeat'}]\nstart: {a1: {asleep: true}, queues: {'/@0': {zero: -1ms}}}",
		"groups: [{name: a, parent: b}, {name: b, parent: a}]\ntasks: [{name: a, does: run}]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, fault := range scenarios.Lint("x.yaml", text) {
			if fault.Line < 1 || fault.Col < 1 || fault.Col > len([]rune(fault.Source))+1 || fault.Want == "" {
				t.Errorf("lint finds %#v", fault)
			}
		}
		s, err := scenarios.Parse("x.yaml", text)
		if err == nil {
			if _, err := s.Workload(scenarios.Options{HZ: 250}); err != nil && !errors.As(err, new(*scenarios.Fault)) {
				t.Errorf("an accepted file does not build: %v", err)
			}
			return
		}
		fault, ok := err.(*scenarios.Fault)
		if !ok || fault.Line < 1 || fault.Col < 1 || fault.Col > len([]rune(fault.Source))+1 || fault.Want == "" {
			t.Errorf("got %#v", err)
		}
		if n := strings.Count(err.Error(), "\n"); n != 2 {
			t.Errorf("the message has %d lines: %q", n+1, err.Error())
		}
	})
}
