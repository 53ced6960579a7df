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
	rivals                  []rival
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
	cmd.Flags().Var(&flagValue{kind: "SETTINGS", read: func(text string) error {
		r, err := parseRival(text)
		ask.rivals = append(ask.rivals, r)
		return err
	}}, "vs", "the other run: A,NO_B,kernel=6.12.y,hz=250; repeatable")
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
	completeFlag(cmd, "vs", rivalSettings)
	return cmd
}

// rivalSettings are the settings that --vs completes.
func rivalSettings() []string {
	names := featureSettings()
	for _, k := range kernelNames() {
		names = append(names, "kernel="+k)
	}
	for _, p := range preemptNames() {
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
		other, err := ask.rivals[i].subject(s)
		if err != nil {
			return err
		}
		m, err := measure(ask.rivals[i].text, other)
		if err != nil {
			return err
		}
		runs = append(runs, m)
		printDifference(base, m, ask.markdown, out)
	}
	out.printf("\n%s", tableText(numbersTable(runs), ask.markdown))
	return nil
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

// numbersTable is the numbers of runs, each beside its ratio to the first.
func numbersTable(runs []measured) views.Table {
	t := views.Table{Columns: []views.Column{{Head: ""}, {Head: runs[0].name, Right: true}}}
	for _, m := range runs[1:] {
		t.Columns = append(t.Columns, views.Column{Head: m.name, Right: true}, views.Column{Head: "ratio", Right: true})
	}
	for _, row := range totalRows {
		base := row.value(&runs[0].totals)
		cells := []string{row.name, row.text(base)}
		for _, m := range runs[1:] {
			v := row.value(&m.totals)
			cells = append(cells, row.text(v), ratio(v, base))
		}
		t.Rows = append(t.Rows, views.Row{Cells: cells})
	}
	return t
}

// totalRow is one row of the table of numbers.
type totalRow struct {
	name  string
	value func(t *model.Totals) int64
	text  func(int64) string
}

func count(n int64) string { return fmt.Sprint(n) }

func millis(ns int64) string { return views.Ms(ns, views.ShortDecimals) }

// totalRows are the numbers that runs are compared by.
var totalRows = []totalRow{
	{"events", func(t *model.Totals) int64 { return int64(t.Events) }, count},
	{"CPU time ms", func(t *model.Totals) int64 { return int64(t.Runtime) }, millis},
	{"switches", func(t *model.Totals) int64 { return int64(t.Switches) }, count},
	{"involuntary", func(t *model.Totals) int64 { return int64(t.Involuntary) }, count},
	{"involuntary %", func(t *model.Totals) int64 { return t.InvoluntaryShare }, percent},
	{"waits", func(t *model.Totals) int64 { return int64(t.Waits) }, count},
	{"wait avg ms", func(t *model.Totals) int64 { return int64(t.WaitAvg) }, millis},
	{"wait p99 ms", func(t *model.Totals) int64 { return int64(t.WaitP99) }, millis},
	{"wait max ms", func(t *model.Totals) int64 { return int64(t.WaitMax) }, millis},
	{"share error %", func(t *model.Totals) int64 { return t.ShareError }, percent},
	{"lag min ms", func(t *model.Totals) int64 { return t.LagMin.Lag }, millis},
	{"lag max ms", func(t *model.Totals) int64 { return t.LagMax.Lag }, millis},
}

// percent prints parts per million as per cent, rounded down.
func percent(ppm int64) string { return fmt.Sprintf("%d.%02d", ppm/10_000, ppm/100%100) }

// ratio is a/b with three decimals, rounded down; "-" if it says nothing.
func ratio(a, b int64) string {
	if b == 0 || a != 0 && (a < 0) != (b < 0) {
		return "-"
	}
	whole, rest := a/b, a%b
	const limit = 1 << 50
	if rest > limit || rest < -limit {
		rest, b = rest/1000, b/1000
	}
	return fmt.Sprintf("%d.%03d", whole, rest*1000/b)
}

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
