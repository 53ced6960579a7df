package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// binding is one row of the key table.
type binding struct {
	keys    []string // as Bubble Tea names them
	show    string   // as printed
	text    string   // what it does
	section section
	place   place
	do      func(*app) tea.Cmd
	refuse  func(*app) string // why it does nothing now, "" if it works; nil: always works
}

// section groups the keys in the help.
type section uint8

const (
	sectionMove section = iota
	sectionPlay
	sectionSee
	sectionPane
	sectionWork
	sectionProgram
	numSections
)

func (s section) String() string {
	return [...]string{"moving", "playing", "seeing", "panes", "working", "program"}[s]
}

// place says where a key works.
type place uint8

const (
	placeRun  place = iota // with an open scenario
	placePick              // in the list of scenarios
	placeHelp              // in the list of keys
)

func (p place) String() string {
	return [...]string{"run", "list", "help"}[p]
}

func (b *binding) refusal(a *app) string {
	if b.refuse == nil {
		return ""
	}
	return b.refuse(a)
}

// place is where the next key goes.
func (a *app) place() place {
	switch {
	case a.help != nil:
		return placeHelp
	case a.s == nil:
		return placePick
	}
	return placeRun
}

// binding finds the row of a key, nil if it has none here.
func (a *app) binding(key string) *binding {
	place := a.place()
	for i := range a.keys {
		if b := &a.keys[i]; b.place == place && slices.Contains(b.keys, key) {
			return b
		}
	}
	return nil
}

// keyTable is every key of the program.
func keyTable() []binding {
	return slices.Concat(moveKeys(), playKeys(), seeKeys(), paneKeys(), workKeys(), programKeys(), pickKeys(), helpKeys())
}

func moveKeys() []binding {
	move := func(show, text string, do func(*app) tea.Cmd, keys ...string) binding {
		return binding{keys: keys, show: show, text: text, section: sectionMove, do: do}
	}
	table := []binding{
		move("h left", "previous event", (*app).previousEvent, "h", "left"),
		move("l right", "next event", (*app).nextEvent, "l", "right"),
		move("H", "previous context switch", (*app).previousSwitch, "H"),
		move("L", "next context switch", (*app).nextSwitch, "L"),
		move("<", "previous sub-step", (*app).previousSubStep, "<", ","),
		move(">", "next sub-step", (*app).nextSubStep, ">", "."),
		move("{", "previous bookmark", (*app).previousBookmark, "{"),
		move("}", "next bookmark", (*app).nextBookmark, "}"),
		move("[", "previous event where a stop condition holds that is on; of a recording without one: where the machine disagrees", (*app).previousStop, "["),
		move("]", "next event where a stop condition holds that is on; of a recording without one: where the machine disagrees", (*app).nextStop, "]"),
		move("(", "previous decision that differs from the run compared with", (*app).previousDifference, "("),
		move(")", "next decision that differs from the run compared with", (*app).nextDifference, ")"),
		move("u", "another stop condition: run until it holds", (*app).askCondition, "u"),
		move("g home", "first event", (*app).first, "g", "home"),
		move("G end", "last event", (*app).last, "G", "end"),
		move(":", "go to a time (3.1ms, 3.1ms#1) or an event (#14)", (*app).askTarget, ":"),
		move("/", "search the log for a task or a word", (*app).askPattern, "/"),
		move("n", "next match", (*app).nextMatch, "n"),
		move("N", "previous match", (*app).previousMatch, "N"),
		move("s", "scope of the steps: everything, a CPU, a queue, a task", (*app).nextScope, "s"),
	}
	for i := range table {
		switch table[i].keys[0] {
		case "[", "]":
			table[i].refuse = (*app).lacksCondition
		case "(", ")":
			table[i].refuse = (*app).lacksVersus
		case "n", "N":
			table[i].refuse = (*app).lacksPattern
		case "{", "}":
			table[i].refuse = (*app).lacksBookmarks
		}
	}
	return table
}

func playKeys() []binding {
	return []binding{
		{keys: []string{"p"}, show: "p", text: "play, stop", section: sectionPlay, do: (*app).togglePlay},
		{keys: []string{"+", "="}, show: "+", text: "play faster", section: sectionPlay, do: (*app).faster},
		{keys: []string{"-"}, show: "-", text: "play slower", section: sectionPlay, do: (*app).slower},
	}
}

