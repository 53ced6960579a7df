package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"zerolag/views"
)

// The list of scenarios with a preview beside it: the least width of the screen and
// of the list, and the greatest of the preview.
const (
	previewScreen = 110
	previewList   = 40
	previewWidth  = 120
	headlineList  = 64 // the least width of a list with descriptions
)

// pickAbout is the number of rows below the list for what the selected one says.
const pickAbout = 5

// preview is the picture of the selected scenario's first bookmark.
type preview struct {
	name, kernel string
	width        int
	picture      *views.Canvas // nil if it cannot be drawn
}

// drawPicker lists the scenarios by topic and, beside or below the list, what the
// selected one is about.
func (a *app) drawPicker(c *views.Canvas) {
	p := a.picker
	title := "zerolag: scenarios"
	if p.kernel != "" {
		title = "zerolag: cases that show on " + p.kernel
	}
	if p.filter != "" {
		title += " with " + p.filter
	}
	c.Text(0, 0, title, views.StyleHeader)
	width, height := a.width, a.height-3
	switch {
	case a.width >= previewScreen:
		right := min(max(views.PictureWidth, a.width/2), previewWidth, a.width-previewList-2)
		width = a.width - right - 2
		a.drawPreview(c.Sub(width+2, 1, right, height))
	case a.height >= 4*pickAbout:
		height -= pickAbout
		a.drawAbout(c.Sub(0, height+2, a.width, pickAbout-1))
	}
	t, row := p.table(width >= headlineList)
	t.Draw(c.Sub(0, 1, width, height), row, a.glyphs)
	a.drawFoot(c, pickHints())
}

// table is the list as it is drawn, topics as headings, and the row of the selected
// entry in it.
func (p *picker) table(headlines bool) (t views.Table, row int) {
	t.Columns = []views.Column{{}, {}}
	if headlines {
		t.Columns = append(t.Columns, views.Column{})
	}
	topic := ""
	for i, e := range p.shown() {
		if e.Topic != topic {
			topic = e.Topic
			t.Rows = append(t.Rows, views.Row{Cells: []string{"", topic}, Style: views.StyleHeader})
		}
		mark := " "
		if i == p.row {
			mark, row = ">", len(t.Rows)
		}
		t.Rows = append(t.Rows, views.Row{Owner: rowOwner(i), Cells: []string{mark, e.Name, e.Headline()}})
	}
	if len(t.Rows) == 0 {
		row = -1
	}
	return t, row
}

// drawAbout draws what the selected scenario says and returns the rows used.
func (a *app) drawAbout(c *views.Canvas) int {
	e := a.picker.selected()
	if e == nil {
		return 0
	}
	text := e.About
	if e.Shows != nil {
		text = strings.ToUpper(e.Shows.String()[:1]) + e.Shows.String()[1:] + ". " + text
	}
	lines := strings.Split(ansi.Wordwrap(text, c.Width(), ""), "\n")
	lines = lines[:min(len(lines), c.Height())]
	for i, line := range lines {
		c.Text(0, i, line, views.StyleNote)
	}
	return len(lines)
}

// drawPreview draws what the selected scenario says and the picture of its first
// bookmark.
func (a *app) drawPreview(c *views.Canvas) {
	used := a.drawAbout(c) + 1
	if picture := a.picker.look(c.Width(), a.glyphs); picture != nil {
		c.Paste(0, used, picture)
	}
}

// look is the picture of the selected scenario, made once for each.
func (p *picker) look(width int, g views.Glyphs) *views.Canvas {
	o, err := p.opening()
	if err != nil {
		return nil
	}
	want := preview{name: o.Argument, kernel: o.Change.Kernel, width: width}
	if have := p.preview; have.name == want.name && have.kernel == want.kernel && have.width == width {
		return have.picture
	}
	if s, err := openSession(o); err == nil {
		s.resize(width, views.PictureWidth)
		want.picture = views.Picture(s.pictureInput(width, g))
	}
	p.preview = want
	return want.picture
}
