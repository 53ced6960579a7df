package views

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zerolag/scheduler"
)

// drawn is what Strips draw on a canvas of that size, as text.
func drawn(in Strips, width, height int) string {
	c := NewCanvas(width, height)
	used := in.Draw(c, ASCIIGlyphs())
	return c.Sub(0, 0, width, used).Plain()
}

func assertDrawn(t *testing.T, in Strips, width, height int, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), drawn(in, width, height)); diff != "" {
		t.Errorf("picture differs (-want +got):\n%s\ngot:\n%s", diff, drawn(in, width, height))
	}
}

// group is a queued group entity of the root queue that owns a queue.
func group(id int, name string, weight uint64, v, deadline int64, owns scheduler.QueueID) scheduler.EntityFrame {
	e := task(id, name, v, deadline)
	e.Task, e.Group, e.Owns, e.Weight, e.State = scheduler.NoTask, scheduler.GroupID(id+1), owns, weight, scheduler.StateNew
	return e
}

// below is a task inside the group of entity parent.
func below(id int, name string, parent scheduler.EntityID, queue scheduler.QueueID, v int64) scheduler.EntityFrame {
	e := task(id, name, v, v+2800*us)
	e.Task, e.Parent, e.Queue, e.Depth = scheduler.TaskID(id), parent, queue, 1
	return e
}

// withQueue adds a group's queue with V to f and moves its entities' lags there.
func withQueue(f *scheduler.Frame, owner scheduler.EntityID, zeroLag int64) *scheduler.Frame {
	q := scheduler.QueueFrame{ID: scheduler.QueueID(len(f.Queues)), Owner: owner, Curr: scheduler.NoEntity, Next: scheduler.NoEntity, V: vt(zeroLag)}
	for i := range f.Entities {
		e := &f.Entities[i]
		if e.Queue == q.ID {
			q.Nr++
			f.Queues[0].Nr--
			e.Lag = q.V.Sub(e.Vruntime)
			e.Eligible = e.Lag >= 0
		}
	}
	f.Queues = append(f.Queues, q)
	return f
}

// hogFrame is CPU 0 of the hog: gA with A1 and gB with B1.
func hogFrame(zeroLag, x, vprot, gBv int64, weight uint64) *scheduler.Frame {
	gA := group(0, "/gA", weight, zeroLag+x, zeroLag+vprot, 1)
	gA.Protected, gA.ProtectedTo = true, gA.Deadline
	gB := group(1, "/gB", scheduler.NiceZeroLoad, zeroLag+gBv, zeroLag+gBv+2800*us, 2)
	f := machine(52*ms, zeroLag, 0, gA, gB, below(2, "A1", 0, 1, 5*ms), below(3, "B1", 1, 2, 6*ms))
	return withQueue(withQueue(f, 0, 5*ms), 1, 6*ms)
}

func hogStrips() Strips {
	anchor := hogFrame(200*ms, 0, 0, 0, 237291)
	before := hogFrame(201500*us, 24903*us, 27170*us, -5635*us, 237291)
	after := hogFrame(200*ms, 18522*us, 29042*us, -4135*us, 234083)
	rulers := FitRulers(AxisAbsolute, 72, anchor, before, after, anchor)
	return Strips{
		Before: before, After: after, BeforeLabel: "     charged", AfterLabel: "     reweighted", Rulers: rulers,
		Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
		Steps: []scheduler.Step{
			{Kind: scheduler.StepLag, Reason: scheduler.ReasonLagClamped, Entity: 0, After: before, Args: []scheduler.Arg{
				{Name: scheduler.ArgLag, Value: -24903 * us}, {Name: scheduler.ArgLagTo, Value: -16792 * us},
			}},
			{Kind: scheduler.StepWeight, Entity: 0, After: after},
		},
	}
}

func TestHogMovesLeftByItsClamp(t *testing.T) {
	assertDrawn(t, hogStrips(), 120, 20, `
cpu0 /            -5        0         +5        +10       +15       +20       +25               lag  E/N st
     charged    .-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.- from V at 52.000
>gA/A1   237291                :                                                o====#    -24.903000  N  R
 gB/B1  1048576    *-----D     :                                                           +5.635000  E  Q
     reweighted .-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-+-.-.-.-.-
>gA/A1   234083             :                                    o====================#   -18.522000  N  R
 gB/B1  1048576    *-----D  :                                                              +4.135000  E  Q
 moved                      V<-'                                 <--------------' V -1.500000   gA -7.881000
 gA: lag clamp -8.111000   new weight +0.230000   = -7.881000   left until vprot: 2.267000 -> 10.520000
 /gA on cpu0: A1 queued (alone)    /gB on cpu0: B1 queued (alone)
`)
}

func TestUnchangedEntityKeepsItsColumn(t *testing.T) {
	in := nginxStrips(50)
	lines := strings.Split(drawn(in, 80, 20), "\n")
	if before, after := strings.IndexByte(lines[2], '*'), strings.IndexByte(lines[5], 'o'); before != after {
		t.Errorf("nginx stands in column %d before and %d after, want the same: its vruntime did not change", before, after)
	}
}

