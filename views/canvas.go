package views

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"zerolag/scheduler"
)

// OwnerKind says what a cell belongs to.
type OwnerKind uint8

// The kinds of owners.
const (
	OwnerNone OwnerKind = iota
	OwnerEntity
	OwnerQueue
	OwnerTask    // a row of the numbers
	OwnerLane    // a row of the real-time lanes, or their ruler: -1
	OwnerRow     // a row of another pane
	OwnerFeature // a row of the feature pane
	OwnerLog     // a line of the log: the event's index
)

// Owner is the thing that a cell shows, for hit-testing: Kind and its id.
type Owner struct {
	Kind OwnerKind
	ID   int32
}

// EntityOwner is the owner of cells that show an entity.
func EntityOwner(id scheduler.EntityID) Owner { return Owner{OwnerEntity, int32(id)} }

// Cell is one character cell. Rune 0 is the right half of a wide rune.
type Cell struct {
	Rune  rune
	Style Style
	Owner Owner
}

// Canvas is a rectangle of cells, or a view of a part of one. Drawing outside
// is clipped.
type Canvas struct {
	cells         []Cell
	stride        int
	width, height int
	owner         Owner
}

// NewCanvas makes a blank canvas; negative sizes count as 0.
func NewCanvas(width, height int) *Canvas {
	width, height = max(width, 0), max(height, 0)
	c := &Canvas{cells: make([]Cell, width*height), stride: width, width: width, height: height}
	c.Clear()
	return c
}

// Clear blanks the canvas.
func (c *Canvas) Clear() {
	if c.height == 0 {
		return
	}
	blank := c.row(0)
	for x := range blank {
		blank[x] = Cell{Rune: ' '}
	}
	for y := 1; y < c.height; y++ {
		copy(c.row(y), blank)
	}
}

// Width is the number of columns.
func (c *Canvas) Width() int { return c.width }

// Height is the number of rows.
func (c *Canvas) Height() int { return c.height }

// Sub is the view of a rectangle of c, clipped to c; drawing in it draws in c.
func (c *Canvas) Sub(x, y, width, height int) *Canvas {
	sub := c.sub(x, y, width, height)
	return &sub
}

// sub is Sub as a value. As long as it is not inlined itself, Sub is, and its
// result need not outlive the caller.
//
//go:noinline
func (c *Canvas) sub(x, y, width, height int) Canvas {
	x, y = min(max(x, 0), c.width), min(max(y, 0), c.height)
	width, height = min(max(width, 0), c.width-x), min(max(height, 0), c.height-y)
	sub := Canvas{stride: c.stride, width: width, height: height, owner: c.owner}
	if width > 0 && height > 0 {
		sub.cells = c.cells[y*c.stride+x:]
	}
	return sub
}

// SetOwner makes o the owner of the cells drawn from now on.
func (c *Canvas) SetOwner(o Owner) { c.owner = o }

// At is the cell at x, y; the zero Cell outside.
func (c *Canvas) At(x, y int) Cell {
	if x < 0 || y < 0 || x >= c.width || y >= c.height {
		return Cell{}
	}
	return c.row(y)[x]
}

func (c *Canvas) row(y int) []Cell {
	if c.width == 0 {
		return nil
	}
	return c.cells[y*c.stride : y*c.stride+c.width]
}

// Set draws one rune of width 1.
func (c *Canvas) Set(x, y int, r rune, style Style) {
	if x < 0 || y < 0 || x >= c.width || y >= c.height {
		return
	}
	row := c.row(y)
	if row[x].Rune == 0 && x > 0 {
		row[x-1].Rune = ' '
	}
	if x+1 < c.width && row[x+1].Rune == 0 {
		row[x+1].Rune = ' '
	}
	row[x] = Cell{Rune: r, Style: style, Owner: c.owner}
}

// Text draws s from x on, clipped at the right edge, and returns the column
// after it. Control characters are drawn as '?'.
func (c *Canvas) Text(x, y int, s string, style Style) int {
	for _, r := range s {
		x = c.put(x, y, r, style)
	}
	return x
}

// Bytes is Text for a text put together in a buffer.
func (c *Canvas) Bytes(x, y int, b []byte, style Style) int {
	for len(b) > 0 {
		r, n := rune(b[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b)
		}
		x = c.put(x, y, r, style)
		b = b[n:]
	}
	return x
}

