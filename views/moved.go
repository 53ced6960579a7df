package views

import (
	"slices"

	"zerolag/scheduler"
)

// mover is V or an entity whose place on its axis changed.
type mover struct {
	name             string
	entity           scheduler.EntityID // NoEntity: V
	queue            scheduler.QueueID
	from, to         int64 // coordinates, ns
	fromCol, toCol   int
	fromV, toV       scheduler.Vtime // values, for the text
	protFrom, protTo int64           // what is left until vprot, ns; equal: not told
}

func (m *mover) by() int64 { return m.to - m.from }

// movedRow is one row of arrows, or a line of text.
type movedRow struct {
	movers []mover
	text   string
	showsV bool
	lone   bool // the only mover of the picture
	first  bool
}

const (
	maxMovedRows = 4
	maxSplitRows = 2
)

// movedRows packs everything that moved into rows of arrows that do not
// overlap, followed by the splits of moves by cause.
func (p *painter) movedRows() []movedRow {
	if p.in.Before == nil {
		return nil
	}
	movers := p.movers()
	var rows []movedRow
	for _, m := range movers {
		i := slices.IndexFunc(rows, func(r movedRow) bool { return r.fits(m) })
		if i < 0 {
			if len(rows) == maxMovedRows {
				break
			}
			rows = append(rows, movedRow{lone: len(movers) == 1, first: len(rows) == 0})
			i = len(rows) - 1
		}
		rows[i].movers = append(rows[i].movers, m)
		rows[i].showsV = rows[i].showsV || m.entity == scheduler.NoEntity && m.queue == scheduler.QueueID(p.in.CPU)
	}
	splits := 0
	for i := range movers {
		if text := p.split(&movers[i]); text != "" && splits < maxSplitRows {
			rows = append(rows, movedRow{text: text})
			splits++
		}
	}
	return rows
}

// fits tells whether m's arrow has room in the row.
func (r *movedRow) fits(m mover) bool {
	for i := range r.movers {
		o := &r.movers[i]
		if o.queue != m.queue || min(o.fromCol, o.toCol) <= max(m.fromCol, m.toCol)+1 && min(m.fromCol, m.toCol) <= max(o.fromCol, o.toCol)+1 {
			return false
		}
	}
	return len(r.movers) < 3
}

// movers lists V and the entities of every queue of the CPU that moved.
func (p *painter) movers() []mover {
	var list []mover
	before, after := p.in.Before, p.in.After
	for i := range after.Queues {
		q, old := &after.Queues[i], before.Queue(scheduler.QueueID(i))
		if q.CPU != p.in.CPU || old == nil || !populated(q) || !populated(old) {
			continue
		}
		axis := p.rulers.Axis(q.ID)
		name := "V"
		if q.Owner != scheduler.NoEntity {
			name = "V in " + entityName(after, q.Owner)
		}
		list = appendMover(list, axis, mover{
			name: name, entity: scheduler.NoEntity, queue: q.ID,
			fromV: old.V, toV: q.V, from: axis.Coordinate(old.V, old.V), to: axis.Coordinate(q.V, q.V),
		})
	}
	for i := range after.Entities {
		e, old := &after.Entities[i], before.Entity(scheduler.EntityID(i))
		if e.CPU != p.in.CPU || old == nil || !onAxis(e) || !onAxis(old) || e.Queue != old.Queue {
			continue
		}
		q, oldQueue := after.Queue(e.Queue), before.Queue(e.Queue)
		if q == nil || oldQueue == nil {
			continue
		}
		axis := p.rulers.Axis(e.Queue)
		m := mover{
			name: shortName(e), entity: e.ID, queue: e.Queue, fromV: old.Vruntime, toV: e.Vruntime,
			from: axis.Coordinate(old.Vruntime, oldQueue.V), to: axis.Coordinate(e.Vruntime, q.V),
		}
		if e.Protected && old.Protected && e.ProtectedTo != old.ProtectedTo {
			m.protFrom, m.protTo = old.ProtectedTo.Sub(old.Vruntime), e.ProtectedTo.Sub(e.Vruntime)
		}
		list = appendMover(list, axis, m)
	}
	return list
}

func appendMover(list []mover, axis Axis, m mover) []mover {
	if m.from == m.to {
		return list
	}
	clip := func(coordinate int64) int { return min(max(axis.Column(coordinate), 0), max(axis.Columns-1, 0)) }
	m.fromCol, m.toCol = clip(m.from), clip(m.to)
	return append(list, m)
}

// moved draws one moved row.
func (p *painter) moved(y int, row movedRow) {
	if row.text != "" {
		p.c.Text(1, y, p.g.cut(row.text, p.c.Width()-1), StyleText)
		return
	}
	if row.first {
		p.c.Text(1, y, "moved", StyleDim)
	}
	left, right, text := p.lay.ruler, 0, ""
	for i := range row.movers {
		m := &row.movers[i]
		p.arrow(y, m)
		left, right = min(left, m.fromCol, m.toCol), max(right, m.fromCol, m.toCol)
		if i > 0 {
			text += "   "
		}
		text += m.name + " " + SignedMs(m.by(), p.lay.decimals)
	}
	if m := &row.movers[0]; row.lone {
		text = m.name + " " + VtimeMs(m.fromV, p.lay.decimals) + " -> " + VtimeMs(m.toV, p.lay.decimals) +
			"  (" + SignedMs(m.by(), p.lay.decimals) + ")"
	}
	p.movedText(y, p.lay.gutter+left, p.lay.gutter+right, text)
}

