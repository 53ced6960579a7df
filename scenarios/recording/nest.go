package recording

import "slices"

// node is one call of a function: its entry and exit events and what it called.
// An event without a partner has entry or exit only.
type node struct {
	name        string
	entry, exit *line
	kids        []*node
	raced       bool // without the lock, while others used the queue
}

// line is the first event of the node.
func (n *node) line() *line {
	if n.entry != nil {
		return n.entry
	}
	return n.exit
}

// last is the last event of the node.
func (n *node) last() *line {
	if n.exit != nil {
		return n.exit
	}
	return n.entry
}

// walk visits the node and everything below it.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, k := range n.kids {
		k.walk(visit)
	}
}

// open functions are no operation: the lock of the run queue may be dropped in
// them, or they only wrap operations. What they call stands by itself.
var openFunctions = map[string]bool{
	"sched_balance_newidle": true,
	"switched_to_fair":      true,
	"switched_from_fair":    true,
	"migrate_task_rq_fair":  true,
}

// exitOnly are the functions of which the recorder writes the exit alone.
var exitOnly = map[string]bool{"sched_fork": true, "update_entity_lag": true}

// pairs are the functions that have both entry and exit events.
func pairs(lines []*line) map[string]bool {
	both := map[string]bool{}
	for _, l := range lines {
		if l.exit && !exitOnly[l.name] {
			both[l.name] = true
		}
	}
	return both
}

// trim leaves out what each CPU did before the last exit without an entry: a call
// that had begun before the recording.
func trim(lines []*line, paired map[string]bool) []*line {
	from, open := map[int]int{}, map[int][]string{}
	for i, l := range lines {
		switch names := open[l.cpu]; {
		case !paired[l.name]:
		case !l.exit:
			open[l.cpu] = append(names, l.name)
		case len(names) > 0:
			open[l.cpu] = names[:len(names)-1]
		default:
			from[l.cpu] = i + 1
		}
	}
	var kept []*line
	for i, l := range lines {
		if i >= from[l.cpu] {
			kept = append(kept, l)
		}
	}
	return kept
}

// nest pairs entries and exits, per executing CPU, and returns the outermost
// operations in the order in which they happened. Functions under one run
// queue's lock do not overlap, so the order of their entries is the order of
// their effects. Calls that the recording cut off are left out.
func nest(lines []*line, paired map[string]bool) []*node {
	var top []*node
	stacks := map[int][]*node{}
	for _, l := range lines {
		stack := stacks[l.cpu]
		switch both := paired[l.name]; {
		case both && l.exit:
			if at := lastOpen(stack, l.name); at >= 0 {
				stack[at].exit = l
				stack = stack[:at]
			}
		default:
			n := &node{name: l.name}
			if l.exit {
				n.exit = l
			} else {
				n.entry = l
			}
			if len(stack) > 0 {
				up := stack[len(stack)-1]
				up.kids = append(up.kids, n)
			} else {
				top = append(top, n)
			}
			if both {
				stack = append(stack, n)
			}
		}
		stacks[l.cpu] = stack
	}
	return flatten(top, paired, lines)
}

// lastOpen is the innermost open call of a function, -1 if its entry was not
// recorded.
func lastOpen(stack []*node, name string) int {
	for at := len(stack) - 1; at >= 0; at-- {
		if stack[at].name == name {
			return at
		}
	}
	return -1
}

// flatten takes the open functions apart and sorts what is left by its place in
// the file.
func flatten(top []*node, paired map[string]bool, lines []*line) []*node {
	var out []*node
	var add func(*node)
	add = func(n *node) {
		switch {
		case openFunctions[n.name]:
			if n.entry != nil {
				out = append(out, &node{name: n.name, entry: n.entry})
			}
			for _, k := range n.kids {
				add(k)
			}
			if n.exit != nil {
				out = append(out, &node{name: n.name, exit: n.exit})
			}
		case paired[n.name] && n.exit == nil: // cut off by the end of the recording
		case n.unlocked():
			for _, k := range n.kids {
				add(k)
			}
			n.kids, n.raced = nil, raced(n, lines)
			out = append(out, n)
		default:
			out = append(out, n)
		}
	}
	for _, n := range top {
		add(n)
	}
	slices.SortStableFunc(out, func(a, b *node) int { return a.position() - b.position() })
	return out
}

// unlocked tells whether the node is a call of avg_vruntime by a reader of
// sched/debug, which does not hold the run queue's lock.
func (n *node) unlocked() bool {
	return n.name == "avg_vruntime" && n.entry != nil && n.exit != nil && !n.entry.irqsOff()
}

// raced tells whether another event shows the node's queue between its entry and
// its exit.
func raced(n *node, lines []*line) bool {
	from := slices.Index(lines, n.entry) + 1
	for _, l := range lines[from:] {
		if l == n.exit {
			break
		}
		if l.num64("q") == n.entry.num64("q") {
			return true
		}
	}
	return false
}

// position orders nodes: by entry, but an unlocked call by its exit.
func (n *node) position() int {
	if n.unlocked() {
		return n.exit.num
	}
	return n.line().num
}
