package scheduler

// Idle CPUs have no tick; a busy one asks one of them to balance for all
// (SPEC-SMP section 5.3). SIMPLIFIED: the tick stops at once on idle, and the
// kick acts at the same instant.

// blockedInterval is how often the averages of idle CPUs are refreshed, ms.
const blockedInterval = 32

// NohzKick decides at the tick of a busy CPU whether idle CPUs should be
// balanced, and by which of them; -1 for none. refreshOnly means that only their
// averages are aged.
func (m *Machine) NohzKick(cpu int) (by int, refreshOnly bool) {
	now := m.jiffies(cpu)
	by = -1
	for c := range m.cpus {
		if c != cpu && m.idleCPU(c) {
			by = c
			break
		}
	}
	if by < 0 {
		return -1, false
	}
	n := &m.multi.nohz
	if now >= n.next && (m.cpus[cpu].nr >= 2 || m.busyCPUs(cpu) > 1) {
		n.next = now + 1
		return by, false
	}
	if now >= n.nextBlocked {
		n.nextBlocked = now + (blockedInterval*uint64(m.cfg.HZ)+999)/1000
		return by, true
	}
	return -1, false
}

// busyCPUs is nr_busy_cpus of a CPU's last-level cache.
func (m *Machine) busyCPUs(cpu int) int {
	n := 0
	span := m.cache(cpu).span
	for c := span.Next(0); c >= 0; c = nextOrNone(&span, c+1) {
		if !m.idleCPU(c) {
			n++
		}
	}
	return n
}

// NohzBalance is nohz_idle_balance: all idle CPUs are aged and, if due, balanced
// on their behalf, the one that does it last. It stops when that one has work.
func (m *Machine) NohzBalance(by int, refreshOnly bool) {
	next := m.jiffies(by) + 60*uint64(m.cfg.HZ)
	for i := range m.cpus {
		cpu := (by + 1 + i) % len(m.cpus)
		if !m.idleCPU(cpu) {
			continue
		}
		if m.NeedResched(by) {
			return
		}
		m.updateBlocked(cpu)
		if refreshOnly {
			continue
		}
		if now := m.jiffies(cpu); now >= m.cpus[cpu].nextBalance {
			m.balanceDomains(cpu, now)
		}
		next = min(next, m.cpus[cpu].nextBalance)
	}
	if !refreshOnly {
		m.multi.nohz.next = next
	}
}
