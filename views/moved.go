package views

import (
	"zerolag/scheduler"
)

// mover is V or an entity whose place on its axis changed.
type mover struct {
	entity           scheduler.EntityID // NoEntity: V
	queue            scheduler.QueueID
	from, to         int64 // coordinates, ns
	fromCol, toCol   int
	fromV, toV       scheduler.Vtime // values, for the text
	protFrom, protTo int64           // what is left until vprot, ns; equal: not told
}

func (m *mover) by() int64 { return m.to - m.from }

// movedRow is one row of arrows, or the split of one move by cause.
type movedRow struct {
	movers [maxArrows]int // indices of Scratch.movers
	n      int
	causes []cause // of the only mover, for a row of text
	left   bool    // a row of text: what is left of the protection of the only mover
	showsV bool
	lone   bool // the only mover of the picture
	first  bool
}

const (
	maxArrows    = 3 // movers in one row
	maxMovedRows = 4
	maxSplitRows = 2
)

// movedRows packs everything that moved into rows of arrows that do not
// overlap, followed by the splits of moves by cause.
func (p *painter) movedRows() []movedRow {
	s := p.s
	s.moved, s.movers, s.causes = s.moved[:0], s.movers[:0], s.causes[:0]
	if p.in.Before == nil {
		return nil
	}
	p.movers()
	for i := range s.movers {
		row := p.rowFor(&s.movers[i])
		if row == nil {
			break
		}
		row.movers[row.n] = i
		row.n++
		m := &s.movers[i]
		row.showsV = row.showsV || m.entity == scheduler.NoEntity && m.queue == scheduler.QueueID(p.in.CPU)
	}
	splits := 0
	for i := range s.movers {
		if splits == maxSplitRows {
			break
		}
		if causes := p.causes(&s.movers[i]); len(causes) > 1 {
			p.addSplit(i, causes)
			splits++
		}
	}
	return s.moved
}

// addSplit adds the split of a move. What is left of the protection follows in the
// same row, or in one of its own where room lacks.
func (p *painter) addSplit(i int, causes []cause) {
	s := p.s
	s.moved = append(s.moved, movedRow{movers: [maxArrows]int{i}, n: 1, causes: causes})
	m := &s.movers[i]
	var buf [256]byte
	if m.protFrom != m.protTo && bytesWidth(p.appendMove(buf[:0], m, causes, ShortDecimals)) > p.width-1 {
		s.moved = append(s.moved, movedRow{movers: [maxArrows]int{i}, n: 1, left: true})
	}
}

// rowFor is a row with room for m's arrow, nil if there is none.
func (p *painter) rowFor(m *mover) *movedRow {
	s := p.s
	for i := range s.moved {
		if p.hasRoom(&s.moved[i], m) {
			return &s.moved[i]
		}
	}
	if len(s.moved) == maxMovedRows {
		return nil
	}
	s.moved = append(s.moved, movedRow{lone: len(s.movers) == 1, first: len(s.moved) == 0})
	return &s.moved[len(s.moved)-1]
}

// hasRoom tells whether m's arrow fits into the row.
func (p *painter) hasRoom(r *movedRow, m *mover) bool {
	for _, i := range r.movers[:r.n] {
		o := &p.s.movers[i]
		if o.queue != m.queue || min(o.fromCol, o.toCol) <= max(m.fromCol, m.toCol)+1 && min(m.fromCol, m.toCol) <= max(o.fromCol, o.toCol)+1 {
			return false
		}
	}
	return r.n < maxArrows
}

// drawnQueue tells whether the picture has an axis of a queue.
func (p *painter) drawnQueue(q scheduler.QueueID) bool {
	if q == scheduler.QueueID(p.in.CPU) {
		return true
	}
	for i := range p.rows {
		if r := &p.rows[i]; r.kind == rowRuler && r.queue == q {
			return true
		}
	}
	return false
}

