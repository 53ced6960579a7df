package views

import (
	"fmt"
	"strings"

	"zerolag/model"
	"zerolag/scheduler"
)

// WaitTable lists waits of a task: how long, from when to when, on which CPU, and
// who had that CPU meanwhile.
func WaitTable(waits []model.Wait, f *scheduler.Frame) Table {
	t := Table{Columns: []Column{
		{Head: "waited ms", Right: true}, {Head: "from ms", Right: true}, {Head: "to ms", Right: true}, {Head: "on"}, {Head: "who ran meanwhile"},
	}}
	for i := range waits {
		w := &waits[i]
		t.Rows = append(t.Rows, Row{Cells: []string{
			Ms(int64(w.Length()), ShortDecimals), Clock(w.From), Clock(w.To), fmt.Sprintf("cpu%d", w.CPU), AntagonistText(w.By, f),
		}})
	}
	return t
}

// AntagonistText names those who had a CPU while another waited, with ms.
func AntagonistText(by []model.Antagonist, f *scheduler.Frame) string {
	var words []string
	for _, a := range by {
		words = append(words, taskName(f, a.Task)+" "+Ms(int64(a.Time), ShortDecimals))
	}
	return strings.Join(words, ", ")
}