func seeKeys() []binding {
	see := func(show, text string, do func(*app) tea.Cmd, keys ...string) binding {
		return binding{keys: keys, show: show, text: text, section: sectionSee, do: do}
	}
	many := func(key, text string, do func(*app) tea.Cmd) binding {
		b := see(key, text, do, key)
		b.refuse = (*app).lacksCPUs
		return b
	}
	return []binding{
		see("b", "strips: before and after, after only, with the reference point", (*app).nextLayout, "b"),
		see("a", "lag view: V in one column, entities move", (*app).toggleLagView, "a"),
		see("z", "zoom in", (*app).zoomIn, "z"),
		see("Z", "zoom out", (*app).zoomOut, "Z"),
		see("0", "fit scale and offset to this event", (*app).refit, "0"),
		see("shift+left", "pan to earlier virtual time", (*app).panLeft, "shift+left"),
		see("shift+right", "pan to later virtual time", (*app).panRight, "shift+right"),
		many("J", "select the next CPU", (*app).nextCPU),
		many("K", "select the previous CPU", (*app).previousCPU),
		many("x", "display of the selected CPU: automatic, its axis, one line, hidden", (*app).changeDisplay),
		many("X", "automatic display of every CPU", (*app).resetDisplays),
		see("P", "presentation: note, strips and Why; again: who runs next?; again: back", (*app).nextPresentation, "P"),
		{keys: []string{"r"}, show: "r", text: "presentation: tell who runs next", section: sectionSee, do: (*app).reveal, refuse: (*app).lacksQuestion},
		see("ctrl+t", "next theme: dark, light, mono", (*app).nextTheme, "ctrl+t"),
		see("y", "copy the picture, ready for a mail, with the command that reopens it", (*app).copyPicture, "y"),
		see("w", "write the picture to a file", (*app).askFile, "w"),
	}
}

// workKeys change the run, keep what was done, or take it back.
func workKeys() []binding {
	work := func(show, text string, do func(*app) tea.Cmd, refuse func(*app) string) binding {
		return binding{keys: []string{show}, show: show, text: text, section: sectionWork, do: do, refuse: refuse}
	}
	return []binding{
		work("U", "undo the last edit, change of branch, kernel or HZ", (*app).undo, (*app).lacksUndo),
		work("R", "redo what was undone", (*app).redo, (*app).lacksRedo),
		work("M", "bookmark this moment with a note; change or remove the note", (*app).askNote, nil),
		work("ctrl+s", "save the session as a scenario file: branches, conditions, watches, bookmarks, position", (*app).saveSession, nil),
	}
}

