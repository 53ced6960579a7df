package rtapp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Export writes a workload as an rt-app file, and lists what such a file cannot
// say; the file is without that. The machine itself, its kernel, features, tick and
// slices, is no part of the format.
func Export(w *scheduler.Workload) (file []byte, missing []string) {
	x := &exporter{w: w, forked: map[scheduler.TaskID]bool{}, meet: map[int32]int32{}}
	for i := range w.Tasks {
		x.look(&w.Tasks[i])
	}
	x.machine()
	tasks := newObject()
	for i := range w.Tasks {
		x.task(tasks, scheduler.TaskID(i))
	}
	root := newObject()
	root.add("tasks", tasks)
	global := newObject()
	global.add("duration", number(secondsText(w.Until)))
	global.add("default_policy", text("SCHED_OTHER"))
	root.add("global", global)
	return []byte(root.print(0) + "\n"), x.missing
}

// exporter collects what cannot be said.
type exporter struct {
	w       *scheduler.Workload
	missing []string
	forked  map[scheduler.TaskID]bool
	meet    map[int32]int32 // tasks that come to each barrier
}

// lack notes something that the format does not have, once.
func (x *exporter) lack(format string, args ...any) {
	if msg := fmt.Sprintf(format, args...); !slices.Contains(x.missing, msg) {
		x.missing = append(x.missing, msg)
	}
}

// look notes who is forked and who comes to which barrier.
func (x *exporter) look(t *scheduler.TaskSpec) {
	seen := map[int32]bool{}
	for i := range t.Program {
		switch op := &t.Program[i]; op.Kind {
		case scheduler.OpFork:
			x.forked[op.Task] = true
		case scheduler.OpBarrier:
			if !seen[op.Object] {
				seen[op.Object] = true
				x.meet[op.Object]++
			}
		}
	}
}

// machine notes what of the machine and its groups gets lost.
func (x *exporter) machine() {
	w := x.w
	for i := range w.Groups {
		switch g := &w.Groups[i]; {
		case g.Idle:
			x.lack("cpu.idle of group %s", g.Name)
		case g.Shares != scheduler.NiceZeroLoad:
			x.lack("the weight of group %s", g.Name)
		case g.Quota > 0:
			x.lack("cpu.max of group %s", g.Name)
		}
	}
	if len(w.Edits) > 0 {
		x.lack("the changes from outside (%d events)", len(w.Edits))
	}
	if len(w.Queues) > 0 {
		x.lack("the start state of queues")
	}
	if w.IRQPerTick > 0 {
		x.lack("interrupt time of ticks")
	}
}

// task adds one task.
func (x *exporter) task(tasks *object, id scheduler.TaskID) {
	spec := &x.w.Tasks[id]
	o := newObject()
	if spec.Start != nil {
		x.lack("the start state of task %s", spec.Name)
	}
	if x.forked[id] {
		o.add("instance", number("0"))
	}
	if spec.Policy != scheduler.PolicyNormal {
		o.add("policy", text(spec.Policy.String()))
	}
	if spec.Nice != 0 {
		o.add("priority", number(strconv.Itoa(spec.Nice)))
	}
	if spec.Slice != 0 {
		o.add("dl-runtime", x.micros(scheduler.Time(spec.Slice), spec.Name))
	}
	if !spec.Allowed.Empty() {
		o.add("cpus", cpuNumbers(spec.Allowed))
	}
	if spec.Group != scheduler.RootGroup {
		o.add("taskgroup", text(x.w.Groups[spec.Group-1].Name))
	}
	if spec.Arrive != scheduler.NoTime && spec.Arrive != 0 {
		o.add("delay", x.micros(spec.Arrive, spec.Name))
	}
	x.program(o, spec)
	tasks.add(spec.Name, o)
}

func cpuNumbers(set scheduler.CPUSet) number {
	var cpus []string
	for cpu := set.Next(0); cpu >= 0; cpu = set.Next(cpu + 1) {
		cpus = append(cpus, strconv.Itoa(cpu))
	}
	return number("[" + strings.Join(cpus, ", ") + "]")
}

// part is a stretch of a program: one instruction, or a loop of some.
type part struct {
	op    *scheduler.Op
	body  []part
	times int32 // of a loop; 0 is for ever
}

// parts reads the instructions from ... to-1 backwards, as a loop is known by its end.
func parts(ops []scheduler.Op, from, to int) []part {
	var list []part
	for i := to - 1; i >= from; i-- {
		if ops[i].Kind != scheduler.OpLoop {
			list = append(list, part{op: &ops[i]})
			continue
		}
		list = append(list, part{body: parts(ops, int(ops[i].Target), i), times: ops[i].Count})
		i = int(ops[i].Target)
	}
	slices.Reverse(list)
	return list
}

// endless is the length from which a run has no end.
const endless = scheduler.NoTime / 4

// hogRun is one round of a run without end, us.
const hogRun = 10_000

