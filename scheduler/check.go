package scheduler

import (
	"fmt"
	"math/bits"
)

// Check tests the invariants of the state between two events and describes the
// first broken one: its name, the queue or entity, the numbers. A nil result of
// every event of a run means that no arithmetic and no list has slipped.
func (m *Machine) Check() error {
	queued := 0
	for i := range m.queues {
		n, err := m.checkQueue(&m.queues[i])
		if err != nil {
			return err
		}
		queued += n
	}
	for i := range m.ents {
		if err := m.checkEntity(&m.ents[i]); err != nil {
			return err
		}
		if m.ents[i].onRQ {
			queued--
		}
	}
	if queued != 0 {
		return fmt.Errorf("one place: %d more entities in trees or running than are marked on_rq", queued)
	}
	for t := range m.tasks {
		if err := m.checkTask(TaskID(t)); err != nil {
			return err
		}
	}
	for cpu := range m.cpus {
		if err := m.checkCPU(cpu); err != nil {
			return err
		}
	}
	return m.checkQuotas()
}

// Check tests the invariants of the state between two events and describes the
// first broken one: those of the Machine, that CPU time handed out is time
// passed, the order of the timers and the bound of stored lags.
func (s *Sim) Check() error {
	if err := s.m.Check(); err != nil {
		return err
	}
	for cpu := range s.cpus {
		if c, curr := &s.cpus[cpu], s.m.cpus[cpu].curr; c.running != curr {
			return fmt.Errorf("current: the run segment of cpu %d belongs to task %d, running is task %d", cpu, c.running, curr)
		}
	}
	for i := 1; i < len(s.timers); i++ {
		if up := s.timers[(i-1)/4]; s.timers[i].before(up) {
			return fmt.Errorf("timers: the one at %d stands below one at %d", s.timers[i].at, up.at)
		}
	}
	if err := s.checkTime(); err != nil {
		return err
	}
	return s.checkStoredLags()
}

// checkTime tests that what all turns lasted is what all tasks have run: charged
// to them already, or since the last charge of a running one.
func (s *Sim) checkTime() error {
	handed, ran := Time(0), Time(0)
	for cpu := range s.cpus {
		c, rq := &s.cpus[cpu], &s.m.cpus[cpu]
		handed += c.handed
		if rq.curr != NoTask {
			handed += Time(rq.clockTask) - c.since
			ran += Time(rq.clockTask - s.m.ent(s.m.tasks[rq.curr].entity).execStart)
		}
	}
	for t := range s.tasks {
		ran += s.tasks[t].before + Time(s.m.ent(s.m.tasks[t].entity).sumExec)
	}
	if handed != ran {
		return fmt.Errorf("CPU time: turns lasted %d ns in all, tasks ran %d ns", handed, ran)
	}
	return nil
}

// checkStoredLags tests the lag of tasks off the queue against what the longest
// slice that ever was in this run allows; nice changes keep lag times weight.
// Lag that a start state gave a task counts from its first turn on, and
// LAG_CLAMP must have been on from the start.
func (s *Sim) checkStoredLags() error {
	if !s.w.Config.Features.Has(LagClamp) {
		return nil
	}
	longest := s.w.Config.BaseSlice
	for i := range s.tasks {
		longest = max(longest, min(s.spec(TaskID(i)).Slice, MaxCustomSlice))
	}
	for i := range s.edits[:s.nextEdit] {
		switch e := &s.edits[i]; e.Kind {
		case EditFeature:
			if e.Feature.Feature == LagClamp {
				return nil
			}
		case EditSlice, EditBaseSlice:
			longest = max(longest, uint64(e.Value))
		case EditNice, EditPolicy, EditShares, EditGroupIdle, EditMove, EditWake, EditInterrupt:
		}
	}
	// The inverses of the weights are rounded: 1/1024 more is always enough.
	limit := longest + max(longest, s.m.tick)
	limit += limit >> fixedShift
	for t := range s.m.tasks {
		e := s.m.ent(s.m.tasks[t].entity)
		if e.onRQ || s.spec(TaskID(t)).Start != nil && e.sumExec == 0 {
			continue
		}
		hi, lo := bits.Mul64(uint64(max(e.vlag, -e.vlag)), e.weight)
		mostHi, mostLo := bits.Mul64(limit, NiceZeroLoad)
		if hi > mostHi || hi == mostHi && lo > mostLo+e.weight {
			return fmt.Errorf("stored lag: task %s has lag %d at weight %d, slices up to %d ns allow %d",
				s.m.names[t], e.vlag, e.weight, longest, limit*NiceZeroLoad/max(1, e.weight))
		}
	}
	return nil
}

