package model

import "zerolag/scheduler"

// ringLen is how many whole states around the cursor are kept.
const ringLen = 64

// ring keeps whole states of recent events of the current branch, event i in
// slot i%ringLen. Memory of overwritten states is reused.
type ring struct {
	slots [ringLen]struct {
		index int // -1: empty
		sim   scheduler.Sim
	}
	// work replays the long way from a checkpoint.
	work scheduler.Sim
}

func newRing() *ring {
	g := &ring{}
	for i := range g.slots {
		g.slots[i].index = -1
	}
	return g
}

func (g *ring) get(index int) *scheduler.Sim {
	if s := &g.slots[index%ringLen]; s.index == index {
		return &s.sim
	}
	return nil
}

// put copies a state in and gives the copy.
func (g *ring) put(index int, from *scheduler.Sim) *scheduler.Sim {
	s := &g.slots[index%ringLen]
	s.index = index
	s.sim.CopyFrom(from)
	return &s.sim
}

// keep drops the states from index on and gives the others new edits, when the
// current branch becomes one that shares the events before index.
func (g *ring) keep(index int, edits []scheduler.Edit) {
	for i := range g.slots {
		s := &g.slots[i]
		if s.index >= index {
			s.index = -1
		}
		if s.index >= 0 {
			s.sim.SetEdits(edits)
		}
	}
}

// state is the state after a known event of b, and fills the ring with those
// before it. It is valid until the next call and must not be stepped.
func (g *ring) state(b *branch, index int) *scheduler.Sim {
	if s := g.get(index); s != nil {
		return s
	}
	// The state before an event is nearly always wanted too, hence index-1.
	from := b.checkpointBefore(max(index-1, 0))
	at := index - 1
	for ; at > from.index && at > index-ringLen; at-- {
		if g.get(at) != nil {
			break
		}
	}
	var s *scheduler.Sim
	if at >= 0 {
		s = g.get(at)
	}
	if s == nil {
		at = from.index
		g.work.CopyFrom(from.sim)
		g.work.SetEdits(b.plain)
		for ; at < index-ringLen+1; at++ {
			g.work.Step(nil)
		}
		s = g.put(at, &g.work)
	}
	for ; at < index; at++ {
		s = g.put(at+1, s)
		s.Step(nil)
	}
	return s
}
