package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Settings are another way to run a scenario, for a comparison: features, and
// kernel=, variant=, hz=, base_slice= and preempt= with a value.
type Settings struct {
	text    string
	changes []func(*Options)
	preempt *scheduler.PreemptModel // nil: as the scenario says
}

// ParseSettings reads settings with commas between them, such as
// "NO_PLACE_LAG,kernel=6.12.y".
func ParseSettings(text string) (Settings, error) {
	x := Settings{text: text}
	for item := range strings.SplitSeq(text, ",") {
		key, value, assigns := strings.Cut(strings.TrimSpace(item), "=")
		read := x.feature
		if assigns {
			read = func(key string) error { return x.assign(key, value) }
		}
		if err := read(key); err != nil {
			return Settings{}, err
		}
	}
	return x, nil
}

// String is the text that was read.
func (x Settings) String() string { return x.text }

func (x *Settings) change(f func(*Options)) { x.changes = append(x.changes, f) }

func (x *Settings) feature(name string) error {
	setting, ok := scheduler.ParseFeature(name)
	if !ok {
		names := slices.Concat(FeatureNames(), []string{"kernel=", "variant=", "hz=", "base_slice=", "preempt="})
		if near := Nearest(name, names); len(near) > 0 {
			return fmt.Errorf("unknown feature %q: expected %s", name, strings.Join(near, " or "))
		}
		return fmt.Errorf("unknown setting %q: expected %s", name, settingsWanted)
	}
	x.change(func(o *Options) { o.Features = append(slices.Clip(o.Features), setting) })
	return nil
}

// settingsWanted words what settings are.
const settingsWanted = "a feature such as NO_PLACE_LAG, or one of kernel=, variant=, hz=, base_slice=, preempt="

func (x *Settings) assign(key, value string) error {
	switch key {
	case "kernel":
		p, wanted := Kernel(value)
		if p == nil {
			return fmt.Errorf("unknown kernel: expected %s", wanted)
		}
		x.change(func(o *Options) { o.Kernel = p.Name })
	case "variant":
		x.change(func(o *Options) { o.Variant = value })
	case "hz":
		n, err := strconv.Atoi(value)
		if err != nil || n < 100 || n > 1000 {
			return fmt.Errorf("hz %q: expected a number from 100 to 1000", value)
		}
		x.change(func(o *Options) { o.HZ = n })
	case "base_slice", "base-slice":
		t, err := ParseTime(value)
		if err != nil {
			return err
		}
		if t <= 0 {
			return errors.New("base_slice: expected a time above 0")
		}
		x.change(func(o *Options) { o.BaseSlice = t })
	case "preempt":
		i := slices.Index(PreemptNames(), value)
		if i < 0 {
			return fmt.Errorf("unknown preemption model %q: expected one of %s", value, strings.Join(PreemptNames(), ", "))
		}
		model := scheduler.PreemptModel(i)
		x.preempt = &model
	default:
		return fmt.Errorf("unknown setting %q: expected %s", key, settingsWanted)
	}
	return nil
}

// Options are o with the settings. The preemption model is no option: see Workload.
func (x Settings) Options(o Options) Options {
	for _, change := range x.changes {
		change(&o)
	}
	return o
}

// Workload is the scenario run in that way, with o for everything else.
func (x Settings) Workload(s *Scenario, o Options) (*scheduler.Workload, error) {
	w, err := s.Workload(x.Options(o))
	if err == nil && x.preempt != nil {
		w.Config.Preempt = *x.preempt
	}
	return w, err
}

// FeatureNames are all features and proposals as settings, those that switch on
// first.
func FeatureNames() []string {
	var names []string
	for _, on := range []bool{true, false} {
		for f := range scheduler.NumFeatures {
			names = append(names, scheduler.FeatureSetting{Feature: scheduler.Feature(f), On: on}.String())
		}
	}
	return names
}

// PreemptNames are the preemption models in the order of their values.
func PreemptNames() []string {
	var names []string
	for p := scheduler.PreemptFull; p <= scheduler.PreemptNone; p++ {
		names = append(names, p.String())
	}
	return names
}
