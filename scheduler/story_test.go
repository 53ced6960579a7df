package scheduler

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/cockroachdb/datadriven"
)

// Stories are scripts in testdata/story: one rule a file, with a heading that
// says what and why, and the steps that the machine records. The language:
//
//	machine kernel=7.2 hz=250 base=2.8ms cpus=1 features=(NO_X,Y) topology=1x2x2
//	run show=(pick,check)      one operation a line; the steps of these kinds are printed
//	state                      queues and entities as they are
//	simulate until=10ms        task programs instead of operations
//
// Operations are those of story.ops.
type story struct {
	m      *Machine
	names  []string
	clock  Time
	rec    Recorder
	words  map[Reason]string
	seen   map[Reason]bool
	groups map[string]GroupID
}

const storyFolder = "testdata/story"

// unshown are the reasons that no story shows: those that this file's language
// cannot reach, and choices between CPUs that depend on load in ways that a
// short story cannot set up.
var unshown = []Reason{
	ReasonCheckSameTask, ReasonPickLeftmost,
	ReasonAffineThisIdle, ReasonCPUPrevIdle, ReasonCPURecent, ReasonCPUSibling, ReasonScanLimit,
	ReasonPulled, ReasonPullRefused, ReasonActiveBalance,
}

func TestStories(t *testing.T) {
	words, seen := reasonWords(t), map[Reason]bool{}
	datadriven.Walk(t, storyFolder, func(t *testing.T, path string) {
		s := &story{words: words, seen: seen}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "machine":
				return s.machine(t, d)
			case "run":
				return s.run(t, d)
			case "state":
				return s.state()
			case "simulate":
				return s.simulate(t, d)
			}
			d.Fatalf(t, "command %q: expected machine, run, state or simulate", d.Cmd)
			return ""
		})
	})
	for r := Reason(1); r < numReasons; r++ {
		if exempt := slices.Contains(unshown, r); seen[r] == exempt {
			t.Errorf("reason %s: shown by a story %t, listed as not shown %t", words[r], seen[r], exempt)
		}
	}
}

func TestStoriesBeginWithAHeading(t *testing.T) {
	datadriven.Walk(t, storyFolder, func(t *testing.T, path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "# ") || strings.Count(string(text), "\n") > 120 {
			t.Errorf("%s: expected a heading and at most 120 lines", path)
		}
	})
}

// reasonWords reads the names of the reasons from their declaration.
func reasonWords(t *testing.T) map[Reason]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	words := map[Reason]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Reason") {
			words[Reason(len(words))] = kebab(strings.TrimPrefix(spec.Names[0].Name, "Reason"))
		}
		return true
	})
	if len(words) != NumReasons {
		t.Fatalf("found %d names of %d reasons", len(words), NumReasons)
	}
	return words
}

