package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// nginxWorkload is a server that runs 5 ms and sleeps 1, and a service that runs
// 0.2 ms and sleeps 0.9.
func nginxWorkload(p *scheduler.Profile) *scheduler.Workload {
	loop := func(run, sleep int64) []scheduler.Op {
		return []scheduler.Op{
			{Kind: scheduler.OpRun, Dur: scheduler.Time(run * us)},
			{Kind: scheduler.OpSleep, Dur: scheduler.Time(sleep * us)},
			{Kind: scheduler.OpLoop, Target: 0},
		}
	}
	return &scheduler.Workload{
		Config: scheduler.Config{
			Kernel: p, CPUs: 1, HZ: 1000, BaseSlice: uint64(2800 * us), NBase: p.NBase, MigrationCost: uint64(500 * us), Features: p.Defaults(),
		},
		Tasks: []scheduler.TaskSpec{
			{Name: "nginx", Program: loop(5000, 1000)},
			{Name: "service", Arrive: scheduler.Time(100 * us), Program: loop(200, 900)},
		},
		Until: scheduler.Second,
	}
}

func momentOf(r *model.Run, p *scheduler.Profile) Moment {
	return Moment{
		Profile: p, Event: r.Event(), Steps: r.Steps(), Before: r.Before(), After: r.Frame(),
		Flips: FlipNames(r.Flips()), FlipsKnown: true,
	}
}

func TestReplayDrawsTheReferencePicture(t *testing.T) {
	p, _ := scheduler.ProfileByName("7.2")
	r := model.Open(nginxWorkload(p))
	r.SeekTime(scheduler.Time(3100 * us))
	for r.Event().Kind != scheduler.EventWakeup {
		if !r.Step(-1) {
			t.Fatal("no wakeup at 3.1 ms")
		}
	}
	m := momentOf(r, p)
	before := m.BeforeDecision()
	got := drawn(Strips{
		Before: before, After: m.After, BeforeLabel: "before", AfterLabel: "after", Rulers: FitRulers(AxisAbsolute, 50, before, m.After),
		Steps: m.Steps, Woken: m.Event.Task, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
	}, 80, 20)
	if want := drawn(nginxStrips(50), 80, 20); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got, want := Why(m).Text(), Why(nginxMoment(false)).Text(); got != want {
		t.Errorf("got:  %s\nwant: %s", got, want)
	}
	if flips := strings.Join(m.Flips, " "); !strings.Contains(flips, "RUN_TO_PARITY_WAKEUP") || !strings.Contains(flips, "NO_WAKEUP_PREEMPTION") {
		t.Errorf("the decision flips with %s", flips)
	}
}

// TestEveryEventOfARunReads draws and explains the first events of a run on every
// profile.
func TestEveryEventOfARunReads(t *testing.T) {
	for _, p := range scheduler.Profiles() {
		r := model.Open(nginxWorkload(p))
		rulers := Rulers{Columns: RulerColumns(80)}
		for ok := true; ok && r.Index() < 300; ok = r.Step(1) {
			m := momentOf(r, p)
			var shifts []Shift
			rulers, shifts = rulers.Keep(nil, m.Before, m.After)
			c := Picture(PictureInput{
				Width: 80, Glyphs: ASCIIGlyphs(), Moment: m, Status: Status{Title: EventTitle(m.Event, m.After)},
				Strips: Strips{Before: m.BeforeDecision(), After: m.After, Rulers: rulers, Shifts: shifts, Steps: m.Steps, Woken: m.Event.Task},
			})
			assertFits(t, c.Plain(), 80, c.Height())
			for i := range m.Steps {
				if line := StepLine(&m.Steps[i], p, m.After, ShortDecimals); strings.Contains(line, "nobody") && m.Steps[i].Entity != scheduler.NoEntity &&
					!strings.Contains(reasonWords[m.Steps[i].Reason], "nobody") {
					t.Errorf("%s event %d: %q names nobody", p.Name, r.Index(), line)
				}
			}
			if text := Why(m).Text(); !strings.HasSuffix(text, ".") {
				t.Errorf("%s event %d: explanation has no end: %q", p.Name, r.Index(), text)
			}
		}
	}
}