// program adds the program: events, or phases if there are loops in it.
func (x *exporter) program(o *object, spec *scheduler.TaskSpec) {
	body := parts(spec.Program, 0, len(spec.Program))
	if last := len(body) - 1; last >= 0 && body[last].op != nil && body[last].op.Kind == scheduler.OpExit {
		body = body[:last] // a program ends there anyway
	}
	loop := int32(1)
	if len(body) == 1 && body[0].op == nil {
		body, loop = body[0].body, body[0].times
	}
	if len(body) == 1 && body[0].isHog() {
		loop = 0
	}
	o.add("loop", loopText(loop))
	if !slices.ContainsFunc(body, func(p part) bool { return p.op == nil || p.isHog() }) || len(body) == 1 {
		x.events(o, body, spec)
		return
	}
	phases := newObject()
	add := func(times int32, body []part) {
		phase := newObject()
		phase.add("loop", loopText(times))
		x.events(phase, body, spec)
		phases.add(fmt.Sprint("phase", len(phases.keys)), phase)
	}
	for from := 0; from < len(body); {
		to := from
		for to < len(body) && body[to].op != nil && !body[to].isHog() {
			to++
		}
		switch {
		case to > from:
			add(1, body[from:to])
			from = to
			continue
		case body[from].op == nil:
			add(body[from].times, body[from].body)
		default:
			add(0, body[from:from+1])
		}
		from++
	}
	o.add("phases", phases)
}

func (p *part) isHog() bool {
	return p.op != nil && p.op.Kind == scheduler.OpRun && p.op.Dist == scheduler.DistFixed && p.op.Dur >= endless
}

func loopText(times int32) number {
	if times == 0 {
		return "-1"
	}
	return number(strconv.Itoa(int(times)))
}

// events adds the events of a task or phase; keys end in a number, as JSON knows
// each key once.
func (x *exporter) events(o *object, body []part, spec *scheduler.TaskSpec) {
	for i := range body {
		if body[i].op == nil {
			x.lack("a repeat inside another one, of task %s", spec.Name)
			continue
		}
		if key, v := x.event(body[i].op, spec); key != "" {
			o.add(fmt.Sprint(key, len(o.keys)), v)
		}
	}
}

// event is one event with what stands behind its key; "" if there is none.
func (x *exporter) event(op *scheduler.Op, spec *scheduler.TaskSpec) (string, printer) {
	if op.Dist != scheduler.DistFixed {
		x.lack("random times, of task %s", spec.Name)
		return "", nil
	}
	if op.Sync {
		x.lack("synchronous wakeups, of task %s: they are ordinary ones", spec.Name)
	}
	if op.Kernel {
		x.lack("time in kernel mode, of task %s: it is in user mode", spec.Name)
	}
	switch op.Kind {
	case scheduler.OpRun:
		if op.Dur >= endless {
			return "run", number(strconv.Itoa(hogRun))
		}
		return "run", x.micros(op.Dur, spec.Name)
	case scheduler.OpSleep:
		return "sleep", x.micros(op.Dur, spec.Name)
	case scheduler.OpTimer:
		timer := newObject()
		timer.add("ref", text("unique"))
		timer.add("period", x.micros(op.Dur, spec.Name))
		timer.add("mode", text("absolute"))
		return "timer", timer
	case scheduler.OpBlock:
		return "suspend", text(spec.Name)
	case scheduler.OpWake:
		return "resume", text(x.w.Tasks[op.Task].Name)
	case scheduler.OpFork:
		return "fork", text(x.w.Tasks[op.Task].Name)
	case scheduler.OpYield:
		return "yield", text("")
	case scheduler.OpLock, scheduler.OpUnlock:
		return op.Kind.String(), text(x.w.Objects[op.Object])
	case scheduler.OpSend:
		return "sem_post", text(x.w.Objects[op.Object])
	case scheduler.OpReceive:
		return "sem_wait", text(x.w.Objects[op.Object])
	case scheduler.OpBarrier:
		if x.meet[op.Object] != op.Count {
			x.lack("barrier %s, to which other tasks come than it is for", x.w.Objects[op.Object])
		}
		return "barrier", text(x.w.Objects[op.Object])
	case scheduler.OpExit, scheduler.OpLoop:
	}
	x.lack("an exit before the end, of task %s", spec.Name)
	return "", nil
}

// micros is a time in us, cut to whole ones.
func (x *exporter) micros(t scheduler.Time, task string) number {
	if t%scheduler.Microsecond != 0 {
		x.lack("times finer than 1 us, of task %s: they are cut", task)
	}
	return number(strconv.FormatInt(int64(t/scheduler.Microsecond), 10))
}

// secondsText is a time in s, with the decimals that it needs.
func secondsText(t scheduler.Time) string {
	whole, rest := t/scheduler.Second, t%scheduler.Second
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%09d", whole, rest), "0"), ".")
}
