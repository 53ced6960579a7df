package cli

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

func newTest(out *output) *cobra.Command {
	c := &changes{}
	cmd := &cobra.Command{
		Use:   "test [NAME|FILE...]",
		Short: "evaluate the expectations of scenarios",
		Long: `test runs scenarios with all their variants and kernels and evaluates every
expectation. What does not hold is printed with the values of both sides. Without
arguments all built-in scenarios are tested.

Flags change the runs before they are evaluated; --variant and --kernel choose
among them.

Exit code 1: an expectation does not hold; 2: one cannot be evaluated.`,
		Example: `  zerolag test
  zerolag test nginx my-scenario.yaml
  zerolag test nginx --variant with`,
		GroupID:           groupCheck,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = scenarioNames()
			}
			return testAll(args, c, out)
		},
	}
	c.register(cmd)
	return cmd
}

// tally counts expectations.
type tally struct{ held, failed int }

// testAll tests scenarios one after another.
func testAll(arguments []string, c *changes, out *output) error {
	var total tally
	for _, argument := range arguments {
		s, err := scenarios.Load(argument)
		if err != nil {
			return err
		}
		matched := false
		for _, run := range s.Runs() {
			if !chosen(run.Options, c.options) {
				continue
			}
			matched = true
			t, err := testRun(argument, s, run, c, out)
			if err != nil {
				return err
			}
			total.held += t.held
			total.failed += t.failed
		}
		if !matched {
			// The workload's own fault names what was expected.
			if _, err := s.Workload(c.options); err != nil {
				return err
			}
		}
	}
	out.printf("%d expectations held, %d failed\n", total.held, total.failed)
	if total.failed > 0 {
		return errFailed
	}
	return nil
}

// chosen tells whether the flags ask for a run.
func chosen(run, flags scenarios.Options) bool {
	if flags.Variant != "" && flags.Variant != run.Variant {
		return false
	}
	return flags.Kernel == "" || run.Kernel == "" || flags.Kernel == run.Kernel
}

// testRun evaluates the expectations of one run.
func testRun(argument string, s *scenarios.Scenario, r scenarios.Run, c *changes, out *output) (tally, error) {
	var t tally
	own := *c
	own.options.Variant = r.Options.Variant
	if r.Options.Kernel != "" {
		own.options.Kernel = r.Options.Kernel
	}
	w, err := build(s, own.options, own.edits)
	if err != nil {
		return t, err
	}
	sub := &subject{argument: argument, scenario: s, changes: &own, workload: w}
	if c.invariants {
		if err := sub.checkInvariants(out, (*scheduler.Sim).Check); err != nil {
			return t, err
		}
	}
	run := model.Open(w)
	parsed := make([]*expr.Expectation, len(r.Expect))
	for i, e := range r.Expect {
		if parsed[i], err = expr.ParseExpectation(e.Text, run.Names()); err != nil {
			return t, placeFault(s, e, err)
		}
	}
	verdicts := run.Expect(parsed)
	if run.Stuck() {
		return t, sub.errStuck(run.Record(run.Known() - 1).Time)
	}
	out.printf("%s  kernel %s\n", sub.title(), w.Config.Kernel.Name)
	for _, v := range verdicts {
		sub.printVerdict(out, v)
		if v.Held {
			t.held++
		} else {
			t.failed++
		}
	}
	return t, nil
}

// printVerdict prints what became of one expectation.
func (s *subject) printVerdict(out *output, v model.Verdict) {
	if v.Held {
		out.printf("  ok    %s\n", v.Expectation.Source())
		return
	}
	out.printf("  FAIL  %s\n", v.Expectation.Source())
	for _, c := range v.Failed {
		out.printf("          %s: left %s, right %s\n", c.Text, c.Left, c.Right)
	}
	out.printf("          at %s: %s\n", scenarios.Moment(v.Position), s.command(&v.Position))
}

// placeFault moves a fault of an expectation's text to its place in the file.
func placeFault(s *scenarios.Scenario, e scenarios.Expectation, err error) error {
	var f *expr.Fault
	if !errors.As(err, &f) {
		return err
	}
	before := e.Text[:min(max(f.Col-1, 0), len(e.Text))]
	return s.Fault(e.Line, e.Col+utf8.RuneCountInString(before), f.Msg, wanted(f.Want))
}

// wanted words the hint of an expression's fault as what was expected.
func wanted(hint string) string {
	if near, cut := strings.CutPrefix(hint, "did you mean "); cut {
		return strings.TrimSuffix(near, "?")
	}
	if hint == "" || strings.HasPrefix(hint, "see ") {
		return "an expression with the names of this scenario, as docs/FIELDS.md describes it"
	}
	return hint
}
