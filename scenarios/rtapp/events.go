package rtapp

import (
	"slices"
	"strconv"
	"strings"
)

// event is one instruction of a scenario's program.
type event struct {
	at   int
	word string
	// operand is a time, or the name of an object or task.
	operand string
}

// eventNames are the events of rt-app, by which keys begin; a name stands before
// those that it begins with.
var eventNames = []string{
	"runtime", "run", "sleep", "timer", "unlock", "lock", "barrier", "suspend", "resume", "sem_post", "sem_wait", "yield", "fork",
	"signal", "sync", "wait", "broad", "memrun", "mem", "iorun",
}

// event reads an event of a phase; a key needs only begin with its name.
func (r *reader) event(f field, p *phase, t *task) {
	i := slices.IndexFunc(eventNames, func(name string) bool { return strings.HasPrefix(f.key, name) })
	if i < 0 {
		r.fail(f.at, "unknown event "+strconv.Quote(f.key), "an event such as run, sleep or timer")
		return
	}
	e := event{at: f.value.at}
	switch name := eventNames[i]; name {
	case "run", "runtime":
		e.word, e.operand = "run", r.micros(f, f.value)
	case "sleep":
		e.word, e.operand = "sleep", r.micros(f, f.value)
	case "timer":
		e.word, e.operand = "timer", r.timer(f, t)
	case "lock", "unlock":
		e.word, e.operand = name, r.object(f)
	case "barrier":
		e.word, e.operand = "barrier", r.object(f)
	case "sem_post":
		e.word, e.operand = "send", r.object(f)
	case "sem_wait":
		e.word, e.operand = "receive", r.object(f)
	case "suspend":
		e.word = "block"
	case "resume":
		e.word, e.operand = "wake", r.object(f)
	case "fork":
		e.word, e.operand = "fork", r.object(f)
	case "yield":
		e.word = "yield"
	default:
		r.fail(f.at, "the event "+strconv.Quote(f.key), "run, runtime, sleep, timer, lock, unlock, barrier, suspend, resume, sem_post, sem_wait, yield or fork")
		return
	}
	needs := e.word != "block" && e.word != "yield"
	if !needs || e.operand != "" {
		p.events = append(p.events, e)
	}
}

// micros reads a time in us; nothing is done in 0.
func (r *reader) micros(f field, v value) string {
	n := r.integer(field{f.key, f.at, v}, 0, maxTime)
	if n == 0 {
		return ""
	}
	return microsText(n)
}

// microsText is a time as scenarios write it.
func microsText(us int64) string {
	switch {
	case us%1_000_000 == 0:
		return strconv.FormatInt(us/1_000_000, 10) + "s"
	case us%1_000 == 0:
		return strconv.FormatInt(us/1_000, 10) + "ms"
	}
	return strconv.FormatInt(us, 10) + "us"
}

// object reads the name of a mutex, barrier, semaphore or task.
func (r *reader) object(f field) string {
	if f.value.kind != kindText || f.value.text == "" {
		r.fail(f.value.at, f.key+" is "+f.value.describe(), "a name")
		return ""
	}
	return r.name(f.value.at, f.value.text)
}

// timer reads the period of a timer of the task's own.
func (r *reader) timer(f field, t *task) string {
	period, ref, mode := "", value{}, "relative"
	for _, k := range f.value.fields {
		switch {
		case k.key == "period":
			period = r.micros(k, k.value)
		case k.key == "ref":
			ref = k.value
		case k.key == "mode" && (k.value.text == "relative" || k.value.text == "absolute"):
			mode = k.value.text
		case !comment(k.key):
			r.fail(k.at, k.key+" of a timer is "+k.value.describe(), "ref, period, and mode relative or absolute")
		}
	}
	if period == "" {
		r.fail(f.at, "the timer has no period", `{"ref": "unique", "period": 4000}`)
		return ""
	}
	if ref.text != "unique" {
		r.fail(f.at, "the timer "+ref.describe()+", which tasks may share", `"ref": "unique"`)
		return ""
	}
	if mode == "relative" {
		r.note(f.at, "a timer of mode relative is read as absolute: they differ once a period is overrun")
	}
	return period
}

// resolve checks names of tasks and gives each barrier its number of tasks.
func (r *reader) resolve() {
	forked := map[string]bool{}
	meet := map[string]int64{}
	for i := range r.tasks {
		t := &r.tasks[i]
		t.each(func(p *phase, e *event) {
			if e.word == "fork" {
				forked[e.operand] = true
			}
		})
		for _, name := range t.barriers() {
			meet[name] += max(t.count, 1)
		}
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		t.each(func(p *phase, e *event) { r.check(t, p, e, meet) })
	}
	kept := r.tasks[:0]
	for _, t := range r.tasks {
		if t.count == 0 && !forked[t.name] {
			r.note(t.at, "task "+strconv.Quote(t.name)+" has no instance and is never forked")
			continue
		}
		if len(t.program()) == 0 {
			r.fail(t.at, "the task "+strconv.Quote(t.name)+" does nothing", "events that a scenario can have")
			continue
		}
		kept = append(kept, t)
	}
	r.tasks = kept
}

// each visits the events of a task.
func (t *task) each(visit func(*phase, *event)) {
	for i := range t.body {
		p := &t.body[i]
		for j := range p.events {
			visit(p, &p.events[j])
		}
	}
}

// barriers are those that a task comes to, each once.
func (t *task) barriers() []string {
	var names []string
	t.each(func(_ *phase, e *event) {
		if e.word == "barrier" && !slices.Contains(names, e.operand) {
			names = append(names, e.operand)
		}
	})
	return names
}

// check looks at an event when all tasks are known. One that cannot be is turned
// into nothing.
func (r *reader) check(t *task, p *phase, e *event, meet map[string]int64) {
	void := func(msg, want string) {
		r.fail(e.at, msg, want)
		*e = event{}
	}
	switch e.word {
	case "barrier":
		if meet[e.operand] < 2 {
			void("barrier "+strconv.Quote(e.operand)+" is for one task alone", "two tasks at least that come to it")
			return
		}
		e.operand += " " + strconv.FormatInt(meet[e.operand], 10)
	case "wake", "fork":
		i := slices.IndexFunc(r.tasks, func(o task) bool { return o.name == e.operand })
		switch {
		case i < 0:
			void("there is no task "+strconv.Quote(e.operand), "the name of a task")
		case e.word == "wake" && r.tasks[i].count > 1 && r.tasks[i].count != t.count:
			void("resume of a task with several instances", "one instance, or as many as the task that resumes it")
		case e.word == "fork" && (r.tasks[i].count != 0 || p.loop != 1 || t.loop != 1 || t.count > 1):
			void("fork in a loop, or of a task with instances of its own", "one fork of a task with \"instance\": 0, and loops of 1 around it")
		}
	}
}
