package scheduler

// The HRTICK slice timer (SPEC-6.12 section 11, SPEC-7x section 10.5).

// hrtickStart arms the timer for a task that has just been given the CPU, or
// asks for a reschedule if its slice is used up already.
func (m *Machine) hrtickStart(cpu int32, e *entity) {
	if !m.on(Hrtick) || m.rootQueue(cpu).hQueued <= 1 {
		return
	}
	rq := &m.cpus[cpu]
	left := m.rules.hrtickLength(m, e)
	if left < 0 {
		if rq.curr == e.task {
			rq.resched = true
			m.noteHrtick(e, ReasonHrtickLate, left)
		}
		return
	}
	rq.hrtick = m.now(cpu) + Time(max(left, hrtickMin))
	m.noteHrtick(e, ReasonHrtickArmed, max(left, hrtickMin))
}

func (m *Machine) noteHrtick(e *entity, why Reason, left int64) {
	if m.rec != nil {
		m.note(StepTimer, why, m.queue(e.queue), e, NoEntity, Arg{ArgExpires, left})
	}
}

// hrtickAfterEnqueue and hrtickAfterDequeue are hrtick_update: the number of
// competitors has changed.
func (m *Machine) hrtickAfterEnqueue(cpu int32) {
	if rq := &m.cpus[cpu]; rq.curr != NoTask && (m.rules.rearmsHrtick || rq.hrtick == NoTime) {
		m.hrtickStart(cpu, m.ent(m.tasks[rq.curr].entity))
	}
}

func (m *Machine) hrtickAfterDequeue(cpu int32) {
	if rq := &m.cpus[cpu]; rq.curr != NoTask && m.rules.rearmsHrtick {
		m.hrtickStart(cpu, m.ent(m.tasks[rq.curr].entity))
	}
}

// sliceLeft is the rest of the slice in wall time since the pick (up to 7.0).
func sliceLeft(_ *Machine, e *entity) int64 {
	return int64(e.slice - (e.sumExec - e.prevSumExec))
}

// deadlineLeft is the wall time until the task's deadline: (deadline - vruntime)
// * weight / 2^20 (7.1+).
func deadlineLeft(_ *Machine, e *entity) int64 {
	d := e.deadline.Sub(e.vruntime)
	if d < 0 {
		return d
	}
	return int64(e.weight * uint64(d) / NiceZeroLoad)
}