// put draws one rune of any width and returns the column after it.
func (c *Canvas) put(x, y int, r rune, style Style) int {
	switch runeWidth(r) {
	case 1:
		c.Set(x, y, printable(r), style)
		return x + 1
	case 2:
		c.setWide(x, y, r, style)
		return x + 2
	}
	return x
}

func (c *Canvas) setWide(x, y int, r rune, style Style) {
	c.Set(x, y, ' ', style)
	c.Set(x+1, y, ' ', style)
	if x < 0 || y < 0 || y >= c.height || x+1 >= c.width {
		return
	}
	row := c.row(y)
	row[x].Rune, row[x+1].Rune = r, 0
}

// cutText draws s in at most room columns; a text that is too long ends in cut.
func (c *Canvas) cutText(x, y int, s string, room int, style Style, cut rune) {
	if textWidth(s) <= room {
		c.Text(x, y, s, style)
		return
	}
	end := x + room - 1
	for _, r := range s {
		if x+runeWidth(r) > end {
			break
		}
		x = c.put(x, y, r, style)
	}
	if room > 0 {
		c.Set(x, y, cut, style)
	}
}

// Paste copies the cells of another canvas, its corner to a place of this one.
func (c *Canvas) Paste(x, y int, from *Canvas) {
	for row := range min(from.height, c.height-y) {
		copy(c.row(y + row)[min(x, c.width):], from.row(row))
	}
}

// TextRight draws s so that it ends before column x.
func (c *Canvas) TextRight(x, y int, s string, style Style) {
	c.Text(x-textWidth(s), y, s, style)
}

// BytesRight is TextRight for a text put together in a buffer.
func (c *Canvas) BytesRight(x, y int, b []byte, style Style) {
	c.Bytes(x-bytesWidth(b), y, b, style)
}

// Fill draws r in columns from ... to-1.
func (c *Canvas) Fill(from, to, y int, r rune, style Style) {
	for x := max(from, 0); x < min(to, c.width); x++ {
		c.Set(x, y, r, style)
	}
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r == utf8.RuneError {
		return '?'
	}
	return r
}

// runeWidth is the number of cells of r: 0, 1 or 2.
func runeWidth(r rune) int {
	if r < 0x300 {
		return 1
	}
	return ansi.StringWidth(string(r))
}

// textWidth is the number of columns that Text uses for s.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// bytesWidth is textWidth of a text put together in a buffer.
func bytesWidth(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		n += runeWidth(r)
		b = b[size:]
	}
	return n
}

// lineEnd is the number of cells of a row up to the last one that shows.
func lineEnd(row []Cell) int {
	n := len(row)
	for n > 0 && row[n-1].Rune == ' ' && !row[n-1].Style.showsBlank() {
		n--
	}
	return n
}

// String flattens the canvas for a terminal: rows joined by newlines, styled in
// runs, blanks at the end of a row left out.
func (c *Canvas) String(styles *Styles) string {
	b := make([]byte, 0, c.width*c.height*2+16*c.height)
	for y := range c.height {
		if y > 0 {
			b = append(b, '\n')
		}
		row := c.row(y)
		row = row[:lineEnd(row)]
		for x := 0; x < len(row); {
			style := row[x].Style
			b = append(b, styles.open[style]...)
			for x < len(row) && row[x].Style == style {
				b = appendCell(b, row[x].Rune)
				x++
			}
			b = append(b, styles.close[style]...)
		}
	}
	return string(b)
}

// Plain flattens the canvas to text without styles: every row right-trimmed and
// ended by a newline.
func (c *Canvas) Plain() string {
	b := make([]byte, 0, c.width*c.height+c.height)
	for y := range c.height {
		row := c.row(y)
		n := len(row)
		for n > 0 && row[n-1].Rune == ' ' {
			n--
		}
		for i := range row[:n] {
			b = appendCell(b, row[i].Rune)
		}
		b = append(b, '\n')
	}
	return string(b)
}

// appendCell appends the rune of a cell; the right half of a wide one has none.
func appendCell(b []byte, r rune) []byte {
	switch {
	case r == 0:
		return b
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	}
	return utf8.AppendRune(b, r)
}
