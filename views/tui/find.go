package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

// askTarget asks where to go.
func (a *app) askTarget() tea.Cmd {
	return a.ask(prompt{label: "go to", hint: "3.1ms, 3.1ms#1 (second event of that time), #14 or ev 14", done: a.goToText}, "")
}

func (a *app) goToText(text string) error {
	text = strings.TrimSpace(text)
	number, isEvent := eventText(text)
	if !isEvent {
		p, err := parsePosition(text)
		if err != nil {
			return err
		}
		a.goTo(p)
		return nil
	}
	index, err := strconv.Atoi(number)
	if err != nil || index < 0 || index >= maxKnown {
		return fmt.Errorf("event %q, expected a number from 0 to %d", number, maxKnown-1)
	}
	a.goToEvent(index)
	return nil
}

// eventText recognises the number of an event: #14, ev 14.
func eventText(text string) (number string, ok bool) {
	for _, head := range []string{"#", "event", "ev"} {
		if rest, found := strings.CutPrefix(text, head); found {
			return strings.TrimSpace(rest), true
		}
	}
	return "", false
}

// parsePosition reads a time, with #1 for the second event of that time.
func parsePosition(text string) (model.Position, error) {
	at, ordinal, numbered := strings.Cut(text, "#")
	t, err := scenarios.ParseTime(strings.TrimSpace(at))
	if err != nil {
		return model.Position{}, err
	}
	p := model.Position{Time: t}
	if t < 0 {
		return p, errors.New("the run starts at 0, expected a later time")
	}
	if numbered {
		if p.Ordinal, err = strconv.Atoi(strings.TrimSpace(ordinal)); err != nil || p.Ordinal < 0 {
			return p, fmt.Errorf("%q after #, expected the number of an event at that time, from 0", ordinal)
		}
	}
	return p, nil
}

// goToEvent goes to an event by number.
func (a *app) goToEvent(index int) {
	s := a.s
	a.begin(job{what: fmt.Sprintf("simulating to event %d", index), slice: func(budget int) bool {
		if missing := index - s.run.Known() + 1; missing > 0 && !s.run.Extend(min(missing, budget)) && index >= s.run.Known() {
			return false
		}
		s.run.Seek(min(index, s.run.Known()-1))
		s.arrive()
		if s.run.Index() != index {
			a.say(fmt.Sprintf("the run has no event %d, this is the last", index))
		}
		return true
	}})
}

// askPattern asks what to look for in the log and goes to the next match.
func (a *app) askPattern() tea.Cmd {
	return a.ask(prompt{label: "search", hint: "a task, or a word of the log such as wakeup", done: func(text string) error {
		if text == "" {
			return errors.New("nothing to search for, expected a task or a word of the log")
		}
		a.s.pattern = text
		a.nextMatch()
		return nil
	}}, a.s.pattern)
}

// toDisagreement goes to the nearest event of a recording at which the machine
// disagrees with the kernel.
func (a *app) toDisagreement(dir int) tea.Cmd {
	s := a.s
	disagrees := func(i int) bool { return views.Disagreement(s.run.EventAt(i)) != "" }
	missing := map[int]string{1: "no later", -1: "no earlier"}[dir] + " event at which the machine disagrees with the kernel"
	a.walk(dir, disagrees, "looking for a disagreement", missing)
	s.elsewhere = 0
	return nil
}
