package model

import (
	"bytes"
	"slices"
	"testing"

	"zerolag/scheduler"
)

func feature(f scheduler.Feature, on bool) scheduler.Edit {
	return scheduler.Edit{Kind: scheduler.EditFeature, Feature: scheduler.FeatureSetting{Feature: f, On: on}}
}

func apply(t *testing.T, r *Run, e scheduler.Edit) {
	t.Helper()
	if err := r.Apply(e); err != nil {
		t.Fatal(err)
	}
}

func TestApplyRerunsTheEventAtTheCursor(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.SeekTime(35 * ms)
		for range 50 {
			r.SwitchBranch(0)
			r.Step(7)
			was, before := r.Event(), r.Position()
			if isEdit(was.Kind) {
				continue
			}
			apply(t, r, feature(scheduler.RunToParityWakeup, true))
			is := r.Event()
			if is.Kind != was.Kind || is.Task != was.Task || is.Time != was.Time || is.Ordinal != was.Ordinal+1 {
				t.Fatalf("%s: event %v at %v was re-run as %v at %v", name, was.Kind, before, is.Kind, r.Position())
			}
			if !r.Frame().Features.Has(scheduler.RunToParityWakeup) || !r.Dirty() {
				t.Fatalf("%s: the edit is not in force", name)
			}
		}
	}
}

func TestForkIsTheRunWithTheseEdits(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		for i, at := range []scheduler.Time{50 * ms, 20 * ms, 120 * ms, 0} {
			r.SeekTime(at)
			f := []scheduler.Feature{scheduler.RunToParity, scheduler.PlaceLag, scheduler.DelayDequeue, scheduler.PreemptShort}[i]
			if w.Config.Kernel.Knows(f) {
				apply(t, r, feature(f, false))
			}
			apply(t, r, scheduler.Edit{Kind: scheduler.EditNice, Task: 0, Value: int64(i + 1)})
		}
		for i := range r.Branches() {
			r.SwitchBranch(i)
			r.Extend(1 << 30)
			want := straight(w, r.Edits())
			if r.Known() != len(want) {
				t.Fatalf("%s %s: %d events, a fresh run has %d", name, r.Branch(), r.Known(), len(want))
			}
			for index := 0; index < len(want); index += 41 {
				if !bytes.Equal(state(r, index), want[index]) {
					t.Fatalf("%s %s: state after event %d differs from a fresh run", name, r.Branch(), index)
				}
			}
		}
	}
}

func TestEditsThatUndoEachOtherReturnToTheBranch(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		for _, at := range []scheduler.Time{0, 3100 * us, 30 * ms, 60 * ms} {
			r.SwitchBranch(0)
			r.SeekTime(at)
			index, position := r.Index(), r.Position()
			apply(t, r, feature(scheduler.RunToParity, false))
			if r.Branch() == "main" {
				t.Fatalf("%s: an edit at %v did not fork", name, at)
			}
			apply(t, r, feature(scheduler.RunToParity, true))
			if r.Branch() != "main" {
				t.Fatalf("%s: on and off at %v is branch %s with %v", name, at, r.Branch(), r.Edits())
			}
			if onEdit := isEdit(r.Event().Kind); !onEdit && r.Index() != index {
				t.Fatalf("%s: back on event %d at %v, want event %d at %v", name, r.Index(), r.Position(), index, position)
			}
		}
	}
}

func TestOneSetOfEditsIsOneBranch(t *testing.T) {
	w := nginx(t, "7.2")
	r := Open(w)
	x, y := feature(scheduler.RunToParity, false), feature(scheduler.PlaceLag, false)
	r.SeekTime(3100 * us)
	apply(t, r, x)
	apply(t, r, y)
	both := r.Branch()
	r.SwitchBranch(0)
	r.SeekTime(3100 * us)
	apply(t, r, y)
	apply(t, r, x)
	if r.Branch() != both {
		t.Errorf("the other order is branch %s, not %s", r.Branch(), both)
	}
	n := len(r.Branches())
	apply(t, r, x)
	apply(t, r, scheduler.Edit{Kind: scheduler.EditNice, Task: 1, Value: 0})
	if r.Branch() != both || len(r.Branches()) != n {
		t.Error("an edit that changes nothing forked")
	}
}

