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
	in := s.pictureInput(views.PictureWidth, views.ASCIIGlyphs())
	in.Command = s.command()
	return views.Picture(in).Plain()
}

// pictureInput is what is at the cursor for a picture that wide.
func (s *session) pictureInput(width int, g views.Glyphs) views.PictureInput {
	in := views.PictureInput{Width: width, Glyphs: g, Status: s.status(width), Strips: s.strips(), Moment: s.moment(width)}
	in.Status.Play, in.Status.NextNote, in.Status.Elsewhere = "", "", 0
	if !s.adjusted {
		in.Strips.Rulers = views.FitRulers(s.mode, views.RulerColumns(width), s.frames()...)
	}
	in.Strips.Shifts = nil
	lanes := views.NewLanes(s.run, width, &in.Strips)
	if s.versus != nil {
		other := s.versusInput(width)
		in.Versus, lanes = &other, views.VersusLanes(s.run, s.versus.pair.B, width, &in.Strips)
	}
	in.Lanes = &lanes
	if s.manyCPUs() {
		in.Groups = views.GroupTables(s.groupFrame(), views.SharingCPUs, width)
	}
	return in
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
