// Package vector replays vectors on the machine, every integer compared: files of
// scheduler operations with the complete expected state after each, and files of
// single decisions about CPUs with the expected answers.
package vector

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Result is what a replay found.
type Result struct {
	Profile  string
	Ops      int // operations executed
	States   int // states compared
	Integers int // integers compared
	Diff     *Diff
}

// Diff is the first difference of a replay.
type Diff struct {
	Line     int    // 1-based line of the expected state
	Op       string // the operation before it, with its line
	Object   string // e.g. q1.0, t3
	Field    string // e.g. av
	Want     string // as the file says
	Got      string // as the machine computes
	StateWas string // the expected fields of the object
	StateIs  string // the computed ones
}

// String prints the difference in full.
func (d *Diff) String() string {
	return fmt.Sprintf("line %d, after %q: %s %s: expected %s, got %s\n  expected %s\n  got      %s",
		d.Line, d.Op, d.Object, d.Field, d.Want, d.Got, d.StateWas, d.StateIs)
}

// FormatError is a line that cannot be read as part of a vector.
type FormatError struct {
	Line int
	Msg  string
}

// Error says where and what.
func (e *FormatError) Error() string { return fmt.Sprintf("%d:1: %s", e.Line, e.Msg) }

type replayer struct {
	m      *scheduler.Machine
	head   header
	clock  scheduler.Time
	frame  scheduler.Frame
	res    Result
	lastOp string
	// In vectors RESPECT_SLICE is on but acts only while SLICE_SET is.
	sliceSet, ignoresSlice bool
}

// crashed is the difference when an operation ends in a null pointer.
func (p *replayer) crashed(line int) *Diff {
	return &Diff{Line: line, Op: p.lastOp, Object: "machine", Field: "oops", Want: "none", Got: p.m.Oops()}
}

// maxLine bounds a line of a vector file, in bytes.
const maxLine = 4 << 20

// replay executes the lines of a vector one by one.
type replay interface {
	line(n int, text string) error
	result() *Result
}

// Replay runs a vector and stops at the first difference. An error means that
// the file cannot be read as a vector; a difference is not an error.
func Replay(r io.Reader) (Result, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var p replay
	for line := 1; in.Scan(); line++ {
		switch {
		case p != nil:
		case isDecision(in.Text()):
			p = newDecisions()
		default:
			p = &replayer{}
		}
		if err := p.line(line, in.Text()); err != nil {
			return *p.result(), &FormatError{line, err.Error()}
		}
		if p.result().Diff != nil {
			return *p.result(), nil
		}
	}
	if err := in.Err(); err != nil {
		return Result{}, err
	}
	if p == nil {
		return Result{}, &FormatError{1, "empty file: expected a header like '# profile=7.2 ncpu=1 hz=1000 base_slice=2800000'"}
	}
	return *p.result(), nil
}

func (p *replayer) result() *Result { return &p.res }

// line executes one line: the header, an operation, or a comparison.
func (p *replayer) line(n int, text string) error {
	text = strings.TrimSpace(text)
	switch {
	case n == 1:
		return p.open(text)
	case text == "" || strings.HasPrefix(text, "#"):
	case strings.HasPrefix(text, "= "):
		p.compare(n, text[2:])
	default:
		if err := p.apply(n, text); err != nil {
			return err
		}
		if p.m.Oops() != "" {
			p.res.Diff = p.crashed(n)
		}
	}
	return nil
}

// header is the first line of a vector.
type header struct {
	profile *scheduler.Profile
	ncpu    int
	hz      int
	base    uint64
	nbase   uint64
	aug     scheduler.AugMode
	toggles string
}

// folderNames maps the profile names of headers to those of the program.
var folderNames = map[string]string{"6.12.117": "6.12.y", "6.12.0": "6.12", "6.8t": "6.8"}

