package cli

import (
	"encoding/json"
	"strconv"

	"zerolag/model/expr"
	"zerolag/scheduler"
	"zerolag/views"
)

// jsonWriter makes one line per event. Its memory is reused.
type jsonWriter struct {
	buf    []byte
	fields map[expr.Object][]expr.Field
	ctx    expr.Context
	frames [2]scheduler.Frame
	flip   int
}

func newJSONWriter() *jsonWriter {
	j := &jsonWriter{fields: map[expr.Object][]expr.Field{}}
	for _, f := range expr.Fields() {
		j.fields[f.Object] = append(j.fields[f.Object], f)
	}
	return j
}

// line is the object of the event that sim stands after, ended by a newline. It is
// valid until the next call.
func (j *jsonWriter) line(sim *scheduler.Sim, steps []scheduler.Step) []byte {
	j.flip = 1 - j.flip
	f := &j.frames[j.flip]
	if j.ctx.Frame != nil {
		j.ctx.Prev, j.ctx.PrevEvent = j.ctx.Frame, j.ctx.Event
	}
	sim.Frame(f)
	j.ctx.Frame, j.ctx.Event = f, sim.Event()
	j.buf = append(j.buf[:0], `{"event":`...)
	j.event(f, j.ctx.Event)
	j.raw(`,"steps":[`)
	for i := range steps {
		j.comma()
		j.step(f, &steps[i])
	}
	j.raw(`],"frame":`)
	j.frame(f)
	j.raw("}\n")
	return j.buf
}

func (j *jsonWriter) event(f *scheduler.Frame, e scheduler.Event) {
	j.raw("{")
	j.number("index", int64(e.Index))
	j.number("time", int64(e.Time))
	j.number("ordinal", int64(e.Ordinal))
	j.text("kind", e.Kind.String())
	j.number("cpu", int64(e.CPU))
	j.task("task", f, e.Task)
	j.task("waker", f, e.Waker)
	j.task("prev", f, e.Prev)
	j.task("curr", f, e.Curr)
	j.flag("switched", e.Switched())
	j.flag("preempted", e.Preempted)
	j.flag("resched", e.Resched)
	if e.Kind == scheduler.EventRefill {
		j.text("group", f.Groups[e.Group].Name)
	}
	if r := e.Recorded; r != nil {
		j.text("call", r.Call)
		j.number("line", int64(r.Line))
		j.number("differs", int64(r.Differs))
	}
	if e.Kind == scheduler.EventEdit {
		j.text("edit", views.EditText(*e.Edit, f))
	}
	j.raw("}")
}

func (j *jsonWriter) step(f *scheduler.Frame, s *scheduler.Step) {
	j.raw("{")
	j.text("kind", s.Kind.String())
	j.text("reason", reasonName(s.Reason))
	j.number("cpu", int64(s.CPU))
	j.queue("queue", f, s.Queue)
	j.entity("entity", f, s.Entity)
	j.entity("other", f, s.Other)
	j.key("args")
	j.raw("{")
	for _, a := range s.Args {
		if a.Name.Unit() == scheduler.UnitEntity {
			j.entity(a.Name.String(), f, scheduler.EntityID(a.Value))
			continue
		}
		j.number(a.Name.String(), a.Value)
	}
	j.raw("}")
	if len(s.Candidates) > 0 {
		j.key("candidates")
		j.raw("[")
		for i := range s.Candidates {
			j.comma()
			j.candidate(f, &s.Candidates[i])
		}
		j.raw("]")
	}
	j.raw("}")
}

func (j *jsonWriter) candidate(f *scheduler.Frame, c *scheduler.Candidate) {
	j.raw("{")
	j.entity("entity", f, c.Entity)
	j.flag("curr", c.Curr)
	j.number("vruntime", int64(c.Vruntime))
	j.number("deadline", int64(c.Deadline))
	j.number("slice", int64(c.Slice))
	j.flag("eligible", c.Eligible)
	j.flag("protected", c.Protected)
	j.flag("visited", c.Visited)
	j.text("fate", c.Fate.String())
	j.raw("}")
}

