package model

import (
	"slices"
	"sort"

	"zerolag/scheduler"
)

// Side says in which run of a Pair the event of a Difference is.
type Side uint8

// The sides.
const (
	BothSides Side = iota // the same event, decided otherwise
	OnlyA                 // an event of A that B does not have
	OnlyB                 // an event of B that A does not have
)

// Difference is a decision in which two runs differ: the same event asks for a
// reschedule or gives a CPU to another task in one of them only; or an event that
// one run has alone makes them run different tasks, after they ran the same. There
// is one at a time at most.
type Difference struct {
	Time scheduler.Time
	// A and B are the events of each run; on the side that lacks the event, the
	// one after which it would come.
	A, B int
	Side Side
}

// Pair is two runs of one scenario in lock-step. The current branches are
// compared; when one of the runs changes its branch the comparison starts again.
type Pair struct {
	A, B  *Run
	sides [2]pairSide
	at    scheduler.Time // of the events looked at last
	apart scheduler.Time
	done  bool
	diffs []Difference
	taken []bool // the events of B that have a counterpart
}

// pairSide is how far the comparison has come in one run.
type pairSide struct {
	b       *branch
	next    int                // index of the first event not looked at
	running []scheduler.TaskID // by CPU, after the events before next
}

// Compare pairs two runs. Their workloads have the same CPUs and tasks.
func Compare(a, b *Run) *Pair {
	p := &Pair{A: a, B: b}
	p.restart()
	return p
}

func (p *Pair) restart() {
	*p = Pair{A: p.A, B: p.B, sides: [2]pairSide{sideOf(p.A), sideOf(p.B)}}
}

func sideOf(r *Run) pairSide {
	s := pairSide{b: r.b}
	for _, lane := range r.b.lanesBefore(0).cpus {
		s.running = append(s.running, lane.task)
	}
	return s
}

// Scan compares up to about budget more events, simulating as needed, and tells
// whether the comparison has reached the end of both runs.
func (p *Pair) Scan(budget int) bool {
	if p.sides[0].b != p.A.b || p.sides[1].b != p.B.b {
		p.restart()
	}
	for budget > 0 && !p.done {
		budget -= p.moment()
	}
	return p.done
}

// moment compares the events of the next time and counts them.
func (p *Pair) moment() int {
	a, b := &p.sides[0], &p.sides[1]
	t := min(a.time(p.A), b.time(p.B))
	if t == scheduler.NoTime {
		p.done = true
		return 0
	}
	wasApart := !slices.Equal(a.running, b.running)
	if wasApart {
		p.apart += t - p.at
	}
	p.at = t
	endA, endB := a.end(p.A, t), b.end(p.B, t)
	d, differs := p.match(endA, endB)
	looked := endA - a.next + endB - b.next
	a.follow(endA)
	b.follow(endB)
	parted := !wasApart && !slices.Equal(a.running, b.running)
	if d.Time = t; differs || parted {
		p.diffs = append(p.diffs, d)
	}
	return looked
}

// time is when the next event of a side happens, NoTime at the end of the run.
func (s *pairSide) time(r *Run) scheduler.Time {
	if s.next == s.b.known && !s.b.advance(r.w.Until) {
		return scheduler.NoTime
	}
	return s.b.record(s.next).Time
}

// end is the index after the last event at t.
func (s *pairSide) end(r *Run, t scheduler.Time) int {
	for i := s.next; ; i++ {
		if i == s.b.known && !s.b.advance(r.w.Until) || s.b.record(i).Time != t {
			return i
		}
	}
}

// follow brings running up to date before the event at end.
func (s *pairSide) follow(end int) {
	for ; s.next < end; s.next++ {
		if e := s.b.record(s.next); e.Switched() {
			s.running[e.CPU] = e.Curr
		}
	}
}

// match finds counterparts among the events of one time: the first of its kind
// with the first of the other run, and so on. It gives the first counterparts that
// decided otherwise; if there are none, the event without counterpart that tells
// best why the runs part: one that switched, else the first.
func (p *Pair) match(endA, endB int) (d Difference, differs bool) {
	a, b := &p.sides[0], &p.sides[1]
	p.taken = append(p.taken[:0], make([]bool, endB-b.next)...)
	alone, best := Difference{A: endA - 1, B: endB - 1}, 0
	lonely := func(e *EventRecord, found Difference) {
		value := 1
		if e.Switched() {
			value = 2
		}
		if value > best {
			alone, best = found, value
		}
	}
	free := b.next
	for i := a.next; i < endA; i++ {
		for free < endB && p.taken[free-b.next] {
			free++
		}
		x, k := a.b.record(i), free
		for k < endB && (p.taken[k-b.next] || !x.counterpart(b.b.record(k))) {
			k++
		}
		if k == endB {
			lonely(x, Difference{A: i, B: max(free-1, 0), Side: OnlyA})
			continue
		}
		if x.decidesOtherwise(b.b.record(k)) {
			return Difference{A: i, B: k}, true
		}
		p.taken[k-b.next] = true
	}
	for k := free; k < endB; k++ {
		if !p.taken[k-b.next] {
			lonely(b.b.record(k), Difference{A: max(endA-1, 0), B: k, Side: OnlyB})
		}
	}
	return alone, false
}

// counterpart tells whether two events of one time are the same event.
func (e *EventRecord) counterpart(o *EventRecord) bool {
	return e.Kind == o.Kind && e.CPU == o.CPU && e.Task == o.Task
}

// decidesOtherwise tells whether the same event came to another end.
func (e *EventRecord) decidesOtherwise(o *EventRecord) bool {
	return e.Switched() != o.Switched() || e.Switched() && e.Curr != o.Curr || e.Resched() != o.Resched()
}

// Differences are those found so far, in order.
func (p *Pair) Differences() []Difference { return p.diffs }

// Apart is the time during which some CPU ran different tasks, as far as the
// comparison has come.
func (p *Pair) Apart() scheduler.Time { return p.apart }

// ApartShare is Apart as a share of the time compared, in parts per million.
func (p *Pair) ApartShare() int64 { return share(uint64(p.apart), uint64(p.at)) }

// Next puts both cursors on the nearest difference after (dir 1) or before
// (dir -1) where they stand, comparing about budget events in this call. Call it
// again while it says Working.
func (p *Pair) Next(dir, budget int) Progress {
	done := p.Scan(0)
	a, b := p.A.index, p.B.index
	find := func() int {
		if dir > 0 {
			return sort.Search(len(p.diffs), func(i int) bool { return p.diffs[i].A > a || p.diffs[i].B > b })
		}
		return sort.Search(len(p.diffs), func(i int) bool { return p.diffs[i].A >= a && p.diffs[i].B >= b }) - 1
	}
	reached := func() bool { return done || p.sides[0].next > a && p.sides[1].next > b }
	for budget > 0 && (dir > 0 && find() == len(p.diffs) && !done || dir < 0 && !reached()) {
		slice := min(budget, chunkLen)
		done = p.Scan(slice)
		budget -= slice
	}
	i := find()
	switch {
	case i >= 0 && i < len(p.diffs) && (dir > 0 || reached()):
		p.Go(p.diffs[i])
		return Found
	case done || dir < 0 && reached():
		return Exhausted
	}
	return Working
}

// Go puts the cursors of both runs on a difference.
func (p *Pair) Go(d Difference) {
	p.A.Seek(d.A)
	p.B.Seek(d.B)
}

// Follow puts the cursor of B on the counterpart of the event at the cursor of A,
// or on the last event up to its time if it has none.
func (p *Pair) Follow() { p.B.approach(*p.A.b.record(p.A.index)) }
