package views

import (
	"strconv"

	"zerolag/scheduler"
)

// quotaStep is the sub-step that tells most of what cpu.max did in the event: who
// was throttled, who was set free, whose run time is used up; nil if it did nothing.
func (m Moment) quotaStep() *scheduler.Step {
	rank := func(r scheduler.Reason) int {
		switch r {
		case scheduler.ReasonThrottled:
			return 3
		case scheduler.ReasonUnthrottled:
			return 2
		case scheduler.ReasonQuotaUsedUp:
			return 1
		}
		return 0
	}
	var best *scheduler.Step
	for i := range m.Steps {
		s := &m.Steps[i]
		if r := rank(s.Reason); r > 0 && (best == nil || r >= rank(best.Reason)) {
			best = s
		}
	}
	return best
}

// quotaClause says what cpu.max did in the event; "" if nothing, or if decision says
// that already.
func (m Moment) quotaClause(decision *scheduler.Step) string {
	s := m.quotaStep()
	if s == nil || s == decision {
		return ""
	}
	return reasonText(s, m.stepFrame(s), m.decimals())
}

// quotaFunction is the kernel function that records a reason of cpu.max.
func quotaFunction(r scheduler.Reason) string {
	switch r {
	case scheduler.ReasonQuotaDrawn:
		return "assign_cfs_rq_runtime"
	case scheduler.ReasonQuotaReturned:
		return "return_cfs_rq_runtime"
	case scheduler.ReasonThrottled:
		return "throttle_cfs_rq"
	case scheduler.ReasonUnthrottled:
		return "unthrottle_cfs_rq"
	case scheduler.ReasonRefilled:
		return "sched_cfs_period_timer"
	}
	return "account_cfs_rq_runtime"
}

// isThrottled tells whether an entity waits for a refill: the group entity of a
// throttled queue.
func isThrottled(f *scheduler.Frame, e *scheduler.EntityFrame) bool {
	q := f.Queue(e.Owns)
	return q != nil && q.Throttled
}

// waitsForRefill tells whether an entity stands on its queue, but in a branch that is
// throttled there or further up.
func waitsForRefill(f *scheduler.Frame, e *scheduler.EntityFrame) bool {
	q := f.Queue(e.Queue)
	return e.OnRQ && !e.Curr && q != nil && q.ThrottleCount > 0
}

// appendRefill appends when the quota of a throttled group is filled up.
func appendRefill(b []byte, f *scheduler.Frame, g scheduler.GroupID) []byte {
	return appendMs(append(b, "to "...), int64(f.Groups[g].RefillAt), ShortDecimals)
}

// quota adds the rows of cpu.max to the inspector of a queue.
func (f *fields) quota(frame *scheduler.Frame, q *scheduler.QueueFrame) {
	if q.Limited || q.ThrottleCount > 0 {
		f.flag("throttled", q.Throttled)
		f.count("throttle_count", int64(q.ThrottleCount))
	}
	if q.Limited {
		g := &frame.Groups[q.Group]
		f.time("runtime_remaining", int64(q.Remaining))
		f.time("pool", int64(g.Pool))
		f.time("cpu.max quota", int64(g.Quota))
		f.time("cpu.max period", int64(g.Period))
		f.time("cpu.max.burst", int64(g.Burst))
		if g.RefillAt == scheduler.NoTime {
			f.text("refill", "timer rests")
		} else {
			f.time("refill", int64(g.RefillAt))
		}
		f.add("nr_throttled", strconv.FormatInt(g.QuotaStats.ThrottledPeriods, 10), "of "+strconv.FormatInt(g.QuotaStats.Periods, 10)+" periods",
			strconv.FormatInt(g.QuotaStats.ThrottledPeriods, 10))
		f.time("throttled time", int64(g.QuotaStats.Throttled))
	}
}
