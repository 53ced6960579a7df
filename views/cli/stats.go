package cli

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/views"
)

func newStats(out *output) *cobra.Command {
	c := &changes{}
	cmd := &cobra.Command{
		Use:   "stats NAME|FILE|DIR",
		Short: "print runtime, delays, shares and switches of every task",
		Long: `stats runs a scenario to its end and prints one row per task, then the table of
runs that the scenario asks for, unless --variant chooses one. The columns of
'perf sched latency' come first: runtime, switches, average and maximum delay and
when the longest delay began and ended. Then follow the share of the CPU time and
the share that the weights promise, voluntary and involuntary switches, and the
waits that ended: number, sum, median and 99th percentile, and the wait that still
goes on.`,
		Example: `  zerolag stats nginx
  zerolag stats nginx --variant with`,
		GroupID:           groupLook,
		Args:              oneScenario,
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			return s.stats(cmd, out)
		},
	}
	c.register(cmd)
	return cmd
}

// stats prints the numbers of all tasks at the end of the run.
func (s *subject) stats(cmd *cobra.Command, out *output) error {
	run := model.Open(s.workload)
	for !run.Extend(1 << 20) {
	}
	run.Seek(run.Known() - 1)
	if run.Stuck() {
		return s.errStuck(run.Position().Time)
	}
	stats := run.Stats()
	out.printf("%s\n", s.settings())
	out.printf("%d events, the last at %s; %s of CPU time\n\n", run.Known(), scenarios.FormatTime(stats.Now), scenarios.FormatTime(stats.Total))
	t := views.StatsTable(stats)
	out.printf("%s", t.Text(0))
	if s.scenario.Table != nil && s.changes.options.Variant == "" {
		return s.table(cmd, out)
	}
	return nil
}

// table prints the comparison of runs that the scenario asks for.
func (s *subject) table(cmd *cobra.Command, out *output) error {
	t := s.scenario.Table
	rows := make([][]views.RunTally, len(t.Runs))
	report, clear := progressOn(cmd, len(t.Runs))
	defer clear()
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var done atomic.Int32
	for i, variant := range t.Runs {
		group.Go(func() error {
			var err error
			rows[i], err = s.tallies(variant)
			if n := done.Add(1); report != nil {
				report(int(n))
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	clear()
	table := views.RunsTable(slices.Concat(rows...), t.Columns)
	out.printf("\n%s", table.Text(0))
	return nil
}

// tallies runs a variant and adds up the numbers of the table's entries. What is
// of the run as a whole stands in the first row.
func (s *subject) tallies(variant string) ([]views.RunTally, error) {
	options := s.changes.options
	options.Variant = variant
	w, err := s.scenario.Workload(options)
	if err != nil {
		return nil, err
	}
	columns, err := s.scenario.ColumnsOf(options, w, s.scenario.Workload)
	if err != nil {
		return nil, err
	}
	run := model.Open(w)
	for !run.Extend(1 << 20) {
	}
	run.Seek(run.Known() - 1)
	names, from := expr.NamesOf(w), s.scenario.Table.From
	var rows []views.RunTally
	for _, entry := range s.scenario.Table.Tasks {
		tasks := names.Entry(entry)
		if len(tasks) == 0 {
			continue // the variant leaves it out
		}
		rows = append(rows, views.RunTally{Run: cmp.Or(variant, "base"), Tasks: entry, Count: len(tasks), Tally: run.Tally(tasks, from)})
	}
	if len(rows) > 0 {
		rows[0].Wasted = run.Wasted(from)
		for _, x := range columns {
			rows[0].Columns = append(rows[0].Columns, run.Value(x).Text(run.Frame()))
		}
	}
	return rows, nil
}
