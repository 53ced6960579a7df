package scenarios

import (
	"zerolag/scheduler"
)

// Session is where somebody's work with a scenario stood. It is a section of the
// scenario's file, see Write.
type Session struct {
	// Name is a name for the work, one line; "" if it has none.
	Name string
	// Options are what was changed from outside. Workload of them is the whole run.
	Options Options
	// Time and Ordinal are the position of the event that was looked at.
	Time    scheduler.Time
	Ordinal int
	// CPUs are the CPUs that were shown; empty means as the scenario says.
	CPUs scheduler.CPUSet
	// Conditions are the stop conditions and Watches the watched expressions, in the
	// expression language, each one line.
	Conditions []Condition
	Watches    []string
	// Bookmarks are those that the scenario does not have.
	Bookmarks []Bookmark
	// Branch is the name of the branch that Options.Edits make, "" if it has none,
	// and Branches are the others.
	Branch   string
	Branches []Branch
}

// Branch is a run of the session with other edits: all of them, as in Options.
type Branch struct {
	Name  string
	Edits []scheduler.Edit
}

// Condition is a stop condition; one that is Off stops nothing at present.
type Condition struct {
	Text string
	Off  bool
}

// sessionDef is the section as it stands in the file.
type sessionDef struct {
	at       position // of the key; line 0 if there is no section
	nextLine int      // line of the key that follows, 0 if none does
	setup    setup
	options  Options
	when     position
	branches []branchDef
}

// branchDef is a branch as it stands in the file.
type branchDef struct {
	name   string
	events []eventDef
}

// session reads the section.
func (r *reader) session(n *node) {
	out, def := &Session{}, &r.s.session
	def.when = n.at
	keys := []key{
		{"name", func(n *node) { out.Name = r.line(n, "name") }},
		{"variant", func(n *node) {
			def.options.Variant = r.line(n, "variant")
			r.s.names.variantRefs = append(r.s.names.variantRefs, nameRef{n.at, def.options.Variant})
		}},
		{"at", func(n *node) { out.Time, def.when = r.moment(n, "at"), n.at }},
		{"ordinal", func(n *node) { out.Ordinal = r.ordinal(n) }},
		{"show", func(n *node) {
			r.object(n, "show", []key{{"cpus", func(n *node) { out.CPUs = r.cpuSet(n, "cpus") }}})
		}},
		{"conditions", func(n *node) { out.Conditions = r.conditions(n) }},
		{"watches", func(n *node) {
			for _, item := range r.list(n, "watches") {
				out.Watches = append(out.Watches, r.line(item, "the watch"))
			}
		}},
		{"bookmarks", func(n *node) { out.Bookmarks = r.bookmarks(n) }},
		{"branch", func(n *node) { out.Branch = r.line(n, "branch") }},
		{"branches", func(n *node) { def.branches = r.branches(n) }},
	}
	for _, k := range r.setupKeys(&def.setup) {
		if k.name != "balance" && k.name != "aug" {
			keys = append(keys, k)
		}
	}
	r.object(n, "the session", keys)
	r.s.Session = out
}

// conditions reads stop conditions: texts, or {off: TEXT}.
func (r *reader) conditions(n *node) []Condition {
	var list []Condition
	for _, item := range r.list(n, "conditions") {
		c := Condition{}
		if item.kind == kindMap {
			r.object(item, "the condition", []key{{"off", func(n *node) { c.Text, c.Off = r.line(n, "the condition"), true }}})
		} else {
			c.Text = r.line(item, "the condition")
		}
		if list = append(list, c); c.Text == "" && !item.broken {
			r.fail(item.at, "the condition is empty", "an expression, or {off: an expression}")
		}
	}
	return list
}

// branches reads the other branches.
func (r *reader) branches(n *node) []branchDef {
	var list []branchDef
	for _, item := range r.list(n, "branches") {
		b, has := branchDef{}, false
		r.object(item, "the branch", []key{
			{"name", func(n *node) { b.name = r.line(n, "name") }},
			{"events", func(n *node) { b.events, has = r.eventList(n), true }},
		})
		r.require(item, "the branch", "name", b.name != "")
		r.require(item, "the branch", "events", has)
		list = append(list, b)
	}
	return list
}

// place notes which lines of the file the section takes.
func (d *sessionDef) place(root *node) {
	for _, f := range root.fields {
		switch {
		case f.key == "session":
			d.at = f.at
		case d.at.line > 0:
			d.nextLine = f.at.line
			return
		}
	}
}

// openSession builds the run of the session once and keeps its edits.
func (s *Scenario) openSession() error {
	if s.Session == nil {
		return nil
	}
	o, set := s.session.options, &s.session.setup
	if set.kernel.set {
		o.Kernel = set.kernel.value.Name
	}
	o.HZ, o.BaseSlice, o.Until = int(set.hz.value), set.baseSlice.value, set.until.value
	whole, err := s.settle(o)
	if err != nil {
		return err
	}
	whole.features = append(whole.features, set.features...)
	w, err := s.build(whole, Options{})
	if err != nil {
		return err
	}
	if set.events.set {
		if o.Edits, err = s.allEdits(whole, set.events.value); err != nil {
			return err
		}
	}
	for _, b := range s.session.branches {
		edits, err := s.allEdits(whole, b.events)
		if err != nil {
			return err
		}
		s.Session.Branches = append(s.Session.Branches, Branch{b.name, edits})
	}
	for _, f := range set.features {
		o.Features = append(o.Features, f.setting)
	}
	s.Session.Options = o
	if s.Session.Time >= w.Until {
		return s.src.fault(s.session.when, "the session stands at "+FormatTime(s.Session.Time), beforeEnd(w.Until))
	}
	for _, b := range s.Session.Bookmarks {
		if b.Time >= w.Until {
			return s.src.fault(b.at, "the bookmark at "+FormatTime(b.Time)+" is never reached", beforeEnd(w.Until))
		}
	}
	return nil
}

// allEdits are the edits of a run whose events are the ones given.
func (s *Scenario) allEdits(set setup, events []eventDef) ([]scheduler.Edit, error) {
	set.events, set.listed = give(position{1, 1}, events), true
	w, err := s.build(set, Options{})
	if err != nil {
		return nil, err
	}
	return append([]scheduler.Edit{}, w.Edits...), nil
}
