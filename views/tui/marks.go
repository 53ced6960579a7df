package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// bookmarks are those of the scenario and of the user, in the order of their
// positions.
func (s *session) bookmarks() []scenarios.Bookmark {
	if len(s.marks) == 0 {
		return s.scenario.Bookmarks
	}
	list := slices.Concat(s.marks, s.scenario.Bookmarks)
	slices.SortStableFunc(list, func(a, b scenarios.Bookmark) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return list
}

func (a *app) lacksBookmarks() string {
	if len(a.s.bookmarks()) == 0 {
		return "this scenario has no bookmarks, M makes one"
	}
	return ""
}

func (a *app) previousBookmark() tea.Cmd {
	here := a.s.run.Position()
	for _, mark := range slices.Backward(a.s.bookmarks()) {
		if p := a.s.markPosition(mark); p.Before(here) {
			return a.goTo(p)
		}
	}
	a.say("no earlier bookmark")
	return nil
}

func (a *app) nextBookmark() tea.Cmd {
	here := a.s.run.Position()
	for _, mark := range a.s.bookmarks() {
		if p := a.s.markPosition(mark); here.Before(p) {
			return a.goTo(p)
		}
	}
	a.say("no later bookmark")
	return nil
}

// markPosition is where a bookmark is in the current branch, whose edits at the
// bookmark's time come before the event that is meant.
func (s *session) markPosition(mark scenarios.Bookmark) model.Position {
	p := model.Position{Time: mark.Time, Ordinal: mark.Ordinal}
	for _, e := range s.branchEdits() {
		if e.At == p.Time && e.Ordinal <= p.Ordinal {
			p.Ordinal++
		}
	}
	return p
}

// unmarkedPosition is the position without the branch's edits of the event at the
// cursor: markPosition leads back to it. That of an edit is the event behind it.
func (s *session) unmarkedPosition() model.Position {
	p := s.run.Position()
	for _, e := range slices.Backward(s.branchEdits()) {
		if e.At == p.Time && e.Ordinal < p.Ordinal {
			p.Ordinal--
		}
	}
	return p
}

// branchEdits are the edits that the current branch has beyond the workload's.
func (s *session) branchEdits() []scheduler.Edit {
	for _, b := range s.run.Branches() {
		if b.Current {
			return b.Edits
		}
	}
	return nil
}

// note is the bookmark at the cursor and how to go to the next one. Of two at one
// event that of the user is shown.
func (s *session) note() (text, next string) {
	if d := views.Disagreement(s.run.Event()); d != "" {
		return d, ""
	}
	here := s.run.Position()
	for _, mark := range s.bookmarks() {
		switch p := s.markPosition(mark); {
		case p == here && text == "":
			text = mark.Note
		case text != "" && here.Before(p):
			return text, "[}: " + scenarios.FormatTime(mark.Time) + "]"
		}
	}
	return text, ""
}

// askNote puts a bookmark with a note on the event at the cursor; an empty note
// takes it away.
func (a *app) askNote() tea.Cmd {
	s := a.s
	at := s.unmarkedPosition()
	old := slices.IndexFunc(s.marks, func(b scenarios.Bookmark) bool { return b.Time == at.Time && b.Ordinal == at.Ordinal })
	note := ""
	if old >= 0 {
		note = s.marks[old].Note
	}
	return a.ask(prompt{label: "note", hint: "one line about this moment; an empty one takes the bookmark away", done: func(text string) error {
		s.marks = slices.Clone(s.marks) // what was saved stays as it is
		s.drawn.placeFor = placeKey{}   // the note is part of what was drawn
		if old >= 0 {
			s.marks = slices.Delete(s.marks, old, old+1)
		}
		if text = strings.TrimSpace(text); text == "" {
			a.say("no bookmark of yours here")
			return nil
		}
		s.marks = append(s.marks, scenarios.Bookmark{Time: at.Time, Ordinal: at.Ordinal, Note: text})
		a.say("bookmark set: { and } lead to it, ctrl+s saves it")
		return nil
	}}, note)
}
