package views

import (
	"strings"
	"unicode/utf8"
)

// Glyphs are the runes that pictures are drawn with, each of width 1.
type Glyphs struct {
	Current    rune // gutter: current of its queue
	Eligible   rune // position, lag >= 0
	Ineligible rune // position, lag < 0
	Delayed    rune // position, asleep but queued
	Protected  rune // protected part of the request
	Rest       rune // rest of the request
	Vprot      rune // end of the protection
	Deadline   rune
	Both       rune // vprot and deadline in one column
	V          rune // V through the rows
	Ghost      rune // where it was before
	OutLeft    rune // left of the window
	OutRight   rune // right of the window

	Major, Minor, Dash    rune // ruler
	ArrowLeft, ArrowRight rune // moved row
	Shaft                 rune
	Rule                  rune // between blocks
	Divider               rune // between columns of panes
	Running, Waiting      rune // lanes
	Upper, Lower          rune // branches of a tree
	Cut                   rune // last cell of a text that was cut
}

// ASCIIGlyphs are the runes for mails and --ascii.
func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Current: '>', Eligible: '*', Ineligible: 'o', Delayed: 'z', Protected: '=', Rest: '-',
		Vprot: 'P', Deadline: 'D', Both: '#', V: ':', Ghost: '\'', OutLeft: '<', OutRight: '>',
		Major: '+', Minor: '.', Dash: '-', ArrowLeft: '<', ArrowRight: '>', Shaft: '-',
		Rule: '-', Divider: '|', Running: '#', Waiting: '.', Upper: '/', Lower: '\\', Cut: '~',
	}
}

// UnicodeGlyphs are the runes for terminals.
func UnicodeGlyphs() Glyphs {
	return Glyphs{
		Current: '▶', Eligible: '●', Ineligible: '○', Delayed: '◌', Protected: '━', Rest: '─',
		Vprot: '╂', Deadline: '┤', Both: '┫', V: '┊', Ghost: '\'', OutLeft: '«', OutRight: '»',
		Major: '┬', Minor: '·', Dash: '─', ArrowLeft: '◀', ArrowRight: '▶', Shaft: '─',
		Rule: '─', Divider: '│', Running: '█', Waiting: '░', Upper: '┌', Lower: '└', Cut: '…',
	}
}

// Runes that are the same in both sets.
const (
	glyphVLetter    = 'V'
	glyphZero       = '0'
	glyphLimitLeft  = '['
	glyphLimitRight = ']'
	glyphTick       = 'T'
	glyphCursor     = '|'
	glyphWakeup     = 'w'
	glyphDelayed    = 'z'
	glyphMany       = '+' // density row: ten or more
)

// cutBytes is cut for a text put together in a buffer, which it changes.
func (g Glyphs) cutBytes(b []byte, width int) []byte {
	if bytesWidth(b) <= width {
		return b
	}
	if width <= 0 {
		return b[:0]
	}
	used, end := 0, 0
	for end < len(b) {
		r, size := utf8.DecodeRune(b[end:])
		w := runeWidth(r)
		if used+w > width-1 {
			break
		}
		used += w
		end += size
	}
	return utf8.AppendRune(b[:end], g.Cut)
}

// cut shortens s to width columns; a cut text ends in the glyph for it.
func (g Glyphs) cut(s string, width int) string {
	if textWidth(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	used, end := 0, 0
	for i, r := range s {
		w := runeWidth(r)
		if used+w > width-1 {
			end = i
			break
		}
		used += w
	}
	return s[:end] + string(g.Cut)
}

// cutNumbered is cut for a name that ends in a number, which stays: client10 becomes
// cli~10.
func (g Glyphs) cutNumbered(s string, width int) string {
	head := strings.TrimRight(s, "0123456789")
	number := s[len(head):]
	if textWidth(s) <= width || len(number)+2 > width {
		return g.cut(s, width)
	}
	return g.cut(head, width-len(number)) + number
}