// movers lists V and the entities that moved on the axes of the picture.
func (p *painter) movers() {
	before, after := p.in.Before, p.in.After
	for i := range after.Queues {
		q, old := &after.Queues[i], before.Queue(scheduler.QueueID(i))
		if q.CPU != p.in.CPU || !p.drawnQueue(q.ID) || old == nil || !populated(q) || !populated(old) {
			continue
		}
		axis := p.rulers.Axis(q.ID)
		p.addMover(axis, mover{
			entity: scheduler.NoEntity, queue: q.ID, fromV: old.V, toV: q.V, from: axis.Coordinate(old.V, old.V), to: axis.Coordinate(q.V, q.V),
		})
	}
	for _, id := range p.s.ids {
		e, old := after.Entity(id), before.Entity(id)
		if old == nil || !p.drawnQueue(e.Queue) || !onAxis(e) || !onAxis(old) || !p.comparable(e.Queue, old.Queue) {
			continue
		}
		q, oldQueue := after.Queue(e.Queue), before.Queue(old.Queue)
		if q == nil || oldQueue == nil {
			continue
		}
		axis := p.rulers.Axis(e.Queue)
		m := mover{
			entity: e.ID, queue: e.Queue, fromV: old.Vruntime, toV: e.Vruntime,
			from: axis.Coordinate(old.Vruntime, oldQueue.V), to: axis.Coordinate(e.Vruntime, q.V),
		}
		if e.Protected && old.Protected && e.ProtectedTo != old.ProtectedTo {
			m.protFrom, m.protTo = old.ProtectedTo.Sub(old.Vruntime), e.ProtectedTo.Sub(e.Vruntime)
		}
		p.addMover(axis, m)
	}
}

// comparable tells whether places on two queues can be compared: on one axis, or
// by their distance from V.
func (p *painter) comparable(a, b scheduler.QueueID) bool {
	return a == b || p.rulers.Mode == AxisLag
}

func (p *painter) addMover(axis Axis, m mover) {
	if m.from == m.to {
		return
	}
	clip := func(coordinate int64) int { return min(max(axis.Column(coordinate), 0), max(axis.Columns-1, 0)) }
	m.fromCol, m.toCol = clip(m.from), clip(m.to)
	p.s.movers = append(p.s.movers, m)
}

// appendMover appends the name of what moved.
func (p *painter) appendMover(b []byte, m *mover) []byte {
	if m.entity != scheduler.NoEntity {
		return append(b, entityName(p.in.After, m.entity)...)
	}
	b = append(b, glyphVLetter)
	if q := p.in.After.Queue(m.queue); q != nil && q.Owner != scheduler.NoEntity {
		b = append(b, " in "...)
		b = append(b, entityName(p.in.After, q.Owner)...)
	}
	return b
}

// movedRow draws one row of what moved.
func (p *painter) movedRow(y int, row *movedRow) {
	var buf [256]byte
	b := buf[:0]
	if row.causes != nil || row.left {
		p.splitRow(y, row)
		return
	}
	if row.first {
		label := "moved"
		if p.in.Compared {
			label = "differ"
		}
		p.c.Text(1, y, label, StyleDim)
	}
	left, right := p.lay.ruler, 0
	for n, i := range row.movers[:row.n] {
		m := &p.s.movers[i]
		p.arrow(y, m)
		left, right = min(left, m.fromCol, m.toCol), max(right, m.fromCol, m.toCol)
		if n > 0 {
			b = append(b, "   "...)
		}
		b = append(p.appendMover(b, m), ' ')
		b = appendSignedMs(b, m.by(), p.lay.decimals)
	}
	if row.lone {
		m := &p.s.movers[row.movers[0]]
		b = append(p.appendMover(b[:0], m), ' ')
		b = append(p.appendPlace(b, m.fromV, m.from), " -> "...)
		b = append(p.appendPlace(b, m.toV, m.to), "  ("...)
		b = append(appendSignedMs(b, m.by(), p.lay.decimals), ')')
	}
	p.movedText(y, p.lay.gutter+left, p.lay.gutter+right, b)
}

// appendPlace appends a place: the vruntime, in the lag view its distance from V.
func (p *painter) appendPlace(b []byte, v scheduler.Vtime, coordinate int64) []byte {
	if p.rulers.Mode == AxisLag {
		return appendSignedMs(b, coordinate, p.lay.decimals)
	}
	return appendMs(b, int64(v), p.lay.decimals)
}

