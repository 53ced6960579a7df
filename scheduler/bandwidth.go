package scheduler

// CPU bandwidth of a group, cpu.max (SPEC-6.12 section 13.7). A group has a pool
// of run time that is filled up each period. The queues of its CPUs draw slices
// of it; update_curr charges what ran. A queue that has used up its run time and
// finds the pool empty is throttled: its group entity leaves the queue it is a
// member of, the tasks stay on theirs, and nothing of the branch is picked until
// a refill.
//
// SIMPLIFIED: periods begin at multiples of their length, a refill reaches all
// CPUs at once, and run time that an emptied queue returns waits for the next
// draw or refill (the kernel hands it out by a timer of its own).

// Limits and defaults of cpu.max, ns of wall time.
const (
	DefaultPeriod = 100 * Millisecond
	MinPeriod     = Millisecond
	MaxPeriod     = Second
	MinQuota      = Millisecond
	MaxQuota      = 256 * MaxPeriod // all of the largest machine
	quotaSlice    = 5 * Millisecond // sysctl_sched_cfs_bandwidth_slice
	quotaKept     = Millisecond     // what an emptied queue does not return
)

// groupQuota is a cfs_bandwidth. quota 0 is no limit.
type groupQuota struct {
	quota, period, burst Time
	pool                 Time // what the queues may still draw
	refillAt             Time // end of the period, NoTime while the timer rests
	unused               bool // nobody drew since the last refill
	stats                QuotaStats
}

// QuotaStats is what cpu.stat counts of a group with a quota.
type QuotaStats struct {
	Periods          int64 // nr_periods: periods that have ended
	ThrottledPeriods int64 // nr_throttled: of these, how many ended with a throttled CPU
	Throttled        Time  // finished time in which a CPU's queue was throttled, summed
}

// queueQuota is what a cfs_rq keeps for the bandwidth of its group and of the
// groups above.
type queueQuota struct {
	limited   bool   // its group has a quota
	throttled bool   // its group entity is off because of it
	depth     int32  // throttle_count: throttled queues from here to the root
	remaining Time   // runtime_remaining; below 0 is a debt
	order     uint64 // throttled queues of a group are served first come first served
	since     Time   // clock at which it was throttled
	stopped   uint64 // clock_task at which its clock of load averages stopped
	missed    uint64 // what that clock has missed so far
}

// SetQuota writes cpu.max and cpu.max.burst of a group: at most quota in each
// period, and burst more if earlier periods left it. quota is 0 for no limit, else
// MinQuota ... MaxQuota, burst at most quota; period is MinPeriod ... MaxPeriod, 0
// for DefaultPeriod. All its queues begin anew, throttled ones are set free.
func (m *Machine) SetQuota(g GroupID, quota, period, burst Time) {
	if quota == 0 && len(m.quotas) == 0 {
		return
	}
	for len(m.quotas) < len(m.queues) {
		m.quotas = append(m.quotas, queueQuota{})
	}
	if period == 0 {
		period = DefaultPeriod
	}
	b := &m.groups[g].quota
	from := b.quota
	*b = groupQuota{quota: quota, period: period, burst: burst, pool: min(b.pool+quota, quota+burst), refillAt: NoTime, stats: b.stats}
	if m.rec != nil {
		q := m.queue(m.queueOf(g, 0))
		m.note(StepEdit, ReasonQuotaSet, q, m.ownerOf(q), NoEntity,
			Arg{ArgFrom, int64(from)}, Arg{ArgQuota, int64(quota)}, Arg{ArgPeriod, int64(period)}, Arg{ArgPool, int64(b.pool)})
	}
	for cpu := range m.cpus {
		q := m.queue(m.queueOf(g, int32(cpu)))
		s := &m.quotas[q.id]
		s.limited, s.remaining = quota > 0, 0
		if s.throttled {
			m.unthrottle(q)
		}
	}
}

// chargeQuota is account_cfs_rq_runtime: d was run. If that uses up what the queue
// has and the pool gives nothing, the runner must go.
func (m *Machine) chargeQuota(q *FairQueue, d Time) {
	s := &m.quotas[q.id]
	if !s.limited {
		return
	}
	s.remaining -= d
	if s.remaining > 0 || s.throttled || m.draw(q, s, quotaSlice) || q.curr == NoEntity {
		return
	}
	m.resched(q.cpu)
	if m.rec != nil {
		m.note(StepQuota, ReasonQuotaUsedUp, q, m.ownerOf(q), NoEntity, Arg{ArgRemaining, int64(s.remaining)})
	}
}

