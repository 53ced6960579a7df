package tui

import (
	"zerolag/scheduler"
	"zerolag/views"
)

// maxLanes bounds the tasks whose lanes are made.
const maxLanes = 24

// lanes are the real-time rows around the cursor in that many columns.
func (s *session) lanes(width int) views.Lanes {
	e, cfg := s.run.Event(), &s.workload.Config
	axis := views.FitLanes(views.LaneColumns(width), scheduler.TickLength(cfg.HZ), e.Time)
	l := views.Lanes{Axis: axis, Cursor: e.Time, Ticks: s.ticks(axis)}
	f := s.run.Frame()
	row := make([]int, len(f.TaskEntity))
	for t := range f.TaskEntity {
		task := f.Task(scheduler.TaskID(t))
		row[t] = -1
		if task.CPU != s.cpu() || len(l.Rows) >= maxLanes {
			continue
		}
		row[t] = len(l.Rows)
		l.Rows = append(l.Rows, views.Lane{
			Task: task.Task, Name: task.Name, Segments: s.run.Segments(task.Task, axis.From, min(e.Time, axis.To())),
		})
	}
	first, end := s.run.Range(axis.From, min(e.Time+1, axis.To()))
	for i := first; i < end; i++ {
		r := s.run.Record(i)
		if r.Kind == scheduler.EventWakeup && r.Task >= 0 && row[r.Task] >= 0 {
			lane := &l.Rows[row[r.Task]]
			lane.Wakeups = append(lane.Wakeups, r.Time)
		}
	}
	return l
}

// ticks are the times of the shown CPU's ticks in the window.
func (s *session) ticks(axis views.LaneAxis) []scheduler.Time {
	offset := scheduler.Time(0)
	if s.workload.TickOffset != nil {
		offset = s.workload.TickOffset[s.cpu()]
	}
	var ticks []scheduler.Time
	first := (axis.From - offset + axis.Tick - 1) / axis.Tick
	for t := offset + max(first, 0)*axis.Tick; t < axis.To(); t += axis.Tick {
		ticks = append(ticks, t)
	}
	return ticks
}
