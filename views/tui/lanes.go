package tui

import (
	"zerolag/scheduler"
	"zerolag/views"
)

// maxLanes bounds the rows of lanes that are made.
const maxLanes = 24

// lanes are the real-time rows around the cursor in that many columns.
func (s *session) lanes(width int) views.Lanes {
	e, cfg := s.run.Event(), &s.workload.Config
	axis := views.FitLanes(views.LaneColumns(width), scheduler.TickLength(cfg.HZ), e.Time)
	l := views.Lanes{Axis: axis, CPU: e.CPU, Many: s.manyCPUs(), Cursor: e.Time, Ticks: s.ticks(axis)}
	f := s.run.Frame()
	row := make([]int, len(f.TaskEntity))
	for i := range row {
		row[i] = -1
	}
	for _, tasks := range s.laneTasks() {
		if len(l.Rows) == maxLanes {
			break
		}
		first := f.Task(tasks[0])
		lane := views.Lane{Task: first.Task, CPU: first.CPU, Name: first.Name}
		if last := tasks[len(tasks)-1]; last != first.Task {
			lane.Name = views.RangeName(first.Name, f.Task(last).Name)
		}
		for _, t := range tasks {
			row[t] = len(l.Rows)
			lane.Segments = append(lane.Segments, s.run.Segments(t, axis.From, min(e.Time, axis.To()))...)
		}
		l.Rows = append(l.Rows, lane)
	}
	s.addMarks(&l, row)
	return l
}

// addMarks adds wakeups and migrations in the window; row is by task, -1: none.
func (s *session) addMarks(l *views.Lanes, row []int) {
	first, end := s.run.Range(l.Axis.From, min(l.Cursor+1, l.Axis.To()))
	last := make([]int, len(row)) // CPU of a task's last run + 1
	for i := first; i < end; i++ {
		r := s.run.Record(i)
		if t := r.Task; r.Kind == scheduler.EventWakeup && t >= 0 && row[t] >= 0 {
			lane := &l.Rows[row[t]]
			lane.Wakeups = append(lane.Wakeups, r.Time)
		}
		if t := r.Prev; t >= 0 && last[t] == 0 {
			last[t] = int(r.CPU) + 1
		}
		if t := r.Curr; t >= 0 && last[t] != int(r.CPU)+1 {
			if lane := row[t]; lane >= 0 && last[t] != 0 {
				addMove(&l.Rows[lane], views.Move{At: l.Axis.From, CPU: last[t] - 1}, views.Move{At: r.Time, CPU: int(r.CPU)})
			}
			last[t] = int(r.CPU) + 1
		}
	}
}

// addMove adds a migration, before the first one where the task came from.
func addMove(lane *views.Lane, from, to views.Move) {
	if len(lane.Moves) == 0 {
		lane.Moves = append(lane.Moves, from)
	}
	lane.Moves = append(lane.Moves, to)
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
