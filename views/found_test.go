package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// hogAt is the moment of a position of the scenario hog.
func hogAt(t *testing.T, at scheduler.Time) Moment {
	t.Helper()
	s, err := scenarios.Load("hog")
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.Workload(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := model.Open(w)
	r.SeekTime(at)
	return Moment{Profile: w.Config.Kernel, Event: r.Event(), Steps: r.Steps(), Before: r.Before(), After: r.Frame(), FlipsKnown: true}
}

// A wakeup in a group changes the group's queue first and charges the root queue
// then: that charge is not the wakeup's doing, and the runner does not move.
func TestChargeOfAHigherQueueIsFoundNotDone(t *testing.T) {
	m := hogAt(t, 47_060*scheduler.Microsecond)
	found := m.BeforeDecision()
	a := m.After.Queues[0].Curr
	if from, to := found.Entity(a).Vruntime, m.After.Entity(a).Vruntime; from != to {
		t.Errorf("A moves from %d to %d though only B1 woke", from, to)
	}
	if m.Before.Entity(a).Vruntime == found.Entity(a).Vruntime {
		t.Error("the time that A ran is not charged")
	}
	b1 := m.After.Task(m.Event.Task)
	if found.Entity(b1.ID).OnRQ || found.Entity(b1.Parent).OnRQ {
		t.Error("B1 or its group is queued before it woke")
	}
	if was := m.Before.Queues[0].V; was == found.Queues[0].V || found.Queues[0].V == m.After.Queues[0].V {
		t.Errorf("V is %d before, %d found and %d after: all must differ", was, found.Queues[0].V, m.After.Queues[0].V)
	}
}

func TestTickShowsItsCharge(t *testing.T) {
	if m := hogAt(t, 52*scheduler.Millisecond); m.BeforeDecision() != m.Before {
		t.Error("the charge of a tick is hidden")
	}
}

func TestReweightIsToldWithItsClamp(t *testing.T) {
	text := Why(hogAt(t, 52*scheduler.Millisecond)).Text()
	want := "lag -24.903 of A is clamped to -16.792 and scaled by 237291/234083 to -17.023; until vprot it was 2.267 and is 10.519."
	if !strings.Contains(text, want) {
		t.Errorf("got %q, want it to contain %q", text, want)
	}
}
