package recording

import (
	"slices"
	"strings"

	"zerolag/scheduler"
)

// tape collects what happens to the machine, by event.
type tape struct {
	start  []scheduler.Operation
	events []scheduler.TapeEvent
	open   map[int]*entry // by executing CPU
	last   int            // executing CPU of the last event
	marks  []Mark
}

// Mark is a text that somebody wrote into the trace.
type Mark struct {
	Text  string
	Event int // of the tape, the one that follows
}

// entry is one entry into the scheduler. It makes several events if other CPUs
// are recorded in between.
type entry struct {
	head   scheduler.TapeEvent
	change bool // attributes of a task or a group change
	back   bool // the task that changed is on its queue again
	picked bool // somebody; if nobody was found a CPU pulls tasks and picks again
	closed bool // the next call begins another entry
}

// schedules tells whether the entry is a call of schedule().
func (e *entry) schedules() bool {
	switch e.head.Kind {
	case scheduler.EventBlock, scheduler.EventExit, scheduler.EventYield, scheduler.EventSchedule:
		return !e.change
	default:
		return false
	}
}

// change lets something happen to the machine. What happens in a nested call is
// not on the tape: the machine goes back to where the caller began.
func (p *Player) change(do scheduler.Operation) {
	do(p.r)
	if len(p.calls) <= 1 {
		p.tape.add(do)
	}
}

// operations are those of the present event, or of the start.
func (t *tape) operations() *[]scheduler.Operation {
	if n := len(t.events); n > 0 {
		return &t.events[n-1].Operations
	}
	return &t.start
}

func (t *tape) add(do scheduler.Operation) {
	list := t.operations()
	*list = append(*list, do)
}

// length and cut take back what was added since.
func (t *tape) length() int { return len(*t.operations()) }

func (t *tape) cut(length int) {
	list := t.operations()
	*list = (*list)[:length]
}

// differ notes a difference in the present event.
func (t *tape) differ(d *Difference) {
	if n := len(t.events); n > 0 {
		e := &t.events[n-1]
		if e.Differs++; e.Differs == 1 {
			e.Difference = d.words()
		}
	}
}

// begin finds the event that an outermost call belongs to, or begins it.
func (p *Player) begin(n *node) {
	l, t := n.line(), &p.tape
	if n.name == "tracing_mark_write" {
		_, text, _ := strings.Cut(l.text, "tracing_mark_write: ")
		t.marks = append(t.marks, Mark{text, len(t.events)})
		return
	}
	if sections[n.name] == "" && !changes[n.name] {
		return // no operation: it belongs to the present event
	}
	open := t.open[l.cpu]
	if open == nil || !open.takes(n) {
		open = &entry{head: p.head(n), change: changes[n.name]}
		if n.name == "dequeue_task_fair" || n.name == "enqueue_task_fair" {
			open.change = open.head.Kind == scheduler.EventOther
		}
		t.open[l.cpu], t.last = open, -1
	}
	at := p.time(n, open.head.CPU)
	if t.last != l.cpu {
		next := open.head
		next.Line = l.num
		t.events = append(t.events, next)
		t.last = l.cpu
	}
	t.events[len(t.events)-1].At = at
	open.back = open.back || n.name == "enqueue_task_fair" || n.name == "set_next_entity"
	open.picked = open.picked || n.name == "pick_task_fair" && n.exit != nil && n.exit.num64("p") != 0
	open.closed = open.closed || n.name == "sw"
}

// changes are the calls with which a change of attributes begins or goes on.
var changes = map[string]bool{
	"set_user_nice": true, "sched_setscheduler_attr": true, "move_group": true, "reweight_task_fair": true, "reweight_entity": true,
	"switched_from_fair": true, "switched_to_fair": true, "attach_entity_cfs_rq": true, "set_group_shares": true,
	"migrate_task_rq_fair": true,
}

// takes tells whether a call belongs to the entry.
func (e *entry) takes(n *node) bool {
	flags := scheduler.KernelFlags(n.line().num64("flags"))
	switch n.name {
	case "put_prev_entity":
		return !e.closed && (e.schedules() || e.change && !e.back)
	case "set_next_entity", "update_curr":
		return !e.closed && (e.schedules() || e.change)
	case "sw":
		return !e.closed && e.schedules()
	case "pick_task_fair":
		return !e.closed && e.schedules() && !e.picked
	case "check_preempt_wakeup_fair":
		return !e.schedules()
	case "dequeue_task_fair":
		return e.change && flags&scheduler.KernelSleep == 0
	case "enqueue_task_fair":
		return e.change && flags&(scheduler.KernelInitial|scheduler.KernelWakeup|scheduler.KernelDelayed) == 0
	case "set_user_nice", "sched_setscheduler_attr", "move_group", "set_group_shares", "avg_vruntime", "sched_fork",
		"task_tick_fair", "yield_task_fair":
		return false
	}
	return !changes[n.name] || e.change
}

