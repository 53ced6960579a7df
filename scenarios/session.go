package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

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
	}
	for _, k := range r.setupKeys(&def.setup) {
		if k.name != "balance" {
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
		if list = append(list, c); c.Text == "" {
			r.fail(item.at, "the condition is empty", "an expression, or {off: an expression}")
		}
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
	if set.events.set {
		whole.events, whole.listed = set.events, true
	}
	w, err := s.build(whole, Options{})
	if err != nil {
		return err
	}
	if set.events.set {
		o.Edits = append([]scheduler.Edit{}, w.Edits...)
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

// Write makes the file of a scenario with a session: the text of the scenario as it
// is, comments included, and the session behind it, in the place of one that was
// there. Parse of it gives the session back. It fails if the session cannot be
// said in a file, for example because a text has several lines.
func Write(s *Scenario, session Session) ([]byte, error) {
	w, err := s.Workload(session.Options)
	if err != nil {
		return nil, err
	}
	before, after := s.withoutSession()
	p := sessionPrinter{w: w}
	p.session(&session)
	if p.err != nil {
		return nil, p.err
	}
	text := before + "\n" + p.text.String()
	if after != "" {
		text += "\n" + after
	}
	if err := s.checkWritten(text, Hash(w)); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// checkWritten makes sure that a file just written gives the same run.
func (s *Scenario) checkWritten(text, hash string) error {
	back, err := Parse(s.src.file, []byte(text))
	if err != nil {
		return fmt.Errorf("%s cannot take a session: %w", s.src.file, err)
	}
	w, err := back.Workload(back.Session.Options)
	if err == nil && Hash(w) != hash {
		err = errors.New("an edit has a value that a file cannot say: expected those that events can have")
	}
	return err
}

// withoutSession is the text before and after the session, or all of it and nothing.
// The empty line that Write puts before a session belongs to the session.
func (s *Scenario) withoutSession() (before, after string) {
	d := &s.session
	lines := strings.SplitAfter(s.src.text, "\n")
	if d.at.line == 0 {
		text := s.src.text
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text, ""
	}
	next := len(lines)
	if d.nextLine > 0 {
		next = d.nextLine - 1
	}
	head := lines[:d.at.line-1]
	if last := len(head) - 1; last >= 0 && strings.TrimSpace(head[last]) == "" {
		head = head[:last]
	}
	return strings.Join(head, ""), strings.Join(lines[next:], "")
}

// sessionPrinter prints a session as YAML.
type sessionPrinter struct {
	w    *scheduler.Workload
	text strings.Builder
	err  error
}

func (p *sessionPrinter) session(s *Session) {
	o := &s.Options
	p.text.WriteString("session:\n")
	p.scalar("name", s.Name)
	p.scalar("kernel", o.Kernel)
	p.scalar("variant", o.Variant)
	if o.HZ != 0 {
		p.key("hz", fmt.Sprint(o.HZ))
	}
	p.time("base_slice", o.BaseSlice)
	p.time("until", o.Until)
	if len(o.Features) > 0 {
		p.key("features", "["+featureList(o.Features)+"]")
	}
	p.key("at", FormatTime(s.Time))
	p.key("ordinal", fmt.Sprint(s.Ordinal))
	if !s.CPUs.Empty() {
		p.key("show", "{cpus: "+p.quoted(s.CPUs.String())+"}")
	}
	list(p, "conditions", s.Conditions, func(c Condition) string {
		if c.Off {
			return "{off: " + p.quoted(c.Text) + "}"
		}
		return p.quoted(c.Text)
	})
	list(p, "watches", s.Watches, p.quoted)
	list(p, "bookmarks", s.Bookmarks, func(b Bookmark) string {
		return fmt.Sprintf("{at: %s, ordinal: %d, note: %s}", FormatTime(b.Time), b.Ordinal, p.quoted(b.Note))
	})
	if o.Edits != nil && len(o.Edits) == 0 {
		p.key("events", "[]")
	}
	list(p, "events", o.Edits, p.edit)
}

func (p *sessionPrinter) key(name, value string) { fmt.Fprintf(&p.text, "  %s: %s\n", name, value) }

// scalar prints a text unless it is empty.
func (p *sessionPrinter) scalar(name, text string) {
	if text != "" {
		p.key(name, p.quoted(text))
	}
}

// time prints a time unless it is 0.
func (p *sessionPrinter) time(name string, t scheduler.Time) {
	if t != 0 {
		p.key(name, FormatTime(t))
	}
}

// list prints a list unless it is empty.
func list[T any](p *sessionPrinter, name string, items []T, print func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(&p.text, "  %s:\n", name)
	for _, item := range items {
		fmt.Fprintf(&p.text, "    - %s\n", print(item))
	}
}

// quoted is a text of one line between single quotes, in which YAML knows no other
// escape than a doubled quote.
func (p *sessionPrinter) quoted(text string) string {
	if strings.ContainsFunc(text, isControl) || strings.TrimSpace(text) != text || text == "" {
		p.err = cmp.Or(p.err, fmt.Errorf("the session has the text %q: expected one line of text without spaces around it", text))
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

func featureList(features []scheduler.FeatureSetting) string {
	names := make([]string, len(features))
	for i, f := range features {
		names[i] = f.String()
	}
	return strings.Join(names, ", ")
}

// edit prints an edit as an event.
func (p *sessionPrinter) edit(e scheduler.Edit) string {
	change, err := changeText(p.w, &e)
	p.err = cmp.Or(p.err, err)
	return fmt.Sprintf("{at: %s, ordinal: %d, %s}", FormatTime(e.At), e.Ordinal, change)
}

// changeText is what an edit changes, in the words of an event.
func changeText(w *scheduler.Workload, e *scheduler.Edit) (string, error) {
	task, group := "", ""
	if e.Task >= 0 && int(e.Task) < len(w.Tasks) {
		task = w.Tasks[e.Task].Name
	}
	switch {
	case e.Group == scheduler.RootGroup:
		group = "/"
	case e.Group > 0 && int(e.Group) <= len(w.Groups):
		group = w.Groups[e.Group-1].Name
	}
	switch e.Kind {
	case scheduler.EditFeature:
		return "features: [" + e.Feature.String() + "]", nil
	case scheduler.EditNice:
		return fmt.Sprintf("renice: {task: %s, nice: %d}", task, e.Value), nil
	case scheduler.EditSlice:
		return fmt.Sprintf("slice: {task: %s, slice: %s}", task, FormatTime(scheduler.Time(e.Value))), nil
	case scheduler.EditPolicy:
		return fmt.Sprintf("policy: {task: %s, policy: %s}", task, policyWord(e.Policy)), nil
	case scheduler.EditShares:
		return fmt.Sprintf("shares: {group: %s, shares: %d}", group, e.Value/sharesScale), nil
	case scheduler.EditGroupIdle:
		return fmt.Sprintf("group_idle: {group: %s, idle: %t}", group, e.Value != 0), nil
	case scheduler.EditBaseSlice:
		return "base_slice: " + FormatTime(scheduler.Time(e.Value)), nil
	case scheduler.EditMove:
		return fmt.Sprintf("move: {task: %s, group: %s}", task, group), nil
	case scheduler.EditWake:
		return "wake: " + task, nil
	case scheduler.EditInterrupt:
		return fmt.Sprintf("interrupt: %s, cpu: %d", FormatTime(scheduler.Time(e.Value)), e.CPU), nil
	}
	return "", fmt.Errorf("an edit of kind %d cannot be written: expected one that events know", e.Kind)
}

// policyWord is the word for a policy in files.
func policyWord(policy scheduler.Policy) string {
	for _, p := range policies {
		if p.policy == policy {
			return p.word
		}
	}
	return ""
}
