package views

import (
	"fmt"
	"strings"

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

// draw draws the two status lines.
func (s *Status) draw(c *Canvas, g Glyphs) {
	wide := c.Width() >= 110
	gap, unit := "  ", ""
	if wide {
		gap, unit = "   ", " ms"
	}
	right := s.position()
	end := statusRight(c.Width())
	left := s.Scenario + gap + s.Kernel + gap + fmt.Sprintf("HZ %d", s.HZ) + gap + "base " + trimZeros(Ms(int64(s.BaseSlice), FullDecimals)) + unit + gap
	left += "features: " + s.features(end-textWidth(left)-len("features: ")-len(right)-2)
	c.Text(0, 0, g.cut(left, max(end-len(right)-2, 0)), StyleHeader)
	c.TextRight(end, 0, right, StyleHeader)

	x := c.Text(0, 1, s.moment(), StyleText)
	lay := stripLayout(c.Width())
	tail := s.tail()
	start := lay.gutter + lay.ruler
	if w := textWidth(tail); start+w > c.Width() || start < x+2 {
		start = c.Width() - w
	}
	if start >= x+2 {
		c.Text(start, 1, tail, StyleText)
	}
}

// position is the event's number of how many.
func (s *Status) position() string {
	more := "+"
	if s.Complete {
		more = ""
	}
	return fmt.Sprintf("ev %d/%d%s", s.Event, s.Known, more)
}

// features lists the changed features in the room there is, counting the rest.
func (s *Status) features(room int) string {
	if len(s.Features) == 0 {
		return "default"
	}
	for n := len(s.Features); n > 0; n-- {
		text := strings.Join(s.Features[:n], " ")
		if n < len(s.Features) {
			text += fmt.Sprintf(" +%d", len(s.Features)-n)
		}
		if textWidth(text) <= room {
			return text
		}
	}
	return fmt.Sprintf("%d changed", len(s.Features))
}

func (s *Status) moment() string {
	text := "t " + Clock(s.Time) + " ms"
	if s.Uncharged > 0 {
		text += fmt.Sprintf(" +%d ns not charged", s.Uncharged)
	}
	return text + fmt.Sprintf("   cpu%d   %s", s.CPU, s.Title)
}

func (s *Status) tail() string {
	text := s.Branch
	if s.Scope != "" {
		text += "  scope " + s.Scope
	}
	if s.Elsewhere > 0 {
		text += fmt.Sprintf("  +%d elsewhere", s.Elsewhere)
	}
	if s.Play != "" {
		text += "  [" + s.Play + "]"
	}
	return strings.TrimSpace(text)
}

// noteLines wraps the note to at most two lines.
func (s *Status) noteLines(width int, g Glyphs) []string {
	if s.Note == "" {
		return nil
	}
	text := "! " + s.Note
	if s.NextNote != "" {
		text += "  " + s.NextNote
	}
	lines := wrap(text, width, "  ")
	if len(lines) > 2 {
		lines = []string{lines[0], g.cut(lines[1]+" "+lines[2], width)}
	}
	return lines
}

// trimZeros drops trailing zeros of a decimal fraction.
func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
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
