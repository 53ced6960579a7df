package model

import (
	"slices"
	"sort"

	"zerolag/model/expr"
)

// Change is an event after which a value was another one than before it.
type Change struct {
	Index    int
	Position Position
	Old, New expr.Value
}

// tracker finds the changes of some values in a growing stretch of a branch.
// Stretches are looked at forwards, from a checkpoint on.
type tracker struct {
	b      *branch
	values []func(*expr.Context) expr.Value
	// All changes at events low < i <= high are in changes, by value.
	low, high int
	changes   [][]Change
	// ahead stands after event high, once it is needed. back looks at the stretch
	// below low: it stands after event at, and found is what it met.
	ahead, back *stretch
}

// stretch is a scanner with the values after the event that it stands after.
type stretch struct {
	scan  scanner
	at    int
	last  []expr.Value
	first int // the changes from here on are known
	found [][]Change
}

// newTracker tracks values around an event of b.
func newTracker(b *branch, index int, values ...func(*expr.Context) expr.Value) *tracker {
	return &tracker{b: b, values: values, low: index, high: index, changes: make([][]Change, len(values))}
}

// begin makes the stretch that knows the changes after event from or, unless from
// is 0, at an earlier one. The values after the event of a checkpoint may look at
// the state before it, which the stretch does not have.
func (t *tracker) begin(from int) *stretch {
	c := t.b.checkpointBefore(max(from-1, 0))
	s := &stretch{at: c.index, found: make([][]Change, len(t.values))}
	s.scan.start(c.sim, t.b.plain)
	if c.index > 0 {
		s.take()
	}
	s.first = s.at
	s.last = make([]expr.Value, len(t.values))
	for i, value := range t.values {
		s.last[i] = value(&s.scan.ctx)
	}
	return s
}

// take takes one event.
func (s *stretch) take() {
	s.scan.next()
	s.at++
}

// step takes one event and enters the changes that it makes.
func (t *tracker) step(s *stretch) {
	s.take()
	for i, value := range t.values {
		v := value(&s.scan.ctx)
		if v != s.last[i] {
			s.found[i] = append(s.found[i], Change{s.at, t.b.record(s.at).Position(), s.last[i], v})
			s.last[i] = v
		}
	}
}

// reach looks at events up to index, at most budget of them; true when it is
// there.
func (t *tracker) reach(index, budget int) bool {
	if index <= t.high {
		return true
	}
	if t.ahead == nil {
		t.ahead = t.begin(t.high)
	}
	for ; budget > 0 && t.high < index; budget-- {
		s := t.ahead
		t.step(s)
		if s.at <= t.high {
			for i := range s.found {
				s.found[i] = s.found[i][:0]
			}
			continue
		}
		t.high = s.at
		for i := range s.found {
			t.changes[i] = append(t.changes[i], s.found[i]...)
			s.found[i] = s.found[i][:0]
		}
	}
	return t.high >= index
}

// dig looks at events before low, at most about budget of them; true at the
// start of the run.
func (t *tracker) dig(budget int) bool {
	for ; budget > 0 && t.low > 0; budget-- {
		if t.back == nil {
			t.back = t.begin(t.low - 1)
		}
		s := t.back
		if t.step(s); s.at < t.low {
			continue
		}
		for i := range s.found {
			t.changes[i] = slices.Concat(s.found[i], t.changes[i])
		}
		t.low, t.back = s.first, nil
	}
	return t.low == 0
}

// latest is the last change of a value at or before an event inside the stretch.
func (t *tracker) latest(value, index int) (Change, bool) {
	list := t.changes[value]
	i := sort.Search(len(list), func(i int) bool { return list[i].Index > index })
	if i == 0 {
		return Change{}, false
	}
	return list[i-1], true
}
