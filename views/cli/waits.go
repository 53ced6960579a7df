package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

const (
	longestWaits = 10 // rows of the table of the longest waits
	barWidth     = 30 // columns of the longest bar of the histogram
)

func newWaits(out *output) *cobra.Command {
	c := &changes{}
	cmd := &cobra.Command{
		Use:   "waits NAME|FILE|DIR TASK",
		Short: "print how long a task waited, and who made it wait",
		Long: `waits runs a scenario to its end and prints every wait of one task in a histogram:
how many waits were that long, exactly, and where the longest of them began. Then
follow the tasks that had the CPU meanwhile, and the longest waits one by one.

A wait lasts from becoming runnable, or losing the CPU, to running.`,
		Example: `  zerolag waits nginx service
  zerolag waits nginx service --features RUN_TO_PARITY_WAKEUP`,
		GroupID: groupLook,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("waits with %s: expected a scenario and a task, as in 'zerolag waits nginx service'",
					plural(len(args), "argument", "arguments"))
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			return s.waits(args[1], out)
		},
	}
	c.register(cmd)
	return cmd
}

// task finds a task by name.
func (s *subject) task(name string) (scheduler.TaskID, error) {
	names := s.scenario.Tasks()
	i := slices.Index(names, name)
	if i < 0 {
		return scheduler.NoTask, fmt.Errorf("no task %q in %s: expected %s", name, s.scenario.Name, expected(name, names))
	}
	return scheduler.TaskID(i), nil
}

// waits prints the waits of a task up to the end of the run.
func (s *subject) waits(name string, out *output) error {
	task, err := s.task(name)
	if err != nil {
		return err
	}
	run := model.Open(s.workload)
	for !run.Extend(1 << 20) {
	}
	run.Seek(run.Known() - 1)
	if run.Stuck() {
		return s.errStuck(run.Position().Time)
	}
	list := run.Waits(task)
	total := scheduler.Time(0)
	for i := range list {
		total += list[i].Length()
	}
	out.printf("%s\n", s.settings())
	out.printf("%s: %s, %s ms in all\n", name, plural(len(list), "wait that ended", "waits that ended"), millis(int64(total)))
	if len(list) == 0 {
		return nil
	}
	histogram, _ := views.HistogramTable(list, barWidth, scenarios.FormatTime)
	for _, t := range []views.Table{histogram, s.antagonistTable(list, total), s.longestTable(list)} {
		out.printf("\n%s", t.Text(0))
	}
	return nil
}

// antagonistTable tells who had the CPU during the waits.
func (s *subject) antagonistTable(list []model.Wait, total scheduler.Time) views.Table {
	t := views.Table{Columns: []views.Column{{Head: "who ran"}, {Head: "ms", Right: true}, {Head: "% of the waits", Right: true}}}
	for _, a := range model.Antagonists(list) {
		part := int64(a.Time) * 1000 / max(int64(total)/1000, 1)
		t.Rows = append(t.Rows, views.Row{Cells: []string{s.taskName(a.Task), millis(int64(a.Time)), percent(part)}})
	}
	return t
}

// longestTable lists the longest waits.
func (s *subject) longestTable(list []model.Wait) views.Table {
	t := views.Table{Columns: []views.Column{
		{Head: "longest ms", Right: true}, {Head: "began", Right: true}, {Head: "ended", Right: true}, {Head: "on"}, {Head: "who ran"},
	}}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b model.Wait) int { return cmp.Compare(b.Length(), a.Length()) })
	for _, w := range sorted[:min(len(sorted), longestWaits)] {
		var who []string
		for _, a := range w.By {
			who = append(who, s.taskName(a.Task)+" "+millis(int64(a.Time)))
		}
		t.Rows = append(t.Rows, views.Row{Cells: []string{
			millis(int64(w.Length())), scenarios.FormatTime(w.From), scenarios.FormatTime(w.To), fmt.Sprintf("cpu%d", w.CPU), strings.Join(who, ", "),
		}})
	}
	return t
}

// taskName is the name of a task; nobody of the fair class is "idle".
func (s *subject) taskName(task scheduler.TaskID) string {
	if task < 0 || int(task) >= len(s.workload.Tasks) {
		return "idle"
	}
	return s.workload.Tasks[task].Name
}
