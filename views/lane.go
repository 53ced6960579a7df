package views

import (
	"fmt"

	"zerolag/model"
	"zerolag/scheduler"
)

// columnsPerTick is the width of one tick in the lanes at the default scale.
const columnsPerTick = 16

// LaneAxis maps wall time to the columns of the real-time lanes.
type LaneAxis struct {
	From    scheduler.Time // left edge of column 0
	Tick    scheduler.Time // length of a tick, ns
	PerTick int            // columns a tick
	Columns int
}

// FitLanes is the window of the lanes for a cursor: the tick is 16 columns, the
// window starts at a whole tick and the cursor stands in its first five sixths.
func FitLanes(columns int, tick, cursor scheduler.Time) LaneAxis {
	a := LaneAxis{Tick: max(tick, 1), PerTick: columnsPerTick, Columns: max(columns, 0)}
	reach := scheduler.Time(a.Columns*5/6) * a.Tick / columnsPerTick
	from := (cursor - reach + a.Tick - 1) / a.Tick
	a.From = max(min(from, cursor/a.Tick), 0) * a.Tick
	return a
}

// To is the right edge of the window.
func (a LaneAxis) To() scheduler.Time {
	return a.From + scheduler.Time(a.Columns)*a.Tick/scheduler.Time(max(a.PerTick, 1))
}

// Column is the column whose left edge is nearest to t; a cell shows what goes on
// at its middle. -1 is left of the window, Columns right of it.
func (a LaneAxis) Column(t scheduler.Time) int {
	switch {
	case t < a.From:
		return -1
	case t >= a.To():
		return a.Columns
	}
	return int(((t-a.From)*scheduler.Time(a.PerTick) + a.Tick/2) / a.Tick)
}

// Lane is one task's row.
type Lane struct {
	Task     scheduler.TaskID
	Name     string
	Segments []model.Segment
	Wakeups  []scheduler.Time
}

// Lanes are the real-time rows of one CPU: what happened up to Cursor, and the
// ticks, which come whatever happens.
type Lanes struct {
	Axis   LaneAxis
	Ticks  []scheduler.Time
	Cursor scheduler.Time
	Rows   []Lane
}

const laneGutter = 10

// LaneColumns is the number of columns of the lanes in a picture that wide.
func LaneColumns(width int) int { return max(width-laneGutter-4, 0) }

// Draw draws the tick row and as many tasks as fit, and returns the rows used.
func (l *Lanes) Draw(c *Canvas, g Glyphs) int {
	if c.Height() == 0 {
		return 0
	}
	l.drawTicks(c, g)
	rows := min(len(l.Rows), c.Height()-1)
	if rows < len(l.Rows) && rows > 0 {
		rows--
		c.Text(1, rows+1, fmt.Sprintf("%d more", len(l.Rows)-rows), StyleDim)
		for i := range rows {
			l.drawRow(c, i+1, &l.Rows[i], g)
		}
		return rows + 2
	}
	for i := range rows {
		l.drawRow(c, i+1, &l.Rows[i], g)
	}
	return rows + 1
}

func (l *Lanes) drawTicks(c *Canvas, g Glyphs) {
	c.Text(0, 0, "time", StyleDim)
	c.Fill(laneGutter, laneGutter+l.Axis.Columns, 0, g.Dash, StyleDim)
	for _, t := range l.Ticks {
		l.set(c, 0, t, glyphTick, StyleText)
	}
	l.set(c, 0, l.Cursor, glyphCursor, StyleCurr)
	c.Text(laneGutter+l.Axis.Columns, 0, " ms", StyleDim)
}

func (l *Lanes) set(c *Canvas, y int, t scheduler.Time, r rune, style Style) {
	if col := l.Axis.Column(t); col >= 0 && col < l.Axis.Columns {
		c.Set(laneGutter+col, y, r, style)
	}
}

// drawRow draws one task up to the cursor. Waiting right after running is a
// preemption: its first cell is marked by style.
func (l *Lanes) drawRow(c *Canvas, y int, lane *Lane, g Glyphs) {
	c.SetOwner(Owner{OwnerTask, int32(lane.Task)})
	defer c.SetOwner(Owner{})
	c.Text(1, y, g.cut(lane.Name, laneGutter-2), StyleText)
	for pass := range 2 {
		for i := range lane.Segments {
			s := &lane.Segments[i]
			if running := s.State == scheduler.StateRunning; running == (pass == 1) {
				l.drawSegment(c, y, s, g)
			}
		}
	}
	for i := 1; i < len(lane.Segments); i++ {
		s := &lane.Segments[i]
		if s.State == scheduler.StateQueued && lane.Segments[i-1].State == scheduler.StateRunning && s.From < l.Cursor {
			l.restyle(c, y, s.From, StylePreempted)
		}
	}
	for _, t := range lane.Wakeups {
		if col := l.Axis.Column(t); t <= l.Cursor && c.At(laneGutter+col, y).Rune == ' ' {
			l.set(c, y, t, glyphWakeup, StyleNote)
		}
	}
}

func (l *Lanes) restyle(c *Canvas, y int, t scheduler.Time, style Style) {
	col := l.Axis.Column(t)
	if col < 0 || col >= l.Axis.Columns {
		return
	}
	if r := c.At(laneGutter+col, y).Rune; r != ' ' {
		c.Set(laneGutter+col, y, r, style)
	}
}

// drawSegment fills the cells of a segment; one too short for a cell of its own
// gets the cell it starts in.
func (l *Lanes) drawSegment(c *Canvas, y int, s *model.Segment, g Glyphs) {
	glyph, style := ' ', StyleText
	switch s.State {
	case scheduler.StateRunning:
		glyph, style = g.Running, StyleRunning
	case scheduler.StateQueued:
		glyph, style = g.Waiting, StyleWaiting
	case scheduler.StateDelayed:
		glyph, style = glyphDelayed, StyleDelayed
	case scheduler.StateNew, scheduler.StateSleeping, scheduler.StateDead:
		return
	}
	to := min(s.To, l.Cursor)
	if to <= s.From || to < l.Axis.From || s.From >= l.Axis.To() {
		return
	}
	from := max(l.Axis.Column(s.From), 0)
	end := max(min(l.Axis.Column(to), l.Axis.Columns), from+1)
	if end == from+1 && s.State != scheduler.StateRunning && c.At(laneGutter+from, y).Rune != ' ' {
		return
	}
	c.Fill(laneGutter+from, laneGutter+min(end, l.Axis.Columns), y, glyph, style)
}
