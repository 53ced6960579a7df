package views

import (
	"strconv"

	"zerolag/scheduler"
)

// OtherCPU is a CPU below the one that the event is about.
type OtherCPU struct {
	CPU    int
	Folded bool // one line instead of a strip
}

// CPUDisplay is how much of a CPU is shown beside the one of the event.
type CPUDisplay uint8

// The displays. DisplayAuto shows busy CPUs, as strips on large screens, and
// folds idle ones without news into one line.
const (
	DisplayAuto CPUDisplay = iota
	DisplayStrip
	DisplayLine
	DisplayHidden
	NumDisplays
)

// FirstDisplays are the displays of n CPUs of which show are to be seen; those that
// are not are hidden. An empty set shows all.
func FirstDisplays(show scheduler.CPUSet, n int) []CPUDisplay {
	list := make([]CPUDisplay, n)
	for cpu := range list {
		if !show.Empty() && !show.Has(cpu) {
			list[cpu] = DisplayHidden
		}
	}
	return list
}

// String is the display in words.
func (d CPUDisplay) String() string {
	return [...]string{"automatic", "its axis", "one line", "hidden"}[d]
}

// Screens from this size on show the other CPUs as strips.
const (
	stripsWidth  = 110
	stripsHeight = 36
)

// ShowsStrips tells whether a screen of that size shows the other CPUs as strips
// unless they are folded.
func ShowsStrips(width, height int) bool { return width >= stripsWidth && height >= stripsHeight }

// Arrange chooses what is shown of every CPU but the one of the event. display
// is by CPU, nil: all automatic. strips: busy CPUs get an axis.
func Arrange(f *scheduler.Frame, steps []scheduler.Step, event int, display []CPUDisplay, strips bool) (others []OtherCPU, idle scheduler.CPUSet) {
	for cpu := range f.CPUs {
		if cpu == event {
			continue
		}
		d := DisplayAuto
		if cpu < len(display) {
			d = display[cpu]
		}
		switch {
		case d == DisplayHidden:
		case d == DisplayStrip:
			others = append(others, OtherCPU{CPU: cpu})
		case d == DisplayLine:
			others = append(others, OtherCPU{CPU: cpu, Folded: true})
		case isIdle(f, cpu) && !hasNews(steps, cpu):
			idle.Add(cpu)
		default:
			others = append(others, OtherCPU{CPU: cpu, Folded: !strips || isIdle(f, cpu)})
		}
	}
	return others, idle
}

// isIdle tells whether nothing runs on a CPU and nothing is queued.
func isIdle(f *scheduler.Frame, cpu int) bool {
	c := &f.CPUs[cpu]
	return c.Curr == scheduler.NoTask && !c.Higher && c.Nr == 0
}

// hasNews tells whether some sub-step is about a CPU.
func hasNews(steps []scheduler.Step, cpu int) bool {
	for i := range steps {
		if steps[i].CPU == cpu && steps[i].Kind != scheduler.StepBalance {
			return true
		}
	}
	return false
}

// waiting is how many tasks of a CPU are runnable and do not run.
func waiting(f *scheduler.Frame, cpu int) int {
	q := f.Queue(scheduler.QueueID(cpu))
	if q == nil {
		return 0
	}
	n := q.HRunnable
	if c := &f.CPUs[cpu]; c.Curr != scheduler.NoTask && !c.Higher {
		n--
	}
	return max(n, 0)
}

// waitingFor is how many tasks wait elsewhere that may run on one of these CPUs. The
// first one on a CPU where nobody runs does not count: it is about to run.
func waitingFor(f *scheduler.Frame, cpus *scheduler.CPUSet) int {
	n := 0
	var starting scheduler.CPUSet
	for i := range f.Entities {
		e := &f.Entities[i]
		if e.Task == scheduler.NoTask || e.State != scheduler.StateQueued || e.CPU < 0 || cpus.Has(e.CPU) {
			continue
		}
		c := &f.CPUs[e.CPU]
		if c.Curr == scheduler.NoTask && !c.Higher && !starting.Has(e.CPU) {
			starting.Add(e.CPU)
			continue
		}
		q := f.Queue(e.Queue)
		common := e.Allowed.And(*cpus)
		if (e.Allowed.Empty() || !common.Empty()) && q != nil && q.ThrottleCount == 0 {
			n++
		}
	}
	return n
}

