package views

import (
	"slices"
	"strings"
	"testing"

	"zerolag/scheduler"
)

// TestTreeIsInOrderAndComplete walks runs of an old and a new kernel: the rows are
// the queue's entities in tree order, and the smallest vruntime or deadline is never
// stale.
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
				if strings.HasPrefix(row.Cells[4], "!") {
					t.Fatalf("%s: the smallest %s of a subtree is stale: %v", name, table.Columns[4].Head, row.Cells)
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

// TestStaleSummariesAreMarked: a node whose stored slices are not those of its
// subtree, one whose are.
func TestStaleSummariesAreMarked(t *testing.T) {
	p, _ := scheduler.ProfileByName("7.2")
	f := &scheduler.Frame{
		Queues: []scheduler.QueueFrame{{Root: 0}},
		Entities: []scheduler.EntityFrame{
			{ID: 0, Name: "top", Left: scheduler.NoEntity, Right: 1, Slice: 3_000_000, LeastSlice: 3_000_000, MostSlice: 5_000_000},
			{ID: 1, Name: "low", Left: scheduler.NoEntity, Right: scheduler.NoEntity, Red: true, Slice: 1_000_000, LeastSlice: 1_000_000, MostSlice: 1_000_000},
		},
	}
	table := TreeTable(f, 0, nil, p, ASCIIGlyphs(), ShortDecimals)
	if got, want := strings.Join(table.Rows[0].Cells, "|"), "B top||0.000|0.000|0.000|!3.000 (1.000)|!5.000 (3.000)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(table.Rows[1].Cells, "|"), `\-R low||0.000|0.000|0.000|1.000|1.000`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
