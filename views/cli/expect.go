package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

func newTest(p *Program, out *output) *cobra.Command {
	c := &changes{}
	cmd := &cobra.Command{
		Use:   "test [NAME|FILE|DIR...]",
		Short: "evaluate the expectations of scenarios",
		Long: `test runs scenarios with all their variants and kernels, on all cores, and
evaluates every expectation. It prints what held and by how much, and what does
not hold with the values of both sides. Without arguments all built-in scenarios
are tested. Of a directory all *.yaml and *.yml files are taken, those in its
subdirectories included; teach and cases are those parts of the library.

Flags change the runs before they are evaluated; --variant and --kernel choose
among them.

Exit code 1: an expectation does not hold; 2: one cannot be evaluated.`,
		Example: `  zerolag test
  zerolag test nginx my-scenario.yaml scenarios/
  zerolag test nginx --variant with`,
		GroupID:           groupCheck,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = scenarios.Names()
			}
			files, err := scenarioFiles(args)
			if err != nil {
				return err
			}
			return testAll(files, c, p, out)
		},
	}
	c.register(cmd)
	return cmd
}

// scenarioFiles are the scenarios that arguments name, directories and folders of
// the library in alphabetical order.
func scenarioFiles(arguments []string) ([]string, error) {
	var files []string
	for _, argument := range arguments {
		before := len(files)
		for _, name := range scenarios.Names() {
			if strings.HasPrefix(name, strings.TrimSuffix(argument, "/")+"/") {
				files = append(files, name)
			}
		}
		if len(files) > before {
			continue
		}
		if info, err := os.Stat(argument); err != nil || !info.IsDir() {
			files = append(files, argument)
			continue
		}
		err := filepath.WalkDir(argument, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no scenarios: expected *.yaml files", argument)
		}
	}
	return files, nil
}

// trial is one run whose expectations are evaluated.
type trial struct {
	argument string
	scenario *scenarios.Scenario
	run      scenarios.Run
	changes  *changes
	done     chan struct{} // closed when the rest is known
	// text is what is printed. err tells why the expectations cannot be evaluated.
	text         bytes.Buffer
	held, failed int
	err          error
}

// testAll tests scenarios on all cores; what is printed has the order of the
// arguments.
func testAll(arguments []string, c *changes, p *Program, out *output) error {
	trials := allTrials(arguments, c)
	work := make(chan *trial)
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for t := range work {
				t.evaluate()
				close(t.done)
			}
		}()
	}
	go func() {
		for _, t := range trials {
			work <- t
		}
		close(work)
	}()
	held, failed, bad := 0, 0, 0
	for i, t := range trials {
		p.progress("%d of %d runs: %s", i+1, len(trials), t.argument)
		<-t.done
		p.progress("")
		_, _ = out.Write(t.text.Bytes())
		if held, failed = held+t.held, failed+t.failed; t.err != nil {
			bad++
			out.flush()
			fmt.Fprintf(p.Stderr, "zerolag: %v\n", t.err)
		}
	}
	out.printf("%d expectations held, %d failed\n", held, failed)
	switch {
	case bad > 0:
		return fmt.Errorf("%d of %d runs cannot be evaluated: expected scenarios without a fault", bad, len(trials))
	case failed > 0:
		return errFailed
	}
	return nil
}

// progress shows a line where a terminal shows errors, instead of the one before.
func (p *Program) progress(format string, args ...any) {
	if p.ErrTerminal {
		fmt.Fprintf(p.Stderr, "\r\x1b[K"+format, args...)
	}
}

// allTrials are the runs of the scenarios that the flags choose. A scenario that
// cannot be read is a trial with an error.
func allTrials(arguments []string, c *changes) []*trial {
	var trials []*trial
	for _, argument := range arguments {
		add := func(s *scenarios.Scenario, r scenarios.Run, err error) {
			trials = append(trials, &trial{
				argument: argument, scenario: s, run: r, changes: c, err: err, done: make(chan struct{}),
			})
		}
		s, err := scenarios.Load(argument)
		if err != nil {
			add(nil, scenarios.Run{}, err)
			continue
		}
		before := len(trials)
		for _, run := range s.Runs() {
			if chosen(run.Options, c.options) {
				add(s, run, nil)
			}
		}
		if len(trials) > before {
			continue
		}
		// The workload's own fault names what was expected.
		if _, err := s.Workload(c.options); err != nil {
			add(s, scenarios.Run{}, err)
		}
	}
	return trials
}

// chosen tells whether the flags ask for a run.
func chosen(run, flags scenarios.Options) bool {
	if flags.Variant != "" && flags.Variant != run.Variant {
		return false
	}
	return flags.Kernel == "" || run.Kernel == "" || flags.Kernel == run.Kernel
}

// with are the flags with the variant and kernel of a run.
func (c *changes) with(o scenarios.Options) *changes {
	own := *c
	own.options.Variant = o.Variant
	if o.Kernel != "" {
		own.options.Kernel = o.Kernel
	}
	return &own
}

// evaluate runs it.
func (t *trial) evaluate() {
	if t.err != nil {
		return
	}
	build := func(o scenarios.Options) (*scheduler.Workload, error) {
		return t.scenario.Workload(t.changes.with(o).options)
	}
	run, verdicts, err := t.scenario.Test(t.run, build)
	if err != nil {
		t.err = err
		return
	}
	out := newOutput(&t.text)
	defer out.flush()
	sub := &subject{argument: t.argument, scenario: t.scenario, changes: t.changes.with(t.run.Options), workload: run.Workload()}
	if run.Stuck() {
		t.err = sub.errStuck(run.Record(run.Known() - 1).Time)
		return
	}
	out.printf("%s  kernel %s\n", sub.title(), sub.workload.Config.Kernel.Name)
	if t.changes.invariants && sub.checkInvariants(out, (*scheduler.Sim).Check) != nil {
		t.failed++
	}
	for _, v := range verdicts {
		sub.printVerdict(out, v)
		if v.Held {
			t.held++
		} else {
			t.failed++
		}
	}
}

// printVerdict prints what became of one expectation.
func (s *subject) printVerdict(out *output, v model.Verdict) {
	if v.Held {
		out.printf("  ok    %s%s\n", v.Expectation.Source(), margins(v))
		return
	}
	out.printf("  FAIL  %s\n", v.Expectation.Source())
	for _, c := range v.Compared {
		out.printf("          %s: left %s, right %s", c.Text, c.Left, c.Right)
		if c.Apart != "" {
			out.printf(", %s apart", c.Apart)
		}
		out.printf("\n")
	}
	out.printf("          at %s: %s\n", scenarios.Moment(v.Position), s.command(&v.Position))
}

// margins tells by how much an expectation held: how far the sides of its
// comparisons are apart, if they are.
func margins(v model.Verdict) string {
	if v.Expectation.When == expr.Always || v.Expectation.When == expr.Never {
		return ""
	}
	var list []string
	for _, c := range v.Compared {
		if c.Apart != "" && c.Left != c.Right {
			list = append(list, fmt.Sprintf("%s, %s: %s apart", c.Left, c.Right, c.Apart))
		}
	}
	if list == nil {
		return ""
	}
	return "  (" + strings.Join(list, "; ") + ")"
}
