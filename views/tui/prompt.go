package tui

import (
	"errors"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model/expr"
)

// prompt is one line being typed.
type prompt struct {
	label string
	hint  string // what is expected
	line  textinput.Model
	// fault says what is wrong with the text; column is where, in characters from
	// 0, or -1.
	fault  string
	column int
	// done takes the finished text. An error keeps the prompt open.
	done func(text string) error
	// changed, if not nil, follows the text while it is typed.
	changed func(text string)
}

// ask opens a prompt with a text to start from.
func (a *app) ask(p prompt, text string) tea.Cmd {
	p.line, p.column = textinput.New(), -1
	p.line.SetValue(text)
	p.line.Focus()
	a.prompt = &p
	return nil
}

// typed gives a key to the prompt.
func (a *app) typed(k tea.KeyMsg) tea.Cmd {
	p := a.prompt
	switch k.Type {
	case tea.KeyEsc, tea.KeyCtrlC:
		a.prompt = nil
		if p.changed != nil {
			p.changed("")
		}
		return nil
	case tea.KeyEnter:
		a.finish(p)
		return a.followUp()
	}
	p.fault, p.column = "", -1
	p.line, _ = p.line.Update(k)
	if p.changed != nil {
		p.changed(p.line.Value())
	}
	return nil
}

// finish hands the text over and closes the prompt, unless the text is faulty.
func (a *app) finish(p *prompt) {
	a.prompt = nil
	err := p.done(p.line.Value())
	if err == nil {
		return
	}
	a.prompt = p
	p.fault, p.column = err.Error(), -1
	var fault *expr.Fault
	if errors.As(err, &fault) {
		text := p.line.Value()
		p.column = utf8.RuneCountInString(text[:min(max(fault.Col-1, 0), len(text))])
		p.fault = fault.Msg
		if fault.Want != "" {
			p.fault += ": " + fault.Want
		}
		p.line.SetCursor(p.column)
	}
}

// question is something to be answered with one key.
type question struct {
	text    string
	options []option
}

// option is one answer.
type option struct {
	key string
	do  func() tea.Cmd
}

// answer gives a key to the question; esc and n leave things as they are.
func (a *app) answer(key string) tea.Cmd {
	q := a.question
	for _, o := range q.options {
		if o.key == key {
			a.question = nil
			return o.do()
		}
	}
	if key == "esc" || key == "n" {
		a.question = nil
	}
	return nil
}
