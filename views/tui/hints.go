package tui

import (
	"slices"

	"zerolag/views"
)

// wideHints is the width of the screen from which more keys are named.
const wideHints = 120

// hint is an entry of the key line: related keys under one word.
func hint(keys, word string) views.KeyHelp { return views.KeyHelp{Keys: keys, Short: word} }

// keyLine are the hints in the last line of the screen: those of the pane, and in a
// wide one further keys that it does not name.
func (a *app) keyLine() []views.KeyHelp {
	line := a.paneHints()
	line = append(line, hint("?", "keys"), hint("q", "quit"))
	if a.width < wideHints {
		return line
	}
	more := []views.KeyHelp{
		hint("</>", "sub-step"), hint("{/}", "bookmark"), hint("u", "run until"), hint(":", "go to"),
		hint("p", "play"), hint("s", "scope"), hint("a", "lag view"), hint("y", "copy"), hint("tab", "pane"),
	}
	if a.s.manyCPUs() {
		more = append(more, hint("m", "machine"), hint("W", "weights"), hint("J/K", "CPU"), hint("x", "display"))
	}
	own := len(line)
	for _, h := range more {
		if !slices.ContainsFunc(line[:own], func(o views.KeyHelp) bool { return o.Keys == h.Keys }) {
			line = append(line, h)
		}
	}
	return line
}

// paneHints are the keys that matter most for the open pane.
func (a *app) paneHints() []views.KeyHelp {
	switch a.pane {
	case paneFeatures:
		return []views.KeyHelp{hint("j/k", "row"), hint("space", "switch here"), hint("S", "from the start"), hint("h/l", "event"), hint("f", "close")}
	case paneEdit:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "change here"), hint("S", "from the start"), hint("tab", "task"), hint("E", "close")}
	case paneBranches:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "reopen"), hint("T", "name"), hint("c", "compare"), hint("F", "file"), hint("B", "close")}
	case paneLog:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "go there"), hint("/", "search"), hint("n/N", "match"), hint("e", "close")}
	case paneInspector:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "origin"), hint("tab", "entity, queue, CPU"), hint("h/l", "event"), hint("i", "close")}
	case paneDecision, paneSteps, paneTree:
		return []views.KeyHelp{hint("j/k", "row"), hint("</>", "sub-step"), hint("h/l", "event"), hint("esc", "close")}
	case paneCurves:
		return []views.KeyHelp{hint("j/k", "point"), hint("enter", "go there"), hint("tab", "share or lag"), hint("esc", "close")}
	case paneOrigin:
		return []views.KeyHelp{hint("j/k", "change"), hint("enter", "go there"), hint("O", "another number"), hint("esc", "close")}
	case paneMachine:
		return []views.KeyHelp{hint("j/k", "CPU"), hint("space", "display"), hint("enter", "next event there"), hint("h/l", "event"), hint("m", "close")}
	case paneWaits:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "where it began"), hint("h/l", "event"), hint("A", "close")}
	case paneConditions:
		return []views.KeyHelp{hint("j/k", "row"), hint("space", "on, off"), hint("u", "add"), hint("D", "remove"), hint("[/]", "go"), hint("I", "close")}
	case paneWatches:
		return []views.KeyHelp{hint("j/k", "row"), hint("enter", "go there"), hint("V", "add"), hint("D", "remove"), hint("h/l", "event"), hint("v", "close")}
	case paneVersus:
		return []views.KeyHelp{hint("(/)", "difference"), hint("enter", "go there"), hint("tab", "numbers"), hint("h/l", "event"), hint("c", "with"), hint("C", "close")}
	case paneNone, paneStats, paneGroups, numPanes:
	}
	return []views.KeyHelp{
		hint("h/l", "event"), hint("H/L", "switch"), hint("b", "strips"), hint("d", "why"), hint("f", "features"), hint("i", "fields"),
	}
}

// pickHints are the hints below the list of scenarios.
func pickHints() []views.KeyHelp {
	return []views.KeyHelp{hint("j/k", "scenario"), hint("enter", "open"), hint("/", "filter"), hint("v/V", "by kernel"), hint("?", "keys"), hint("q", "quit")}
}

// helpHints are the hints below the list of keys.
func helpHints() []views.KeyHelp {
	return []views.KeyHelp{hint("j/k", "scroll"), hint("esc", "back")}
}
