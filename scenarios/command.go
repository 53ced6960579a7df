package scenarios

import (
	"fmt"
	"strings"

	"zerolag/scheduler"
)

// Command is what a command line opens: a scenario, changed in some way, at a
// position.
type Command struct {
	Argument string // name or file of the scenario
	Change   Options
	At       *Moment // nil: nowhere in particular
	Versus   string  // the settings that it is compared with, "": nothing
	// Hash of the whole run, see Hash; "" says nothing about it.
	Hash string
}

// Moment is a position in a run: a time and the number, from 0, of an event
// among those of that time.
type Moment struct {
	Time    scheduler.Time
	Ordinal int
}

// String is the moment as --at takes it: 3.1ms#1. The first event of a time needs
// no number.
func (m Moment) String() string {
	if m.Ordinal == 0 {
		return FormatTime(m.Time)
	}
	return fmt.Sprintf("%s#%d", FormatTime(m.Time), m.Ordinal)
}

// String is the command line. A shell reads it back as it is, and so does the
// program.
func (c Command) String() string {
	words := append([]string{"zerolag", ShellWord(c.Argument)}, c.Flags()...)
	if c.At != nil {
		words = append(words, "--at", c.At.String())
	}
	if c.Versus != "" {
		words = append(words, "--vs", ShellWord(c.Versus))
	}
	if c.Hash != "" {
		words = append(words, "--hash", c.Hash)
	}
	return strings.Join(words, " ")
}

// Flags are the flags that change the scenario.
func (c Command) Flags() []string {
	var words []string
	flag := func(name, value string) {
		if value != "" {
			words = append(words, name, ShellWord(value))
		}
	}
	flag("--kernel", c.Change.Kernel)
	flag("--variant", c.Change.Variant)
	var features []string
	for _, f := range c.Change.Features {
		features = append(features, f.String())
	}
	flag("--features", strings.Join(features, ","))
	if c.Change.HZ != 0 {
		flag("--hz", fmt.Sprint(c.Change.HZ))
	}
	flag("--base-slice", lengthText(c.Change.BaseSlice))
	flag("--until", lengthText(c.Change.Until))
	for _, e := range c.Change.Changes {
		flag("--edit", e.String())
	}
	return words
}

// lengthText is a time, nothing for 0.
func lengthText(t scheduler.Time) string {
	if t == 0 {
		return ""
	}
	return FormatTime(t)
}

// ShellWord quotes a word that a shell would not take as it is.
func ShellWord(word string) string {
	special := func(r rune) bool {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=#+%@", r)
		return !plain
	}
	if word != "" && word[0] != '#' && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
