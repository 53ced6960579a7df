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
