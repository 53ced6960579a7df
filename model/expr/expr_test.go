package expr

import (
	"errors"
	"strings"
	"testing"

	"zerolag/scheduler"
)

const ms = scheduler.Millisecond

// testNames are the names of two tasks, one of them with a "-", a group and its
// child, on two CPUs.
func testNames(t testing.TB) *Names {
	t.Helper()
	kernel, ok := scheduler.ProfileByName("7.2")
	if !ok {
		t.Fatal("no profile 7.2")
	}
	return NamesOf(&scheduler.Workload{
		Config: scheduler.Config{Kernel: kernel, CPUs: 2},
		Groups: []scheduler.GroupSpec{{Name: "a"}, {Name: "b", Parent: 1}},
		Tasks:  []scheduler.TaskSpec{{Name: "nginx"}, {Name: "web-1"}, {Name: "sum", Group: 1}, {Name: "service"}},
	})
}

// testContext is a moment at 5 ms and the state after the event before it.
func testContext() *Context {
	frame := func(shift scheduler.Vtime) *scheduler.Frame {
		return &scheduler.Frame{
			Now: 5 * ms, Features: scheduler.Features(0).With(scheduler.RunToParity, true), BaseSlice: 2_800_000,
			CPUs: []scheduler.CPUFrame{{Curr: 0, LastPick: 1, Nr: 2}, {Curr: scheduler.NoTask, LastPick: scheduler.NoTask}},
			Groups: []scheduler.GroupFrame{
				{Name: "/"}, {ID: 1, Name: "/a", Shares: scheduler.NiceZeroLoad}, {ID: 2, Name: "/a/b", Parent: 1},
			},
			Queues: []scheduler.QueueFrame{
				{ID: 0, Owner: scheduler.NoEntity, V: 2_000_000 - shift, Nr: 3, Curr: 0, Next: scheduler.NoEntity, Tree: []scheduler.EntityID{1, 3}, MinSlice: ^uint64(0)},
				{ID: 1, Owner: scheduler.NoEntity, V: 7, Curr: scheduler.NoEntity},
				{ID: 2, Owner: 3, V: 42, Curr: 2},
				{ID: 3, Owner: scheduler.NoEntity},
				{ID: 4, Owner: scheduler.NoEntity},
				{ID: 5, Owner: scheduler.NoEntity},
			},
			Entities: []scheduler.EntityFrame{
				{ID: 0, Name: "nginx", Task: 0, OnRQ: true, Vruntime: 1_500_000, Eligible: true, State: scheduler.StateRunning, Weight: scheduler.NiceZeroLoad, Nice: -5},
				{
					ID: 1, Name: "web-1", Task: 1, OnRQ: true, Vruntime: 2_500_000, State: scheduler.StateQueued, Policy: scheduler.PolicyIdle,
					Stats: scheduler.TaskStats{Waiting: true, WaitSince: 2 * ms, WaitTotal: 4 * ms, WaitMax: 2 * ms, Preempted: 386},
				},
				{ID: 2, Name: "sum", Task: 2, Group: 1, Vruntime: ^scheduler.Vtime(0)},
				{ID: 3, Name: "/a", Task: scheduler.NoTask, Group: 1, Owns: 2, OnRQ: true, Vruntime: 2_100_000, LoadAvg: 77},
			},
			TaskEntity: []scheduler.EntityID{0, 1, 2},
		}
	}
	return &Context{
		Frame: frame(500_000), Prev: frame(0),
		Event:     scheduler.Event{Index: 14, Time: 5 * ms, Kind: scheduler.EventWakeup, Task: 1, Waker: scheduler.NoTask, Curr: 0, Prev: 0},
		PrevEvent: scheduler.Event{Index: 13, Kind: scheduler.EventTick, Task: 0, Curr: 0, Prev: 0},
	}
}

