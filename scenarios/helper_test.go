package scenarios_test

import (
	"testing"

	"zerolag/scheduler"
)

// setting parses feature settings that exist.
func setting(t *testing.T, names ...string) []scheduler.FeatureSetting {
	t.Helper()
	var list []scheduler.FeatureSetting
	for _, name := range names {
		s, ok := scheduler.ParseFeature(name)
		if !ok {
			t.Fatalf("no feature %s", name)
		}
		list = append(list, s)
	}
	return list
}

type position struct {
	time    scheduler.Time
	ordinal int
}

// positions is where a run has events.
func positions(w *scheduler.Workload) map[position]bool {
	at := map[position]bool{{0, 0}: true}
	sim := scheduler.NewSim(w)
	for {
		next, ok := sim.Next()
		if !ok || next >= w.Until {
			return at
		}
		e, _ := sim.Step(nil)
		at[position{e.Time, e.Ordinal}] = true
	}
}
