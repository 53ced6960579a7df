package views

import (
	"slices"
	"strings"
	"testing"

	"zerolag/scheduler"
)

// TestTreeIsInOrderAndComplete walks runs of an old and a new kernel: the rows are
// the queue's entities in tree order, and the true summaries are those of a search.
func TestTreeIsInOrderAndComplete(t *testing.T) {
	for _, name := range []string{"6.6", "7.2"} {
		p, _ := scheduler.ProfileByName(name)
		w := &scheduler.Workload{Config: scheduler.Config{
			Kernel: p, CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: p.NBase, Features: p.Defaults(),
		}, Until: 100 * scheduler.Millisecond}
		for i := range 9 {
			w.Tasks = append(w.Tasks, scheduler.TaskSpec{
				Name: string(rune('a' + i)), Nice: i - 4,
				Program: []scheduler.Op{{Kind: scheduler.OpRun, Dur: scheduler.Second}},
			})
		}
		s := scheduler.NewSim(w)
		var f scheduler.Frame
		shown := 0
		for at, ok := s.Next(); ok && at < w.Until; at, ok = s.Next() {
			s.Step(nil)
			s.Frame(&f)
			q := &f.Queues[0]
			table := TreeTable(&f, q.ID, nil, p, ASCIIGlyphs(), FullDecimals)
			var names, want []string
			for _, row := range table.Rows {
				names = append(names, row.Cells[0][len(row.Cells[0])-1:])
				if strings.HasPrefix(row.Cells[3], "!") {
					t.Fatalf("%s: the smallest %s of a subtree is stale: %v", name, table.Columns[3].Head, row.Cells)
				}
			}
			for _, id := range q.Tree {
				want = append(want, f.Entity(id).Name)
			}
			if !slices.Equal(names, want) {
				t.Fatalf("%s at %d: rows %v, the tree holds %v", name, at, names, want)
			}
			shown += len(names)
		}
		if shown < 100 {
			t.Errorf("%s: only %d nodes were shown", name, shown)
		}
	}
}
