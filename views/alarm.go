package views

import "zerolag/scheduler"

// alarmNote says behind the axis of a queue what is out of the ordinary with it, and
// tells whether there is no room for another note.
func (p *painter) alarmNote(y int, f *scheduler.Frame, queue scheduler.QueueID) bool {
	q := f.Queue(queue)
	switch {
	case q == nil:
		return false
	case q.Overflow:
		p.c.TextRight(p.c.Width(), y, "overflow", StyleError)
	case q.Throttled:
		p.c.TextRight(p.c.Width(), y, "throttled", StyleNote)
	default:
		return false
	}
	return p.lay.gutter < wideGutter
}

// overflowClause says that in this event a product of a key and a weight has left 64
// bits for the first time on some queue; "" if none has.
func (m Moment) overflowClause() string {
	for i := range m.After.Queues {
		q := &m.After.Queues[i]
		if before := m.Before; q.Overflow && (before == nil || !before.Queues[i].Overflow) {
			return "A product key * weight has left 64 bits on " + cpuName(q.CPU) + " " + groupName(m.After, q.Group) +
				": what the sums say is wrapped from here on"
		}
	}
	return ""
}
