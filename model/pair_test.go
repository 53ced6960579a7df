package model

import (
	"context"
	"errors"
	"testing"

	"zerolag/scheduler"
)

// with is a workload with one feature changed.
func with(w *scheduler.Workload, f scheduler.Feature, on bool) *scheduler.Workload {
	changed := *w
	changed.Config.Features = w.Config.Features.With(f, on)
	return &changed
}

// scanned is the complete comparison of two workloads.
func scanned(a, b *scheduler.Workload) *Pair {
	p := Compare(Open(a), Open(b))
	for !p.Scan(100) {
	}
	return p
}

func TestRunNeverDiffersFromItself(t *testing.T) {
	for name, w := range workloads(t) {
		if p := scanned(w, w); len(p.Differences()) != 0 || p.Apart() != 0 {
			t.Errorf("%s: differs from itself %d times, for %d ns", name, len(p.Differences()), p.Apart())
		}
	}
}

func TestFirstDifferenceIsTheWakeupThatOneRunLets(t *testing.T) {
	w := nginx(t, "7.2")
	p := scanned(w, with(w, scheduler.RunToParityWakeup, true))
	first := p.Differences()[0]
	p.Go(first)
	if first.Side != BothSides || p.A.Event().Kind != scheduler.EventWakeup || p.A.Position() != p.B.Position() {
		t.Errorf("the runs part at %+v, event %v", first, p.A.Event().Kind)
	}
	if !p.A.Event().Resched || p.B.Event().Resched {
		t.Error("without the feature the wakeup preempts, with it it does not; got other decisions")
	}
	// Before it the runs are equal event by event.
	for i := range first.A {
		if p.A.Record(i) != p.B.Record(i) {
			t.Fatalf("event %d differs before the first difference", i)
		}
	}
}

func TestDifferencesComeInOrderAndNextVisitsEach(t *testing.T) {
	for name, w := range workloads(t) {
		whole := scanned(w, with(w, scheduler.PlaceLag, false))
		p := Compare(Open(w), Open(with(w, scheduler.PlaceLag, false)))
		seek := func(dir int) Progress {
			for {
				if progress := p.Next(dir, 64); progress != Working {
					return progress
				}
			}
		}
		list := whole.Differences()
		if len(list) == 0 {
			t.Fatalf("%s: no differences", name)
		}
		for i, d := range list {
			if i > 0 && (d.Time <= list[i-1].Time || d.A < list[i-1].A || d.B < list[i-1].B) {
				t.Fatalf("%s: difference %d %+v does not come after %+v", name, i, d, list[i-1])
			}
			if seek(1) != Found || p.A.Index() != d.A || p.B.Index() != d.B {
				t.Fatalf("%s: next stopped on %d, %d, want %+v", name, p.A.Index(), p.B.Index(), d)
			}
		}
		if seek(1) != Exhausted {
			t.Fatalf("%s: a difference after the last", name)
		}
		for i := len(list) - 2; i >= 0; i-- {
			if seek(-1) != Found || p.A.Index() != list[i].A || p.B.Index() != list[i].B {
				t.Fatalf("%s: back stopped on %d, %d, want %+v", name, p.A.Index(), p.B.Index(), list[i])
			}
		}
		if seek(-1) != Exhausted {
			t.Fatalf("%s: a difference before the first", name)
		}
	}
}

func TestComparingIsSymmetric(t *testing.T) {
	for name, w := range workloads(t) {
		other := with(w, scheduler.RunToParity, false)
		ab, ba := scanned(w, other), scanned(other, w)
		if ab.Apart() != ba.Apart() || len(ab.Differences()) != len(ba.Differences()) {
			t.Errorf("%s: %d ns and %d differences one way, %d ns and %d the other", name,
				ab.Apart(), len(ab.Differences()), ba.Apart(), len(ba.Differences()))
		}
	}
}

func TestTicksThatDecideNothingAreNoDifference(t *testing.T) {
	w := nginx(t, "7.2")
	w.Tasks = w.Tasks[:1]
	slow := *w
	slow.Config.HZ = 250
	if p := scanned(w, &slow); len(p.Differences()) != 0 {
		t.Errorf("a lonely task runs alike at any HZ, yet %d differences, the first %+v", len(p.Differences()), p.Differences()[0])
	}
}

