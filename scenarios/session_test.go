package scenarios_test

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// drawChange draws a change in the words of an event for a workload with these
// names of tasks.
func drawChange(t *rapid.T, w *scheduler.Workload, tasks []string) string {
	task := rapid.SampledFrom(tasks).Draw(t, "task")
	kinds := []string{
		"features: [" + rapid.SampledFrom([]string{"NO_PLACE_LAG", "RUN_TO_PARITY", "NO_WAKEUP_PREEMPTION"}).Draw(t, "feature") + "]",
		fmt.Sprintf("base_slice: %dns", rapid.IntRange(100_000, 9_000_000).Draw(t, "base")),
		"preempt: " + rapid.SampledFrom([]string{"full", "lazy", "voluntary", "none"}).Draw(t, "preempt"),
		fmt.Sprintf("interrupt: %dus, cpu: %d", rapid.IntRange(1, 500).Draw(t, "length"), w.Config.CPUs-1),
		fmt.Sprintf("renice: {task: %s, nice: %d}", task, rapid.IntRange(-20, 19).Draw(t, "nice")),
		fmt.Sprintf("slice: {task: %s, slice: %dus}", task, rapid.IntRange(100, 9000).Draw(t, "slice")),
		fmt.Sprintf("slice: {task: %s, slice: 0}", task),
		fmt.Sprintf("policy: {task: %s, policy: %s}", task, rapid.SampledFrom([]string{"other", "batch", "idle"}).Draw(t, "policy")),
		fmt.Sprintf("affinity: {task: %s, cpus: '0-%d'}", task, w.Config.CPUs-1),
		fmt.Sprintf("move: {task: %s, group: /}", task),
		"wake: " + task, "sleep: " + task, "freeze: " + task, "kill: " + task,
	}
	for _, g := range w.Groups {
		kinds = append(kinds,
			fmt.Sprintf("weight: {group: %s, weight: %d}", g.Name, rapid.IntRange(1, 10_000).Draw(t, "weight")),
			fmt.Sprintf("group_idle: {group: %s, idle: true}", g.Name),
			fmt.Sprintf("cpu_max: {group: %s, cpu_max: %dus, cpu_max_burst: 3}", g.Name, rapid.IntRange(1000, 256_000_000).Draw(t, "quota")),
			fmt.Sprintf("cpu_max: {group: %s, cpu_max: max/3ms}", g.Name),
			fmt.Sprintf("move: {task: %s, group: %s}", task, g.Name))
	}
	name := fmt.Sprintf("new%d", len(tasks))
	for _, does := range []string{
		"run", "run 1ms, sleep 2ms, repeat", fmt.Sprintf("run 1ms, wake %s, wake_sync %s, block, repeat 3", task, name),
		"yield, run 3us, exit",
	} {
		kinds = append(kinds, fmt.Sprintf("add: {name: %s, nice: 3, policy: batch, slice: 2ms, does: '%s'}", name, does))
	}
	kinds = append(kinds, fmt.Sprintf("add: {name: %s, does: [{repeat: [{repeat: [run 1ms, yield], times: 3}, sleep 1ms]}]}", name))
	return rapid.SampledFrom(kinds).Draw(t, "change")
}

// drawEdits draws edits, ascending, on top of those of the options.
func drawEdits(t *rapid.T, s *scenarios.Scenario, o scenarios.Options, w *scheduler.Workload) []scheduler.Edit {
	var tasks []string
	for i := range w.Tasks {
		tasks = append(tasks, w.Tasks[i].Name)
	}
	o.Edits = append([]scheduler.Edit{}, w.Edits...)
	at := scheduler.Time(0)
	for _, e := range w.Edits {
		at = max(at, e.At)
		if e.Kind == scheduler.EditAdd {
			tasks = append(tasks, e.Spec.Name)
		}
	}
	for range rapid.IntRange(0, 6).Draw(t, "edits") {
		e, err := s.Change(o, drawChange(t, w, tasks))
		if err != nil {
			t.Fatal(err)
		}
		at += scheduler.Time(rapid.IntRange(0, 1_000_000).Draw(t, "later"))
		e.At, e.Ordinal = at, rapid.IntRange(0, 3).Draw(t, "ordinal")
		if e.Kind == scheduler.EditAdd {
			tasks = append(tasks, e.Spec.Name)
		}
		o.Edits = append(o.Edits, e)
	}
	return o.Edits
}

