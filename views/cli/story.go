package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// The formats of a story.
var storyFormats = []string{"text", "json"}

func newStory(out *output) *cobra.Command {
	c := &changes{}
	format, quiet := storyFormats[0], false
	cmd := &cobra.Command{
		Use:   "story NAME|FILE|DIR",
		Short: "print every event of a run with the reason of its decision",
		Long: `story prints one line per event: number, time in ms, CPU, kind, what happened
and the reason. "a -> b" is a switch, "a => b" one that took the CPU from a task
that wanted to go on.

With --format json every line is one object: the event, its sub-steps with reason
and operands, and the frame, the state after it. Times are ns, field names those
of the expression language.

--quiet runs without printing events and tells how many there were and how fast.`,
		Example: `  zerolag story nginx --until 10ms
  zerolag story nginx --format json | head -1
  zerolag story three-hogs --quiet`,
		GroupID:           groupLook,
		Args:              oneScenario,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := load(args[0], c, out)
			switch {
			case err != nil:
				return err
			case quiet:
				return s.race(out)
			case format == "json":
				return s.storyJSON(out)
			}
			return s.storyText(out)
		},
	}
	c.register(cmd)
	cmd.Flags().Var(&flagValue{text: format, kind: "FORMAT", read: func(text string) error {
		if !slices.Contains(storyFormats, text) {
			return fmt.Errorf("unknown format: expected %s", expected(text, storyFormats))
		}
		format = text
		return nil
	}}, "format", "text or json")
	completeFlag(cmd, "format", func() []string { return storyFormats })
	cmd.Flags().BoolVar(&quiet, "quiet", false, "print no events, only their number and the speed")
	return cmd
}

// storyText prints one line per event.
func (s *subject) storyText(out *output) error {
	var rec scheduler.Recorder
	var f scheduler.Frame
	return s.everyEvent(out, &rec, func(sim *scheduler.Sim) {
		sim.Frame(&f)
		out.printf("%s\n", views.LogLine(sim.Event(), rec.Steps, &f))
	})
}

// storyJSON prints one object per event.
func (s *subject) storyJSON(out *output) error {
	var rec scheduler.Recorder
	j := newJSONWriter()
	return s.everyEvent(out, &rec, func(sim *scheduler.Sim) {
		_, _ = out.Write(j.line(sim, rec.Steps))
	})
}

// everyEvent runs the scenario and prints its events until nobody listens.
func (s *subject) everyEvent(out *output, rec *scheduler.Recorder, print func(*scheduler.Sim)) error {
	var last scheduler.Time
	stuck := eachEvent(s.workload, rec, func(sim *scheduler.Sim) bool {
		print(sim)
		last = sim.Event().Time
		return !out.closed()
	})
	if stuck {
		return s.errStuck(last)
	}
	return nil
}

// race runs the scenario silently and prints how fast that was. This is the one
// place where the clock on the wall is read.
func (s *subject) race(out *output) error {
	events := 0
	var last scheduler.Time
	start := time.Now()
	stuck := eachEvent(s.workload, nil, func(sim *scheduler.Sim) bool {
		last = sim.Event().Time
		events++
		return true
	})
	spent := max(time.Since(start), 1)
	if stuck {
		return s.errStuck(last)
	}
	out.printf("%s\n", s.settings())
	out.printf("events     %d\n", events)
	out.printf("simulated  %s\n", scenarios.FormatTime(last))
	out.printf("speed      %d events per second\n", int64(events)*int64(time.Second)/int64(spent))
	return nil
}
