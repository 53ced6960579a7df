package cli

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// flagValue is a flag that reads its text with a function of its own, so that
// every fault says what was expected.
type flagValue struct {
	text string
	kind string
	read func(text string) error
}

// Set reads a value.
func (v *flagValue) Set(text string) error {
	v.text = text
	return v.read(text)
}

// String is the value as it was given.
func (v *flagValue) String() string { return v.text }

// Type is the word for the value in the help.
func (v *flagValue) Type() string { return v.kind }

// changes are the flags of every command that runs a scenario.
type changes struct {
	options    scenarios.Options
	hash       string
	stderr     func() io.Writer
	invariants bool
	ascii      bool
	theme      views.Theme
}

// register adds the flags to a command.
func (c *changes) register(cmd *cobra.Command) {
	add := func(name, kind, usage string, read func(string) error) {
		cmd.Flags().Var(&flagValue{kind: kind, read: read}, name, usage)
	}
	add("kernel", "NAME", "run it on another kernel, see 'zerolag kernels'", c.setKernel)
	add("features", "LIST", "switch features from the start: A,NO_B", c.setFeatures)
	add("hz", "N", "ticks per second, 100 to 1000", c.setHZ)
	add("base-slice", "TIME", "base_slice_ns, such as 2.8ms", timeFlag(&c.options.BaseSlice))
	add("variant", "NAME", "run one of the scenario's variants", func(text string) error {
		c.options.Variant = text
		return nil
	})
	add("until", "TIME", "end of the run, such as 200ms", timeFlag(&c.options.Until))
	add("edit", "T#N=CHANGE", "change something right before event N of time T; repeatable", c.addEdit)
	add("hash", "HASH", "tell if the run is another than the one with this hash", c.setHash)
	c.stderr = cmd.ErrOrStderr
	cmd.Flags().BoolVar(&c.invariants, "invariants", false, "check the machine's invariants after every event")
	cmd.Flags().BoolVar(&c.ascii, "ascii", false, "draw with ASCII characters only")
	add("theme", "NAME", "colours of the terminal program: dark, light or mono", c.setTheme)
	completeFlag(cmd, "kernel", kernelNames)
	completeFlag(cmd, "features", scenarios.FeatureNames)
	completeFlag(cmd, "theme", themeNames)
	completeFlag(cmd, "hz", func() []string { return []string{"100", "250", "300", "1000"} })
	_ = cmd.RegisterFlagCompletionFunc("variant", completeVariant)
	for _, name := range []string{"base-slice", "until", "edit", "hash"} {
		completeFlag(cmd, name, func() []string { return nil })
	}
}

func (c *changes) setKernel(text string) error {
	p, err := kernelByName(text)
	if err == nil {
		c.options.Kernel = p.Name
	}
	return err
}

func kernelByName(name string) (*scheduler.Profile, error) {
	p, expected := scenarios.Kernel(name)
	if p == nil {
		return nil, fmt.Errorf("unknown kernel: expected %s", expected)
	}
	return p, nil
}

func (c *changes) setFeatures(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		s, err := parseFeature(strings.TrimSpace(name))
		if err != nil {
			return err
		}
		c.options.Features = append(c.options.Features, s)
	}
	return nil
}

func parseFeature(name string) (scheduler.FeatureSetting, error) {
	s, ok := scheduler.ParseFeature(name)
	if !ok {
		return s, fmt.Errorf("unknown feature %q: expected %s", name, expected(name, scenarios.FeatureNames()))
	}
	return s, nil
}

func (c *changes) setHZ(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 100 || n > 1000 {
		return errors.New("expected a number from 100 to 1000")
	}
	c.options.HZ = n
	return nil
}

// timeFlag reads a time above 0 into t.
func timeFlag(t *scheduler.Time) func(string) error {
	return func(text string) error {
		v, err := scenarios.ParseTime(text)
		if err == nil && v <= 0 {
			err = errors.New("expected a time above 0")
		}
		*t = v
		return err
	}
}

// addEdit reads a position and a change, the name of a feature or one in the words
// of an event. What it names is looked up when the scenario is known.
func (c *changes) addEdit(text string) error {
	at, change, found := strings.Cut(text, "=")
	if !found {
		return errors.New("expected a position and a change, such as 3.1ms#0=NO_PLACE_LAG or '3.1ms#0=kill: TASK'")
	}
	p, err := parsePosition(at)
	if err != nil {
		return err
	}
	if change = strings.TrimSpace(change); !strings.Contains(change, ":") {
		if _, err := parseFeature(change); err != nil {
			return err
		}
	}
	c.options.Changes = append(c.options.Changes, scenarios.Change{At: scenarios.Moment(p), Text: change})
	slices.SortStableFunc(c.options.Changes, scenarios.Change.Compare)
	return nil
}

func (c *changes) setHash(text string) error {
	if _, err := hex.DecodeString(text); err != nil || len(text) != scenarios.HashDigits {
		return fmt.Errorf("expected %d hexadecimal digits, as printed below pictures", scenarios.HashDigits)
	}
	c.hash = text
	return nil
}

func (c *changes) setTheme(text string) error {
	i := slices.Index(themeNames(), text)
	if i < 0 {
		return fmt.Errorf("unknown theme: expected %s", expected(text, themeNames()))
	}
	c.theme = views.Theme(i)
	return nil
}

// place is the flag --at.
type place struct{ at *model.Position }

func (p *place) register(cmd *cobra.Command, usage string) {
	cmd.Flags().Var(&flagValue{kind: "T#N", read: p.set}, "at", usage)
	completeFlag(cmd, "at", func() []string { return nil })
}

func (p *place) set(text string) error {
	at, err := parsePosition(text)
	if err != nil {
		return err
	}
	p.at = &at
	return nil
}

// parsePosition reads TIME or TIME#ORDINAL; without an ordinal it is 0, the first
// event of that time.
func parsePosition(text string) (model.Position, error) {
	when, ordinal, found := strings.Cut(text, "#")
	t, err := scenarios.ParseTime(when)
	if err != nil {
		return model.Position{}, err
	}
	if t < 0 {
		return model.Position{}, fmt.Errorf("time %q is negative: expected 0 or more", when)
	}
	p := model.Position{Time: t}
	if !found {
		return p, nil
	}
	p.Ordinal, err = strconv.Atoi(ordinal)
	if err != nil || p.Ordinal < 0 {
		return model.Position{}, fmt.Errorf("ordinal %q: expected the number of an event among those of its time, from 0", ordinal)
	}
	return p, nil
}

// expected words what was expected instead of an unknown name: the nearest ones,
// or all of them if they are few.
func expected(name string, among []string) string {
	if near := scenarios.Nearest(name, among); len(near) > 0 {
		return strings.Join(near, " or ")
	}
	const few = 12
	if len(among) <= few {
		return "one of " + strings.Join(among, ", ")
	}
	return "one of " + strings.Join(among[:few], ", ") + " and others"
}