// splitRow writes the split of a move by cause and, in the same row or the next,
// what is left of the protection.
func (p *painter) splitRow(y int, row *movedRow) {
	var buf [256]byte
	m := &p.s.movers[row.movers[0]]
	if row.left {
		b := append(p.appendMover(buf[:0], m), ':')
		p.c.Bytes(1, y, p.g.cutBytes(p.appendLeft(b, m, p.lay.decimals), p.width-1), StyleText)
		return
	}
	b := p.appendMove(buf[:0], m, row.causes, p.lay.decimals)
	if bytesWidth(b) > p.width-1 {
		b = p.appendMove(buf[:0], m, row.causes, ShortDecimals)
	}
	if bytesWidth(b) > p.width-1 {
		b = p.appendSplit(buf[:0], m, row.causes, ShortDecimals)
	}
	p.c.Bytes(1, y, p.g.cutBytes(b, p.width-1), StyleText)
}

// appendMove appends the split of a move and, if it changed, what is left of the
// protection.
func (p *painter) appendMove(b []byte, m *mover, causes []cause, decimals int) []byte {
	b = p.appendSplit(b, m, causes, decimals)
	if m.protFrom == m.protTo {
		return b
	}
	return p.appendLeft(append(b, "  "...), m, decimals)
}

// movedText writes the lengths right of the arrows, or left of them where the
// right has no room.
func (p *painter) movedText(y, left, right int, text []byte) {
	x := right + 2
	if w := bytesWidth(text); x+w > p.c.Width() {
		if left-1-w >= p.lay.gutter {
			x = left - 1 - w
		} else {
			x = p.c.Width() - w
		}
	}
	p.c.Bytes(max(x, 0), y, text, StyleText)
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

// causes are the causes of a move, taken from the sub-steps.
func (p *painter) causes(m *mover) []cause {
	if m.entity == scheduler.NoEntity || p.rulers.Mode == AxisLag {
		return nil
	}
	origin := p.in.Origin
	if origin == nil {
		origin = p.in.Before
	}
	start := origin.Entity(m.entity)
	if start == nil {
		return nil
	}
	since := m.fromV
	if p.in.Span != "" {
		since = start.Vruntime
	}
	from := len(p.s.causes)
	p.s.causes = appendCauses(p.s.causes, start.Vruntime, since, p.in.Steps, m.entity)
	return p.s.causes[from:len(p.s.causes):len(p.s.causes)]
}

// appendSplit appends a move with its causes.
func (p *painter) appendSplit(b []byte, m *mover, causes []cause, decimals int) []byte {
	b = p.appendMover(b, m)
	if p.in.Span != "" {
		b = append(append(b, ' '), p.in.Span...)
	}
	b = append(b, ':')
	total := int64(0)
	for _, c := range causes {
		b = append(append(append(b, ' '), c.word...), ' ')
		b = append(appendSignedMs(b, c.by, decimals), "  "...)
		total += c.by
	}
	return appendSignedMs(append(b, " = "...), total, decimals)
}

// appendLeft appends how far it was until vprot, and is.
func (p *painter) appendLeft(b []byte, m *mover, decimals int) []byte {
	b = appendMs(append(b, " left until vprot: "...), m.protFrom, decimals)
	return appendMs(append(b, " -> "...), m.protTo, decimals)
}

// appendCauses splits the change of an entity's vruntime by the sub-steps, which
// begin with it at the vruntime at; changes before it first is since do not count.
// What a reweight moves is divided into the part of the lag's clamp and the rest.
func appendCauses(causes []cause, at, since scheduler.Vtime, steps []scheduler.Step, id scheduler.EntityID) []cause {
	first, clamp, counts := len(causes), int64(0), at == since
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
		if !counts {
			counts = at == since
			continue
		}
		if s.Kind == scheduler.StepWeight && clamp != 0 {
			causes = addCause(causes, first, "lag clamp", clamp)
			by, clamp = by-clamp, 0
		}
		causes = addCause(causes, first, causeWord(s.Kind), by)
	}
	return causes
}

// addCause adds a length to the cause of that word, among those from first on.
func addCause(causes []cause, first int, word string, by int64) []cause {
	if by == 0 {
		return causes
	}
	for i := first; i < len(causes); i++ {
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
		scheduler.StepTimer, scheduler.StepQuota, scheduler.StepEdit, scheduler.StepSelect, scheduler.StepBalance:
	}
	return k.String()
}
