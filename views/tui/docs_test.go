package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTablesInDocsAreWhatPanesShow opens the panes whose tables docs/OUTPUT.md
// prints and looks for every line.
func TestTablesInDocsAreWhatPanesShow(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "OUTPUT.md"))
	if err != nil {
		t.Fatal(err)
	}
	pick := open(t, "nginx", 100, 30)
	placed := openText(t, pairsScenario, 1650*us, 80, 40)
	for _, a := range []*app{pick, placed} {
		press(a, "d")
	}
	shown := map[string]*app{"candidate": pick, "rule": placed}
	found := 0
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		head, _, _ := strings.Cut(block[1], " ")
		a, ok := shown[head]
		if !ok {
			continue
		}
		found++
		for line := range strings.Lines(block[1]) {
			expect(t, a, strings.TrimSpace(line))
		}
	}
	if found != len(shown) {
		t.Errorf("%d tables found in docs/OUTPUT.md, want %d", found, len(shown))
	}
}