// tally is what one walk over a queue's entities adds up.
type tally struct {
	black     int // black nodes between a leaf and the root, -1 before the first leaf
	last      EntityID
	nr        int32
	nrIdle    int32
	hQueued   int32
	hDelayed  int32
	hIdle     int32
	load      uint64
	sum       int64 // modulo 2^64, as the queue keeps it
	sumWeight uint64
	// all is the exact sum of the keys times weights; overflow tells that one of
	// the products has left 64 bits.
	all      wide
	overflow bool
}

// wide is a signed 128-bit number.
type wide struct {
	hi int64
	lo uint64
}

func (a wide) add(hi int64, lo uint64) wide {
	sum, carry := bits.Add64(a.lo, lo, 0)
	return wide{a.hi + hi + int64(carry), sum}
}

func (a wide) fits64() bool { return a.hi == int64(a.lo)>>63 }

// checkQueue tests one queue and returns how many entities are on it.
func (m *Machine) checkQueue(q *FairQueue) (int, error) {
	c := tally{black: -1, last: NoEntity}
	if q.root != NoEntity && m.ents[q.root].red {
		return 0, fmt.Errorf("red-black tree: root %s of queue %d is red", m.label(q.root), q.id)
	}
	if err := m.walk(q, q.root, NoEntity, 0, &c); err != nil {
		return 0, err
	}
	if first := m.firstOf(q); first != q.leftmost {
		return 0, fmt.Errorf("leftmost: queue %d says %s, its tree starts with %s", q.id, m.label(q.leftmost), m.label(first))
	}
	if q.shift < maxSumShift && (c.sum != q.sum || c.sumWeight != q.sumWeight) {
		return 0, fmt.Errorf("sums: queue %d keeps %d and weight %d, its tree gives %d and %d", q.id, q.sum, q.sumWeight, c.sum, c.sumWeight)
	}
	if q.curr != NoEntity {
		e := &m.ents[q.curr]
		off := !e.onRQ && (e.isTask() || !m.runsThrottled(q.cpu))
		if e.queue != q.id || off || e.delayed {
			return 0, fmt.Errorf("current: queue %d runs %s, which is of queue %d, on_rq %t, delayed %t", q.id, m.label(q.curr), e.queue, e.onRQ, e.delayed)
		}
		if e.onRQ {
			m.tallyEntity(e, &c)
		}
	}
	if err := m.checkCounters(q, &c); err != nil {
		return 0, err
	}
	if q.next != NoEntity {
		// 6.12 nominates delayed entities too.
		if e := &m.ents[q.next]; e.queue != q.id || !e.onRQ || e.delayed && !m.rules.delayKeepsMarks {
			return 0, fmt.Errorf("next buddy: queue %d nominates %s, which is of queue %d, on_rq %t, delayed %t", q.id, m.label(q.next), e.queue, e.onRQ, e.delayed)
		}
	}
	return int(c.nr), m.checkLags(q, &c)
}

func (m *Machine) firstOf(q *FairQueue) EntityID {
	n := q.root
	for n != NoEntity && m.ents[n].left != NoEntity {
		n = m.ents[n].left
	}
	return n
}

// walk tests the subtree of n in order: links, colours, order, summaries.
func (m *Machine) walk(q *FairQueue, n, up EntityID, black int, c *tally) error {
	if n == NoEntity {
		if c.black >= 0 && c.black != black {
			return fmt.Errorf("red-black tree: queue %d has leaves below %d and below %d black nodes", q.id, c.black, black)
		}
		c.black = black
		return nil
	}
	e := &m.ents[n]
	if e.up != up {
		return fmt.Errorf("parent link: %s of queue %d hangs below %s but links to %s", m.label(n), q.id, m.label(up), m.label(e.up))
	}
	if e.queue != q.id || !e.onRQ || q.curr == n {
		return fmt.Errorf("one place: %s is in the tree of queue %d; its queue is %d, on_rq %t, current %t", m.label(n), q.id, e.queue, e.onRQ, q.curr == n)
	}
	if e.red && (m.isRed(e.left) || m.isRed(e.right)) {
		return fmt.Errorf("red-black tree: red %s of queue %d has a red child", m.label(n), q.id)
	}
	if !e.red {
		black++
	}
	if err := m.walk(q, e.left, n, black, c); err != nil {
		return err
	}
	if c.last != NoEntity && m.before(e, &m.ents[c.last]) {
		return fmt.Errorf("tree order: in queue %d %s with vruntime %d and deadline %d stands behind %s with %d and %d",
			q.id, m.label(n), int64(e.vruntime), int64(e.deadline), m.label(c.last), int64(m.ents[c.last].vruntime), int64(m.ents[c.last].deadline))
	}
	c.last = n
	m.tallyTree(q, e, c)
	if err := m.walk(q, e.right, n, black, c); err != nil {
		return err
	}
	least := m.ownLeast(e)
	for _, child := range [2]EntityID{e.left, e.right} {
		if child != NoEntity {
			least = minVtime(least, m.ents[child].least)
		}
	}
	if least != e.least {
		return fmt.Errorf("subtree minimum: %s of queue %d keeps %d, below it the least is %d", m.label(n), q.id, int64(e.least), int64(least))
	}
	return nil
}

