package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Write makes the file of a scenario with a session: the text of the scenario as it
// is, comments included, and the session behind it, in the place of one that was
// there. Parse of it gives the session back. It fails if the session cannot be
// said in a file, for example because a text has several lines.
func Write(s *Scenario, session Session) ([]byte, error) {
	if s.recorded != nil {
		return nil, fmt.Errorf("%s is a recording: expected a scenario file, which alone can hold a session", s.Name)
	}
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
	if err := s.checkWritten(text, session); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// checkWritten makes sure that a file just written gives the same runs.
func (s *Scenario) checkWritten(text string, session Session) error {
	back, err := Parse(s.src.file, []byte(text))
	if err != nil {
		return fmt.Errorf("%s cannot take a session: %w", s.src.file, err)
	}
	hashes := [2][]string{}
	for i, x := range []*Session{&session, back.Session} {
		if hashes[i], err = s.hashes(x); err != nil {
			return err
		}
	}
	if !slices.Equal(hashes[0], hashes[1]) {
		return errors.New("an edit has a value that a file cannot say: expected those that events can have")
	}
	return nil
}

// hashes identify the runs of a session: its own and those of its branches.
func (s *Scenario) hashes(x *Session) ([]string, error) {
	var list []string
	o := x.Options
	for _, b := range append([]Branch{{Edits: o.Edits}}, x.Branches...) {
		o.Edits = b.Edits
		w, err := s.Workload(o)
		if err != nil {
			return nil, err
		}
		list = append(list, Hash(w))
	}
	return list, nil
}

// SameScenario tells whether two files say the same but for their sessions.
func (s *Scenario) SameScenario(o *Scenario) bool {
	before, after := s.withoutSession()
	otherBefore, otherAfter := o.withoutSession()
	return before == otherBefore && after == otherAfter
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
	p.scalar("branch", s.Branch)
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
	if o.Edits != nil {
		p.events("  ", o.Edits)
	}
	if len(s.Branches) > 0 {
		p.text.WriteString("  branches:\n")
	}
	for _, b := range s.Branches {
		fmt.Fprintf(&p.text, "    - name: %s\n", p.quoted(b.Name))
		p.events("      ", b.Edits)
	}
}

// events prints edits as a list of events, even an empty one.
func (p *sessionPrinter) events(indent string, edits []scheduler.Edit) {
	if len(edits) == 0 {
		p.text.WriteString(indent + "events: []\n")
		return
	}
	p.text.WriteString(indent + "events:\n")
	c := changes{w: p.w}
	for i := range edits {
		e := &edits[i]
		text, err := c.next(e)
		p.err = cmp.Or(p.err, err)
		fmt.Fprintf(&p.text, "%s  - {at: %s, ordinal: %d, %s}\n", indent, FormatTime(e.At), e.Ordinal, text)
	}
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
