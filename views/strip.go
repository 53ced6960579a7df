package views

import (
	"math"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Strips is what the picture of one CPU's queues is made of: one moment, or two
// below each other on the same rulers.
type Strips struct {
	CPU int
	// Before and After are the two moments; Before nil: one strip.
	Before, After *scheduler.Frame
	// BeforeLabel and AfterLabel name the moments in the gutter.
	BeforeLabel, AfterLabel string
	// Steps are the sub-steps that lead from Before to After, for the split of
	// a move by cause.
	Steps    []scheduler.Step
	Rulers   Rulers
	Shifts   []Shift
	Woken    scheduler.TaskID   // woken or forked by this event; NoTask
	Picked   scheduler.EntityID // chosen by the last pick; NoEntity
	Selected scheduler.EntityID
	Unfolded []scheduler.EntityID // group entities whose only child gets a row
	ShowZero bool                 // mark zero_vruntime / min_vruntime
	// Limits are the lag limits by EntityID in ns of virtual time, 0 where
	// unknown; nil: not drawn.
	Limits []int64
}

// stripRow is one row of a strip.
type stripRow struct {
	kind   rowKind
	entity scheduler.EntityID // rowEntity
	queue  scheduler.QueueID
	depth  int
	name   string
	rest   []scheduler.EntityID // rowDensity
}

type rowKind uint8

const (
	rowEntity rowKind = iota
	rowRuler          // the axis of a nested queue
	rowDensity
)

// rowBuilder collects the rows of a queue and of the queues below it. Both
// strips of a pair use the same rows, so that everybody stands below himself.
type rowBuilder struct {
	in      *Strips
	members map[scheduler.QueueID][]scheduler.EntityID // in order of id
	keep    map[scheduler.EntityID]bool                // nil: all
	rows    []stripRow
}

// rows chooses the rows of the strips, at most limit of them. With more
// entities the current, woken, picked and selected ones are kept, then as many
// others as fit, in order; the rest share one row per queue.
func (in *Strips) rows(limit int) []stripRow {
	b := rowBuilder{in: in, members: in.members()}
	root := scheduler.QueueID(in.CPU)
	b.queue(root, 0)
	if len(b.rows) <= limit {
		return b.rows
	}
	b.keep = in.pinned()
	all := b.members[root]
	for _, id := range all {
		if b.keep[id] {
			continue
		}
		b.keep[id] = true
		b.rows = nil
		if b.queue(root, 0); len(b.rows) > limit {
			delete(b.keep, id)
			break
		}
	}
	b.rows = nil
	b.queue(root, 0)
	return b.rows
}

// members lists the entities of every queue that exist in one of the moments.
func (in *Strips) members() map[scheduler.QueueID][]scheduler.EntityID {
	alive := make([]bool, len(in.After.Entities))
	for _, f := range []*scheduler.Frame{in.Before, in.After} {
		if f == nil {
			continue
		}
		for i := range f.Entities {
			e := &f.Entities[i]
			if e.Task == scheduler.NoTask || e.State == scheduler.StateNew || e.State == scheduler.StateDead {
				continue
			}
			for e != nil && int(e.ID) < len(alive) && e.ID >= 0 && !alive[e.ID] {
				alive[e.ID] = true
				e = f.Entity(e.Parent)
			}
		}
	}
	members := map[scheduler.QueueID][]scheduler.EntityID{}
	for i := range in.After.Entities {
		if e := &in.After.Entities[i]; alive[i] && e.CPU == in.CPU {
			members[e.Queue] = append(members[e.Queue], e.ID)
		}
	}
	return members
}

// pinned are the entities that always have a row, with their ancestors.
func (in *Strips) pinned() map[scheduler.EntityID]bool {
	keep := map[scheduler.EntityID]bool{}
	pin := func(id scheduler.EntityID) {
		for e := in.After.Entity(id); e != nil && !keep[e.ID]; e = in.After.Entity(e.Parent) {
			keep[e.ID] = true
		}
	}
	for i := range in.After.Queues {
		if q := &in.After.Queues[i]; q.CPU == in.CPU {
			pin(q.Curr)
		}
	}
	if in.Before != nil {
		for i := range in.Before.Queues {
			if q := &in.Before.Queues[i]; q.CPU == in.CPU {
				pin(q.Curr)
			}
		}
	}
	if e := in.After.Task(in.Woken); e != nil {
		pin(e.ID)
	}
	pin(in.Picked)
	pin(in.Selected)
	return keep
}

func (b *rowBuilder) queue(id scheduler.QueueID, depth int) {
	var rest []scheduler.EntityID
	for _, member := range b.members[id] {
		if b.keep != nil && !b.keep[member] {
			rest = append(rest, member)
			continue
		}
		b.entity(member, depth)
	}
	if len(rest) > 0 {
		b.rows = append(b.rows, stripRow{kind: rowDensity, queue: id, depth: depth, entity: scheduler.NoEntity, rest: rest})
	}
}

// entity adds the row of an entity; below a group entity with several children,
// or an unfolded one, follow the axis and the rows of its queue.
func (b *rowBuilder) entity(id scheduler.EntityID, depth int) {
	e := b.in.After.Entity(id)
	row := stripRow{entity: id, queue: e.Queue, depth: depth, name: shortName(e)}
	children := b.members[e.Owns]
	for e.Owns != scheduler.NoQueue && len(children) == 1 && !slices.Contains(b.in.Unfolded, e.ID) {
		e = b.in.After.Entity(children[0])
		row.name += "/" + shortName(e)
		children = b.members[e.Owns]
	}
	b.rows = append(b.rows, row)
	if e.Owns == scheduler.NoQueue || len(children) == 0 || b.keep != nil && !b.keepsAny(children) {
		return
	}
	b.rows = append(b.rows, stripRow{kind: rowRuler, queue: e.Owns, depth: depth + 1, entity: e.ID, name: shortName(e)})
	b.queue(e.Owns, depth+1)
}

func (b *rowBuilder) keepsAny(ids []scheduler.EntityID) bool {
	return slices.ContainsFunc(ids, func(id scheduler.EntityID) bool { return b.keep[id] })
}

// shortName is the name of an entity without the path of its group.
func shortName(e *scheduler.EntityFrame) string {
	if i := strings.LastIndexByte(e.Name, '/'); i >= 0 && e.Task == scheduler.NoTask && i+1 < len(e.Name) {
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

// height is the number of canvas rows that Draw uses for these rows.
func (in *Strips) height(rows, moved int) int {
	if in.Before == nil {
		return 2 + rows
	}
	return 3 + 2*rows + moved
}

// need is the number of canvas rows that would show everything.
func (in *Strips) need(width int) int {
	if in.After == nil {
		return 0
	}
	p := in.painter(nil, Glyphs{}, width)
	return in.height(len(in.rows(math.MaxInt)), len(p.movedRows()))
}

// fits tells whether both moments have room for those who always have a row.
func (in *Strips) fits(width, height int) bool {
	if in.After == nil || in.Before == nil {
		return true
	}
	p := in.painter(nil, Glyphs{}, width)
	moved := len(p.movedRows())
	room := (height - in.height(0, moved)) / 2
	return in.height(len(in.rows(max(room, 1))), moved) <= height
}

func (in *Strips) painter(c *Canvas, g Glyphs, width int) painter {
	lay := stripLayout(width)
	return painter{in: in, c: c, g: g, lay: lay, rulers: in.Rulers.Resized(lay.ruler)}
}

// Draw draws the strips from row 0 of c on and returns the number of rows used.
func (in *Strips) Draw(c *Canvas, g Glyphs) int {
	if in.After == nil || c.Width() == 0 || c.Height() == 0 {
		return 0
	}
	p := in.painter(c, g, c.Width())
	moved := p.movedRows()
	room := c.Height() - in.height(0, len(moved))
	if in.Before != nil {
		room /= 2
	}
	p.rows = in.rows(max(room, 1))
	p.showsV = in.Before != nil && slices.ContainsFunc(moved, func(r movedRow) bool { return r.showsV })
	y := p.head()
	if in.Before != nil {
		y = p.strip(y, in.Before, nil, in.BeforeLabel)
	}
	y = p.strip(y, in.After, in.Before, in.AfterLabel)
	for _, row := range moved {
		p.moved(y, row)
		y++
	}
	return min(y, c.Height())
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

func stripLayout(width int) layout {
	switch {
	case width < 80:
		return newLayout(10, width-26, layout{lagEnd: 8, en: 9, state: 12, extra: 14}, width)
	case width < 110:
		return newLayout(10, width-30, layout{lagEnd: 8, en: 9, state: 12, extra: 15}, width)
	case width < 150:
		return newLayout(16, width-48, layout{lagEnd: 12, en: 14, state: 17, extra: 21}, width)
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
