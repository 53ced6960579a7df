package scheduler

// The timeline of a queue is a red-black tree of its waiting entities by
// deadline, equal ones in the order of insertion, with summaries of each
// subtree: smallest vruntime, smallest and largest slice. Its shape and the
// moments at which summaries are refreshed are the kernel's, because the slice
// summaries go stale after rotations and feed group slices, slice protection
// and the bound of the lag (SPEC-7x section 18, SPEC-6.6-6.12.0 section 1). In
// 6.6 and 6.7 the order is that of vruntime and the summary the smallest
// deadline; there the shape decides ties of the pick.

func (m *Machine) leftOf(n EntityID) EntityID  { return m.ents[n].left }
func (m *Machine) rightOf(n EntityID) EntityID { return m.ents[n].right }

func (m *Machine) isRed(n EntityID) bool { return n != NoEntity && m.ents[n].red }

// before is the order of the tree.
func (m *Machine) before(a, b *entity) bool {
	if m.rules.byVruntime {
		return a.vruntime.Before(b.vruntime)
	}
	return a.deadline.Before(b.deadline)
}

// ownLeast is what an entity contributes to the least of its subtree.
func (m *Machine) ownLeast(e *entity) Vtime {
	if m.rules.byVruntime {
		return e.deadline
	}
	return e.vruntime
}

// summarise recomputes a node's summaries from its own values and those stored
// in its children; it tells whether any of them changed.
func (m *Machine) summarise(n EntityID) bool {
	e := &m.ents[n]
	v, lo, hi := m.ownLeast(e), e.slice, e.slice
	for _, c := range [2]EntityID{e.left, e.right} {
		if c == NoEntity {
			continue
		}
		child := &m.ents[c]
		v = minVtime(v, child.least)
		lo, hi = min(lo, child.minSlice), max(hi, child.maxSlice)
	}
	if !m.rules.keepsMaxSlice {
		hi = e.maxSlice
	}
	if v == e.least && lo == e.minSlice && hi == e.maxSlice {
		return false
	}
	e.least, e.minSlice, e.maxSlice = v, lo, hi
	return true
}

// climb summarises n and its ancestors up to, but not including, stop; it ends
// at the first node that did not change.
func (m *Machine) climb(n, stop EntityID) {
	for n != stop && n != NoEntity && m.summarise(n) {
		n = m.ents[n].up
	}
}

// replaceChild hangs child below up in the place of old.
func (m *Machine) replaceChild(q *FairQueue, up, old, child EntityID) {
	switch {
	case up == NoEntity:
		q.root = child
	case m.ents[up].left == old:
		m.ents[up].left = child
	default:
		m.ents[up].right = child
	}
	if child != NoEntity {
		m.ents[child].up = up
	}
}

// rotate lets y, a child of x, take the place of x. Only its least
// is copied to the riser; its slice summaries stay as they were.
func (m *Machine) rotate(q *FairQueue, x, y EntityID) {
	ex, ey := &m.ents[x], &m.ents[y]
	m.replaceChild(q, ex.up, x, y)
	if ex.left == y {
		ex.left = ey.right
		ey.right = x
		if ex.left != NoEntity {
			m.ents[ex.left].up = x
		}
	} else {
		ex.right = ey.left
		ey.left = x
		if ex.right != NoEntity {
			m.ents[ex.right].up = x
		}
	}
	ex.up = y
	ey.least = ex.least
	m.summarise(x)
}

// treeInsert links an entity into the tree, behind its equals.
func (m *Machine) treeInsert(q *FairQueue, e *entity) {
	e.least, e.minSlice = m.ownLeast(e), e.slice
	e.left, e.right, e.red = NoEntity, NoEntity, true
	up, n, leftmost := NoEntity, q.root, true
	for n != NoEntity {
		up = n
		if m.before(e, &m.ents[n]) {
			n = m.ents[n].left
		} else {
			n = m.ents[n].right
			leftmost = false
		}
	}
	e.up = up
	switch {
	case up == NoEntity:
		q.root = e.id
	case m.before(e, &m.ents[up]):
		m.ents[up].left = e.id
	default:
		m.ents[up].right = e.id
	}
	if leftmost {
		q.leftmost = e.id
	}
	m.climb(up, NoEntity)
	m.fixInsert(q, e.id)
}

// fixInsert restores the colours above a new red node.
func (m *Machine) fixInsert(q *FairQueue, n EntityID) {
	for {
		p := m.ents[n].up
		if p == NoEntity {
			m.ents[n].red = false
			return
		}
		if !m.ents[p].red {
			return
		}
		g := m.ents[p].up
		u := m.ents[g].left
		if u == p {
			u = m.ents[g].right
		}
		if m.isRed(u) {
			m.ents[u].red, m.ents[p].red, m.ents[g].red = false, false, true
			n = g
			continue
		}
		if (m.ents[p].left == n) != (m.ents[g].left == p) { // inner grandchild
			m.rotate(q, p, n)
			p = n
		}
		m.ents[p].red, m.ents[g].red = false, true
		m.rotate(q, g, p)
		return
	}
}

