package tui

import (
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/views"
)

// app is the program's one tea.Model.
type app struct {
	keys     []binding
	glyphs   views.Glyphs
	styles   *views.Styles
	terminal io.Writer // takes the clipboard sequence

	width, height int
	picker        *picker  // while no scenario is open
	s             *session // the open scenario
	pane          pane
	help          *scroll   // the list of keys, if shown
	prompt        *prompt   // a line being typed
	question      *question // something to be answered with one key
	after         tea.Cmd   // what a finished prompt asks the program to do
	message       string
	fault         bool // the message is about something that went wrong
	left          bool // the user quit: what is not saved is given up
	recovery      recovery
	present       presentation
	revealed      viewpoint // the event whose decision was asked for in a presentation
	theme         views.Theme
	paint         func(views.Theme) *views.Styles
	dragging      bool          // the mouse scrubs through time
	shown         *views.Canvas // what the mouse points at

	frame   string // the picture
	dirty   bool   // it is out of date
	working bool   // a workMsg is under way
}

// newApp opens what o asks for; paint makes the styles of a theme.
func newApp(o Options, paint func(views.Theme) *views.Styles) (*app, error) {
	a := &app{
		keys: keyTable(), glyphs: views.UnicodeGlyphs(), paint: paint, styles: paint(o.Theme), theme: o.Theme,
		terminal: io.Discard, dirty: true,
	}
	if o.ASCII {
		a.glyphs = views.ASCIIGlyphs()
	}
	a.recovery.folder = o.Recovery
	if o.Scenario == nil {
		a.picker = newPicker(o, scenarios.Library())
		a.offer("")
		return a, nil
	}
	s, err := openSession(o)
	if err != nil {
		return nil, err
	}
	a.s = s
	a.offer(s.argument)
	if warning := scenarios.Differs(s.hash(), o.Hash); warning != "" {
		a.complain(warning)
	}
	return a, nil
}

// Init starts the work in the background.
func (a *app) Init() tea.Cmd { return a.wake() }

// Update routes messages.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.resize(msg.Width, msg.Height)
	case tea.KeyMsg:
		cmd = tea.Batch(a.typing(msg), a.keep())
	case workMsg:
		a.work()
	case playMsg:
		cmd = a.playOn(msg)
	case copiedMsg:
		a.copied(msg)
	case fileMsg:
		a.reload()
	case keptMsg:
		a.told(msg)
	case tea.MouseMsg:
		cmd = tea.Batch(a.mouse(msg), a.keep())
	case tea.ResumeMsg:
		a.dirty = true
		cmd = tea.EnableMouseCellMotion // which suspending switched off
	}
	return a, tea.Batch(cmd, a.wake())
}

// View is the picture, drawn anew if it is out of date.
func (a *app) View() string {
	if a.dirty {
		a.frame, a.dirty = a.draw(), false
	}
	return a.frame
}

func (a *app) resize(width, height int) {
	a.width, a.height, a.dirty = width, height, true
	if a.s != nil {
		a.s.resize(width, height)
	}
}

// typing gives keys to whoever waits for one. Keys pressed fast arrive as one
// message; what is pasted is for a prompt only.
func (a *app) typing(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || k.Alt || len(k.Runes) < 2 {
		return a.key(k)
	}
	if k.Paste && a.prompt == nil {
		a.say("nothing here takes a paste")
		return nil
	}
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		cmds = append(cmds, a.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}))
	}
	return tea.Batch(cmds...)
}

// key gives one key to whoever waits for it.
func (a *app) key(k tea.KeyMsg) tea.Cmd {
	a.dirty = true
	a.say("")
	if a.s != nil && a.s.job != nil {
		a.s.job = nil
		a.say("search cancelled")
	}
	switch {
	case a.question != nil:
		return a.answer(k.String())
	case a.prompt != nil:
		return a.typed(k)
	}
	b := a.binding(k.String())
	if b == nil {
		a.say("no key " + k.String() + " here; ? lists the keys")
		return nil
	}
	if why := b.refusal(a); why != "" {
		a.say(b.show + ": " + why)
		return nil
	}
	if b.section == sectionMove && a.s != nil {
		a.s.playing = false
	}
	return b.do(a)
}

// say shows a message above the keys until the next key.
func (a *app) say(text string) { a.message, a.fault, a.dirty = text, false, true }

// complain shows that something went wrong.
func (a *app) complain(text string) { a.message, a.fault, a.dirty = text, true, true }

// workMsg asks for the next slice of work.
type workMsg struct{}

// wake asks for a slice of work if there is any and none is under way.
func (a *app) wake() tea.Cmd {
	if a.working || a.s == nil || !a.s.busy() {
		return nil
	}
	a.working = true
	return func() tea.Msg { return workMsg{} }
}

// work does one slice: of the job, else of simulating ahead.
func (a *app) work() {
	a.working = false
	if a.s == nil {
		return
	}
	if a.s.job != nil {
		a.dirty = true
		a.continueJob()
		return
	}
	if a.s.background() {
		a.dirty = true
	}
}