func parseHeader(text string) (header, error) {
	h := header{hz: 1000, aug: scheduler.AugIdeal, ncpu: 1}
	if !strings.HasPrefix(text, "#") {
		return h, fmt.Errorf("not a vector: expected a header like '# profile=7.2 ncpu=1 hz=1000 base_slice=2800000', got %q", clip(text))
	}
	name, aug := "6.12.117", ""
	for _, field := range strings.Fields(text[1:]) {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return h, fmt.Errorf("header field %q: expected name=value", field)
		}
		var err error
		switch key {
		case "profile":
			name = value
		case "ncpu":
			h.ncpu, err = parseSmall(value, 1, 10)
		case "hz":
			h.hz, err = parseSmall(value, 1, 10000)
		case "base_slice":
			h.base, err = strconv.ParseUint(value, 10, 64)
		case "nbase":
			h.nbase, err = strconv.ParseUint(value, 10, 64)
		case "aug":
			aug = value
		case "toggles":
			h.toggles = value
		default:
			err = fmt.Errorf("expected profile, ncpu, hz, base_slice, nbase, aug or toggles")
		}
		if err != nil {
			return h, fmt.Errorf("header field %q: %w", field, err)
		}
	}
	// Only vectors of 6.12.117 and later were made in both ways.
	if aug == "built" || aug == "" && name != "6.12.117" {
		h.aug = scheduler.AugBuilt
	}
	if other, ok := folderNames[name]; ok {
		name = other
	}
	profile, ok := scheduler.ProfileByName(name)
	if !ok {
		return h, fmt.Errorf("profile %q is not known: see 'zerolag kernels'", name)
	}
	h.profile = profile
	if h.base == 0 {
		return h, fmt.Errorf("header without base_slice: expected base_slice=NS")
	}
	if h.nbase == 0 {
		h.nbase = profile.NBase
	}
	return h, nil
}

func parseSmall(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("expected a number from %d to %d", low, high)
	}
	return n, nil
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

func (p *replayer) open(text string) error {
	h, err := parseHeader(text)
	if err != nil {
		return err
	}
	features := h.profile.Defaults()
	if h.toggles != "" {
		if features, err = applyToggles(features, h.toggles); err != nil {
			return err
		}
	}
	p.head = h
	p.res.Profile = h.profile.Name
	p.m = scheduler.NewMachine(scheduler.Config{
		Kernel: h.profile, CPUs: h.ncpu, HZ: h.hz, BaseSlice: h.base, NBase: h.nbase,
		MigrationCost: 500_000, Features: features, Aug: h.aug,
	})
	return nil
}

// toggleFeatures maps the toggles of headers to switches.
var toggleFeatures = map[string]scheduler.FeatureSetting{
	"ENFORCE_ELIGIBILITY=0":     {Feature: scheduler.EnforceEligibility, On: false},
	"LAG_CLAMP=0":               {Feature: scheduler.LagClamp, On: false},
	"RESPECT_SLICE=1":           {Feature: scheduler.RespectSlice, On: true},
	"SCHED_QUANTA=1":            {Feature: scheduler.SchedQuanta, On: true},
	"NR_TEST=base":              {Feature: scheduler.NrTestBase, On: true},
	"NR_TEST=root":              {Feature: scheduler.NrTestRoot, On: true},
	"NR_TEST=v1":                {Feature: scheduler.NrTestV1, On: true},
	"RUN_TO_PARITY_WAKEUP=2024": {Feature: scheduler.RunToParityWakeup, On: true},
	"RUN_TO_PARITY_WAKEUP=2026": {Feature: scheduler.RunToParityWakeup, On: true},
}

func applyToggles(f scheduler.Features, list string) (scheduler.Features, error) {
	for _, t := range strings.Split(list, ",") {
		s, ok := toggleFeatures[t]
		if !ok {
			return f, fmt.Errorf("toggle %q is not known", t)
		}
		f = f.With(s.Feature, s.On)
	}
	return f, nil
}
