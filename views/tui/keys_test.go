package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"zerolag/scenarios"
)

var writeKeys = flag.Bool("write-keys", false, "rewrite docs/KEYS.md")

// startAt makes an app in which the keys of a place work.
func startAt(t *testing.T, p place) *app {
	t.Helper()
	var a *app
	switch p {
	case placePick:
		a = openWith(t, Options{ASCII: true}, 80, 24)
	case placeRun:
		a = open(t, "nginx", 80, 24)
	case placeHelp:
		a = open(t, "nginx", 80, 24)
		press(a, "?")
	}
	return a
}

func TestEveryKeyDoesSomethingVisible(t *testing.T) {
	for _, b := range keyTable() {
		for _, key := range b.keys {
			t.Run(fmt.Sprintf("%s/%s", b.place, key), func(t *testing.T) {
				a := startAt(t, b.place)
				before := a.View()
				_, cmd := a.Update(keyMsg(key))
				settle(a)
				if a.View() == before && cmd == nil {
					t.Errorf("%s (%s) changes nothing:\n%s", key, b.text, before)
				}
				refuse(t, a, "no key "+key)
			})
		}
	}
}

func TestNoKeyHasTwoMeanings(t *testing.T) {
	type use struct {
		place place
		key   string
	}
	seen := map[use]string{}
	for _, b := range keyTable() {
		for _, key := range b.keys {
			if other, ok := seen[use{b.place, key}]; ok {
				t.Errorf("%s means %q and %q", key, other, b.text)
			}
			seen[use{b.place, key}] = b.text
		}
	}
}

func TestUnknownKeySaysSo(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "Q")
	expect(t, a, "no key Q here; ? lists the keys")
}

func TestKeysPressedFastAreSeparateKeys(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	a.Update(keyMsg("}f"))
	settle(a)
	expect(t, a, "t 4.200 000 ms", "features: ")
	a.Update(keyMsg("f:5.3ms"))
	press(a, "enter")
	expect(t, a, "t 5.300 000 ms")
}

func TestPasteIsForPromptsOnly(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("4.2ms\n"), Paste: true}
	a.Update(paste)
	expect(t, a, "nothing here takes a paste")
	press(a, ":")
	a.Update(paste)
	press(a, "enter")
	expect(t, a, "t 4.200 000 ms")
}

func TestDisabledKeySaysWhy(t *testing.T) {
	for key, why := range map[string]string{
		"[": "no stop condition yet, u enters one",
		"n": "nothing searched for yet, / asks",
		"S": "works on the selected feature, f opens the pane",
		" ": "nothing to switch here, f opens the features",
	} {
		a := open(t, "nginx", 80, 24)
		press(a, key)
		expect(t, a, why)
	}
	a := openWith(t, Options{Scenario: parse(t, plainScenario), ASCII: true}, 80, 24)
	press(a, "}")
	expect(t, a, "this scenario has no bookmarks")
}

const plainScenario = `name: plain
kernel: 7.2
hz: 1000
base_slice: 2.8ms
until: 50ms
tasks:
  - {name: a, does: "run 1s"}
  - {name: b, does: "run 1s"}
`

func parse(t testing.TB, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("plain.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestHelpListsEveryKey(t *testing.T) {
	a := open(t, "nginx", 200, 100)
	press(a, "?")
	for _, b := range keyTable() {
		if b.place == placeRun {
			expect(t, a, " "+b.show+" ", b.text)
		}
	}
}

func TestHelpScrollsToItsEnd(t *testing.T) {
	a := open(t, "nginx", 80, 24)
	press(a, "?")
	refuse(t, a, "suspend")
	for range len(keyTable()) {
		press(a, "j")
	}
	expect(t, a, "suspend", "no further key")
	press(a, "esc")
	expect(t, a, "t 3.100 000 ms")
}

func TestKeyLineNamesKeysOfTheTable(t *testing.T) {
	a := open(t, "nginx", 200, 60)
	for p := range numPanes {
		a.pane = p
		named := map[string]bool{}
		for _, h := range a.keyLine() {
			if named[h.Keys] {
				t.Errorf("the key line of pane %d names %q twice", p, h.Keys)
			}
			named[h.Keys] = true
			for _, key := range strings.FieldsFunc(h.Keys, func(r rune) bool { return r == '/' }) {
				if key == "space" {
					key = " "
				}
				if a.binding(key) == nil {
					t.Errorf("the key line of pane %d names %q, which the table lacks", p, key)
				}
			}
		}
	}
}

// keysPage is the key table as docs/KEYS.md prints it.
func keysPage() string {
	var b strings.Builder
	b.WriteString("# Keys\n\nThe same table feeds the help of the program (`?`). A key that does nothing now says why in the message line.\n")
	table := keyTable()
	chapter := func(title string, belongs func(*binding) bool) {
		fmt.Fprintf(&b, "\n## %s\n\n| key | what it does |\n|---|---|\n", title)
		for i := range table {
			if belongs(&table[i]) {
				fmt.Fprintf(&b, "| `%s` | %s |\n", table[i].show, table[i].text)
			}
		}
	}
	for section := range numSections {
		chapter(section.String(), func(b *binding) bool { return b.place == placeRun && b.section == section })
	}
	chapter("in the list of scenarios", func(b *binding) bool { return b.place == placePick })
	chapter("in the list of keys", func(b *binding) bool { return b.place == placeHelp })
	b.WriteString("\n## while typing\n\n`enter` takes the line, `esc` leaves it. `left`, `right`, `home`, `end`, `backspace`, `delete`, `ctrl+u` and `ctrl+k`\nedit it. A fault is shown below the line, with a caret where it is known.\n")
	b.WriteString("\n## with the mouse\n\nEverything here has a key as well. The wheel steps by event, over a list it moves through that. A press on the real-time\n" +
		"lanes goes to that moment, and dragging follows. A press on an entity selects it; on a row of a list it selects the row, and\n" +
		"once more it switches, makes, reopens or opens what the row stands for. A press on a line of the log goes there. To select\n" +
		"text for the terminal's own clipboard, hold `shift`.\n")
	return b.String()
}

func TestKeysPageIsTheTable(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "KEYS.md")
	if *writeKeys {
		if err := os.WriteFile(path, []byte(keysPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(keysPage(), string(got)); diff != "" {
		t.Errorf("docs/KEYS.md differs from the table, go test ./views/tui -write-keys writes it (-want +got):\n%s", diff)
	}
}

func TestEveryRowOfTheTableIsComplete(t *testing.T) {
	for _, b := range keyTable() {
		if len(b.keys) == 0 || b.show == "" || b.text == "" || b.do == nil {
			t.Errorf("incomplete row %q %q", b.show, b.text)
		}
		if b.keys[0] != " " && !slices.Contains(strings.Fields(b.show), b.keys[0]) && b.show != b.keys[0] {
			t.Errorf("row %q does not show its first key %q", b.show, b.keys[0])
		}
	}
}
