package model

import (
	"strings"
	"testing"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

func condition(t testing.TB, r *Run, src string) *expr.Expr {
	t.Helper()
	x, err := expr.ParseCondition(src, r.Names())
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return x
}

func expectations(t *testing.T, r *Run, list ...string) []*expr.Expectation {
	t.Helper()
	parsed := make([]*expr.Expectation, len(list))
	for i, src := range list {
		e, err := expr.ParseExpectation(src, r.Names())
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		parsed[i] = e
	}
	return parsed
}

func TestNginxKeepsItsNumbers(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	check := func(list ...string) {
		t.Helper()
		for _, v := range r.Expect(expectations(t, r, list...), nil) {
			if !v.Held {
				t.Errorf("%s %s: %+v", r.Branch(), v.Expectation.Source(), v.Compared)
			}
		}
	}
	check("nginx.switched_in == 540", "nginx.preempted == 386", "service.wait_total == 407.2ms", "service.wait_max == 2.7ms",
		"nginx.ran == 769.1ms", "at 3.1ms: pick == service", "always: nginx.ran + service.ran <= now", "never: curr == idle && nr_queued > 1 && !need_resched")
	if err := r.ApplyFromStart(feature(scheduler.RunToParityWakeup, true)); err != nil {
		t.Fatal(err)
	}
	check("nginx.switched_in == 324", "nginx.preempted == 162", "service.wait_total == 643.1ms", "service.wait_max == 3.5ms",
		"nginx.ran == 805.6ms", "at 3.1ms: pick == nginx")
}

func TestBrokenExpectationsShowBothSides(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.Seek(20)
	verdicts := r.Expect(expectations(t, r,
		"nginx.preempted < 100 && nginx.switched_in == 540",
		"at 3.1ms #0: event == tick",
		"never: service.waiting > 2ms",
		"always: true",
		"at 0: index > 5"), nil)
	got := ""
	for _, v := range verdicts {
		if !v.Held {
			got += v.Expectation.Source() + ":"
			for _, c := range v.Compared {
				got += " " + c.Text + " (" + c.Left + ", " + c.Right + ")"
			}
			got += "\n"
		}
	}
	want := "nginx.preempted < 100 && nginx.switched_in == 540: nginx.preempted < 100 (386, 100)\n" +
		"at 3.1ms #0: event == tick: event == tick (wakeup, tick)\n" +
		"never: service.waiting > 2ms: service.waiting > 2ms ("
	if !strings.HasPrefix(got, want) || !strings.Contains(got, "at 0: index > 5: index > 5 (") {
		t.Errorf("got\n%s\nwant\n%s...", got, want)
	}
	if v := verdicts[1]; v.Position != (Position{3100 * us, 0}) {
		t.Errorf("decided at %v, want 3.1 ms #0", v.Position)
	}
	if v := verdicts[2]; v.Index == 0 || v.Index >= r.Known()-1 {
		t.Errorf("the first broken event is %d of %d", v.Index, r.Known())
	}
	if r.Index() != 20 {
		t.Errorf("the cursor moved to event %d", r.Index())
	}
}

// searchAll calls Until with a small budget until it has an answer.
func searchAll(r *Run, cond *expr.Expr, dir int) Progress {
	for {
		if p := r.Until(cond, dir, 100); p != Working {
			return p
		}
	}
}

func TestUntilFindsTheSameEventsBothWays(t *testing.T) {
	for _, spacing := range []int{1, 13, firstSpacing} {
		for _, src := range []string{"V < V@prev && event == wakeup", "nr_queued == 1 && nr_queued@prev != 1", "index == 0", "index == 1", "event == exit"} {
			r := Open(office(t, "7.2"))
			r.b.spacing = spacing
			r.Extend(1 << 30)
			cond := condition(t, r, src)
			var want []int
			for i := range r.Known() {
				r.Seek(i)
				if cond.True(r.Context()) {
					want = append(want, i)
				}
			}
			if len(want) == 0 {
				t.Fatalf("%s: never true", src)
			}
			r.Seek(r.Known() - 1)
			for i := len(want) - 1; i >= 0; i-- {
				if want[i] == r.Known()-1 {
					continue
				}
				if p := searchAll(r, cond, -1); p != Found || r.Index() != want[i] {
					t.Fatalf("%s, back: %v on event %d, want %d", src, p, r.Index(), want[i])
				}
			}
			first := r.Index()
			if p := searchAll(r, cond, -1); p != Exhausted || r.Index() != first {
				t.Fatalf("%s: before the first: %v on event %d", src, p, r.Index())
			}
			r.Seek(0)
			for _, i := range want {
				if i == 0 {
					continue
				}
				if p := searchAll(r, cond, 1); p != Found || r.Index() != i {
					t.Fatalf("%s, forth: %v on event %d, want %d", src, p, r.Index(), i)
				}
			}
			if p := searchAll(r, cond, 1); p != Exhausted || !r.Complete() {
				t.Fatalf("%s: after the last: %v", src, p)
			}
		}
	}
}

func TestStatsAgreeWithTheCountersOfTheMachine(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.Extend(1 << 30)
		for _, index := range []int{r.Known() - 1, r.Known() / 3, r.Known() / 2, 5, 0} {
			r.Seek(index)
			s := r.Stats()
			var shares, total int64
			for i := range s.Tasks {
				got, f := s.Tasks[i], r.Frame().Task(scheduler.TaskID(i))
				if got.Waits != f.Stats.Waits || got.WaitTotal != f.Stats.WaitTotal || got.WaitMax != f.Stats.WaitMax {
					t.Fatalf("%s event %d %s: %d waits, total %d, max %d from records; %+v counted", name, index, got.Name, got.Waits, got.WaitTotal, got.WaitMax, f.Stats)
				}
				if got.Waits > 0 && (got.MaxTo-got.MaxFrom != got.WaitMax || got.WaitP50 > got.WaitP99 || got.WaitP99 > got.WaitMax) {
					t.Fatalf("%s event %d: %+v", name, index, got)
				}
				shares += got.Share
				total += int64(got.Runtime)
			}
			if total != int64(s.Total) || total > 0 && (shares > million || shares < million-int64(len(s.Tasks))) {
				t.Fatalf("%s event %d: runtimes %d of %d, shares %d", name, index, total, s.Total, shares)
			}
		}
	}
}

