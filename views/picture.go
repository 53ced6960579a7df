package views

// PictureWidth is the width of pictures for mails.
const PictureWidth = 76

// pictureRows bounds the entities drawn in one strip of a picture, pictureLanes the
// rows of lanes.
const (
	pictureRows  = 12
	pictureLanes = 8
)

// PictureInput is everything that a picture outside the terminal program shows.
type PictureInput struct {
	Width  int // 0: PictureWidth
	Glyphs Glyphs
	Status Status
	Strips Strips
	Groups Table // of groups on several CPUs, its heads are rows
	Moment Moment
	Versus *Versus // the other run of a comparison; nil: none
	Lanes  *Lanes  // nil: none
	// Command is the command line that reopens this step; "" if none.
	Command string
}

// Picture draws status, note, strips, Why and, if asked for, lanes below each
// other; the canvas is as high as needed.
func Picture(in PictureInput) *Canvas {
	width := in.Width
	if width <= 0 {
		width = PictureWidth
	}
	why := NewWhyBlock(in.Moment, width, "")
	if in.Versus != nil {
		why = NewVersusBlock(in.Moment, *in.Versus, width)
	}
	note := in.Status.drawNote(nil, 0, width, in.Glyphs)
	command := commandLines(in.Command, width)
	strips := in.Strips.most(in.Glyphs, width)
	lanes := 0
	if in.Lanes != nil {
		lanes = min(len(in.Lanes.Rows), pictureLanes) + 1
	}
	height := 2 + note + strips + len(in.Groups.Rows) + why.height() + lanes + len(command)
	c := NewCanvas(width, height)
	in.Status.draw(c, in.Glyphs)
	y := 2 + in.Status.drawNote(c, 2, width, in.Glyphs)
	y += in.Strips.Draw(c.Sub(0, y, width, strips), in.Glyphs)
	y += in.Groups.Draw(c.Sub(0, y, width, len(in.Groups.Rows)), -1, in.Glyphs)
	y += why.draw(c.Sub(0, y, width, why.height()), in.Glyphs)
	if in.Lanes != nil {
		y += in.Lanes.Draw(c.Sub(0, y, width, lanes), in.Glyphs)
	}
	for _, line := range command {
		c.Text(0, y, line, StyleDim)
		y++
	}
	return c.Sub(0, 0, width, y)
}

// most is the number of rows that the strips of a picture may use: CPUs with many
// entities share rows.
func (in *Strips) most(g Glyphs, width int) int {
	if in.After == nil {
		return 0
	}
	p := in.painter(g, width)
	rows := p.height(min(len(p.rows), pictureRows))
	for i := range in.Others {
		rows += min(in.otherHeight(g, width, in.Others[i]), 2+pictureRows)
	}
	if !in.Idle.Empty() {
		rows++
	}
	return rows
}
