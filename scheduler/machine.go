package scheduler

import "slices"

// entity is a sched_entity: a task or a group on one CPU (SPEC-6.12 section 2).
// Its tree links are part of it; see timeline.go.
type entity struct {
	vruntime Vtime
	deadline Vtime // relative to vruntime while relDeadline
	vprot    Vtime // 7.0+: end of the protected slice
	vlag     int64 // ns of virtual time; while current the token up to 6.16, vprot up to 6.19
	slice    uint64
	weight   uint64 // scaled load.weight
	inverse  uint32 // load.inv_weight; 0 = not known

	onRQ        bool
	delayed     bool
	relDeadline bool
	customSlice bool

	// Timeline node.
	red                  bool
	left, right, up      EntityID
	least                Vtime // smallest vruntime of its subtree; in a tree by vruntime, smallest deadline
	minSlice, maxSlice   uint64
	id                   EntityID
	queue, own           QueueID
	parent               EntityID
	task                 TaskID
	group                GroupID
	depth                int32
	execStart            uint64
	sumExec, prevSumExec uint64
	runnableWeight       uint64
	avg                  average
}

func (e *entity) isTask() bool { return e.own == NoQueue }

// FairQueue is a cfs_rq (SPEC-6.12 section 2).
type FairQueue struct {
	zero      Vtime  // reference point of the keys
	sum       int64  // sum over the tree of (v - zero) * W
	sumWeight uint64 // sum over the tree of W
	load      uint64 // scaled, current and delayed entities included
	root      EntityID
	leftmost  EntityID
	curr      EntityID // kept outside the tree
	next      EntityID // buddy
	nr        int32    // entities of this level, current and delayed included
	hQueued   int32    // tasks below, delayed included
	hRunnable int32    // without delayed ones
	hDelayed  int32
	nrIdle    int32 // idle entities of this level
	hIdle     int32 // idle tasks below
	shift     uint8 // sum_shift of PARANOID_AVG
	idle      bool  // cpu.idle of its group
	overflow  bool  // a product key*weight has overflowed 64 bits
	id        QueueID
	group     GroupID
	cpu       int32
	owner     EntityID // its group entity
	avg       average
	share     groupShare
	utilEst   uint64 // util_est of a root queue
	hLoad     uint64 // h_load, as of jiffy hLoadAt
	hLoadAt   uint64
	turns     int // charges that asked for a reschedule
}

// runQueue is an rq as far as the fair class sees it.
type runQueue struct {
	curr        TaskID
	lastPick    TaskID
	nr          int32 // rq.nr_running, delayed tasks and a running higher class included
	higher      bool  // a task of a higher class runs
	resched     bool  // TIF_NEED_RESCHED of the running task
	lazy        bool  // TIF_NEED_RESCHED_LAZY
	clock       uint64
	clockTask   uint64
	hrtick      Time   // expiry, NoTime when not armed
	pending     int32  // remote wakeups on their way (ttwu_pending)
	idleStamp   uint64 // when it became idle, 0 while busy
	avgIdle     uint64 // avg_idle, ns
	nextBalance uint64 // jiffies
}

type taskRQ uint8 // task_struct.on_rq

const (
	rqOff taskRQ = iota
	rqQueued
	rqMigrating
)

type task struct {
	entity   EntityID
	group    GroupID
	cpu      int32
	nice     int8
	policy   Policy
	onRQ     taskRQ
	sleeping bool // task state: wants to sleep
	dead     bool
	born     bool
	slice    uint64 // custom slice asked for, 0 = none
	allowed  CPUSet
	stamp    uint64 // place in the CPU's list of tasks: larger is more recent
	utilEst  uint32 // util_est with its flag
	migrated bool   // sent to another CPU by a wakeup
	partner  wakePartner
	stats    TaskStats
}

type taskGroup struct {
	parent  GroupID
	shares  uint64 // scaled
	idle    bool
	loadAvg int64 // tg.load_avg
	quota   groupQuota
}

// Machine is the fair class of one computer. Its exported methods are the
// kernel's entries into the scheduler; the caller sets the clocks first.
type Machine struct {
	cfg       Config
	rules     *rules
	features  Features
	tick      uint64
	ents      []entity
	queues    []FairQueue
	cpus      []runQueue
	tasks     []task
	groups    []taskGroup
	quotas    []queueQuota // by queue; empty until a group gets a quota
	throttles uint64       // how often a queue has been throttled
	names     []string     // of tasks
	paths     []string     // of groups
	multi     multi
	stamp     uint64 // last stamp given to a task
	rec       *Recorder
	visited   []EntityID // nodes the search of a recorded pick looked at
	event     int
	// undelayed are the tasks that ceased to be delayed in the present event of a
	// simulation; event is 0 without one.
	undelayed []TaskID
	oops      string // why the kernel would have crashed, "" while it runs
}

// NewMachine builds a machine with the root group only, all CPUs idle, clock 0.
func NewMachine(cfg Config) *Machine {
	m := &Machine{
		cfg:      cfg,
		rules:    cfg.Kernel.rules,
		features: cfg.Features,
		tick:     uint64(TickLength(cfg.HZ)),
	}
	for range cfg.CPUs {
		m.cpus = append(m.cpus, runQueue{
			curr: NoTask, lastPick: NoTask, hrtick: NoTime,
			avgIdle: 2 * cfg.MigrationCost, nextBalance: firstJiffy,
		})
	}
	m.multi = newMulti(cfg.Topology, cfg.CPUs)
	m.addGroup(NoGroup, "/")
	return m
}

