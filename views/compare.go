package views

import (
	"fmt"
	"strconv"

	"zerolag/model"
	"zerolag/scheduler"
)

// totalRow is one row of the table of numbers.
type totalRow struct {
	name  string
	value func(t *model.Totals) int64
	text  func(int64) string
}

func countText(n int64) string { return strconv.FormatInt(n, 10) }

func shortMs(ns int64) string { return Ms(ns, ShortDecimals) }

// totalRows are the numbers that runs are compared by.
var totalRows = []totalRow{
	{"events", func(t *model.Totals) int64 { return int64(t.Events) }, countText},
	{"CPU time ms", func(t *model.Totals) int64 { return int64(t.Runtime) }, shortMs},
	{"switches", func(t *model.Totals) int64 { return int64(t.Switches) }, countText},
	{"involuntary", func(t *model.Totals) int64 { return int64(t.Involuntary) }, countText},
	{"involuntary %", func(t *model.Totals) int64 { return t.InvoluntaryShare }, percent},
	{"waits", func(t *model.Totals) int64 { return int64(t.Waits) }, countText},
	{"wait avg ms", func(t *model.Totals) int64 { return int64(t.WaitAvg) }, shortMs},
	{"wait p99 ms", func(t *model.Totals) int64 { return int64(t.WaitP99) }, shortMs},
	{"wait max ms", func(t *model.Totals) int64 { return int64(t.WaitMax) }, shortMs},
	{"share error %", func(t *model.Totals) int64 { return t.ShareError }, percent},
	{"lag min ms", func(t *model.Totals) int64 { return t.LagMin.Lag }, shortMs},
	{"lag max ms", func(t *model.Totals) int64 { return t.LagMax.Lag }, shortMs},
}

// NamedTotals are the numbers of a run with its name.
type NamedTotals struct {
	Name   string
	Totals model.Totals
}

// NumbersTable is the numbers of runs, each beside its ratio to the first.
func NumbersTable(runs []NamedTotals) Table {
	t := Table{Columns: []Column{{Head: ""}, {Head: runs[0].Name, Right: true}}}
	for _, r := range runs[1:] {
		t.Columns = append(t.Columns, Column{Head: r.Name, Right: true}, Column{Head: "ratio", Right: true})
	}
	for _, row := range totalRows {
		base := row.value(&runs[0].Totals)
		cells := []string{row.name, row.text(base)}
		for i := range runs[1:] {
			v := row.value(&runs[i+1].Totals)
			cells = append(cells, row.text(v), Ratio(v, base))
		}
		t.Rows = append(t.Rows, Row{Cells: cells})
	}
	return t
}

// Ratio is a/b with three decimals, rounded down; "-" if it says nothing.
func Ratio(a, b int64) string {
	if b == 0 || a != 0 && (a < 0) != (b < 0) {
		return "-"
	}
	whole, rest := a/b, a%b
	const limit = 1 << 50
	if rest > limit || rest < -limit {
		rest, b = rest/1000, b/1000
	}
	return fmt.Sprintf("%d.%03d", whole, rest*1000/b)
}

// Versus is the other run of a comparison at the counterpart of a moment.
type Versus struct {
	Base, Other string // names of the runs
	Moment      Moment
	// Alone says which run has an event that the other has not; the other stands
	// after its last event before it.
	Alone model.Side
}

// NewVersusBlock explains the same event in two runs side by side, in width
// columns.
func NewVersusBlock(m Moment, v Versus, width int) WhyBlock {
	const divider = " | "
	column := max((width-len(divider))/2, 1)
	left := versusLines(v.Base, m, v.Alone == model.OnlyB, column)
	right := versusLines(v.Other, v.Moment, v.Alone == model.OnlyA, column)
	var b WhyBlock
	for i := range max(len(left), len(right)) {
		line := padded(left, i, column) + divider + padded(right, i, column)
		b.lines = append(b.lines, line)
	}
	b.headline = b.lines[0]
	return b
}

// versusLines are the name of a run and the explanation of its event.
func versusLines(name string, m Moment, lacks bool, column int) []string {
	text := Why(m).Text()
	if lacks {
		text = "No such event: the last one before it is at " + Clock(m.Event.Time) + " ms."
	}
	return append(wrap(name, column, " "), wrap(text, column, " ")...)
}

// padded is line i, blank if there is none, filled up to width columns.
func padded(lines []string, i, width int) string {
	line := ""
	if i < len(lines) {
		line = lines[i]
	}
	return fmt.Sprintf("%-*s", width, line)
}

// VersusLanes are the lanes of two runs on one time axis: below each task's row
// that of the other run.
func VersusLanes(base, other *model.Run, width int, in *Strips) Lanes {
	l, o := NewLanes(base, width, in), newLanes(other, base.Event().Time, width, in)
	rows := l.Rows
	l.Rows = nil
	for _, row := range rows {
		l.Rows = append(l.Rows, row)
		for _, vs := range o.Rows {
			if vs.Task == row.Task {
				vs.Name, vs.CPU = " vs", row.CPU
				l.Rows = append(l.Rows, vs)
			}
		}
	}
	return l
}

// DifferenceTable lists the decisions in which two runs differ: when, in which
// event, and whom each run then runs.
func DifferenceTable(p *model.Pair, base, other string) Table {
	t := Table{Columns: []Column{{Head: "at ms", Right: true}, {Head: "event"}, {Head: base}, {Head: other}}}
	f := p.A.Frame()
	for _, d := range p.Differences() {
		a, b := p.A.EventAt(d.A), p.B.EventAt(d.B)
		event := a
		if d.Side == model.OnlyB {
			event = b
		}
		t.Rows = append(t.Rows, Row{Cells: []string{
			Clock(d.Time), EventTitle(event, f), outcomeText(a, f, d.Side == model.OnlyB), outcomeText(b, p.B.Frame(), d.Side == model.OnlyA),
		}})
	}
	return t
}

// outcomeText says what an event came to.
func outcomeText(e scheduler.Event, f *scheduler.Frame, lacks bool) string {
	switch {
	case lacks:
		return "no such event"
	case e.Switched():
		return "runs " + taskName(f, e.Curr)
	case e.Resched:
		return taskName(f, e.Curr) + " is to be rescheduled"
	}
	return taskName(f, e.Curr) + " goes on"
}
