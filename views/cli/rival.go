package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// rival is another way to run the scenario, as --vs names it.
type rival struct {
	text    string
	change  func(*changes)
	preempt scheduler.PreemptModel
	// otherPreempt tells that preempt is asked for.
	otherPreempt bool
}

// parseRival reads settings with commas between them: features, and kernel=,
// variant=, hz=, base_slice= and preempt= with a value.
func parseRival(text string) (rival, error) {
	r := rival{text: text}
	var changers []func(*changes)
	for item := range strings.SplitSeq(text, ",") {
		key, value, assigns := strings.Cut(strings.TrimSpace(item), "=")
		change, err := r.setting(key, value, assigns)
		if err != nil {
			return r, err
		}
		changers = append(changers, change)
	}
	r.change = func(c *changes) {
		for _, change := range changers {
			change(c)
		}
	}
	return r, nil
}

// setting reads one setting.
func (r *rival) setting(key, value string, assigns bool) (func(*changes), error) {
	if !assigns {
		f, err := parseFeature(key)
		return func(c *changes) { c.options.Features = append(slices.Clip(c.options.Features), f) }, err
	}
	switch key {
	case "kernel":
		p, err := kernelByName(value)
		return func(c *changes) { c.options.Kernel = p.Name }, err
	case "variant":
		return func(c *changes) { c.options.Variant = value }, nil
	case "hz":
		n, err := strconv.Atoi(value)
		if err != nil || n < 100 || n > 1000 {
			err = fmt.Errorf("hz %q: expected a number from 100 to 1000", value)
		}
		return func(c *changes) { c.options.HZ = n }, err
	case "base_slice", "base-slice":
		t, err := scenarios.ParseTime(value)
		if err == nil && t <= 0 {
			err = errors.New("base_slice: expected a time above 0")
		}
		return func(c *changes) { c.options.BaseSlice = t }, err
	case "preempt":
		i := slices.Index(preemptNames(), value)
		if i < 0 {
			return nil, fmt.Errorf("unknown preemption model %q: expected one of %s", value, strings.Join(preemptNames(), ", "))
		}
		r.preempt, r.otherPreempt = scheduler.PreemptModel(i), true
		return func(*changes) {}, nil
	}
	return nil, fmt.Errorf("unknown setting %q: expected a feature such as NO_PLACE_LAG, or one of kernel=, variant=, hz=, base_slice=, preempt=", key)
}

// preemptNames are the preemption models in the order of their values.
func preemptNames() []string {
	var names []string
	for p := scheduler.PreemptFull; p <= scheduler.PreemptNone; p++ {
		names = append(names, p.String())
	}
	return names
}

// subject is the scenario of s run in that way.
func (r *rival) subject(s *subject) (*subject, error) {
	c := *s.changes
	r.change(&c)
	w, err := s.scenario.Workload(c.options)
	if err != nil {
		return nil, err
	}
	if r.otherPreempt {
		w.Config.Preempt = r.preempt
	}
	return &subject{argument: s.argument, scenario: s.scenario, changes: &c, workload: w}, nil
}