// other is the picture of another CPU on the same rulers: the later moment.
func (in *Strips) other(cpu int) Strips {
	o := *in
	o.CPU, o.side = cpu, true
	o.Before, o.Steps, o.Others, o.Idle = nil, nil, nil, scheduler.CPUSet{}
	o.AfterLabel = ""
	return o
}

// otherHeight is the number of rows that another CPU would like.
func (in *Strips) otherHeight(g Glyphs, width int, x OtherCPU) int {
	if x.Folded {
		return 1
	}
	o := in.other(x.CPU)
	p := o.painter(g, width)
	return p.height(len(p.rows))
}

// minStrip is the number of rows below which another CPU gets a line instead.
const minStrip = 3

// drawOthers draws the other CPUs from row y on: strips as long as every CPU
// after them keeps its line, then lines; what has no room is counted.
func (in *Strips) drawOthers(c *Canvas, y int, g Glyphs) int {
	after := 0
	if !in.Idle.Empty() {
		after = 1
	}
	for i, x := range in.Others {
		left := len(in.Others) - i - 1
		room := c.Height() - y - min(left+after, max(c.Height()-y-1, 0))
		switch {
		case y >= c.Height():
			return y
		case y == c.Height()-1 && left > 0:
			in.restLine(c, y, in.Others[i:])
			return y + 1
		case x.Folded || room < minStrip:
			in.cpuLine(c, y, g, x.CPU)
			y++
		default:
			o := in.other(x.CPU)
			p := o.painter(g, c.Width())
			p.c = c.Sub(0, y, c.Width(), room)
			y += min(p.draw(room), room)
		}
	}
	if after > 0 && y < c.Height() {
		in.idleLine(c, y, g)
		y++
	}
	return y
}

// cpuLine draws a CPU in one line: who runs and who waits.
func (in *Strips) cpuLine(c *Canvas, y int, g Glyphs, cpu int) {
	f := in.After
	c.SetOwner(Owner{OwnerQueue, int32(cpu)})
	defer c.SetOwner(Owner{})
	var buf [512]byte
	c.Bytes(0, y, append(appendCPU(buf[:0], cpu), " /"...), StyleHeader)
	x := stripLayout(c.Width()).gutter
	b := buf[:0]
	switch curr := f.Task(f.CPUs[cpu].Curr); {
	case f.CPUs[cpu].Higher:
		b = append(b, "a higher class runs"...)
	case curr != nil:
		b = append(append(b, curr.Name...), " runs"...)
	case isIdle(f, cpu):
		var set scheduler.CPUSet
		set.Add(cpu)
		in.idleText(c, x, y, g, &set)
		return
	default:
		b = append(b, "nobody runs"...)
	}
	if n := waiting(f, cpu); n > 0 {
		b = strconv.AppendInt(append(b, ", "...), int64(n), 10)
		b = appendWaiting(append(b, " wait:"...), f, cpu)
	}
	c.Bytes(x, y, g.cutBytes(b, c.Width()-x), StyleText)
}

// maxNamed bounds the tasks named in one line.
const maxNamed = 12

// appendWaiting appends the names of the tasks that wait for a CPU.
func appendWaiting(b []byte, f *scheduler.Frame, cpu int) []byte {
	named := 0
	for i := range f.Entities {
		e := &f.Entities[i]
		if e.Task == scheduler.NoTask || e.CPU != cpu || e.State != scheduler.StateQueued {
			continue
		}
		if named++; named > maxNamed {
			return append(b, " ..."...)
		}
		b = append(append(b, ' '), e.Name...)
	}
	return b
}

// idleText says of idle CPUs that they are, and whether tasks that could run there
// wait meanwhile.
func (in *Strips) idleText(c *Canvas, x, y int, g Glyphs, cpus *scheduler.CPUSet) {
	var buf [numberBytes]byte
	x = c.Text(x, y, "idle", StyleDim)
	if n := waitingFor(in.After, cpus); n > 0 {
		b := strconv.AppendInt(append(buf[:0], "  ! while "...), int64(n), 10)
		c.Bytes(x, y, g.cutBytes(append(b, " wait"...), c.Width()-x), StyleChanged)
	}
}

// idleLine names all CPUs that are idle without news.
func (in *Strips) idleLine(c *Canvas, y int, g Glyphs) {
	x := c.Text(0, y, "cpu", StyleDim)
	var buf [numberBytes]byte
	x = c.Bytes(x, y, g.cutBytes(appendCPUs(buf[:0], &in.Idle), max(c.Width()-x-1, 0)), StyleDim)
	in.idleText(c, max(x+1, stripLayout(c.Width()).gutter), y, g, &in.Idle)
}

