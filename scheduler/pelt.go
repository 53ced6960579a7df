package scheduler

import "math/bits"

// average is a sched_avg: the geometrically decaying load, runnable and
// utilisation averages of an entity or queue (SPEC-SMP section 1).
type average struct {
	last        uint64 // last_update_time in ns, moves in steps of 1024; 0 = not attached
	loadSum     uint64
	runnableSum uint64
	utilSum     uint32
	contrib     uint32 // period_contrib, 0 ... 1023
	load        uint64
	runnable    uint64
	util        uint64
}

// groupShare is what a queue keeps for its group's shares (SPEC-SMP 1.6, 1.8).
type groupShare struct {
	propagate   bool
	propSum     int64  // prop_runnable_sum
	contrib     int64  // tg_load_avg_contrib
	published   uint64 // last_update_tg_load_avg, ns
	former      int64  // contrib before the last publication
	removed     int32
	removedLoad uint64
	removedUtil uint64
	removedRun  uint64
}

const (
	loadAvgMax = 47742
	minDivider = loadAvgMax - 1024
)

// decayFactor is y^n * 2^32 with y^32 = 1/2.
var decayFactor = [32]uint32{
	0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6, 0xe0ccdeeb, 0xdbfbb796,
	0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85, 0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46,
	0xb504f333, 0xb123f581, 0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
	0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80, 0x85aac367, 0x82cd8698,
}

// decayLoad is decay_load: x * y^n, truncated.
func decayLoad(x, n uint64) uint64 {
	if n > 32*63 {
		return 0
	}
	x >>= n / 32
	hi, lo := bits.Mul64(x, uint64(decayFactor[n%32]))
	return hi<<32 | lo>>32
}

func (a *average) divider() uint64 { return minDivider + uint64(a.contrib) }

// advance is ___update_load_sum: it ages a to now and accrues the time since;
// load, runnable (counts or weights) and running are what held during it. It
// tells whether a period ended (SPEC-SMP section 1.3).
func (a *average) advance(now, load, runnable uint64, running bool) bool {
	d := now - a.last
	if int64(d) < 0 {
		a.last = now
		return false
	}
	d >>= 10
	if d == 0 {
		return false
	}
	a.last += d << 10
	if load == 0 {
		runnable, running = 0, false
	}
	c := uint64(uint32(d))
	d += uint64(a.contrib)
	periods := d / 1024
	if periods > 0 {
		a.loadSum = decayLoad(a.loadSum, periods)
		a.runnableSum = decayLoad(a.runnableSum, periods)
		a.utilSum = uint32(decayLoad(uint64(a.utilSum), periods))
		d %= 1024
		if load != 0 {
			c = decayLoad(uint64(1024-a.contrib), periods) + (loadAvgMax - decayLoad(loadAvgMax, periods) - 1024) + d
		}
	}
	a.contrib = uint32(d)
	if load != 0 {
		a.loadSum += load * c
	}
	if runnable != 0 {
		a.runnableSum += runnable * c << 10
	}
	if running {
		a.utilSum += uint32(c << 10)
	}
	return periods > 0
}

// average recomputes the averages from the sums (___update_load_avg).
func (a *average) average(weight uint64) {
	div := a.divider()
	a.load = weight * a.loadSum / div
	a.runnable = a.runnableSum / div
	a.util = uint64(a.utilSum) / div
}

// Flags of updateLoadAvg.
type loadFlags uint8

const (
	updateTg loadFlags = 1 << iota
	doAttach
	doDetach
)

// updateLoadAvg is update_load_avg (SPEC-SMP section 1.6, U).
func (m *Machine) updateLoadAvg(q *FairQueue, e *entity, flags loadFlags) {
	now := m.peltClock(q)
	if e.avg.last != 0 {
		m.ageEntity(q, e, now)
	}
	changed := m.updateQueueAvg(q, now)
	if !e.isTask() && m.propagate(q, e) {
		changed = true
	}
	switch {
	case e.avg.last == 0 && flags&doAttach != 0:
		m.attachLoad(q, e)
		m.updateTgLoad(q)
	case flags&doDetach != 0:
		m.detachLoad(q, e)
		m.updateTgLoad(q)
	case changed && flags&updateTg != 0:
		m.updateTgLoad(q)
	}
}

// ageEntity is __update_load_avg_se.
func (m *Machine) ageEntity(q *FairQueue, e *entity, now uint64) {
	load, runnable := uint64(0), uint64(0)
	if e.onRQ {
		load = 1
	}
	switch {
	case e.delayed:
	case e.isTask():
		runnable = load
	default:
		runnable = e.runnableWeight
	}
	if e.avg.advance(now, load, runnable, q.curr == e.id) {
		e.avg.average(down(e.weight))
		if e.isTask() {
			m.tasks[e.task].utilEst &^= utilUnchanged
		}
	}
}

// updateQueueAvg is update_cfs_rq_load_avg.
func (m *Machine) updateQueueAvg(q *FairQueue, now uint64) bool {
	changed := false
	if q.share.removed > 0 {
		changed = true
		m.applyRemoved(q)
	}
	if q.avg.advance(now, down(q.load), uint64(q.hRunnable), q.curr != NoEntity) {
		q.avg.average(1)
		changed = true
	}
	return changed
}

