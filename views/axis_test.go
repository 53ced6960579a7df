package views

import (
	"math"
	"testing"

	"zerolag/scheduler"
)

func TestMsRoundsDown(t *testing.T) {
	for _, test := range []struct {
		ns       int64
		decimals int
		want     string
	}{
		{0, 3, "0.000"},
		{1851424, 3, "1.851"},
		{1851424, 6, "1.851424"},
		{-1, 3, "-0.001"},
		{-850000, 3, "-0.850"},
		{-1048576, 6, "-1.048576"},
		{999, 3, "0.000"},
		{12_000_000, 0, "12"},
		{math.MinInt64, 6, "-9223372036854.775808"},
		{math.MaxInt64, 3, "9223372036854.775"},
	} {
		if got := Ms(test.ns, test.decimals); got != test.want {
			t.Errorf("Ms(%d, %d) = %s, want %s", test.ns, test.decimals, got, test.want)
		}
	}
}

func TestSignIsShownOnlyForMoreThanZero(t *testing.T) {
	for ns, want := range map[int64]string{850000: "+0.850", 999: "0.000", 0: "0.000", -1: "-0.001"} {
		if got := SignedMs(ns, 3); got != want {
			t.Errorf("SignedMs(%d) = %s, want %s", ns, got, want)
		}
	}
}

