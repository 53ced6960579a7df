package tui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scheduler"
	"zerolag/views"
)

// origin is where one number came from: the sub-steps that changed it, backwards
// from where it was asked for.
type origin struct {
	name   string // of the number: nginx.deadline
	branch string // where it was asked for
	value  string // at the place where it was asked for
	field  *expr.Field
	trail  *model.Trail
	whole  bool // the trail has reached the start of the run
}

// originAhead is how many changes are found beyond the selected one.
const originAhead = 40

// askOrigin asks for a field and shows where its value came from.
func (a *app) askOrigin() tea.Cmd {
	was := "V"
	if a.s.origin != nil {
		was = a.s.origin.name
	} else if focus := a.s.focus(); focus != nil {
		was = expr.Quoted(focus.Name) + ".vruntime"
	}
	return a.ask(prompt{label: "origin of", hint: "a number such as " + was + ", V or /a:load, see docs/FIELDS.md", done: a.originOfText}, was)
}

func (a *app) originOfText(text string) error {
	run := a.s.run
	x, err := expr.Parse(text, run.Names())
	if err != nil {
		return err
	}
	field, id, ok := x.Field(run.Context())
	if !ok {
		return errors.New("not the field of somebody, expected one such as V or nginx.vruntime")
	}
	a.showOrigin(strings.TrimSpace(text), field, id)
	return nil
}

// originOfRow shows where the number in the selected row of the inspector came
// from.
func (a *app) originOfRow() {
	s := a.s
	list := s.subjects()
	x := list[min(s.subject, len(list)-1)]
	rows := s.paneView(paneInspector, a.paneRoom()).Table.Rows
	name := rows[min(s.cursors[paneInspector], len(rows)-1)].Cells[0]
	field := inspectedField(x.kind, name)
	if field == nil {
		a.say("no trail leads to " + name + ": it never changes, or follows from other numbers")
		return
	}
	subject := s.subjectName(x)
	if x.kind == subjectEntity {
		subject = expr.Quoted(subject)
	}
	a.showOrigin(subject+"."+field.Name, field, int(x.id))
}

// inspectedField is the field of a row of the inspector, nil if it is none of the
// catalogue's numbers.
func inspectedField(kind subjectKind, row string) *expr.Field {
	name := strings.ReplaceAll(row, " ", "_")
	switch kind {
	case subjectEntity:
		return expr.FieldOf(name, expr.OfEntity, expr.OfTask)
	case subjectQueue:
		return expr.FieldOf(name, expr.OfQueue)
	case subjectCPU:
	}
	return expr.FieldOf(name, expr.OfCPU)
}

// subjectName names what the inspector shows as the title of the trail does.
func (s *session) subjectName(x subject) string {
	f := s.run.Frame()
	switch x.kind {
	case subjectEntity:
		return f.Entity(scheduler.EntityID(x.id)).Name
	case subjectQueue:
		return queueName(f, scheduler.QueueID(x.id))
	case subjectCPU:
	}
	return cpuName(int(x.id))
}

func (a *app) showOrigin(name string, field *expr.Field, id int) {
	s := a.s
	s.origin = &origin{name: name, branch: s.run.Branch(), value: field.Of(s.run.Context(), id).Text(s.run.Frame()), field: field, trail: s.run.Trail(field, id)}
	s.cursors[paneOrigin] = 0
	a.pane = paneOrigin
	a.followOrigin()
}

// followOrigin looks further back until there are enough changes beyond the
// selected one.
func (a *app) followOrigin() {
	s, o := a.s, a.s.origin
	a.begin(job{what: "following " + o.name + " back", slice: func(budget int) bool {
		o.whole = o.whole || o.trail.Extend(budget) == model.Exhausted
		if !o.whole && len(o.trail.Links()) <= s.cursors[paneOrigin]+originAhead {
			return false
		}
		a.say("")
		return true
	}})
}

// moveOrigin selects another change.
func (a *app) moveOrigin(dir int) {
	o := a.s.origin
	next := a.s.cursors[paneOrigin] + dir
	if o == nil || next < 0 || next >= len(o.trail.Links()) {
		a.say("no further change")
		return
	}
	a.s.cursors[paneOrigin] = next
	if !o.whole {
		a.followOrigin()
	}
}

// goToOrigin goes to the sub-step of the selected change.
func (a *app) goToOrigin() {
	s := a.s
	if s.origin == nil || len(s.origin.trail.Links()) == 0 {
		a.say("nothing has changed this number")
		return
	}
	l := s.origin.trail.Links()[s.cursors[paneOrigin]]
	if s.origin.branch != s.run.Branch() {
		a.say("the number is of the branch " + s.origin.branch + ", B reopens it")
		return
	}
	s.run.SeekSub(l.Index, l.Sub)
	s.arrive()
}

// originTitle says what the number is.
func (s *session) originTitle() string {
	o := s.origin
	if o == nil {
		return "origin: O asks of which number, enter in the inspector takes that one"
	}
	title := fmt.Sprintf("origin of %s = %s", o.name, o.value)
	if unit := o.field.Unit.String(); unit != "" {
		title += ", " + unit
	}
	if o.field.Rounding != "" {
		title += ", " + o.field.Rounding
	}
	return title + "  [enter] goes there"
}

// originTable lists the changes, the latest first: when, what it became, by which
// sub-step, and the formula with the numbers that the machine recorded there. A
// change marked ~ followed from what the step did to others. Below the selected
// one stand its operands as integers.
func (s *session) originTable() (t views.Table, selected int) {
	t = views.Table{Columns: []views.Column{{Head: "at ms", Right: true}, {Head: "was", Right: true}, {Head: "became", Right: true}, {}, {Head: "by"}, {Head: "formula"}}}
	if s.origin == nil {
		return t, 0
	}
	f := s.run.Frame()
	for i := range s.origin.trail.Links() {
		l := &s.origin.trail.Links()[i]
		row := views.Row{Cells: []string{views.Clock(l.Position.Time), l.Old.Text(f), l.New.Text(f), "~", "", ""}}
		if l.Stated {
			row.Cells[3] = "="
		}
		if l.Sub < 0 {
			row.Cells[4] = "time that passes"
		} else {
			row.Cells[4], row.Cells[5], _ = strings.Cut(views.StepLine(&l.Step, s.workload.Config.Kernel, f, views.FullDecimals), ": ")
		}
		if l.Index == s.run.Index() && l.Sub == s.run.Sub() {
			row.Style = views.StyleCurr
		}
		t.Rows = append(t.Rows, row)
		if i != s.cursors[paneOrigin] {
			continue
		}
		selected = len(t.Rows) - 1
		if operands := views.Operands(&l.Step); l.Sub >= 0 && operands != "" {
			t.Rows = append(t.Rows, views.Row{Cells: []string{"", "", "", "", "", operands}, Style: views.StyleDim})
		}
	}
	if s.origin.whole {
		t.Rows = append(t.Rows, views.Row{Cells: []string{"", "", "", "", "", "the start of the run"}, Style: views.StyleDim})
	}
	return t, selected
}
