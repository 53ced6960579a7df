package tui

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// waits are those of a task up to the cursor, the longest first.
type waits struct {
	at   viewpoint
	task scheduler.TaskID
	list []model.Wait
}

// waitsHere are the waits of the task in focus.
func (s *session) waitsHere() *waits {
	task := scheduler.NoTask
	if e := s.focus(); e != nil {
		task = e.Task
	}
	if at := s.eventPoint(); s.waits.at != at || s.waits.task != task {
		list := s.run.Waits(task)
		slices.SortStableFunc(list, func(a, b model.Wait) int { return cmp.Compare(b.Length(), a.Length()) })
		s.waits = waits{at, task, list}
	}
	return &s.waits
}

// histogramBar is the length of the longest bar of the histogram.
const histogramBar = 24

// waitPane lists the waits with a title that sums up who ran meanwhile; its second
// page is their histogram.
func (s *session) waitPane() (title string, t views.Table) {
	w, f := s.waitsHere(), s.run.Frame()
	e := f.Task(w.task)
	if e == nil {
		return "waits: select a task with j, k outside of panes", views.Table{}
	}
	title = fmt.Sprintf("waits of %s that ended: %d", e.Name, len(w.list))
	if by := model.Antagonists(w.list); len(by) > 0 {
		title += "; meanwhile ran " + views.AntagonistText(by, f)
	}
	title += "  [tab] histogram"
	if s.page > 0 {
		t, _ = views.HistogramTable(w.list, histogramBar, scenarios.FormatTime)
		return title, t
	}
	return title, views.WaitTable(w.list, f)
}

// selectedWait is the wait of the selected row; that of a range of the histogram is
// the longest one.
func (s *session) selectedWait() *model.Wait {
	w, row := s.waitsHere(), s.cursors[paneWaits]
	if s.page > 0 {
		_, longest := views.HistogramTable(w.list, histogramBar, scenarios.FormatTime)
		row = longest[min(row, len(longest)-1)]
	}
	return &w.list[min(row, len(w.list)-1)]
}

// goToWait goes to the event that began the selected wait. The task stays selected.
func (a *app) goToWait() tea.Cmd {
	s := a.s
	w := s.waitsHere()
	if len(w.list) == 0 {
		a.say("no wait to go to")
		return nil
	}
	begin := s.selectedWait().Begin
	s.selected = s.run.Frame().Task(w.task).ID
	s.run.Seek(begin)
	s.arrive()
	a.say("here the wait began")
	return nil
}
