package model

import (
	"slices"

	"zerolag/scheduler"
)

// Totals are the numbers of a whole run, for comparing it with another. Times
// are ns of wall time, shares parts per million.
type Totals struct {
	Events   int
	Now      scheduler.Time // of the last event
	Runtime  scheduler.Time // CPU time handed out
	Switches int            // changes of a running task, to and from idle included
	// Voluntary and Involuntary count how tasks lost a CPU; InvoluntaryShare is
	// the latter's share of both.
	Voluntary, Involuntary int
	InvoluntaryShare       int64
	// The waits of all tasks that have ended.
	Waits                     int
	WaitAvg, WaitP99, WaitMax scheduler.Time
	WaitMaxTask               scheduler.TaskID // whose was the longest, NoTask if there is none
	// ShareError is the largest distance between a task's share of Runtime and
	// the share that its weight promises; ShareTask whose it is.
	ShareError int64
	ShareTask  scheduler.TaskID
	// The extremes of the lags of all queued entities after any event, ns of
	// virtual time, and where they were met first.
	LagMin, LagMax LagExtreme
}

// LagExtreme is the lag of an entity after an event; Entity is NoEntity if there
// was no lag at all.
type LagExtreme struct {
	Lag    int64
	Entity scheduler.EntityID
	Index  int
}

// Meter measures a whole branch event by event.
type Meter struct {
	r       *Run
	b       *branch
	scan    scanner
	at      int
	done    bool
	counter *counter
	totals  Totals
}

// Measure makes the meter of the current branch. The cursor does not matter.
func (r *Run) Measure() *Meter {
	m := &Meter{r: r, b: r.b, counter: newCounter(r.b)}
	m.totals.LagMin.Entity, m.totals.LagMax.Entity = scheduler.NoEntity, scheduler.NoEntity
	m.scan.start(r.b.checkpointBefore(0).sim, r.b.plain)
	m.look()
	return m
}

// Scan measures up to budget more events, simulating as needed, and tells whether
// the end of the run is reached.
func (m *Meter) Scan(budget int) bool {
	for ; budget > 0 && !m.done; budget-- {
		if m.at+1 == m.b.known && !m.b.advance(m.r.w.Until) {
			m.done = true
			break
		}
		m.scan.next()
		m.at++
		m.look()
	}
	return m.done
}

// look counts the event that the scanner stands after.
func (m *Meter) look() {
	if m.b.record(m.at).Switched() {
		m.totals.Switches++
	}
	f := m.scan.ctx.Frame
	for i := range f.Entities {
		e := &f.Entities[i]
		if !e.OnRQ {
			continue
		}
		found := LagExtreme{e.Lag, e.ID, m.at}
		if low := &m.totals.LagMin; low.Entity == scheduler.NoEntity || e.Lag < low.Lag {
			*low = found
		}
		if high := &m.totals.LagMax; high.Entity == scheduler.NoEntity || e.Lag > high.Lag {
			*high = found
		}
	}
}

// Totals are the numbers up to where the meter has come.
func (m *Meter) Totals() Totals {
	t := m.totals
	m.counter.countTo(m.at)
	s := statsOf(m.scan.ctx.Frame, m.counter)
	t.Events, t.Now, t.Runtime = m.at+1, s.Now, s.Total
	t.ShareTask, t.WaitMaxTask = scheduler.NoTask, scheduler.NoTask
	var lengths []scheduler.Time
	var total scheduler.Time
	for i := range s.Tasks {
		k := &s.Tasks[i]
		t.Voluntary += k.Voluntary
		t.Involuntary += k.Involuntary
		total += k.WaitTotal
		for _, w := range m.counter.of(i) {
			lengths = append(lengths, w.length)
		}
		if k.Waits > 0 && (t.WaitMaxTask == scheduler.NoTask || k.WaitMax > t.WaitMax) {
			t.WaitMax, t.WaitMaxTask = k.WaitMax, k.Task
		}
		if off := max(k.Share-k.WeightShare, k.WeightShare-k.Share); t.ShareTask == scheduler.NoTask || off > t.ShareError {
			t.ShareError, t.ShareTask = off, k.Task
		}
	}
	t.InvoluntaryShare = share(uint64(t.Involuntary), uint64(t.Voluntary+t.Involuntary))
	if t.Waits = len(lengths); t.Waits > 0 {
		slices.Sort(lengths)
		t.WaitAvg, t.WaitP99 = total/scheduler.Time(t.Waits), rank(lengths, 99)
	}
	return t
}
