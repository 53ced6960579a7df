package views

import "strings"

// Column is one column of a Table.
type Column struct {
	Head  string
	Right bool // align right
}

// Row is one row of a Table. Fewer cells than columns leave the rest blank.
type Row struct {
	Cells []string
	Style Style
	Owner Owner
}

// Table is an aligned text table. The head row is left out if all heads are
// empty.
type Table struct {
	Columns []Column
	Rows    []Row
}

const columnGap = 2

// maxColumns bounds the columns of a table; further ones are not drawn.
const maxColumns = 32

// widths measures the columns and counts them.
func (t *Table) widths() (widths [maxColumns]int, n int) {
	n = min(len(t.Columns), maxColumns)
	for i, c := range t.Columns[:n] {
		widths[i] = textWidth(c.Head)
	}
	for i := range t.Rows {
		for k, cell := range t.Rows[i].Cells {
			if k < n {
				widths[k] = max(widths[k], textWidth(cell))
			}
		}
	}
	return widths, n
}

// width is the number of columns that shows every cell.
func (t *Table) width() int {
	total := 0
	widths, n := t.widths()
	for _, w := range widths[:n] {
		total += w + columnGap
	}
	return total
}

// dropFirst leaves the first column out.
func (t *Table) dropFirst() {
	t.Columns = t.Columns[1:]
	for i := range t.Rows {
		t.Rows[i].Cells = t.Rows[i].Cells[1:]
	}
}

func (t *Table) hasHead() bool {
	for _, c := range t.Columns {
		if c.Head != "" {
			return true
		}
	}
	return false
}

// Draw draws head and rows into c; of more rows than fit it draws those around
// selected (-1: none), which is drawn in StyleSelect. It returns the rows used.
func (t *Table) Draw(c *Canvas, selected int, g Glyphs) int {
	y := 0
	widths, n := t.widths()
	if t.hasHead() && c.Height() > 0 {
		x := 0
		for i := range t.Columns[:n] {
			x = t.drawCell(c, x, 0, i, t.Columns[i].Head, widths[i], StyleHeader, g)
		}
		y = 1
	}
	room := max(c.Height()-y, 0)
	first := 0
	if len(t.Rows) > room {
		first = min(max(selected-room/2, 0), len(t.Rows)-room)
	}
	for i := first; i < min(first+room, len(t.Rows)); i++ {
		row := &t.Rows[i]
		style := row.Style
		if i == selected {
			style = StyleSelect
		}
		c.SetOwner(row.Owner)
		x := 0
		for k, cell := range row.Cells[:min(len(row.Cells), n)] {
			x = t.drawCell(c, x, y, k, cell, widths[k], style, g)
		}
		c.SetOwner(Owner{})
		y++
	}
	return y
}

// drawCell draws a cell of a column that wide and returns where the next begins.
func (t *Table) drawCell(c *Canvas, x, y, column int, cell string, width int, style Style, g Glyphs) int {
	room := min(width, c.Width()-x)
	switch {
	case room <= 0:
	case t.Columns[column].Right && textWidth(cell) < room:
		c.TextRight(x+room, y, cell, style)
	default:
		c.cutText(x, y, cell, room, style, g.Cut)
	}
	return x + width + columnGap
}

// Text is the table as plain text of at most width columns, rows ended by
// newlines; width 0 is unlimited.
func (t *Table) Text(width int) string {
	total := t.width()
	if width > 0 {
		total = min(total, width)
	}
	head := 0
	if t.hasHead() {
		head = 1
	}
	c := NewCanvas(total, len(t.Rows)+head)
	t.Draw(c, -1, ASCIIGlyphs())
	return c.Plain()
}

// wrap breaks a text into lines of at most width columns at blanks; lines after
// the first start with indent. A word longer than a line is broken.
func wrap(text string, width int, indent string) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		w := textWidth(word)
		if used > 0 && used+1+w > width {
			lines = append(lines, line)
			line, used = "", 0
		}
		switch {
		case used > 0:
			line += " " + word
			used += 1 + w
		case len(lines) > 0:
			line = indent + word
			used = textWidth(indent) + w
		default:
			line, used = word, w
		}
		for used > width && width > 0 {
			head := string([]rune(line)[:max(width/2, 1)])
			lines = append(lines, head)
			line = strings.TrimPrefix(line, head)
			used = textWidth(line)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
