package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/views"
)

func newOrigin(out *output) *cobra.Command {
	c, at := &changes{}, &place{}
	links := 10
	cmd := &cobra.Command{
		Use:   "origin NAME|FILE|DIR FIELD --at T[#N]",
		Short: "print where a number came from: the sub-steps that changed it",
		Long: `origin follows one number backwards: every sub-step that changed it, with what it
was before and after, the kernel function, and the operands of the formula as they
were recorded there. A step marked ~ changed the number by what it did to others,
as V moves when somebody runs.

FIELD is one of docs/FIELDS.md, such as nginx.deadline, V or /a:load.`,
		Example: `  zerolag origin nginx nginx.deadline --at 3.1ms
  zerolag origin nginx V --at 3.1ms --links 3`,
		GroupID: groupLook,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("origin with %s: expected a scenario and a field, as in 'zerolag origin nginx V --at 3.1ms'",
					plural(len(args), "argument", "arguments"))
			}
			return nil
		},
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			if at.at == nil {
				return errors.New("origin without a moment: expected --at T, such as --at 3.1ms")
			}
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			if err := s.inside(at.at); err != nil {
				return err
			}
			return s.origin(args[1], *at.at, links, out)
		},
	}
	c.register(cmd)
	at.register(cmd, "the moment: event N of time T, such as 3.1ms or 3.1ms#1")
	cmd.Flags().Var(&flagValue{text: strconv.Itoa(links), kind: "N", read: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return errors.New("expected a number from 1 on")
		}
		links = n
		return nil
	}}, "links", "how many changes to print, the latest first")
	return cmd
}

// origin prints the latest changes of a field before a moment.
func (s *subject) origin(text string, at model.Position, links int, out *output) error {
	run := model.Open(s.workload)
	s.seek(run, at)
	x, err := expr.Parse(text, run.Names())
	if err != nil {
		return fmt.Errorf("field %s: %w", text, err)
	}
	field, id, ok := x.Field(run.Context())
	if !ok {
		return fmt.Errorf("%q is not a field of somebody: expected one such as nginx.vruntime or V", text)
	}
	trail := run.Trail(field, id)
	for len(trail.Links()) < links && trail.Extend(1<<12) != model.Exhausted {
	}
	out.printf("%s\n", s.settings())
	out.printf("%s is %s after %s at %s: %s, in %v\n", text, run.Value(x).Text(run.Frame()),
		views.EventTitle(run.Event(), run.Frame()), scenarios.FormatTime(run.Event().Time), field.Meaning, field.Unit)
	if field.Rounding != "" {
		out.printf("rounding: %s\n", field.Rounding)
	}
	list := trail.Links()
	if len(list) == 0 {
		out.printf("It has been so since the start.\n")
	}
	for _, l := range list[:min(len(list), links)] {
		s.printLink(run, l, out)
	}
	return nil
}

// printLink prints one change: where, from what to what, by which step.
func (s *subject) printLink(run *model.Run, l model.Link, out *output) {
	run.SeekSub(l.Index, l.Sub)
	f := run.Frame()
	at := l.Position
	out.printf("\n%s -> %s  by %s  (%s)\n", l.Old.Text(f), l.New.Text(f), views.EventTitle(run.Event(), f), s.command(&at))
	if l.Sub < 0 {
		out.printf("  outside of the sub-steps\n")
		return
	}
	steps := views.StepTable(run.Steps(), s.workload.Config.Kernel, f, views.FullDecimals)
	mark := "~"
	if l.Stated {
		mark = "="
	}
	out.printf("  %s sub-step %s\n", mark, strings.Join(steps.Rows[l.Sub].Cells, "  "))
	if operands := views.Operands(&l.Step); operands != "" {
		out.printf("    %s\n", operands)
	}
}
