package model

import (
	"slices"
	"testing"

	"zerolag/model/expr"
	"zerolag/scheduler"
)

// field finds a field of the catalogue.
func field(t testing.TB, object expr.Object, name string) *expr.Field {
	t.Helper()
	for _, f := range expr.Fields() {
		if f.Object == object && f.Name == name {
			return &f
		}
	}
	t.Fatalf("no field %s", name)
	return nil
}

// all follows a trail to its end.
func all(tr *Trail, budget int) []Link {
	for tr.Extend(budget) != Exhausted {
	}
	return tr.Links()
}

// Every link leads to a sub-step that really makes the new number of the old one,
// and the links join up without gaps.
func TestTrailJoinsUp(t *testing.T) {
	fields := []struct {
		object expr.Object
		name   string
		id     int
	}{
		{expr.OfEntity, "vruntime", 1},
		{expr.OfEntity, "deadline", 0},
		{expr.OfEntity, "vlag", 1},
		{expr.OfEntity, "weight", 0},
		{expr.OfEntity, "vprot", 0},
		{expr.OfQueue, "V", 0},
		{expr.OfQueue, "zero", 0},
		{expr.OfQueue, "load", 0},
	}
	for name, w := range workloads(t) {
		for _, k := range fields {
			f := field(t, k.object, k.name)
			r := Open(w)
			r.SeekTime(45 * ms)
			now := f.Of(r.Context(), k.id)
			links := all(r.Trail(f, k.id), 100_000)
			if len(links) == 0 && (k.name == "vruntime" || k.name == "V") {
				t.Fatalf("%s: %s never changed", name, k.name)
			}
			for i, l := range links {
				if l.New != now {
					t.Fatalf("%s: link %d of %s makes %v, the next begins with %v", name, i, k.name, l.New, now)
				}
				now = l.Old
				if i%17 == 0 {
					checkLink(t, r, f, k.id, l)
				}
			}
			r.Seek(0)
			if start := f.Of(r.Context(), k.id); start != now {
				t.Errorf("%s: the trail of %s ends at %v, the run starts with %v", name, k.name, now, start)
			}
		}
	}
}

// checkLink goes to a link and looks at the number before and after it.
func checkLink(t *testing.T, r *Run, f *expr.Field, id int, l Link) {
	t.Helper()
	r.SeekSub(l.Index, l.Sub)
	if r.Position() != l.Position || r.Sub() != l.Sub {
		t.Fatalf("the link leads to %v sub-step %d, the cursor stands at %v %d", l.Position, l.Sub, r.Position(), r.Sub())
	}
	if l.Sub < 0 {
		return
	}
	before, after := r.Pair()
	was, is := f.Of(&expr.Context{Frame: before}, id), f.Of(&expr.Context{Frame: after}, id)
	if was != l.Old || is != l.New {
		t.Fatalf("event %d sub-step %d: %v -> %v, the link says %v -> %v", l.Index, l.Sub, was, is, l.Old, l.New)
	}
	if step := r.Steps()[l.Sub]; step.Kind != l.Step.Kind || step.Reason != l.Step.Reason {
		t.Fatalf("event %d sub-step %d is %v, the link says %v", l.Index, l.Sub, step.Kind, l.Step.Kind)
	}
	if n, ok := l.Step.Arg(l.Result); l.Stated && (!ok || n != l.New.N) {
		t.Fatalf("event %d sub-step %d does not state %d", l.Index, l.Sub, l.New.N)
	}
}

func TestChargeStatesItsFormula(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(2500 * us)
	links := all(r.Trail(field(t, expr.OfEntity, "vruntime"), 0), 1000)
	charges := 0
	for _, l := range links {
		if l.Step.Kind != scheduler.StepCharge {
			continue
		}
		charges++
		from, _ := l.Step.Arg(scheduler.ArgVruntimeFrom)
		if by, _ := l.Step.Arg(scheduler.ArgVdelta); !l.Stated || l.Result != scheduler.ArgVruntimeTo || from != l.Old.N || from+by != l.New.N {
			t.Errorf("charge %+v does not lead from %d to %d", l.Step.Args, l.Old.N, l.New.N)
		}
	}
	if charges == 0 {
		t.Error("no charge on the trail of a running task's vruntime")
	}
}

func TestTrailFromASubStepLeavesOutLaterOnes(t *testing.T) {
	r := Open(office(t, "7.2"))
	f := field(t, expr.OfQueue, "V")
	for _, at := range []scheduler.Time{10 * ms, 33 * ms, 120 * ms} {
		r.SeekTime(at)
		for sub := range r.Steps() {
			r.SeekSub(r.Index(), sub)
			_, after := r.Pair()
			tr := r.Trail(f, 0)
			for len(tr.Links()) == 0 && tr.Extend(64) != Exhausted {
			}
			l := tr.Links()[0]
			if l.New != f.Of(&expr.Context{Frame: after}, 0) {
				t.Errorf("event %d sub-step %d: V is not what the trail says", r.Index(), sub)
			}
			if l.Index == r.Index() && l.Sub > sub {
				t.Errorf("event %d: the trail of sub-step %d begins at %d", r.Index(), sub, l.Sub)
			}
		}
	}
}

