package views

import (
	"strconv"

	"zerolag/scheduler"
)

// head draws the line above the first ruler: which queue, the labels, the names
// of the columns.
func (p *painter) head() int {
	root := scheduler.QueueID(p.in.CPU)
	p.c.SetOwner(Owner{OwnerQueue, int32(root)})
	var buf [numberBytes]byte
	p.c.Bytes(0, 0, append(appendCPU(buf[:0], p.in.CPU), " /"...), StyleHeader)
	p.rulers.Axis(root).drawLabels(p.c, p.lay.gutter, 0, 0)
	p.c.TextRight(p.lay.lagEnd-1, 0, "lag", StyleHeader)
	p.c.Text(p.lay.en-1, 0, "E/N", StyleHeader)
	p.c.Text(p.lay.state, 0, "st", StyleHeader)
	p.c.SetOwner(Owner{})
	return 1
}

// strip draws one moment and returns the row after it.
func (p *painter) strip(y int, f, previous *scheduler.Frame, label string) int {
	root := scheduler.QueueID(p.in.CPU)
	p.ruler(y, f, stripRow{kind: rowRuler, queue: root})
	p.c.Text(0, y, p.g.cut(label, p.lay.gutter), StyleDim)
	shifts := previous != nil || p.in.Before == nil
	if !p.alarmNote(y, f, root) && !(shifts && p.shiftNote(y, root)) && previous == nil {
		p.axisNote(y, root)
	}
	y++
	for _, row := range p.rows {
		switch row.kind {
		case rowEntity:
			p.entity(y, f, previous, row)
		case rowRuler:
			p.ruler(y, f, row)
			p.inside(y, row)
			p.rulers.Axis(row.queue).drawLabels(p.c, p.lay.gutter, y, 1)
			if !p.alarmNote(y, f, row.queue) && !p.shiftNote(y, row.queue) {
				p.axisNote(y, row.queue)
			}
		case rowDensity:
			p.density(y, f, row)
		}
		y++
	}
	return y
}

// inside names the group whose queue an axis is.
func (p *painter) inside(y int, row stripRow) {
	var buf [numberBytes]byte
	b := append(append(buf[:0], "in "...), entityName(p.in.After, row.entity)...)
	p.c.Bytes(1+row.depth, y, p.g.cutBytes(b, p.lay.gutter-2-row.depth), StyleDim)
}

// ruler draws the axis of a queue. V stands in it when no row below it and no
// moved row shows V.
func (p *painter) ruler(y int, f *scheduler.Frame, row stripRow) {
	p.c.SetOwner(Owner{OwnerQueue, int32(row.queue)})
	defer p.c.SetOwner(Owner{})
	axis := p.rulers.Axis(row.queue)
	axis.drawRuler(p.c, p.lay.gutter, y, p.g)
	q := f.Queue(row.queue)
	if q == nil || !populated(q) {
		return
	}
	coordinate := axis.Coordinate(q.V, q.V)
	col := axis.Column(coordinate)
	if !axis.Inside(col) {
		p.outside(y, axis, col, coordinate, "V ", StyleV)
		return
	}
	if !p.showsV && !p.rowsShowV(f, axis, row.queue, col) {
		p.c.Set(p.lay.gutter+col, y, glyphVLetter, StyleV)
	}
}

// rowsShowV tells whether some row of the queue has room for V in its column.
func (p *painter) rowsShowV(f *scheduler.Frame, axis Axis, queue scheduler.QueueID, vcol int) bool {
	for _, row := range p.rows {
		e := f.Entity(row.entity)
		if row.kind != rowEntity || row.queue != queue || e == nil || !onAxis(e) {
			continue
		}
		if m := marksOf(axis, e, f.Queue(queue).V); m.position != vcol && m.deadline != vcol && m.vprot != vcol {
			return true
		}
	}
	return false
}

// axisNote says what the labels count and from where.
func (p *painter) axisNote(y int, queue scheduler.QueueID) {
	axis := p.rulers.Axis(queue)
	switch {
	case axis.Mode == AxisLag:
		p.c.TextRight(p.lay.lagEnd-1, y, "v-V ms", StyleDim)
	case axis.Anchor != 0:
		var buf [numberBytes]byte
		b := appendMs(append(buf[:0], "from V at "...), int64(p.rulers.anchoredAt(queue)), ShortDecimals)
		x := p.lay.gutter + p.lay.ruler + 1
		if x+len(b) > p.c.Width() {
			b = b[len("from "):]
		}
		p.c.Bytes(x, y, b, StyleDim)
	default:
		p.c.TextRight(p.lay.lagEnd-1, y, "ms", StyleDim)
	}
}

