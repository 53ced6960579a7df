package scenarios_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"zerolag/scenarios"
)

// TestCasesDocMatchesTheLibrary: docs/CASES.md has every case once, in order; what a
// command opens exists and shows on the kernels that the table says; every scenario
// of the folder is opened by one; and where there is no command a remark says why.
func TestCasesDocMatchesTheLibrary(t *testing.T) {
	text, err := os.ReadFile("../docs/CASES.md")
	if err != nil {
		t.Fatal(err)
	}
	names, opened, last := scenarios.Names(), map[string]bool{}, ""
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| C") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 {
			t.Fatalf("a row of %d cells: %s", len(cells), line)
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		id, kernels, command, remark := cells[0], cells[2], cells[3], cells[4]
		if id <= last {
			t.Errorf("%s stands behind %s", id, last)
		}
		last = id
		if command == "-" {
			if remark == "" || kernels != "" {
				t.Errorf("%s has no command and no reason, or kernels: %s", id, line)
			}
			continue
		}
		words := strings.Fields(strings.Trim(command, "`"))
		if len(words) < 2 || words[0] != "zerolag" || !slices.Contains(names, words[1]) {
			t.Errorf("%s: the command %s opens no scenario", id, command)
			continue
		}
		opened[words[1]] = true
		checkShown(t, id, kernels, words[1:])
	}
	for _, name := range names {
		if strings.HasPrefix(name, "cases/") && !opened[name] {
			t.Errorf("docs/CASES.md does not mention %s", name)
		}
	}
}

// checkShown compares the kernels of a row with those of its scenario, and looks for
// the variant of the command.
func checkShown(t *testing.T, id, kernels string, words []string) {
	t.Helper()
	s, err := scenarios.Load(words[0])
	if err != nil {
		t.Fatal(err)
	}
	shown := ""
	if s.Shows != nil {
		shown = scenarios.KernelRanges(s.Shows.On)
	}
	if kernels != shown {
		t.Errorf("%s shows on %q, the table says %q", id, shown, kernels)
	}
	if i := slices.Index(words, "--variant"); i >= 0 && !slices.Contains(s.VariantNames(), words[i+1]) {
		t.Errorf("%s: %s has no variant %s", id, words[0], words[i+1])
	}
	if number, _, isCase := strings.Cut(strings.TrimPrefix(words[0], "cases/"), "-"); isCase && strings.HasPrefix(words[0], "cases/") && number > id {
		t.Errorf("%s is shown by the later %s", id, words[0])
	}
}
