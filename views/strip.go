package views

import (
	"math"
	"strings"

	"zerolag/scheduler"
)

// Strips is what the picture of a machine's queues is made of: one CPU at one
// moment, or at two below each other on the same rulers, and below it the other
// CPUs.
type Strips struct {
	CPU int
	// Before and After are the two moments; Before nil: one strip.
	Before, After *scheduler.Frame
	// BeforeLabel and AfterLabel name the moments in the gutter.
	BeforeLabel, AfterLabel string
	// Compared tells that they are the same moment in two runs: arrows lead from
	// the place in the first to that in the second.
	Compared bool
	// Steps are the sub-steps for the split of a move by cause. They lead from
	// Origin to After; Origin nil: from Before.
	Steps  []scheduler.Step
	Origin *scheduler.Frame
	// Span names what the split covers, from Origin on ("in this tick"). "": it
	// covers what led from Before to After.
	Span     string
	Rulers   Rulers
	Shifts   []Shift
	Refit    bool               // scale and offset are not those of the last picture
	Woken    scheduler.TaskID   // woken or forked by this event; NoTask
	Picked   scheduler.EntityID // chosen by the last pick; NoEntity
	Selected scheduler.EntityID
	Unfolded []scheduler.EntityID // group entities whose members get rows, although folded by default
	Closed   []scheduler.EntityID // and those whose members get none
	ShowZero bool                 // mark zero_vruntime / min_vruntime
	// Limits are the lag limits by EntityID in ns of virtual time, 0 where
	// unknown; nil: not drawn.
	Limits []int64
	// Others are the CPUs below CPU, in this order.
	Others []OtherCPU
	// Idle are CPUs that share one line.
	Idle scheduler.CPUSet
	// FoldHint is written behind the line of folded groups: the key that unfolds.
	FoldHint string
	// Scratch is memory for the next picture, nil: new memory.
	Scratch *Scratch

	side bool // one of another picture's Others
}

// shortName is the name of an entity without the path of its group.
func shortName(e *scheduler.EntityFrame) string {
	if e.Task != scheduler.NoTask {
		return e.Name
	}
	if i := strings.LastIndexByte(e.Name, '/'); i >= 0 && i+1 < len(e.Name) {
		return e.Name[i+1:]
	}
	return e.Name
}

// entityName is the name of an entity in sentences.
func entityName(f *scheduler.Frame, id scheduler.EntityID) string {
	if e := f.Entity(id); e != nil {
		return shortName(e)
	}
	return "nobody"
}

// taskName is the name of a task, "idle" for none.
func taskName(f *scheduler.Frame, id scheduler.TaskID) string {
	if e := f.Task(id); e != nil {
		return e.Name
	}
	return "idle"
}

// painter draws the strips of one CPU.
type painter struct {
	in     *Strips
	s      *Scratch
	c      *Canvas
	g      Glyphs
	lay    layout
	width  int
	rulers Rulers
	rows   []stripRow
	moved  []movedRow
	groups bool // a line tells of the folded groups
	showsV bool // the moved rows show V
}

// painter prepares drawing in width columns.
func (in *Strips) painter(g Glyphs, width int) painter {
	lay := stripLayout(width)
	p := painter{in: in, s: in.Scratch, g: g, lay: lay, width: width, rulers: in.Rulers.Resized(lay.ruler)}
	if p.s == nil {
		p.s = &Scratch{}
	}
	p.s.members(in)
	p.rows = p.s.buildRows(in, math.MaxInt)
	p.groups = lay.gutter >= wideGutter && !in.side && p.hasFolded()
	p.moved = p.movedRows()
	for i := range p.moved {
		p.showsV = p.showsV || p.moved[i].showsV
	}
	return p
}

// height is the number of canvas rows for that many entity rows.
func (p *painter) height(rows int) int {
	extra := len(p.moved)
	if p.groups {
		extra++
	}
	if p.in.Before == nil {
		return 2 + rows + extra
	}
	return 3 + 2*rows + extra
}

