package scenarios_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"zerolag/scenarios"
)

// TestHugeFilesAreBounded: a file of a hundred thousand lines is read or refused with
// a bounded amount of memory, however it is wrong.
func TestHugeFilesAreBounded(t *testing.T) {
	lines := func(head, line string, n int) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(line, "N", "%[1]d")+"\n", i)
		}
		return b.String()
	}
	const tasks = "tasks:\n"
	for _, c := range []struct{ name, text, fault string }{
		{"events", lines("tasks: [{name: a, does: run}]\nevents:\n", "  - {at: Nns, wake: a}", 100_000), ""},
		{"tasks", lines(tasks, "  - name: aN\n    does: run", 50_000), ""},
		{"a fault in each line", lines(tasks, "  - {name: aN, doez: run}", 100_000), "unknown key"},
		{"keys", lines("", "keyN: 1", 100_000), "too many keys: expected at most 10000"},
		{"keys in braces", "a: {" + lines("", "keyN: 1,", 100_000) + "}", "too many keys: expected at most 10000"},
		{"too large", lines(tasks, "  - {name: aN, does: run, nice: 0, cpu: 0}", 110_000), "at most 4 MiB"},
	} {
		faults := scenarios.Lint("x.yaml", []byte(c.text))
		switch {
		case c.fault == "" && len(faults) > 0:
			t.Errorf("%s: %v", c.name, faults[0])
		case c.fault != "" && (len(faults) == 0 || len(faults) > 100 || !strings.Contains(faults[0].Error(), c.fault)):
			t.Errorf("%s: got %d faults, %v", c.name, len(faults), faults[:min(len(faults), 1)])
		}
	}
	// What the process has taken from the system, not what is in use now.
	var memory runtime.MemStats
	if runtime.ReadMemStats(&memory); memory.Sys > 3<<29 {
		t.Errorf("%d MiB of memory, want at most 1536", memory.Sys>>20)
	} else {
		t.Logf("%d MiB", memory.Sys>>20)
	}
}
