package expr

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"zerolag/scheduler"
)

// fakePast answers with its arguments: 1000 ns for a job, 100 a task, 1 a percent.
type fakePast struct{}

func (fakePast) Percentile(of Span, tasks []scheduler.TaskID, percent *big.Rat) (scheduler.Time, bool) {
	n, _ := new(big.Rat).Mul(percent, big.NewRat(1, 1)).Float64()
	return scheduler.Time(of)*1000 + scheduler.Time(len(tasks))*100 + scheduler.Time(n), true
}

func (fakePast) Wasted() scheduler.Time { return 7 }

// At is a moment at which web-1 had been preempted 200 times.
func (fakePast) At(scheduler.Time) *Context {
	c := exactContext()
	c.Frame.Entities[1].Stats.Preempted = 200
	return c
}

func TestThePastIsLookedAtAtOneMoment(t *testing.T) {
	for src, want := range map[string]bool{
		"wakeup(nginx, 50%) == 150ns":                           true,
		"job(web-1, 99%) == 1199ns":                             true,
		"job(web-1,99.9%)==1199":                                true,
		"wakeup(web-, 1%) == 101ns":                             true, // web-1 is the only task of web-
		"wasted() == 7ns":                                       true,
		"wasted()@prev == 7ns":                                  false,
		"at 3ms: with.wasted() == 7ns":                          false, // the other run has no past here
		"since(500ms, web-1.preempted) == 31":                   true,
		"since(500ms, 2*web-1.preempted)==62 && 1 == 1":         true,
		"since(1us, web-1.preempted)@prev == 31":                false,
		"sum(web-1.preempted) == 231":                           true,
		"with.job(nginx, 9%) == 1 || wasted() < 1":              false,
		"sum(nginx.waits) + sum(nginx.waits) == 2*nginx.waits":  true,
		"sum(nginx.sum_exec_runtime) == nginx.sum_exec_runtime": true,
	} {
		e, err := ParseExpectation(src, withOthers(t))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		c := exactContext()
		c.Frame.Entities[1].Stats.Preempted = 231
		c.Past = fakePast{}
		c.Prev = c.Frame
		if e.Expr.True(c) != want {
			t.Errorf("%s: %v", src, e.Expr.Sides(c))
		}
	}
}

func TestFaultsOfThePast(t *testing.T) {
	for _, test := range []struct {
		src  string
		col  int
		want string
	}{
		{"always: wasted() == 0", 9, "the past is looked at after every event"},
		{"never: wakeup(nginx, 50%) > 1ms", 8, "the past is looked at after every event"},
		{"wakeup(nginx) > 1ms", 13, "no percentile"},
		{"wakeup(nginx, 50) > 1ms", 15, "no percentile"},
		{"job(nginx, 101%) > 1ms", 12, "outside 0% to 100%"},
		{"job(ngin, 10%) > 1ms", 5, "unknown task ngin (did you mean nginx?)"},
		{"sum(nginx) > 1ms", 10, "no field to add up"},
		{"sum(nginx.vruntime) > 1ms", 5, "a sum of vruntime"},
		{"sum(nginx.zzz) > 1", 11, "unknown field zzz"},
		{"wasted(nginx) > 1", 1, "not closed"},
		{"since(nginx.ran) > 1ms", 7, "no time"},
		{"since(500, nginx.ran) > 1ms", 7, "a time needs a unit"},
		{"since(5ms) > 1ms", 10, "no number"},
		{"since(5ms, share(nginx)) > 1", 11, "the growth of a number"},
		{"since(5ms, pick) > 1", 11, "the growth of a"},
	} {
		_, err := ParseExpectation(test.src, withOthers(t))
		var f *Fault
		if !errors.As(err, &f) || f.Col != test.col || !strings.Contains(f.Error(), test.want) {
			t.Errorf("%s: %v, want column %d: %s", test.src, err, test.col, test.want)
		}
	}
	if _, err := ParseCondition("wasted() > 1ms", testNames(t)); err == nil {
		t.Error("a condition may look at the past")
	}
}
