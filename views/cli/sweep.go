package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// sweep runs the scenario in many ways and prints which of them change it.
func (s *subject) sweep(cmd *cobra.Command, ask *comparing, out *output) error {
	var cases []model.Case
	var refused []string
	if ask.eachFeature {
		cases = model.FeatureCases(s.workload)
	}
	if ask.eachKernel {
		var kernels []model.Case
		kernels, refused = s.kernelCases()
		cases = append(cases, kernels...)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt)
	defer stop()
	report, clear := progressOn(cmd, len(cases))
	base, effects, err := model.Sweep(ctx, s.workload, cases, report)
	clear()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("cancelled before all %d runs were done", len(cases))
	}
	if err != nil {
		return err
	}
	out.printf("%s\n", s.settings())
	out.printf("%d events, the last at %s; %d runs compared with this one\n\n", base.Events, scenarios.FormatTime(base.Now), len(cases))
	out.printf("%s", tableText(s.effectsTable(base, effects), ask.markdown))
	var same []string
	for _, e := range effects {
		if e.Differences == 0 {
			same = append(same, e.Name)
		}
	}
	if len(same) > 0 {
		out.printf("\n%s\n", ansi.Wordwrap("No decision differs with: "+strings.Join(same, ", "), views.PictureWidth, ""))
	}
	for _, line := range refused {
		out.printf("%s\n", line)
	}
	return nil
}

// kernelCases are the scenario on every other kernel. refused tells, a line each,
// on which it cannot run.
func (s *subject) kernelCases() (cases []model.Case, refused []string) {
	for _, k := range scheduler.Profiles() {
		if k == s.workload.Config.Kernel {
			continue
		}
		options := s.changes.options
		options.Kernel = k.Name
		w, err := s.scenario.Workload(options)
		if err != nil {
			reason, _, _ := strings.Cut(err.Error(), "\n")
			refused = append(refused, "Not on "+k.Name+": "+reason)
			continue
		}
		cases = append(cases, model.Case{Name: k.Name, Workload: w})
	}
	return cases, refused
}

// progressOn shows how many runs are done on the error output, if that is a
// terminal.
func progressOn(cmd *cobra.Command, runs int) (report func(done int), clear func()) {
	f, ok := cmd.ErrOrStderr().(*os.File)
	if !ok || !isatty.IsTerminal(f.Fd()) {
		return nil, func() {}
	}
	return func(done int) { fmt.Fprintf(f, "\r%d of %d runs", done, runs) },
		func() { fmt.Fprintf(f, "\r%s", ansi.EraseLineRight) }
}

// effectsTable ranks what changes the scenario, with ratios to the base.
func (s *subject) effectsTable(base model.Totals, effects []model.Effect) views.Table {
	right := func(head string) views.Column { return views.Column{Head: head, Right: true} }
	t := views.Table{Columns: []views.Column{
		{Head: "with"},
		right("apart %"), right("differ"),
		{Head: "first at"},
		{Head: "in"},
		right("switches"), right("invol"), right("wait avg"), right("wait p99"), right("wait max"),
	}}
	for i := range effects {
		e := &effects[i]
		if e.Differences == 0 {
			continue
		}
		t.Rows = append(t.Rows, views.Row{Cells: []string{
			e.Name, percent(e.ApartShare), strconv.Itoa(e.Differences), scenarios.FormatTime(e.First.Time), s.eventWords(e),
			views.Ratio(int64(e.Totals.Switches), int64(base.Switches)), views.Ratio(int64(e.Totals.Involuntary), int64(base.Involuntary)),
			views.Ratio(int64(e.Totals.WaitAvg), int64(base.WaitAvg)), views.Ratio(int64(e.Totals.WaitP99), int64(base.WaitP99)),
			views.Ratio(int64(e.Totals.WaitMax), int64(base.WaitMax)),
		}})
	}
	return t
}

// eventWords says what the first event is in which an effect shows.
func (s *subject) eventWords(e *model.Effect) string {
	words := e.FirstKind.String()
	if t := e.FirstTask; t >= 0 && int(t) < len(s.workload.Tasks) {
		words += " " + s.workload.Tasks[t].Name
	}
	return words
}