// tallyTree adds a tree entity to the weighted sums too.
func (m *Machine) tallyTree(q *FairQueue, e *entity, c *tally) {
	w, key := m.sumWeightOf(q, e), e.vruntime.Sub(q.zero)
	c.sum += key * int64(w)
	c.sumWeight += w
	c.overflow = c.overflow || overflows(key, w)
	c.all = c.all.add(mulSigned(key, w))
	m.tallyEntity(e, c)
}

// tallyEntity adds one entity to the counters.
func (m *Machine) tallyEntity(e *entity, c *tally) {
	c.nr++
	c.load += e.weight
	if m.isIdle(e) {
		c.nrIdle++
	}
	if !e.isTask() {
		own := &m.queues[e.own]
		c.hQueued += own.hQueued
		c.hDelayed += own.hDelayed
		if own.idle {
			c.hIdle += own.hQueued
		} else {
			c.hIdle += own.hIdle
		}
		return
	}
	c.hQueued++
	c.hIdle += idleOf(&m.tasks[e.task])
	if e.delayed && m.rules.countsDelayed {
		c.hDelayed++
	}
}

// checkCounters compares the counters of a queue with a recount.
func (m *Machine) checkCounters(q *FairQueue, c *tally) error {
	for _, x := range [...]struct {
		name      string
		kept, got int64
	}{
		{"nr", int64(q.nr), int64(c.nr)},
		{"idle nr", int64(q.nrIdle), int64(c.nrIdle)},
		{"h_nr_queued", int64(q.hQueued), int64(c.hQueued)},
		{"h_nr_delayed", int64(q.hDelayed), int64(c.hDelayed)},
		{"h_nr_runnable", int64(q.hRunnable), int64(c.hQueued - c.hDelayed)},
		{"h_nr_idle", int64(q.hIdle), int64(c.hIdle)},
		{"load.weight", int64(q.load), int64(c.load)},
	} {
		if x.kept != x.got {
			return fmt.Errorf("counters: %s of queue %d is %d, a recount gives %d", x.name, q.id, x.kept, x.got)
		}
	}
	if q.owner == NoEntity {
		return nil
	}
	if owner := &m.ents[q.owner]; (q.nr > 0 && !m.throttled(q)) != (owner.onRQ && !owner.delayed) {
		return fmt.Errorf("group entity: queue %d has %d entities, its entity %s is on_rq %t, delayed %t", q.id, q.nr, m.label(q.owner), owner.onRQ, owner.delayed)
	}
	return nil
}

// checkLags tests what V means: the weighted lags of everybody on the queue sum
// to zero, up to the rounding of V to the left,
//
//	0 <= sum w * (v - V) < sum w
//
// and somebody is eligible. Where a sum leaves 64 bits the kernel's V and its
// eligibility wrap, and neither holds.
func (m *Machine) checkLags(q *FairQueue, c *tally) error {
	b, all := m.balanceOf(q), c.all
	if e := m.current(q); e != nil {
		key, w := e.vruntime.Sub(q.zero), m.sumWeightOf(q, e)
		c.overflow = c.overflow || overflows(key, w)
		all = all.add(mulSigned(key, w))
	}
	limit := uint64(1) << 62
	if !m.rules.fullWeight {
		limit = 1 << 31
	}
	if q.nr == 0 || q.overflow || c.overflow || !all.fits64() || b.weight >= limit || q.shift >= maxSumShift {
		return nil
	}
	v := m.peekV(q)
	hi, lo := mulSigned(q.zero.Sub(v), b.weight)
	lags := all.add(hi, lo)
	if lags.hi != 0 || lags.lo >= b.weight {
		return fmt.Errorf("lags: in queue %d the weighted distances from V %d sum to %d (high word %d), expected 0 ... %d", q.id, int64(v), lags.lo, lags.hi, b.weight-1)
	}
	if e := m.current(q); e != nil && m.looksEligibleNow(q, e) {
		return nil
	}
	for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
		if m.looksEligibleNow(q, &m.ents[n]) {
			return nil
		}
	}
	return fmt.Errorf("somebody eligible: nobody of the %d entities of queue %d is, V %d", q.nr, q.id, int64(v))
}

