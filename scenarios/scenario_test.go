package scenarios_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// parse reads a scenario that is correct.
func parse(t *testing.T, text string) *scenarios.Scenario {
	t.Helper()
	s, err := scenarios.Parse("x.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// build makes a workload that fits.
func build(t *testing.T, s *scenarios.Scenario, o scenarios.Options) *scheduler.Workload {
	t.Helper()
	w, err := s.Workload(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func diff(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// TestDefaultsAreThoseOfAnEightCPUMachine: a file that names only a task runs
// for a second on one CPU of the newest kernel.
func TestDefaultsAreThoseOfAnEightCPUMachine(t *testing.T) {
	w := build(t, parse(t, "tasks: [{name: a, does: run}]"), scenarios.Options{})
	profile, _ := scheduler.ProfileByName("7.2")
	diff(t, "config", w.Config.Kernel.Name, "7.2")
	w.Config.Kernel = nil
	diff(t, "config", w.Config, scheduler.Config{
		CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: 700_000, MigrationCost: 500_000,
		Features: profile.Defaults(), ClockStart: 1 << 20,
	})
	diff(t, "until", w.Until, scheduler.Second)
}

// TestEveryMachineKeyArrives gives each key a value that is not its default.
func TestEveryMachineKeyArrives(t *testing.T) {
	w := build(t, parse(t, `
kernel: 6.12.y
hz: 250
topology: {nodes: 2, llcs_per_node: 1, cores_per_llc: 1, threads: 1, numbering: adjacent}
balance: off
aug: ideal
ipi_delay: 2us
clock_start: 5ms
show: {cpus: 1}
scaling_cpus: 4
nbase: 1ms
migration_cost: 0
preempt: lazy
features: [NO_PLACE_LAG, RUN_TO_PARITY_WAKEUP]
tick_offset: [0, 250us]
irq_per_tick: 3.83us
until: 2s
tasks: [{name: a, cpu: 1, cpus: [0-1], nice: -5, policy: SCHED_BATCH, slice: 0.1ms, at: 3, does: run}]
`), scenarios.Options{})
	profile, _ := scheduler.ProfileByName("6.12.y")
	features := profile.Defaults().With(scheduler.PlaceLag, false).With(scheduler.RunToParityWakeup, true)
	if w.Config.Kernel != profile {
		t.Errorf("kernel is %s", w.Config.Kernel.Name)
	}
	w.Config.Kernel = nil
	diff(t, "config", w.Config, scheduler.Config{
		CPUs: 2, HZ: 250, BaseSlice: 3_000_000, NBase: 1_000_000,
		Features: features, Aug: scheduler.AugIdeal, Preempt: scheduler.PreemptLazy, ClockStart: 5_000_000,
		Topology: scheduler.Topology{Nodes: 2, LLCsPerNode: 1, CoresPerLLC: 1, Threads: 1, Numbering: scheduler.NumberingAdjacent},
	})
	diff(t, "ipi delay", w.IPIDelay, scheduler.Time(2000))
	diff(t, "tick offset", w.TickOffset, []scheduler.Time{0, 250_000})
	diff(t, "irq", w.IRQPerTick, scheduler.Time(3830))
	diff(t, "until", w.Until, 2*scheduler.Second)
	w.Tasks[0].Program = nil
	diff(t, "task", w.Tasks[0], scheduler.TaskSpec{
		Name: "a", CPU: 1, Nice: -5, Policy: scheduler.PolicyBatch, Slice: 100_000, Arrive: 3, Allowed: scheduler.AllCPUs(2),
	})
}

// TestOneTickOffsetServesAllCPUs: a single time needs no list.
func TestOneTickOffsetServesAllCPUs(t *testing.T) {
	w := build(t, parse(t, "cpus: 3\ntick_offset: 1us\ntasks: [{name: a, does: run}]"), scenarios.Options{})
	diff(t, "tick offset", w.TickOffset, []scheduler.Time{1000, 1000, 1000})
}

// TestOptionsOutrankVariantsOutrankTheFile: the order in which settings win.
func TestOptionsOutrankVariantsOutrankTheFile(t *testing.T) {
	s := parse(t, `
hz: 100
until: 1s
features: [NO_PLACE_LAG]
tasks: [{name: a, nice: 1, slice: 1ms, does: run}, {name: b, count: 2, nice: 1, does: run}]
events: [{at: 1ms, base_slice: 3ms}]
variants:
  v:
    hz: 250
    until: 2s
    base_slice: 4ms
    features: [PLACE_LAG, HRTICK]
    tasks:
      a: {nice: 2, slice: 0, policy: idle, does: "run 1ms, exit"}
      b: {nice: 3}
    events: []
`)
	base := build(t, s, scenarios.Options{})
	v := build(t, s, scenarios.Options{Variant: "v"})
	o := build(t, s, scenarios.Options{
		Variant: "v", Kernel: "6.12.y", HZ: 1000, Until: 3, BaseSlice: 5 * scheduler.Millisecond,
		Features: setting(t, "NO_HRTICK"),
	})
	type outcome struct {
		HZ, Edits    int
		Until        scheduler.Time
		Base         uint64
		Lag, Hrtick  bool
		NiceA, NiceB int
		Slice        uint64
		Ops          int
	}
	of := func(w *scheduler.Workload) outcome {
		return outcome{
			w.Config.HZ, len(w.Edits), w.Until, w.Config.BaseSlice,
			w.Config.Features.Has(scheduler.PlaceLag), w.Config.Features.Has(scheduler.Hrtick),
			w.Tasks[0].Nice, w.Tasks[2].Nice, w.Tasks[0].Slice, len(w.Tasks[0].Program),
		}
	}
	diff(t, "base", of(base), outcome{100, 1, scheduler.Second, 2_800_000, false, false, 1, 1, 1_000_000, 1})
	diff(t, "variant", of(v), outcome{250, 0, 2 * scheduler.Second, 4_000_000, true, true, 2, 3, 0, 2})
	diff(t, "options", of(o), outcome{1000, 0, 3, 5_000_000, true, false, 2, 3, 0, 2})
	if o.Config.Kernel.Name != "6.12.y" {
		t.Errorf("kernel is %s", o.Config.Kernel.Name)
	}
}

// TestProgramsBecomeFlat: repeats turn into jumps with a counter for each level.
func TestProgramsBecomeFlat(t *testing.T) {
	const ms = scheduler.Millisecond
	run := func(d scheduler.Time) scheduler.Op { return scheduler.Op{Kind: scheduler.OpRun, Dur: d} }
	sleep := scheduler.Op{Kind: scheduler.OpSleep, Dur: ms}
	loop := func(target, count int32, depth uint8) scheduler.Op {
		return scheduler.Op{Kind: scheduler.OpLoop, Target: target, Count: count, Depth: depth}
	}
	for _, c := range []struct {
		does string
		want []scheduler.Op
	}{
		{`"run 5ms, sleep 1ms, repeat"`, []scheduler.Op{run(5 * ms), sleep, loop(0, 0, 0)}},
		{`[run 5ms, sleep 1ms, repeat]`, []scheduler.Op{run(5 * ms), sleep, loop(0, 0, 0)}},
		{`"run 5ms, sleep 1ms, repeat 3"`, []scheduler.Op{run(5 * ms), sleep, loop(0, 3, 0)}},
		{`[{run: 5ms}, {sleep: 1ms}]`, []scheduler.Op{run(5 * ms), sleep}},
		{`[run 1ms, {repeat: [run 2ms, {repeat: "run 3ms, sleep 1ms", times: 2}], times: 4}, exit]`, []scheduler.Op{
			run(ms), run(2 * ms), run(3 * ms), sleep, loop(2, 2, 1), loop(1, 4, 0), {Kind: scheduler.OpExit},
		}},
		{`[yield, wake b, fork c, run 1]`, []scheduler.Op{
			{Kind: scheduler.OpYield}, {Kind: scheduler.OpWake, Task: 1}, {Kind: scheduler.OpFork, Task: 2}, run(1),
		}},
	} {
		w := build(t, parse(t, "tasks: [{name: a, does: "+c.does+"}, {name: b, does: run}, {name: c, does: run}]"), scenarios.Options{})
		diff(t, c.does, w.Tasks[0].Program, c.want)
	}
}

// TestRunWithoutTimeOutlastsEveryRun: a hog never ends its segment, and the end
// of it can be computed at any moment without overflow.
func TestRunWithoutTimeOutlastsEveryRun(t *testing.T) {
	w := build(t, parse(t, "tasks: [{name: a, does: run}]"), scenarios.Options{})
	const day = 86_400 * scheduler.Second
	if d := w.Tasks[0].Program[0].Dur; d < 1000*day || d+day < d || d >= scheduler.NoTime/2 {
		t.Errorf("an endless run lasts %d ns", d)
	}
}

// TestDeepestRepeatIsAllowed: the limit itself is legal, in both forms.
func TestDeepestRepeatIsAllowed(t *testing.T) {
	deep := "run 1ms"
	for range scheduler.MaxLoopDepth - 1 {
		deep = "{repeat: [" + deep + "], times: 2}"
	}
	w := build(t, parse(t, "tasks: [{name: a, does: ["+deep+", repeat 2]}]"), scenarios.Options{})
	ops := w.Tasks[0].Program
	diff(t, "innermost depth", ops[1].Depth, uint8(scheduler.MaxLoopDepth-1))
	diff(t, "outermost depth", ops[len(ops)-1].Depth, uint8(0))
}

// TestForkedTasksDoNotArrive: only their forker starts them.
func TestForkedTasksDoNotArrive(t *testing.T) {
	w := build(t, parse(t, `tasks: [{name: a, does: "run 1ms, fork b"}, {name: b, does: run}]`), scenarios.Options{})
	diff(t, "arrival", []scheduler.Time{w.Tasks[0].Arrive, w.Tasks[1].Arrive}, []scheduler.Time{0, scheduler.NoTime})
}

// TestCountNumbersTasks: copies share a program and can be named one by one.
func TestCountNumbersTasks(t *testing.T) {
	s := parse(t, `tasks: [{name: w, count: 3, does: "block, run 1ms, repeat"}, {name: m, does: "run 1ms, wake w1, wake w2, wake w3, repeat"}]`)
	diff(t, "names", s.Tasks(), []string{"w1", "w2", "w3", "m"})
	if id, ok := s.Task("w3"); !ok || id != 2 {
		t.Errorf("w3 is %d, %v", id, ok)
	}
	if _, ok := s.Task("w"); ok {
		t.Error("w is a task, although it has a count")
	}
}

// TestGroupsAreOrderedParentsFirst: whatever the order in the file, a parent has
// the smaller id, and every way to name a group leads to it.
func TestGroupsAreOrderedParentsFirst(t *testing.T) {
	s := parse(t, `
groups:
  - {name: c, parent: b, idle: true}
  - {name: a/x, weight: 300}
  - {name: b, parent: a, shares: 2}
  - {name: a}
tasks:
  - {name: t1, group: c, does: run}
  - {name: t2, group: /a/b/c, does: run}
  - {name: t3, group: a/x, does: run}
  - {name: t4, group: /, does: run}
`)
	diff(t, "groups", s.Groups(), []string{"/", "/a", "/a/b", "/a/b/c", "/a/x"})
	w := build(t, s, scenarios.Options{})
	diff(t, "specs", w.Groups, []scheduler.GroupSpec{
		{Name: "/a", Parent: 0, Shares: 1 << 20},
		{Name: "/a/b", Parent: 1, Shares: 2 << 10},
		{Name: "/a/b/c", Parent: 2, Shares: 1 << 20, Idle: true},
		{Name: "/a/x", Parent: 1, Shares: 3072 << 10},
	})
	var of []scheduler.GroupID
	for _, task := range w.Tasks {
		of = append(of, task.Group)
	}
	diff(t, "task groups", of, []scheduler.GroupID{3, 3, 4, 0})
}

// TestEventsBecomeSortedEdits: one of each kind, with ids, repetitions and the
// order of their positions.
func TestEventsBecomeSortedEdits(t *testing.T) {
	w := build(t, parse(t, `
cpus: 2
until: 35ms
groups: [{name: g}]
tasks: [{name: a, does: run}, {name: b, does: run}]
events:
  - {at: 9ms, features: [NO_PLACE_LAG, HRTICK]}
  - {at: 8ms, ordinal: 2, renice: {task: b, nice: -3}}
  - {at: 8ms, slice: {task: b, slice: 1ms}}
  - {at: 7ms, policy: {task: a, policy: batch}}
  - {at: 6ms, weight: {group: g, weight: 200}}
  - {at: 5ms, group_idle: {group: g, idle: true}}
  - {at: 4ms, base_slice: 5ms}
  - {at: 3ms, move: {task: b, group: g}}
  - {at: 2ms, wake: b}
  - {at: 10ms, every: 10ms, interrupt: 20us, cpu: 1}
  - {at: 1ms, every: 5us, times: 2, wake: a}
`), scenarios.Options{})
	const ms = scheduler.Millisecond
	e := func(at scheduler.Time, kind scheduler.EditKind, task scheduler.TaskID, group scheduler.GroupID, value int64) scheduler.Edit {
		return scheduler.Edit{At: at, Kind: kind, Task: task, Group: group, Value: value}
	}
	want := []scheduler.Edit{
		e(ms, scheduler.EditWake, 0, -1, 0),
		e(ms+5000, scheduler.EditWake, 0, -1, 0),
		e(2*ms, scheduler.EditWake, 1, -1, 0),
		e(3*ms, scheduler.EditMove, 1, 1, 0),
		e(4*ms, scheduler.EditBaseSlice, -1, -1, 5_000_000),
		e(5*ms, scheduler.EditGroupIdle, -1, 1, 1),
		e(6*ms, scheduler.EditShares, -1, 1, 2048<<10),
		e(7*ms, scheduler.EditPolicy, 0, -1, 0),
		e(8*ms, scheduler.EditSlice, 1, -1, 1_000_000),
		e(8*ms, scheduler.EditNice, 1, -1, -3),
		e(9*ms, scheduler.EditFeature, -1, -1, 0),
		e(9*ms, scheduler.EditFeature, -1, -1, 0),
		e(10*ms, scheduler.EditInterrupt, -1, -1, 20_000),
		e(20*ms, scheduler.EditInterrupt, -1, -1, 20_000),
		e(30*ms, scheduler.EditInterrupt, -1, -1, 20_000),
	}
	want[7].Policy = scheduler.PolicyBatch
	want[9].Ordinal = 2
	want[10].Feature = scheduler.FeatureSetting{Feature: scheduler.PlaceLag}
	want[11].Feature = scheduler.FeatureSetting{Feature: scheduler.Hrtick, On: true}
	for i := 12; i < 15; i++ {
		want[i].CPU = 1
	}
	diff(t, "edits", w.Edits, want)
}

// TestStartSetsStateDirectly: signed and raw vruntimes, and what a running task
// gets for its protection in each kind of kernel.
func TestStartSetsStateDirectly(t *testing.T) {
	s := parse(t, `
cpus: 2
groups: [{name: g}]
tasks:
  - {name: a, does: run}
  - {name: b, does: run}
  - {name: c, does: run}
events: [{at: 1ms, wake: c}]
start:
  a: {vruntime: -1ms, deadline: 1.8ms, running: true, slice: 5ms}
  b: {vruntime: 18446744073708503040, deadline: 2ms, vlag: -3us, vprot: 0, rel_deadline: true}
  c: {asleep: true, vlag: 1ms}
  queues: {/: {zero: -0.5ms}, g@1: {zero: 7}}
`)
	neg := func(ns int64) scheduler.Vtime { return scheduler.Vtime(-ns) }
	w := build(t, s, scenarios.Options{})
	diff(t, "a", w.Tasks[0].Start, &scheduler.EntityStart{Vruntime: neg(1_000_000), Deadline: 1_800_000, Vprot: 1_800_000, Running: true})
	diff(t, "slice", w.Tasks[0].Slice, uint64(5_000_000))
	diff(t, "b", w.Tasks[1].Start, &scheduler.EntityStart{Vruntime: neg(1 << 20), Deadline: 2_000_000, Vlag: -3000, RelDeadline: true})
	diff(t, "c", w.Tasks[2].Start, &scheduler.EntityStart{Asleep: true, Vlag: 1_000_000})
	diff(t, "queues", w.Queues, []scheduler.QueueStart{{Queue: 0, Zero: neg(500_000)}, {Queue: 3, Zero: 7}})
	old := build(t, s, scenarios.Options{Kernel: "6.12.y"})
	diff(t, "token before vprot", old.Tasks[0].Start.Vlag, int64(1_800_000))
}

// TestBookmarksComeInTheOrderOfTheirPositions, wherever they stand in the file.
func TestBookmarksComeInTheOrderOfTheirPositions(t *testing.T) {
	s := parse(t, `
tasks: [{name: a, does: run}]
bookmarks: [{at: 2ms, note: c}, {at: 1ms, ordinal: 1, note: b}, {at: 1ms, note: a}]
`)
	var notes []string
	for _, b := range s.Bookmarks {
		notes = append(notes, b.Note)
	}
	diff(t, "notes", strings.Join(notes, ""), "abc")
}

// TestExpectationsKnowTheirRunAndPlace: the base run, a variant, another kernel,
// and where the text begins so that a fault in it can point there.
func TestExpectationsKnowTheirRunAndPlace(t *testing.T) {
	s := parse(t, `tasks: [{name: a, does: run}]
variants:
  v:
    expect:
      - a.ran > 1ms
expect:
  - "a.ran > 2ms"
  - at 3ms: pick == a
  - when: {kernel: 6.12.y, variant: v}
    that: a.ran > 4ms
`)
	want := []scenarios.Expectation{
		{Text: "a.ran > 1ms", Line: 5, Col: 9, Variant: "v"},
		{Text: "a.ran > 2ms", Line: 7, Col: 6},
		{Text: "at 3ms: pick == a", Line: 8, Col: 5},
		{Text: "a.ran > 4ms", Line: 10, Col: 11, Variant: "v", Kernel: "6.12.y"},
	}
	diff(t, "expectations", s.Expect, want)
	diff(t, "runs", s.Runs(), []scenarios.Run{
		{Expect: want[1:3]},
		{Options: scenarios.Options{Variant: "v"}, Expect: want[:1]},
		{Options: scenarios.Options{Variant: "v", Kernel: "6.12.y"}, Expect: want[3:]},
	})
	if got := s.Fault(8, 13, "unknown word", "pick").Error(); got != "x.yaml:8:13: unknown word: expected pick\n  - at 3ms: pick == a\n            ^" {
		t.Errorf("got %s", got)
	}
}

// TestLineEndingsAndMarkOfWindowsAreAccepted: an editor there adds both.
func TestLineEndingsAndMarkOfWindowsAreAccepted(t *testing.T) {
	s := parse(t, "\ufeffname: x\r\nabout: |\r\n  two\r\n  lines\r\ntasks: [{name: a, does: run}]\r\n")
	diff(t, "name", s.Name, "x")
	if strings.Contains(s.About, "\r") {
		t.Errorf("about is %q", s.About)
	}
	_, err := scenarios.Parse("x.yaml", []byte("name: x\r\nhz: 5\r\n"))
	diff(t, "fault", err.Error(), "x.yaml:2:5: hz is \"5\": expected an integer from 100 to 1000\nhz: 5\n    ^")
}

// TestManualShowsOnlyScenariosThatParse keeps docs/SCENARIOS.md true: its
// examples parse, and it names every key.
func TestManualShowsOnlyScenariosThatParse(t *testing.T) {
	text, err := os.ReadFile("../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for block := range strings.SplitSeq(string(text), "```yaml\n") {
		if example, _, ok := strings.Cut(block, "\n```"); ok && strings.Contains(example, "tasks:") && !strings.HasPrefix(block, "# Scenarios") {
			examples++
			s := parse(t, example)
			for _, run := range s.Runs() {
				build(t, s, run.Options)
			}
		}
	}
	if examples < 2 {
		t.Errorf("the manual has %d examples", examples)
	}
	for _, err := range []string{"tasks: [{x: 1}]", "x: 1", "tasks: [{name: a, does: run}]\nevents: [{x: 1}]", "groups: [{x: 1}]", "start: {a: {x: 1}}"} {
		_, fault := scenarios.Parse("x.yaml", []byte(err))
		_, keys, ok := strings.Cut(strings.Split(fault.Error(), "\n")[0], "one of ")
		if !ok {
			t.Fatalf("got %v", fault)
		}
		for key := range strings.SplitSeq(keys, ", ") {
			if !strings.Contains(string(text), "| `"+key+"` |") {
				t.Errorf("the manual does not explain the key %s", key)
			}
		}
	}
}

// TestLimitsAreWrittenAsInTheCgroupOrWithUnits: every form of cpu.max.
func TestLimitsAreWrittenAsInTheCgroupOrWithUnits(t *testing.T) {
	type limit struct{ Quota, Period, Burst scheduler.Time }
	const ms = scheduler.Millisecond
	for _, c := range []struct {
		keys string
		want limit
	}{
		{"weight: 50", limit{}},
		{"cpu_max: 20ms", limit{20 * ms, 100 * ms, 0}},
		{"cpu_max: 20000", limit{20 * ms, 100 * ms, 0}},
		{"cpu_max: 20000 50000", limit{20 * ms, 50 * ms, 0}},
		{"cpu_max: 20ms/50ms", limit{20 * ms, 50 * ms, 0}},
		{"cpu_max: 1.5ms  10ms, cpu_max_burst: 1500", limit{1500 * scheduler.Microsecond, 10 * ms, 1500 * scheduler.Microsecond}},
		{"cpu_max: max", limit{0, 100 * ms, 0}},
		{"cpu_max: max 50000", limit{0, 50 * ms, 0}},
	} {
		w := build(t, parse(t, "groups: [{name: g, "+c.keys+"}]\ntasks: [{name: a, group: g, does: run}]"), scenarios.Options{})
		g := w.Groups[0]
		diff(t, c.keys, limit{g.Quota, g.Period, g.Burst}, c.want)
	}
	w := build(t, parse(t, `
groups: [{name: g}]
tasks: [{name: a, group: g, does: run}]
events: [{at: 5ms, cpu_max: {group: g, cpu_max: 2ms/10ms, cpu_max_burst: 1ms}}]
`), scenarios.Options{})
	diff(t, "edit", w.Edits[0], scheduler.Edit{
		At: 5 * ms, Kind: scheduler.EditQuota, Task: scheduler.NoTask, Group: 1, Value: int64(2 * ms), Period: 10 * ms, Burst: ms,
	})
}
