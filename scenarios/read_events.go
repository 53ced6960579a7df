package scenarios

import (
	"fmt"
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
	value   int64
}

// eventList reads a list of events.
func (r *reader) eventList(n *node) []eventDef {
	var list []eventDef
	for _, item := range r.list(n, "events") {
		list = append(list, r.event(item))
		if r.events++; r.events > maxEvents {
			r.fail(item.at, "there are too many events", fmt.Sprintf("at most %d", maxEvents))
		}
		if r.failed() {
			return nil
		}
	}
	return list
}

// event reads one event: when, and exactly one change.
func (r *reader) event(n *node) eventDef {
	e, timed, change := eventDef{pos: n.at}, false, ""
	keys := []key{
		{"at", func(n *node) { e.at, e.pos, timed = r.moment(n, "at"), n.at, true }},
		{"ordinal", func(n *node) { e.ordinal = r.ordinal(n) }},
		{"every", func(n *node) { e.every = give(n.at, r.length(n, "every")) }},
		{"times", func(n *node) { e.times = give(n.at, r.integer(n, "times", 1, maxEvents)) }},
		{"cpu", func(n *node) { e.cpu = give(n.at, r.integer(n, "cpu", 0, maxCPUs-1)) }},
	}
	for _, k := range r.changeKeys(&e) {
		keys = append(keys, key{k.name, func(value *node) {
			if change != "" {
				r.fail(value.at, "the event has both "+change+" and "+k.name, "one change in an event")
			}
			change = k.name
			k.read(value)
		}})
	}
	r.object(n, "the event", keys)
	r.require(n, "the event", "at", timed)
	if change == "" && !r.failed() {
		r.fail(n.at, "the event changes nothing", "one of "+keyList(r.changeKeys(&e)))
	}
	if e.times.set && !e.every.set {
		r.fail(e.times.at, "times stands without every", "every with the time between two of them")
	}
	if e.cpu.set && change != "interrupt" {
		r.fail(e.cpu.at, "cpu stands beside "+change, "it beside interrupt only")
	}
	return e
}

// changeKeys are the changes an event can make.
func (r *reader) changeKeys(e *eventDef) []key {
	add := func(d editDef) { e.edits = append(e.edits, d) }
	return []key{
		{"features", func(n *node) {
			for _, f := range r.features(n, "features") {
				add(editDef{kind: scheduler.EditFeature, feature: f})
			}
		}},
		{"renice", func(n *node) {
			d := editDef{kind: scheduler.EditNice}
			r.pair(n, "renice", &d.task, "task", key{"nice", func(n *node) { d.value = int64(r.nice(n, "nice")) }})
			add(d)
		}},
		{"slice", func(n *node) {
			d := editDef{kind: scheduler.EditSlice}
			r.pair(n, "slice", &d.task, "task", key{"slice", func(n *node) { d.value = int64(r.slice(n, "slice")) }})
			add(d)
		}},
		{"policy", func(n *node) {
			d := editDef{kind: scheduler.EditPolicy}
			r.pair(n, "policy", &d.task, "task", key{"policy", func(n *node) { d.policy = r.policy(n, "policy") }})
			add(d)
		}},
		{"weight", func(n *node) {
			d := editDef{kind: scheduler.EditShares}
			r.pair(n, "weight", &d.group, "group", key{"weight", func(n *node) { d.value = int64(r.weight(n, "weight")) }})
			add(d)
		}},
		{"shares", func(n *node) {
			d := editDef{kind: scheduler.EditShares}
			r.pair(n, "shares", &d.group, "group", key{"shares", func(n *node) { d.value = int64(r.shares(n, "shares")) }})
			add(d)
		}},
		{"group_idle", func(n *node) {
			d := editDef{kind: scheduler.EditGroupIdle}
			r.pair(n, "group_idle", &d.group, "group", key{"idle", func(n *node) { d.value = number(r.truth(n, "idle")) }})
			add(d)
		}},
		{"base_slice", func(n *node) {
			add(editDef{kind: scheduler.EditBaseSlice, value: int64(r.baseSlice(n, "base_slice"))})
		}},
		{"move", func(n *node) {
			d := editDef{kind: scheduler.EditMove}
			r.pair(n, "move", &d.task, "task", key{"group", func(n *node) { d.group = r.ref(n, "group") }})
			add(d)
		}},
		{"wake", func(n *node) { add(editDef{kind: scheduler.EditWake, task: r.ref(n, "wake")}) }},
		{"interrupt", func(n *node) {
			add(editDef{kind: scheduler.EditInterrupt, value: int64(r.length(n, "interrupt"))})
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
