package tui

import (
	"testing"

	"zerolag/scheduler"
)

func TestCurveOfTheLagLeadsToItsMoments(t *testing.T) {
	a := open(t, "nginx", 100, 40)
	press(a, "^")
	expect(t, a, "lag of service and V around here", "0 beyond the bound !", ">   3.100 000   1.001  +0.850", "-2.800", "2.800")
	press(a, "k", "enter")
	expect(t, a, "t 2.200 000 ms", "here, at 2.2ms", ">   2.200 000   0.951  +0.850")
	press(a, "tab", "j", "enter")
	expect(t, a, "share of service against its weight, 20 windows", "0 %", "100 %", "here, at ")
}

func TestEveryPointIsWhatTheEventLeft(t *testing.T) {
	a := open(t, "hogs-100-0.1", 100, 40)
	press(a, "^")
	c := a.s.curvesHere()
	if len(c.lags) < 20 {
		t.Fatalf("%d points", len(c.lags))
	}
	entity := c.entity
	for i, p := range c.lags {
		a.s.run.Seek(p.Index)
		e := a.s.run.Frame().Entity(entity)
		if e.Lag != p.Lag || e.OnRQ != p.Queued {
			t.Errorf("point %d says lag %d, queued %t; the machine %d, %t", i, p.Lag, p.Queued, e.Lag, e.OnRQ)
		}
	}
}

func TestCurveFarIntoARunHasPoints(t *testing.T) {
	a := open(t, "nginx", 100, 40)
	press(a, ":")
	typeText(a, "#2500")
	press(a, "^")
	if c := a.s.curvesHere(); len(c.lags) < 100 || c.lags[len(c.lags)-1].Index < 2690 {
		t.Errorf("%d points, the last %+v", len(c.lags), c.lags[max(len(c.lags)-1, 0):])
	}
}

func TestCurveOfAGroup(t *testing.T) {
	a := open(t, "teach/12-groups", 100, 40)
	for range 9 {
		if e := a.s.run.Frame().Entity(a.s.selected); e != nil && e.Task == scheduler.NoTask {
			break
		}
		press(a, "j")
	}
	press(a, "^")
	expect(t, a, "lag of /many and V around here")
	press(a, "tab")
	expect(t, a, "share of /many against its weight, 0 windows")
}

func TestHistogramOfWaitsLeadsToTheLongest(t *testing.T) {
	a := open(t, "nginx", 100, 40)
	press(a, "G", "A", "tab")
	expect(t, a, "waits of service that ended: 539", "1ms  2ms", "2ms  5ms", "153")
	press(a, "j", "j", "enter")
	expect(t, a, "t 13.300 000 ms", "here the wait began")
}