// values are expressions with what they are at the moment of testContext.
var values = []struct{ src, want string }{
	{"1 + 2 * 3 - 4", "3"},
	{"(1 + 2) * 3", "9"},
	{"-7 / 2", "-3"},
	{"1 / 0", "no value"},
	{"2ms * 3", "6ms"},
	{"3ms / 2us", "1500"},
	{"3.1ms", "3.1ms"},
	{"0.000000001s", "1ns"},
	{"1.5us", "1.5us"},
	{"7\u00b5s + 7\u03bcs", "14us"},
	{"9223372036854775807", "9223372036854775807"},
	{"true && !false", "true"},
	{"false || 1 > 2 || 2 > 1", "true"},
	{"V", "1.5ms"},
	{"V@prev", "2ms"},
	{"V < V@prev", "true"},
	{"V - V@prev", "-500us"},
	{"V-1", "1.499999ms"},
	{"(V - 1ms)@prev", "1ms"},
	{"nr_queued", "3"},
	{"spread", "1ms"},
	{"cpu1:V", "7ns"},
	{"/:V == V", "true"},
	{"/a:V", "42ns"},
	{"/a/b:V", "0ns"},
	{"cpu0/a:V", "42ns"},
	{"cpu1/a.vruntime", "no value"},
	{"/a.vruntime", "2.1ms"},
	{"/a.load_avg + 1", "78"},
	{"/a.shares", "1048576"},
	{"/a.cpu_weight / 10", "10"},
	{`"/a".vruntime == /a.vruntime`, "true"},
	{"2097152 / /a.shares", "2"}, // an operator where one is due, and then a path
	{"nginx.eligible == false", "false"},
	{"nginx.vruntime", "1.5ms"},
	{"sum.vruntime", "-1ns"}, // a task before a point, a field without
	{"sum", "0"},
	{"`sum` == subject", "false"},
	{"sum.vruntime < nginx.vruntime", "true"}, // on the wrapping axis
	{"web-1.waiting > 1ms", "true"},
	{"web-1.waiting", "3ms"},
	{"web-1.wait_total", "4ms"},
	{"web-1.waited", "7ms"},
	{"web-1.wait_max", "3ms"},
	{"web-1.preempted >= 386", "true"},
	{"web-1.state == queued", "true"},
	{"running == nginx.state", "true"},
	{"web-1.policy == idle", "true"},
	{"web-1.policy != SCHED_IDLE", "false"},
	{"web-1.state", "queued"},
	{"nginx.nice * 2", "-10"},
	{"nginx.weight == 1048576", "true"},
	{"pick", "web-1"},
	{"pick == web-1", "true"},
	{"pick == nginx || curr == nginx", "true"},
	{"curr.vruntime", "1.5ms"},
	{"cpu1.curr == idle", "true"},
	{"cpu1.curr.vruntime", "no value"},
	{"cpu1.curr.vruntime > 0", "false"},
	{"!(cpu1.curr.vruntime > 0)", "true"},
	{"/:curr == nginx", "true"},
	{"/:next == idle", "true"},
	{"/a == /a", "true"},
	{"cpu0.nr_running", "2"},
	{"event == wakeup && event@prev == tick", "true"},
	{"event == interrupt-end", "false"},
	{"subject == web-1 && waker == idle", "true"},
	{"switched", "false"},
	{"index", "14"},
	{"now >= 5ms", "true"},
	{"now == 5000000", "true"},
	{"base_slice", "2.8ms"},
	{"min_slice", "9223372036854.775807ms"},
	{"RUN_TO_PARITY && !PREEMPT_SHORT", "true"},
}

func TestExpressionsHaveTheirValue(t *testing.T) {
	for _, test := range values {
		x, err := Parse(test.src, testNames(t))
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		c := testContext()
		if got := x.Eval(c).Text(c.Frame); got != test.want {
			t.Errorf("%s: got %s, want %s", test.src, got, test.want)
		}
	}
}

