package scheduler

import (
	"math/big"
	"slices"

	"github.com/google/btree"
)

// The second opinion: the fair class of one CPU without groups, on every kernel,
// written from the rules alone and as plainly as possible. V and eligibility come
// from a sum over everybody in big integers, the pick scans a btree in deadline
// order, and nothing is kept that can be computed. It shares no function with the
// machine, and asks for the kernel where a rule has come or gone.

// kernel is the place of a profile in the order of releases.
type kernel int

const (
	k66 kernel = iota
	k67
	k68
	k69
	k612
	k612y
	k617
	k619
	k70
	k71
	k72
)

func kernelOf(p *Profile) kernel {
	return kernel(slices.Index([]string{"6.6", "6.7", "6.8", "6.9", "6.12", "6.12.y", "6.17", "6.19", "7.0", "7.1", "7.2"}, p.Name))
}

// opinionEnt is one task.
type opinionEnt struct {
	v, d, vprot, vlag int64
	slice, weight     int64 // weight scaled
	nice              int
	policy            Policy
	custom, onRQ      bool
	inTree            bool
	delayed, rel      bool
	sleeping, dead    bool
	seq               int // order of insertion
	execStart         int64
	sumExec, prevSum  int64
}

// opinion is the queue and its CPU.
type opinion struct {
	k        kernel
	on       func(Feature) bool
	now      int64
	tick     int64
	base     int64
	nbase    int64
	zero     int64 // the reference point: V of an empty queue
	seq      int
	nr       int
	ents     []*opinionEnt
	tree     *btree.BTreeG[*opinionEnt]
	curr     *opinionEnt
	next     *opinionEnt
	resched  bool
	migrCost int64
	// favour chooses among equal deadlines where the shape of a tree decides, which
	// this opinion does not have (6.6, 6.7); wakee is whom a check asks for.
	favour func(tied []*opinionEnt, wakee *opinionEnt) *opinionEnt
}

func newOpinion(cfg Config, on func(Feature) bool) *opinion {
	return &opinion{
		k: kernelOf(cfg.Kernel), on: on, tick: int64(TickLength(cfg.HZ)), base: int64(cfg.BaseSlice), nbase: int64(cfg.NBase),
		zero: -1 << 20, migrCost: int64(cfg.MigrationCost),
		tree: btree.NewG(4, func(a, b *opinionEnt) bool { return a.d < b.d || a.d == b.d && a.seq < b.seq }),
	}
}

func num(x int64) *big.Int { return big.NewInt(x) }

// taskWeight is the unscaled weight of a task. The tables are data, not
// arithmetic, and shared with the machine; TestWeightTables holds them against the rule.
func taskWeight(nice int, policy Policy) int64 {
	if policy == PolicyIdle {
		return 3
	}
	return int64(niceWeight[nice+20])
}

// calc is wall time to virtual time.
func (o *opinion) calc(d int64, e *opinionEnt) int64 {
	w := e.weight / 1024
	switch {
	case w == 1024:
		return d
	case o.k >= k71: // d * 2^20 / weight
		x := new(big.Int).Mul(num(d), num(1<<20))
		return x.Quo(x, num(e.weight)).Int64()
	}
	// d * 1024 * inverse / 2^32, the factor cut to 32 bits first.
	inverse := int64(idleInverse)
	if e.policy != PolicyIdle {
		inverse = int64(niceInverse[e.nice+20])
	}
	factor := num(1024 * inverse)
	shift := uint(32)
	for factor.BitLen() > 32 {
		factor.Rsh(factor, 1)
		shift--
	}
	x := factor.Mul(factor, num(d))
	return x.Rsh(x, shift).Int64()
}

// w is the weight in sums: the full one from 7.1 on.
func (o *opinion) w(e *opinionEnt) *big.Int {
	if o.k >= k71 {
		return num(e.weight)
	}
	return num(e.weight / 1024)
}

