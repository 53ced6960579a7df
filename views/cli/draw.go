package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// The widths that a picture can have, in columns.
const (
	minWidth = 60
	maxWidth = 400
)

func newDraw(out *output) *cobra.Command {
	c, at := &changes{}, &place{}
	d := drawing{width: views.PictureWidth, command: true}
	unicode := false
	cmd := &cobra.Command{
		Use:   "draw NAME|FILE|DIR --at T[#N]",
		Short: "print the picture of one moment, ready for a mail",
		Long: `draw prints the queues before and after one event, why it ended as it did, the
real-time lanes, and the command that reopens that very moment.

T is a time such as 3.1ms; N counts the events of that time from 0. If nothing
happens at T the last event before it is drawn.`,
		Example: `  zerolag draw nginx --at 3.1ms
  zerolag draw nginx --at 3.1ms#1 --variant with
  zerolag draw nginx --at 3.1ms --width 120 --unicode
  zerolag draw stale-slices --at 1ms#1 --tree`,
		GroupID:           groupLook,
		Args:              oneScenario,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			if at.at == nil {
				return errors.New("draw without a moment: expected --at T, such as --at 3.1ms")
			}
			if unicode && c.ascii {
				return errors.New("--unicode and --ascii: expected one of them")
			}
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			d.glyphs = views.ASCIIGlyphs()
			if unicode {
				d.glyphs = views.UnicodeGlyphs()
			}
			if err := s.inside(at.at); err != nil {
				return err
			}
			return s.draw(out, d, *at.at)
		},
	}
	c.register(cmd)
	at.register(cmd, "the moment: event N of time T, such as 3.1ms or 3.1ms#1")
	cmd.Flags().BoolVar(&d.beforeOnly, "before", false, "draw only the state before the event")
	cmd.Flags().BoolVar(&d.trees, "tree", false, "draw the trees of the CPU's queues, too")
	cmd.Flags().BoolVar(&unicode, "unicode", false, "draw with Unicode characters")
	cmd.Flags().Var(&flagValue{text: strconv.Itoa(d.width), kind: "N", read: func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < minWidth || n > maxWidth {
			return fmt.Errorf("expected %d to %d columns", minWidth, maxWidth)
		}
		d.width = n
		return nil
	}}, "width", "columns of the picture")
	return cmd
}

// oneScenario demands one argument.
func oneScenario(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s with %d arguments: expected one scenario, as in 'zerolag %s nginx'", cmd.Name(), len(args), cmd.Name())
	}
	return nil
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// draw prints the picture of one moment.
func (s *subject) draw(out *output, d drawing, at model.Position) error {
	run := model.Open(s.workload)
	s.seek(run, at)
	run.Extend(1 << 20)
	if run.Stuck() {
		return s.errStuck(run.Record(run.Known() - 1).Time)
	}
	out.printf("%s", s.picture(run, d, at).Plain())
	if d.trees {
		s.drawTrees(run, d, out)
	}
	return nil
}

// drawTrees prints the trees of the event's CPU that hold somebody: as the last pick
// from it found it, else as it is after the event.
func (s *subject) drawTrees(run *model.Run, d drawing, out *output) {
	now := run.Frame()
	for i := range now.Queues {
		q := &now.Queues[i]
		if q.CPU != run.Event().CPU {
			continue
		}
		f, pick, when := now, views.PickOn(run.Steps(), q.ID), "as it is"
		if pick != nil && pick.After != nil {
			f, when = pick.After, "as pick found it"
		}
		if f.Queue(q.ID).Root == scheduler.NoEntity {
			continue
		}
		t := views.TreeTable(f, q.ID, pick, s.workload.Config.Kernel, d.glyphs, views.ShortDecimals)
		out.printf("\ntree of cpu%d %s %s: root at the left, first on top\n%s", q.CPU, now.Groups[q.Group].Name, when, t.Text(d.width))
	}
}

// tell prints the story of a run: what to look at, and the picture of every
// bookmark.
func (s *subject) tell(out *output) error {
	run := model.Open(s.workload)
	for !out.closed() && !run.Extend(1<<20) {
	}
	if run.Stuck() {
		return s.errStuck(run.Record(run.Known() - 1).Time)
	}
	out.printf("%s\n", s.settings())
	for _, text := range []string{s.scenario.About, s.variantAbout(), s.sourceText()} {
		if text != "" {
			out.printf("\n%s\n", ansi.Wordwrap(text, views.PictureWidth, ""))
		}
	}
	for _, mark := range s.scenario.Bookmarks {
		if mark.Time >= s.workload.Until {
			continue
		}
		at := model.Position{Time: mark.Time, Ordinal: mark.Ordinal}
		run.SeekPosition(at)
		d := drawing{width: views.PictureWidth, glyphs: views.ASCIIGlyphs(), note: mark.Note, command: true}
		out.printf("\n%s", s.picture(run, d, at).Plain())
	}
	s.tellVariants(out)
	return nil
}

func (s *subject) variantAbout() string {
	name := s.changes.options.Variant
	i := slices.IndexFunc(s.scenario.Variants, func(v scenarios.Variant) bool { return v.Name == name })
	if i < 0 || s.scenario.Variants[i].About == "" {
		return ""
	}
	return "Variant " + name + ": " + s.scenario.Variants[i].About
}

func (s *subject) sourceText() string {
	if s.scenario.Source == "" {
		return ""
	}
	return "Source: " + s.scenario.Source
}

// tellVariants lists the variants with their commands.
func (s *subject) tellVariants(out *output) {
	if len(s.scenario.Variants) == 0 {
		return
	}
	out.printf("\nVariants:\n")
	for _, v := range s.scenario.Variants {
		out.printf("  zerolag %s --variant %s\n", scenarios.ShellWord(s.argument), scenarios.ShellWord(v.Name))
		if v.About != "" {
			about := ansi.Wordwrap(v.About, views.PictureWidth-6, "")
			out.printf("      %s\n", strings.ReplaceAll(about, "\n", "\n      "))
		}
	}
}
