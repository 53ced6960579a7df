package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// TestOverflowIsShown: a key so far from zero that its product with the weight
// leaves 64 bits is marked at the axis, explained at the event where it happens, and
// listed by the inspector.
func TestOverflowIsShown(t *testing.T) {
	for _, name := range []string{"6.12.y", "7.2"} {
		p, _ := scheduler.ProfileByName(name)
		w := nginxWorkload(p)
		w.Tasks[0].Nice, w.Tasks[1].Nice = -20, -20
		far := scheduler.Vtime(1) << 61
		w.Tasks[0].Start = &scheduler.EntityStart{Vruntime: 0, Deadline: 1000, Running: true}
		w.Tasks[1].Arrive = 0
		w.Tasks[1].Start = &scheduler.EntityStart{Vruntime: far, Deadline: far + 1000}
		r := model.Open(w)
		for !r.Frame().Queues[0].Overflow {
			if !r.Step(1) {
				t.Fatalf("%s: the product never leaves 64 bits", name)
			}
		}
		m := momentOf(r, p)
		if got := Why(m).Text(); !strings.Contains(got, "key * weight has left 64 bits on cpu0 /") {
			t.Errorf("%s: the explanation is silent about the overflow: %s", name, got)
		}
		got := drawn(Strips{
			After: m.After, Rulers: FitRulers(AxisAbsolute, RulerColumns(80), m.After),
			Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
		}, 80, 20)
		if !strings.Contains(strings.Split(got, "\n")[1], "overflow") {
			t.Errorf("%s: the axis is not marked:\n%s", name, got)
		}
		table := QueueTable(m.After, 0, p)
		if text := table.Text(0); !strings.Contains(text, "overflow") || !strings.Contains(text, "yes") {
			t.Errorf("%s: the inspector does not tell:\n%s", name, text)
		}
	}
}