func TestWeightShareGoesLevelByLevel(t *testing.T) {
	r := Open(office(t, "7.2"))
	r.SeekTime(5 * ms)
	// Root: short and blocker of weight 1024, nice of 335, group a of 1024. In a:
	// hog of 1024 and group b of 3072, in which batch is alone. brief comes later.
	root := int64(1024 + 1024 + 335 + 1024)
	want := map[string]int64{
		"hog": million * 1024 / root / 4, "batch": million * 1024 * 3 / root / 4,
		"short": million * 1024 / root, "nice": million * 335 / root, "brief": 0,
	}
	for _, s := range r.Stats().Tasks {
		if w, ok := want[s.Name]; ok && (s.WeightShare < w-1 || s.WeightShare > w+1) {
			t.Errorf("%s: share by weight %d, want %d", s.Name, s.WeightShare, w)
		}
	}
}

func TestSpansAndSegmentsAgreeWithTheFrames(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.Extend(1 << 30)
		end := r.Record(r.Known() - 1).Time
		checkTiling(t, r, name, 0, end)
		checkTiling(t, r, name, 37*ms, 53*ms+1)
		for index := 1; index < r.Known(); index += 17 {
			r.Seek(index)
			f := r.Frame()
			if index+1 < r.Known() && r.Record(index+1).Time == f.Now {
				continue // not the last word at that time
			}
			for i := range w.Tasks {
				want := f.Task(scheduler.TaskID(i)).State
				for _, s := range r.Segments(scheduler.TaskID(i), f.Now, f.Now+1) {
					if s.State != want && s.To > f.Now {
						t.Fatalf("%s event %d task %d: segment %+v, frame says %v", name, index, i, s, want)
					}
				}
			}
			for _, s := range r.Spans(0, f.Now, f.Now+1) {
				if s.Task != f.CPUs[0].Curr && s.To > f.Now {
					t.Fatalf("%s event %d: span %+v, frame says %v runs", name, index, s, f.CPUs[0].Curr)
				}
			}
		}
	}
}