func TestLastSettingAtOnePositionCounts(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(3100 * us)
	for _, nice := range []int64{3, -4, 7} {
		apply(t, r, scheduler.Edit{Kind: scheduler.EditNice, Task: 1, Value: nice})
	}
	if edits := r.Edits(); len(edits) != 1 || edits[0].Value != 7 {
		t.Errorf("edits %v, want nice 7 alone", edits)
	}
	if got := r.Frame().Task(1).Nice; got != 7 {
		t.Errorf("nice %d, want 7", got)
	}
}

func TestLaterEditsOfTheSameTimeKeepTheirEvent(t *testing.T) {
	w := nginx(t, "7.2")
	own := feature(scheduler.NextBuddy, true)
	own.At, own.Ordinal = 3100*us, 1 // between the wakeup and the reschedule
	w.Edits = []scheduler.Edit{own}
	r := Open(w)
	r.SeekPosition(Position{3100 * us, 2})
	behind := r.Event()
	if e := r.Record(r.Index() - 1); e.Kind != scheduler.EventEdit {
		t.Fatalf("before event %v at %v stands %v, want the edit", behind.Kind, r.Position(), e.Kind)
	}
	r.SeekPosition(Position{3100 * us, 0})
	apply(t, r, feature(scheduler.PreemptShort, false))
	r.Step(2)
	if is := r.Event(); is.Kind != behind.Kind || is.Task != behind.Task || is.Ordinal != behind.Ordinal+1 {
		t.Errorf("behind the edit came %v, now %v at %v", behind.Kind, is.Kind, r.Position())
	}
	if !r.Frame().Features.Has(scheduler.NextBuddy) {
		t.Error("the workload's own edit is lost")
	}
}

func TestApplyFromStartKeepsTheTime(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekPosition(Position{3100 * us, 0})
	was := r.Event()
	if err := r.ApplyFromStart(feature(scheduler.RunToParityWakeup, true)); err != nil {
		t.Fatal(err)
	}
	if is := r.Event(); is.Time != was.Time || is.Kind != was.Kind || is.Task != was.Task {
		t.Errorf("cursor on %v at %v, want %v at %v", is.Kind, is.Time, was.Kind, was.Time)
	}
	if e := r.Edits(); len(e) != 1 || e[0].At != 0 || e[0].Ordinal != 0 {
		t.Errorf("edits %v, want one at 0", e)
	}
	if err := r.ApplyFromStart(feature(scheduler.RunToParityWakeup, false)); err != nil || r.Branch() != "main" {
		t.Errorf("taken back: %v, branch %s", err, r.Branch())
	}
}

func TestBranchesKeepThePosition(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(3100 * us)
	was := r.Event()
	apply(t, r, feature(scheduler.RunToParityWakeup, true))
	list := r.Branches()
	if len(list) != 2 || list[1].From != "main" || list[1].ForkAt != (Position{was.Time, was.Ordinal}) || len(list[1].Edits) != 1 || !list[1].Current {
		t.Fatalf("branches %+v", list)
	}
	if !r.SwitchBranch(0) || r.Event() != was || r.Dirty() {
		t.Errorf("back on main: %+v, want %+v", r.Event(), was)
	}
	if r.SwitchBranch(0) || r.SwitchBranch(2) || r.SwitchBranch(-1) {
		t.Error("switching to the current branch, or to none, claims to have moved")
	}
}

