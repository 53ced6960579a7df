package model

import (
	"slices"

	"zerolag/scheduler"
)

// lanes is what every task and every CPU does, and since when. It follows the
// records of events alone.
type lanes struct {
	tasks []taskLane
	cpus  []cpuLane
}

// task is what a task does; one that nobody has added yet is new.
func (l *lanes) task(id scheduler.TaskID) taskLane {
	if int(id) < len(l.tasks) {
		return l.tasks[id]
	}
	return taskLane{}
}

type taskLane struct {
	state scheduler.TaskState
	since scheduler.Time
}

type cpuLane struct {
	task  scheduler.TaskID
	since scheduler.Time
}

// lanesOf reads the lanes from the state at the start.
func lanesOf(f *scheduler.Frame) lanes {
	l := lanes{tasks: make([]taskLane, len(f.TaskEntity)), cpus: make([]cpuLane, len(f.CPUs))}
	for i := range l.tasks {
		l.tasks[i] = taskLane{f.Task(scheduler.TaskID(i)).State, f.Now}
	}
	for i := range l.cpus {
		l.cpus[i] = cpuLane{f.CPUs[i].Curr, f.Now}
	}
	return l
}

func (l *lanes) clone() lanes { return lanes{slices.Clone(l.tasks), slices.Clone(l.cpus)} }

// apply brings the lanes up to date after an event; undelayed are the tasks whose
// delayed sleep ended at it.
func (l *lanes) apply(e *EventRecord, undelayed []scheduler.TaskID) {
	for _, task := range undelayed {
		if lane := &l.tasks[task]; lane.state == scheduler.StateDelayed {
			*lane = taskLane{scheduler.StateSleeping, e.Time}
		}
	}
	l.applyTask(e, e.Prev)
	l.applyTask(e, e.Curr)
	l.applyTask(e, e.Task)
	if e.Switched() {
		l.cpus[e.CPU] = cpuLane{e.Curr, e.Time}
	}
}

func (l *lanes) applyTask(e *EventRecord, task scheduler.TaskID) {
	if task < 0 {
		return
	}
	for int(task) >= len(l.tasks) {
		l.tasks = append(l.tasks, taskLane{})
	}
	lane := &l.tasks[task]
	if state := stateAfter(lane.state, e, task); state != lane.state {
		*lane = taskLane{state, e.Time}
	}
}

// stateAfter is the state of task after an event that names it. A second call
// with the same event changes nothing more.
func stateAfter(state scheduler.TaskState, e *EventRecord, task scheduler.TaskID) scheduler.TaskState {
	switch {
	case e.Curr == task:
		return scheduler.StateRunning
	case e.Prev == task && e.Task == task && e.Delayed():
		return scheduler.StateDelayed
	case e.Prev == task && e.Task == task && e.Kind == scheduler.EventBlock:
		return scheduler.StateSleeping
	case e.Prev == task && e.Task == task && e.Kind == scheduler.EventExit:
		return scheduler.StateDead
	case e.Prev == task:
		return scheduler.StateQueued
	case e.Task == task && starts(state, e):
		return scheduler.StateQueued
	}
	return state
}

// starts tells whether an event makes its task, which is in that state, runnable.
func starts(state scheduler.TaskState, e *EventRecord) bool {
	switch state {
	case scheduler.StateNew, scheduler.StateDead:
		return e.Kind == scheduler.EventFork || e.flags&recordAdds != 0
	case scheduler.StateSleeping, scheduler.StateDelayed:
		return e.Kind == scheduler.EventWakeup || e.flags&recordWakes != 0
	case scheduler.StateRunning, scheduler.StateQueued:
	}
	return false
}

// Range gives the known events with from <= Time < to as the indices
// first <= i < end: their records are the ticks, wakeups, ... of a window.
func (r *Run) Range(from, to scheduler.Time) (first, end int) {
	first = r.b.firstAt(Position{Time: from})
	return first, max(first, r.b.firstAt(Position{Time: to}))
}

// window walks the records of the chunk in which from lies, and of those after
// it, up to the first event at or after to.
func (b *branch) window(from, to scheduler.Time, start func(lanes), visit func(index int, e *EventRecord)) {
	first := max(b.firstAt(Position{Time: from})-1, 0) / chunkLen
	start(b.chunks[first].start)
	for i := first * chunkLen; i < b.known; i++ {
		e := b.record(i)
		if e.Time >= to {
			return
		}
		visit(i, e)
	}
}

// Spans tells who ran on a CPU between from and to, as far as it is known,
// without gaps. The first span keeps its true From; the last is cut at to, or at
// the last known event, and Open.
func (r *Run) Spans(cpu int, from, to scheduler.Time) []Span {
	var spans []Span
	lane := cpuLane{task: scheduler.NoTask}
	end := min(to, r.b.record(r.b.known-1).Time)
	add := func(s Span) {
		if s.To > from && s.To > s.From {
			spans = append(spans, s)
		}
	}
	r.b.window(from, to,
		func(l lanes) {
			if cpu >= 0 && cpu < len(l.cpus) {
				lane = l.cpus[cpu]
			}
		},
		func(_ int, e *EventRecord) {
			if int(e.CPU) != cpu || !e.Switched() {
				return
			}
			add(Span{Task: lane.task, From: lane.since, To: e.Time, Preempted: e.Preempted()})
			lane = cpuLane{e.Curr, e.Time}
		})
	add(Span{Task: lane.task, From: lane.since, To: end, Open: true})
	return spans
}

// Segments tells what a task did between from and to, as far as it is known,
// without gaps. The first segment keeps its true From; the last is cut at to, or
// at the last known event.
func (r *Run) Segments(task scheduler.TaskID, from, to scheduler.Time) []Segment {
	var segments []Segment
	var lane taskLane
	end := min(to, r.b.record(r.b.known-1).Time)
	add := func(s Segment) {
		n := len(segments)
		switch {
		case s.To <= from || s.To == s.From:
		case n > 0 && segments[n-1].State == s.State: // it was another for no time
			segments[n-1].To = s.To
		default:
			segments = append(segments, s)
		}
	}
	enter := func(state scheduler.TaskState, at scheduler.Time) {
		if state != lane.state {
			add(Segment{lane.state, lane.since, at})
			lane = taskLane{state, at}
		}
	}
	r.b.window(from, to,
		func(l lanes) {
			if task >= 0 {
				lane = l.task(task)
			}
		},
		func(i int, e *EventRecord) {
			if lane.state == scheduler.StateDelayed && slices.Contains(r.b.undelayedAt(i, e), task) {
				enter(scheduler.StateSleeping, e.Time)
			}
			if e.Task == task || e.Prev == task || e.Curr == task {
				enter(stateAfter(lane.state, e, task), e.Time)
			}
		})
	add(Segment{lane.state, lane.since, end})
	return segments
}

// Ticks are the known ticks of a CPU with from <= Time < to.
func (r *Run) Ticks(cpu int, from, to scheduler.Time) []scheduler.Time {
	var ticks []scheduler.Time
	first, end := r.Range(from, to)
	for i := first; i < end; i++ {
		if e := r.b.record(i); e.Kind == scheduler.EventTick && int(e.CPU) == cpu {
			ticks = append(ticks, e.Time)
		}
	}
	return ticks
}