// treeErase unlinks an entity.
func (m *Machine) treeErase(q *FairQueue, e *entity) {
	if q.leftmost == e.id {
		q.leftmost = m.treeNext(e.id)
	}
	n := e.id
	var top, fix EntityID
	if e.left != NoEntity && e.right != NoEntity {
		top, fix = m.eraseInner(q, e)
	} else {
		child, p := e.left, e.up
		if child == NoEntity {
			child = e.right
		}
		m.replaceChild(q, p, n, child)
		top, fix = p, NoEntity
		switch {
		case child != NoEntity:
			m.ents[child].red = e.red
		case !e.red:
			fix = p
		}
	}
	m.climb(top, NoEntity)
	if fix != NoEntity {
		m.fixErase(q, fix)
	}
	e.left, e.right, e.up = NoEntity, NoEntity, NoEntity
}

// eraseInner replaces an entity with two children by its successor. top is
// where summaries change, fix the node one of whose sides lacks a black node.
func (m *Machine) eraseInner(q *FairQueue, e *entity) (top, fix EntityID) {
	s := e.right
	for m.ents[s].left != NoEntity {
		s = m.ents[s].left
	}
	es := &m.ents[s]
	child, p, wasRed := es.right, s, es.red
	es.least = e.least
	if s != e.right {
		p = es.up
		m.ents[p].left = child
		if child != NoEntity {
			m.ents[child].up = p
		}
		es.right = e.right
		m.ents[e.right].up = s
		m.climb(p, s)
	}
	es.left = e.left
	m.ents[e.left].up = s
	es.red = e.red
	m.replaceChild(q, e.up, e.id, s)
	fix = NoEntity
	switch {
	case child != NoEntity:
		m.ents[child].red = false
	case !wasRed:
		fix = p
	}
	return s, fix
}

// fixErase restores the colours where one side of p lacks a black node.
func (m *Machine) fixErase(q *FairQueue, p EntityID) {
	n := NoEntity
	for {
		lackLeft := m.ents[p].left == n
		if n == NoEntity {
			lackLeft = m.ents[p].right != NoEntity
		}
		near, far := m.leftOf, m.rightOf // children of the sibling, seen from the lacking side
		if !lackLeft {
			near, far = far, near
		}
		s := far(p)
		if m.isRed(s) {
			m.ents[s].red, m.ents[p].red = false, true
			m.rotate(q, p, s)
			s = far(p)
		}
		if !m.isRed(near(s)) && !m.isRed(far(s)) {
			m.ents[s].red = true
			if m.ents[p].red {
				m.ents[p].red = false
				return
			}
			n, p = p, m.ents[p].up
			if p == NoEntity {
				return
			}
			continue
		}
		if !m.isRed(far(s)) {
			inner := near(s)
			m.rotate(q, s, inner)
			s = inner
		}
		m.ents[s].red = m.ents[p].red
		m.ents[p].red = false
		m.ents[far(s)].red = false
		m.rotate(q, p, s)
		return
	}
}

// treeNext is the node after n in tree order.
func (m *Machine) treeNext(n EntityID) EntityID {
	if r := m.ents[n].right; r != NoEntity {
		for m.ents[r].left != NoEntity {
			r = m.ents[r].left
		}
		return r
	}
	for {
		up := m.ents[n].up
		if up == NoEntity || m.ents[up].left == n {
			return up
		}
		n = up
	}
}

// minSlice is cfs_rq_min_slice: the smallest slice of a queue as the version
// sees it, noSlice when empty.
func (m *Machine) minSlice(q *FairQueue) uint64 {
	s := noSlice
	if c := m.current(q); c != nil {
		s = c.slice
	}
	if q.root == NoEntity {
		return s
	}
	if m.cfg.Aug == AugIdeal || !m.rules.keepsMinSlice {
		for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
			s = min(s, m.ents[n].slice)
		}
		return s
	}
	return min(s, m.ents[q.root].minSlice)
}

// maxSlice is cfs_rq_max_slice (7.0+): the largest slice, 0 when empty.
func (m *Machine) maxSlice(q *FairQueue) uint64 {
	s := uint64(0)
	if c := m.current(q); c != nil {
		s = c.slice
	}
	if q.root == NoEntity {
		return s
	}
	if m.cfg.Aug == AugIdeal || !m.rules.keepsMaxSlice {
		for n := q.leftmost; n != NoEntity; n = m.treeNext(n) {
			s = max(s, m.ents[n].slice)
		}
		return s
	}
	return max(s, m.ents[q.root].maxSlice)
}
