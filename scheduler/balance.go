package scheduler

// updateBlocked is sched_balance_update_blocked_averages: all queues of a CPU
// are aged, children before parents, without reweighting (SPEC-SMP 1.7,
// BLOCKED).
func (m *Machine) updateBlocked(cpu int) {
	for g := len(m.groups) - 1; g >= 0; g-- {
		q := m.queue(m.queueOf(GroupID(g), int32(cpu)))
		if m.updateQueueAvg(q, m.cpus[cpu].clockTask) {
			m.updateTgLoad(q)
		}
		e := m.ownerOf(q)
		if e != nil && (e.avg.load != 0 || e.avg.util != 0 || q.share.propagate) {
			m.updateLoadAvg(m.queue(e.queue), e, updateTg)
		}
	}
}
