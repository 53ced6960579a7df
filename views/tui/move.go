package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// Sentences for the ends of a run.
const (
	atFirst = "this is the first event"
	atLast  = "this is the last event: the run ends here"
)

func (a *app) previousEvent() tea.Cmd { return a.step(-1) }
func (a *app) nextEvent() tea.Cmd     { return a.step(1) }

// step goes to the next event of the scope in a direction.
func (a *app) step(dir int) tea.Cmd {
	s := a.s
	missing := atLast
	if dir < 0 {
		missing = atFirst
	}
	if s.scope.kind != scopeAll {
		missing = "no further event of " + s.scopeName()
	}
	a.walk(dir, s.inScope(), "looking for the next event of "+s.scopeName(), missing)
	return nil
}

func (a *app) previousSwitch() tea.Cmd { return a.toSwitch(-1, "no earlier context switch") }
func (a *app) nextSwitch() tea.Cmd     { return a.toSwitch(1, "no later context switch") }

func (a *app) toSwitch(dir int, missing string) tea.Cmd {
	s := a.s
	inScope := s.inScope()
	a.walk(dir, func(i int) bool { return s.run.Record(i).Switched() && inScope(i) }, "looking for a context switch", missing)
	s.elsewhere = 0
	return nil
}

func (a *app) previousSubStep() tea.Cmd { return a.subStep(-1, atFirst) }
func (a *app) nextSubStep() tea.Cmd     { return a.subStep(1, atLast) }

func (a *app) subStep(dir int, missing string) tea.Cmd {
	if why := a.lacksWhole(); why != "" {
		a.say(why)
		return nil
	}
	if !a.s.run.SubStep(dir) {
		a.say(missing)
		return nil
	}
	a.s.arrive()
	return nil
}

func (a *app) first() tea.Cmd {
	if a.s.run.Index() == 0 {
		a.say(atFirst)
	}
	a.s.run.Seek(0)
	a.s.arrive()
	return nil
}

func (a *app) last() tea.Cmd {
	s := a.s
	a.reach(scheduler.NoTime, "simulating to the end", func() {
		moved := s.run.Seek(s.run.Known() - 1)
		s.arrive()
		switch {
		case !s.run.Complete():
			a.say(fmt.Sprintf("the run has no end: this is as far as %d events go", maxKnown))
		case !moved:
			a.say(atLast)
		}
	})
	return nil
}

// goTo goes to the last event at or before a position.
func (a *app) goTo(p model.Position) tea.Cmd {
	s := a.s
	a.reach(p.Time, "simulating to "+scenarios.FormatTime(p.Time), func() {
		s.run.SeekPosition(p)
		s.arrive()
		if at := s.run.Position(); at != p {
			a.say("nothing happens at " + scenarios.Moment(p).String() + ": this is the last event before")
		}
	})
	return nil
}

func (a *app) lacksPattern() string {
	if a.s.pattern == "" {
		return "nothing searched for yet, / asks"
	}
	return ""
}

func (a *app) nextMatch() tea.Cmd     { return a.match(1, "no later event with ") }
func (a *app) previousMatch() tea.Cmd { return a.match(-1, "no earlier event with ") }

// match goes to the nearest event whose line in the log has the pattern.
func (a *app) match(dir int, missing string) tea.Cmd {
	s := a.s
	f := s.run.Frame()
	pattern := strings.ToLower(s.pattern)
	matches := func(i int) bool {
		e := s.run.EventAt(i)
		return strings.Contains(strings.ToLower(e.Kind.String()+" "+views.LogWords(e, f)), pattern)
	}
	a.walk(dir, matches, "looking for "+s.pattern, missing+s.pattern)
	s.elsewhere = 0
	return nil
}
