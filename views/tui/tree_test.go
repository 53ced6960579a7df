package tui

import "testing"

func TestTreeShowsShapeSummariesAndSearch(t *testing.T) {
	a := open(t, "stale-slices", 100, 40)
	press(a, "Y")
	expect(t, a,
		"tree of cpu0 /, as pick found it",
		"node   search  deadline  vruntime  min vruntime  min slice  max slice",
		"/-B c  chosen     0.451    -1.049        -1.049      3.000      3.000",
		" B b    pruned", "\\-B a  pruned     8.951",
	)
	press(a, ">", ">")
	expect(t, a, "tree of cpu0 /, as it is now", "  /-R d             0.051", "!3.000 (0.100)", "/-B c ")
	press(a, ">")
	refuse(t, a, "-B c ")
	press(a, "tab", "esc")
	refuse(t, a, "tree of cpu0")
}

func TestTreesOfGroupsAreTurnedWithTab(t *testing.T) {
	a := open(t, "teach/12-groups", 100, 40)
	press(a, "Y")
	expect(t, a, "tree of cpu0 /", "/3 [tab]")
	press(a, "tab")
	expect(t, a, "2/3 [tab]")
	press(a, "tab")
	expect(t, a, "3/3 [tab]")
}
