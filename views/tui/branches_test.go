package tui

import "testing"

func TestBranchesAreNamedAndCompared(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	selectFeature(t, a, "RUN_TO_PARITY_WAKEUP")
	press(a, "S", "T", "ctrl+u")
	typeText(a, "main")
	expect(t, a, "is taken")
	press(a, "ctrl+u")
	typeText(a, "calm")
	expect(t, a, "the branch is named calm")
	press(a, "B", "k", "c")
	expect(t, a, "compare with: branch=main")
	press(a, "enter", "esc", "g", ")")
	expect(t, a, "above: calm, below: branch=main", "decision 1 of 684 that differ", "t 3.100 000 ms")
	press(a, "c", "ctrl+u")
	typeText(a, "branch=nobody")
	expect(t, a, `no branch "nobody", B lists the branches`)
}

// A branch is listed with where it forks and what it has beyond the branch before; equal
// edits are one branch.
func TestBranchListTellsWhereAndWhy(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "f", " ", "U", " ", "l", "l", "l")
	selectFeature(t, a, "NEXT_BUDDY")
	press(a, " ", "B")
	expect(t, a, "b1      main  3.100 000  RUN_TO_PARITY_WAKEUP at 3.1ms\n", "b2      b1    5.000 000  NEXT_BUDDY at 5ms#1\n")
	if n := len(a.s.run.Branches()); n != 3 {
		t.Errorf("%d branches, want 3", n)
	}
}
