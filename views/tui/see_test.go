package tui

import (
	"strings"
	"testing"
)

// rulerLabels are the labels of the first axis.
func rulerLabels(t *testing.T, a *app) string {
	t.Helper()
	for line := range strings.Lines(a.View()) {
		if rest, ok := strings.CutPrefix(line, "cpu0 /"); ok {
			labels, _, _ := strings.Cut(rest, "lag")
			return strings.Join(strings.Fields(labels), " ")
		}
	}
	t.Fatalf("there is no axis:\n%s", a.View())
	return ""
}

func TestZoomAndPanRelabelTheAxis(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	const fitted = "-1.0 0.0 1.0 2.0 3.0"
	for _, step := range []struct{ key, labels string }{
		{"shift+left", "-2.0 -1.0 0.0 1.0 2.0"},
		{"shift+right", fitted},
		{"Z", "-2 0 2 4 6"},
		{"z", fitted},
		{"z", "0.0 0.5 1.0 1.5 2.0"},
		{"0", fitted},
	} {
		press(a, step.key)
		if got := rulerLabels(t, a); got != step.labels {
			t.Errorf("after %s the axis has the labels %s, want %s", step.key, got, step.labels)
		}
	}
}

func TestSwitchesAreReachedBothWays(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "L")
	expect(t, a, "t 3.100 000 ms   cpu0   schedule: nginx", "ev 10/")
	press(a, "H")
	expect(t, a, "t 2.200 000 ms   cpu0   block: service", ">nginx")
	press(a, "L")
	expect(t, a, "ev 10/")
}