// shiftNote says that and by how much the ruler moved for this picture, if it did.
func (p *painter) shiftNote(y int, queue scheduler.QueueID) bool {
	if p.in.Refit && !p.in.side && queue == scheduler.QueueID(p.in.CPU) {
		p.c.TextRight(p.c.Width(), y, "axis refit", StyleNote)
		return p.in.Before == nil
	}
	for _, s := range p.in.Shifts {
		if s.Queue == queue {
			var buf [numberBytes]byte
			b := appendSignedMs(append(buf[:0], "axis "...), s.By, p.rulers.Axis(queue).labelDecimals())
			p.c.BytesRight(p.c.Width(), y, b, StyleNote)
			return true
		}
	}
	return false
}

// marks are the columns of an entity's markers; -1 is left of the window,
// Columns right of it, absent is noMark.
type marks struct {
	position, vprot, deadline int
}

const noMark = -2

// marksOf places the markers. Only a current entity has a protected part.
func marksOf(axis Axis, e *scheduler.EntityFrame, zeroLag scheduler.Vtime) marks {
	m := marks{axis.Column(axis.Coordinate(e.Vruntime, zeroLag)), noMark, noMark}
	if !e.RelDeadline {
		m.deadline = axis.Column(axis.Coordinate(e.Deadline, zeroLag))
	}
	if e.Curr && e.Protected {
		m.vprot = axis.Column(axis.Coordinate(e.ProtectedTo, zeroLag))
	}
	return m
}

func (p *painter) entity(y int, f, previous *scheduler.Frame, row stripRow) {
	e := f.Entity(row.entity)
	if e == nil {
		return
	}
	p.c.SetOwner(EntityOwner(e.ID))
	defer p.c.SetOwner(Owner{})
	p.label(y, e, row)
	if e.Task != scheduler.NoTask && (e.State == scheduler.StateNew || e.State == scheduler.StateDead) {
		p.c.Set(p.lay.state, y, rune(e.State.Letter()), StyleDim)
		return
	}
	if e.Queue != row.queue {
		if q := f.Queue(e.Queue); q != nil && onAxis(e) && p.comparable(e.Queue, row.queue) {
			p.axisMarks(y, e, q, previous)
		}
		var buf [numberBytes]byte
		p.c.Bytes(p.lay.state, y, appendCPU(append(buf[:0], "on "...), e.CPU), StyleDim)
		return
	}
	var shared sharing
	if q := f.Queue(e.Queue); q != nil && onAxis(e) {
		shared = p.axisMarks(y, e, q, previous)
	}
	p.rightColumns(y, f, e, row, shared)
}

// appendCPU appends the name of a CPU.
func appendCPU(dst []byte, cpu int) []byte {
	return strconv.AppendInt(append(dst, "cpu"...), int64(cpu), 10)
}

// label draws gutter marker, name and, where there is room, the weight.
func (p *painter) label(y int, e *scheduler.EntityFrame, row stripRow) {
	style := StyleText
	if e.Curr {
		p.c.Set(0, y, p.g.Current, StyleCurr)
		style = StyleCurr
	}
	if row.leaf == p.in.Selected || e.ID == p.in.Selected {
		style = StyleSelect
	}
	x := 1 + row.depth
	var buf, digits [128]byte
	end := p.c.Bytes(x, y, p.g.cutBytes(appendChain(buf[:0], p.in.After, row.entity, row.leaf), p.lay.gutter-1-x), style)
	if p.lay.gutter < wideGutter {
		return
	}
	weight := strconv.AppendUint(digits[:0], e.Weight, 10)
	start := p.lay.gutter - 1 - max(len(weight), 7)
	if end >= start {
		return
	}
	p.c.BytesRight(p.lay.gutter-1, y, weight, StyleDim)
	if end < start-2 {
		p.c.Text(start-2, y, "w", StyleDim)
	}
}

