package views

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"zerolag/scheduler"
)

// Status is what the two status lines and the note say.
type Status struct {
	Scenario  string
	Kernel    string // profile name
	HZ        int
	BaseSlice uint64   // ns
	Features  []string // those that differ from the defaults, see ChangedFeatures
	Event     int      // index of the event at the cursor
	Known     int      // index of the last known event
	Complete  bool     // the run is known to its end
	Time      scheduler.Time
	CPU       int
	Title     string // what the event is, see EventTitle
	Branch    string
	Scope     string         // of stepping; "" is everything
	Elsewhere int            // events skipped by the scope
	Play      string         // "stop", "play x8"; "" leaves it out
	Uncharged scheduler.Time // wall time since the last event that no charge has seen
	Note      string         // the bookmark's note; "" if there is none
	NextNote  string         // how to get to the next bookmark; may be ""
}

// statusRight is the column where the right part of a status line ends.
func statusRight(width int) int {
	if width >= 80 {
		return width - 4
	}
	return width
}

// lineBytes is room for a line that is put together on the stack.
const lineBytes = 512

// draw draws the two status lines.
func (s *Status) draw(c *Canvas, g Glyphs) {
	var left, right [lineBytes]byte
	wide := c.Width() >= 110
	gap, unit := "  ", ""
	if wide {
		gap, unit = "   ", " ms"
	}
	position := s.appendPosition(right[:0])
	end := statusRight(c.Width())
	b := append(append(left[:0], s.Scenario...), gap...)
	b = append(append(b, s.Kernel...), gap...)
	b = append(strconv.AppendInt(append(b, "HZ "...), int64(s.HZ), 10), gap...)
	b = appendTrimmed(append(b, "base "...), int64(s.BaseSlice))
	b = append(append(append(b, unit...), gap...), "features: "...)
	b = s.appendFeatures(b, end-bytesWidth(b)-len(position)-2)
	c.Bytes(0, 0, g.cutBytes(b, max(end-len(position)-2, 0)), StyleHeader)
	c.BytesRight(end, 0, position, StyleHeader)

	x := c.Bytes(0, 1, s.appendMoment(left[:0]), StyleText)
	lay := stripLayout(c.Width())
	tail := s.appendTail(right[:0])
	start := lay.gutter + lay.ruler
	if w := bytesWidth(tail); start+w > c.Width() || start < x+2 {
		start = c.Width() - w
	}
	if start >= x+2 {
		c.Bytes(start, 1, tail, StyleText)
	}
}

// appendPosition appends the event's number of how many.
func (s *Status) appendPosition(b []byte) []byte {
	b = strconv.AppendInt(append(b, "ev "...), int64(s.Event), 10)
	b = strconv.AppendInt(append(b, '/'), int64(s.Known), 10)
	if !s.Complete {
		b = append(b, '+')
	}
	return b
}

// appendFeatures appends the changed features in the room there is, counting the
// rest.
func (s *Status) appendFeatures(b []byte, room int) []byte {
	if len(s.Features) == 0 {
		return append(b, "default"...)
	}
	start := len(b)
	for n := len(s.Features); n > 0; n-- {
		b = b[:start]
		for i, name := range s.Features[:n] {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, name...)
		}
		if n < len(s.Features) {
			b = strconv.AppendInt(append(b, " +"...), int64(len(s.Features)-n), 10)
		}
		if bytesWidth(b[start:]) <= room {
			return b
		}
	}
	return append(strconv.AppendInt(b[:start], int64(len(s.Features)), 10), " changed"...)
}

func (s *Status) appendMoment(b []byte) []byte {
	b = append(appendClock(append(b, "t "...), s.Time), " ms"...)
	if s.Uncharged > 0 {
		b = append(strconv.AppendInt(append(b, " +"...), int64(s.Uncharged), 10), " ns not charged"...)
	}
	b = appendCPU(append(b, "   "...), s.CPU)
	return append(append(b, "   "...), s.Title...)
}

