package scheduler

// The entries of the second opinion: what a CPU does with the queue.

func (o *opinion) updateCurr() {
	e := o.curr
	if e == nil || o.now <= e.execStart {
		return
	}
	d := o.now - e.execStart
	e.execStart = o.now
	e.sumExec += d
	e.v += o.calc(d, e)
	over := o.updateDeadline(e)
	o.updateMin()
	switch {
	case o.nr == 1 && !o.on(NrTestV1):
		return
	case over && o.on(TickRepick) && !o.on(SchedQuanta):
		return // the tick decides
	case over || o.on(SchedQuanta) || o.k <= k69:
	case o.k >= k617:
		over = !o.isProtected(e)
	default:
		over = o.on(PreemptShort) && !o.isProtected(e) && !o.eligible(e)
	}
	if over {
		o.resched = true
		o.clearNext(e)
	}
}

// updateDeadline tells whether the turn ends by it.
func (o *opinion) updateDeadline(e *opinionEnt) bool {
	ended := e.v >= e.d
	if ended {
		if !e.custom {
			e.slice = o.base
		}
		e.d = e.v + o.calc(e.slice, e)
		o.avg()
	}
	if o.on(SchedQuanta) {
		return e.sumExec-e.prevSum >= o.base && !o.resched && o.nr > 1 && o.pick(true, false, nil) != e
	}
	return ended && (o.nr > 1 || !o.on(NrTestV1))
}

// first is the earliest in deadline order that fits.
func (o *opinion) first(fits func(*opinionEnt) bool) *opinionEnt {
	var found *opinionEnt
	o.tree.Ascend(func(e *opinionEnt) bool {
		if fits(e) {
			found = e
		}
		return found == nil
	})
	return found
}

// pick is pick_eevdf: protect honours a protected runner, wakeup says that a
// wakeup check asks, and for whom.
func (o *opinion) pick(protect, wakeup bool, wakee *opinionEnt) *opinionEnt {
	curr := o.curr
	if curr != nil && !curr.onRQ {
		curr = nil
	}
	if o.nr == 1 && o.k >= k68 {
		if curr != nil {
			return curr
		}
		return o.first(func(*opinionEnt) bool { return true })
	}
	if o.k >= k619 && (protect || o.k < k71) && o.on(PickBuddy) && o.next != nil && o.eligible(o.next) {
		return o.next
	}
	if o.on(RespectSlice) || o.on(SliceSet) {
		if curr != nil && protect && o.on(RespectSlice) && o.respected(curr, wakee) {
			return curr
		}
		return o.earliest(curr, wakee)
	}
	if curr != nil && !o.eligible(curr) {
		keep := o.on(RunToParityWakeup) && o.isProtected(curr)
		if o.k >= k617 {
			keep = keep && protect
		} else {
			keep = keep && wakeup
		}
		if !keep {
			curr = nil
		}
	}
	if curr != nil && o.isProtected(curr) && protect && (o.k >= k617 || o.on(RunToParity)) {
		return curr
	}
	return o.earliest(curr, wakee)
}

// respected is the test of RESPECT_SLICE.
func (o *opinion) respected(curr, wakee *opinionEnt) bool {
	if o.on(RunToParity) && !o.eligible(curr) {
		return false
	}
	if o.on(PreemptShort) && wakee != nil && wakee.slice < curr.slice && wakee.d < curr.d {
		return false
	}
	return o.isProtected(curr)
}

func (o *opinion) earliest(curr, wakee *opinionEnt) *opinionEnt {
	if o.k <= k67 {
		return o.earliestOfHeap(curr, wakee)
	}
	best := o.first(o.eligible)
	if best == nil || curr != nil && curr.d < best.d {
		return curr
	}
	return best
}

// earliestOfHeap leaves it to favour who of equals comes first.
func (o *opinion) earliestOfHeap(curr, wakee *opinionEnt) *opinionEnt {
	var tied []*opinionEnt
	add := func(e *opinionEnt) {
		switch {
		case len(tied) == 0 || e.d == tied[0].d:
			tied = append(tied, e)
		case e.d < tied[0].d:
			tied = append(tied[:0], e)
		}
	}
	if curr != nil {
		add(curr)
	}
	for _, e := range o.ents {
		if e.inTree && o.eligible(e) {
			add(e)
		}
	}
	switch len(tied) {
	case 0:
		return nil
	case 1:
		return tied[0]
	}
	return o.favour(tied, wakee)
}

// realPick dequeues delayed entities that it finds; nil when nobody is queued.
func (o *opinion) realPick(protect, wakeup bool, wakee *opinionEnt) *opinionEnt {
	for o.nr > 0 {
		buddy := PickBuddy
		if o.k <= k612 {
			buddy = NextBuddy
		}
		if o.k <= k617 && !wakeup && o.on(buddy) && o.next != nil && o.eligible(o.next) {
			return o.next
		}
		e := o.pick(protect, wakeup, wakee)
		if !e.delayed {
			return e
		}
		o.dequeue(e, leaveFinish)
	}
	return nil
}

func (o *opinion) schedule(how Leave) {
	prev := o.curr
	if prev != nil && how != LeaveStay {
		prev.sleeping = true
		why := leaveSleep
		if how == LeaveDie {
			why = leaveDie
		}
		o.dequeue(prev, why)
	}
	if o.curr != nil && o.curr.onRQ {
		o.updateCurr()
	}
	next := o.realPick(true, false, nil)
	if next != prev {
		if prev != nil {
			o.put(prev)
		}
		if next != nil {
			o.set(next, true)
		}
	}
	o.resched = false
	if prev != nil && how == LeaveDie {
		prev.dead = true
	}
}