// frame is the state after the event: every field of the catalogue for every
// object. Tasks that do not exist yet are left out.
func (j *jsonWriter) frame(f *scheduler.Frame) {
	j.raw(`{"run":{`)
	j.values(expr.OfRun, 0)
	j.raw(`},"cpus":[`)
	for cpu := range f.CPUs {
		j.open()
		j.number("id", int64(cpu))
		j.values(expr.OfCPU, cpu)
		j.raw("}")
	}
	j.raw(`],"groups":[`)
	for g := range f.Groups {
		j.open()
		j.text("name", f.Groups[g].Name)
		j.values(expr.OfGroup, g)
		j.raw("}")
	}
	j.raw(`],"queues":[`)
	for q := range f.Queues {
		j.open()
		j.queue("name", f, scheduler.QueueID(q))
		j.values(expr.OfQueue, q)
		j.raw("}")
	}
	j.raw(`],"entities":[`)
	for i := range f.Entities {
		e := &f.Entities[i]
		if e.Task != scheduler.NoTask && e.State == scheduler.StateNew {
			continue
		}
		j.open()
		j.text("name", e.Name)
		j.queue("queue", f, e.Queue)
		j.values(expr.OfEntity, i)
		if e.Task != scheduler.NoTask {
			j.values(expr.OfTask, i)
		}
		j.raw("}")
	}
	j.raw("]}")
}

// values are the fields of one object. What has no value is null.
func (j *jsonWriter) values(object expr.Object, id int) {
	for i := range j.fields[object] {
		field := &j.fields[object][i]
		v := field.Of(&j.ctx, id)
		switch {
		case !v.Known:
			j.key(field.Name)
			j.raw("null")
		case v.Type == expr.Bool:
			j.flag(field.Name, v.N != 0)
		case v.Type == expr.Number:
			j.number(field.Name, v.N)
		case v.Type == expr.Entity:
			j.entity(field.Name, j.ctx.Frame, scheduler.EntityID(v.N))
		default:
			j.text(field.Name, v.Text(j.ctx.Frame))
		}
	}
}

func (j *jsonWriter) raw(text string) { j.buf = append(j.buf, text...) }

// comma separates an element from the one before it, if there is one.
func (j *jsonWriter) comma() {
	if last := j.buf[len(j.buf)-1]; last != '{' && last != '[' {
		j.raw(",")
	}
}

func (j *jsonWriter) open() {
	j.comma()
	j.raw("{")
}

func (j *jsonWriter) key(name string) {
	j.comma()
	j.quoted(name)
	j.raw(":")
}

// quoted is a text as JSON writes it; strings always can be.
func (j *jsonWriter) quoted(text string) {
	encoded, _ := json.Marshal(text)
	j.buf = append(j.buf, encoded...)
}

func (j *jsonWriter) text(name, value string) {
	j.key(name)
	j.quoted(value)
}

func (j *jsonWriter) number(name string, value int64) {
	j.key(name)
	j.buf = strconv.AppendInt(j.buf, value, 10)
}

func (j *jsonWriter) flag(name string, value bool) {
	j.key(name)
	j.buf = strconv.AppendBool(j.buf, value)
}

// task is a task by name, null if there is none.
func (j *jsonWriter) task(name string, f *scheduler.Frame, id scheduler.TaskID) {
	if e := f.Task(id); e != nil {
		j.text(name, e.Name)
		return
	}
	j.null(name)
}

// entity is an entity by name, null if there is none.
func (j *jsonWriter) entity(name string, f *scheduler.Frame, id scheduler.EntityID) {
	if e := f.Entity(id); e != nil {
		j.text(name, e.Name)
		return
	}
	j.null(name)
}

// queue is a queue by its group and CPU, null if there is none.
func (j *jsonWriter) queue(name string, f *scheduler.Frame, id scheduler.QueueID) {
	if q := f.Queue(id); q != nil {
		j.text(name, f.Groups[q.Group].Name+" cpu"+strconv.Itoa(q.CPU))
		return
	}
	j.null(name)
}

func (j *jsonWriter) null(name string) {
	j.key(name)
	j.raw("null")
}
