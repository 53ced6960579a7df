package views

import (
	"strconv"

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

// Latest is the last moment that a column of a picture with lanes shows, if x is in
// their window; it is what Column brings there.
func (a LaneAxis) Latest(x int) (t scheduler.Time, ok bool) {
	col := x - laneGutter
	if col < 0 || col >= a.Columns || a.PerTick <= 0 {
		return 0, false
	}
	return a.From + (scheduler.Time(2*col+1)*a.Tick-1)/scheduler.Time(2*a.PerTick), true
}

// OnLanes tells whether row y of a screen is one of the lanes or their ruler.
func OnLanes(c *Canvas, y int) bool {
	for x := range min(laneGutter, c.Width()) {
		if c.At(x, y).Owner.Kind == OwnerLane {
			return true
		}
	}
	return false
}

// Lane is the row of one task, or of several that share one.
type Lane struct {
	Task     scheduler.TaskID
	CPU      int // where it is at the cursor
	Name     string
	Segments []model.Segment
	Wakeups  []scheduler.Time
	// Moves are the migrations in the window, and before the first of them, if
	// there is one, the CPU that it came from.
	Moves []Move
}

// Move is the moment from which a task runs on another CPU.
type Move struct {
	At  scheduler.Time
	CPU int
}

// Lanes are the real-time rows of one CPU or several: what happened up to Cursor,
// and the ticks of CPU, which come whatever happens. Rows are in order of CPU.
type Lanes struct {
	Axis   LaneAxis
	CPU    int  // of the event: its rows come first where room lacks
	Many   bool // the machine has several CPUs: rows name theirs
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
	c.SetOwner(Owner{OwnerLane, -1})
	l.drawTicks(c, g)
	c.SetOwner(Owner{})
	rows := min(len(l.Rows), c.Height()-1)
	if rows == len(l.Rows) || rows == 0 {
		l.drawRows(c, rows, g)
		return rows + 1
	}
	rows--
	l.drawRows(c, rows, g)
	var buf [numberBytes]byte
	c.Bytes(1, rows+1, append(strconv.AppendInt(buf[:0], int64(len(l.Rows)-rows), 10), " more"...), StyleDim)
	return rows + 2
}

// drawRows draws that many rows.
func (l *Lanes) drawRows(c *Canvas, rows int, g Glyphs) {
	y, cpu, number := 1, -1, l.numberColumns()
	keep := l.kept(rows)
	for i := range l.Rows[:min(len(l.Rows), maxLanes)] {
		lane := &l.Rows[i]
		if !keep[i] {
			continue
		}
		l.drawName(c, y, lane, lane.CPU != cpu, number, g)
		l.drawRow(c, y, lane, g)
		cpu = lane.CPU
		y++
	}
}

// kept chooses that many rows: first those of the event's CPU where something goes
// on, then such ones of others, then sleepers.
func (l *Lanes) kept(rows int) (keep [maxLanes]bool) {
	choose(keep[:min(len(l.Rows), maxLanes)], rows, func(i int) int {
		return laneRank(l.Rows[i].CPU == l.CPU, l.Rows[i].active())
	})
	return keep
}

// laneRanks is the number of ranks of lanes; the least is wanted most.
const laneRanks = 4

// laneRank is the rank of a lane: is it of the event's CPU, and does it show more
// than sleep?
func laneRank(own, active bool) int {
	rank := 0
	if !own {
		rank = 1
	}
	if !active {
		rank += 2
	}
	return rank
}

// choose marks n of the lanes, those of the least ranks.
func choose(keep []bool, n int, rank func(i int) int) {
	for r := range laneRanks {
		for i := range keep {
			if n > 0 && rank(i) == r {
				keep[i] = true
				n--
			}
		}
	}
}

// active tells whether a row shows more than sleep.
func (l *Lane) active() bool {
	for i := range l.Segments {
		switch l.Segments[i].State {
		case scheduler.StateRunning, scheduler.StateQueued, scheduler.StateDelayed:
			return true
		case scheduler.StateNew, scheduler.StateSleeping, scheduler.StateDead:
		}
	}
	return len(l.Wakeups) > 0
}

func (l *Lanes) drawTicks(c *Canvas, g Glyphs) {
	head := "time"
	if l.Many {
		head = "cpu time"
	}
	c.Text(0, 0, head, StyleDim)
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

// numberColumns is the width of the longest number of a CPU in the gutter.
func (l *Lanes) numberColumns() int {
	width := 1
	if !l.Many {
		return 0
	}
	for i := range l.Rows {
		for n, digits := l.Rows[i].CPU, 1; n > 0; n, digits = n/10, digits+1 {
			width = max(width, digits)
		}
	}
	return width
}

// drawName draws the name of a row and, where none above is of its CPU, the number
// of that.
func (l *Lanes) drawName(c *Canvas, y int, lane *Lane, first bool, number int, g Glyphs) {
	c.SetOwner(Owner{OwnerLane, int32(lane.Task)})
	defer c.SetOwner(Owner{})
	if l.Many && first {
		var buf [numberBytes]byte
		c.Bytes(0, y, strconv.AppendInt(buf[:0], int64(lane.CPU), 10), StyleHeader)
	}
	x := number + 1
	c.Text(x, y, g.cutNumbered(lane.Name, laneGutter-1-x), StyleText)
}

// drawRow draws one task up to the cursor. Waiting right after running is a
// preemption: its first cell is marked by style.
func (l *Lanes) drawRow(c *Canvas, y int, lane *Lane, g Glyphs) {
	c.SetOwner(Owner{OwnerLane, int32(lane.Task)})
	defer c.SetOwner(Owner{})
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
	l.drawMoves(c, y, lane, g)
	for _, t := range lane.Wakeups {
		if col := l.Axis.Column(t); t <= l.Cursor && c.At(laneGutter+col, y).Rune == ' ' {
			l.set(c, y, t, glyphWakeup, StyleNote)
		}
	}
}

// drawMoves marks the first run after each migration with an arrow and the number
// of the CPU, and before the first one where the task came from.
func (l *Lanes) drawMoves(c *Canvas, y int, lane *Lane, g Glyphs) {
	for i, m := range lane.Moves {
		col := l.Axis.Column(max(m.At, l.Axis.From))
		if m.At > l.Cursor || !l.inside(col) {
			continue
		}
		var buf [numberBytes]byte
		b := buf[:0]
		if i > 0 {
			c.Set(laneGutter+col, y, g.ArrowRight, StyleNote)
			col++
		}
		b = strconv.AppendInt(b, int64(m.CPU), 10)
		for _, digit := range b {
			if l.inside(col) && c.At(laneGutter+col, y).Rune == g.Running {
				c.Set(laneGutter+col, y, rune(digit), StyleNote)
			}
			col++
		}
	}
}

func (l *Lanes) inside(col int) bool { return col >= 0 && col < l.Axis.Columns }

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
