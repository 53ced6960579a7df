package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"zerolag/scheduler"
)

// TestAdoptReopensABranch: the edits of a branch, in another run of the same
// workload, make the same branch.
func TestAdoptReopensABranch(t *testing.T) {
	w := nginx(t, "7.2")
	w.Edits = []scheduler.Edit{{At: 3100 * us, Ordinal: 2, Kind: scheduler.EditNice, Task: 0, Group: scheduler.NoGroup, Value: 3}}
	r := Open(w)
	r.SeekTime(3100 * us)
	r.Seek(r.Find(Position{3100 * us, 0}))
	apply(t, r, feature(scheduler.PlaceLag, false))
	spec := &scheduler.TaskSpec{Name: "new", Program: []scheduler.Op{{Kind: scheduler.OpRun, Dur: 1000}}}
	apply(t, r, scheduler.Edit{Kind: scheduler.EditAdd, Spec: spec, Task: scheduler.NoTask, Group: scheduler.NoGroup})
	want, at := r.Branches()[2], r.Position()

	again := Open(w)
	again.SeekPosition(at)
	copied := *spec
	edits := r.Edits()
	edits[1].Spec = &copied
	again.Adopt("mine", edits)
	got := again.Branches()[1]
	if got.Name != "mine" || again.Branch() != "mine" || again.CanUndo() {
		t.Errorf("adopted as %+v", got)
	}
	if diff := cmp.Diff(want.Edits, got.Edits); diff != "" {
		t.Errorf("edits beyond the workload's (-want +got):\n%s", diff)
	}
	again.SeekPosition(at)
	if diff := cmp.Diff(r.Frame(), again.Frame()); diff != "" {
		t.Errorf("another state:\n%s", diff)
	}
	again.Adopt("other", edits)
	if n := len(again.Branches()); n != 2 || again.Branch() != "other" {
		t.Errorf("%d branches, on %s: the same edits must be the same branch", n, again.Branch())
	}
}

// TestAdoptOfTheWorkloadsOwnEditsIsMain, whatever name is asked for.
func TestAdoptOfTheWorkloadsOwnEditsIsMain(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(3100 * us)
	apply(t, r, feature(scheduler.PlaceLag, false))
	r.Adopt("x", r.Workload().Edits)
	if r.Branch() != "main" || r.Dirty() {
		t.Errorf("on %s", r.Branch())
	}
}

// TestStandingEditsAreThoseBeforeTheNextOne: what Apply makes comes right behind.
func TestStandingEditsAreThoseBeforeTheNextOne(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(5 * scheduler.Millisecond)
	apply(t, r, feature(scheduler.PlaceLag, false))
	r.SeekTime(3100 * us)
	if n := len(r.Standing()); n != 0 {
		t.Errorf("%d edits before the one at 5 ms", n)
	}
	r.SeekTime(6 * scheduler.Millisecond)
	if n := len(r.Standing()); n != 1 {
		t.Errorf("%d edits after the one at 5 ms, want it", n)
	}
}