// totals is sum w*v and sum w over the tree and the running task.
func (o *opinion) totals() (wv, w *big.Int) {
	wv, w = new(big.Int), new(big.Int)
	for _, e := range o.ents {
		if e.inTree || e == o.curr && e.onRQ {
			wv.Add(wv, new(big.Int).Mul(o.w(e), num(e.v)))
			w.Add(w, o.w(e))
		}
	}
	return wv, w
}

// peek is V: the floor of the weighted mean; of an empty queue where it was.
func (o *opinion) peek() int64 {
	wv, w := o.totals()
	if w.Sign() == 0 {
		return o.zero
	}
	return new(big.Int).Div(wv, w).Int64() // Euclidean: the floor, for w > 0
}

// avg is avg_vruntime, which moves the reference point to V in some kernels.
func (o *opinion) avg() int64 {
	v := o.peek()
	if o.k == k612y || o.k >= k70 {
		o.zero = v
	}
	return v
}

// recentre moves the reference point to the mean after a change of the tree
// (6.19). Who is being put counts twice in it.
func (o *opinion) recentre() {
	if o.k != k619 {
		return
	}
	wv, w := new(big.Int), new(big.Int)
	add := func(e *opinionEnt) {
		wv.Add(wv, new(big.Int).Mul(o.w(e), num(e.v)))
		w.Add(w, o.w(e))
	}
	for _, e := range o.ents {
		if e.inTree {
			add(e)
		}
		if e == o.curr && e.onRQ {
			add(e)
		}
	}
	if w.Sign() != 0 {
		o.zero = new(big.Int).Div(wv, w).Int64()
	}
}

// updateMin lets min_vruntime follow the smallest vruntime, never back (up to 6.18).
func (o *opinion) updateMin() {
	if o.k > k617 || o.k == k612y {
		return
	}
	least, some := int64(0), false
	for _, e := range o.ents {
		if (e.inTree || e == o.curr && e.onRQ) && (!some || e.v < least) {
			least, some = e.v, true
		}
	}
	if some {
		o.zero = max(o.zero, least)
	}
}

func (o *opinion) eligible(e *opinionEnt) bool {
	if !o.on(EnforceEligibility) {
		return true
	}
	wv, w := o.totals()
	return wv.Cmp(w.Mul(w, num(e.v))) >= 0
}

func (o *opinion) insert(e *opinionEnt) {
	o.seq++
	e.seq, e.inTree = o.seq, true
	o.tree.ReplaceOrInsert(e)
	o.recentre()
}

func (o *opinion) remove(e *opinionEnt) {
	if e.inTree {
		o.tree.Delete(e)
		e.inTree = false
		o.recentre()
	}
}

// extremes are the smallest and the largest slice of the queue; small is -1 for
// an empty one.
func (o *opinion) extremes() (small, large int64) {
	small = -1
	for _, e := range o.ents {
		if e.inTree || e == o.curr && e.onRQ {
			if small < 0 || e.slice < small {
				small = e.slice
			}
			large = max(large, e.slice)
		}
	}
	return small, large
}

// storeLag is update_entity_lag; it tells whether the stored lag means another
// place than the present one.
func (o *opinion) storeLag(e *opinionEnt) bool {
	v := o.avg()
	lag := v - e.v
	if o.on(LagClamp) {
		limit := o.calc(o.lagSpan(e), e)
		lag = min(max(lag, -limit), limit)
	}
	if o.k >= k71 && e.delayed {
		lag = max(lag, e.vlag)
		if o.on(DelayZero) {
			lag = min(lag, 0)
		}
	}
	e.vlag = lag
	return v-lag != e.v
}

// lagSpan is the bound of the lag in wall time.
func (o *opinion) lagSpan(e *opinionEnt) int64 {
	tick := o.tick
	if o.on(SchedQuanta) {
		tick = max(tick, o.base)
	}
	if o.k >= k70 {
		_, large := o.extremes()
		return large + tick
	}
	return max(2*e.slice, tick)
}