// TestSessionsComeBackFromTheirFile: a file that was written opens as the same
// session of the same run, for every built-in scenario and any edits, and keeps
// the text of the scenario.
func TestSessionsComeBackFromTheirFile(t *testing.T) {
	few(t)
	for _, entry := range scenarios.Library() {
		s, err := scenarios.Load(entry.Name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(entry.Name, rapid.MakeCheck(func(t *rapid.T) {
			o := scenarios.Options{Variant: rapid.SampledFrom(append([]string{""}, entry.Variants...)).Draw(t, "variant")}
			if rapid.Bool().Draw(t, "other machine") {
				o.HZ, o.BaseSlice = 250, 3*scheduler.Millisecond
			}
			w, err := s.Workload(o)
			if err != nil {
				t.Fatal(err)
			}
			in := scenarios.Session{
				Name: "it's: #1", Options: o, Time: w.Until / 2, Ordinal: 3, CPUs: scheduler.AllCPUs(1), Branch: "b1",
				Conditions: []scenarios.Condition{{Text: "V < V@prev"}, {Text: "a: b", Off: true}}, Watches: []string{"'x'.lag"},
				Bookmarks: []scenarios.Bookmark{{Time: 1, Ordinal: 2, Note: "here: {it} begins"}},
			}
			in.Options.Edits = drawEdits(t, s, o, w)
			for i := range rapid.IntRange(0, 2).Draw(t, "branches") {
				in.Branches = append(in.Branches, scenarios.Branch{Name: fmt.Sprint("other ", i), Edits: drawEdits(t, s, o, w)})
			}
			comesBack(t, s, in)
		}))
	}
}

// few makes rapid try little, as every scenario is tried.
func few(t *testing.T) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	was := checks.Value.String()
	if was == checks.DefValue {
		_ = flag.Set(checks.Name, "6")
		t.Cleanup(func() { _ = flag.Set(checks.Name, was) })
	}
}

func comesBack(t *rapid.T, s *scenarios.Scenario, in scenarios.Session) {
	text, err := scenarios.Write(s, in)
	if err != nil {
		t.Fatal(err)
	}
	back, err := scenarios.Parse("x.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&in, back.Session, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(scenarios.Bookmark{})); d != "" {
		t.Fatalf("another session came back (-in +out):\n%s\n%s", d, text)
	}
	again, err := scenarios.Write(back, *back.Session)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(text), string(again)); d != "" {
		t.Fatalf("writing again changes the file:\n%s", d)
	}
	base, _ := s.Workload(scenarios.Options{})
	after, _ := back.Workload(scenarios.Options{})
	if scenarios.Hash(base) != scenarios.Hash(after) {
		t.Fatal("the session changed the scenario itself")
	}
}

// TestWriteKeepsTheTextOfTheScenario: comments and the sections behind an older
// session stay where they are.
func TestWriteKeepsTheTextOfTheScenario(t *testing.T) {
	s := parse(t, "# first\ntasks: [{name: a, does: run}] # a hog\n\nsession:\n  at: 3ms\n\n# about\nabout: x\n")
	text, err := scenarios.Write(s, scenarios.Session{Time: 5})
	if err != nil {
		t.Fatal(err)
	}
	want := "# first\ntasks: [{name: a, does: run}] # a hog\n\nsession:\n  at: 5ns\n  ordinal: 0\n\nabout: x\n"
	diff(t, "text", string(text), want)
}