// appendCPUs appends a set of CPUs as the kernel lists them: 0,2-3.
func appendCPUs(b []byte, set *scheduler.CPUSet) []byte {
	for cpu := set.Next(0); cpu >= 0; {
		last := cpu
		for last+1 < scheduler.MaxCPUs && set.Has(last+1) {
			last++
		}
		if len(b) > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(cpu), 10)
		if last > cpu {
			b = strconv.AppendInt(append(b, '-'), int64(last), 10)
		}
		if last+1 >= scheduler.MaxCPUs {
			break
		}
		cpu = set.Next(last + 1)
	}
	return b
}

// restLine counts the CPUs that have no room.
func (in *Strips) restLine(c *Canvas, y int, rest []OtherCPU) {
	waits := 0
	for _, x := range rest {
		waits += waiting(in.After, x.CPU)
	}
	var buf [numberBytes]byte
	b := append(strconv.AppendInt(buf[:0], int64(len(rest)), 10), " more CPUs, "...)
	b = append(strconv.AppendInt(b, int64(waits), 10), " wait"...)
	c.Bytes(1, y, b, StyleDim)
}

// hasFolded tells whether a row stands for a group whose members have none.
func (p *painter) hasFolded() bool {
	for i := range p.rows {
		if p.foldedGroup(i) != nil {
			return true
		}
	}
	return false
}

// foldedGroup is the group entity just above those members of a row who have none;
// nil if there are none.
func (p *painter) foldedGroup(row int) *scheduler.EntityFrame {
	f, r := p.in.After, &p.rows[row]
	if r.kind != rowEntity {
		return nil
	}
	if r.leaf != r.entity {
		return f.Entity(f.Entity(r.leaf).Parent)
	}
	e := f.Entity(r.leaf)
	if n, _ := p.s.children(f, e.Owns); n == 0 || row+1 < len(p.rows) && p.rows[row+1].queue == e.Owns {
		return nil
	}
	return e
}

// foldedLine tells what goes on in the folded queues: "/A on cpu0: A1 runs
// (alone)".
func (p *painter) foldedLine(y int) {
	var buf [512]byte
	b := buf[:0]
	for i := range p.rows {
		if e := p.foldedGroup(i); e != nil {
			if len(b) > 0 {
				b = append(b, "    "...)
			}
			b = p.appendFolded(b, e)
		}
	}
	room := p.c.Width() - 1
	if hint := textWidth(p.in.FoldHint); hint > 0 && bytesWidth(b)+hint+2 <= room {
		p.c.TextRight(p.c.Width(), y, p.in.FoldHint, StyleDim)
		room -= hint + 1
	}
	p.c.Bytes(1, y, p.g.cutBytes(b, room), StyleText)
}

func (p *painter) appendFolded(b []byte, group *scheduler.EntityFrame) []byte {
	f := p.in.After
	b = appendCPU(append(append(b, group.Name...), " on "...), group.CPU)
	b = append(b, ": "...)
	n, only := p.s.children(f, group.Owns)
	if n == 1 {
		e := f.Entity(only)
		b = append(append(append(b, shortName(e)...), ' '), doing(e)...)
		return append(b, " (alone)"...)
	}
	b = strconv.AppendInt(b, int64(p.s.queued(f, group.Owns)), 10)
	b = strconv.AppendInt(append(b, " of "...), int64(n), 10)
	b = append(b, " queued"...)
	if q := f.Queue(group.Owns); q != nil && q.Curr != scheduler.NoEntity {
		b = append(append(append(b, ", "...), entityName(f, q.Curr)...), " runs"...)
	}
	return b
}

// queued counts the members of a queue that are on it.
func (s *Scratch) queued(f *scheduler.Frame, q scheduler.QueueID) int {
	n := 0
	for _, id := range s.ids {
		if e := f.Entity(id); e.Queue == q && onAxis(e) {
			n++
		}
	}
	return n
}

// doing says in one word what an entity does.
func doing(e *scheduler.EntityFrame) string {
	switch {
	case e.Curr:
		return "runs"
	case e.Delayed:
		return "is delayed"
	case e.OnRQ:
		return "queued"
	}
	return "asleep"
}