// draw is assign_cfs_rq_runtime: the queue is filled up to the given amount, as
// far as the pool goes. It tells whether the queue may run.
func (m *Machine) draw(q *FairQueue, s *queueQuota, to Time) bool {
	b := &m.groups[q.group].quota
	if b.refillAt == NoTime {
		b.refillAt = (m.now(q.cpu)/b.period + 1) * b.period
	}
	x := min(b.pool, to-s.remaining)
	if x <= 0 {
		return false
	}
	b.pool -= x
	b.unused = false
	s.remaining += x
	if m.rec != nil {
		m.note(StepQuota, ReasonQuotaDrawn, q, m.ownerOf(q), NoEntity,
			Arg{ArgAmount, int64(x)}, Arg{ArgRemaining, int64(s.remaining)}, Arg{ArgPool, int64(b.pool)})
	}
	return s.remaining > 0
}

// returnQuota is return_cfs_rq_runtime: a queue that has become empty keeps 1 ms
// and gives the rest back.
func (m *Machine) returnQuota(q *FairQueue) {
	s := &m.quotas[q.id]
	x := s.remaining - quotaKept
	if !s.limited || q.nr > 0 || x <= 0 {
		return
	}
	b := &m.groups[q.group].quota
	b.pool += x
	s.remaining -= x
	if m.rec != nil {
		m.note(StepQuota, ReasonQuotaReturned, q, m.ownerOf(q), NoEntity,
			Arg{ArgAmount, int64(x)}, Arg{ArgRemaining, int64(s.remaining)}, Arg{ArgPool, int64(b.pool)})
	}
}

// checkEnqueueQuota is check_enqueue_throttle: a queue that has got its first
// entity needs run time. A current queue is asked when it is put or picked.
func (m *Machine) checkEnqueueQuota(q *FairQueue) {
	s := &m.quotas[q.id]
	if !s.limited || q.curr != NoEntity || s.throttled {
		return
	}
	m.chargeQuota(q, 0)
	m.checkQuota(q)
}

// checkQuota is check_cfs_rq_runtime: it throttles a queue without run time, and
// tells whether the queue is throttled.
func (m *Machine) checkQuota(q *FairQueue) bool {
	s := &m.quotas[q.id]
	switch {
	case !s.limited || s.remaining > 0:
		return false
	case s.throttled:
		return true
	}
	return m.throttle(q, s)
}

// Refill is the period timer of a group: the pool is filled up, throttled queues
// get what lets them run, in the order in which they were throttled. The timer
// rests after a period in which nobody drew.
func (m *Machine) Refill(g GroupID) {
	b := &m.groups[g].quota
	b.pool = min(b.pool+b.quota, b.quota+b.burst)
	b.stats.Periods++
	if m.rec != nil {
		q := m.queue(m.queueOf(g, 0))
		m.note(StepQuota, ReasonRefilled, q, m.ownerOf(q), NoEntity, Arg{ArgPool, int64(b.pool)}, Arg{ArgQuota, int64(b.quota)})
	}
	q := m.nextThrottled(g, 0)
	switch {
	case q != nil:
		b.stats.ThrottledPeriods++
	case b.unused:
		b.refillAt = NoTime
		return
	}
	b.refillAt += b.period
	b.unused = q == nil
	for ; q != nil && b.pool > 0; q = m.nextThrottled(g, m.quotas[q.id].order) {
		s := &m.quotas[q.id]
		x := min(b.pool, 1-s.remaining)
		b.pool -= x
		s.remaining += x
		if s.remaining > 0 {
			m.unthrottle(q)
		}
	}
}

// nextThrottled is the queue of a group that was throttled first after the given
// one, nil if there is none.
func (m *Machine) nextThrottled(g GroupID, after uint64) *FairQueue {
	var first *FairQueue
	for cpu := range m.cpus {
		q := m.queue(m.queueOf(g, int32(cpu)))
		s := &m.quotas[q.id]
		if s.throttled && s.order > after && (first == nil || s.order < m.quotas[first.id].order) {
			first = q
		}
	}
	return first
}

// due is when the pool is filled up next; NoTime while the timer rests.
func (b *groupQuota) due() Time {
	if b.quota == 0 {
		return NoTime
	}
	return b.refillAt
}

// nextRefill is the group whose period ends first, and when; NoTime if no timer
// runs.
func (m *Machine) nextRefill() (GroupID, Time) {
	first, at := NoGroup, NoTime
	for g := range m.groups {
		if t := m.groups[g].quota.due(); t < at {
			first, at = GroupID(g), t
		}
	}
	return first, at
}

// refillCPU is the CPU that a refill is about: the first that it may set free.
func (m *Machine) refillCPU(g GroupID) int {
	if q := m.nextThrottled(g, 0); q != nil {
		return int(q.cpu)
	}
	return 0
}

// quotaFrame is the part of a queue's frame that is about bandwidth.
func (m *Machine) quotaFrame(q *FairQueue, x *QueueFrame) {
	s := &m.quotas[q.id]
	x.Limited, x.Remaining, x.Throttled, x.ThrottleCount = s.limited, s.remaining, s.throttled, int(s.depth)
	if s.throttled {
		x.ThrottledAt = s.since
	}
}
