package scheduler

import "fmt"

// checkQuotas tests the bandwidth of groups: what a throttled queue is, and that
// run time is neither made nor lost beyond what a period and the slices allow.
func (m *Machine) checkQuotas() error {
	if len(m.quotas) == 0 {
		return nil
	}
	for i := range m.queues {
		if err := m.checkQueueQuota(&m.queues[i]); err != nil {
			return err
		}
	}
	for g := range m.groups {
		b := &m.groups[g].quota
		slices := quotaSlice * Time(len(m.cpus))
		if b.pool < 0 || b.pool > b.quota+b.burst+slices {
			return fmt.Errorf("quota: the pool of group %s is %d, expected 0 ... %d", m.paths[g], b.pool, b.quota+b.burst+slices)
		}
	}
	for cpu := range m.cpus {
		if m.runsThrottled(int32(cpu)) && !m.cpus[cpu].resched {
			return fmt.Errorf("quota: cpu %d runs task %s, which is throttled, and is not asked to reschedule", cpu, m.names[m.cpus[cpu].curr])
		}
	}
	return nil
}

func (m *Machine) checkQueueQuota(q *FairQueue) error {
	s := &m.quotas[q.id]
	depth := int32(0)
	for up := q; ; up = m.queue(m.ownerOf(up).queue) {
		if m.quotas[up.id].throttled {
			depth++
		}
		if up.owner == NoEntity {
			break
		}
	}
	switch {
	case s.depth != depth:
		return fmt.Errorf("quota: queue %d counts %d throttled queues from it to the root, a recount gives %d", q.id, s.depth, depth)
	case s.remaining > quotaSlice:
		return fmt.Errorf("quota: queue %d has %d ns left, a slice is %d", q.id, s.remaining, quotaSlice)
	case s.throttled && (!s.limited || s.remaining > 0):
		return fmt.Errorf("quota: queue %d is throttled with %d ns left, limited %t", q.id, s.remaining, s.limited)
	case s.throttled && m.groups[q.group].quota.due() == NoTime:
		return fmt.Errorf("quota: queue %d is throttled, but no period of its group ends", q.id)
	case s.limited && s.remaining < 0 && q.curr != NoEntity && !s.throttled && !m.rq(q).resched:
		return fmt.Errorf("quota: queue %d runs with %d ns left and is not asked to reschedule", q.id, s.remaining)
	}
	return nil
}

// runsThrottled tells whether a CPU still runs a task of a throttled branch: one
// that has come there while running, and goes at the next reschedule.
func (m *Machine) runsThrottled(cpu int32) bool {
	t := m.cpus[cpu].curr
	return t != NoTask && m.throttledBranch(m.queue(m.ent(m.tasks[t].entity).queue))
}
