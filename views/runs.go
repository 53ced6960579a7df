package views

import (
	"math/big"
	"slices"
	"strconv"

	"zerolag/model"
	"zerolag/scheduler"
)

// RunTally is a row of the table of runs: some tasks in one run.
type RunTally struct {
	Run, Tasks string
	Count      int // of the tasks
	Tally      model.Tally
	Wasted     scheduler.Time
	// Columns are the values of further columns, in the first row of a run.
	Columns []string
}

// blank is a cell without a number.
const blank = "-"

// RunsTable compares runs, with further columns. Columns in which no row has a number
// are left out.
func RunsTable(rows []RunTally, columns []string) Table {
	right := func(head string) Column { return Column{Head: head, Right: true} }
	all := Table{Columns: []Column{
		{Head: "Run"},
		{Head: "Tasks"},
		right("Runtime ms"), right("Switches"), right("Avg delay ms"), right("Max delay ms"),
		right("Invol"), right("Migr"), right("Jobs"),
		right("Wake p50"), right("Wake p90"), right("Wake p99"), right("Wake p99.9"),
		right("Job p50"), right("Job p90"), right("Job p99"), right("Wasted ms"),
	}}
	for _, c := range columns {
		all.Columns = append(all.Columns, right(c))
	}
	for i := range rows {
		cells := append(rows[i].cells(), rows[i].Columns...)
		for len(cells) < len(all.Columns) {
			cells = append(cells, blank)
		}
		all.Rows = append(all.Rows, Row{Cells: cells})
	}
	return all.withoutBlanks()
}

func (r *RunTally) cells() []string {
	ms := func(t scheduler.Time) string {
		if t == 0 {
			return blank
		}
		return Ms(int64(t), ShortDecimals)
	}
	count := func(n int) string {
		if n == 0 {
			return blank
		}
		return strconv.Itoa(n)
	}
	percentile := func(sorted []scheduler.Time, tenths int64) string {
		t, _ := model.Percentile(sorted, big.NewRat(tenths, 10))
		return ms(t)
	}
	tasks, t := r.Tasks, &r.Tally
	if r.Count > 1 {
		tasks += " x" + strconv.Itoa(r.Count)
	}
	wakeups, lengths := t.Jobs.Wakeups, t.Jobs.Lengths
	return []string{
		r.Run, tasks, ms(t.Runtime), count(t.SwitchedIn), ms(t.WaitAvg), ms(t.WaitMax),
		count(t.Involuntary), count(t.Migrations), count(len(lengths)),
		percentile(wakeups, 500), percentile(wakeups, 900), percentile(wakeups, 990), percentile(wakeups, 999),
		percentile(lengths, 500), percentile(lengths, 900), percentile(lengths, 990), ms(r.Wasted),
	}
}

// withoutBlanks is the table without the columns that have nothing but blanks.
func (t Table) withoutBlanks() Table {
	kept := Table{Rows: make([]Row, len(t.Rows))}
	for k := range t.Columns {
		if !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[k] != blank }) {
			continue
		}
		kept.Columns = append(kept.Columns, t.Columns[k])
		for i := range t.Rows {
			kept.Rows[i].Cells = append(kept.Rows[i].Cells, t.Rows[i].Cells[k])
		}
	}
	return kept
}
