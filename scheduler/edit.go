package scheduler

// editCPU is the CPU that an edit is about.
func (s *Sim) editCPU(e *Edit) int {
	switch e.Kind {
	case EditNice, EditSlice, EditPolicy, EditMove, EditWake, EditAffinity, EditKill, EditSleep, EditFreeze:
		return int(s.m.tasks[e.Task].cpu)
	case EditInterrupt:
		return e.CPU
	case EditAdd:
		return e.Spec.CPU
	case EditFeature, EditShares, EditGroupIdle, EditBaseSlice, EditPreempt, EditQuota:
	}
	return 0
}

// applyEdit makes the next edit of the list happen.
func (s *Sim) applyEdit(ev *Event) {
	e := &s.edits[s.nextEdit]
	s.nextEdit++
	ev.Kind, ev.Edit = EventEdit, e
	switch e.Kind {
	case EditFeature:
		s.m.SetFeature(e.Feature)
	case EditBaseSlice:
		s.m.SetBaseSlice(uint64(e.Value))
	case EditShares:
		if !s.m.groups[e.Group].idle {
			s.m.SetShares(e.Group, uint64(e.Value))
		}
	case EditGroupIdle:
		s.m.SetGroupIdle(e.Group, e.Value != 0)
	case EditInterrupt:
		s.interrupt(ev, Time(e.Value))
	case EditWake:
		ev.Task = e.Task
		if s.m.Sleeps(e.Task) {
			s.tasks[e.Task].wakeAt = NoTime
			s.wake(ev, e.Task, NoTask, 0)
			ev.Kind = EventEdit
		}
	case EditNice, EditSlice, EditPolicy, EditMove, EditAffinity:
		ev.Task = e.Task
		s.changeTask(e)
	case EditKill:
		ev.Task = e.Task
		s.intend(ev, e.Task, willDie)
	case EditSleep:
		ev.Task = e.Task
		s.intend(ev, e.Task, willSleep)
	case EditFreeze:
		ev.Task = e.Task
		s.intend(ev, e.Task, willFreeze)
	case EditAdd:
		s.fork(ev, s.addTask(e.Spec), NoTask)
		ev.Kind = EventEdit
	case EditPreempt:
		s.m.SetPreempt(PreemptModel(e.Value))
	case EditQuota:
		s.m.SetQuota(e.Group, Time(e.Value), e.Period, e.Burst)
	}
}

// addTask makes a task that the workload does not have.
func (s *Sim) addTask(spec *TaskSpec) TaskID {
	s.extra = append(s.extra, spec)
	return s.newTask(spec)
}

// newTask makes a task of the machine and its progress.
func (s *Sim) newTask(spec *TaskSpec) TaskID {
	t := s.m.NewTask(spec.Name, spec.CPU, spec.Group, spec.Nice, spec.Policy, spec.Slice)
	if !spec.Allowed.Empty() {
		s.m.SetAffinity(t, spec.Allowed)
	}
	s.tasks = append(s.tasks, progress{wakeAt: NoTime, waitsFor: NoObject, random: s.w.Seed + uint64(t)<<32})
	return t
}

// spec describes a task of the workload, or one that an edit has added.
func (s *Sim) spec(t TaskID) *TaskSpec {
	if int(t) < len(s.w.Tasks) {
		return &s.w.Tasks[t]
	}
	return s.extra[int(t)-len(s.w.Tasks)]
}

// interrupt gives a CPU to a higher class for a while; one that runs already
// stays longer.
func (s *Sim) interrupt(ev *Event, length Time) {
	ev.Kind = EventInterrupt
	c := &s.cpus[ev.CPU]
	if c.higherEnd == NoTime {
		s.m.StartHigher(ev.CPU)
		c.higherEnd = ev.Time
	}
	c.higherEnd += length
}

// changeTask changes a task's attributes; of one that does not live, only what
// it will start with.
func (s *Sim) changeTask(e *Edit) {
	p := &s.m.tasks[e.Task]
	if !p.born || p.dead {
		s.m.changeUnborn(p, e)
		return
	}
	switch e.Kind {
	case EditNice:
		s.m.SetNice(e.Task, int(e.Value))
	case EditSlice:
		s.m.SetSlice(e.Task, uint64(e.Value))
	case EditPolicy:
		s.m.SetScheduler(e.Task, e.Policy, int(p.nice))
	case EditMove:
		s.m.MoveGroup(e.Task, e.Group)
	case EditAffinity:
		s.m.SetAffinity(e.Task, e.Allowed)
		s.m.leaveForbidden(e.Task)
	case EditFeature, EditShares, EditGroupIdle, EditBaseSlice, EditWake, EditInterrupt,
		EditAdd, EditKill, EditSleep, EditFreeze, EditPreempt, EditQuota:
	}
}

func (m *Machine) changeUnborn(p *task, e *Edit) {
	switch e.Kind {
	case EditNice:
		p.nice = int8(e.Value)
	case EditSlice:
		p.slice = uint64(e.Value)
	case EditPolicy:
		p.policy = e.Policy
	case EditMove:
		p.group = e.Group
		m.ent(p.entity).group = e.Group
		m.attachTo(p.entity, e.Group, p.cpu)
	case EditAffinity:
		p.allowed = e.Allowed
	case EditFeature, EditShares, EditGroupIdle, EditBaseSlice, EditWake, EditInterrupt,
		EditAdd, EditKill, EditSleep, EditFreeze, EditPreempt, EditQuota:
	}
}

// startTask puts a task into a given state at time 0, as if it had come there
// by itself: its groups are queued, its averages are those of a new task.
func (m *Machine) startTask(t TaskID, st *EntityStart) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	m.resetTask(p, e, int(p.cpu))
	m.initUtil(m.queue(e.queue), e)
	p.sleeping = st.Asleep || st.Delayed
	if !st.Asleep {
		m.enqueueTask(p, flagInitial)
		p.onRQ = rqQueued
		m.leaveTree(m.queue(e.queue), e)
	}
	e.vruntime, e.deadline, e.vlag, e.vprot = st.Vruntime, st.Deadline, st.Vlag, st.Vprot
	e.relDeadline = st.RelDeadline
	if st.Asleep {
		return
	}
	m.enterTree(m.queue(e.queue), e)
	if st.Delayed {
		m.setDelayed(e)
		return
	}
	p.stats.Waiting = true
}

// startRunning makes a queued task the running one, keeping its protection.
func (m *Machine) startRunning(t TaskID, st *EntityStart) {
	p := &m.tasks[t]
	e := m.ent(p.entity)
	m.setTask(p, true)
	e.vlag = st.Vlag
	m.setVprot(e, st.Vprot)
	m.cpus[p.cpu].curr, m.cpus[p.cpu].lastPick = t, t
	p.takeCPU(0)
}

// moveZero moves the reference point of a queue; no vruntime changes.
func (m *Machine) moveZero(id QueueID, zero Vtime) {
	q := m.queue(id)
	q.moveZero(zero.Sub(q.zero))
}
