package expr

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"zerolag/scheduler"
)

// exactContext is testContext with CPU time: nginx 495 ms, web-1 500 ms, sum, in
// group /a, 5 ms.
func exactContext() *Context {
	c := testContext()
	for i, ran := range []scheduler.Time{495 * ms, 500 * ms, 5 * ms} {
		e := &c.Frame.Entities[i]
		e.Ran, e.State = scheduler.Time(ran), scheduler.StateQueued
	}
	return c
}

// TestNumbersThatAreNotWholeAreExact: nothing of them is rounded, so a bound that
// is met exactly holds.
func TestNumbersThatAreNotWholeAreExact(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"0.6 * 10", "6"},
		{"0.1 + 0.2 == 0.3", "true"},
		{"60%", "0.6"},
		{"-0.25", "-0.25"},
		{"0.5 * 3ns", "1.5ns"},
		{"1.0 / 3", "0.333333..."},
		{"1.0 / 3 * 3 == 1", "true"},
		{"-1.0 / 3000000", "-0.000000..."},
		{"1 / (0.5 - 0.5)", "no value"},
		{"share(nginx)", "0.495"},
		{"share(/a)", "0.005"},
		{"share(/)", "1"},
		{"share(pick) == 50%", "true"},
		{"share(cpu1.curr) >= 0", "false"},
		{"share(nginx) within 1% of 0.5", "true"},
		{"share(nginx) within 0.9999% of 0.5", "false"},
		{"share(nginx) within 0.005 of 0.5", "true"},
		{"V within 500us of V@prev", "true"},
		{"V within 499999ns of V@prev", "false"},
		{"sum.vruntime within 2 of 1ns", "true"}, // on the wrapping axis
		{"share(nginx)@prev", "no value"},
		{"web-1.wait.max == web-1.wait_max", "true"},
		{"idle(cpu1)", "true"},
		{"idle(cpu0)", "false"},
		{"queued", "2"},
		{"idle(cpu1) while queued > 1", "true"},
	} {
		x, err := Parse(test.src, testNames(t))
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		c := exactContext()
		if got := x.Eval(c).Text(c.Frame); got != test.want {
			t.Errorf("%s is %s, want %s", test.src, got, test.want)
		}
	}
}

// TestWhileInAlwaysAsksForTheFirstWhileTheSecond: always is about the moments of
// the second condition, never about moments of both.
func TestWhileInAlwaysAsksForTheFirstWhileTheSecond(t *testing.T) {
	for src, want := range map[string]bool{
		"always: idle(cpu0) while queued > 5": true,
		"always: idle(cpu0) while queued > 1": false,
		"always: idle(cpu1) while queued > 1": true,
		"never: idle(cpu0) while queued > 1":  true,
		"never: idle(cpu1) while queued > 1":  false,
	} {
		e, err := ParseExpectation(src, testNames(t))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if got := e.Expr.True(exactContext()) == (e.When == Always); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}

// withOthers has the variants with and service-2, and kernel 6.12.y; service is a
// task, so the task wins.
func withOthers(t *testing.T) *Names {
	t.Helper()
	names := testNames(t)
	return names.Among(Others{
		Own: RunRef{Variant: "with"}, Variants: []string{"with", "without", "service-2", "service"},
		Names: func(r RunRef) (*Names, error) {
			if r.Kernel != "" && r.Kernel != "6.12.y" {
				return nil, fmt.Errorf("unknown kernel %q: expected 6.12.y", r.Kernel)
			}
			return names, nil
		},
	})
}

func TestOtherRunsAreLookedAt(t *testing.T) {
	for src, refs := range map[string][]RunRef{
		"web-1.preempted < 0.6 * with.web-1.preempted":           {{"with", ""}},
		"base.web-1.preempted == 386":                            {{"", ""}},
		`kernel["6.12.y"].V > 1ms`:                               {{"with", "6.12.y"}},
		`variant["service-2"].kernel["6.12.y"].share(nginx)>0`:   {{"service-2", "6.12.y"}},
		"service-2.(V - 1ms) > 0 && service-2.V == with./:V":     {{"service-2", ""}, {"with", ""}},
		"service.waits == 0":                                     nil,
		"with.share(nginx) > 0":                                  {{"with", ""}},
		`kernel[6.12.y].web-1.wait_max@prev > 1ms && with.V > 0`: {{"with", "6.12.y"}, {"with", ""}},
	} {
		x, err := ParseCondition(src, withOthers(t))
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if fmt.Sprint(x.Runs()) != fmt.Sprint(refs) {
			t.Errorf("%s looks at %v, want %v", src, x.Runs(), refs)
		}
		c := exactContext()
		if x.True(c) && len(refs) > 0 {
			t.Errorf("%s holds without the other run", src)
		}
		other := exactContext()
		other.Frame.Entities[1].Stats.Preempted = 386 // in the other run; less here
		c.Frame.Entities[1].Stats.Preempted = 231
		for range refs {
			c.Runs = append(c.Runs, other)
		}
		c.Frame.Entities[3].Stats.Waits = 0
		if strings.Contains(src, "6 *") && !x.True(c) {
			t.Errorf("%s does not hold: 231 < 231.6", src)
		}
	}
}

func TestFaultsOfOtherRunsAndFunctions(t *testing.T) {
	for _, test := range []struct {
		src  string
		col  int
		want string
	}{
		{`kernel["7.3"].V > 0`, 1, `unknown kernel "7.3"`},
		{`kernel["7.3.V > 0`, 1, "not closed"},
		{"with.pick == nginx", 1, "a task of another run"},
		{"with.nginx.zzz > 0", 12, "unknown field zzz"},
		{"V > 0 && never.V > 0", 10, "unknown name never"},
		{"share(7) > 0", 7, "share of a number"},
		{"share(/x) > 0", 7, "unknown group /x"},
		{"share(nginx > 0", 1, "not closed"},
		{"idle(cpu7)", 6, "no CPU"},
		{"share(nginx) within 1%", 23, "no of"},
		{"V within 1 of true", 15, "within with a bool"},
		{"V within 5 of nginx.waits", 12, "within between time and count"},
		{"1 while V > 0", 9, "&& between number and bool"},
		{"0.1234567890123456789012345678901 > 0", 1, "too many digits"},
		{"always: with.V > 0", 9, "after every event"},
	} {
		_, err := ParseExpectation(test.src, withOthers(t))
		var fault *Fault
		if !errors.As(err, &fault) || fault.Col != test.col || !strings.Contains(fault.Msg, test.want) {
			t.Errorf("%s: got %v, want column %d: %s", test.src, err, test.col, test.want)
		}
	}
}