func TestTrailStaysValidOnAnotherBranch(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(20 * ms)
	f := field(t, expr.OfEntity, "deadline")
	want := all(r.Trail(f, 0), 1000)
	tr := r.Trail(f, 0)
	tr.Extend(1)
	apply(t, r, feature(scheduler.PlaceLag, false))
	got := all(tr, 1)
	if len(got) != len(want) || got[len(got)-1].Position != want[len(want)-1].Position {
		t.Errorf("%d links after a fork, %d without", len(got), len(want))
	}
}

func TestWatchKnowsItsLastChange(t *testing.T) {
	texts := []string{"curr", "V - V@prev > 0", "nr_queued", "now > 100s"}
	for name, w := range workloads(t) {
		r := Open(w)
		r.Extend(1 << 30)
		r.b.spacing = 64
		watches := NewWatches(r)
		for _, text := range texts {
			if err := watches.Add(text); err != nil {
				t.Fatal(err)
			}
		}
		x := uint32(7)
		for step := range 25 {
			x = x*1664525 + 1013904223
			if step%3 == 0 {
				r.Seek(int(x>>8) % r.Known())
			} else {
				r.Step(int(x>>16)%21 - 10)
			}
			for !watches.Update(50) {
			}
			checkWatches(t, name, w, r, watches)
		}
	}
}

// checkWatches looks for the last changes with a run of its own.
func checkWatches(t *testing.T, name string, w *scheduler.Workload, r *Run, watches *Watches) {
	t.Helper()
	own := Open(w)
	for i, k := range watches.List() {
		x, err := expr.Parse(k.Text, own.Names())
		if err != nil {
			t.Fatal(err)
		}
		own.Seek(r.Index())
		value := own.Value(x)
		if k.Value != value || !k.Settled {
			t.Fatalf("%s: %s is %v, settled %v, want %v", name, k.Text, k.Value, k.Settled, value)
		}
		var want []Change
		for own.Index() > 0 && len(want) < WatchDepth {
			at := own.Position()
			own.Step(-1)
			if old := own.Value(x); old != value {
				want = append(want, Change{own.Index() + 1, at, old, value})
				value = old
			}
		}
		if got := watches.Changes(i, WatchDepth); !slices.Equal(got, want) {
			t.Fatalf("%s: at event %d %s changed at %+v, want %+v", name, r.Index(), k.Text, got, want)
		}
		if k.Changed != (len(want) > 0) || k.Changed && k.Since != want[0] {
			t.Fatalf("%s: at event %d %s changed last at %+v (%v), want %+v", name, r.Index(), k.Text, k.Since, k.Changed, want)
		}
	}
}

func TestExpressionsWithoutMeaningStayOnTheirLists(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	var c Conditions
	c.Restore([]Condition{{Text: "nobody.lag > 0"}, {Text: "event == tick"}, {Text: "now > 1ms", Off: true}}, r.Names())
	if list := c.List(); len(list) != 3 || list[0].Fault == nil || list[1].Fault != nil || !list[2].Off || c.Active() != 1 {
		t.Errorf("the list is %+v", list)
	}
	if p := r.UntilAny(&c, 1, 1000); p != Found || len(r.ConditionSides(&c, 0)) != 0 || len(r.ConditionSides(&c, 1)) != 1 {
		t.Errorf("stopped: %v", p)
	}
	w := RestoreWatches(r, []string{"nobody.lag", "nr_queued"})
	for !w.Update(100) {
	}
	list := w.List()
	if list[0].Fault == nil || list[0].Value.Known || list[1].Fault != nil || !list[0].Settled || !slices.Equal(w.Texts(), []string{"nobody.lag", "nr_queued"}) {
		t.Errorf("the watches are %+v", list)
	}
}

func TestUntilAnyStopsAtTheNearestOfTheList(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	var c Conditions
	for _, text := range []string{"now > 50ms", "now > 20ms && event == tick", "now > 10ms && event == tick"} {
		if err := c.Add(text, r.Names()); err != nil {
			t.Fatal(err)
		}
	}
	go1 := func(dir int) Progress {
		for {
			if p := r.UntilAny(&c, dir, 10); p != Working {
				return p
			}
		}
	}
	c.Switch(2)
	if go1(1) != Found || r.Event().Time != 21*ms {
		t.Errorf("stopped at %v, want the tick after 20 ms", r.Position())
	}
	if hold := r.Holding(&c); len(hold) != 2 || hold[0] != 1 || hold[1] != 2 {
		t.Errorf("conditions %v hold, want 1 and 2", hold)
	}
	r.Seek(0)
	c.Switch(2)
	if go1(1) != Found || r.Event().Time != 11*ms {
		t.Errorf("stopped at %v, want the tick after 10 ms", r.Position())
	}
	c.Remove(0)
	r.SeekTime(15 * ms)
	if go1(-1) != Found || r.Event().Time != 15*ms && r.Event().Time != 14*ms {
		t.Errorf("back stopped at %v, want a tick before", r.Position())
	}
	if err := c.Add("event == tock", r.Names()); err == nil {
		t.Error("a fault was taken")
	}
	for range c.List() {
		c.Remove(0)
	}
	if go1(1) != Exhausted {
		t.Error("an empty list found something")
	}
}