func TestForkOfOneRunStartsTheComparisonAgain(t *testing.T) {
	w := nginx(t, "7.2")
	p := scanned(w, w)
	p.B.SeekTime(3 * ms)
	apply(t, p.B, feature(scheduler.RunToParityWakeup, true))
	for !p.Scan(1000) {
	}
	if len(p.Differences()) == 0 || p.Differences()[0].Time < 3*ms {
		t.Errorf("differences of the branch: %d", len(p.Differences()))
	}
}

func TestFollowFindsTheCounterpart(t *testing.T) {
	w := office(t, "7.2")
	p := Compare(Open(w), Open(with(w, scheduler.RunToParity, false)))
	for _, at := range []scheduler.Time{5 * ms, 77 * ms, 200 * ms} {
		p.A.SeekTime(at)
		p.Follow()
		if p.B.Event().Time > p.A.Event().Time {
			t.Errorf("at %v B stands later, at %v", p.A.Position(), p.B.Position())
		}
	}
}

func TestTotalsAreThoseOfTheTasks(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		m := r.Measure()
		for !m.Scan(50) {
		}
		got := m.Totals()
		r.Seek(r.Known() - 1)
		s := r.Stats()
		var voluntary, involuntary, waits int
		var longest scheduler.Time
		for _, k := range s.Tasks {
			voluntary += k.Voluntary
			involuntary += k.Involuntary
			waits += k.Waits
			longest = max(longest, k.WaitMax)
		}
		switches := 0
		for i := range r.Known() {
			if r.Record(i).Switched() {
				switches++
			}
		}
		want := Totals{
			Events: r.Known(), Now: s.Now, Runtime: s.Total, Switches: switches, Voluntary: voluntary, Involuntary: involuntary,
			Waits: waits, WaitMax: longest,
		}
		same := got.Events == want.Events && got.Now == want.Now && got.Runtime == want.Runtime && got.Switches == want.Switches &&
			got.Voluntary == want.Voluntary && got.Involuntary == want.Involuntary && got.Waits == want.Waits && got.WaitMax == want.WaitMax
		if !same {
			t.Errorf("%s: totals %+v, want %+v", name, got, want)
		}
		for _, x := range []LagExtreme{got.LagMin, got.LagMax} {
			r.Seek(x.Index)
			if e := r.Frame().Entity(x.Entity); e == nil || e.Lag != x.Lag || !e.OnRQ {
				t.Errorf("%s: no lag of %d after event %d", name, x.Lag, x.Index)
			}
		}
	}
}

func TestSweepRanksByTimeApartAndIsDeterministic(t *testing.T) {
	w := office(t, "7.2")
	cases := FeatureCases(w)
	var reports []int
	base, effects, err := Sweep(context.Background(), w, cases, func(done int) { reports = append(reports, done) })
	if err != nil || base.Events == 0 || len(effects) != len(cases) || len(reports) != len(cases) {
		t.Fatalf("%d effects of %d cases, %d reports, error %v", len(effects), len(cases), len(reports), err)
	}
	_, again, _ := Sweep(context.Background(), w, cases, nil)
	for i, e := range effects {
		if e != again[i] {
			t.Fatalf("another sweep gives %+v, not %+v", again[i], e)
		}
		if i > 0 && e.Apart > effects[i-1].Apart {
			t.Fatalf("%s is apart longer than %s before it", e.Name, effects[i-1].Name)
		}
		if (e.Differences == 0) != (e.Apart == 0) && e.Differences == 0 {
			t.Errorf("%s: apart for %d ns without a difference", e.Name, e.Apart)
		}
	}
	alone := scanned(w, with(w, scheduler.RunToParity, !w.Config.Features.Has(scheduler.RunToParity)))
	for _, e := range effects {
		if e.Name == "NO_RUN_TO_PARITY" && (e.Apart != alone.Apart() || e.First != alone.Differences()[0]) {
			t.Errorf("the sweep says %+v, the pair %d ns", e, alone.Apart())
		}
	}
}

func TestSweepStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := office(t, "7.2")
	_, effects, err := Sweep(ctx, w, FeatureCases(w), func(int) { cancel() })
	if !errors.Is(err, context.Canceled) || effects != nil {
		t.Errorf("%d effects, error %v", len(effects), err)
	}
	if _, _, err := Sweep(ctx, w, FeatureCases(w), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a sweep that was cancelled before it began: error %v", err)
	}
}