func (m *Machine) addGroup(parent GroupID, path string) GroupID {
	g := GroupID(len(m.groups))
	m.groups = append(m.groups, taskGroup{parent: parent, shares: NiceZeroLoad})
	m.paths = append(m.paths, path)
	for cpu := range m.cpus {
		q := FairQueue{
			id: QueueID(len(m.queues)), group: g, cpu: int32(cpu), owner: NoEntity, zero: initialVtime,
			root: NoEntity, leftmost: NoEntity, curr: NoEntity, next: NoEntity,
		}
		if parent != NoGroup {
			q.owner = m.addEntity(entity{own: q.id, task: NoTask, group: g, weight: NiceZeroLoad})
			m.attachTo(q.owner, parent, int32(cpu))
		}
		m.queues = append(m.queues, q)
		if len(m.quotas) > 0 {
			m.quotas = append(m.quotas, queueQuota{})
		}
	}
	return g
}

func (m *Machine) addEntity(e entity) EntityID {
	e.id = EntityID(len(m.ents))
	e.left, e.right, e.up = NoEntity, NoEntity, NoEntity
	m.ents = append(m.ents, e)
	return e.id
}

// attachTo makes an entity a member of a group's queue on a CPU (set_task_rq).
func (m *Machine) attachTo(id EntityID, g GroupID, cpu int32) {
	e := &m.ents[id]
	e.queue = m.queueOf(g, cpu)
	e.parent, e.depth = NoEntity, 0
	if owner := m.queues[e.queue].owner; owner != NoEntity {
		e.parent = owner
		e.depth = m.ents[owner].depth + 1
	}
}

func (m *Machine) queueOf(g GroupID, cpu int32) QueueID {
	return QueueID(int32(g)*int32(len(m.cpus)) + cpu)
}

// SetClock advances a CPU: clock is rq_clock, clockTask rq_clock_task, both in
// ns and never going back (update_rq_clock, SPEC-6.12 section 1.5).
func (m *Machine) SetClock(cpu int, clock, clockTask Time) {
	m.cpus[cpu].clock, m.cpus[cpu].clockTask = uint64(clock), uint64(clockTask)
}

// now is a CPU's clock since the start of the machine's clock.
func (m *Machine) now(cpu int32) Time { return Time(m.cpus[cpu].clock - m.cfg.ClockStart) }

func (m *Machine) on(f Feature) bool { return m.features.Has(f) }

func (m *Machine) ent(id EntityID) *entity { return &m.ents[id] }

func (m *Machine) queue(id QueueID) *FairQueue { return &m.queues[id] }

func (m *Machine) rq(q *FairQueue) *runQueue { return &m.cpus[q.cpu] }

func (m *Machine) rootQueue(cpu int32) *FairQueue { return &m.queues[cpu] }

// current is the queue's current entity if it is on_rq, else nil.
func (m *Machine) current(q *FairQueue) *entity {
	if q.curr == NoEntity {
		return nil
	}
	if e := &m.ents[q.curr]; e.onRQ {
		return e
	}
	return nil
}

// isIdle is se_is_idle: a SCHED_IDLE task, or the entity of a cpu.idle group.
func (m *Machine) isIdle(e *entity) bool {
	if e.isTask() {
		return m.tasks[e.task].policy == PolicyIdle
	}
	return m.queues[e.own].idle
}

// parentOf is the entity one level up, nil at the root level.
func (m *Machine) parentOf(e *entity) *entity {
	if e.parent == NoEntity {
		return nil
	}
	return &m.ents[e.parent]
}

// NeedResched tells whether a reschedule is requested on the CPU, by the full
// flag or the lazy one.
func (m *Machine) NeedResched(cpu int) bool { return m.cpus[cpu].resched || m.cpus[cpu].lazy }

// Curr is the running task of the CPU, NoTask when idle or when a higher class
// runs.
func (m *Machine) Curr(cpu int) TaskID { return m.cpus[cpu].curr }

// Groups is the number of groups, the root included.
func (m *Machine) Groups() int { return len(m.groups) }

// Tasks is the number of tasks ever made.
func (m *Machine) Tasks() int { return len(m.tasks) }

// Oops describes the null pointer at which the kernel would have crashed because
// nobody was eligible; "" while it runs. After it the state stays as it was.
func (m *Machine) Oops() string { return m.oops }

// Sleeps tells whether the task waits for a wakeup, delayed or not.
func (m *Machine) Sleeps(t TaskID) bool {
	p := &m.tasks[t]
	return p.born && p.sleeping && !p.dead
}

// copyFrom makes m equal to o, reusing the memory of m. Configuration and names
// are shared; a recorder is not copied.
func (m *Machine) copyFrom(o *Machine) {
	m.cfg, m.rules, m.features, m.tick, m.event, m.oops = o.cfg, o.rules, o.features, o.tick, o.event, o.oops
	m.ents = append(m.ents[:0], o.ents...)
	m.queues = append(m.queues[:0], o.queues...)
	m.cpus = append(m.cpus[:0], o.cpus...)
	m.tasks = append(m.tasks[:0], o.tasks...)
	m.groups = append(m.groups[:0], o.groups...)
	m.quotas, m.throttles = append(m.quotas[:0], o.quotas...), o.throttles
	m.names, m.paths = slices.Clip(o.names), slices.Clip(o.paths) // shared, never appended to in place
	m.multi.copyFrom(&o.multi)
	m.stamp = o.stamp
	m.undelayed = append(m.undelayed[:0], o.undelayed...)
}
