package tui

import (
	"fmt"
	"strings"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// command is the command line that opens the current branch at the cursor.
func (s *session) command() string {
	return s.commandFor(s.branchEdits()) + " --at " + positionText(s.run.Position())
}

// commandFor is the command line that opens a branch with these edits.
func (s *session) commandFor(edits []scheduler.Edit) string {
	words := []string{"zerolag", shellWord(s.argument)}
	flag := func(name, value string) {
		if value != "" {
			words = append(words, name, shellWord(value))
		}
	}
	duration := func(t scheduler.Time) string {
		if t == 0 {
			return ""
		}
		return scenarios.FormatTime(t)
	}
	c := &s.change
	flag("--kernel", c.Kernel)
	flag("--variant", c.Variant)
	var features []string
	for _, setting := range c.Features {
		features = append(features, setting.String())
	}
	flag("--features", strings.Join(features, ","))
	if c.HZ != 0 {
		flag("--hz", fmt.Sprint(c.HZ))
	}
	flag("--base-slice", duration(c.BaseSlice))
	flag("--until", duration(c.Until))
	for _, e := range edits {
		flag("--edit", fmt.Sprintf("%s#%d=%s", scenarios.FormatTime(e.At), e.Ordinal, e.Feature))
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word if a shell would not take it as it is.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=#+%@", r)
	}
	if word != "" && word[0] != '#' && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
