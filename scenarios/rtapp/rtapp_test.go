package rtapp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"zerolag/scenarios"
	"zerolag/scenarios/rtapp"
	"zerolag/scheduler"
)

// TestFiles holds workloads with the scenarios that they become, and scenarios with
// their workloads; all that gets lost on the way is listed.
func TestFiles(t *testing.T) {
	for _, file := range []string{"testdata/import", "testdata/faults", "testdata/export"} {
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "export" {
				return exported(t, d.Input)
			}
			return imported(t, d.Input)
		})
	}
}

// imported is what becomes of a workload.
func imported(t *testing.T, text string) string {
	t.Helper()
	in := rtapp.Import("x", []byte(text))
	var b strings.Builder
	for _, f := range in.Unsupported {
		fmt.Fprintf(&b, "%d:%d: %s: expected %s\n", f.Line, f.Col, f.Msg, f.Want)
	}
	for _, f := range in.Notes {
		fmt.Fprintf(&b, "note %d:%d: %s\n", f.Line, f.Col, f.Msg)
	}
	if in.Scenario != nil && len(in.Unsupported) == 0 {
		if _, err := scenarios.Parse("x.yaml", in.Scenario); err != nil {
			t.Errorf("the scenario has a fault: %v\n%s", err, in.Scenario)
		}
		formatted, err := scenarios.Format("x.yaml", in.Scenario)
		if err != nil || string(formatted) != string(in.Scenario) {
			t.Errorf("the scenario is not formatted: %v\n%s", err, in.Scenario)
		}
	}
	return b.String() + strings.ReplaceAll(string(in.Scenario), "\n\n", "\n<EMPTY>\n")
}

// exported is what becomes of a scenario.
func exported(t *testing.T, text string) string {
	t.Helper()
	file, missing := rtapp.Export(build(t, []byte(text)))
	var b strings.Builder
	for _, m := range missing {
		b.WriteString("lost: " + m + "\n")
	}
	return b.String() + string(file)
}

func build(t *testing.T, text []byte) *scheduler.Workload {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	w, err := s.Workload(scenarios.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestExportedScenariosRunTheSame: a scenario that a workload can say does the same,
// to the ns, when it comes back.
func TestExportedScenariosRunTheSame(t *testing.T) {
	same := 0
	for _, e := range scenarios.Library() {
		s, err := scenarios.Load(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := s.Workload(scenarios.Options{})
		if err != nil {
			t.Fatal(err)
		}
		file, missing := rtapp.Export(w)
		if len(missing) > 0 {
			continue
		}
		in := rtapp.Import("x", file)
		if len(in.Unsupported)+len(in.Notes) > 0 {
			t.Errorf("%s: %v %v\n%s", e.Name, in.Unsupported, in.Notes, file)
			continue
		}
		back := build(t, in.Scenario)
		if back.Until != w.Until {
			t.Errorf("%s: the run ends at %d, want %d", e.Name, back.Until, w.Until)
		}
		back.Config, back.TickOffset, back.IPIDelay = w.Config, w.TickOffset, w.IPIDelay
		for i := range back.Tasks {
			back.Tasks[i].CPU = w.Tasks[i].CPU // where a task enters from is no part of the format
		}
		if got, want := outcome(back), outcome(w); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", e.Name, got, want, in.Scenario)
		}
		same++
	}
	if same < 5 {
		t.Errorf("%d scenarios could be exported", same)
	}
}

// outcome is what a run did to each task in 50 ms, from where every ns counts.
func outcome(w *scheduler.Workload) string {
	sim := scheduler.NewSim(w)
	for {
		if next, ok := sim.Next(); !ok || next > min(w.Until-1, 50*scheduler.Millisecond) {
			break
		}
		sim.Step(nil)
	}
	var f scheduler.Frame
	sim.Frame(&f)
	var b strings.Builder
	for _, id := range f.TaskEntity {
		e := f.Entity(id)
		fmt.Fprintf(&b, "%s %v on %d, vruntime %d, ran %d: %+v\n", e.Name, e.State, e.CPU, e.Vruntime, e.SumExec, e.Stats)
	}
	return b.String()
}

// TestLargeFilesAreRefused: no file costs more than its size allows.
func TestLargeFilesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat(" ", 5<<20):                                                 "too large",
		`{"tasks":` + strings.Repeat("[", 100_000):                                 "nested too deeply",
		"{\"tasks\": {\"\xff\": {}}}":                                              "no UTF-8",
		strings.Repeat("/*", 100_000) + `{"tasks": {}}`:                            "invalid JSON",
		`{"tasks": {"a": {"run": 1` + strings.Repeat(`,"run": 1`, 200_000) + "}}}": "",
	} {
		in := rtapp.Import("x", []byte(text))
		switch {
		case want == "" && (len(in.Unsupported) > 0 || in.Scenario == nil):
			t.Errorf("got %v", in.Unsupported)
		case want != "" && (len(in.Unsupported) != 1 || !strings.Contains(in.Unsupported[0].Msg, want)):
			t.Errorf("got %v, want %s", in.Unsupported, want)
		}
	}
}

// FuzzImport: no input makes the reader panic, and each fault stands in the file. What
// it makes of a file without a fault is at least valid YAML for a scenario.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"tasks": {"a": {"run": 1000, "sleep": 1000, "timer": {"ref": "unique", "period": 4000}}}, "global": {"duration": 2}}`))
	f.Add([]byte(`{"tasks": {"a": {"instance": 2, "phases": {"p": {"loop": 3, "lock": "m", "run0": 1, "unlock": "m",},},},},}`))
	f.Add([]byte("// c\n{\"tasks\": {/* d */\"a\": {\"cpus\": [0, 1], \"taskgroup\": \"/x/y\", \"suspend\": \"\", \"barrier\": \"b\"}}}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		in := rtapp.Import("x", text)
		lines := strings.Count(string(text), "\n") + 1
		for _, fault := range append(in.Unsupported, in.Notes...) {
			if fault.Line < 1 || fault.Line > lines || fault.Col < 1 || fault.Msg == "" {
				t.Errorf("fault %+v", fault)
			}
		}
		if in.Scenario == nil {
			if len(in.Unsupported) == 0 {
				t.Error("neither a scenario nor a fault")
			}
			return
		}
		if _, err := scenarios.Format("x.yaml", in.Scenario); err != nil {
			t.Errorf("%v\n%s", err, in.Scenario)
		}
	})
}