// movedText writes the lengths right of the arrows, or left of them where the
// right has no room.
func (p *painter) movedText(y, left, right int, text string) {
	x := right + 2
	if w := textWidth(text); x+w > p.c.Width() {
		if left-1-w >= p.lay.gutter {
			x = left - 1 - w
		} else {
			x = p.c.Width() - w
		}
	}
	p.c.Text(max(x, 0), y, text, StyleText)
}

// arrow draws from the old to the new place of m; V has its letter at the head.
func (p *painter) arrow(y int, m *mover) {
	x := p.lay.gutter
	from, to := x+m.fromCol, x+m.toCol
	style := StyleText
	if m.entity == scheduler.NoEntity {
		style = StyleV
	} else {
		p.c.SetOwner(EntityOwner(m.entity))
		defer p.c.SetOwner(Owner{})
	}
	p.c.Fill(min(from, to)+1, max(from, to), y, p.g.Shaft, style)
	p.c.Set(from, y, p.g.Ghost, StyleGhost)
	head, step := p.g.ArrowLeft, 1
	if m.by() > 0 {
		head, step = p.g.ArrowRight, -1
	}
	if m.entity != scheduler.NoEntity {
		p.c.Set(to, y, head, style)
		return
	}
	if max(from, to)-min(from, to) > 1 {
		p.c.Set(to+step, y, head, style)
	}
	p.c.Set(to, y, glyphVLetter, style)
}

// cause is one reason why something moved, with its length in ns.
type cause struct {
	word string
	by   int64
}

// split names the causes of a move, taken from the sub-steps; "" when one cause
// explains it all.
func (p *painter) split(m *mover) string {
	if m.entity == scheduler.NoEntity || p.rulers.Mode == AxisLag {
		return ""
	}
	causes := moveCauses(p.in.Before, p.in.Steps, m.entity)
	if len(causes) < 2 {
		return ""
	}
	text := m.name + ":"
	total := int64(0)
	for _, c := range causes {
		text += " " + c.word + " " + SignedMs(c.by, p.lay.decimals) + "  "
		total += c.by
	}
	text += " = " + SignedMs(total, p.lay.decimals)
	if m.protFrom != m.protTo {
		text += "   left until vprot: " + Ms(m.protFrom, p.lay.decimals) + " -> " + Ms(m.protTo, p.lay.decimals)
	}
	return text
}

// moveCauses splits the change of an entity's vruntime by the sub-steps. What a
// reweight moves is divided into the part of the lag's clamp and the rest.
func moveCauses(before *scheduler.Frame, steps []scheduler.Step, id scheduler.EntityID) []cause {
	e := before.Entity(id)
	if e == nil {
		return nil
	}
	at, clamp := e.Vruntime, int64(0)
	var causes []cause
	for i := range steps {
		s := &steps[i]
		if s.Kind == scheduler.StepLag && s.Reason == scheduler.ReasonLagClamped && s.Entity == id {
			lag, _ := s.Arg(scheduler.ArgLag)
			to, _ := s.Arg(scheduler.ArgLagTo)
			clamp = lag - to
		}
		if s.After == nil {
			continue
		}
		now := s.After.Entity(id)
		if now == nil || now.Vruntime == at {
			continue
		}
		by := now.Vruntime.Sub(at)
		at = now.Vruntime
		if s.Kind == scheduler.StepWeight && clamp != 0 {
			causes = addCause(causes, "lag clamp", clamp)
			by, clamp = by-clamp, 0
		}
		causes = addCause(causes, causeWord(s.Kind), by)
	}
	return causes
}

func addCause(causes []cause, word string, by int64) []cause {
	if by == 0 {
		return causes
	}
	for i := range causes {
		if causes[i].word == word {
			causes[i].by += by
			return causes
		}
	}
	return append(causes, cause{word, by})
}

// causeWord says in the split why a step moves an entity.
func causeWord(k scheduler.StepKind) string {
	switch k {
	case scheduler.StepCharge:
		return "ran"
	case scheduler.StepWeight, scheduler.StepShares:
		return "new weight"
	case scheduler.StepPlace, scheduler.StepEnqueue:
		return "placed"
	case scheduler.StepYield:
		return "yielded"
	case scheduler.StepLag, scheduler.StepDeadline, scheduler.StepResched, scheduler.StepDequeue, scheduler.StepCheck,
		scheduler.StepPick, scheduler.StepPut, scheduler.StepSet, scheduler.StepProtect, scheduler.StepBuddy,
		scheduler.StepTimer, scheduler.StepEdit, scheduler.StepSelect, scheduler.StepBalance:
	}
	return k.String()
}