// place is place_entity.
func (o *opinion) place(e *opinionEnt, initial bool) {
	v := o.avg()
	if !e.custom {
		e.slice = o.base
	}
	vslice := o.calc(e.slice, e)
	lag := int64(0)
	if o.on(PlaceLag) && o.nr > 0 {
		_, load := o.totals()
		x := new(big.Int).Add(load, o.w(e))
		x.Mul(x, num(e.vlag))
		lag = x.Quo(x, load).Int64() // truncates
	}
	e.v = v - lag
	if e.rel && (o.on(PlaceRelDeadline) || o.k >= k617 && o.k <= k70) {
		e.d += e.v
		e.rel = false
		return
	}
	if initial && o.on(PlaceDeadlineInitial) {
		vslice /= 2
	}
	e.d = e.v + vslice
}

func (o *opinion) enqueue(e *opinionEnt, initial bool) {
	o.updateCurr()
	o.place(e, initial)
	o.nr++
	o.insert(e)
	e.onRQ = true
}

// leave is why an entity is dequeued.
type leave int

const (
	leaveChange leave = iota // comes back at once
	leaveNice                // the same, for a new nice value
	leaveSleep
	leaveDie
	leaveFinish // a delayed one goes for real
)

// dequeue is dequeue_entity; false means delayed.
func (o *opinion) dequeue(e *opinionEnt, why leave) bool {
	o.updateCurr()
	o.clearNext(e)
	if why == leaveSleep && o.on(DelayDequeue) && !o.eligible(e) {
		if o.k >= k71 {
			o.storeLag(e)
		}
		e.delayed = true
		return false
	}
	o.storeLag(e)
	o.remove(e)
	if (why == leaveChange || why == leaveNice) && o.on(PlaceRelDeadline) {
		e.d -= e.v
		e.rel = true
	}
	e.onRQ = false
	o.nr--
	if why != leaveNice {
		o.updateMin()
	}
	if why == leaveFinish {
		e.delayed = false
		if o.k < k71 && o.on(DelayZero) {
			e.vlag = min(e.vlag, 0)
		}
	}
	return true
}

// requeue is the wakeup of a delayed entity.
func (o *opinion) requeue(e *opinionEnt) {
	again := false
	switch {
	case o.k >= k71:
		again = o.storeLag(e)
	case o.on(DelayZero):
		o.storeLag(e)
		if again = e.vlag > 0; again {
			e.vlag = 0
		}
	}
	if again {
		o.nr--
		o.remove(e)
		o.place(e, false)
		o.insert(e)
		o.nr++
	}
	e.delayed = false
}

func (o *opinion) clearNext(e *opinionEnt) {
	if o.next == e {
		o.next = nil
	}
}

func (o *opinion) nominate(e *opinionEnt) {
	if e.onRQ && e.policy != PolicyIdle {
		o.next = e
	}
}

// vprot is where the end of the protected slice is kept: with the lag up to 6.19.
func (o *opinion) vprot(e *opinionEnt) *int64 {
	if o.k >= k70 {
		return &e.vprot
	}
	return &e.vlag
}

// isProtected and endProtection know the two forms: a token in vlag, or a time.
func (o *opinion) isProtected(e *opinionEnt) bool {
	if o.k >= k617 {
		return e.v < *o.vprot(e)
	}
	return e.vlag == e.d
}

func (o *opinion) endProtection(e *opinionEnt) {
	switch {
	case !o.isProtected(e):
	case o.k >= k617:
		*o.vprot(e) = e.v
	default:
		e.vlag = e.d + 1
	}
}

func (o *opinion) protect(e *opinionEnt) {
	if o.k < k617 {
		e.vlag = e.d
		return
	}
	s := o.nbase
	if o.on(RunToParity) || o.on(RespectSlice) {
		if s, _ = o.extremes(); s < 0 {
			s = e.slice
		}
	}
	*o.vprot(e) = e.d
	if s < e.slice {
		*o.vprot(e) = min(e.d, e.v+o.calc(s, e))
	}
}
