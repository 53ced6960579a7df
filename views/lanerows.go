package views

import (
	"slices"

	"zerolag/model"
	"zerolag/scheduler"
)

// maxLanes bounds the rows of lanes that are made.
const maxLanes = 24

// NewLanes makes the real-time rows around the event at the cursor of a run, in a
// picture that wide. in says which CPUs are shown and which groups are unfolded:
// on other CPUs than that of the event the members of a folded group share a row.
func NewLanes(run *model.Run, width int, in *Strips) Lanes {
	return newLanes(run, run.Event().Time, width, in)
}

// newLanes makes the rows up to time cursor.
func newLanes(run *model.Run, cursor scheduler.Time, width int, in *Strips) Lanes {
	e, w := run.Event(), run.Workload()
	axis := FitLanes(LaneColumns(width), scheduler.TickLength(w.Config.HZ), cursor)
	l := Lanes{Axis: axis, CPU: e.CPU, Many: w.Config.CPUs > 1, Cursor: cursor, Ticks: ticks(run, axis, e.CPU)}
	f := run.Frame()
	row := make([]int, len(f.TaskEntity)) // of a task, -1: none
	for i := range row {
		row[i] = -1
	}
	list := laneTasks(f, e.CPU, in)
	keep := make([]bool, len(list))
	active := activeTasks(run, axis)
	choose(keep, maxLanes, func(i int) int {
		return laneRank(f.Task(list[i][0]).CPU == e.CPU, slices.ContainsFunc(list[i], func(t scheduler.TaskID) bool { return active[t] }))
	})
	for i, tasks := range list {
		if !keep[i] {
			continue
		}
		first := f.Task(tasks[0])
		lane := Lane{Task: first.Task, CPU: first.CPU, Name: first.Name}
		if last := tasks[len(tasks)-1]; last != first.Task {
			lane.Name = rangeName(first.Name, f.Task(last).Name)
		}
		for _, t := range tasks {
			row[t] = len(l.Rows)
			lane.Segments = append(lane.Segments, run.Segments(t, axis.From, min(cursor, axis.To()))...)
		}
		l.Rows = append(l.Rows, lane)
	}
	l.addMarks(run, row)
	return l
}

// activeTasks tells by TaskID who ran, waited or woke in the window of the lanes.
func activeTasks(run *model.Run, axis LaneAxis) []bool {
	f := run.Frame()
	active := make([]bool, len(f.TaskEntity))
	for t := range active {
		s := f.Task(scheduler.TaskID(t)).State
		active[t] = s == scheduler.StateRunning || s == scheduler.StateQueued || s == scheduler.StateDelayed
	}
	first, end := run.Range(axis.From, min(run.Event().Time+1, axis.To()))
	for i := first; i < end; i++ {
		r := run.Record(i)
		for _, t := range [...]scheduler.TaskID{r.Task, r.Curr, r.Prev} {
			if t >= 0 && int(t) < len(active) {
				active[t] = true
			}
		}
	}
	return active
}

// laneTasks are the tasks of each row, CPU by CPU.
func laneTasks(f *scheduler.Frame, event int, in *Strips) [][]scheduler.TaskID {
	shown := []int{event}
	for _, x := range in.Others {
		shown = append(shown, x.CPU)
	}
	slices.Sort(shown)
	var list [][]scheduler.TaskID
	for _, cpu := range shown {
		first := len(list)
		for _, id := range Living(f, cpu) {
			e := f.Entity(id)
			if e.Task == scheduler.NoTask {
				continue
			}
			if cpu != event && e.Parent != scheduler.NoEntity && !slices.Contains(in.Unfolded, e.Parent) {
				same := func(row []scheduler.TaskID) bool { return f.Task(row[0]).Parent == e.Parent }
				if i := slices.IndexFunc(list[first:], same); i >= 0 {
					list[first+i] = append(list[first+i], e.Task)
					continue
				}
			}
			list = append(list, []scheduler.TaskID{e.Task})
		}
	}
	return list
}

// addMarks adds wakeups and migrations in the window; row is by task, -1: none.
func (l *Lanes) addMarks(run *model.Run, row []int) {
	first, end := run.Range(l.Axis.From, min(l.Cursor+1, l.Axis.To()))
	last := make([]int, len(row)) // CPU of a task's last run + 1
	for i := first; i < end; i++ {
		r := run.Record(i)
		if t := r.Task; r.Kind == scheduler.EventWakeup && t >= 0 && row[t] >= 0 {
			lane := &l.Rows[row[t]]
			lane.Wakeups = append(lane.Wakeups, r.Time)
		}
		if t := r.Prev; t >= 0 && last[t] == 0 {
			last[t] = int(r.CPU) + 1
		}
		if t := r.Curr; t >= 0 && last[t] != int(r.CPU)+1 {
			if lane := row[t]; lane >= 0 && last[t] != 0 {
				l.Rows[lane].addMove(Move{At: l.Axis.From, CPU: last[t] - 1}, Move{At: r.Time, CPU: int(r.CPU)})
			}
			last[t] = int(r.CPU) + 1
		}
	}
}

// addMove adds a migration, before the first one where the task came from.
func (l *Lane) addMove(from, to Move) {
	if len(l.Moves) == 0 {
		l.Moves = append(l.Moves, from)
	}
	l.Moves = append(l.Moves, to)
}

// ticks are the times of a CPU's ticks in the window of the lanes; of a recording
// those that were recorded.
func ticks(run *model.Run, axis LaneAxis, cpu int) []scheduler.Time {
	w := run.Workload()
	if w.Tape != nil {
		return run.Ticks(cpu, axis.From, axis.To())
	}
	offset := scheduler.Time(0)
	if w.TickOffset != nil {
		offset = w.TickOffset[cpu]
	}
	var list []scheduler.Time
	first := max((axis.From-offset+axis.Tick-1)/axis.Tick, 0)
	for t := offset + first*axis.Tick; t < axis.To(); t += axis.Tick {
		list = append(list, t)
	}
	return list
}
