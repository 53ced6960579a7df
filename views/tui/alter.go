package tui

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// alteration is a row of the edit pane: one thing that can be changed.
type alteration struct {
	what string // whose what
	now  string // as it would be typed; "" if there is no value
	hint string // what can be typed; "" if nothing is: the change happens at once
	// head and tail stand around what is typed in the change, which is in the words
	// of events.
	head, tail string
	// world, if not nil, makes another world of the typed value instead.
	world func(value string, o *scenarios.Options) error
}

// alterations are the rows of the edit pane: the chosen task, its groups, the
// machine.
func (s *session) alterations() []alteration {
	var rows []alteration
	f := s.run.Frame()
	if task := f.Task(s.altered); task != nil {
		rows = s.taskAlterations(f, task)
		for g := task.Group; g != scheduler.RootGroup; g = f.Groups[g].Parent {
			rows = append(rows, groupAlterations(&f.Groups[g])...)
		}
	}
	return append(rows, s.machineAlterations(f)...)
}

func (s *session) taskAlterations(f *scheduler.Frame, t *scheduler.EntityFrame) []alteration {
	// of is a change of one value, alone one that has none.
	of := func(what, now, hint, event, key string) alteration {
		return alteration{
			what: what + " of " + t.Name, now: now, hint: hint,
			head: fmt.Sprintf("%s: {task: '%s', %s: '", event, t.Name, key), tail: "'}",
		}
	}
	alone := func(what, event string) alteration { return alteration{what: what, head: event + ": '" + t.Name + "'"} }
	slice := "0"
	if t.CustomSlice {
		slice = scenarios.FormatTime(scheduler.Time(t.Slice))
	}
	rows := []alteration{
		of("nice", strconv.Itoa(t.Nice), "-20 to 19", "renice", "nice"),
		of("policy", strings.ToLower(strings.TrimPrefix(t.Policy.String(), "SCHED_")), "other, batch or idle", "policy", "policy"),
		of("slice", slice, "100us to 100ms; 0 is the base slice", "slice", "slice"),
	}
	if s.manyCPUs() {
		rows = append(rows, of("CPUs", t.Allowed.String(), "a list of CPUs, such as 0,2-3", "affinity", "cpus"))
	}
	if len(f.Groups) > 1 {
		rows = append(rows, of("group", f.Groups[t.Group].Name, "the path of a group, / is the root", "move", "group"))
	}
	return append(
		rows, alone("wake "+t.Name, "wake"), alone("put "+t.Name+" to sleep", "sleep"), alone("freeze "+t.Name, "freeze"), alone("kill "+t.Name, "kill"),
	)
}

func groupAlterations(g *scheduler.GroupFrame) []alteration {
	of := func(what, now, hint, event, key string) alteration {
		return alteration{
			what: what + " of " + g.Name, now: now, hint: hint,
			head: fmt.Sprintf("%s: {group: '%s', %s: '", event, g.Name, key), tail: "'}",
		}
	}
	limit := "max"
	if g.Quota > 0 {
		limit = scenarios.FormatTime(g.Quota) + "/" + scenarios.FormatTime(g.Period)
	}
	return []alteration{
		of("cpu.weight", strconv.FormatUint(scheduler.WeightOfShares(g.Shares), 10), "1 to 10000", "weight", "weight"),
		of("cpu.idle", strconv.FormatBool(g.Idle), "true or false", "group_idle", "idle"),
		of("cpu.max", limit, "quota/period such as 20ms/100ms, or max", "cpu_max", "cpu_max"),
	}
}

func (s *session) machineAlterations(f *scheduler.Frame) []alteration {
	c := &s.workload.Config
	return []alteration{
		{
			what: "add a task", hint: "its keys, as in scenario files", head: "add: {", tail: "}",
			now: fmt.Sprintf("name: t%d, does: [run 1ms, sleep 1ms, repeat]", len(f.TaskEntity)+1),
		},
		{
			what: fmt.Sprintf("interrupt on cpu%d", s.selectedCPU()), hint: "how long a higher class takes the CPU", now: "100us",
			head: "interrupt: '", tail: fmt.Sprintf("', cpu: %d", s.selectedCPU()),
		},
		{
			what: "base_slice", hint: "100us to 1s", now: scenarios.FormatTime(scheduler.Time(f.BaseSlice)),
			head: "base_slice: '", tail: "'",
		},
		{what: "preempt", hint: "full, lazy, voluntary or none", now: f.Preempt.String(), head: "preempt: '", tail: "'"},
		{what: "features", hint: "NAME or NO_NAME; f lists them", head: "features: ['", tail: "']"},
		{what: "HZ (a new run)", hint: "100 to 1000", now: strconv.Itoa(c.HZ), world: setHZ},
		{what: "kernel (a new run)", hint: "a profile, such as 6.12.y", now: c.Kernel.Name, world: setKernel},
	}
}

