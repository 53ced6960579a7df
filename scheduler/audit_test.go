package scheduler

import (
	"fmt"
	"math/big"
)

// audit recomputes recorded steps in big integers, from the state that the
// frames show: V of every queue, the eligibility and the fate of each candidate
// of a pick, placements, lags and what a new weight does to them. It works with groups, on any number of CPUs
// and inside simulations, where the second opinion cannot follow.
type audit struct {
	wrapped bool  // a product has left 64 bits: the kernel's answer wraps from here on
	bounded int64 // the lag that was bounded last
}

var int64Limit = new(big.Int).Lsh(big.NewInt(1), 62)

func (a *audit) steps(m *Machine, steps []Step) error {
	for i := range steps {
		s := &steps[i]
		if err := a.frame(m, s.After); err != nil {
			return fmt.Errorf("after step %d (%s, reason %d): %w", i, s.Kind, s.Reason, err)
		}
		if a.wrapped {
			return nil
		}
		if err := a.step(m, s); err != nil {
			return fmt.Errorf("step %d (%s, reason %d) on queue %d: %w", i, s.Kind, s.Reason, s.Queue, err)
		}
	}
	var now Frame
	m.Frame(&now)
	return a.frame(m, &now)
}

func (a *audit) step(m *Machine, s *Step) error {
	switch s.Kind {
	case StepPick:
		return a.pick(m, s)
	case StepPlace:
		return a.place(s)
	case StepLag:
		return a.lag(m, s)
	case StepCharge:
		return a.charge(m, s)
	case StepWeight:
		return a.weight(m, s)
	}
	return nil
}

// weight is W of an entity in the sums of its queue.
func weightOf(m *Machine, q *QueueFrame, e *EntityFrame) *big.Int {
	w := e.Weight
	switch {
	case !m.rules.fullWeight:
		w = down(w)
	case q.SumShift > 0:
		w = max(2, w>>q.SumShift)
	}
	return new(big.Int).SetUint64(w)
}

// totals are sum w*(v-zero) and sum w over the tree and the running entity.
func (a *audit) totals(m *Machine, f *Frame, q *QueueFrame) (wv, w *big.Int) {
	wv, w = new(big.Int), new(big.Int)
	add := func(id EntityID) {
		e := f.Entity(id)
		x := weightOf(m, q, e)
		p := new(big.Int).Mul(x, num(e.Vruntime.Sub(q.Zero)))
		a.wrapped = a.wrapped || p.CmpAbs(int64Limit) >= 0
		wv.Add(wv, p)
		w.Add(w, x)
	}
	for _, id := range q.Tree {
		add(id)
	}
	if c := f.Entity(q.Curr); c != nil && c.OnRQ && !inTree(q, q.Curr) {
		add(q.Curr)
	}
	a.wrapped = a.wrapped || wv.CmpAbs(int64Limit) >= 0
	return wv, w
}

func inTree(q *QueueFrame, id EntityID) bool {
	for _, x := range q.Tree {
		if x == id {
			return true
		}
	}
	return false
}

// frame checks V and all eligibilities of a state.
func (a *audit) frame(m *Machine, f *Frame) error {
	for i := range f.Queues {
		q := &f.Queues[i]
		if inTree(q, q.Curr) {
			continue // inside put_prev: counted twice for a moment
		}
		wv, w := a.totals(m, f, q)
		if a.wrapped = a.wrapped || q.Overflow; a.wrapped {
			return nil
		}
		want := q.Zero
		if w.Sign() > 0 {
			want = q.Zero.Add(new(big.Int).Div(wv, w).Int64())
		}
		if q.V != want {
			return fmt.Errorf("V of queue %d is %d, the floor of the mean is %d", q.ID, int64(q.V), int64(want))
		}
		for _, id := range append(append([]EntityID(nil), q.Tree...), q.Curr) {
			e := f.Entity(id)
			if e == nil {
				continue
			}
			if want := a.eligible(f, q, wv, w, e.Vruntime); e.Eligible != want {
				return fmt.Errorf("%s is eligible %t, by sums %t", e.Name, e.Eligible, want)
			}
		}
	}
	return nil
}

func (a *audit) eligible(f *Frame, q *QueueFrame, wv, w *big.Int, v Vtime) bool {
	p := new(big.Int).Mul(w, num(v.Sub(q.Zero)))
	a.wrapped = a.wrapped || p.CmpAbs(int64Limit) >= 0
	return wv.Cmp(p) >= 0 || !f.Features.Has(EnforceEligibility)
}

// pick scans all candidates: the first eligible one in tree order, unless the
// runner is protected or earlier.
func (a *audit) pick(m *Machine, s *Step) error {
	switch s.Reason {
	case ReasonPickNobody, ReasonPickIdle, ReasonDelayedPicked, ReasonPickBuddy, ReasonPickOnly:
		return nil
	}
	q := s.After.Queue(s.Queue)
	wv, w := a.totals(m, s.After, q)
	var curr, best *Candidate
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if want := a.eligible(s.After, q, wv, w, c.Vruntime); c.Eligible != want {
			return fmt.Errorf("candidate %d is eligible %t, by sums %t", c.Entity, c.Eligible, want)
		}
		switch {
		case c.Curr:
			curr = c
		case c.Eligible && (best == nil || m.rules.byVruntime && c.Deadline.Before(best.Deadline)):
			best = c
		}
	}
	if a.wrapped {
		return nil
	}
	if s.Reason == ReasonPickProtected || s.Reason == ReasonPickProtectedNotElig {
		ineligible := s.Reason == ReasonPickProtectedNotElig
		respected := s.After.Features.Has(RespectSlice) // keeps an ineligible runner too
		if curr == nil || s.Other != curr.Entity || !curr.Protected || curr.Eligible == ineligible && !respected {
			return fmt.Errorf("protected pick of %d, the running candidate is %+v", s.Other, curr)
		}
		return nil
	}
	// An ineligible runner stays a candidate under the proposals that keep one.
	kept := s.After.Features.Has(RespectSlice) || s.After.Features.Has(SliceSet) || s.After.Features.Has(RunToParityWakeup)
	if curr != nil && (curr.Eligible || kept && s.Other == curr.Entity) && (best == nil || curr.Deadline.Before(best.Deadline)) {
		best = curr
	}
	if best != nil && m.rules.byVruntime && s.After.Entity(s.Other).Deadline == best.Deadline {
		return nil // the shape of the tree decides between equals
	}
	if best == nil || best.Entity != s.Other {
		return fmt.Errorf("picked %d, a scan finds %+v", s.Other, best)
	}
	return nil
}

