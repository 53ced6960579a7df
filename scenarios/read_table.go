package scenarios

import (
	"strings"

	"zerolag/scheduler"
)

// Table is what to compare: some runs of the scenario, each with the numbers of some
// entries of its list of tasks.
type Table struct {
	Runs []string // variants, joined by commas where several apply; "" is the base run
	// Tasks are names of entries: of a task, or of one with a count.
	Tasks []string
	// From is when counting begins; what ended before is left out.
	From scheduler.Time
	// Columns are expressions, each a column of one value a run, as of its end.
	Columns []string
	tasks   []nameRef
	columns []Expectation
}

// baseRun is the word for the run without a variant.
const baseRun = "base"

// table reads which runs to compare.
func (r *reader) table(n *node) {
	t := &Table{}
	r.object(n, "the table", []key{
		{"runs", func(n *node) { t.Runs = r.tableRuns(n) }},
		{"from", func(n *node) { t.From = r.length(n, "from") }},
		{"columns", func(n *node) {
			for _, item := range r.list(n, "columns") {
				text := r.line(item, "column")
				t.Columns = append(t.Columns, text)
				t.columns = append(t.columns, Expectation{Text: text, Line: item.at.line, Col: item.at.col})
			}
		}},
		{"tasks", func(n *node) {
			for _, item := range r.list(n, "tasks") {
				t.tasks = append(t.tasks, nameRef{item.at, r.line(item, "task")})
			}
		}},
	})
	r.require(n, "the table", "runs", len(t.Runs) > 0)
	r.s.Table = t
}

// tableRuns reads a list of variants, or lists of them: then every combination of
// one of each is a run.
func (r *reader) tableRuns(n *node) []string {
	runs := []string{""}
	lists := r.list(n, "runs")
	if len(lists) > 0 && lists[0].kind != kindList {
		lists = []*node{n}
	}
	for _, list := range lists {
		var longer []string
		for _, run := range runs {
			for _, item := range r.list(list, "runs") {
				longer = append(longer, strings.Trim(run+","+r.tableRun(item), ","))
			}
		}
		if runs = longer; r.failed() || len(runs) > maxVariants {
			break
		}
	}
	return runs
}

func (r *reader) tableRun(n *node) string {
	name := r.line(n, "run")
	if name == baseRun {
		return ""
	}
	r.s.names.variantRefs = append(r.s.names.variantRefs, nameRef{n.at, name})
	return name
}

// linkTable checks the names of the table's entries; without any all are meant.
func (r *reader) linkTable() {
	t, known := r.s.Table, r.s.taskDefNames()
	if t == nil {
		return
	}
	for _, ref := range t.tasks {
		if _, found := r.s.names.defIDs[ref.name]; !found {
			r.unknown(ref.at, "task", ref.name, known)
		}
		t.Tasks = append(t.Tasks, ref.name)
	}
	if t.tasks == nil {
		t.Tasks = known
	}
}
