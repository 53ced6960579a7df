package model

import (
	"testing"

	"zerolag/scheduler"
)

func TestWaitsAreThoseOfTheNumbersAndEveryNsHasACulprit(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.SeekTime(250 * ms)
		s := r.Stats()
		for task, k := range s.Tasks {
			waits := r.Waits(scheduler.TaskID(task))
			if len(waits) != k.Waits {
				t.Fatalf("%s: %d waits of %s, the numbers say %d", name, len(waits), k.Name, k.Waits)
			}
			total := scheduler.Time(0)
			for _, x := range waits {
				by := scheduler.Time(0)
				for _, a := range x.By {
					by += a.Time
					if a.Task == scheduler.TaskID(task) {
						t.Fatalf("%s: %s made itself wait at %d", name, k.Name, x.From)
					}
				}
				if w.Config.CPUs == 1 && by != x.Length() {
					t.Fatalf("%s: wait of %d ns, culprits of %d ns", name, x.Length(), by)
				}
				if r.Record(x.End).Curr != k.Task || r.Record(x.Begin).Time != x.From || r.Record(x.End).Time != x.To {
					t.Fatalf("%s: wait %+v does not end with the switch to %s", name, x, k.Name)
				}
				total += x.Length()
			}
			if total != k.WaitTotal {
				t.Errorf("%s: %s waited %d ns, the numbers say %d", name, k.Name, total, k.WaitTotal)
			}
		}
	}
}

func TestAntagonistIsWhoRan(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(500 * ms)
	by := Antagonists(r.Waits(1))
	if len(by) != 1 || by[0].Task != 0 || by[0].Time != r.Stats().Tasks[1].WaitTotal {
		t.Errorf("the service waits for %+v, want the server alone", by)
	}
}

func TestHistogramCountsExactly(t *testing.T) {
	wait := func(length scheduler.Time) Wait { return Wait{From: 5, To: 5 + length} }
	got := Histogram([]Wait{wait(20), wait(19), wait(49), wait(50), wait(10), wait(20)})
	want := []Bucket{{10, 20, 2, 1}, {20, 50, 3, 2}, {50, 100, 1, 3}}
	if len(got) != len(want) {
		t.Fatalf("buckets %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("bucket %d: %+v, want %+v", i, got[i], want[i])
		}
	}
	if zero := Histogram([]Wait{wait(0)}); len(zero) != 1 || zero[0] != (Bucket{0, 1, 1, 0}) {
		t.Errorf("a wait of no length: %+v", zero)
	}
	if none := Histogram(nil); none != nil {
		t.Errorf("no waits: %+v", none)
	}
	for name, w := range workloads(t) {
		r := Open(w)
		r.SeekTime(250 * ms)
		waits, n := r.Waits(1), 0
		for _, b := range Histogram(waits) {
			n += b.Count
			if x := waits[b.Longest]; b.Count > 0 && (x.Length() < b.From || x.Length() >= b.To) {
				t.Errorf("%s: a wait of %d in bucket %+v", name, x.Length(), b)
			}
		}
		if n != len(waits) {
			t.Errorf("%s: %d of %d waits counted", name, n, len(waits))
		}
	}
}

func TestCurvesAreTheFrames(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		c := r.Curves([]scheduler.EntityID{0, 1}, []scheduler.QueueID{0}, 40*ms, 90*ms)
		for !c.Scan(10) {
		}
		for entity := range 2 {
			points := c.Lag(entity)
			if len(points) < 10 || points[0].Time > 40*ms {
				t.Fatalf("%s: %d points of entity %d from %d on", name, len(points), entity, points[0].Time)
			}
			next := 0
			for i := points[0].Index; i <= points[len(points)-1].Index; i++ {
				if next < len(points) && points[next].Index == i {
					next++
				}
				r.Seek(i)
				e, p := r.Frame().Entity(scheduler.EntityID(entity)), points[next-1]
				if p.Lag != e.Lag || p.Queued != e.OnRQ || p.Index == i && p.Time != r.Event().Time {
					t.Fatalf("%s: event %d: lag %d, the curve says %+v", name, i, e.Lag, p)
				}
			}
		}
		for _, p := range c.V(0) {
			r.Seek(p.Index)
			if r.Frame().Queues[0].V != p.V || p.Time >= 90*ms {
				t.Errorf("%s: V after event %d is %d, the curve says %d", name, p.Index, r.Frame().Queues[0].V, p.V)
			}
		}
	}
}

func TestBoundIsLongestRequestAndQuantumByWeight(t *testing.T) {
	f := &scheduler.Frame{Queues: []scheduler.QueueFrame{{Curr: 0, Tree: []scheduler.EntityID{1}}}}
	f.Entities = []scheduler.EntityFrame{
		{ID: 0, Slice: 3000, Weight: 2 << 20, OnRQ: true},
		{ID: 1, Slice: 700, Weight: 1 << 20, OnRQ: true},
	}
	if low, high := lagBound(f, &f.Entities[0], 4000); low != -1500 || high != 2000 {
		t.Errorf("heavy entity: %d ... %d, want -1500 ... 2000", low, high)
	}
	if low, high := lagBound(f, &f.Entities[1], 1000); low != -3000 || high != 3000 {
		t.Errorf("entity of nice 0: %d ... %d, want -3000 ... 3000", low, high)
	}
	for _, c := range []struct {
		lag  int64
		want bool
	}{{-10, true}, {-9, false}, {9, false}, {10, true}} {
		if p := (LagPoint{Lag: c.lag, Queued: true, Low: -10, High: 10}); p.Violates() != c.want {
			t.Errorf("lag %d violates -10 ... 10: %v, want %v", c.lag, p.Violates(), c.want)
		}
	}
}

func TestSharesOfAWindow(t *testing.T) {
	w := office(t, "7.2")
	r := Open(w)
	r.Extend(1 << 30)
	list, index := r.Shares(50*ms, 150*ms)
	if next := r.Record(index + 1); r.Record(index).Time >= 150*ms || next.Time < 150*ms {
		t.Errorf("the window ends with event %d at %d", index, r.Record(index).Time)
	}
	total, share := scheduler.Time(0), int64(0)
	for i, s := range list {
		ran := scheduler.Time(0)
		for _, x := range r.Spans(0, 50*ms, 150*ms) {
			if x.Task == scheduler.TaskID(i) {
				ran += x.To - max(x.From, 50*ms)
			}
		}
		if s.Runtime != ran || s.Task != scheduler.TaskID(i) {
			t.Errorf("task %d ran %d ns in the window, got %+v", i, ran, s)
		}
		total += s.Runtime
		share += s.Share
	}
	if total <= 0 || total > 100*ms || share > million || share < million-int64(len(list)) {
		t.Errorf("%d ns of CPU time in 100 ms, shares add up to %d ppm", total, share)
	}
	r.SeekPosition(r.Record(index).Position())
	if again, _ := r.Shares(50*ms, 150*ms); again[0] != list[0] {
		t.Errorf("with the cursor there: %+v, else %+v", again[0], list[0])
	}
}