func (m *Machine) applyRemoved(q *FairQueue) {
	s := &q.share
	load, util, run := s.removedLoad, s.removedUtil, s.removedRun
	s.removed, s.removedLoad, s.removedUtil, s.removedRun = 0, 0, 0, 0
	div := q.avg.divider()
	m.changeLoad(q, -int64(load), -int64(load*div))
	m.changeUtil(q, -int64(util), -int64(util*div))
	m.changeRunnable(q, -int64(run), -int64(run*div))
	m.addProp(q, -int64(run*div)>>10)
}

func (m *Machine) addProp(q *FairQueue, x int64) {
	q.share.propagate = true
	q.share.propSum += x
}

// attachLoad is attach_entity_load_avg.
func (m *Machine) attachLoad(q *FairQueue, e *entity) {
	div := q.avg.divider()
	e.avg.last, e.avg.contrib = q.avg.last, q.avg.contrib
	e.avg.utilSum = uint32(e.avg.util * div)
	e.avg.runnableSum = e.avg.runnable * div
	e.avg.loadSum = 1
	if l, w := e.avg.load*div, down(e.weight); w < l {
		e.avg.loadSum = l / w
	}
	m.addLoad(q, e)
	q.avg.util += e.avg.util
	q.avg.utilSum += e.avg.utilSum
	q.avg.runnable += e.avg.runnable
	q.avg.runnableSum += e.avg.runnableSum
	m.addProp(q, int64(e.avg.loadSum))
}

// detachLoad is detach_entity_load_avg.
func (m *Machine) detachLoad(q *FairQueue, e *entity) {
	m.subLoad(q, e)
	m.changeUtil(q, -int64(e.avg.util), -int64(uint64(e.avg.utilSum)))
	m.changeRunnable(q, -int64(e.avg.runnable), -int64(e.avg.runnableSum))
	m.addProp(q, -int64(e.avg.loadSum))
}

// addLoad and subLoad are enqueue_load_avg and dequeue_load_avg.
func (m *Machine) addLoad(q *FairQueue, e *entity) {
	sum := down(e.weight) * e.avg.loadSum
	if m.rules.boundedSums {
		m.changeLoad(q, int64(e.avg.load), int64(sum))
		return
	}
	q.avg.load += e.avg.load
	q.avg.loadSum += sum
}

func (m *Machine) subLoad(q *FairQueue, e *entity) {
	m.changeLoad(q, -int64(e.avg.load), -int64(down(e.weight)*e.avg.loadSum))
}

// saturate adds a signed change; a decrease below zero gives zero.
func saturate(x uint64, d int64) uint64 {
	r := x + uint64(d)
	if d < 0 && r > x {
		return 0
	}
	return r
}

func saturate32(x uint32, d int32) uint32 {
	r := x + uint32(d)
	if d < 0 && r > x {
		return 0
	}
	return r
}

// changeLoad, changeUtil and changeRunnable move a queue's average and sum and
// keep the sum at least average*46718. Up to 6.19 that bound is taken in 32
// bits, which cuts 64-bit sums; from 7.0 on in the width of the sum (SPEC-7x
// section 17).
func (m *Machine) changeLoad(q *FairQueue, avg, sum int64) {
	q.avg.load = saturate(q.avg.load, avg)
	q.avg.loadSum = m.boundSum(saturate(q.avg.loadSum, sum), q.avg.load)
}

func (m *Machine) changeRunnable(q *FairQueue, avg, sum int64) {
	q.avg.runnable = saturate(q.avg.runnable, avg)
	q.avg.runnableSum = m.boundSum(saturate(q.avg.runnableSum, sum), q.avg.runnable)
}

func (m *Machine) changeUtil(q *FairQueue, avg, sum int64) {
	q.avg.util = saturate(q.avg.util, avg)
	q.avg.utilSum = max(saturate32(q.avg.utilSum, int32(sum)), uint32(q.avg.util*minDivider))
}

func (m *Machine) boundSum(sum, avg uint64) uint64 {
	if m.rules.boundedSums {
		return max(sum, avg*minDivider)
	}
	return uint64(max(uint32(sum), uint32(avg*minDivider)))
}

// propagate is propagate_entity_load_avg of a group entity: what its own queue
// gained or lost goes into the queue it is a member of (SPEC-SMP section 1.6).
func (m *Machine) propagate(q *FairQueue, e *entity) bool {
	own := &m.queues[e.own]
	if !own.share.propagate {
		return false
	}
	own.share.propagate = false
	m.addProp(q, own.share.propSum)
	div := q.avg.divider()
	if d := int64(own.avg.util - e.avg.util); d != 0 {
		e.avg.util = own.avg.util
		sum := uint32(e.avg.util * div)
		ds := int64(int32(sum - e.avg.utilSum))
		e.avg.utilSum = sum
		m.changeUtil(q, d, ds)
	}
	if d := int64(own.avg.runnable - e.avg.runnable); d != 0 {
		e.avg.runnable = own.avg.runnable
		sum := e.avg.runnable * div
		if m.rules.runnableSum32 {
			sum = uint64(uint32(sum))
		}
		ds := int64(sum - e.avg.runnableSum)
		e.avg.runnableSum = sum
		m.changeRunnable(q, d, ds)
	}
	m.propagateLoad(q, own, e, div)
	return true
}

