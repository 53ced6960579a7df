package scheduler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// simulate runs task programs on the machine that "machine" described and prints
// the steps of the kinds that are shown, with "first" only the first one of each
// reason:
//
//	simulate until=10ms show=(select) first
//	a cpu=0 allowed=0,1: run 1ms; sleep 2ms; wake b sync; loop
func (s *story) simulate(t *testing.T, d *datadriven.TestData) string {
	w := &Workload{Config: s.m.cfg}
	w.Config.ClockStart = 1 << 20
	var show []string
	printed := map[Reason]bool{}
	first := false
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "until":
			w.Until = length(t, a.Vals[0])
		case "show":
			show = a.Vals
		case "first":
			first = true
		default:
			d.Fatalf(t, "argument %q: expected until, show or first", a.Key)
		}
	}
	lines := strings.Split(strings.TrimSpace(d.Input), "\n")
	s.names = nil
	for _, line := range lines {
		s.names = append(s.names, strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == ':' })[0])
	}
	for _, line := range lines {
		w.Tasks = append(w.Tasks, s.taskSpec(t, line))
	}
	sim := NewSim(w)
	s.m = &sim.m
	var b strings.Builder
	for at, ok := sim.Next(); ok && at <= w.Until; at, ok = sim.Next() {
		e, _ := sim.Step(&s.rec)
		if err := sim.Check(); err != nil {
			d.Fatalf(t, "event %d: %v", e.Index, err)
		}
		for i := range s.rec.Steps {
			step := &s.rec.Steps[i]
			s.seen[step.Reason] = true
			if slices.Contains(show, step.Kind.String()) && (!first || !printed[step.Reason]) {
				printed[step.Reason] = true
				fmt.Fprintf(&b, "%d cpu%d%s", e.Time, e.CPU, s.step(step)[1:])
			}
		}
	}
	return b.String()
}

// taskSpec reads one task of a simulation.
func (s *story) taskSpec(t *testing.T, line string) TaskSpec {
	t.Helper()
	head, program, ok := strings.Cut(line, ":")
	if !ok {
		t.Fatalf("task %q: expected NAME ...: PROGRAM", line)
	}
	a := storyArgs{t, strings.Fields(head)}
	spec := TaskSpec{
		Name: a.word(0), CPU: int(a.value("cpu", 0)), Nice: int(a.value("nice", 0)), Slice: uint64(a.value("slice", 0)),
		Policy: policyNames[a.text("policy", "normal")], Arrive: Time(a.value("arrive", 0)),
	}
	if list := a.text("allowed", ""); list != "" {
		for _, c := range strings.Split(list, ",") {
			n, err := strconv.Atoi(c)
			if err != nil {
				t.Fatal(err)
			}
			spec.Allowed.Add(n)
		}
	}
	for _, text := range strings.Split(program, ";") {
		spec.Program = append(spec.Program, s.instruction(t, strings.Fields(text)))
	}
	return spec
}

func (s *story) instruction(t *testing.T, words []string) Op {
	t.Helper()
	a := storyArgs{t, words}
	switch words[0] {
	case "run":
		return Op{Kind: OpRun, Dur: Time(a.number(1))}
	case "sleep":
		return Op{Kind: OpSleep, Dur: Time(a.number(1))}
	case "block":
		return Op{Kind: OpBlock}
	case "wake":
		return Op{Kind: OpWake, Task: TaskID(slices.Index(s.names, a.word(1))), Sync: a.has("sync")}
	case "loop":
		return Op{Kind: OpLoop}
	case "exit":
		return Op{Kind: OpExit}
	}
	t.Fatalf("instruction %q is not known", words[0])
	return Op{}
}