func setHZ(value string, o *scenarios.Options) error {
	n, err := strconv.Atoi(value)
	if err != nil || n == 0 {
		return fmt.Errorf("hz is %q: expected 100 to 1000", value)
	}
	o.HZ = n
	return nil
}

func setKernel(value string, o *scenarios.Options) error {
	if value == "" {
		return errors.New("no kernel: expected the name of a profile")
	}
	o.Kernel = value
	return nil
}

// chooseAltered chooses the task that the edit pane is about: the focus, else the
// first.
func (s *session) chooseAltered() {
	s.altered = 0
	if x := s.focus(); x != nil && x.Task != scheduler.NoTask {
		s.altered = x.Task
	}
}

// alterTable is the edit pane.
func (s *session) alterTable() views.Table {
	t := views.Table{Columns: []views.Column{{Head: "what"}, {Head: "now"}}}
	for i, x := range s.alterations() {
		t.Rows = append(t.Rows, views.Row{Owner: rowOwner(i), Cells: []string{x.what, x.now}})
	}
	return t
}

// alter makes the selected change here or from the start of the run, after asking
// for a value if it has one.
func (a *app) alter(fromStart bool) tea.Cmd {
	s := a.s
	if s.scenario.Recorded() {
		a.say("this is a recording: what the kernel did cannot be changed")
		return nil
	}
	rows := s.alterations()
	row := rows[min(s.cursors[paneEdit], len(rows)-1)]
	if row.hint == "" {
		if err := a.makeChange(row, "", fromStart); err != nil {
			a.complain(oneLine(err))
		}
		return nil
	}
	return a.ask(prompt{label: row.what, hint: row.hint, done: func(value string) error {
		return a.makeChange(row, strings.TrimSpace(value), fromStart)
	}}, row.now)
}

// makeChange makes a change with a value.
func (a *app) makeChange(row alteration, value string, fromStart bool) error {
	s := a.s
	if row.world != nil {
		return a.makeWorld(row, value)
	}
	o, apply, since := s.change, s.run.Apply, "here"
	o.Edits = s.run.Standing()
	if fromStart {
		o.Edits, apply, since = nil, s.run.ApplyFromStart, "from the start of the run"
	}
	edit, err := s.scenario.Change(o, row.head+value+row.tail)
	if err != nil {
		return faultInValue(err, row, value)
	}
	from := s.run.Branch()
	if err := apply(edit); err != nil {
		return err
	}
	s.future = nil
	s.arrive()
	a.say(views.EditText(edit, s.run.Frame()) + " " + since + ": " + s.branchChange(from))
	return nil
}

// makeWorld opens the world with another kernel or HZ.
func (a *app) makeWorld(row alteration, value string) error {
	o := a.s.change
	if err := row.world(value, &o); err != nil {
		return err
	}
	if value == row.now {
		a.say("nothing changes: " + a.s.whereabouts())
		return nil
	}
	if err := a.s.rebuild(o); err != nil {
		return errors.New(oneLine(err))
	}
	a.say("a new run: " + a.s.whereabouts() + "; U goes back")
	return nil
}

// faultInValue is a fault of a change with its place in the typed value.
func faultInValue(err error, row alteration, value string) error {
	var fault *scenarios.Fault
	if !errors.As(err, &fault) {
		return err
	}
	col := fault.Col - utf8.RuneCountInString(row.head)
	if col < 1 || col > utf8.RuneCountInString(value)+1 {
		return fmt.Errorf("%s: expected %s", fault.Msg, fault.Want)
	}
	return &expr.Fault{Col: len(string([]rune(value)[:col-1])) + 1, Msg: fault.Msg, Want: "expected " + fault.Want}
}

// nextAltered chooses the next task for the edit pane.
func (s *session) nextAltered(dir int) {
	n := len(s.run.Frame().TaskEntity)
	s.altered = scheduler.TaskID((int(s.altered) + dir + n) % n)
	s.cursors[paneEdit] = min(s.cursors[paneEdit], len(s.alterations())-1)
}

// lacksChange tells why S has nothing to act on.
func (a *app) lacksChange() string {
	if slices.Contains([]pane{paneFeatures, paneEdit}, a.pane) {
		return ""
	}
	return "works on the selected feature, f opens the pane, or on the selected edit, E opens the pane"
}