func (s *Status) appendTail(b []byte) []byte {
	gap := func() {
		if len(b) > 0 {
			b = append(b, "  "...)
		}
	}
	b = append(b, s.Branch...)
	if s.Scope != "" {
		gap()
		b = append(append(b, "scope "...), s.Scope...)
	}
	if s.Elsewhere > 0 {
		gap()
		b = append(strconv.AppendInt(append(b, '+'), int64(s.Elsewhere), 10), " elsewhere"...)
	}
	if s.Play != "" {
		gap()
		b = append(append(append(b, '['), s.Play...), ']')
	}
	return b
}

// maxNoteRows bounds the rows of a note.
const maxNoteRows = 2

// drawNote draws the note from row y on and returns the rows used; without a
// canvas it counts them.
func (s *Status) drawNote(c *Canvas, y, width int, g Glyphs) int {
	if s.Note == "" {
		return 0
	}
	var buf [lineBytes]byte
	b := append(append(buf[:0], "! "...), s.Note...)
	if s.NextNote != "" {
		b = append(append(b, "  "...), s.NextNote...)
	}
	f := flow{c: c, y: y, width: width, rows: maxNoteRows, indent: 2, style: StyleNote, cut: g.Cut}
	f.text(b)
	return f.y - y + 1
}

// flow breaks a text into rows at blanks.
type flow struct {
	c      *Canvas // nil: only counts
	x, y   int
	width  int
	rows   int // at most
	indent int // of the rows after the first
	style  Style
	cut    rune
	first  int
}

// text draws words until the rows are full; the last row then ends in cut.
func (f *flow) text(b []byte) {
	f.first = f.y
	for len(b) > 0 {
		n := 0
		for n < len(b) && b[n] != ' ' && b[n] != '\n' && b[n] != '\t' {
			n++
		}
		if n > 0 && !f.word(b[:n]) {
			return
		}
		b = b[min(n+1, len(b)):]
	}
}

// word draws one word; false when there is no room.
func (f *flow) word(b []byte) bool {
	w := bytesWidth(b)
	gap := 1
	if f.x == 0 || f.y > f.first && f.x == f.indent {
		gap = 0
	}
	last := f.y-f.first == f.rows-1
	switch {
	case f.x+gap+w <= f.width:
	case last || w > f.width-f.indent:
		f.end(b, gap)
		return false
	default:
		f.y++
		f.x, gap = f.indent, 0
	}
	if f.c != nil {
		f.c.Fill(f.x, f.x+gap, f.y, ' ', f.style)
		f.c.Bytes(f.x+gap, f.y, b, f.style)
	}
	f.x += gap + w
	return true
}

// end draws as much of a word as fits, then the mark of a cut text.
func (f *flow) end(b []byte, gap int) {
	if f.c == nil {
		return
	}
	f.c.Fill(f.x, f.x+gap, f.y, ' ', f.style)
	x := f.x + gap
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if x+runeWidth(r) > f.width-1 {
			break
		}
		x = f.c.put(x, f.y, r, f.style)
		b = b[size:]
	}
	f.c.Set(min(x, f.width-1), f.y, f.cut, f.style)
}

// appendTrimmed appends ns as ms without trailing zeros of the fraction.
func appendTrimmed(b []byte, ns int64) []byte {
	b = appendMs(b, ns, FullDecimals)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return bytes.TrimSuffix(b, []byte{'.'})
}

// drawKeys draws the key line: as many hints as fit.
func drawKeys(c *Canvas, y int, keys []KeyHelp) {
	x := 0
	for _, k := range keys {
		if k.Short == "" {
			continue
		}
		w := textWidth(k.Keys) + 1 + textWidth(k.Short)
		if x > 0 {
			w += 2
		}
		if x+w > c.Width() {
			return
		}
		if x > 0 {
			x += 2
		}
		style := StyleKey
		if k.Disabled != "" {
			style = StyleDim
		}
		x = c.Text(x, y, k.Keys, style)
		x = c.Text(x+1, y, k.Short, StyleDim)
	}
}
