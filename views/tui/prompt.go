package tui

import (
	"errors"
	"slices"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model/expr"
)

// prompt is one line being typed.
type prompt struct {
	label string
	hint  string // what is expected
	text  []rune
	at    int // where the next character goes, 0 ... len(text)
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
	p.text, p.column = []rune(text), -1
	p.at = len(p.text)
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
	p.edit(k)
	if p.changed != nil {
		p.changed(string(p.text))
	}
	return nil
}

// finish hands the text over and closes the prompt, unless the text is faulty.
func (a *app) finish(p *prompt) {
	a.prompt = nil
	err := p.done(string(p.text))
	if err == nil {
		return
	}
	a.prompt = p
	p.fault, p.column = err.Error(), -1
	var fault *expr.Fault
	if errors.As(err, &fault) {
		text := string(p.text)
		p.column = utf8.RuneCountInString(text[:min(max(fault.Col-1, 0), len(text))])
		p.fault = fault.Msg
		if fault.Want != "" {
			p.fault += ": " + fault.Want
		}
		p.at = p.column
	}
}

// edit changes the text by one key; keys without a meaning are ignored.
func (p *prompt) edit(k tea.KeyMsg) {
	switch k.String() {
	case "left":
		p.at = max(p.at-1, 0)
	case "right":
		p.at = min(p.at+1, len(p.text))
	case "home", "ctrl+a":
		p.at = 0
	case "end", "ctrl+e":
		p.at = len(p.text)
	case "backspace":
		p.remove(p.at-1, p.at)
	case "delete":
		p.remove(p.at, p.at+1)
	case "ctrl+u":
		p.remove(0, p.at)
	case "ctrl+k":
		p.remove(p.at, len(p.text))
	default:
		if k.Type == tea.KeyRunes && !k.Alt || k.Type == tea.KeySpace {
			runes := slices.DeleteFunc(slices.Clone(k.Runes), unicode.IsControl)
			p.text = slices.Insert(p.text, p.at, runes...)
			p.at += len(runes)
		}
	}
}

// remove cuts out the characters from ... to-1 that exist.
func (p *prompt) remove(from, to int) {
	from, to = max(from, 0), min(to, len(p.text))
	if from < to {
		p.text = slices.Delete(p.text, from, to)
		p.at = from
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