// head is the event that begins with a call.
func (p *Player) head(n *node) scheduler.TapeEvent {
	l := n.line()
	flags := scheduler.KernelFlags(l.num64("flags"))
	e := scheduler.TapeEvent{Kind: scheduler.EventOther, CPU: l.cpu, Task: p.taskOf(l), Waker: scheduler.NoTask}
	if l.has("qcpu") {
		e.CPU = min(int(l.num64("qcpu")), p.w.cpus-1)
	}
	switch n.name {
	case "enqueue_task_fair":
		switch {
		case flags&scheduler.KernelInitial != 0:
			e.Kind = scheduler.EventFork
		case flags&(scheduler.KernelWakeup|scheduler.KernelDelayed) != 0:
			e.Kind = scheduler.EventWakeup
		}
		e.Waker = p.executing(l)
	case "dequeue_task_fair":
		if flags&scheduler.KernelSleep != 0 && e.Task != scheduler.NoTask && p.r.Curr(e.CPU) == e.Task {
			e.Kind = p.leaving(e.Task)
		}
	case "pick_task_fair", "put_prev_entity", "set_next_entity", "sw":
		e.Kind, e.Task = scheduler.EventSchedule, p.r.Curr(e.CPU)
		if e.Task != scheduler.NoTask && p.r.Sleeps(e.Task) { // goes on after a pull
			e.Kind = p.leaving(e.Task)
		}
	case "task_tick_fair":
		e.Kind = scheduler.EventTick
		if l.num64("queued") != 0 {
			e.Kind = scheduler.EventHrtick
		}
	case "yield_task_fair":
		e.Kind, e.Task = scheduler.EventYield, p.r.Curr(e.CPU)
	}
	if e.Kind == scheduler.EventOther {
		e.Call = n.name
	}
	return e
}

// leaving is the event of a task that blocks or dies.
func (p *Player) leaving(t scheduler.TaskID) scheduler.EventKind {
	if n := p.life(p.addrs[p.r.TaskEntity(t)]); n != nil && n.exits {
		return scheduler.EventExit
	}
	return scheduler.EventBlock
}

// becomes changes what the present event is: a task leaves the fair class, which
// is like falling asleep, or comes back.
func (t *tape) becomes(kind scheduler.EventKind, task scheduler.TaskID) {
	if n := len(t.events); n > 0 && t.events[n-1].Kind == scheduler.EventOther {
		t.events[n-1].Kind, t.events[n-1].Task = kind, task
	}
}

// taskOf is the task that an event is about, NoTask if none.
func (p *Player) taskOf(l *line) scheduler.TaskID {
	for _, addr := range []uint64{l.num64("se"), l.num64("p") + p.w.seOffset} {
		if t := p.life(addr); t != nil {
			return t.task
		}
	}
	return scheduler.NoTask
}

// executing is the task that runs on the executing CPU; NoTask in an interrupt.
func (p *Player) executing(l *line) scheduler.TaskID {
	const context = 2 // among the flags: hard or soft interrupt
	if t := p.byPid(l.pid); t != nil && !t.other && len(l.flags) > context && l.flags[context] == '.' {
		return t.task
	}
	return scheduler.NoTask
}

// time is the clock of a CPU after a call, since the start; it does not go back,
// although the clock of a CPU that has slept lags behind.
func (p *Player) time(n *node, cpu int) scheduler.Time {
	at := scheduler.Time(0)
	if events := p.tape.events; len(events) > 0 {
		at = events[len(events)-1].At
	}
	clk, ok := n.last().get("clk")
	if !ok {
		clk = p.r.Clock(cpu)
	}
	return max(at, scheduler.Time(clk-p.rec.config.ClockStart))
}

// Workload replays the recording and makes of it what a simulation plays, and the
// texts that were written into the trace.
func (rec *Recording) Workload() (*scheduler.Workload, []Mark) {
	p := rec.Player()
	for p.Step() {
	}
	w := &scheduler.Workload{
		Config: rec.config,
		Tape:   &scheduler.Tape{Release: rec.kernel, Start: p.tape.start, Events: p.tape.events},
	}
	for _, tg := range p.w.groupOrder {
		if g := p.w.groups[tg]; tg != p.w.root {
			w.Groups = append(w.Groups, scheduler.GroupSpec{Name: p.path(g), Parent: p.w.groups[g.parent].id})
		}
	}
	for _, n := range p.w.lifeOrder {
		if n.task != scheduler.NoTask {
			w.Tasks = append(w.Tasks, scheduler.TaskSpec{Name: p.taskName(n), Policy: n.policy, Nice: n.nice, Arrive: scheduler.NoTime})
		}
	}
	if n := len(w.Tape.Events); n > 0 {
		w.Until = w.Tape.Events[n-1].At + 1
	}
	marks := slices.DeleteFunc(p.tape.marks, func(m Mark) bool { return m.Event == len(w.Tape.Events) })
	return w, marks
}
