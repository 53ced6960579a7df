package rtapp

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Imported is a file as a scenario.
type Imported struct {
	// Scenario is the text of a scenario file; nil if the file is no workload.
	Scenario []byte
	// Unsupported is what the scenario does not have. It is without these events and
	// settings.
	Unsupported []Fault
	// Notes are differences that may matter.
	Notes []Fault
}

// Import turns an rt-app file into a scenario with a title.
func Import(title string, src []byte) Imported {
	r := &reader{source: source{text: src}, title: title, until: "1s", policy: "SCHED_OTHER", cpus: 1}
	root, ok := r.read()
	if ok && root.kind != kindMap {
		r.fail(root.at, "the file holds "+root.describe(), "a map with tasks and global")
		ok = false
	}
	if !ok {
		return Imported{Unsupported: r.faults}
	}
	r.file(root)
	if r.resolve(); len(r.tasks) == 0 && len(r.faults) == 0 {
		r.fail(root.at, "the file has no tasks", `the key "tasks" with a map of them, at least one that runs from the start`)
	}
	for _, list := range [][]Fault{r.faults, r.notes} {
		slices.SortStableFunc(list, func(a, b Fault) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	}
	if len(r.tasks) == 0 {
		return Imported{Unsupported: r.faults, Notes: r.notes}
	}
	return Imported{[]byte(r.scenario()), r.faults, r.notes}
}

// reader turns values into tasks.
type reader struct {
	source
	title, until, policy string
	cpus                 int
	groups               []string // paths without the first slash, parents first
	tasks                []task
	notes                []Fault
}

// task is one entry of the map of tasks.
type task struct {
	name  string
	at    int
	count int64 // instances; 0: forked by another task
	keys  []string
	loop  int64 // -1 is for ever
	body  []phase
}

// phase is a part of a task's program.
type phase struct {
	loop   int64
	events []event
}

func (r *reader) note(at int, msg string) {
	line, col := r.place(at)
	for _, n := range r.notes {
		if n.Msg == msg {
			return
		}
	}
	r.notes = append(r.notes, Fault{line, col, msg, ""})
}

// harmless are the settings of global that say nothing about scheduling.
var harmless = []string{
	"calibration", "lock_pages", "ftrace", "logdir", "log_basename", "log_size", "gnuplot", "frag", "io_device",
	"mem_buffer_size", "logstats",
}

// file reads the top level.
func (r *reader) file(root value) {
	for _, f := range root.fields {
		if f.key == "global" {
			r.global(f.value)
		}
	}
	for _, f := range root.fields {
		switch {
		case f.key == "global", f.key == "resources", comment(f.key):
		case f.key != "tasks":
			r.fail(f.at, "unknown key "+strconv.Quote(f.key), "tasks, global or resources")
		case f.value.kind != kindMap:
			r.fail(f.value.at, "tasks is "+f.value.describe(), "a map of tasks")
		default:
			for _, t := range f.value.fields {
				if !comment(t.key) {
					r.task(t)
				}
			}
		}
	}
}

// comment tells keys that are for people alone.
func comment(key string) bool { return strings.HasPrefix(key, "_") }

// global reads the settings of all tasks.
func (r *reader) global(v value) {
	for _, f := range v.fields {
		switch {
		case f.key == "duration":
			r.duration(f.value)
		case f.key == "default_policy":
			if _, ok := policyWord(f.value.text); !ok {
				r.fail(f.value.at, "the policy is "+f.value.describe(), wantPolicy)
				continue
			}
			r.policy = f.value.text
		case f.key == "pi_enabled" && f.value.text == "false", f.key == "cumulative_slack" && f.value.text == "false":
		case !comment(f.key) && !slices.Contains(harmless, f.key):
			r.fail(f.at, strconv.Quote(f.key)+" of global", "duration, default_policy, or what does not matter to the scheduler")
		}
	}
}

// duration reads the length of the run in s; -1 is no end.
func (r *reader) duration(v value) {
	if v.text == "-1" {
		r.note(v.at, "the run has no end; the scenario ends after 1s")
		return
	}
	whole, decimals, _ := strings.Cut(v.text, ".")
	n, err := strconv.ParseUint(whole, 10, 32)
	_, err2 := strconv.ParseUint("1"+decimals, 10, 64)
	if v.kind != kindNumber || err != nil || err2 != nil || n > 86_400 || len(decimals) > 9 || strings.Trim(v.text, "0.") == "" {
		r.fail(v.at, "duration is "+v.describe(), "seconds up to 86400, or -1")
		return
	}
	r.until = v.text + "s"
}

// integer reads a whole number within bounds.
func (r *reader) integer(f field, low, high int64) int64 {
	n, err := strconv.ParseInt(f.value.text, 10, 64)
	if f.value.kind != kindNumber || err != nil || n < low || n > high {
		r.fail(f.value.at, f.key+" is "+f.value.describe(), "a whole number from "+strconv.FormatInt(low, 10)+" to "+strconv.FormatInt(high, 10))
		return low
	}
	return n
}

// loop reads how often a task or phase is repeated; -1 is for ever.
func (r *reader) loop(f field) int64 {
	n := r.integer(f, -1, 1<<31-1)
	if n == 0 {
		r.fail(f.value.at, "loop is 0", "-1, for ever, or a number of rounds")
		return 1
	}
	return n
}

// maxTime is the longest time of an event, us: an hour.
const maxTime = 3_600_000_000

// name turns a name into one that scenarios can have.
func (r *reader) name(at int, text string) string {
	plain := strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return '_'
	}, text)
	if plain == "" {
		r.fail(at, "the name is empty", "a name")
		return "_"
	}
	if c := plain[0]; c == '-' || '0' <= c && c <= '9' {
		plain = "_" + plain
	}
	return plain
}

