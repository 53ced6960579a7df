package tui

import (
	"fmt"
	"slices"
	"strings"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// decision is one decision of an event as a table.
type decision struct {
	title string
	table views.Table
}

// decisions are the decisions of the event in that many columns: where a wakee
// goes, what balancing did, and the candidates of the last pick.
func (s *session) decisions(width int) []decision {
	var list []decision
	m := s.decided()
	if t, ok := views.PlacementTable(m, width); ok {
		list = append(list, decision{"decision: the CPU of the wakee, rules in order", t})
	}
	if t, ok := views.CandidateTable(m, width); ok && s.manyCPUs() {
		list = append(list, decision{"decision: CPUs taken and dropped", t})
	}
	if t, ok := views.BalanceTable(m); ok {
		list = append(list, decision{"decision: balancing, in order (~ simplified)", t})
	}
	steps := s.run.Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Kind == scheduler.StepPick && len(steps[i].Candidates) > 0 {
			title := fmt.Sprintf("decision: the pick is sub-step %d of %d, candidates in tree order", i+1, len(steps))
			return append(list, decision{title, views.WhyTable(&steps[i], s.run.Frame(), views.ShortDecimals)})
		}
	}
	return list
}

// decided is the event at the cursor with its sub-steps.
func (s *session) decided() views.Moment {
	return views.Moment{
		Profile: s.workload.Config.Kernel, Topology: s.workload.Config.Topology, Event: s.run.Event(), Steps: s.run.Steps(), Before: s.run.Before(), After: s.run.Frame(),
	}
}

// decisionTable is the decision that the pane shows.
func (s *session) decisionTable(width int) (title string, t views.Table) {
	list := s.decisions(width)
	if len(list) == 0 {
		return "decision: nobody was picked in this event", views.Table{}
	}
	page := min(s.page, len(list)-1)
	title = list[page].title
	if len(list) > 1 {
		title += fmt.Sprintf("  %d/%d [tab]", page+1, len(list))
	}
	return title, list[page].table
}

// stepTable is the sub-steps of the event; selected is the one at the cursor.
func (s *session) stepTable() (t views.Table, selected int) {
	steps := s.run.Steps()
	t = views.StepTable(steps, s.workload.Config.Kernel, s.run.Frame(), views.ShortDecimals)
	return t, s.run.Sub()
}

// subject is something that the inspector shows.
type subject struct {
	kind subjectKind
	id   int32 // EntityID, QueueID or CPU
}

type subjectKind uint8

const (
	subjectEntity subjectKind = iota
	subjectQueue
	subjectCPU
)

// subjects lists what can be inspected on the CPUs that have rows: entities, queues
// in use, the CPUs.
func (s *session) subjects() []subject {
	var list []subject
	for _, id := range s.members() {
		list = append(list, subject{subjectEntity, int32(id)})
	}
	f := s.run.Frame()
	for _, cpu := range s.shownCPUs() {
		for i := range f.Queues {
			if q := &f.Queues[i]; q.CPU == cpu && (q.Nr > 0 || q.Owner == scheduler.NoEntity) {
				list = append(list, subject{subjectQueue, int32(q.ID)})
			}
		}
		list = append(list, subject{subjectCPU, int32(cpu)})
	}
	return list
}

// inspect shows every field of the inspector's subject.
func (s *session) inspect(f *scheduler.Frame) (title string, t views.Table) {
	list := s.subjects()
	at := min(s.subject, len(list)-1)
	x := list[at]
	more := fmt.Sprintf("  %d/%d [tab]", at+1, len(list))
	switch x.kind {
	case subjectEntity:
		id := scheduler.EntityID(x.id)
		return f.Entity(id).Name + more, views.EntityTable(f, id)
	case subjectQueue:
		id := scheduler.QueueID(x.id)
		return queueName(f, id) + more, views.QueueTable(f, id, s.workload.Config.Kernel)
	case subjectCPU:
	}
	return cpuName(int(x.id)) + more, views.CPUTable(f, int(x.id))
}

func cpuName(cpu int) string { return fmt.Sprintf("cpu%d", cpu) }

// queueName is a queue as the axis names it: cpu0 /a.
func queueName(f *scheduler.Frame, id scheduler.QueueID) string {
	q := f.Queue(id)
	if q == nil {
		return "no queue"
	}
	return cpuName(q.CPU) + " " + f.Groups[q.Group].Name
}

// log is the part of the log around an event, rows long, and where the event is
// in it.
func (s *session) log(around, rows int) (t views.Table, selected int) {
	around = min(max(around, 0), s.run.Known()-1)
	first := max(around-rows/2, 0)
	end := min(first+rows, s.run.Known())
	first = max(end-rows, 0)
	t = views.Table{Columns: views.LogColumns(), Rows: make([]views.Row, 0, rows)}
	for i := first; i < end; i++ {
		t.Rows = append(t.Rows, s.logRow(i))
	}
	if here := s.run.Index() - first; here >= 0 && here < len(t.Rows) {
		row := &t.Rows[here]
		row.Cells, row.Style = slices.Clone(row.Cells), views.StyleCurr
		row.Cells[0] = "*"
	}
	return t, around - first
}

func isCurrent(b model.Branch) bool { return b.Current }

// branchTable lists the branches with the edits that they have beyond those of the
// branch that they come from.
func (s *session) branchTable() views.Table {
	t := views.Table{Columns: []views.Column{{Head: ""}, {Head: "branch"}, {Head: "from"}, {Head: "at ms", Right: true}, {Head: "edits beyond those"}}}
	list := s.run.Branches()
	for i, b := range list {
		row := views.Row{Owner: rowOwner(i), Cells: []string{" ", b.Name, "-", "-", s.editsText(ownEdits(b, list))}}
		if b.From != "" {
			row.Cells[2], row.Cells[3] = b.From, views.Clock(b.ForkAt.Time)
		}
		if b.Current {
			row.Cells[0], row.Style = "*", views.StyleCurr
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// ownEdits are the edits of a branch beyond those of the branch that it comes from; all
// of them if it lacks some of those.
func ownEdits(b model.Branch, list []model.Branch) []scheduler.Edit {
	i := slices.IndexFunc(list, func(x model.Branch) bool { return x.Name == b.From })
	if i < 0 {
		return b.Edits
	}
	base := list[i].Edits
	own := slices.DeleteFunc(slices.Clone(b.Edits), func(e scheduler.Edit) bool { return slices.Contains(base, e) })
	if len(own)+len(base) != len(b.Edits) {
		return b.Edits
	}
	return own
}

// editsText lists edits with their times.
func (s *session) editsText(edits []scheduler.Edit) string {
	if len(edits) == 0 {
		return "none beyond the scenario's"
	}
	var words []string
	for _, e := range edits {
		words = append(words, views.EditText(e, s.run.Frame())+" at "+scenarios.Moment{Time: e.At, Ordinal: e.Ordinal}.String())
	}
	return strings.Join(words, ", ")
}
