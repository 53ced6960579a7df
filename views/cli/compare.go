package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

// The formats of a comparison.
var compareFormats = []string{"text", "markdown"}

// comparing is what the flags of compare ask for.
type comparing struct {
	rivals                  []scenarios.Settings
	eachFeature, eachKernel bool
	markdown                bool
}

func newCompare(out *output) *cobra.Command {
	c, ask := &changes{}, &comparing{}
	cmd := &cobra.Command{
		Use:   "compare NAME|FILE --vs SETTINGS",
		Short: "run a scenario in two ways: first different decision, numbers, ratios",
		Long: `compare runs a scenario as it is and again with other settings. It prints the
first decision in which the runs differ, with both explanations side by side and the
commands that open them, and one table of numbers with ratios.

SETTINGS are features, and kernel=, variant=, hz=, base_slice= and preempt= with a
value, with commas between them. --vs may be repeated: each is one more run.

--each-feature and --each-kernel run the scenario once for every feature and
proposal, switched alone, or for every kernel, and rank them: the longest time
during which another task runs comes first.`,
		Example: `  zerolag compare nginx --vs RUN_TO_PARITY_WAKEUP
  zerolag compare nginx --vs kernel=6.12.y --vs hz=250,base_slice=3ms
  zerolag compare nginx --each-feature --format markdown`,
		GroupID:           groupLook,
		Args:              oneScenario,
		ValidArgsFunction: completeScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			sweeps := ask.eachFeature || ask.eachKernel
			switch {
			case !sweeps && len(ask.rivals) == 0:
				return errors.New("compare without another run: expected --vs SETTINGS, --each-feature or --each-kernel")
			case sweeps && len(ask.rivals) > 0:
				return errors.New("--vs and --each-...: expected one of them")
			}
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			if s.scenario.Recorded() {
				return fmt.Errorf("%s is a recording: expected a scenario, because what the kernel did cannot be changed", s.scenario.Name)
			}
			if sweeps {
				return s.sweep(cmd, ask, out)
			}
			return s.compare(ask, out)
		},
	}
	c.register(cmd)
	versusFlag(cmd, "the other run: A,NO_B,kernel=6.12.y,hz=250; repeatable", func(x scenarios.Settings) { ask.rivals = append(ask.rivals, x) })
	cmd.Flags().BoolVar(&ask.eachFeature, "each-feature", false, "rank every feature and proposal, switched alone")
	cmd.Flags().BoolVar(&ask.eachKernel, "each-kernel", false, "rank every other kernel")
	cmd.Flags().Var(&flagValue{text: compareFormats[0], kind: "FORMAT", read: func(text string) error {
		if !slices.Contains(compareFormats, text) {
			return fmt.Errorf("unknown format: expected %s", expected(text, compareFormats))
		}
		ask.markdown = text == "markdown"
		return nil
	}}, "format", "text or markdown")
	completeFlag(cmd, "format", func() []string { return compareFormats })
	return cmd
}

// versusFlag adds --vs; take gets each value.
func versusFlag(cmd *cobra.Command, usage string, take func(scenarios.Settings)) {
	cmd.Flags().Var(&flagValue{kind: "SETTINGS", read: func(text string) error {
		x, err := scenarios.ParseSettings(text)
		if err == nil {
			take(x)
		}
		return err
	}}, "vs", usage)
	completeFlag(cmd, "vs", rivalSettings)
}

// rivalSettings are the settings that --vs completes.
func rivalSettings() []string {
	names := scenarios.FeatureNames()
	for _, k := range kernelNames() {
		names = append(names, "kernel="+k)
	}
	for _, p := range scenarios.PreemptNames() {
		names = append(names, "preempt="+p)
	}
	return names
}

// measured is a run with its numbers.
type measured struct {
	name   string
	s      *subject
	run    *model.Run
	totals model.Totals
}

// measure runs a workload to its end.
func measure(name string, s *subject) (measured, error) {
	run := model.Open(s.workload)
	meter := run.Measure()
	for !meter.Scan(1 << 20) {
	}
	if run.Stuck() {
		return measured{}, s.errStuck(run.Record(run.Known() - 1).Time)
	}
	return measured{name, s, run, meter.Totals()}, nil
}

// compare prints how the other runs differ from this one.
func (s *subject) compare(ask *comparing, out *output) error {
	base, err := measure("base", s)
	if err != nil {
		return err
	}
	out.printf("%s\n", s.settings())
	runs := []measured{base}
	for i := range ask.rivals {
		other, err := s.rival(ask.rivals[i])
		if err != nil {
			return err
		}
		m, err := measure(ask.rivals[i].String(), other)
		if err != nil {
			return err
		}
		runs = append(runs, m)
		printDifference(base, m, ask.markdown, out)
	}
	var totals []views.NamedTotals
	for _, m := range runs {
		totals = append(totals, views.NamedTotals{Name: m.name, Totals: m.totals})
	}
	out.printf("\n%s", tableText(views.NumbersTable(totals), ask.markdown))
	return nil
}