// task reads one entry of tasks.
func (r *reader) task(f field) {
	t := task{name: r.name(f.at, f.key), at: f.at, count: 1, loop: -1}
	for _, other := range r.tasks {
		if other.name == t.name {
			r.fail(f.at, "a second task "+strconv.Quote(t.name), "names that differ in letters and digits")
			return
		}
	}
	if f.value.kind != kindMap {
		r.fail(f.value.at, "the task is "+f.value.describe(), "a map with its events")
		return
	}
	settings := settings{policy: r.policy}
	var whole phase
	for _, k := range f.value.fields {
		switch {
		case k.key == "phases":
			r.phases(k, &t, &settings)
		case k.key == "loop":
			t.loop = r.loop(k)
		case k.key == "instance":
			t.count = r.integer(k, 0, 100_000)
		case k.key == "delay":
			settings.delay = r.integer(k, 0, maxTime)
		case r.setting(k, &settings), comment(k.key):
		default:
			r.event(k, &whole, &t)
		}
	}
	if len(whole.events) > 0 {
		if whole.loop = 1; t.body != nil {
			r.fail(f.at, "the task has both phases and events", "one of them")
		}
		t.body = append(t.body, whole)
	}
	if t.keys = settings.keys(); t.count > 1 {
		t.keys = append(t.keys, "count: "+strconv.FormatInt(t.count, 10))
	}
	if len(t.body) == 0 {
		r.fail(f.at, "the task "+strconv.Quote(t.name)+" does nothing", "events that a scenario can have")
		return
	}
	r.tasks = append(r.tasks, t)
}

// phases reads the phases of a task. Settings of the only phase are those of the
// task.
func (r *reader) phases(f field, t *task, own *settings) {
	if f.value.kind != kindMap {
		r.fail(f.value.at, "phases is "+f.value.describe(), "a map of phases")
		return
	}
	for _, entry := range f.value.fields {
		if comment(entry.key) {
			continue
		}
		if entry.value.kind != kindMap {
			r.fail(entry.value.at, "the phase is "+entry.value.describe(), "a map with its events")
			continue
		}
		p := phase{loop: 1}
		for _, k := range entry.value.fields {
			changed := settings{policy: own.policy}
			switch {
			case k.key == "loop":
				p.loop = r.loop(k)
			case len(f.value.fields) == 1 && r.setting(k, own), comment(k.key):
			case len(f.value.fields) > 1 && r.setting(k, &changed):
				r.fail(k.at, k.key+" of one phase among several", "it beside the phases: a scenario changes it by an event")
			default:
				r.event(k, &p, t)
			}
		}
		if last := len(t.body) - 1; last >= 0 && t.body[last].loop < 0 {
			r.fail(entry.at, "this phase is never reached", "no phase after one with a loop of -1")
			return
		}
		if len(p.events) > 0 {
			t.body = append(t.body, p)
		}
	}
}

// settings are what a task has beside its program.
type settings struct {
	policy, group, cpus string
	nice, slice, delay  int64
}

// setting reads a setting; false if the key is none.
func (r *reader) setting(f field, s *settings) bool {
	switch f.key {
	case "priority":
		s.nice = r.integer(f, scheduler.MinNice, scheduler.MaxNice)
	case "policy":
		if _, ok := policyWord(f.value.text); !ok {
			r.fail(f.value.at, "the policy is "+f.value.describe(), wantPolicy)
			return true
		}
		s.policy = f.value.text
	case "dl-runtime":
		s.slice = r.integer(f, scheduler.MinCustomSlice/1000, scheduler.MaxCustomSlice/1000)
	case "cpus":
		s.cpus = r.cpuList(f.value)
	case "taskgroup":
		s.group = r.group(f.value)
	case "dl-period", "dl-deadline", "util_min", "util_max", "nodes_membership", "mem_bind", "lock_pages":
		r.fail(f.at, f.key, "priority, policy, dl-runtime (as a slice), cpus or taskgroup")
	default:
		return false
	}
	return true
}

const wantPolicy = "SCHED_OTHER, SCHED_BATCH or SCHED_IDLE: only the fair class is modelled"

// policyWord is the word of a scenario for a policy.
func policyWord(name string) (word string, ok bool) {
	word, ok = map[string]string{"SCHED_OTHER": "other", "SCHED_NORMAL": "other", "SCHED_BATCH": "batch", "SCHED_IDLE": "idle"}[name]
	return word, ok
}

// cpuList reads a list of CPUs.
func (r *reader) cpuList(v value) string {
	var cpus []string
	for _, item := range v.items {
		n, err := strconv.Atoi(item.text)
		if err != nil || n < 0 || n > 255 {
			r.fail(item.at, "the CPU is "+item.describe(), "a number from 0 to 255")
			continue
		}
		r.cpus = max(r.cpus, n+1)
		cpus = append(cpus, strconv.Itoa(n))
	}
	if v.kind != kindList {
		r.fail(v.at, "cpus is "+v.describe(), "a list of numbers")
	}
	return strings.Join(cpus, ",")
}

// group reads the path of a cgroup and declares it with its parents.
func (r *reader) group(v value) string {
	path := strings.Trim(v.text, "/")
	if v.kind != kindText || path == "" {
		if v.kind != kindText {
			r.fail(v.at, "taskgroup is "+v.describe(), "a path such as /web/api")
		}
		return ""
	}
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		parts = append(parts, r.name(v.at, part))
		if up := strings.Join(parts, "/"); !slices.Contains(r.groups, up) {
			r.groups = append(r.groups, up)
		}
	}
	return strings.Join(parts, "/")
}
