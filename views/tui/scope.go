package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
)

// scope says which events the steps stop at.
type scope struct {
	kind  scopeKind
	cpu   int
	queue scheduler.QueueID
	task  scheduler.TaskID
}

type scopeKind uint8

const (
	scopeAll scopeKind = iota
	scopeCPU
	scopeQueue
	scopeTask
	numScopes
)

// nextScope goes from everything over this CPU and this queue, where there are
// several, to this task.
func (a *app) nextScope() tea.Cmd {
	s := a.s
	focus := s.focus()
	if focus == nil {
		a.say("there is no task to follow")
		return nil
	}
	next := scope{kind: s.scope.kind, cpu: s.cpu(), queue: focus.Queue, task: focus.Task}
	for {
		next.kind = (next.kind + 1) % numScopes
		if s.offers(next) {
			break
		}
	}
	s.scope, s.elsewhere = next, 0
	a.say("steps stop at every event of " + s.scopeName())
	return nil
}

// offers tells whether a scope makes a difference here.
func (s *session) offers(x scope) bool {
	switch x.kind {
	case scopeCPU:
		return s.workload.Config.CPUs > 1
	case scopeQueue:
		return len(s.workload.Groups) > 0
	case scopeTask:
		return x.task != scheduler.NoTask
	case scopeAll, numScopes:
	}
	return true
}

// scopeName is the scope in words.
func (s *session) scopeName() string {
	f := s.run.Frame()
	switch s.scope.kind {
	case scopeCPU:
		return cpuName(s.scope.cpu)
	case scopeQueue:
		return queueName(f, s.scope.queue)
	case scopeTask:
		if t := f.Task(s.scope.task); t != nil {
			return t.Name
		}
	case scopeAll, numScopes:
	}
	return "everything"
}

// inScope tells of an event whether steps stop there.
func (s *session) inScope() func(index int) bool {
	x := s.scope
	var concerns func(scheduler.TaskID) bool
	switch x.kind {
	case scopeAll, numScopes:
		return func(int) bool { return true }
	case scopeCPU:
		return func(i int) bool { return int(s.run.Record(i).CPU) == x.cpu }
	case scopeQueue:
		below := s.tasksBelow(x.queue)
		concerns = func(t scheduler.TaskID) bool { return t >= 0 && int(t) < len(below) && below[t] }
	case scopeTask:
		concerns = func(t scheduler.TaskID) bool { return t == x.task }
	}
	return func(i int) bool {
		r := s.run.Record(i)
		return concerns(r.Task) || concerns(r.Curr) || concerns(r.Prev) || concerns(r.Waker)
	}
}

// tasksBelow tells by TaskID who is on a queue or on one below it.
func (s *session) tasksBelow(q scheduler.QueueID) []bool {
	f := s.run.Frame()
	below := make([]bool, len(f.TaskEntity))
	for t := range below {
		for e := f.Task(scheduler.TaskID(t)); e != nil && !below[t]; e = f.Entity(e.Parent) {
			below[t] = e.Queue == q
		}
	}
	return below
}
