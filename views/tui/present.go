package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
	"zerolag/views"
)

// presentation is how the screen is shown to many people at once.
type presentation uint8

const (
	presentOff  presentation = iota
	presentBare              // nothing but note, strips and Why
	presentQuiz              // the same, and the decision only when it is asked for
	numPresentations
)

// nextPresentation goes from the whole screen to the bare one, to the one that asks,
// and back.
func (a *app) nextPresentation() tea.Cmd {
	a.present = (a.present + 1) % numPresentations
	a.pane, a.revealed = paneNone, viewpoint{}
	a.say([...]string{
		presentOff:  "the whole screen again",
		presentBare: "presentation: note, strips, Why; P asks who runs next, P P goes back",
		presentQuiz: "who runs next? r tells, l goes on, P goes back",
	}[a.present])
	return nil
}

func (a *app) lacksQuestion() string {
	switch {
	case a.present != presentQuiz:
		return "nothing is hidden; P P asks who runs next"
	case a.isRevealed():
		return "told already; l goes on"
	}
	return ""
}

// reveal shows the decision at the cursor.
func (a *app) reveal() tea.Cmd {
	a.revealed = a.s.eventPoint()
	return nil
}

// isRevealed tells whether the decision at the cursor may be seen.
func (a *app) isRevealed() bool { return a.revealed == a.s.eventPoint() }

// presented takes from a screen what a presentation does not show.
func (a *app) presented(in views.ScreenInput) views.ScreenInput {
	if a.present == presentOff {
		return in
	}
	in.Bare, in.Lanes, in.Side, in.Groups = true, views.Lanes{}, nil, views.Table{}
	if a.present == presentBare || a.isRevealed() {
		return in
	}
	in.Status.Note, in.Status.NextNote = "", "" // notes tell what to look at
	in.Why = views.Question("Who runs next?", views.MainWidth(a.width))
	st := &in.Strips
	if st.Before != nil {
		st.After = st.Before
	}
	st.Before, st.Origin, st.Steps, st.AfterLabel = nil, nil, nil, "before"
	st.Picked, st.Woken = scheduler.NoEntity, scheduler.NoTask
	return in
}
