package views

// Pane is a titled table beside or below the strips.
type Pane struct {
	Title    string
	Table    Table
	Selected int // row, -1 for none
}

// ScreenInput is everything that the screen of the terminal program shows.
type ScreenInput struct {
	Width, Height int
	Glyphs        Glyphs
	Status        Status
	Strips        Strips
	// Groups tells how loads become the weights of groups; its heads are rows. It
	// is drawn where there is room.
	Groups Table
	Why    WhyBlock // MainWidth wide
	Lanes  Lanes
	// Pane is what the user opened; nil if nothing.
	Pane *Pane
	// Side is what spare room shows, the most wanted first.
	Side         []Pane
	Message      string // one line above the keys; "" if none
	MessageError bool
	Keys         []KeyHelp
	// Bare leaves nothing but note, strips and Why, for a projector.
	Bare bool
	// Canvas of an earlier screen is drawn over if it has the size; may be nil.
	Canvas *Canvas
}

const (
	sideScreen = 160 // columns from which panes stand beside the strips
	sideWidth  = 60
	ruleRows   = 22 // rows from which rules stand between the blocks
	minPane    = 4  // rows below which spare room stays empty
	bodyRules  = 4  // rules between the blocks; they give way to entities
	minWhy     = 3  // rows to which Why shrinks before the earlier moment gives way

	leastStrips = 6 // rows below which the strips get those of the lanes
)

// MainWidth is the width of strips, Why and lanes on a screen that wide; the
// rest belongs to panes.
func MainWidth(width int) int {
	if width >= sideScreen {
		return width - sideWidth - 1
	}
	return width
}

// PaneRows is how many rows of its table an open pane surely shows on a screen that
// high.
func PaneRows(height int) int { return max(paneShare(height-roundPane)-2, 1) }

// roundPane is what stands around strips and pane: status, note, Why, message, keys.
const roundPane = 11

// paneShare is the part of the strips' room that an open pane may take.
func paneShare(room int) int { return max(room-8, room*2/3) }

// Screen composes the terminal program's screen, exactly Width x Height.
func Screen(in ScreenInput) *Canvas {
	c := in.Canvas
	if c == nil || c.Width() != max(in.Width, 0) || c.Height() != max(in.Height, 0) {
		c = NewCanvas(in.Width, in.Height)
	} else {
		c.Clear()
	}
	g := in.Glyphs
	y, bottom := 0, c.Height()
	if !in.Bare {
		in.Status.draw(c, g)
		y, bottom = 2, max(c.Height()-1, 2)
	}
	y += in.Status.drawNote(c, y, c.Width(), g)
	if c.Height() > 2 && !in.Bare {
		drawKeys(c, c.Height()-1, in.Keys)
	}
	if in.Message != "" && bottom > y {
		bottom--
		style := StyleNote
		if in.MessageError {
			style = StyleError
		}
		c.cutText(0, bottom, in.Message, c.Width(), style, g.Cut)
	}
	width := MainWidth(c.Width())
	b := body{in: &in, g: g, rules: c.Height() >= ruleRows, side: width < c.Width()}
	b.draw(c.Sub(0, y, width, bottom-y))
	if b.side {
		b.drawSide(c.Sub(width, y, c.Width()-width, bottom-y))
	}
	return c
}

// body is the part of the screen between note and keys.
type body struct {
	in    *ScreenInput
	g     Glyphs
	rules bool
	side  bool // panes stand beside the body
}

// rule draws a line between blocks, with a title if there is one, and returns
// the row after it.
func (b *body) rule(c *Canvas, y int, title string) int {
	if !b.rules && title == "" {
		return y
	}
	c.Fill(0, c.Width(), y, b.g.Rule, StyleDim)
	if title != "" {
		x := c.Text(2, y, " ", StyleHeader)
		c.Text(c.Text(x, y, title, StyleHeader), y, " ", StyleHeader)
	}
	return y + 1
}

