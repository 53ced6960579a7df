package recording

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"zerolag/scheduler"
)

// world is what the addresses of a recording stand for.
type world struct {
	cpus       int
	seOffset   uint64 // from a task to its entity
	nodeOffset uint64 // from an entity to its tree node
	rootOffset uint64 // from a run queue to its root queue of the fair class
	rqCPU      map[uint64]int
	queues     map[uint64]*queueInfo
	queueOrder []uint64 // in order of first sight
	groups     map[uint64]*groupInfo
	groupOrder []uint64
	owners     map[uint64]uint64  // group entity -> its queue
	lives      map[uint64][]*life // by entity
	lifeOrder  []*life
	byPid      map[int]*life
	leftmost   map[uint64]int // tree node -> line where it was first leftmost
	root       uint64         // the root group
}

// queueInfo is a queue. What it was at the start is what its first event shows.
type queueInfo struct {
	addr, tg uint64
	cpu      int // -1 until an event tells
	first    *line
	id       scheduler.QueueID
	seen     bool // compared from now on
	shaped   bool // the shape of its tree is known
}

type groupInfo struct {
	tg, parent uint64
	name       string
	id         scheduler.GroupID
	shares     bool // its shares are known
}

// life is one task from its fork, or from the start of the recording, to its
// end: an address is used again later. Group entities have a life too.
type life struct {
	addr   uint64
	pid    int
	name   string
	queue  uint64 // the first one it was seen on
	first  *line  // its first event, nil for a forked task
	prefix string // of its fields there
	policy scheduler.Policy
	nice   int
	group  bool
	forked bool

	id      scheduler.EntityID
	task    scheduler.TaskID
	seen    bool
	born    bool // forked in the replay
	other   bool // in another class: run time is not recorded
	exits   bool // is about to end
	resets  bool // reset_on_fork
	attr    *attributes
	inverse *uint32 // what the inverse weight becomes after the reweight
}

// sight is one entity of an event: the address and the prefix of its fields.
type sight struct {
	addr   uint64
	prefix string
}

// sights lists the entities whose state an event shows.
func (w *world) sights(l *line) []sight {
	var list []sight
	if _, ok := l.get("v"); ok {
		switch {
		case l.num64("se") != 0:
			list = append(list, sight{l.num64("se"), ""})
		case l.name == "yield_task_fair":
			list = append(list, sight{l.num64("cur") + w.seOffset, ""})
		case l.num64("p") != 0:
			list = append(list, sight{l.num64("p") + w.seOffset, ""})
		}
	}
	if addr := l.num64("q_curr"); addr != 0 && l.has("c_v") {
		list = append(list, sight{addr, "c_"})
	}
	if addr := l.num64("ret"); addr != 0 && l.has("r_v") {
		list = append(list, sight{addr, "r_"})
	}
	return list
}

func (l *line) has(key string) bool {
	_, ok := l.get(key)
	return ok
}

// fairPolicy reads a policy number; ok is false for other classes.
func fairPolicy(n uint64) (p scheduler.Policy, ok bool) {
	switch n {
	case uint64(scheduler.PolicyNormal), uint64(scheduler.PolicyBatch), uint64(scheduler.PolicyIdle):
		return scheduler.Policy(n), true
	}
	return scheduler.PolicyNormal, false
}

// niceOf is the nice value of a static priority (100 ... 139).
func niceOf(static uint64) int {
	return min(max(int(static)-120, scheduler.MinNice), scheduler.MaxNice)
}

// discover reads all events once and finds out what the addresses are and what
// was there before the first event.
func discover(lines []*line, ops []*node) (*world, error) {
	w := &world{
		nodeOffset: 16,
		rqCPU:      map[uint64]int{},
		queues:     map[uint64]*queueInfo{},
		groups:     map[uint64]*groupInfo{},
		owners:     map[uint64]uint64{},
		lives:      map[uint64][]*life{},
		byPid:      map[int]*life{},
		leftmost:   map[uint64]int{},
	}
	if err := w.findOffsets(ops); err != nil {
		return nil, err
	}
	for _, l := range lines {
		w.cpus = max(w.cpus, l.cpu+1, int(min(l.num64("qcpu"), maxCPUs-1))+1)
		w.findQueue(l)
		w.findEntities(l)
		w.nameTask(l)
	}
	return w, w.orderGroups()
}

// maxCPUs bounds the CPUs of a recording.
const maxCPUs = scheduler.MaxCPUs

// findOffsets learns the layout of the kernel's structures from calls that show
// both an outer address and an inner one.
func (w *world) findOffsets(ops []*node) error {
	for _, op := range ops {
		op.walk(func(n *node) {
			if n.entry == nil || len(n.kids) == 0 || n.kids[0].entry == nil {
				return
			}
			e, k := n.entry, n.kids[0].entry
			switch {
			case w.seOffset == 0 && (n.name == "dequeue_task_fair" || n.name == "enqueue_task_fair") && k.has("se") && k.num64("my") == 0:
				w.seOffset = k.num64("se") - e.num64("p")
			case w.rootOffset == 0 && n.name == "pick_task_fair" && k.has("q"):
				w.rootOffset = k.num64("q") - e.num64("rq")
			}
		})
		op.walk(func(n *node) {
			if n.name == "__enqueue_entity" && n.exit != nil && n.entry.has("q_left") && n.entry.num64("q_left") == 0 {
				w.nodeOffset = n.exit.num64("q_left") - n.exit.num64("se")
			}
		})
	}
	switch {
	case w.seOffset == 0:
		return fmt.Errorf("no task is enqueued or dequeued with its entity: expected entry and exit events of enqueue_task_fair and enqueue_entity")
	case w.rootOffset == 0:
		return fmt.Errorf("no task is picked: expected entry and exit events of pick_task_fair and pick_eevdf")
	}
	return nil
}