func (o *opinion) put(e *opinionEnt) {
	if e.onRQ {
		o.updateCurr()
		o.insert(e)
	}
	o.curr = nil
}

func (o *opinion) set(e *opinionEnt, picked bool) {
	o.clearNext(e)
	if e.onRQ {
		o.remove(e)
		if picked || o.k < k70 {
			o.protect(e)
		}
	}
	e.execStart, e.prevSum = o.now, e.sumExec
	o.curr = e
}

func (o *opinion) fork(nice int, policy Policy, slice int64) {
	e := &opinionEnt{nice: nice, policy: policy, weight: taskWeight(nice, policy) * 1024, slice: o.base}
	if slice != 0 {
		e.custom, e.slice = true, min(max(slice, 100_000), 100_000_000)
	}
	o.ents = append(o.ents, e)
	o.enqueue(e, o.k >= k612)
	o.check(e, true, false)
}

func (o *opinion) wake(e *opinionEnt, sync bool) {
	e.sleeping = false
	if e.delayed {
		o.requeue(e)
	} else {
		o.enqueue(e, false)
	}
	o.check(e, false, sync)
}

// check is the wakeup check: does e take the CPU from the running task?
func (o *opinion) check(e *opinionEnt, fork, sync bool) {
	curr := o.curr
	switch {
	case curr == nil:
		o.resched = true
		return
	case curr == e:
		return
	}
	if o.k <= k617 && o.on(NextBuddy) && !fork && (!e.delayed || o.k == k612) {
		o.nominate(e)
	}
	currIdle, idle := curr.policy == PolicyIdle, e.policy == PolicyIdle
	switch {
	case o.resched:
		return
	case o.k <= k69 && currIdle && !idle: // before the feature is asked
		o.resched = true
		return
	case !o.on(WakeupPreemption):
		return
	case currIdle && !idle:
		o.takeCPU(curr, o.k != k612)
		return
	case currIdle != idle || e.policy != PolicyNormal:
		return
	}
	o.updateCurr()
	if o.k >= k617 {
		o.checkLate(e, fork, sync)
		return
	}
	if !o.on(RespectSlice) && !o.on(SliceSet) && o.on(PreemptShort) && e.slice < curr.slice && o.eligible(e) && (e.d < curr.d || !o.eligible(curr)) {
		o.endProtection(curr)
	}
	if o.pick(true, true, e) == e {
		o.resched = true
	}
}

func (o *opinion) takeCPU(curr *opinionEnt, short bool) {
	if short {
		o.endProtection(curr)
		if o.k >= k71 {
			o.clearNext(curr)
		}
	}
	o.resched = true
}

func (o *opinion) checkLate(e *opinionEnt, fork, sync bool) {
	curr := o.curr
	short := o.on(PreemptShort) && e.slice < curr.slice
	if !short && o.k >= k619 {
		if fork || e.delayed {
			return
		}
		if o.on(NextBuddy) && (o.next == nil || o.next.d >= e.d) {
			o.nominate(e)
			if sync {
				if ran := max(0, o.now-curr.execStart); e.d < curr.d && ran >= o.migrCost {
					o.resched = true
				}
				return
			}
		}
	}
	ask := o.pick
	if o.k >= k71 {
		ask = o.realPick
	}
	if ask(!short, true, e) == e {
		o.takeCPU(curr, short)
		return
	}
	if o.on(RunToParity) && (short || o.k >= k619) {
		if small, _ := o.extremes(); small >= 0 {
			*o.vprot(curr) = min(*o.vprot(curr), curr.v+o.calc(small, curr))
		}
	}
}

func (o *opinion) yield() {
	e := o.curr
	if e == nil || o.nr == 1 {
		return
	}
	o.clearNext(e)
	o.updateCurr()
	switch {
	case o.k <= k617 && o.k != k612y:
		e.d += o.calc(e.slice, e)
	case !o.eligible(e):
	case o.k == k619:
		e.v = e.d
		e.d += o.calc(e.slice, e)
	default:
		e.v = e.d
		o.updateDeadline(e)
	}
}

// onTick is entity_tick.
func (o *opinion) onTick() {
	o.updateCurr()
	if e := o.curr; e != nil && o.on(TickRepick) && o.nr > 1 && o.pick(true, false, nil) != e {
		o.resched = true
		o.clearNext(e)
	}
}

func (o *opinion) expire() {
	o.updateCurr()
	if o.curr != nil {
		o.resched = true
	}
}

// change is the pattern of every change of a task: off, change, on.
func (o *opinion) change(e *opinionEnt, why leave, nice int, policy Policy, edit func()) {
	queued, running, old := e.onRQ, o.curr == e, e.nice
	if queued {
		o.dequeue(e, why)
	}
	if running {
		o.put(e)
	}
	edit()
	e.nice, e.policy = nice, policy
	was := e.weight
	e.weight = taskWeight(nice, policy) * 1024
	if policy != PolicyIdle || o.k > k69 {
		e.vlag = scale(e.vlag, was, e.weight)
	}
	if o.k >= k617 && e.rel {
		e.d = scale(e.d, was, e.weight)
	}
	if queued {
		o.enqueue(e, false)
	}
	if running {
		o.set(e, false)
	}
	switch {
	case nice == old || !e.onRQ || o.nr == 1:
	case o.curr != e:
		o.check(e, false, false)
	case nice > old:
		o.resched = true
	}
}

// scale is x*old/new, truncated.
func scale(x, from, to int64) int64 {
	p := num(x)
	p.Mul(p, num(from))
	return p.Quo(p, num(to)).Int64()
}
