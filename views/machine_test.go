package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// twoCPUs is a machine on which cpu1 idles and the given tasks are queued on cpu0,
// where curr runs.
func twoCPUs(curr scheduler.EntityID, tasks ...scheduler.EntityFrame) *scheduler.Frame {
	f := machine(ms, 0, curr, tasks...)
	f.CPUs = append(f.CPUs, scheduler.CPUFrame{Curr: scheduler.NoTask})
	f.Queues = append(f.Queues, scheduler.QueueFrame{ID: 1, CPU: 1, Owner: scheduler.NoEntity, Curr: scheduler.NoEntity, Next: scheduler.NoEntity})
	for i := range f.CPUs {
		f.CPUs[i].Nr = f.Queues[i].Nr
	}
	return f
}

func TestIdleIsMarkedOnlyIfThoseWhoWaitMayRunThere(t *testing.T) {
	bound := func(e scheduler.EntityFrame, cpu int) scheduler.EntityFrame {
		e.Allowed.Add(cpu)
		return e
	}
	for _, c := range []struct {
		name string
		f    *scheduler.Frame
		want rune
	}{
		{"one waits", twoCPUs(0, task(0, "a", 0, ms), task(1, "b", 0, ms)), '!'},
		{"it may run there", twoCPUs(0, task(0, "a", 0, ms), bound(task(1, "b", 0, ms), 1)), '!'},
		{"it may not", twoCPUs(0, task(0, "a", 0, ms), bound(task(1, "b", 0, ms), 0)), '.'},
		{"nobody waits", twoCPUs(0, task(0, "a", 0, ms)), '.'},
		{"it is about to run", twoCPUs(scheduler.NoEntity, task(0, "a", 0, ms)), '.'},
		{"one is about to run, one waits", twoCPUs(scheduler.NoEntity, task(0, "a", 0, ms), task(1, "b", 0, ms)), '!'},
	} {
		m := overview{MachineInput: MachineInput{Frame: c.f}}
		if got := m.load(1); got != c.want {
			t.Errorf("%s: cpu1 is marked %c, want %c", c.name, got, c.want)
		}
	}
}

// Where lanes have no room for all, those where something goes on come first.
func TestBusyLanesComeBeforeSleepers(t *testing.T) {
	busy := []model.Segment{{State: scheduler.StateRunning, To: scheduler.Time(ms)}}
	l := Lanes{Axis: FitLanes(60, scheduler.Millisecond, scheduler.Time(ms)), CPU: 1, Many: true, Cursor: scheduler.Time(ms), Rows: []Lane{
		{Name: "far", CPU: 0, Segments: busy}, {Name: "sleeper", CPU: 1}, {Name: "near", CPU: 1, Segments: busy},
	}}
	c := NewCanvas(80, 4)
	l.Rows = append(l.Rows, Lane{Name: "other", CPU: 2})
	l.Draw(c, ASCIIGlyphs())
	if got := c.Plain(); !strings.Contains(got, " far ") || !strings.Contains(got, " near ") || !strings.Contains(got, " 2 more") {
		t.Errorf("want far, near and 2 more:\n%s", got)
	}
}

func TestNumbersOfNamesSurviveACut(t *testing.T) {
	for name, want := range map[string]string{
		"client1": "clie~1", "client10": "cli~10", "hog": "hog", "server": "server", "schbench": "schbe~", "S1..S6": "S1..S6", "a1234567890": "a1234~",
	} {
		if got := ASCIIGlyphs().cutNumbered(name, 6); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}

// A CPU that goes idle pulls a task and checks it against nobody: the pick decides.
func TestPickDecidesTheEndOfATurn(t *testing.T) {
	m := nginxMoment(false)
	m.Event.Kind = scheduler.EventBlock
	if got := Why(m).Headline; got != "pick_eevdf: service." {
		t.Errorf("got %q", got)
	}
}