func (m *Machine) propagateLoad(q, own *FairQueue, e *entity, div uint64) {
	r := own.share.propSum
	if r == 0 {
		return
	}
	own.share.propSum = 0
	if r >= 0 {
		r = min(r+int64(e.avg.loadSum), int64(div))
	} else {
		x := uint64(0)
		if own.load != 0 {
			x = own.avg.loadSum / down(own.load)
		}
		r = int64(min(e.avg.loadSum, x))
	}
	r = max(r, int64(e.avg.utilSum>>10))
	w := down(e.weight)
	sum := w * uint64(r)
	avg := sum / div
	d := int64(avg - e.avg.load)
	if d == 0 {
		return
	}
	ds := int64(sum - w*e.avg.loadSum)
	e.avg.loadSum = uint64(r)
	e.avg.load = avg
	m.changeLoad(q, d, ds)
}

// tgInterval is the least time between two publications of one queue, ns.
const tgInterval = 1_000_000

// publication tells whether a queue's load would be published to its group at
// now: from 6.7 on at most once per ms, and only if it moved by more than 1/64.
func (m *Machine) publication(q *FairQueue, now uint64) Publication {
	d := int64(q.avg.load) - q.share.contrib
	switch {
	case m.rules.limitsTgLoad && now-q.share.published < tgInterval:
		return PublicationTooSoon
	case uint64(max(d, -d)) <= uint64(q.share.contrib)/64:
		return PublicationTooSmall
	}
	return PublicationDue
}

// updateTgLoad is update_tg_load_avg: it publishes a queue's load to its group
// if that is due (SPEC-SMP 1.6).
func (m *Machine) updateTgLoad(q *FairQueue) {
	if q.group == RootGroup {
		return
	}
	now := m.rq(q).clock
	if m.publication(q, now) != PublicationDue {
		return
	}
	d := int64(q.avg.load) - q.share.contrib
	g := &m.groups[q.group]
	g.loadAvg += d
	q.share.former, q.share.contrib = q.share.contrib, int64(q.avg.load)
	q.share.published = now
	if m.rec != nil {
		m.note(StepShares, ReasonTgLoad, q, m.ownerOf(q), NoEntity,
			Arg{ArgOwnLoad, int64(q.avg.load)}, Arg{ArgContrib, q.share.contrib - d}, Arg{ArgTgLoad, g.loadAvg})
	}
}

func (m *Machine) ownerOf(q *FairQueue) *entity {
	if q.owner == NoEntity {
		return nil
	}
	return &m.ents[q.owner]
}

// initUtil is post_init_entity_util_avg: the first averages of a new task on
// its queue (SPEC-SMP section 1.5). Up to 6.9 the weight is taken scaled, so the
// bound always counts.
func (m *Machine) initUtil(q *FairQueue, e *entity) {
	limit := int64(1024-int64(q.avg.util)) / 2
	if limit > 0 {
		e.avg.util = uint64(limit)
		if q.avg.util != 0 {
			w := down(e.weight)
			if m.rules.scaledInitUtil {
				w = e.weight
			}
			e.avg.util = min(uint64(limit), q.avg.util*w/(q.avg.load+1))
		}
	}
	e.avg.runnable = e.avg.util
}

// removeLoad is remove_entity_load_avg: a task that leaves while off the queue
// is aged to its queue's last update and recorded for it (SPEC-6.12 13.6).
func (m *Machine) removeLoad(e *entity) {
	q := &m.queues[e.queue]
	if q.avg.last != 0 && e.avg.advance(q.avg.last, 0, 0, false) {
		e.avg.average(down(e.weight))
	}
	s := &q.share
	s.removed++
	s.removedLoad += e.avg.load
	s.removedUtil += e.avg.util
	s.removedRun += e.avg.runnable
}

// attachChain and detachChain move an entity's averages onto or off its queue
// and pass the change up the hierarchy (attach_entity_cfs_rq and its opposite).
func (m *Machine) attachChain(e *entity) {
	q := &m.queues[e.queue]
	m.updateLoadAvg(q, e, 0)
	m.attachLoad(q, e)
	m.updateTgLoad(q)
	m.updateAncestors(e)
}

func (m *Machine) detachChain(e *entity) {
	q := &m.queues[e.queue]
	m.updateLoadAvg(q, e, 0)
	m.detachLoad(q, e)
	m.updateTgLoad(q)
	m.updateAncestors(e)
}

func (m *Machine) updateAncestors(e *entity) {
	for p := m.parentOf(e); p != nil; p = m.parentOf(p) {
		m.updateLoadAvg(&m.queues[p.queue], p, updateTg)
	}
}