func TestImpossibleEditsAreErrors(t *testing.T) {
	r := Open(office(t, "6.12.y"))
	r.SeekTime(10 * ms)
	for _, e := range []scheduler.Edit{
		feature(scheduler.ParanoidAvg, true), // 7.1 and later
		{Kind: scheduler.EditNice, Task: 0, Value: 20},
		{Kind: scheduler.EditNice, Task: 6},
		{Kind: scheduler.EditNice, Task: scheduler.NoTask},
		{Kind: scheduler.EditSlice, Task: 0, Value: 99_999},
		{Kind: scheduler.EditPolicy, Task: 0, Policy: 1},
		{Kind: scheduler.EditShares, Group: scheduler.RootGroup, Value: scheduler.NiceZeroLoad},
		{Kind: scheduler.EditShares, Group: 1, Value: 1},
		{Kind: scheduler.EditGroupIdle, Group: 1, Value: 2},
		{Kind: scheduler.EditBaseSlice},
		{Kind: scheduler.EditMove, Task: 0, Group: 3},
		{Kind: scheduler.EditInterrupt, CPU: 1, Value: 1},
		{Kind: scheduler.EditInterrupt},
		{Kind: 99},
	} {
		if err := r.Apply(e); err == nil {
			t.Errorf("%+v was accepted", e)
		}
	}
	if len(r.Branches()) != 1 {
		t.Error("an impossible edit forked")
	}
}

func TestEveryKindOfEditTakesEffect(t *testing.T) {
	for _, e := range []scheduler.Edit{
		feature(scheduler.NextBuddy, true),
		{Kind: scheduler.EditNice, Task: 0, Value: 7},
		{Kind: scheduler.EditSlice, Task: 0, Value: 1_000_000},
		{Kind: scheduler.EditPolicy, Task: 0, Policy: scheduler.PolicyBatch},
		{Kind: scheduler.EditShares, Group: 1, Value: 2 * scheduler.NiceZeroLoad},
		{Kind: scheduler.EditGroupIdle, Group: 2, Value: 1},
		{Kind: scheduler.EditBaseSlice, Value: 1_000_000},
		{Kind: scheduler.EditMove, Task: 0, Group: 2},
	} {
		r := Open(office(t, "7.2"))
		r.SeekTime(10 * ms)
		apply(t, r, e)
		if r.Branch() == "main" || !holds(r.Before(), e) {
			t.Errorf("%+v: branch %s, in force %v", e, r.Branch(), holds(r.Before(), e))
		}
		if got := r.Record(r.Index() - 1).Kind; got != scheduler.EventEdit {
			t.Errorf("%+v: before the cursor stands %v", e, got)
		}
	}
}

func TestFlipsAreWhatApplyingThemDecides(t *testing.T) {
	for name, w := range workloads(t) {
		r := Open(w)
		r.Extend(1 << 30)
		for index := 3; index < r.Known(); index += 211 {
			r.SwitchBranch(0)
			r.Seek(index)
			if isEdit(r.Event().Kind) {
				continue
			}
			is, flips := r.Decision(), slices.Clone(r.Flips())
			for _, d := range w.Config.Kernel.Features {
				if d.Feature.InertOn(1) != "" {
					continue
				}
				r.SwitchBranch(0)
				r.Seek(index)
				apply(t, r, feature(d.Feature, !r.Frame().Features.Has(d.Feature)))
				i := slices.IndexFunc(flips, func(f Flip) bool { return f.Setting.Feature == d.Feature })
				would := r.Decision()
				switch {
				case i < 0 && would != is:
					t.Fatalf("%s event %d: %v flips the decision, but is not listed", name, index, d.Feature)
				case i >= 0 && would != flips[i].Would:
					t.Fatalf("%s event %d: %v decides %+v, listed as %+v", name, index, d.Feature, would, flips[i].Would)
				}
			}
		}
	}
}

func TestWakeupOfTheServiceFlipsWithParity(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekPosition(Position{3100 * us, 0})
	if e := r.Event(); e.Kind != scheduler.EventWakeup || e.Task != 1 {
		t.Fatalf("at 3.1 ms: %+v, want the wakeup of the service", e)
	}
	want := map[string]bool{"RUN_TO_PARITY_WAKEUP": true, "NO_WAKEUP_PREEMPTION": true, "NO_PLACE_LAG": true}
	for _, f := range r.Flips() {
		if f.Outcome {
			delete(want, f.Setting.String())
		}
	}
	if len(want) > 0 {
		t.Errorf("not among the flips: %v; got %+v", want, r.Flips())
	}
}
