package model

import (
	"testing"

	"zerolag/scheduler"
)

func TestUndoAndRedoWalkTheEdits(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	if r.CanUndo() || r.Undo() || r.CanRedo() || r.Redo() {
		t.Error("nothing was done, yet something can be undone")
	}
	r.SeekTime(3100 * us)
	was := r.Event()
	var branches []string
	for _, f := range []scheduler.Feature{scheduler.PlaceLag, scheduler.RunToParity, scheduler.DelayDequeue} {
		branches = append(branches, r.Branch())
		apply(t, r, feature(f, false))
	}
	last := r.Branch()
	for i := len(branches) - 1; i >= 0; i-- {
		if !r.Undo() || r.Branch() != branches[i] || r.Event().Kind != was.Kind || r.Event().Time != was.Time {
			t.Fatalf("undo leads to %s, %v at %v, want %s", r.Branch(), r.Event().Kind, r.Position(), branches[i])
		}
	}
	if r.Dirty() || r.CanUndo() {
		t.Error("all edits are undone, yet there are some")
	}
	for range branches {
		r.Redo()
	}
	if r.Branch() != last || r.CanRedo() {
		t.Errorf("redo leads to %s, want %s", r.Branch(), last)
	}
	r.Undo()
	apply(t, r, feature(scheduler.WakeupPreemption, false))
	if r.CanRedo() {
		t.Error("an edit after undo leaves something to redo")
	}
	if r.Undo(); r.Branch() != branches[2] {
		t.Errorf("undo of the new edit leads to %s, want %s", r.Branch(), branches[2])
	}
}

func TestUndoneBranchIsKept(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(10 * ms)
	apply(t, r, feature(scheduler.PlaceLag, false))
	r.Undo()
	if n := len(r.Branches()); n != 2 {
		t.Errorf("%d branches after undo, want 2", n)
	}
	apply(t, r, feature(scheduler.PlaceLag, false))
	if n := len(r.Branches()); n != 2 {
		t.Errorf("%d branches after the same edit again, want 2", n)
	}
}

func TestBranchesHaveNamesOfTheirOwn(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(10 * ms)
	if err := r.RenameBranch(0, "b1"); err != nil {
		t.Fatal(err)
	}
	apply(t, r, feature(scheduler.PlaceLag, false))
	list := r.Branches()
	if list[0].Name != "b1" || list[1].Name == "b1" || list[1].From != "b1" {
		t.Errorf("branches %+v", list)
	}
	if err := r.RenameBranch(1, "  no lag "); err != nil || r.Branch() != "no lag" {
		t.Errorf("branch %q, error %v", r.Branch(), err)
	}
	for _, c := range []struct {
		i    int
		name string
	}{{1, "b1"}, {1, " "}, {1, "a\nb"}, {2, "x"}, {-1, "x"}} {
		if r.RenameBranch(c.i, c.name) == nil {
			t.Errorf("branch %d may be called %q", c.i, c.name)
		}
	}
}