func TestVtimeBelowZeroReadsNegative(t *testing.T) {
	if got, want := VtimeMs(scheduler.Vtime(1<<64-1<<20), 6), "-1.048576"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestColumnRoundsDown(t *testing.T) {
	a := Axis{NsPerCol: 100, Columns: 50, Left: -1000}
	for coordinate, want := range map[int64]int{
		-1000: 0, -901: 0, -900: 1, -1: 9, 0: 10, 99: 10, 100: 11, 3999: 49, 4000: 50, -1001: -1,
		math.MaxInt64: 50, math.MinInt64: -1,
	} {
		if got := a.Column(coordinate); got != want {
			t.Errorf("Column(%d) = %d, want %d", coordinate, got, want)
		}
	}
}

func TestScalesAreOneTwoFive(t *testing.T) {
	scale := int64(1)
	for _, want := range []int64{2, 5, 10, 20, 50, 100} {
		if previous := previousScale(want); previous != scale {
			t.Errorf("previousScale(%d) = %d, want %d", want, previous, scale)
		}
		if scale = nextScale(scale); scale != want {
			t.Fatalf("next scale is %d, want %d", scale, want)
		}
	}
}

// runner is a frame with one entity at v, which is then V as well.
func runner(v int64) *scheduler.Frame { return machine(v, v, 0, task(0, "a", v, v+2800*us)) }

func TestRulerStaysUntilSomethingImportantLeaves(t *testing.T) {
	rulers := FitRulers(AxisAbsolute, 50, runner(0))
	left := rulers.Axis(0).Left
	shifted := false
	for v := int64(0); v < 40*ms; v += 100 * us {
		f := runner(v)
		next, shifts := rulers.Keep(nil, f)
		axis := next.Axis(0)
		if !axis.Inside(axis.Column(axis.Coordinate(vt(v), vt(v)))) {
			t.Fatalf("V at %d left the window", v)
		}
		moved := axis.Left - left
		switch {
		case len(shifts) == 0 && moved != 0:
			t.Fatalf("ruler moved by %d without a report", moved)
		case len(shifts) == 1 && (shifts[0].By != moved || moved%axis.major() != 0):
			t.Fatalf("reported shift %d, moved %d, want whole major ticks of %d", shifts[0].By, moved, axis.major())
		}
		if len(shifts) == 1 {
			shifted = true
			if old := rulers.Axis(0).Column(v); old >= 0 && old < rulers.Columns-edgeColumns {
				t.Fatalf("ruler moved although V at %d stood in column %d", v, old)
			}
		}
		rulers, left = next, axis.Left
	}
	if !shifted {
		t.Error("ruler never moved")
	}
}

func TestRulerComesBackForAnImportantEntity(t *testing.T) {
	rulers := FitRulers(AxisAbsolute, 50, runner(20*ms))
	f := machine(20*ms, 20*ms, 0, task(0, "a", 20*ms, 23*ms), task(1, "b", 17*ms, 20*ms))
	if _, shifts := rulers.Keep(nil, f); shifts != nil {
		t.Errorf("ruler moved for an entity of no importance: %v", shifts)
	}
	kept, shifts := rulers.Keep([]scheduler.EntityID{1}, f)
	axis := kept.Axis(0)
	if len(shifts) != 1 || shifts[0].By >= 0 || !axis.Inside(axis.Column(17*ms)) || !axis.Inside(axis.Column(20*ms)) {
		t.Errorf("shifts %v, want one to the left that shows both", shifts)
	}
}

func TestFitShowsEverybody(t *testing.T) {
	for _, n := range []int{1, 2, 10, 300} {
		f := crowd(n)
		axis := FitRulers(AxisAbsolute, 46, f).Axis(0)
		for i := range f.Entities {
			if e := &f.Entities[i]; !axis.Inside(axis.Column(axis.Coordinate(e.Vruntime, 0))) {
				t.Errorf("of %d entities %s lies outside", n, e.Name)
			}
		}
	}
}

func TestZoomKeepsVInItsColumn(t *testing.T) {
	f := runner(3 * ms)
	rulers := FitRulers(AxisAbsolute, 50, f)
	want := rulers.Axis(0).Column(3 * ms)
	for range 4 {
		rulers = rulers.Zoom(1, f)
		if got := rulers.Axis(0).Column(3 * ms); got != want {
			t.Errorf("V moved from column %d to %d", want, got)
		}
	}
	if wide := rulers.Zoom(-1, f); wide.NsPerCol <= rulers.NsPerCol {
		t.Errorf("zooming out gives %d ns a column after %d", wide.NsPerCol, rulers.NsPerCol)
	}
}

func TestPanMovesByMajorTicks(t *testing.T) {
	rulers := FitRulers(AxisAbsolute, 50, runner(0))
	if got, want := rulers.Pan(2).Axis(0).Left-rulers.Axis(0).Left, 2*rulers.Axis(0).major(); got != want {
		t.Errorf("window moved by %d, want %d", got, want)
	}
}

func TestLabelsOfSeveralQueuesCountFromV(t *testing.T) {
	f := hogFrame(20*ms, ms, 3*ms, -ms, 1<<20)
	rulers := FitRulers(AxisAbsolute, 50, f)
	for q := range scheduler.QueueID(3) {
		axis := rulers.Axis(q)
		if got, want := axis.Anchor, f.Queues[q].V; got != want {
			t.Errorf("queue %d counts from %d, want its V %d", q, got, want)
		}
		if got, want := axis.Left, rulers.Axis(0).Left; got != want {
			t.Errorf("V of queue %d stands elsewhere: left edge %d, want %d", q, got, want)
		}
	}
}

// TestLatestIsWhatColumnShows: the last moment of a column is in it, the next ns not.
func TestLatestIsWhatColumnShows(t *testing.T) {
	for _, a := range []LaneAxis{
		{From: 3_000_000, Tick: 1_000_000, PerTick: 16, Columns: 60},
		{Tick: 4_000_000, PerTick: 16, Columns: 9},
		{Tick: 3_333_333, PerTick: 7, Columns: 20},
	} {
		for col := range a.Columns - 1 {
			last, ok := a.Latest(laneGutter + col)
			if !ok || a.Column(last) != col || a.Column(last+1) != col+1 {
				t.Errorf("%+v: column %d ends at %d, which is in %d; the next ns is in %d", a, col, last, a.Column(last), a.Column(last+1))
			}
		}
		for _, x := range []int{-1, laneGutter - 1, laneGutter + a.Columns} {
			if _, ok := a.Latest(x); ok {
				t.Errorf("column %d of the screen is no moment", x)
			}
		}
	}
}
