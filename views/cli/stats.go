package cli

import (
	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

func newStats(out *output) *cobra.Command {
	c := &changes{}
	cmd := &cobra.Command{
		Use:   "stats NAME|FILE",
		Short: "print runtime, delays, shares and switches of every task",
		Long: `stats runs a scenario to its end and prints one row per task. The columns of
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
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			return s.stats(out)
		},
	}
	c.register(cmd)
	return cmd
}

// stats prints the numbers of all tasks at the end of the run.
func (s *subject) stats(out *output) error {
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
	return nil
}
