package views

import (
	"fmt"
	"strconv"

	"zerolag/scheduler"
)

// MachineInput is what the overview of all CPUs shows.
type MachineInput struct {
	Frame    *scheduler.Frame
	Topology scheduler.Topology
	Selected int // CPU with a mark, -1: none
	Event    int // CPU of the event
	Width    int // columns there are
	Rows     int // and rows
}

// overviewDensity is how much room a CPU gets.
type overviewDensity uint8

const (
	oneLine overviewDensity = iota // a row
	oneCell                        // a few columns
	oneRune                        // one character
)

const (
	cellWidth  = 14 // columns of a cell with its gap
	cacheWidth = 16 // columns of the name of a cache
)

// Machine is the overview of all CPUs, cache by cache and core by core: who runs,
// how many wait, and who is idle while others wait (!). selected is the row of
// the selected CPU.
func Machine(in MachineInput) (t Table, selected int) {
	m := overview{MachineInput: in, selected: -1}
	m.order()
	switch m.density() {
	case oneLine:
		m.lines()
	case oneCell:
		m.grid(max((in.Width-2)/cellWidth, 1))
	case oneRune:
		m.strips()
	}
	return m.table, m.selected
}

type overview struct {
	MachineInput
	caches   [][]int
	table    Table
	selected int
}

// order lists the CPUs of every last-level cache, the threads of a core side by
// side.
func (m *overview) order() {
	t := m.Topology
	cpus := len(m.Frame.CPUs)
	if t.CPUs() != cpus {
		t = scheduler.Topology{Nodes: 1, LLCsPerNode: 1, CoresPerLLC: cpus, Threads: 1}
		m.Topology = t
	}
	m.caches = make([][]int, t.Nodes*t.LLCsPerNode)
	for i := range m.caches {
		m.caches[i] = make([]int, t.CoresPerLLC*t.Threads)
	}
	for cpu := range cpus {
		core, thread := t.Place(cpu)
		m.caches[core/t.CoresPerLLC][core%t.CoresPerLLC*t.Threads+thread] = cpu
	}
}

// density is the roomiest one that shows the whole machine.
func (m *overview) density() overviewDensity {
	lines, cells := 1, 0
	perRow := max((m.Width-2)/cellWidth, 1)
	for _, cache := range m.caches {
		lines += len(cache)
		cells += (len(cache) + perRow - 1) / perRow
		if len(m.caches) > 1 {
			cells++
		}
	}
	switch {
	case lines <= m.Rows:
		return oneLine
	case cells <= m.Rows:
		return oneCell
	}
	return oneRune
}

// cacheName is the place of a last-level cache in the machine.
func (m *overview) cacheName(i int) string {
	if m.Topology.LLCsPerNode == 1 {
		return fmt.Sprintf("node %d", i)
	}
	return fmt.Sprintf("node %d llc %d", i/m.Topology.LLCsPerNode, i)
}

// mark is what stands before a CPU: selected, event, idle while others wait.
func (m *overview) mark(cpu int) string {
	switch {
	case cpu == m.Selected:
		return ">"
	case cpu == m.Event:
		return "*"
	}
	return " "
}

// load is the state of a CPU in one character: . idle, ! idle while others wait,
// R a higher class, else the number of runnable tasks.
func (m *overview) load(cpu int) rune {
	n := waiting(m.Frame, cpu)
	switch c := &m.Frame.CPUs[cpu]; {
	case isIdle(m.Frame, cpu):
		var set scheduler.CPUSet
		if set.Add(cpu); waitingFor(m.Frame, &set) > 0 {
			return '!'
		}
		return '.'
	case c.Higher:
		return 'R'
	case c.Curr != scheduler.NoTask:
		n++
	}
	return countGlyph(n)
}

// lines gives every CPU a row.
func (m *overview) lines() {
	m.table.Columns = []Column{{Head: "cpu"}, {Head: "core"}, {Head: "cache"}, {Head: "runs"}, {Head: "wait", Right: true}, {Head: "who waits"}}
	for i, cache := range m.caches {
		for _, cpu := range cache {
			if cpu == m.Selected {
				m.selected = len(m.table.Rows)
			}
			core, _ := m.Topology.Place(cpu)
			row := Row{Owner: Owner{OwnerQueue, int32(cpu)}, Cells: []string{
				m.mark(cpu) + strconv.Itoa(cpu), strconv.Itoa(core), m.cacheName(i), m.running(cpu), "", "",
			}}
			if n := waiting(m.Frame, cpu); n > 0 {
				row.Cells[4], row.Cells[5] = strconv.Itoa(n), string(appendWaiting(nil, m.Frame, cpu))
			}
			row.Style = m.style(cpu)
			m.table.Rows = append(m.table.Rows, row)
		}
	}
}

func (m *overview) style(cpu int) Style {
	switch m.load(cpu) {
	case '!':
		return StyleChanged
	case '.':
		return StyleDim
	}
	return StyleText
}

// running says who runs on a CPU.
func (m *overview) running(cpu int) string {
	switch c := &m.Frame.CPUs[cpu]; {
	case c.Higher:
		return "higher class"
	case c.Curr != scheduler.NoTask:
		return taskName(m.Frame, c.Curr)
	}
	if m.load(cpu) == '!' {
		return "idle ! while others wait"
	}
	return "idle"
}

// grid gives every CPU a cell of a row with that many.
func (m *overview) grid(perRow int) {
	m.table.Columns = make([]Column, perRow)
	for i, cache := range m.caches {
		if len(m.caches) > 1 {
			m.table.Rows = append(m.table.Rows, Row{Style: StyleHeader, Cells: []string{m.cacheName(i)}})
		}
		for n, cpu := range cache {
			if n%perRow == 0 {
				m.table.Rows = append(m.table.Rows, Row{})
			}
			last := len(m.table.Rows) - 1
			if cpu == m.Selected {
				m.selected = last
			}
			m.table.Rows[last].Cells = append(m.table.Rows[last].Cells, m.cell(cpu))
		}
	}
}

// cell is a CPU in a few columns: ">12 nginx +3", " 13 idle", " 14 !".
func (m *overview) cell(cpu int) string {
	head := m.mark(cpu) + strconv.Itoa(cpu) + " "
	switch m.load(cpu) {
	case '!':
		return head + "idle !"
	case '.':
		return head + "idle"
	}
	more := ""
	if n := waiting(m.Frame, cpu); n > 0 {
		more = " +" + strconv.Itoa(n)
	}
	name := m.running(cpu)
	if room := cellWidth - 2 - len(head) - len(more); textWidth(name) > room {
		name = ASCIIGlyphs().cutNumbered(name, max(room, 1))
	}
	return head + name + more
}

// strips gives every CPU one character, a row for a part of a cache.
func (m *overview) strips() {
	m.table.Columns = []Column{{Head: "cache"}, {Head: "cpus"}, {Head: ". idle  ! idle while others wait  1..9 + runnable"}}
	room := max(m.Width-2*cacheWidth, 8)
	for i, cache := range m.caches {
		for from := 0; from < len(cache); from += room {
			part := cache[from:min(from+room, len(cache))]
			var set scheduler.CPUSet
			loads := make([]rune, 0, len(part))
			for _, cpu := range part {
				set.Add(cpu)
				loads = append(loads, m.load(cpu))
				if cpu == m.Selected {
					m.selected = len(m.table.Rows)
				}
			}
			m.table.Rows = append(m.table.Rows, Row{Cells: []string{m.cacheName(i), ASCIIGlyphs().cut(set.String(), cacheWidth), string(loads)}})
		}
	}
}