// need is the number of canvas rows that would show everything, the other CPUs
// included.
func (in *Strips) need(g Glyphs, width int) int {
	if in.After == nil {
		return 0
	}
	total := 0
	for i := range in.Others {
		total += in.otherHeight(g, width, in.Others[i])
	}
	if !in.Idle.Empty() {
		total++
	}
	p := in.painter(g, width)
	return total + p.height(len(p.rows))
}

// linesBelow is the least number of rows for the other CPUs in height rows.
func (in *Strips) linesBelow(height int) int {
	lines := len(in.Others)
	if !in.Idle.Empty() {
		lines++
	}
	return min(lines, height/4)
}

// least is the number of rows for both moments of those who always have a row, the
// other CPUs in a line each.
func (in *Strips) least(g Glyphs, width int) int {
	if in.After == nil {
		return 0
	}
	p := in.painter(g, width)
	lines := len(in.Others)
	if !in.Idle.Empty() {
		lines++
	}
	rows := p.height(len(p.s.buildRows(in, 1)))
	return rows + min(lines, (rows+2)/3)
}

// fits tells whether both moments have room for those who always have a row.
func (in *Strips) fits(g Glyphs, width, height int) bool {
	if in.After == nil || in.Before == nil {
		return true
	}
	height -= in.linesBelow(height)
	p := in.painter(g, width)
	room := (height - p.height(0)) / 2
	return p.height(len(p.s.buildRows(in, max(room, 1)))) <= height
}

// Draw draws the strips from row 0 of c on, the other CPUs below them as room
// permits, and returns the number of rows used.
func (in *Strips) Draw(c *Canvas, g Glyphs) int {
	if in.After == nil || c.Width() == 0 || c.Height() == 0 {
		return 0
	}
	height := c.Height() - in.linesBelow(c.Height())
	p := in.painter(g, c.Width())
	p.c = c
	y := min(p.draw(height), c.Height())
	return in.drawOthers(c, y, g)
}

// draw draws the strips of the CPU in that many rows and returns those used.
func (p *painter) draw(height int) int {
	room := height - p.height(0)
	if p.in.Before != nil {
		room /= 2
	}
	if len(p.rows) > room {
		p.rows = p.s.buildRows(p.in, max(room, 1))
		p.groups = p.groups && p.hasFolded()
	}
	y := p.head()
	if p.in.Before != nil {
		y = p.strip(y, p.in.Before, nil, p.in.BeforeLabel)
	}
	y = p.strip(y, p.in.After, p.in.Before, p.in.AfterLabel)
	for i := range p.moved {
		p.movedRow(y, &p.moved[i])
		y++
	}
	if p.groups {
		p.foldedLine(y)
		y++
	}
	return y
}

// layout is the division of a strip's width into columns.
type layout struct {
	gutter   int // names
	ruler    int // the axis
	lagEnd   int // column after the lag
	en       int // E or N
	state    int // state letters
	extra    int // what shares a column, waits
	decimals int
}

// wideGutter is the gutter from which weights and folded groups are told.
const wideGutter = 16

func stripLayout(width int) layout {
	switch {
	case width < 80:
		return newLayout(10, width-26, layout{lagEnd: 8, en: 9, state: 12, extra: 14}, width)
	case width < 110:
		return newLayout(10, width-30, layout{lagEnd: 8, en: 9, state: 12, extra: 15}, width)
	case width < 150:
		return newLayout(wideGutter, width-48, layout{lagEnd: 12, en: 14, state: 17, extra: 21}, width)
	}
	return newLayout(24, width-64, layout{lagEnd: 14, en: 16, state: 19, extra: 24}, width)
}

func newLayout(gutter, ruler int, right layout, width int) layout {
	ruler = max(ruler, 0)
	start := gutter + ruler
	return layout{
		gutter: gutter, ruler: ruler, decimals: decimalsFor(width),
		lagEnd: start + right.lagEnd, en: start + right.en, state: start + right.state, extra: start + right.extra,
	}
}

// RulerColumns is the number of columns of the axis in strips that wide.
func RulerColumns(width int) int { return stripLayout(width).ruler }