// checkTiling checks that the lanes of a window have no gaps and reach its ends.
func checkTiling(t *testing.T, r *Run, name string, from, to scheduler.Time) {
	t.Helper()
	spans := r.Spans(0, from, to)
	for i, s := range spans {
		if i > 0 && s.From != spans[i-1].To || s.From >= s.To || s.Open != (i == len(spans)-1) {
			t.Fatalf("%s: span %d %+v after %+v", name, i, s, spans[max(i-1, 0)])
		}
	}
	if n := len(spans); n == 0 || spans[0].From > from || spans[n-1].To != to {
		t.Fatalf("%s: spans %+v do not fill %d to %d", name, spans, from, to)
	}
	segments := r.Segments(0, from, to)
	for i, s := range segments {
		if i > 0 && (s.From != segments[i-1].To || s.State == segments[i-1].State) {
			t.Fatalf("%s: segment %d %+v after %+v", name, i, s, segments[i-1])
		}
	}
	if n := len(segments); n == 0 || segments[0].From > from || segments[n-1].To != to {
		t.Fatalf("%s: segments %+v do not fill %d to %d", name, segments, from, to)
	}
	first, end := r.Range(from, to)
	for i := first; i < end; i++ {
		if at := r.Record(i).Time; at < from || at >= to {
			t.Fatalf("%s: event %d at %d is outside the window", name, i, at)
		}
	}
}

func TestRunsWithoutAnEndAreTakenInPieces(t *testing.T) {
	w := nginx(t, "7.2")
	w.Until = 0
	r := Open(w)
	if r.Extend(1000) || r.Known() != 1001 {
		t.Errorf("%d events known after 1000 more, complete %v", r.Known(), r.Complete())
	}
	r.SeekTime(10 * scheduler.Second)
	if p := r.Position(); p.Time > 10*scheduler.Second || p.Time < 9*scheduler.Second {
		t.Errorf("cursor at %v", p)
	}
}

func TestWorkloadWithoutTasksEndsAtOnce(t *testing.T) {
	r := Open(&scheduler.Workload{Config: machine(t, "7.2"), Until: scheduler.Second})
	if !r.Extend(10) || r.Known() != 1 || r.Step(1) || r.Step(-1) || r.Before() != nil || r.Steps() != nil || r.Flips() != nil {
		t.Errorf("%d events known of an empty run", r.Known())
	}
	if p := searchAll(r, condition(t, r, "V > 0"), -1); p != Exhausted {
		t.Errorf("search in an empty run: %v", p)
	}
	if err := r.Apply(feature(scheduler.NextBuddy, true)); err != nil || !r.Frame().Features.Has(scheduler.NextBuddy) {
		t.Errorf("edit of an empty run: %v, branch %s, cursor on event %d", err, r.Branch(), r.Index())
	}
}

func TestProgramWithoutTimeIsStuck(t *testing.T) {
	w := nginx(t, "7.2")
	w.Tasks[1].Program = forever(scheduler.Op{Kind: scheduler.OpYield})
	r := Open(w)
	r.Seek(1 << 30)
	if !r.Stuck() || !r.Complete() {
		t.Errorf("%d events known up to %v, stuck %v, complete %v", r.Known(), r.Position(), r.Stuck(), r.Complete())
	}
	if healthy := Open(nginx(t, "7.2")); !healthy.Extend(1<<30) || healthy.Stuck() {
		t.Error("a run that ends in time counts as stuck")
	}
}

func TestEventAtEqualsTheEventItself(t *testing.T) {
	for _, w := range []*scheduler.Workload{nginx(t, "7.2"), limited(t, "7.2")} {
		r := Open(w)
		r.SeekTime(3100 * scheduler.Microsecond)
		r.Step(-1)
		if err := r.Apply(scheduler.Edit{Kind: scheduler.EditFeature, Feature: scheduler.FeatureSetting{Feature: scheduler.RunToParityWakeup, On: true}}); err != nil {
			t.Fatal(err)
		}
		r.Seek(200)
		compareEvents(t, r)
	}
}

// compareEvents compares every known event with what its record tells.
func compareEvents(t *testing.T, r *Run) {
	t.Helper()
	for i := range r.Known() {
		r.Seek(i)
		got, want := r.EventAt(i), r.Event()
		if (got.Edit == nil) != (want.Edit == nil) || got.Edit != nil && *got.Edit != *want.Edit {
			t.Fatalf("event %d: edit %+v, want %+v", i, got.Edit, want.Edit)
		}
		got.Edit, want.Edit = nil, nil
		if got != want {
			t.Fatalf("event %d:\ngot  %+v\nwant %+v", i, got, want)
		}
	}
}
