package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// eventDef is one entry of the list of events.
type eventDef struct {
	pos     position
	at      scheduler.Time
	ordinal int
	every   given[scheduler.Time]
	times   given[int64]
	cpu     given[int64]
	edits   []editDef
}

// editDef is one change that an event makes, names not yet resolved.
type editDef struct {
	kind    scheduler.EditKind
	feature featureRef
	task    nameRef
	group   nameRef
	policy  scheduler.Policy
	cpus    given[scheduler.CPUSet]
	added   *taskDef // the task that an add makes
	value   int64
	limit   limit
}

// eventList reads a list of events.
func (r *reader) eventList(n *node) []eventDef {
	var list []eventDef
	for _, item := range r.list(n, "events") {
		list = append(list, r.event(item))
		if r.events++; r.events > maxEvents {
			r.fail(item.at, "there are too many events", fmt.Sprintf("at most %d", maxEvents))
			return nil
		}
		r.settle()
	}
	return list
}

// event reads one event: when, and exactly one change.
func (r *reader) event(n *node) eventDef {
	e, timed := eventDef{pos: n.at}, false
	r.oneChange(n, &e, []key{
		{"at", func(n *node) { e.at, e.pos, timed = r.moment(n, "at"), n.at, true }},
		{"ordinal", func(n *node) { e.ordinal = r.ordinal(n) }},
		{"every", func(n *node) { e.every = give(n.at, r.length(n, "every")) }},
		{"times", func(n *node) { e.times = give(n.at, r.integer(n, "times", 1, maxEvents)) }},
	})
	r.require(n, "the event", "at", timed)
	if e.times.set && !e.every.set {
		r.fail(e.times.at, "times stands without every", "every with the time between two of them")
	}
	return e
}

// change reads a change without a time.
func (r *reader) change(n *node) eventDef {
	e := eventDef{pos: n.at}
	r.oneChange(n, &e, nil)
	return e
}

// oneChange reads a map with exactly one change besides other keys.
func (r *reader) oneChange(n *node, e *eventDef, keys []key) {
	change := ""
	keys = append(keys, key{"cpu", func(n *node) { e.cpu = give(n.at, r.integer(n, "cpu", 0, maxCPUs-1)) }})
	for _, k := range r.changeKeys(e) {
		keys = append(keys, key{k.name, func(value *node) {
			if change != "" {
				r.fail(value.at, "the event has both "+change+" and "+k.name, "one change in an event")
			}
			change = k.name
			k.read(value)
		}})
	}
	r.object(n, "the event", keys)
	if n.broken {
		return
	}
	if change == "" {
		r.fail(n.at, "the event changes nothing", "one of "+keyList(r.changeKeys(e)))
	}
	if e.cpu.set && change != "interrupt" {
		r.fail(e.cpu.at, "cpu stands beside "+change, "it beside interrupt only")
	}
}

// changeKeys are the changes an event can make.
func (r *reader) changeKeys(e *eventDef) []key {
	add := func(d editDef) { e.edits = append(e.edits, d) }
	return slices.Concat(r.machineChanges(add), r.taskChanges(add), r.groupChanges(add), []key{
		{"add", func(n *node) { add(editDef{kind: scheduler.EditAdd, added: r.addedTask(n)}) }},
	})
}

// machineChanges are those that are about no task or group.
func (r *reader) machineChanges(add func(editDef)) []key {
	return []key{
		{"features", func(n *node) {
			for _, f := range r.features(n, "features") {
				add(editDef{kind: scheduler.EditFeature, feature: f})
			}
		}},
		{"base_slice", func(n *node) {
			add(editDef{kind: scheduler.EditBaseSlice, value: int64(r.baseSlice(n, "base_slice"))})
		}},
		{"preempt", func(n *node) { add(editDef{kind: scheduler.EditPreempt, value: int64(r.preempt(n))}) }},
		{"interrupt", func(n *node) {
			add(editDef{kind: scheduler.EditInterrupt, value: int64(r.length(n, "interrupt"))})
		}},
	}
}

// taskChanges are those of a task that is there.
func (r *reader) taskChanges(add func(editDef)) []key {
	// change is a map with the task and one value.
	change := func(name string, kind scheduler.EditKind, of string, read func(*editDef, *node)) key {
		return key{name, func(n *node) {
			d := editDef{kind: kind}
			r.pair(n, name, &d.task, "task", key{of, func(n *node) { read(&d, n) }})
			add(d)
		}}
	}
	// alone names just the task.
	alone := func(name string, kind scheduler.EditKind) key {
		return key{name, func(n *node) { add(editDef{kind: kind, task: r.ref(n, name)}) }}
	}
	return []key{
		change("renice", scheduler.EditNice, "nice", func(d *editDef, n *node) { d.value = int64(r.nice(n, "nice")) }),
		change("slice", scheduler.EditSlice, "slice", func(d *editDef, n *node) { d.value = int64(r.slice(n, "slice")) }),
		change("policy", scheduler.EditPolicy, "policy", func(d *editDef, n *node) { d.policy = r.policy(n, "policy") }),
		change("affinity", scheduler.EditAffinity, "cpus", func(d *editDef, n *node) { d.cpus = give(n.at, r.cpuSet(n, "cpus")) }),
		change("move", scheduler.EditMove, "group", func(d *editDef, n *node) { d.group = r.ref(n, "group") }),
		alone("wake", scheduler.EditWake),
		alone("sleep", scheduler.EditSleep),
		alone("freeze", scheduler.EditFreeze),
		alone("kill", scheduler.EditKill),
	}
}

// groupChanges are those of a group.
func (r *reader) groupChanges(add func(editDef)) []key {
	change := func(name string, kind scheduler.EditKind, of string, read func(*node) int64) key {
		return key{name, func(n *node) {
			d := editDef{kind: kind}
			r.pair(n, name, &d.group, "group", key{of, func(n *node) { d.value = read(n) }})
			add(d)
		}}
	}
	return []key{
		change("weight", scheduler.EditShares, "weight", func(n *node) int64 { return int64(r.weight(n, "weight")) }),
		change("shares", scheduler.EditShares, "shares", func(n *node) int64 { return int64(r.shares(n, "shares")) }),
		change("group_idle", scheduler.EditGroupIdle, "idle", func(n *node) int64 { return number(r.truth(n, "idle")) }),
		{"cpu_max", func(n *node) {
			d := editDef{kind: scheduler.EditQuota}
			r.object(n, "cpu_max", append(r.limitKeys(&d.limit), key{"group", func(n *node) { d.group = r.ref(n, "group") }}))
			r.require(n, "cpu_max", "group", strings.TrimSpace(d.group.name) != "")
			r.require(n, "cpu_max", "cpu_max", d.limit.quota.set)
			r.checkLimit(&d.limit)
			d.value = int64(d.limit.quota.value)
			add(d)
		}},
	}
}

// number is a truth value as edits store it.
func number(truth bool) int64 {
	if truth {
		return 1
	}
	return 0
}

// pair reads a map with exactly two keys: whom a change is about, and the change.
func (r *reader) pair(n *node, what string, whom *nameRef, whomKey string, change key) {
	changed := false
	r.object(n, what, []key{
		{whomKey, func(n *node) { *whom = r.ref(n, whomKey) }},
		{change.name, func(n *node) { change.read(n); changed = true }},
	})
	r.require(n, what, whomKey, strings.TrimSpace(whom.name) != "")
	r.require(n, what, change.name, changed)
}