func TestNestedQueueStandsBelowItsGroup(t *testing.T) {
	f := machine(ms, 2*ms, 0, group(0, "/web", scheduler.NiceZeroLoad, 2500*us, 4*ms, 1), task(1, "hog", 1500*us, 4300*us),
		below(2, "w1", 0, 1, 700*us), below(3, "w2", 0, 1, 900*us))
	f = withQueue(f, 0, 800*us)
	in := Strips{After: f, AfterLabel: "now", Rulers: FitRulers(AxisAbsolute, 50, f), Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity}
	assertDrawn(t, in, 80, 20, `
cpu0 /    -2.0      -1.0      0.0       +1.0      +2.0          lag E/N st
now       +----.----+----.----+----.----+----.----+----.---- from V at 1.000
>web                          :    o--------------D           -0.500 N  R
  in web  +-2.0.----+-1.0.----+0.0-.----++1.0.----++2.0.---- from V at 1.000
  w1                         *:--------------------------D    +0.100 E  Q
  w2                          :o---------------------------D  -0.100 N  Q
 hog                     *----:----------------------D        +0.500 E  Q
`)
}

func TestGroupOfOneFoldsIntoItsRow(t *testing.T) {
	in := hogStrips()
	if got := drawn(in, 120, 30); !strings.Contains(got, "gA/A1") || strings.Contains(got, "in gA") {
		t.Errorf("a queue with one entity must fold into gA/A1:\n%s", got)
	}
	in.Unfolded = []scheduler.EntityID{0}
	if got := drawn(in, 120, 30); strings.Contains(got, "gA/A1") || !strings.Contains(got, "in gA") {
		t.Errorf("an unfolded queue must have its own axis:\n%s", got)
	}
}

func TestCrowdSharesOneRow(t *testing.T) {
	f := crowd(40)
	in := Strips{After: f, AfterLabel: "now", Rulers: FitRulers(AxisAbsolute, 50, f), Woken: 3, Picked: 30, Selected: 7}
	got := drawn(in, 80, 9)
	assertFits(t, got, 80, 9)
	for _, name := range []string{">task20", " task3 ", " task30 ", " task7 ", "34 more"} {
		if !strings.Contains(got, name) {
			t.Errorf("picture lacks %q:\n%s", name, got)
		}
	}
}

func TestFarDeadlineIsClippedWithItsValue(t *testing.T) {
	idle := task(1, "idle", 0, 477*ms)
	f := machine(ms, 500*us, 0, task(0, "busy", ms, 3800*us), idle)
	in := Strips{After: f, AfterLabel: "now", Rulers: FitRulers(AxisAbsolute, 50, f), Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity}
	if got := drawn(in, 80, 9); !strings.Contains(got, "-477.000> ") {
		t.Errorf("the deadline at 477 ms must be clipped at the right edge with its value:\n%s", got)
	}
}

func TestSharedColumnIsNamed(t *testing.T) {
	late := task(1, "late", ms, ms+10*us)
	f := machine(ms, 1500*us, 0, task(0, "busy", 2*ms, 4*ms), late)
	in := Strips{After: f, AfterLabel: "now", Rulers: FitRulers(AxisAbsolute, 50, f), Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity}
	for _, line := range strings.Split(drawn(in, 80, 9), "\n") {
		if strings.HasPrefix(line, " late") && !strings.HasSuffix(line, "+D") {
			t.Errorf("the deadline below the position must be named: %q", line)
		}
	}
}

func TestVStandsInTheRulerWhenNoRowShowsIt(t *testing.T) {
	f, _ := nginxFrames()
	in := Strips{After: f, AfterLabel: "now", Rulers: FitRulers(AxisAbsolute, 50, f), Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity}
	lines := strings.Split(drawn(in, 80, 9), "\n")
	if v, nginx := strings.IndexByte(lines[1], 'V'), strings.IndexByte(lines[2], '*'); v < 0 || v != nginx {
		t.Errorf("V must stand in the ruler above nginx, who hides it:\n%s", strings.Join(lines, "\n"))
	}
}

func TestLagViewMovesEntitiesNotV(t *testing.T) {
	before, after := nginxFrames()
	in := nginxStrips(50)
	in.Rulers = FitRulers(AxisLag, 50, before, after)
	got := drawn(in, 80, 20)
	lines := strings.Split(got, "\n")
	if b, a := strings.IndexByte(lines[2], '*'), strings.IndexByte(lines[5], 'o'); b >= a {
		t.Errorf("in the lag view nginx must move right, columns %d and %d:\n%s", b, a, got)
	}
	if !strings.Contains(lines[1], "v-V ms") || !strings.Contains(got, "nginx 0.000 -> +0.850  (+0.850)") {
		t.Errorf("the lag view must name its axis and the mover:\n%s", got)
	}
}