// axisMarks draws a row of the axis, from the least to the most important mark,
// and returns letters for those that share a column with a more important one.
func (p *painter) axisMarks(y int, e *scheduler.EntityFrame, q *scheduler.QueueFrame, previous *scheduler.Frame) sharing {
	axis := p.rulers.Axis(e.Queue)
	m := marksOf(axis, e, q.V)
	x := p.lay.gutter
	p.minorMarks(y, axis, e, q)
	p.ghost(y, axis, e, previous)
	p.bar(y, axis, m)
	vcol := axis.Column(axis.Coordinate(q.V, q.V))
	if axis.Inside(vcol) {
		p.c.Set(x+vcol, y, p.g.V, StyleV)
	}
	p.ends(y, axis, m)
	if axis.Inside(m.position) {
		glyph, style := p.g.Eligible, StyleEligible
		switch {
		case e.Delayed:
			glyph, style = p.g.Delayed, StyleDelayed
		case !e.Eligible:
			glyph, style = p.g.Ineligible, StyleIneligible
		}
		p.c.Set(x+m.position, y, glyph, style)
	}
	p.far(y, axis, e, q, m)
	return sharedMarks(axis, m, vcol)
}

// minorMarks draws the reference point and the lag limits.
func (p *painter) minorMarks(y int, axis Axis, e *scheduler.EntityFrame, q *scheduler.QueueFrame) {
	set := func(v scheduler.Vtime, r rune) {
		if col := axis.Column(axis.Coordinate(v, q.V)); axis.Inside(col) {
			p.c.Set(p.lay.gutter+col, y, r, StyleDim)
		}
	}
	if p.in.ShowZero {
		set(q.Zero, glyphZero)
	}
	if int(e.ID) < len(p.in.Limits) && p.in.Limits[e.ID] > 0 {
		limit := p.in.Limits[e.ID]
		set(q.V.Add(-limit), glyphLimitLeft)
		set(q.V.Add(limit), glyphLimitRight)
	}
}

// ghost marks where the entity stood in the earlier moment.
func (p *painter) ghost(y int, axis Axis, e *scheduler.EntityFrame, previous *scheduler.Frame) {
	if previous == nil {
		return
	}
	old := previous.Entity(e.ID)
	if old == nil || !onAxis(old) || !p.comparable(old.Queue, e.Queue) {
		return
	}
	oldQueue := previous.Queue(old.Queue)
	if oldQueue == nil {
		return
	}
	if col := axis.Column(axis.Coordinate(old.Vruntime, oldQueue.V)); axis.Inside(col) {
		p.c.Set(p.lay.gutter+col, y, p.g.Ghost, StyleGhost)
	}
}

// bar draws the request: protected up to vprot, then the rest up to the deadline.
func (p *painter) bar(y int, axis Axis, m marks) {
	x := p.lay.gutter
	from := max(m.position+1, 0)
	if m.vprot != noMark {
		to := min(m.vprot, axis.Columns)
		p.c.Fill(x+from, x+to, y, p.g.Protected, StyleProtected)
		from = max(from, to)
	}
	if m.deadline != noMark {
		p.c.Fill(x+from, x+min(m.deadline, axis.Columns), y, p.g.Rest, StyleRequest)
	}
}

// ends draws vprot and deadline.
func (p *painter) ends(y int, axis Axis, m marks) {
	x := p.lay.gutter
	if axis.Inside(m.vprot) {
		p.c.Set(x+m.vprot, y, p.g.Vprot, StyleDeadline)
	}
	if axis.Inside(m.deadline) {
		glyph := p.g.Deadline
		if m.deadline == m.vprot {
			glyph = p.g.Both
		}
		p.c.Set(x+m.deadline, y, glyph, StyleDeadline)
	}
}

// far says at the edge what lies outside the window, and how far.
func (p *painter) far(y int, axis Axis, e *scheduler.EntityFrame, q *scheduler.QueueFrame, m marks) {
	if !axis.Inside(m.position) {
		p.outside(y, axis, m.position, axis.Coordinate(e.Vruntime, q.V), "", positionStyle(e))
		return
	}
	if edge := min(max(m.deadline, 0), axis.Columns-1); m.deadline != noMark && !axis.Inside(m.deadline) && edge != m.position {
		p.outside(y, axis, m.deadline, axis.Coordinate(e.Deadline, q.V), "", StyleDeadline)
	}
}