// place checks vruntime = V - vlag*(load+w)/load.
func (a *audit) place(s *Step) error {
	v, isPlace := s.Arg(ArgInflated)
	load, _ := s.Arg(ArgLoad)
	if !isPlace || s.Reason == ReasonZeroShifted {
		return nil
	}
	mean, _ := s.Arg(ArgV)
	lag, _ := s.Arg(ArgLag)
	w, _ := s.Arg(ArgWeight)
	to, _ := s.Arg(ArgVruntimeTo)
	want := big.NewInt(0)
	if load != 0 {
		want = new(big.Int).Mul(num(lag), new(big.Int).Add(num(load), num(w)))
		if a.wrapped = want.CmpAbs(int64Limit) >= 0; a.wrapped {
			return nil
		}
		want.Quo(want, num(load))
	}
	if want.Cmp(num(v)) != 0 || to != mean-v {
		return fmt.Errorf("placed at %d with inflated lag %d, expected lag %s before V %d", to, v, want, mean)
	}
	return nil
}

// lag checks V - vruntime within the limit.
func (a *audit) lag(m *Machine, s *Step) error {
	if s.Reason != ReasonLagKept && s.Reason != ReasonLagClamped {
		return nil
	}
	v, _ := s.Arg(ArgV)
	at, _ := s.Arg(ArgVruntime)
	lag, _ := s.Arg(ArgLag)
	to, _ := s.Arg(ArgLagTo)
	limit, _ := s.Arg(ArgLimit)
	want := v - at
	if s.After.Features.Has(LagClamp) {
		want = min(max(want, -limit), limit)
	}
	a.bounded = to
	if lag != v-at || to != want {
		return fmt.Errorf("lag %d stored as %d, expected %d within %d", lag, to, want, limit)
	}
	e := s.After.Entity(s.Entity)
	if limit != 0 && m.rules.fullWeight && (limit < 0 || uint64(limit)*e.Weight/NiceZeroLoad > 1<<40) {
		return fmt.Errorf("limit %d of weight %d is beyond every slice", limit, e.Weight)
	}
	return nil
}

// weight checks that a new weight keeps the lag times the weight, up to one division
// that truncates: the lag off the queue, and on it V - vruntime, which most kernels
// bound first. 6.6 leaves vruntime, and 6.13 to 7.0 place the entity anew.
func (a *audit) weight(m *Machine, s *Step) error {
	arg := func(name ArgName) int64 { v, _ := s.Arg(name); return v }
	k, old, now := kernelOf(m.cfg.Kernel), arg(ArgWeightFrom), arg(ArgWeightTo)
	lag, to := arg(ArgLag), arg(ArgLagTo)
	if s.Reason == ReasonReweightedQueued {
		v, from := arg(ArgV), arg(ArgVruntimeFrom)
		lag, to = v-from, v-arg(ArgVruntimeTo)
		switch resets := s.After.Features.Has(ReweightResetsDeadline); {
		case k == k66 || resets:
			if lag != to {
				return fmt.Errorf("vruntime moves from %d to %d at a new weight", from, arg(ArgVruntimeTo))
			}
			return nil
		case k >= k617 && k <= k70:
			return nil
		case k >= k69 && lag != 0:
			lag = a.bounded
		}
	}
	want := new(big.Int).Mul(num(lag), num(old))
	if !want.IsInt64() {
		return nil // the product wraps
	}
	if want.Quo(want, num(now)); want.Cmp(num(to)) != 0 {
		return fmt.Errorf("lag %d at weight %d becomes %d at weight %d, expected %s", lag, old, to, now, want)
	}
	return nil
}

// charge checks the virtual time against d * 2^20 / weight: exact from 7.1 on,
// within the rounding of the inverse of the unscaled weight before.
func (a *audit) charge(m *Machine, s *Step) error {
	d, _ := s.Arg(ArgDelta)
	vd, _ := s.Arg(ArgVdelta)
	from, _ := s.Arg(ArgVruntimeFrom)
	to, _ := s.Arg(ArgVruntimeTo)
	w, slack := s.After.Entity(s.Entity).Weight, big.NewInt(0)
	want := new(big.Int).Mul(num(d), num(NiceZeroLoad))
	if !m.rules.fullWeight {
		w = down(w) << fixedShift
		slack = new(big.Int).Quo(want, new(big.Int).SetUint64(w<<9))
		slack.Add(slack, num(2))
	}
	want.Quo(want, new(big.Int).SetUint64(w))
	if off := new(big.Int).Sub(want, num(vd)); to-from != vd || off.CmpAbs(slack) > 0 {
		return fmt.Errorf("ran %d ns at weight %d: charged %d, expected %s give or take %s", d, w, vd, want, slack)
	}
	return nil
}