// TestWriteRefusesWhatNoFileCanSay instead of writing something else.
func TestWriteRefusesWhatNoFileCanSay(t *testing.T) {
	s := parse(t, "tasks: [{name: a, does: run}]")
	for _, c := range []struct {
		session scenarios.Session
		want    string
	}{
		{scenarios.Session{Name: "two\nlines"}, "expected one line of text"},
		{scenarios.Session{Watches: []string{" a"}}, "without spaces around it"},
		{scenarios.Session{Options: scenarios.Options{Edits: []scheduler.Edit{{Kind: 99}}}}, "edit of kind 99 cannot be written"},
		{scenarios.Session{Time: 5 * scheduler.Second}, "a time before the end of the run"},
	} {
		if _, err := scenarios.Write(s, c.session); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestChangeNamesWhatIsWrong: columns are those of the text that was typed.
func TestChangeNamesWhatIsWrong(t *testing.T) {
	s := parse(t, "tasks: [{name: a, does: run}]")
	for text, want := range map[string]string{
		"kill: b":                        `edit:1:7: unknown task "b"`,
		"renice: {task: a, nice: 50}":    `edit:1:25: nice is "50": expected an integer from -20 to 19`,
		"NO_SUCH":                        "edit:1:1: ",
		"features: [PLACE_LAG, HRTICK]":  "edit:1:1: these are 2 changes: expected one",
		"add: {name: a, does: run}":      `duplicate task name "a"`,
		"add: {name: n, does: 'fork a'}": "forks another",
		"affinity: {task: a, cpus: 7}":   "there is no CPU 7",
	} {
		if _, err := s.Change(scenarios.Options{}, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestTasksThatEventsAddCanBeNamedAfterwards, but not before.
func TestTasksThatEventsAddCanBeNamedAfterwards(t *testing.T) {
	const scenario = "tasks: [{name: a, does: run}]\nevents:\n- {at: 3ms, kill: n}\n- {at: 1ms, add: {name: n, does: 'run 1ms, sleep 1ms, repeat'}}\n- {at: 2ms, renice: {task: n, nice: 5}}\n"
	w := build(t, parse(t, scenario), scenarios.Options{})
	if e := w.Edits; len(e) != 3 || e[0].Spec == nil || e[0].Spec.Name != "n" || e[1].Task != 1 || e[2].Task != 1 || e[2].Kind != scheduler.EditKill {
		t.Errorf("edits %+v", e)
	}
	_, err := scenarios.Parse("x.yaml", []byte(strings.Replace(scenario, "at: 3ms", "at: 0", 1)))
	if err == nil || !strings.Contains(err.Error(), `x.yaml:3:17: task "n" is not there yet`) {
		t.Errorf("got %v", err)
	}
}

// TestChangesGoBetweenTheEditsOfTheScenario: each is an event of its own, so later
// ones of its time move on; tasks that are added are numbered in their order.
func TestChangesGoBetweenTheEditsOfTheScenario(t *testing.T) {
	s := parse(t, `
tasks: [{name: a, does: run}]
events:
- {at: 5, wake: a}
- {at: 5, ordinal: 3, add: {name: n, does: run}}
- {at: 9, ordinal: 1, kill: n}
`)
	at := func(time scheduler.Time, ordinal int, text string) scenarios.Change {
		return scenarios.Change{At: scenarios.Moment{Time: time, Ordinal: ordinal}, Text: text}
	}
	in := []scenarios.Change{
		at(5, 0, "NO_PLACE_LAG"), at(5, 2, "add: {name: m, does: [run]}"), at(7, 0, "renice: {task: m, nice: 1}"), at(9, 1, "sleep: 'n'"),
	}
	w := build(t, s, scenarios.Options{Changes: []scenarios.Change{in[3], in[0], in[1], in[2]}})
	type brief struct {
		at      scheduler.Time
		ordinal int
		kind    scheduler.EditKind
		task    scheduler.TaskID
	}
	want := []brief{
		{5, 0, scheduler.EditWake, 0},
		{5, 0, scheduler.EditFeature, -1},
		{5, 2, scheduler.EditAdd, -1},
		{5, 5, scheduler.EditAdd, -1},
		{7, 0, scheduler.EditNice, 1},
		{9, 1, scheduler.EditKill, 2},
		{9, 1, scheduler.EditSleep, 2},
	}
	var got []brief
	for _, e := range w.Edits {
		got = append(got, brief{e.At, e.Ordinal, e.Kind, e.Task})
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	e := w.Edits
	diff(t, "said again", scenarios.Changes(w, e, []scheduler.Edit{e[1], e[2], e[4], e[6]}), in)
}

// TestHashTellsEverythingApart changes each value that a simulation depends on, one
// at a time.
func TestHashTellsEverythingApart(t *testing.T) {
	const hashed = `
cpus: 2
groups: [{name: g}]
tasks: [{name: a, group: g, does: "run uniform 1ms 2ms, sleep 1ms, repeat"}]
start: {queues: {/: {zero: 1}}, a: {vruntime: 0, deadline: 5}}
events: [{at: 1ms, add: {name: n, does: run}}]
`
	w := build(t, parse(t, hashed), scenarios.Options{})
	w.TickOffset = []scheduler.Time{0, 0}
	was := scenarios.Hash(w)
	checkEach(t, reflect.ValueOf(w).Elem(), "Workload", func(path string) {
		// What the edit of a task to add leaves out has no meaning.
		_, field, edit := strings.Cut(path, "Edits[0].")
		if edit && !slices.Contains([]string{"At", "Ordinal", "Value"}, field) && !strings.HasPrefix(field, "Spec") {
			return
		}
		if scenarios.Hash(w) == was {
			t.Errorf("the hash does not depend on %s", path)
		}
	})
	if scenarios.Hash(w) != was {
		t.Error("the hash of the same is another")
	}
	seen := map[string]string{}
	for _, change := range []string{
		"PLACE_LAG", "NO_PLACE_LAG", "kill: a", "wake: a", "sleep: a", "freeze: a", "renice: {task: a, nice: 1}", "slice: {task: a, slice: 1ms}",
		"policy: {task: a, policy: idle}", "affinity: {task: a, cpus: 1}", "affinity: {task: a, cpus: 0}", "move: {task: a, group: g}", "move: {task: a, group: /}",
		"preempt: none", "preempt: lazy", "base_slice: 1ms", "interrupt: 1ms", "interrupt: 1ms, cpu: 1", "weight: {group: g, weight: 3}", "group_idle: {group: g, idle: true}",
	} {
		e, err := parse(t, hashed).Change(scenarios.Options{}, change)
		if err != nil {
			t.Fatal(err)
		}
		w.Edits = []scheduler.Edit{e}
		hash := scenarios.Hash(w)
		if other, twice := seen[hash]; twice {
			t.Errorf("%q and %q have one hash", change, other)
		}
		seen[hash] = change
	}
}

// checkEach changes every value that v holds, calls check and changes it back.
func checkEach(t *testing.T, v reflect.Value, path string, check func(path string)) {
	t.Helper()
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ 1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() ^ 1)
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			checkEach(t, v.Index(i), fmt.Sprintf("%s[%d]", path, i), check)
		}
		return
	case reflect.Pointer:
		if profile, ok := v.Interface().(*scheduler.Profile); ok {
			other, _ := scheduler.ProfileByName("6.12.y")
			v.Set(reflect.ValueOf(other))
			check(path + " " + profile.Name)
			v.Set(old)
		} else if !v.IsNil() {
			checkEach(t, v.Elem(), path, check)
		}
		return
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				checkEach(t, f, path+"."+v.Type().Field(i).Name, check)
			}
		}
		return
	default:
		t.Fatalf("%s is a %s", path, v.Kind())
	}
	check(path)
	v.Set(old)
}