func positionStyle(e *scheduler.EntityFrame) Style {
	if e.Eligible {
		return StyleEligible
	}
	return StyleIneligible
}

// outside writes value and direction of something out of the window; the value
// only where it hides no other mark.
func (p *painter) outside(y int, axis Axis, col int, coordinate int64, name string, style Style) {
	x, last := p.lay.gutter, p.lay.gutter+axis.Columns
	var buf [numberBytes]byte
	value := axis.appendValue(append(buf[:0], name...), coordinate, ShortDecimals)
	if axis.Columns == 0 {
		return
	}
	if col < 0 {
		if p.free(y, x+1, x+1+len(value)) {
			p.c.Bytes(x+1, y, value, style)
		}
		p.c.Set(x, y, p.g.OutLeft, style)
		return
	}
	if p.free(y, last-1-len(value), last-1) {
		p.c.BytesRight(last-1, y, value, style)
	}
	p.c.Set(last-1, y, p.g.OutRight, style)
}

// free tells whether columns from ... to-1 of a row lie on the axis and hold
// nothing but the request's bar, the ruler or a ghost.
func (p *painter) free(y, from, to int) bool {
	if from < p.lay.gutter || to > p.lay.gutter+p.lay.ruler {
		return false
	}
	for x := from; x < to; x++ {
		switch p.c.At(x, y).Style {
		case StyleEligible, StyleIneligible, StyleDelayed, StyleV, StyleDeadline:
			return false
		case StyleText, StyleDim, StyleCurr, StyleGhost, StyleProtected, StyleRequest, StyleNote, StyleHeader, StyleKey,
			StyleError, StyleSelect, StyleChanged, StyleProposal, StyleWhy, StyleRunning, StyleWaiting, StylePreempted:
		}
	}
	return true
}

// sharing are letters of marks that share a column with a more important one.
type sharing struct {
	letters [4]byte
	n       int
}

func (s *sharing) add(letter byte) {
	s.letters[s.n] = letter
	s.n++
}

// sharedMarks names, by letter, the marks hidden below a more important one. V
// below the position is told by the lag, which is then less than a column.
func sharedMarks(axis Axis, m marks, vcol int) sharing {
	var hidden sharing
	if axis.Inside(m.deadline) && m.deadline == m.position {
		hidden.add('D')
	}
	if axis.Inside(m.vprot) && m.vprot == m.position {
		hidden.add('P')
	}
	if axis.Inside(vcol) && vcol != m.position && (vcol == m.deadline || vcol == m.vprot) {
		hidden.add(glyphVLetter)
	}
	if edge := min(max(m.deadline, 0), axis.Columns-1); m.deadline != noMark && !axis.Inside(m.deadline) && (!axis.Inside(m.position) || m.position == edge) {
		hidden.add('D')
	}
	return hidden
}

// rightColumns draws lag, E or N, the state letters and the extras.
func (p *painter) rightColumns(y int, f *scheduler.Frame, e *scheduler.EntityFrame, row stripRow, shared sharing) {
	style, letter := StyleDim, '-'
	if onAxis(e) {
		style, letter = positionStyle(e), 'N'
		if e.Eligible {
			letter = 'E'
		}
	}
	var buf [128]byte
	p.c.BytesRight(p.lay.lagEnd, y, appendSignedMs(buf[:0], e.Lag, p.lay.decimals), style)
	p.c.Set(p.lay.en, y, letter, style)
	leaf := f.Entity(row.leaf)
	p.c.Bytes(p.lay.state, y, p.appendState(buf[:0], f, e, leaf), StyleText)
	b := buf[:0]
	if shared.n > 0 {
		b = append(append(b, '+'), shared.letters[:shared.n]...)
	}
	b = p.appendExtra(b, f, leaf)
	p.c.Bytes(p.lay.extra, y, p.g.cutBytes(b, p.c.Width()-p.lay.extra), StyleDim)
}

