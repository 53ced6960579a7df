package scheduler

// opFlags are the flags of enqueue and dequeue that matter to the fair class.
type opFlags uint16

const (
	flagSleep    opFlags = 1 << iota // dequeue: goes to sleep
	flagWakeup                       // enqueue: wakes up
	flagSpecial                      // dequeue: dying, stopped or frozen: never delayed
	flagDelayed                      // the entity is delayed: finish its dequeue, or wake it
	flagInitial                      // enqueue: first time
	flagMigrated                     // enqueue: came from another CPU
	flagSave                         // dequeue: a nice change, which leaves min_vruntime
)

// placeEntity is place_entity: it gives an entity that is in no tree its
// vruntime and deadline (SPEC-6.12 section 6, SPEC-7x section 5).
//
//	lag      = vlag * (load + w) / load     so that placing it keeps its lag
//	vruntime = V - lag
//	deadline = vruntime + slice / weight    or the distance it left with
func (m *Machine) placeEntity(q *FairQueue, e *entity, flags opFlags) {
	v := m.avgVruntime(q)
	if !e.customSlice {
		e.slice = m.cfg.BaseSlice
	}
	vslice := m.rules.calcDelta(e.slice, e)
	lag, load, why := int64(0), uint64(0), ReasonPlacedOnEmpty
	if m.on(PlaceLag) && q.nr != 0 && (e.vlag != 0 || m.rules.placeZeroLag) {
		lag, load = m.inflateLag(q, e)
	}
	if q.nr != 0 {
		why = ReasonPlacedAtV
	}
	if lag != 0 {
		why = ReasonPlacedWithLag
	}
	e.vruntime = v.Add(-lag)
	if m.rec != nil {
		m.note(StepPlace, why, q, e, NoEntity, Arg{ArgV, int64(v)}, Arg{ArgLag, e.vlag}, Arg{ArgInflated, lag},
			Arg{ArgLoad, int64(load)}, Arg{ArgWeight, int64(m.sumWeightOf(q, e))}, Arg{ArgVruntimeTo, int64(e.vruntime)})
	}
	if m.rules.shiftsZero && lag != 0 && m.sumWeightOf(q, e) > load {
		m.shiftZero(q, e, -lag)
	}
	why = ReasonFreshDeadline
	switch {
	case e.relDeadline && (m.rules.restoresDeadline || m.on(PlaceRelDeadline)):
		why = ReasonRelDeadline
		e.deadline += e.vruntime
		e.relDeadline = false
	case m.on(PlaceDeadlineInitial) && flags&flagInitial != 0:
		why = ReasonHalfDeadline
		vslice /= 2
		e.deadline = e.vruntime + Vtime(vslice)
	default:
		e.deadline = e.vruntime + Vtime(vslice)
	}
	if m.rec != nil {
		m.note(StepPlace, why, q, e, NoEntity, Arg{ArgSlice, int64(e.slice)}, Arg{ArgVslice, e.deadline.Sub(e.vruntime)},
			Arg{ArgVruntime, int64(e.vruntime)}, Arg{ArgDeadlineTo, int64(e.deadline)})
	}
}

// inflateLag is the lag to place with: adding an entity of weight w to a queue
// of weight load moves V, and (load+w)/load undoes that. The product wraps, the
// division truncates.
func (m *Machine) inflateLag(q *FairQueue, e *entity) (lag int64, load uint64) {
	load = q.sumWeight
	if c := m.current(q); c != nil {
		load += m.sumWeightOf(q, c)
	}
	whole := load + m.sumWeightOf(q, e)
	if overflows(e.vlag, whole) {
		q.overflow = true
	}
	lag = e.vlag * int64(whole)
	load = max(load, 1)
	return m.rules.divide(lag, int64(load)), load
}

// shiftZero moves the reference point by d, to keep the key of a heavy entity
// small (7.1+). V, already used, is not computed again.
func (m *Machine) shiftZero(q *FairQueue, e *entity, d int64) {
	q.moveZero(d)
	if m.rec != nil {
		m.note(StepPlace, ReasonZeroShifted, q, e, NoEntity, Arg{ArgInflated, d})
	}
}
