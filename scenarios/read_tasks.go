package scenarios

import (
	"fmt"
	"strings"

	"zerolag/scheduler"
)

// groupDef is one group of the file.
type groupDef struct {
	name   string // as written
	at     position
	parent given[nameRef]
	shares given[uint64] // scaled
	idle   bool
	limit  limit
}

// groups reads the list of groups.
func (r *reader) groups(n *node) {
	items := r.list(n, "groups")
	if len(items) > maxGroups {
		r.fail(n.at, fmt.Sprintf("there are %d groups", len(items)), fmt.Sprintf("at most %d", maxGroups))
		return
	}
	for _, item := range items {
		g := groupDef{at: item.at}
		r.object(item, "the group", append([]key{
			{"name", func(n *node) { g.name, g.at = r.groupName(n), n.at }},
			{"parent", func(n *node) { g.parent = give(n.at, r.ref(n, "parent")) }},
			{"weight", func(n *node) { r.groupShares(n, &g, r.weight(n, "weight")) }},
			{"shares", func(n *node) { r.groupShares(n, &g, r.shares(n, "shares")) }},
			{"idle", func(n *node) { g.idle = r.truth(n, "idle") }},
		}, r.limitKeys(&g.limit)...))
		r.checkLimit(&g.limit)
		r.require(item, "the group", "name", g.name != "")
		if r.settle(); g.name != "" {
			r.s.groups = append(r.s.groups, g)
		}
	}
}

// groupShares keeps the weight of a group, which has two notations.
func (r *reader) groupShares(n *node, g *groupDef, scaled uint64) {
	if g.shares.set {
		r.fail(n.at, "the group has both weight and shares", "one of them")
	}
	g.shares = give(n.at, scaled)
}

// groupName reads a group's name: one name or a path of them.
func (r *reader) groupName(n *node) string {
	name := strings.Trim(r.line(n, "name"), "/")
	for part := range strings.SplitSeq(name, "/") {
		r.newName(&node{kind: n.kind, at: n.at, text: part}, "name", "-.")
	}
	return name
}

// taskDef is one entry of the list of tasks: one task, or count of them.
type taskDef struct {
	name    string
	at      position
	group   given[nameRef]
	nice    given[int]
	policy  given[scheduler.Policy]
	slice   given[uint64]
	cpu     given[int64]
	cpus    given[scheduler.CPUSet]
	arrive  given[stepped]
	wakesAt given[stepped] // sleeps from the start until then
	count   given[int64]
	program given[[]instr]
	first   scheduler.TaskID // its first task
}

// tasks reads the list of tasks.
func (r *reader) tasks(n *node) {
	for _, item := range r.list(n, "tasks") {
		t := taskDef{at: item.at}
		r.task(item, &t, []key{
			{"at", func(n *node) { t.arrive = give(n.at, r.stepped(n, "at", 0)) }},
			{"wakes_at", func(n *node) { t.wakesAt = give(n.at, r.stepped(n, "wakes_at", 1)) }},
			{"count", func(n *node) { t.count = give(n.at, r.integer(n, "count", 1, maxTasks)) }},
		})
		if t.arrive.set && t.wakesAt.set {
			r.fail(t.wakesAt.at, "the task has both at and wakes_at", "one of them: it enters by a fork, or is asleep from the start")
		}
		if r.settle(); t.name != "" {
			r.s.tasks = append(r.s.tasks, t)
		}
	}
}

// task reads one task; more are keys that it can have beyond those of every task.
func (r *reader) task(n *node, t *taskDef, more []key) {
	r.object(n, "the task", append([]key{
		{"name", func(n *node) { t.name, t.at = r.newName(n, "name", "-"), n.at }},
		{"group", func(n *node) { t.group = give(n.at, r.ref(n, "group")) }},
		{"nice", func(n *node) { t.nice = give(n.at, r.nice(n, "nice")) }},
		{"policy", func(n *node) { t.policy = give(n.at, r.policy(n, "policy")) }},
		{"slice", func(n *node) { t.slice = give(n.at, r.slice(n, "slice")) }},
		{"cpu", func(n *node) { t.cpu = give(n.at, r.integer(n, "cpu", 0, maxCPUs-1)) }},
		{"cpus", func(n *node) { t.cpus = give(n.at, r.cpuSet(n, "cpus")) }},
		{"does", func(n *node) { t.program = give(n.at, r.program(n)) }},
	}, more...))
	r.require(n, "the task", "name", t.name != "")
	r.require(n, "the task", "does", t.program.set)
}