// kebab turns PickOnly into pick-only and CPUPinned into cpu-pinned.
func kebab(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		if unicode.IsUpper(c) && i > 0 && (unicode.IsLower(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func (s *story) machine(t *testing.T, d *datadriven.TestData) string {
	cfg := Config{CPUs: 1, HZ: 250, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000}
	cfg.Kernel = named("7.2")
	for _, a := range d.CmdArgs {
		if a.Key == "kernel" {
			cfg.Kernel = named(a.Vals[0])
		}
	}
	cfg.Features = cfg.Kernel.Defaults()
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "kernel":
		case "hz":
			d.ScanArgs(t, "hz", &cfg.HZ)
		case "cpus":
			d.ScanArgs(t, "cpus", &cfg.CPUs)
		case "base":
			cfg.BaseSlice = uint64(length(t, a.Vals[0]))
		case "migration_cost":
			cfg.MigrationCost = uint64(length(t, a.Vals[0]))
		case "lazy":
			cfg.Preempt = PreemptLazy
		case "balance":
			cfg.Balance = true
		case "topology":
			top, err := ParseTopology(a.Vals[0])
			if err != nil {
				t.Fatal(err)
			}
			cfg.Topology, cfg.CPUs = top, top.CPUs()
		case "features":
			for _, name := range a.Vals {
				set, ok := ParseFeature(name)
				if !ok || !cfg.Kernel.Knows(set.Feature) {
					d.Fatalf(t, "kernel %s has no feature %s", cfg.Kernel.Name, name)
				}
				cfg.Features = cfg.Features.With(set.Feature, set.On)
			}
		default:
			d.Fatalf(t, "argument %q is not known", a.Key)
		}
	}
	s.m, s.names, s.groups, s.clock = NewMachine(cfg), nil, map[string]GroupID{"/": RootGroup}, 0
	return ""
}

// length reads a time with a unit, or a plain number.
func length(t *testing.T, text string) Time {
	t.Helper()
	var n Time
	if _, err := fmt.Sscanf(text, "%d", &n); err == nil && strings.IndexFunc(text, unicode.IsLetter) < 0 {
		return n
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return Time(d)
}

func (s *story) run(t *testing.T, d *datadriven.TestData) string {
	var show []string
	for _, a := range d.CmdArgs {
		if a.Key != "show" {
			d.Fatalf(t, "argument %q: expected show", a.Key)
		}
		show = a.Vals
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
		s.rec.Steps = s.rec.Steps[:0]
		s.m.rec = &s.rec
		s.op(t, d, strings.Fields(line))
		s.m.rec = nil
		if err := s.m.Check(); err != nil {
			d.Fatalf(t, "after %q: %v", line, err)
		}
		fmt.Fprintf(&b, "%s\n", line)
		for i := range s.rec.Steps {
			step := &s.rec.Steps[i]
			s.seen[step.Reason] = true
			if len(show) == 0 || slices.Contains(show, step.Kind.String()) {
				b.WriteString(s.step(step))
			}
		}
	}
	return b.String()
}

// step prints a recorded step: kind, reason, entity, operands.
func (s *story) step(step *Step) string {
	words := []string{" ", step.Kind.String(), s.words[step.Reason]}
	if step.Entity != NoEntity {
		words = append(words, s.entity(step.Entity))
	}
	if step.Other != NoEntity && step.Other != step.Entity {
		words = append(words, "against", s.entity(step.Other))
	}
	for _, a := range step.Args {
		words = append(words, fmt.Sprintf("%s=%d", a.Name, a.Value))
	}
	return strings.Join(words, " ") + "\n"
}

func (s *story) entity(id EntityID) string {
	e := s.m.ent(id)
	if e.isTask() {
		return s.names[e.task]
	}
	return s.m.paths[e.group]
}

// state prints queues that have entities, and all entities.
func (s *story) state() string {
	var f Frame
	s.m.Frame(&f)
	var b strings.Builder
	for i := range f.CPUs {
		c := &f.CPUs[i]
		curr := "-"
		if c.Curr != NoTask {
			curr = s.names[c.Curr]
		}
		fmt.Fprintf(&b, "cpu%d runs %s nr=%d resched=%t lazy=%t\n", i, curr, c.Nr, c.Resched, c.Lazy)
	}
	for i := range f.Queues {
		q := &f.Queues[i]
		fmt.Fprintf(&b, "queue %s cpu%d zero=%d sum=%d load=%d V=%d nr=%d h=%d/%d/%d\n",
			f.Groups[q.Group].Name, q.CPU, int64(q.Zero), q.Sum, q.SumWeight, int64(q.V), q.Nr, q.HQueued, q.HRunnable, q.HDelayed)
	}
	for i := range f.Entities {
		e := &f.Entities[i]
		name := e.Name
		if e.Task != NoTask {
			name = s.names[e.Task]
		}
		fmt.Fprintf(&b, "%s v=%d d=%d lag=%d vprot=%d slice=%d w=%d", name, int64(e.Vruntime), int64(e.Deadline), e.Vlag, int64(e.Vprot), e.Slice, e.Weight)
		for _, flag := range []struct {
			on   bool
			word string
		}{{e.OnRQ, "on_rq"}, {e.Curr, "curr"}, {e.Delayed, "delayed"}, {e.Next, "next"}, {e.OnRQ && e.Eligible, "eligible"}, {e.Protected, "protected"}} {
			if flag.on {
				b.WriteString(" " + flag.word)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
