package tui

import (
	"fmt"
	"slices"

	"zerolag/scheduler"
	"zerolag/views"
)

// treeQueues are the queues whose trees can be shown: those of the event's CPU that
// hold somebody, that of the entity in focus first.
func (s *session) treeQueues() []scheduler.QueueID {
	f := s.run.Frame()
	var list []scheduler.QueueID
	for i := range f.Queues {
		if q := &f.Queues[i]; q.CPU == s.cpu() && (q.Nr > 0 || q.Owner == scheduler.NoEntity) {
			list = append(list, q.ID)
		}
	}
	if e := s.focus(); e != nil {
		if i := slices.Index(list, e.Queue); i > 0 {
			list = slices.Insert(slices.Delete(list, i, i+1), 0, e.Queue)
		}
	}
	return list
}

// treeTable is the tree of a queue: of an event as the last pick from it found it,
// at a sub-step as it is then.
func (s *session) treeTable(a views.Glyphs) (title string, t views.Table) {
	list := s.treeQueues()
	page := min(s.page, len(list)-1)
	id := list[page]
	_, f := s.pair()
	steps := s.run.Steps()
	if sub := s.run.Sub(); sub >= 0 {
		steps = steps[sub : sub+1]
	}
	pick := views.PickOn(steps, id)
	when := "as it is now"
	if pick != nil && pick.After != nil {
		f, when = pick.After, "as pick found it"
	}
	title = fmt.Sprintf("tree of %s, %s: root at the left, first on top", queueName(f, id), when)
	if f.Queue(id).Root == scheduler.NoEntity {
		title = fmt.Sprintf("tree of %s, %s: empty; who runs is not in it", queueName(f, id), when)
	}
	if len(list) > 1 {
		title += fmt.Sprintf("  %d/%d [tab]", page+1, len(list))
	}
	return title, views.TreeTable(f, id, pick, s.workload.Config.Kernel, a, views.ShortDecimals)
}