// queueAddr is the queue whose state an event shows, 0 if none.
func (w *world) queueAddr(l *line) uint64 {
	if q := l.num64("q"); q != 0 {
		return q
	}
	if rq := l.num64("rq"); rq != 0 && l.has("q_zv") {
		return rq + w.rootOffset
	}
	return 0
}

func (w *world) findQueue(l *line) {
	if rq := l.num64("rq"); rq != 0 && l.has("qcpu") {
		w.rqCPU[rq] = int(l.num64("qcpu"))
	}
	if l.name == "update_cfs_group" {
		w.group(l.num64("tg")).name = l.word("grp")
	}
	addr := w.queueAddr(l)
	if addr == 0 || !l.has("q_zv") {
		return
	}
	q := w.queues[addr]
	if q == nil {
		q = &queueInfo{addr: addr, tg: l.num64("q_tg"), cpu: -1, first: l}
		w.queues[addr] = q
		w.queueOrder = append(w.queueOrder, addr)
		w.group(q.tg)
	}
	if left := l.num64("q_left"); left != 0 && w.leftmost[left] == 0 {
		w.leftmost[left] = l.num
	}
	if l.has("qcpu") {
		q.cpu = int(l.num64("qcpu"))
	}
}

// byLeftmost orders entities by the moment at which they first were leftmost in
// a tree: that is how equal deadlines followed each other.
func (w *world) byLeftmost(a, b *life) int {
	last := func(n *life) int {
		if at := w.leftmost[n.addr+w.nodeOffset]; at != 0 {
			return at
		}
		return math.MaxInt
	}
	return cmp.Compare(last(a), last(b))
}

func (w *world) group(tg uint64) *groupInfo {
	g := w.groups[tg]
	if g == nil {
		g = &groupInfo{tg: tg}
		w.groups[tg] = g
		w.groupOrder = append(w.groupOrder, tg)
	}
	return g
}

// findEntities notes the first sight of entities and the starts of new lives.
func (w *world) findEntities(l *line) {
	policy, fair := fairPolicy(l.num64("pol"))
	if l.has("pol") && !fair {
		return
	}
	if l.name == "sched_fork" && l.exit {
		n := w.newLife(l.num64("p") + w.seOffset)
		n.forked, n.policy, n.nice = true, policy, niceOf(l.num64("sprio"))
		return
	}
	for _, s := range w.sights(l) {
		n := w.lastLife(s.addr)
		if n == nil {
			n = w.newLife(s.addr)
			n.first, n.prefix = l, s.prefix
			if my := l.num64(s.prefix + "my"); my != 0 {
				n.group = true
				w.owners[s.addr] = my
			}
			if l.has("pol") {
				n.policy, n.nice = policy, niceOf(l.num64("sprio"))
			}
		}
		if q := l.num64("q"); q != 0 && n.queue == 0 {
			n.queue = q
		}
	}
}

func (w *world) newLife(addr uint64) *life {
	n := &life{addr: addr, id: scheduler.NoEntity, task: scheduler.NoTask}
	w.lives[addr] = append(w.lives[addr], n)
	w.lifeOrder = append(w.lifeOrder, n)
	return n
}

func (w *world) lastLife(addr uint64) *life {
	list := w.lives[addr]
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// nameTask gives the task of an event its pid, and the executing task the name
// that it runs under. sched_fork still shows the pid of the parent.
func (w *world) nameTask(l *line) {
	pid := int(l.num64("pid"))
	if p := l.num64("p"); p != 0 && pid != 0 && !(l.name == "sched_fork" && l.exit) {
		if n := w.lastLife(p + w.seOffset); n != nil {
			n.pid = pid
			w.byPid[pid] = n
		}
	}
	if n := w.byPid[l.pid]; n != nil {
		n.name = l.comm
	}
}

// orderGroups finds the parents of groups and sorts them parents first. A group
// whose entity no event shows hangs below the root group.
func (w *world) orderGroups() error {
	for rq, cpu := range w.rqCPU {
		if q := w.queues[rq+w.rootOffset]; q != nil {
			q.cpu, w.root = cpu, q.tg
		}
	}
	if w.root == 0 {
		return fmt.Errorf("no event shows the root queue of a CPU: expected its reference point as q_zv, which kernels with min_vruntime do not have")
	}
	for _, tg := range w.groupOrder {
		if tg != w.root {
			w.groups[tg].parent = w.root
		}
	}
	for _, n := range w.lifeOrder {
		own, above := w.queues[w.owners[n.addr]], w.queues[n.queue]
		if n.group && own != nil && above != nil {
			w.groups[own.tg].parent = above.tg
		}
	}
	depth := map[uint64]int{}
	for _, tg := range w.groupOrder {
		for up := tg; up != w.root; up = w.groups[up].parent {
			if depth[tg]++; depth[tg] > len(w.groups) {
				return fmt.Errorf("group at %#x is its own ancestor", tg)
			}
		}
	}
	slices.SortStableFunc(w.groupOrder, func(a, b uint64) int { return cmp.Compare(depth[a], depth[b]) })
	for _, addr := range w.queueOrder {
		if q := w.queues[addr]; q.cpu < 0 {
			return fmt.Errorf("line %d: no event tells the CPU of queue %#x", q.first.num, addr)
		}
	}
	return nil
}