func TestFaultsPointAtTheirColumn(t *testing.T) {
	for _, test := range []struct {
		src string
		col int
		say string // part of the message
	}{
		{"", 1, "ends here"},
		{"V <", 4, "ends here"},
		{"V < ", 5, "ends here"},
		{"V < > 3", 5, `unexpected "> 3"`},
		{"V = 3", 3, "=="},
		{"V > 1 & V < 2", 7, "&&"},
		{"V > 1 | V < 2", 7, "||"},
		{"V > 1 > 2", 7, "chain"},
		{"(V > 1", 1, "not closed"},
		{"V > 1)", 6, "operator or the end"},
		{"nginy.vruntime > 0", 1, "did you mean nginx?"},
		{"nginx.vruntme > 0", 7, "did you mean vruntime?"},
		{"nginx. > 0", 7, "unknown field"},
		{"pick == servce", 9, "unknown name servce"},
		{"event == wakup", 10, "did you mean wakeup?"},
		{"nginx.state == idle", 16, "unknown state idle"},
		{"/b:V > 0", 1, "unknown group /b"},
		{"/a:Vv > 0", 4, "did you mean V?"},
		{"/.vruntime", 2, "no entity"},
		{"cpu9.curr == idle", 1, "unknown name cpu9"},
		{"cpu1 == idle", 5, "a CPU alone"},
		{"V + true", 3, "+ between time and bool"},
		{"V && true", 3, "&& between time and bool"},
		{"!V", 1, "! before time"},
		{"-true", 1, "- before bool"},
		{"nginx > 3", 7, "> between entity and number"},
		{"nginx < pick", 7, "no meaning"},
		{"nginx.waits > 1ms", 13, "> between count and time"},
		{"nginx.waits + 1ms", 13, "+ between count and time"},
		{"1ms * 1ms", 5, "time times a time"},
		{"nginx.waits / 1ms", 13, "divided by a time"},
		{"event == nginx.state", 7, "== between event and state"},
		{"V.vruntime", 2, "has no fields"},
		{"3. > 2", 3, "no digit"},
		{"3xs > 2", 2, "unknown unit xs"},
		{"1.5ns > 0", 1, "finer than 1 ns"},
		{"9223372036854775808 > 0", 1, "too large"},
		{"9223372037s > 0", 1, "too large"},
		{"V@prev@prev > 0", 7, "@prev inside @prev"},
		{"(V - V@prev)@prev > 0", 13, "@prev inside @prev"},
		{"V@next > 0", 2, "unknown moment"},
		{`"nginx.vruntime > 0`, 1, "not closed"},
		{`"zzzzzz".vruntime > 0`, 1, "unknown task or group zzzzzz"},
		{"V > 0 $", 7, "operator or the end"},
		{strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200), 101, "too deeply"},
		{strings.Repeat("-", 200) + "1", 101, "too deeply"},
		{"nginx.vruntime", 1, "not a condition"},
	} {
		_, err := ParseCondition(test.src, testNames(t))
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: got %v, want a fault", test.src, err)
			continue
		}
		if fault.Col != test.col || !strings.Contains(fault.Error(), test.say) {
			t.Errorf("%s: got %v, want column %d and %q", test.src, fault, test.col, test.say)
		}
	}
}