// rival is the scenario of s run in another way.
func (s *subject) rival(x scenarios.Settings) (*subject, error) {
	c := *s.changes
	c.options = x.Options(c.options)
	w, err := x.Workload(s.scenario, s.changes.options)
	if err != nil {
		return nil, err
	}
	return &subject{argument: s.argument, scenario: s.scenario, changes: &c, workload: w}, nil
}

// printDifference tells where a run first decides otherwise than the base.
func printDifference(base, other measured, markdown bool, out *output) {
	p := model.Compare(base.run, other.run)
	for !p.Scan(1 << 20) {
	}
	out.printf("\nvs %s\n", other.name)
	list := p.Differences()
	if len(list) == 0 {
		out.printf("No decision differs.\n")
		return
	}
	d := list[0]
	p.Go(d)
	out.printf("%s; another task runs for %s%% of the time.\n", plural(len(list), "decision differs", "decisions differ"),
		percent(p.ApartShare()))
	out.printf("First at %s: %s.\n\n", scenarios.FormatTime(d.Time), differenceWords(p, d))
	left, right := base.explain(d.Side != model.OnlyB), other.explain(d.Side != model.OnlyA)
	t := views.Table{
		Columns: []views.Column{{Head: "base"}, {Head: other.name}},
		Rows:    []views.Row{{Cells: []string{left, right}}},
	}
	if !markdown {
		t = sideBySide(t)
	}
	out.printf("%s\n", tableText(t, markdown))
	for i, m := range []measured{base, other} {
		at := m.run.Position()
		if has := d.Side == model.BothSides || (d.Side == model.OnlyA) == (i == 0); !has {
			at = model.Position{Time: d.Time}
		}
		if m.s.workload.Config.Preempt == base.s.workload.Config.Preempt {
			out.printf("%s\n", m.s.command(&at))
		}
	}
}

// differenceWords says what a difference is about.
func differenceWords(p *model.Pair, d model.Difference) string {
	r, only := p.A, ""
	switch d.Side {
	case model.BothSides:
	case model.OnlyA:
		only = ", in the base only"
	case model.OnlyB:
		r, only = p.B, ", in the other run only"
	}
	return views.EventTitle(r.Event(), r.Frame()) + only
}

// explain is the explanation of the event at the cursor, or why there is none.
func (m *measured) explain(has bool) string {
	if !has {
		return "No such event: the last one before it is at " + scenarios.FormatTime(m.run.Event().Time) + "."
	}
	return views.Why(views.Moment{
		Profile: m.s.workload.Config.Kernel, Event: m.run.Event(), Steps: m.run.Steps(), Before: m.run.Before(),
		After: m.run.Frame(), Decimals: views.ShortDecimals,
	}).Text()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n) + " " + many
}

func millis(ns int64) string { return views.Ms(ns, views.ShortDecimals) }

// percent prints parts per million as per cent, rounded down.
func percent(ppm int64) string { return fmt.Sprintf("%d.%02d", ppm/10_000, ppm/100%100) }

// tableText is a table as text or as Markdown.
func tableText(t views.Table, markdown bool) string {
	if !markdown {
		return t.Text(0)
	}
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, cell := range cells {
			b.WriteString(" " + strings.ReplaceAll(cell, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	var heads, rules []string
	for _, c := range t.Columns {
		rule := "---"
		if c.Right {
			rule = "---:"
		}
		heads, rules = append(heads, c.Head), append(rules, rule)
	}
	line(heads)
	line(rules)
	for _, r := range t.Rows {
		line(r.Cells)
	}
	return b.String()
}

// sideBySide wraps the cells of the only row of a table so that it is as wide as a
// picture.
func sideBySide(t views.Table) views.Table {
	const gap = 2
	n := len(t.Columns)
	width := (views.PictureWidth - gap*(n-1)) / n
	var columns [][]string
	rows := 0
	for _, cell := range t.Rows[0].Cells {
		lines := strings.Split(ansi.Wrap(cell, width, ""), "\n")
		columns, rows = append(columns, lines), max(rows, len(lines))
	}
	wrapped := views.Table{Columns: t.Columns}
	for i := range rows {
		var cells []string
		for _, lines := range columns {
			line := ""
			if i < len(lines) {
				line = strings.TrimSpace(lines[i])
			}
			cells = append(cells, fmt.Sprintf("%-*s", width, line))
		}
		wrapped.Rows = append(wrapped.Rows, views.Row{Cells: cells})
	}
	return wrapped
}