// draw stacks strips, Why, lanes and, where a pane is open or room is left, a
// pane.
func (b *body) draw(c *Canvas) {
	why := &b.in.Why
	pane := b.in.Pane
	if b.side {
		pane = nil
	}
	whyRows, lanes := b.share(c.Width(), c.Height(), pane)
	strips := c.Height() - whyRows - lanes
	b.rules = b.rules && pane == nil && b.in.Strips.need(b.g, c.Width()) <= strips-bodyRules
	if b.rules {
		strips -= bodyRules
		b.rule(c, c.Height()-1, "")
		c = c.Sub(0, 0, c.Width(), c.Height()-1)
	}
	if pane != nil {
		strips -= min(len(pane.Table.Rows)+2, paneShare(strips))
	}
	y := b.rule(c, 0, "")
	y += b.drawStrips(c.Sub(0, y, c.Width(), strips))
	if pane == nil {
		y = b.drawGroups(c, y, whyRows+lanes)
	}
	y = b.rule(c, y, "")
	y += why.draw(c.Sub(0, y, c.Width(), whyRows), b.g)
	if pane != nil {
		b.pane(c.Sub(0, y, c.Width(), c.Height()-y), pane)
		return
	}
	if lanes > 0 {
		y = b.rule(c, y, "")
		y += b.in.Lanes.Draw(c.Sub(0, y, c.Width(), min(len(b.in.Lanes.Rows)+1, c.Height()-y)), b.g)
	}
	b.stack(c.Sub(0, y, c.Width(), c.Height()-y), b.below())
}

// share divides the height among Why and lanes, so that the strips have room for
// both moments: Why gives way a little. Where that does not help, the earlier moment
// goes instead.
func (b *body) share(width, height int, pane *Pane) (why, lanes int) {
	full := min(b.in.Why.height(), max(height/2, 1))
	wanted := min(len(b.in.Lanes.Rows)+1, max(height/5, 3))
	if b.in.Bare {
		wanted = 0
	}
	if pane != nil {
		return full, 0
	}
	why, lanes = full, wanted
	if height < why+lanes+leastStrips {
		lanes = 0
	}
	strips := &b.in.Strips
	if short := strips.least(b.g, width) - (height - why - lanes); short > 0 {
		why = max(why-short, min(why, minWhy))
	}
	if strips.fits(b.g, width, height-why-lanes) {
		return why, lanes
	}
	strips.Before = nil
	if strips.need(b.g, width)+full+wanted > height {
		wanted = 0
	}
	return full, wanted
}

// drawGroups draws the table of groups from row y on, if below rows are left for
// what follows, and returns the row after it.
func (b *body) drawGroups(c *Canvas, y, below int) int {
	rows := len(b.in.Groups.Rows)
	if b.rules {
		below += bodyRules - 1
	}
	if rows == 0 || y+rows+below > c.Height() {
		return y
	}
	y = b.rule(c, y, "")
	return y + b.in.Groups.Draw(c.Sub(0, y, c.Width(), rows), -1, b.g)
}

// drawStrips draws the pair, or the later moment alone where there is no room
// for two.
func (b *body) drawStrips(c *Canvas) int {
	strips := b.in.Strips
	if !strips.fits(b.g, c.Width(), c.Height()) {
		strips.Before = nil
	}
	return strips.Draw(c, b.g)
}

// below are the panes below the lanes: beside the strips stand the open pane and
// the first of the others, where there is a side.
func (b *body) below() []Pane {
	if b.side && len(b.in.Side) > 0 {
		return b.in.Side[1:]
	}
	return b.in.Side
}

// stack draws panes below each other: each gets what it needs as long as there
// is room.
func (b *body) stack(c *Canvas, panes []Pane) {
	y := 0
	for i := range panes {
		room := c.Height() - y
		if room < minPane {
			break
		}
		rows := min(len(panes[i].Table.Rows)+2, room)
		if left := len(panes) - i - 1; left > 0 && rows > room*2/3 && room*2/3 >= minPane {
			rows = room * 2 / 3
		}
		if room-rows < minPane {
			rows = room
		}
		b.pane(c.Sub(0, y, c.Width(), rows), &panes[i])
		y += rows
	}
}

func (b *body) pane(c *Canvas, p *Pane) {
	y := b.rule(c, 0, p.Title)
	p.Table.Draw(c.Sub(1, y, c.Width()-1, c.Height()-y), p.Selected, b.g)
}

// drawSide draws the panes beside the body.
func (b *body) drawSide(c *Canvas) {
	for y := range c.Height() {
		c.Set(0, y, b.g.Divider, StyleDim)
	}
	var panes [2]Pane
	n := 0
	if b.in.Pane != nil {
		panes[0] = *b.in.Pane
		n++
	}
	if len(b.in.Side) > 0 {
		panes[n] = b.in.Side[0]
		n++
	}
	b.stack(c.Sub(1, 0, c.Width()-1, c.Height()), panes[:n])
}