// appendExtra appends, where there is room, since when a task waits, or how many
// members of a folded group are queued.
func (p *painter) appendExtra(b []byte, f *scheduler.Frame, leaf *scheduler.EntityFrame) []byte {
	if p.c.Width()-p.lay.extra < 11 || leaf == nil {
		return b
	}
	gap := func() {
		if len(b) > 0 {
			b = append(b, ' ')
		}
	}
	switch n, _ := p.s.children(f, leaf.Owns); {
	case leaf.Task != scheduler.NoTask && leaf.OnRQ && leaf.Stats.Waiting:
		gap()
		b = p.appendWait(append(b, "waits "...), int64(f.Now-leaf.Stats.WaitSince))
	case isThrottled(f, leaf):
		gap()
		b = appendRefill(b, f, leaf.Group)
	case n > 1 && p.in.folds(leaf.ID, n):
		gap()
		b = strconv.AppendInt(b, int64(p.s.queued(f, leaf.Owns)), 10)
		b = strconv.AppendInt(append(b, " of "...), int64(n), 10)
		b = append(b, " up"...)
	}
	return b
}

// appendWait appends a time with as many decimals as the column has room for.
func (p *painter) appendWait(b []byte, ns int64) []byte {
	start := len(b)
	for decimals := ShortDecimals; decimals >= 0; decimals-- {
		if b = appendMs(b[:start], ns, decimals); len(b) <= p.c.Width()-p.lay.extra {
			return b
		}
	}
	return b
}

// appendState appends R running, Q queued, S asleep, z delayed or T throttled; t in a
// throttled branch, b next buddy, w woken now. leaf is whom the row is about.
func (p *painter) appendState(letters []byte, f *scheduler.Frame, e, leaf *scheduler.EntityFrame) []byte {
	switch {
	case e.Curr:
		letters = append(letters, 'R')
	case e.Delayed:
		letters = append(letters, 'z')
	case isThrottled(f, e):
		letters = append(letters, 'T')
	case e.OnRQ:
		letters = append(letters, 'Q')
	default:
		letters = append(letters, 'S')
	}
	if waitsForRefill(f, e) {
		letters = append(letters, 't')
	}
	if e.Next {
		letters = append(letters, 'b')
	}
	if leaf != nil && leaf.Task != scheduler.NoTask && leaf.Task == p.in.Woken && (f == p.in.After || p.in.Compared) {
		letters = append(letters, 'w')
	}
	return letters
}

// density draws many entities in one row: how many stand in each column.
func (p *painter) density(y int, f *scheduler.Frame, row stripRow) {
	axis := p.rulers.Axis(row.queue)
	q := f.Queue(row.queue)
	p.s.counts = resized(p.s.counts, axis.Columns)
	counts := p.s.counts
	var n densityCounts
	for _, id := range row.rest {
		e := f.Entity(id)
		switch {
		case e == nil || q == nil:
			continue
		case !onAxis(e):
			n.asleep++
			continue
		case e.Eligible:
			n.eligible++
		default:
			n.ineligible++
		}
		switch col := axis.Column(axis.Coordinate(e.Vruntime, q.V)); {
		case col < 0:
			n.left++
		case col >= axis.Columns:
			n.right++
		default:
			counts[col]++
		}
	}
	var buf [128]byte
	b := append(strconv.AppendInt(buf[:0], int64(len(row.rest)), 10), " more"...)
	p.c.Bytes(1+row.depth, y, p.g.cutBytes(b, p.lay.gutter-2-row.depth), StyleDim)
	for col, n := range counts {
		if n > 0 {
			p.c.Set(p.lay.gutter+col, y, countGlyph(n), StyleText)
		}
	}
	b = n.append(buf[:0])
	p.c.BytesRight(p.c.Width(), y, p.g.cutBytes(b, p.c.Width()-p.lay.gutter-p.lay.ruler-1), StyleDim)
}

func countGlyph(n int) rune {
	if n > 9 {
		return glyphMany
	}
	return rune('0' + n)
}

// densityCounts says how many of a density row are eligible, not eligible and
// asleep, and how many lie left and right of the window.
type densityCounts struct{ eligible, ineligible, asleep, left, right int }

func (n *densityCounts) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(n.eligible), 10)
	b = strconv.AppendInt(append(b, "E "...), int64(n.ineligible), 10)
	b = append(b, 'N')
	if n.asleep > 0 {
		b = append(strconv.AppendInt(append(b, ' '), int64(n.asleep), 10), 'S')
	}
	if n.left > 0 {
		b = strconv.AppendInt(append(b, " <"...), int64(n.left), 10)
	}
	if n.right > 0 {
		b = strconv.AppendInt(append(b, " >"...), int64(n.right), 10)
	}
	return b
}
