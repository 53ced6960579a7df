package cli

import (
	"fmt"
	"strings"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// CommandLine is the command that opens a scenario, changed in this way, at a
// position; at may be nil. A shell reads it back as it is, and so does Run.
func CommandLine(argument string, change scenarios.Options, edits []scheduler.Edit, at *model.Position) string {
	words := []string{"zerolag", shellWord(argument)}
	words = append(words, changeFlags(change, edits)...)
	if at != nil {
		words = append(words, "--at", positionText(*at))
	}
	return strings.Join(words, " ")
}

// changeFlags are the flags that change a scenario in this way.
func changeFlags(change scenarios.Options, edits []scheduler.Edit) []string {
	var words []string
	flag := func(name, value string) {
		if value != "" {
			words = append(words, name, shellWord(value))
		}
	}
	flag("--kernel", change.Kernel)
	flag("--variant", change.Variant)
	var features []string
	for _, f := range change.Features {
		features = append(features, f.String())
	}
	flag("--features", strings.Join(features, ","))
	if change.HZ != 0 {
		flag("--hz", fmt.Sprint(change.HZ))
	}
	flag("--base-slice", lengthText(change.BaseSlice))
	flag("--until", lengthText(change.Until))
	for _, e := range edits {
		flag("--edit", editText(e))
	}
	return words
}

// lengthText is a time, nothing for 0.
func lengthText(t scheduler.Time) string {
	if t == 0 {
		return ""
	}
	return scenarios.FormatTime(t)
}

// editText is a switched feature as --edit takes it: 3.1ms#0=NO_PLACE_LAG.
func editText(e scheduler.Edit) string {
	return fmt.Sprintf("%s#%d=%s", scenarios.FormatTime(e.At), e.Ordinal, e.Feature)
}

// positionText is a position as --at takes it. The first event of a time needs no
// ordinal.
func positionText(p model.Position) string {
	if p.Ordinal == 0 {
		return scenarios.FormatTime(p.Time)
	}
	return fmt.Sprintf("%s#%d", scenarios.FormatTime(p.Time), p.Ordinal)
}

// shellWord quotes a word that a shell would not take as it is.
func shellWord(word string) string {
	special := func(r rune) bool {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=#+%@", r)
		return !plain
	}
	if word != "" && word[0] != '#' && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