// addedTask reads the task that an event adds: it enters then, and is one.
func (r *reader) addedTask(n *node) *taskDef {
	t := &taskDef{at: n.at}
	r.task(n, t, nil)
	return t
}

// overrides reads the tasks of a variant: a map from name to changes.
func (r *reader) overrides(n *node, s *setup) {
	if n.kind != kindMap {
		r.fail(n.at, "tasks is "+n.describe(), "a map from task name to changes")
		return
	}
	for _, f := range n.fields {
		o := override{name: nameRef{f.at, f.key}}
		r.object(f.value, "the change", []key{
			{"nice", func(n *node) { o.nice = give(n.at, r.nice(n, "nice")) }},
			{"policy", func(n *node) { o.policy = give(n.at, r.policy(n, "policy")) }},
			{"slice", func(n *node) { o.slice = give(n.at, r.slice(n, "slice")) }},
			{"cpus", func(n *node) { o.cpus = give(n.at, r.cpuSet(n, "cpus")) }},
			{"count", func(n *node) { o.count = give(n.at, r.integer(n, "count", 0, maxTasks)) }},
			{"does", func(n *node) { o.program = give(n.at, r.program(n)) }},
		})
		s.tasks = append(s.tasks, o)
		r.settle()
	}
}

// startDef is the state of a task that does not enter by a fork.
type startDef struct {
	task      nameRef
	vruntime  given[scheduler.Vtime]
	deadline  given[scheduler.Vtime]
	vlag      given[int64]
	vprot     given[scheduler.Vtime]
	slice     given[uint64]
	asleep    bool
	delayed   bool
	running   bool
	relative  bool
	exclusive int // how many of asleep, delayed and running hold
}

// zeroDef is the reference point of a queue at the start.
type zeroDef struct {
	queue nameRef
	zero  scheduler.Vtime
}

// start reads the state at time 0: a map from task name to values, and queues.
func (r *reader) start(n *node) {
	if n.kind != kindMap {
		r.fail(n.at, "start is "+n.describe(), "a map from task name to state")
		return
	}
	for _, f := range n.fields {
		if f.key == "queues" {
			r.queues(f.value)
			continue
		}
		d := startDef{task: nameRef{f.at, f.key}}
		flag := func(to *bool, what string) func(*node) {
			return func(n *node) {
				if *to = r.truth(n, what); *to && to != &d.relative {
					d.exclusive++
				}
			}
		}
		r.object(f.value, "the state", []key{
			{"vruntime", func(n *node) { d.vruntime = give(n.at, r.vtime(n, "vruntime")) }},
			{"deadline", func(n *node) { d.deadline = give(n.at, r.vtime(n, "deadline")) }},
			{"vlag", func(n *node) { d.vlag = give(n.at, r.signed(n, "vlag")) }},
			{"vprot", func(n *node) { d.vprot = give(n.at, r.vtime(n, "vprot")) }},
			{"slice", func(n *node) { d.slice = give(n.at, r.slice(n, "slice")) }},
			{"asleep", flag(&d.asleep, "asleep")},
			{"delayed", flag(&d.delayed, "delayed")},
			{"running", flag(&d.running, "running")},
			{"rel_deadline", flag(&d.relative, "rel_deadline")},
		})
		if d.exclusive > 1 {
			r.fail(f.at, f.key+" is more than one of asleep, delayed and running", "one of them")
		}
		r.s.starts = append(r.s.starts, d)
		r.settle()
	}
}

// queues reads the reference points: a map from group path to {zero}.
func (r *reader) queues(n *node) {
	if n.kind != kindMap {
		r.fail(n.at, "queues is "+n.describe(), `a map from group path to {zero: time}, "/" being the root`)
		return
	}
	for _, f := range n.fields {
		z, has := zeroDef{queue: nameRef{f.at, f.key}}, false
		r.object(f.value, "the queue", []key{
			{"zero", func(n *node) { z.zero, has = r.vtime(n, "zero"), true }},
		})
		r.require(f.value, "the queue", "zero", has)
		r.s.zeros = append(r.s.zeros, z)
		r.settle()
	}
}
