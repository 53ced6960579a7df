package views

import (
	"slices"

	"zerolag/scheduler"
)

// BeforeDecision is the state that the event's decision found: every queue after
// the update_curr that came before anything else on it, so that time which merely
// passed does not look like the event's doing. At a tick the charge is the event:
// there it is Before.
func (m Moment) BeforeDecision() *scheduler.Frame {
	if m.Before == nil || m.Event.Kind == scheduler.EventTick || m.Event.Kind == scheduler.EventHrtick {
		return m.Before
	}
	found := foundState{at: m.Before}
	for i := range m.Steps {
		found.add(&m.Steps[i])
	}
	return found.frame()
}

// States are all states of an event, in order. Its axes stand for all of them, so
// that no sub-step moves them.
func (m Moment) States() []*scheduler.Frame {
	list := []*scheduler.Frame{m.Before}
	for i := range m.Steps {
		list = append(list, m.Steps[i].After)
	}
	return append(list, m.After)
}

// foundState puts together the state that an event found. An event works its way
// up from the queue of a task: the queue of a group is charged only when those
// below have changed already.
type foundState struct {
	at      *scheduler.Frame // while nothing has changed
	changed []scheduler.QueueID
	later   []chargedQueue
}

// chargedQueue is a queue that was charged when others had changed.
type chargedQueue struct {
	queue scheduler.QueueID
	after *scheduler.Frame
}

func (s *foundState) add(step *scheduler.Step) {
	charge := step.Kind == scheduler.StepCharge || step.Kind == scheduler.StepDeadline || step.Kind == scheduler.StepResched
	switch {
	case !charge && !changesQueue(step) || slices.Contains(s.changed, step.Queue):
	case !charge:
		s.changed = append(s.changed, step.Queue)
	case step.After == nil:
	case len(s.changed) == 0:
		s.at = step.After
	default:
		s.later = append(s.later, chargedQueue{step.Queue, step.After})
	}
}

// changesQueue tells whether a step changes who is where on its queue.
func changesQueue(s *scheduler.Step) bool {
	if s.Reason == scheduler.ReasonReweightedOff {
		return false
	}
	return Moves(s.Kind) || s.Kind == scheduler.StepPut || s.Kind == scheduler.StepSet
}

// frame is the state: at, with the later queues and who is on them.
func (s *foundState) frame() *scheduler.Frame {
	if len(s.later) == 0 {
		return s.at
	}
	f := *s.at
	f.Queues, f.Entities = slices.Clone(f.Queues), slices.Clone(f.Entities)
	for _, l := range s.later {
		if int(l.queue) >= len(f.Queues) || l.queue < 0 {
			continue
		}
		f.Queues[l.queue] = l.after.Queues[l.queue]
		for i := range f.Entities {
			if e := &l.after.Entities[i]; e.Queue == l.queue && f.Entities[i].Queue == l.queue {
				f.Entities[i] = *e
			}
		}
	}
	return &f
}
