package views

import (
	"os/exec"
	"strings"
	"testing"
)

// TestAShellReadsTheLinesOfACommand: whatever the width, the arguments are the same.
func TestAShellReadsTheLinesOfACommand(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	arguments := func(command string) string {
		t.Helper()
		out, err := exec.Command(shell, "-c", "printf '%s\n' "+command).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for _, command := range []string{
		"zerolag nginx --at 3.1ms",
		"zerolag nginx --kernel 7.2 --features NO_PLACE_LAG,RUN_TO_PARITY --hz 250 --edit 3.1ms#0=NO_PLACE_LAG --at 3.1ms --hash 58a15554db9d",
		"zerolag 'my file.yaml' --edit '1ms#0=add: {name: third, nice: 3, policy: batch, slice: 2ms, does: [run 1ms, sleep 2ms, {repeat: [run 1ms]}]}' --at 3ms",
		`zerolag 'it'\''s mine' --edit '1ms#0=affinity: {task: a, cpus: '\''0-1'\''}' --edit '2ms#0=kill: a' --at 3ms`,
	} {
		want := arguments(command)
		for width := 40; width < 130; width++ {
			lines := commandLines(command, width)
			if got := arguments(strings.Join(lines, "\n")); got != want {
				t.Errorf("%d columns: the lines\n%s\nare read as\n%swant\n%s", width, strings.Join(lines, "\n"), got, want)
			}
			for _, line := range lines {
				if len(line) > width {
					t.Errorf("%d columns: a line of %d: %s", width, len(line), line)
				}
			}
		}
	}
}