func TestExpectationsKnowTheirMoment(t *testing.T) {
	for _, test := range []struct {
		src     string
		when    When
		time    scheduler.Time
		ordinal int
	}{
		{"V > 0", AtEnd, 0, -1},
		{"at 3.1ms: pick == nginx", AtTime, 3_100_000, -1},
		{" at 3.1ms #2 : pick == nginx", AtTime, 3_100_000, 2},
		{"at 0: pick == nginx", AtTime, 0, -1},
		{"always: V >= V@prev", Always, 0, -1},
		{"never: nr_queued > 9", Never, 0, -1},
	} {
		e, err := ParseExpectation(test.src, testNames(t))
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		if e.When != test.when || e.Time != test.time || e.Ordinal != test.ordinal {
			t.Errorf("%s: got %v %v #%d, want %v %v #%d", test.src, e.When, e.Time, e.Ordinal, test.when, test.time, test.ordinal)
		}
	}
	for _, test := range []struct {
		src string
		col int
	}{
		{"at : V > 0", 4},
		{"at 3: V > 0", 4},
		{"at 3ms V > 0", 8},
		{"at 3ms #: V > 0", 9},
		{"at 3ms: V >", 12},
		{"never: V", 8},
	} {
		_, err := ParseExpectation(test.src, testNames(t))
		var fault *Fault
		if !errors.As(err, &fault) || fault.Col != test.col {
			t.Errorf("%s: got %v, want a fault at column %d", test.src, err, test.col)
		}
	}
}

func TestSidesAreTheComparisonsThatFailed(t *testing.T) {
	x, err := ParseCondition("nr_queued == 3 && web-1.waiting < 1ms && (pick == nginx)", testNames(t))
	if err != nil {
		t.Fatal(err)
	}
	c := testContext()
	var got []string
	for _, s := range x.Sides(c) {
		got = append(got, s.Text+": "+s.Left.Text(c.Frame)+", "+s.Right.Text(c.Frame))
	}
	want := "web-1.waiting < 1ms: 3ms, 1ms; pick == nginx: web-1, nginx"
	if strings.Join(got, "; ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "; "), want)
	}
}

func TestStateBeforeTheFirstHasNoValue(t *testing.T) {
	x, err := ParseCondition("V@prev >= V || V@prev < V", testNames(t))
	if err != nil {
		t.Fatal(err)
	}
	c := testContext()
	if !x.True(c) {
		t.Error("with a state before, one of < and >= must hold")
	}
	c.Prev = nil
	if x.True(c) {
		t.Error("without a state before, a comparison with it held")
	}
}

func TestEvaluationDoesNotAllocate(t *testing.T) {
	x, err := ParseCondition("nginx.eligible == false && V < V@prev || web-1.waiting > 1ms && pick == web-1", testNames(t))
	if err != nil {
		t.Fatal(err)
	}
	c := testContext()
	if n := testing.AllocsPerRun(100, func() { x.True(c) }); n != 0 {
		t.Errorf("%v allocations per evaluation, want 0", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("nginx.eligible == false && V < V@prev")
	f.Add("at 3.1ms #2: /a:V > 0 || `sum`.state != queued")
	f.Add("share(nginx) within 1% of 0.5 while idle(cpu0) || -0.5 * V > 3")
	f.Add("never: cpu1/a.load_avg * 3 / -2 >= 1")
	names := testNames(f)
	f.Fuzz(func(t *testing.T, src string) {
		e, err := ParseExpectation(src, names)
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			if fault.Col < 1 || fault.Col > len(src)+1 {
				t.Errorf("%q: column %d outside the text", src, fault.Col)
			}
		case err != nil:
			t.Errorf("%q: %v is no fault", src, err)
		default:
			e.Expr.Sides(testContext())
		}
	})
}

func TestFieldTellsWhatAnExpressionReads(t *testing.T) {
	c := testContext()
	for src, want := range map[string]string{
		"V": "V", "nginx.vruntime": "vruntime", "curr.deadline": "deadline", "/a:load": "load", "now": "now",
		"V + 1": "", "V@prev": "", "nginx": "", "-V": "", "3ms": "", "V == 1": "",
	} {
		x, err := Parse(src, testNames(t))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		f, id, ok := x.Field(c)
		switch {
		case ok != (want != ""):
			t.Errorf("%s: a field: %v", src, ok)
		case ok && (f.Name != want || f.Of(c, id) != x.Eval(c)):
			t.Errorf("%s reads %s of %d, %v; its value is %v", src, f.Name, id, f.Of(c, id), x.Eval(c))
		}
	}
}
