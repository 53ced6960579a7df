package tui

import (
	"fmt"
	"os"
	"strings"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
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
	lanes := views.NewLanes(s.run, views.PictureWidth, &in.Strips)
	in.Lanes = &lanes
	if s.manyCPUs() {
		in.Groups = views.GroupTables(s.groupFrame(), views.SharingCPUs, views.PictureWidth)
	}
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
	return a.ask(prompt{label: "write to", hint: "a file name", done: func(path string) error {
		return a.writeWith(path, "", func() error {
			if err := replaceFile(path, []byte(a.s.picture())); err != nil {
				return err
			}
			a.say("written to " + path)
			return nil
		})
	}}, a.s.fileName())
}

// fileName is a name for the picture at the cursor: nginx-3.1ms-1.txt.
func (s *session) fileName() string {
	return fmt.Sprintf("%s-%s.txt", s.scenario.Name, strings.ReplaceAll(scenarios.Moment(s.run.Position()).String(), "#", "-"))
}
