package tui

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// picture is what is at the cursor as text for a mail, with the command line that
// reopens it.
func (s *session) picture() string {
	in := views.PictureInput{
		Width: views.PictureWidth, Glyphs: views.ASCIIGlyphs(), Status: s.status(views.PictureWidth), Strips: s.strips(),
		Moment: s.moment(views.PictureWidth), Command: s.command(),
	}
	in.Status.Play, in.Status.NextNote, in.Status.Elsewhere = "", "", 0
	if !s.adjusted {
		in.Strips.Rulers = views.FitRulers(s.mode, views.RulerColumns(views.PictureWidth), s.frames()...)
	}
	in.Strips.Shifts = nil
	lanes := s.lanes(views.PictureWidth)
	in.Lanes = &lanes
	return views.Picture(in).Plain()
}

// copiedMsg tells how copying went.
type copiedMsg struct{ err error }

// copyPicture hands the picture to the terminal's clipboard (OSC 52).
func (a *app) copyPicture() tea.Cmd {
	text, terminal := a.s.picture(), a.terminal
	sequence := osc52.New(text)
	if os.Getenv("TMUX") != "" {
		sequence = sequence.Tmux()
	}
	a.say("copying ...")
	return func() tea.Msg {
		_, err := sequence.WriteTo(terminal)
		return copiedMsg{err}
	}
}

func (a *app) copied(msg copiedMsg) {
	if msg.err != nil {
		a.complain("the terminal took no copy: " + msg.err.Error())
		return
	}
	a.say("copied, if this terminal lets programs copy (OSC 52); w writes a file instead")
}

// askFile asks where to write the picture.
func (a *app) askFile() tea.Cmd {
	return a.askFileFor(a.s.picture, func(path string) tea.Cmd {
		a.say("written to " + path)
		return nil
	})
}

// askFileFor asks for a file, writes text to it and then calls written. A file
// that exists is replaced only when the user says so.
func (a *app) askFileFor(text func() string, written func(path string) tea.Cmd) tea.Cmd {
	return a.ask(prompt{label: "write to", hint: "a file name", done: func(path string) error {
		if path == "" {
			return errors.New("no name, expected that of a file to write")
		}
		err := writeNew(path, text())
		if errors.Is(err, fs.ErrExist) {
			a.askReplace(path, text(), written)
			return nil
		}
		if err == nil {
			a.after = written(path)
		}
		return err
	}}, a.s.fileName())
}

// askReplace asks whether a file may be replaced.
func (a *app) askReplace(path, text string, written func(path string) tea.Cmd) {
	a.question = &question{
		text: path + " exists.  y replace it   n leave it",
		options: []option{{"y", func() tea.Cmd {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				a.complain(err.Error())
				return nil
			}
			return written(path)
		}}},
	}
}

// writeNew writes a file that does not exist yet.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

// fileName is a name for the picture at the cursor: nginx-3.1ms-1.txt.
func (s *session) fileName() string {
	return fmt.Sprintf("%s-%s.txt", s.scenario.Name, strings.ReplaceAll(scenarios.Moment(s.run.Position()).String(), "#", "-"))
}

// journal is the picture at the cursor and the command line of every branch.
func (s *session) journal() string {
	var b strings.Builder
	b.WriteString(s.picture())
	b.WriteString("\nbranches:\n")
	for _, branch := range s.run.Branches() {
		fmt.Fprintf(&b, "%s: %s\n", branch.Name, s.commandFor(branch.Edits))
	}
	return b.String()
}

// markSaved notes that every branch there is now can be opened again.
func (s *session) markSaved() {
	for _, b := range s.run.Branches() {
		s.savedEdits = append(s.savedEdits, b.Edits)
	}
}

// unsaved counts the branches that quitting would lose.
func (s *session) unsaved() int {
	n := 0
	for _, b := range s.run.Branches() {
		saved := slices.ContainsFunc(s.savedEdits, func(edits []scheduler.Edit) bool { return slices.Equal(edits, b.Edits) })
		if len(b.Edits) > 0 && !saved {
			n++
		}
	}
	return n
}

// quit ends the program, after asking if branches would be lost.
func (a *app) quit() tea.Cmd {
	if a.s == nil || a.s.unsaved() == 0 {
		return tea.Quit
	}
	branches := "1 branch is"
	if n := a.s.unsaved(); n > 1 {
		branches = fmt.Sprintf("%d branches are", n)
	}
	leave := func() tea.Cmd { return tea.Quit }
	a.question = &question{
		text:    branches + " not saved.  w write and quit   y quit   n stay",
		options: []option{{"y", leave}, {"ctrl+c", leave}, {"w", a.saveAndQuit}},
	}
	return nil
}

// saveAndQuit writes the session to a file, then quits.
func (a *app) saveAndQuit() tea.Cmd {
	return a.askFileFor(a.s.journal, func(string) tea.Cmd {
		a.s.markSaved()
		return tea.Quit
	})
}
