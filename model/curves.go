package model

import (
	"math/bits"
	"slices"

	"zerolag/scheduler"
)

// LagPoint is the lag of an entity after an event, in ns of virtual time.
type LagPoint struct {
	Index  int
	Time   scheduler.Time
	Lag    int64
	Queue  scheduler.QueueID // of which it is a member
	Queued bool              // on its queue; else Lag is the stored one and has no bound
	// The theorem bounds the lag of a queued entity: Low < Lag < High, that is
	// -r_max < lag < max(r_max, q) in service time, divided by the entity's weight.
	// r_max is the longest slice on its queue, q the length of a tick.
	Low, High int64
}

// Violates tells that the lag is beyond the theorem's bound.
func (p LagPoint) Violates() bool { return p.Queued && (p.Lag <= p.Low || p.Lag >= p.High) }

// VPoint is the V of a queue after an event.
type VPoint struct {
	Index int
	Time  scheduler.Time
	V     scheduler.Vtime
}

// Curves are lags and V of a stretch of time of the current branch. A point that
// repeats the one before it is left out, so a value holds until the next point.
type Curves struct {
	r     *Run
	b     *branch
	scan  scanner
	at    int
	first int
	to    scheduler.Time
	tick  scheduler.Time
	done  bool
	lags  []curve[scheduler.EntityID, LagPoint]
	vs    []curve[scheduler.QueueID, VPoint]
}

type curve[ID, Point any] struct {
	id     ID
	points []Point
}

// Curves begins the curves of these entities, and of V of these queues, over
// from <= time < to. The first points are those of the last event before from.
func (r *Run) Curves(entities []scheduler.EntityID, queues []scheduler.QueueID, from, to scheduler.Time) *Curves {
	r.extendPast(from)
	c := &Curves{r: r, b: r.b, to: to, tick: scheduler.TickLength(r.w.Config.HZ)}
	c.first = max(r.b.firstAt(Position{Time: from})-1, 0)
	for _, id := range entities {
		c.lags = append(c.lags, curve[scheduler.EntityID, LagPoint]{id: id})
	}
	for _, id := range queues {
		c.vs = append(c.vs, curve[scheduler.QueueID, VPoint]{id: id})
	}
	start := r.b.checkpointBefore(c.first)
	c.at = start.index
	c.scan.start(start.sim, r.b.plain)
	c.look()
	return c
}

// Scan looks at up to budget more events, simulating as needed, and tells whether
// the curves are complete.
func (c *Curves) Scan(budget int) bool {
	for ; budget > 0 && !c.done; budget-- {
		if c.at+1 == c.b.known && !c.b.advance(c.r.w.Until) || c.b.record(c.at+1).Time >= c.to {
			c.done = true
			break
		}
		c.scan.next()
		c.at++
		c.look()
	}
	return c.done
}

// Lag are the points of entity i of those asked for.
func (c *Curves) Lag(i int) []LagPoint { return c.lags[i].points }

// V are the points of queue i of those asked for.
func (c *Curves) V(i int) []VPoint { return c.vs[i].points }

// look adds the points of the event that the scanner stands after.
func (c *Curves) look() {
	if c.at < c.first {
		return
	}
	f := c.scan.ctx.Frame
	t := c.b.record(c.at).Time
	for i := range c.lags {
		k := &c.lags[i]
		e := f.Entity(k.id)
		if e == nil {
			continue
		}
		p := LagPoint{Index: c.at, Time: t, Lag: e.Lag, Queue: e.Queue, Queued: e.OnRQ}
		if e.OnRQ {
			p.Low, p.High = lagBound(f, e, c.tick)
		}
		if n := len(k.points); n == 0 || !p.repeats(k.points[n-1]) {
			k.points = append(k.points, p)
		}
	}
	for i := range c.vs {
		k := &c.vs[i]
		q := f.Queue(k.id)
		if q == nil {
			continue
		}
		if n := len(k.points); n == 0 || k.points[n-1].V != q.V {
			k.points = append(k.points, VPoint{c.at, t, q.V})
		}
	}
}

// repeats tells whether p shows the same as the point before it.
func (p LagPoint) repeats(before LagPoint) bool {
	before.Index, before.Time = p.Index, p.Time
	return p == before
}

// lagBound is the theorem's bound for a queued entity:
//
//	low  = -r_max * 2^20 / weight
//	high = max(r_max, q) * 2^20 / weight
//
// in ns of virtual time, rounded away from 0 so that rounding makes no violation.
func lagBound(f *scheduler.Frame, e *scheduler.EntityFrame, tick scheduler.Time) (low, high int64) {
	q := f.Queue(e.Queue)
	longest := e.Slice
	for _, id := range slices.Concat(q.Tree, []scheduler.EntityID{q.Curr}) {
		if other := f.Entity(id); other != nil {
			longest = max(longest, other.Slice)
		}
	}
	return -virtual(longest, e.Weight), virtual(max(longest, uint64(tick)), e.Weight)
}

// virtual is ns*2^20/weight rounded up, at most the largest number.
func virtual(ns, weight uint64) int64 {
	const largest = 1<<63 - 1
	high, low := bits.Mul64(ns, scheduler.NiceZeroLoad)
	if high >= weight {
		return largest
	}
	q, rest := bits.Div64(high, low, weight)
	if rest > 0 {
		q++
	}
	return int64(min(q, largest))
}

// ShareStat is a task's share of the CPU time in a stretch of time, in parts per
// million, beside the share that its weight promises at the end of it.
type ShareStat struct {
	Task        scheduler.TaskID
	Runtime     scheduler.Time // wall time on a CPU
	Share       int64
	WeightShare int64
}

// Shares are the shares of all tasks in from <= time < to, as far as it is known,
// and the last event of that stretch.
func (r *Run) Shares(from, to scheduler.Time) (list []ShareStat, index int) {
	index = max(r.b.firstAt(Position{Time: to})-1, 0)
	var f scheduler.Frame
	if index == r.index {
		f = *r.Frame()
	} else {
		c := r.b.checkpointBefore(index)
		r.scratch.CopyFrom(c.sim)
		r.scratch.SetEdits(r.b.plain)
		for range index - c.index {
			r.scratch.Step(nil)
		}
		r.scratch.Frame(&f)
	}
	list = make([]ShareStat, len(f.TaskEntity))
	total := scheduler.Time(0)
	for cpu := range r.w.Config.CPUs {
		for _, s := range r.Spans(cpu, from, to) {
			if s.Task >= 0 {
				ran := s.To - max(s.From, from)
				list[s.Task].Runtime += ran
				total += ran
			}
		}
	}
	for i := range list {
		s := &list[i]
		s.Task = scheduler.TaskID(i)
		s.Share = share(uint64(s.Runtime), uint64(total))
		s.WeightShare = weightShare(&f, f.Task(s.Task))
	}
	return list, index
}
