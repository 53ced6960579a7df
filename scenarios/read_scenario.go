package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Limits of a scenario, so that no file costs seconds or gigabytes.
const (
	maxTasks        = 100_000
	maxInstructions = 100_000
	maxEvents       = 100_000
	maxGroups       = 10_000
	maxGroupDepth   = 32
	maxVariants     = 32
	maxCPUs         = 256
)

// scenario reads the top level.
func (r *reader) scenario(n *node) {
	s := r.s
	s.Name = nameOfFile(r.src.file)
	keys := []key{
		{"name", func(n *node) { s.Name = r.line(n, "name") }},
		{"about", func(n *node) { s.About = strings.TrimSpace(r.text(n, "about")) }},
		{"source", func(n *node) { s.Source = r.line(n, "source") }},
		{"show", r.show},
		{"groups", r.groups},
		{"tasks", r.tasks},
		{"start", r.start},
		{"bookmarks", func(n *node) { s.Bookmarks = r.bookmarks(n) }},
		{"variants", r.variants},
		{"expect", func(n *node) { r.expectations(n, "") }},
		{"shows", r.shows},
		{"table", r.table},
		{"session", func(n *node) { r.session(n) }},
	}
	r.object(n, "the scenario", slices.Concat(keys, r.setupKeys(&s.base), r.machineKeys()))
	s.session.place(n)
	r.require(n, "the scenario", "tasks", len(s.tasks) > 0)
	r.settle()
}

// setupKeys are the keys of the top level that variants have too.
func (r *reader) setupKeys(s *setup) []key {
	return []key{
		{"kernel", func(n *node) { s.kernel = give(n.at, r.kernel(n, "kernel")) }},
		{"hz", func(n *node) { s.hz = give(n.at, r.integer(n, "hz", minHZ, maxHZ)) }},
		{"base_slice", func(n *node) { s.baseSlice = give(n.at, r.baseSlice(n, "base_slice")) }},
		{"until", func(n *node) { s.until = give(n.at, r.length(n, "until")) }},
		{"balance", func(n *node) { s.balance = give(n.at, r.onOff(n, "balance")) }},
		{"aug", func(n *node) { s.aug = give(n.at, r.aug(n)) }},
		{"features", func(n *node) { s.features = r.features(n, "features") }},
		{"events", func(n *node) { s.events = give(n.at, r.eventList(n)) }},
	}
}

// bookmarks reads a list of positions with notes.
func (r *reader) bookmarks(n *node) []Bookmark {
	var list []Bookmark
	for _, item := range r.list(n, "bookmarks") {
		b, timed := Bookmark{at: item.at}, false
		r.object(item, "bookmark", []key{
			{"at", func(n *node) { b.Time, b.at, timed = r.moment(n, "at"), n.at, true }},
			{"ordinal", func(n *node) { b.Ordinal = r.ordinal(n) }},
			{"note", func(n *node) { b.Note = r.line(n, "note") }},
		})
		r.require(item, "the bookmark", "at", timed)
		r.require(item, "the bookmark", "note", b.Note != "")
		list = append(list, b)
		r.settle()
	}
	slices.SortStableFunc(list, func(a, b Bookmark) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return list
}

// ordinal reads a place among the events of one time.
func (r *reader) ordinal(n *node) int { return int(r.integer(n, "ordinal", 0, 1_000_000)) }

// variants reads a map from name to overrides.
func (r *reader) variants(n *node) {
	if n.kind != kindMap {
		r.fail(n.at, "variants is "+n.describe(), "a map from name to overrides")
		return
	}
	if len(n.fields) > maxVariants {
		r.fail(n.at, fmt.Sprintf("there are %d variants", len(n.fields)), fmt.Sprintf("at most %d", maxVariants))
		return
	}
	for _, f := range n.fields {
		name := r.newName(&node{kind: kindScalar, at: f.at, text: f.key}, "variant", "-.0123456789")
		v := Variant{Name: name, at: f.at}
		keys := []key{
			{"about", func(n *node) { v.About = strings.TrimSpace(r.text(n, "about")) }},
			{"tasks", func(n *node) { r.overrides(n, &v.setup) }},
			{"expect", func(n *node) { r.expectations(n, name) }},
		}
		if f.value.kind != kindNull {
			r.object(f.value, "the variant", slices.Concat(keys, r.setupKeys(&v.setup)))
		}
		r.s.Variants = append(r.s.Variants, v)
		r.settle()
	}
}

// expectations reads a list of statements. Those without a variant of their own
// belong to the given one.
func (r *reader) expectations(n *node, variant string) {
	for _, item := range r.list(n, "expect") {
		e := Expectation{Variant: variant}
		if item.kind == kindMap && !timedStatement(item) {
			keys := []key{
				{"when", func(n *node) { r.when(n, &e, variant == "") }},
				{"that", func(n *node) { r.statement(n, &e) }},
			}
			r.object(item, "the expectation", keys)
			r.require(item, "the expectation", "that", e.Text != "")
		} else {
			r.statement(item, &e)
		}
		r.s.Expect = append(r.s.Expect, e)
		r.settle()
	}
}

// statement keeps the text of an expectation. YAML takes "at 3ms: pick == a"
// without quotes for a map with one key; it is put together again.
func (r *reader) statement(n *node, e *Expectation) {
	at := n.at
	if timedStatement(n) {
		f := n.fields[0]
		at, e.Text = f.at, f.key+": "+r.line(f.value, "the statement")
	} else {
		e.Text = r.line(n, "the statement")
	}
	e.Line, e.Col = at.line, at.col
}

// timedStatement tells whether a map is a statement that begins with its moments.
func timedStatement(n *node) bool {
	if n.kind != kindMap || len(n.fields) != 1 {
		return false
	}
	key := n.fields[0].key
	return key == "always" || key == "never" || strings.HasPrefix(key, "at ")
}

// when reads the run that an expectation belongs to.
func (r *reader) when(n *node, e *Expectation, free bool) {
	keys := []key{
		{"kernel", func(n *node) { e.Kernel = r.kernel(n, "kernel").Name }},
	}
	if free {
		keys = append(keys, key{"variant", func(n *node) {
			e.Variant = r.line(n, "variant")
			r.s.names.variantRefs = append(r.s.names.variantRefs, nameRef{n.at, e.Variant})
		}})
	}
	r.object(n, "when", keys)
}
