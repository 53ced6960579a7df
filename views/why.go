package views

import (
	"fmt"
	"strings"
)

// maxFlipLines bounds the lines of the settings that flip a decision.
const maxFlipLines = 2

// WhyBlock is the text of the Why block: explanation, then what would flip it.
type WhyBlock struct {
	headline string
	lines    []string
	flips    []string
}

// NewWhyBlock lays the explanation of m out in width columns; hint is written
// after the last flip, such as the key for the table.
func NewWhyBlock(m Moment, width int, hint string) WhyBlock {
	e := Why(m)
	b := WhyBlock{headline: e.Headline, lines: wrap(e.Text(), max(width, 1), " ")}
	if s := m.decision(); s == nil || decisionRank(s.Kind) < decidingRank {
		return b
	}
	switch {
	case !m.FlipsKnown:
		b.flips = []string{" flips with: ..."}
	case len(m.Flips) == 0:
		b.flips = []string{" flips with: nothing"}
	default:
		b.flips = flipLines(m.Flips, width)
	}
	if last := len(b.flips) - 1; hint != "" && textWidth(b.flips[last])+textWidth(hint) <= width {
		b.flips[last] += hint
	}
	return b
}

// Question is a block that asks instead of explaining.
func Question(text string, width int) WhyBlock {
	return WhyBlock{headline: text, lines: wrap(text, max(width, 1), " ")}
}

// flipLines lists settings two blanks apart; what does not fit is counted.
func flipLines(flips []string, width int) []string {
	const head, indent = " flips with:", "            "
	lines := []string{head}
	for i, name := range flips {
		last := len(lines) - 1
		gap := "  "
		if lines[last] == head {
			gap = " "
		}
		room := width
		if len(lines) == maxFlipLines && i < len(flips)-1 {
			room -= len("  +99")
		}
		if textWidth(lines[last])+len(gap)+textWidth(name) <= room {
			lines[last] += gap + name
			continue
		}
		if len(lines) == maxFlipLines {
			lines[last] += fmt.Sprintf("  +%d", len(flips)-i)
			return lines
		}
		lines = append(lines, indent+" "+name)
	}
	return lines
}

// height is the number of lines of the block.
func (b *WhyBlock) height() int { return len(b.lines) + len(b.flips) }

// draw draws the block; where room lacks, sentences give way to the flips.
func (b *WhyBlock) draw(c *Canvas, g Glyphs) int {
	text := min(len(b.lines), max(c.Height()-len(b.flips), 1))
	y := 0
	for i, line := range b.lines[:text] {
		if i == text-1 && text < len(b.lines) {
			var buf [512]byte
			long := append(append(append(buf[:0], line...), ' '), strings.TrimSpace(b.lines[text])...)
			c.Bytes(0, y, g.cutBytes(long, c.Width()), StyleWhy)
		} else {
			c.Text(0, y, line, StyleWhy)
		}
		if i == 0 && strings.HasPrefix(line, b.headline) {
			c.Text(0, y, b.headline, StyleHeader)
		}
		y++
	}
	for _, line := range b.flips {
		c.Text(0, y, line, StyleNote)
		y++
	}
	return min(y, c.Height())
}