// checkEntity tests what holds for each entity by itself.
func (m *Machine) checkEntity(e *entity) error {
	switch {
	case e.delayed && !e.onRQ:
		return fmt.Errorf("delayed: %s is delayed but not on_rq", m.label(e.id))
	case e.onRQ && e.weight == 0:
		return fmt.Errorf("weight: %s is on_rq with weight 0", m.label(e.id))
	case m.queues[e.queue].owner != e.parent:
		return fmt.Errorf("parent: %s is of queue %d, whose entity is %s, but has parent %s", m.label(e.id), e.queue, m.label(m.queues[e.queue].owner), m.label(e.parent))
	}
	return nil
}

// checkTask tests that a task is in exactly one of its states.
func (m *Machine) checkTask(t TaskID) error {
	p := &m.tasks[t]
	e := &m.ents[p.entity]
	alive := p.born && !p.dead
	switch {
	case (p.onRQ == rqQueued) != e.onRQ:
		return fmt.Errorf("one place: task %s has on_rq %d, its entity on_rq %t", m.names[t], p.onRQ, e.onRQ)
	case e.onRQ && !alive:
		return fmt.Errorf("one place: task %s is not alive but queued", m.names[t])
	case e.onRQ && p.sleeping && !e.delayed:
		return fmt.Errorf("one place: task %s sleeps %t, is delayed %t, on_rq %t", m.names[t], p.sleeping, e.delayed, e.onRQ)
	case e.delayed && !p.sleeping:
		return fmt.Errorf("delayed: task %s is delayed but awake", m.names[t])
	case m.queues[e.queue].cpu != p.cpu || m.queues[e.queue].group != p.group:
		return fmt.Errorf("one place: task %s of group %d on cpu %d is a member of queue %d", m.names[t], p.group, p.cpu, e.queue)
	}
	return nil
}

// checkCPU tests that exactly the chain of the running task is current.
func (m *Machine) checkCPU(cpu int) error {
	rq := &m.cpus[cpu]
	nr := m.rootQueue(int32(cpu)).hQueued
	if rq.higher {
		nr++
	}
	if rq.nr != nr {
		return fmt.Errorf("counters: nr_running of cpu %d is %d, a recount gives %d", cpu, rq.nr, nr)
	}
	sent := int32(0)
	for t := range m.tasks {
		if p := &m.tasks[t]; int(p.cpu) == cpu && p.born && !p.dead && !p.sleeping && p.onRQ == rqOff {
			sent++
		}
	}
	if int32(rq.pending) != sent {
		return fmt.Errorf("one place: %d tasks of cpu %d are awake but not queued, %d wakeups are on their way", sent, cpu, rq.pending)
	}
	levels := 0
	if rq.curr != NoTask {
		if p := &m.tasks[rq.curr]; int(p.cpu) != cpu || rq.higher {
			return fmt.Errorf("current: cpu %d runs task %s of cpu %d, higher class %t", cpu, m.names[rq.curr], p.cpu, rq.higher)
		}
		for e := m.ent(m.tasks[rq.curr].entity); e != nil; e = m.parentOf(e) {
			if q := m.queue(e.queue); q.curr != e.id {
				return fmt.Errorf("current: cpu %d runs %s, but queue %d has %s as its current", cpu, m.label(e.id), q.id, m.label(q.curr))
			}
			levels++
		}
	}
	for i := range m.queues {
		if q := &m.queues[i]; int(q.cpu) == cpu && q.curr != NoEntity {
			levels--
		}
	}
	if levels != 0 {
		return fmt.Errorf("current: %d queues of cpu %d have a current entity that does not run", -levels, cpu)
	}
	return nil
}

// label names an entity in messages.
func (m *Machine) label(id EntityID) string {
	if id == NoEntity {
		return "none"
	}
	e := &m.ents[id]
	if e.isTask() {
		return fmt.Sprintf("task %s (entity %d)", m.names[e.task], id)
	}
	return fmt.Sprintf("group %s (entity %d)", m.paths[e.group], id)
}