func paneKeys() []binding {
	open := func(key, text string, p pane) binding {
		return binding{keys: []string{key}, show: key, text: text, section: sectionPane, do: func(a *app) tea.Cmd { return a.togglePane(p) }}
	}
	row := func(show, text string, do func(*app) tea.Cmd, keys ...string) binding {
		return binding{keys: keys, show: show, text: text, section: sectionPane, do: do}
	}
	apply := row("S", "features, edits: switch or change from the start of the run", (*app).changeFromStart, "S")
	apply.refuse = (*app).lacksChange
	toggle := row("space", "features: switch here and run the event again; branches: reopen; edits: make one; conditions: on, off; machine: as x", (*app).selectRow, " ")
	toggle.refuse = (*app).nothingToSelect
	remove := row("D delete", "conditions, watches: remove the selected one", (*app).removeRow, "D", "delete")
	remove.refuse = (*app).nothingToRemove
	anew := func(b binding) binding {
		b.refuse = (*app).happenedOnce
		return b
	}
	return []binding{
		open("d", "decision tables: candidates of the pick, CPUs of a wakee, balancing", paneDecision),
		open("o", "operations: the sub-steps of the event", paneSteps),
		open("f", "features", paneFeatures),
		open("i", "inspector: every field, readable and raw", paneInspector),
		open("e", "log of events", paneLog),
		open("t", "numbers of every task", paneStats),
		open("B", "branches", paneBranches),
		open("E", "edit the world at this event: task, its groups, machine, HZ, kernel", paneEdit),
		row("O", "origin: where a number came from, every sub-step that changed it", (*app).askOrigin, "O"),
		anew(row("c", "compare with other features, kernel, HZ, slice, preemption, variant, or the selected branch", (*app).askVersus, "c")),
		anew(row("T", "name the selected branch; without the pane: the current one", (*app).askName, "T")),
		open("C", "comparison: decisions that differ, numbers with ratios", paneVersus),
		open("A", "waits of the selected task, the longest first, and who ran meanwhile", paneWaits),
		open("I", "stop conditions: which are on, which hold here", paneConditions),
		open("v", "watches: values here, their last changes", paneWatches),
		row("V", "watch another expression", (*app).askWatch, "V"),
		remove,
		anew(row("F", "write the selected branch as a scenario file of its own; without the pane: the current one", (*app).askExport, "F")),
		open("m", "machine: every CPU, who runs, how many wait", paneMachine),
		open("^", "curves: lag with its bound and V, share against weight", paneCurves),
		open("Y", "tree of a queue: its shape, what it stores, what pick visited", paneTree),
		open("W", "weights of groups: loads, what is published, the formula", paneGroups),
		row("tab", "next pane; decisions, trees, curves, waits: next one; comparison: numbers; inspector: next entity, queue, CPU; edits: next task", (*app).nextTab, "tab"),
		row("shift+tab", "previous pane; inspector, edits: previous", (*app).previousTab, "shift+tab"),
		row("j down", "next row or CPU; without a pane: next entity", (*app).nextRow, "j", "down"),
		row("k up", "previous row or CPU; without a pane: previous entity", (*app).previousRow, "k", "up"),
		toggle,
		apply,
		row("enter", "log, origin, comparison, waits, watches: go there; inspector: origin of the number; branches: reopen; edits: make one; machine: next event there; without a pane: unfold or fold the group", (*app).enterRow, "enter"),
		row("esc", "close the pane; without a pane: unselect", (*app).escape, "esc"),
	}
}

func programKeys() []binding {
	return []binding{
		{keys: []string{"?"}, show: "?", text: "this list", section: sectionProgram, do: (*app).openHelp},
		{keys: []string{"q", "ctrl+c"}, show: "q ctrl+c", text: "quit; asks if work would be lost", section: sectionProgram, do: (*app).quit},
		{keys: []string{"ctrl+z"}, show: "ctrl+z", text: "suspend", section: sectionProgram, do: suspend},
	}
}

func pickKeys() []binding {
	pick := func(show, text string, do func(*app) tea.Cmd, keys ...string) binding {
		return binding{keys: keys, show: show, text: text, section: sectionProgram, place: placePick, do: do}
	}
	return []binding{
		pick("j down", "next scenario", (*app).pickNext, "j", "down"),
		pick("k up", "previous scenario", (*app).pickPrevious, "k", "up"),
		pick("enter", "open the scenario", (*app).pickOpen, "enter", "l", "right"),
		pick("/", "show only scenarios with these letters", (*app).pickFilter, "/"),
		pick("v", "only cases that show on one kernel, the oldest first; opened, they run on it", (*app).pickNewer, "v"),
		pick("V", "the same, the kernel before", (*app).pickOlder, "V"),
		pick("esc", "show all", (*app).pickAll, "esc"),
		pick("?", "this list", (*app).openHelp, "?"),
		pick("q ctrl+c", "quit", (*app).quit, "q", "ctrl+c"),
		pick("ctrl+z", "suspend", suspend, "ctrl+z"),
	}
}

func helpKeys() []binding {
	help := func(show, text string, do func(*app) tea.Cmd, keys ...string) binding {
		return binding{keys: keys, show: show, text: text, section: sectionProgram, place: placeHelp, do: do}
	}
	return []binding{
		help("j down", "scroll down", (*app).helpDown, "j", "down", " ", "pgdown"),
		help("k up", "scroll up", (*app).helpUp, "k", "up", "pgup"),
		help("esc ? q", "back", (*app).closeHelp, "esc", "?", "q", "enter"),
		help("ctrl+c", "quit", (*app).quit, "ctrl+c"),
		help("ctrl+z", "suspend", suspend, "ctrl+z"),
	}
}

func suspend(*app) tea.Cmd { return tea.Suspend }
