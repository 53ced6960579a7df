package tui

import (
	"testing"

	"zerolag/scenarios"
)

// Tasks that stand on different CPUs in the two runs are drawn all the same.
func TestComparisonOnSeveralCPUs(t *testing.T) {
	for _, name := range []string{"two-cpus", "pingpong", "hog"} {
		opened, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, settings := range []string{"NO_PLACE_LAG", "kernel=6.12.y"} {
			a := openWith(t, Options{Scenario: opened, Argument: name, Versus: settings, ASCII: true}, 120, 40)
			for range 40 {
				press(a, ")", "l", "l", "l")
				expect(t, a, "this run", "the other")
			}
		}
	}
}
