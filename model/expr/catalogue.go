package expr

import (
	"math"
	"slices"

	"zerolag/scheduler"
)

// Object is the kind of thing that has a field.
type Object uint8

// The objects.
const (
	OfEntity Object = iota // a task, or the entity of a group on a CPU
	OfTask                 // tasks only
	OfGroup                // a group as a whole
	OfQueue                // a fair queue
	OfCPU                  // a CPU
	OfRun                  // the run as a whole
)

// String is the object's word in docs/FIELDS.md.
func (o Object) String() string {
	return [...]string{"task, group", "task", "group", "queue", "cpu", "run"}[o]
}

// Field is one entry of the catalogue.
type Field struct {
	Name    string
	Aliases []string
	Object  Object
	Type    Type
	Unit    Unit
	Meaning string
	// Rounding is the formula's rounding where the value is computed; "" if it is
	// exact.
	Rounding string
	words    *vocabulary
	get      getter
}

// getter reads a field of the object id; ok is false if there is no such object.
type getter func(c *Context, at moment, id int) (n int64, ok bool)

// Fields is the catalogue in the order of docs/FIELDS.md.
func Fields() []Field { return slices.Clone(catalogue) }

// Of is the field's value for one object in c.Frame: id is an EntityID for
// entities and tasks, a GroupID, a QueueID, a CPU number; 0 for the run.
func (f *Field) Of(c *Context, id int) Value {
	n, ok := f.get(c, now, id)
	return Value{Type: f.Type, Unit: f.Unit, Known: ok, N: n, words: f.words}
}

// named tells whether name is the field's name or one of its aliases.
func (f *Field) named(name string) bool {
	return f.Name == name || slices.Contains(f.Aliases, name)
}

// FieldOf finds a field, by name or alias, of one of the objects; the first object
// that has it wins. nil if none has.
func FieldOf(name string, objects ...Object) *Field { return lookup(name, objects...) }

// lookup finds a field of one of the objects; the first object that has it wins.
func lookup(name string, objects ...Object) *Field {
	for _, o := range objects {
		for i := range catalogue {
			if f := &catalogue[i]; f.Object == o && f.named(name) {
				return f
			}
		}
	}
	return nil
}

// fieldNames lists the fields of some objects, for suggestions.
func fieldNames(objects ...Object) []string {
	var names []string
	for i := range catalogue {
		if slices.Contains(objects, catalogue[i].Object) {
			names = append(append(names, catalogue[i].Name), catalogue[i].Aliases...)
		}
	}
	return names
}

// Waiting is the length of the wait that goes on, 0 if none does.
func Waiting(f *scheduler.Frame, e *scheduler.EntityFrame) scheduler.Time {
	if !e.Stats.Waiting {
		return 0
	}
	return f.Now - e.Stats.WaitSince
}

func entityOf(get func(e *scheduler.EntityFrame) int64) getter {
	return func(c *Context, at moment, id int) (int64, bool) {
		if f := c.frame(at); f != nil {
			if e := f.Entity(scheduler.EntityID(id)); e != nil {
				return get(e), true
			}
		}
		return 0, false
	}
}

func taskOf(get func(f *scheduler.Frame, e *scheduler.EntityFrame) int64) getter {
	return func(c *Context, at moment, id int) (int64, bool) {
		if f := c.frame(at); f != nil {
			if e := f.Entity(scheduler.EntityID(id)); e != nil && e.Task != scheduler.NoTask {
				return get(f, e), true
			}
		}
		return 0, false
	}
}

// statOf is a field that TaskStats holds as it is.
func statOf(get func(s *scheduler.TaskStats) int64) getter {
	return taskOf(func(_ *scheduler.Frame, e *scheduler.EntityFrame) int64 { return get(&e.Stats) })
}

func groupOf(get func(g *scheduler.GroupFrame) int64) getter {
	return func(c *Context, at moment, id int) (int64, bool) {
		if f := c.frame(at); f != nil && id >= 0 && id < len(f.Groups) {
			return get(&f.Groups[id]), true
		}
		return 0, false
	}
}

func queueOf(get func(f *scheduler.Frame, q *scheduler.QueueFrame) int64) getter {
	return func(c *Context, at moment, id int) (int64, bool) {
		if f := c.frame(at); f != nil {
			if q := f.Queue(scheduler.QueueID(id)); q != nil {
				return get(f, q), true
			}
		}
		return 0, false
	}
}

func cpuOf(get func(f *scheduler.Frame, p *scheduler.CPUFrame) int64) getter {
	return func(c *Context, at moment, id int) (int64, bool) {
		if f := c.frame(at); f != nil && id >= 0 && id < len(f.CPUs) {
			return get(f, &f.CPUs[id]), true
		}
		return 0, false
	}
}

func runOf(get func(f *scheduler.Frame, e *scheduler.Event) int64) getter {
	return func(c *Context, at moment, _ int) (int64, bool) {
		if f := c.frame(at); f != nil {
			return get(f, c.event(at)), true
		}
		return 0, false
	}
}

// entityID is the entity of a task as a value, -1 for nobody.
func entityID(f *scheduler.Frame, task scheduler.TaskID) int64 {
	if e := f.Task(task); e != nil {
		return int64(e.ID)
	}
	return int64(scheduler.NoEntity)
}

// spread is the distance between the smallest and the largest vruntime on a
// queue, the current entity included.
func spread(f *scheduler.Frame, q *scheduler.QueueFrame) int64 {
	var low, high scheduler.Vtime
	seen := false
	note := func(id scheduler.EntityID) {
		e := f.Entity(id)
		if e == nil || !e.OnRQ {
			return
		}
		if !seen || e.Vruntime.Before(low) {
			low = e.Vruntime
		}
		if !seen || high.Before(e.Vruntime) {
			high = e.Vruntime
		}
		seen = true
	}
	note(q.Curr)
	for _, id := range q.Tree {
		note(id)
	}
	return high.Sub(low)
}

// mostRunnable is the largest nr_running of the CPUs.
func mostRunnable(f *scheduler.Frame) int64 {
	most := 0
	for i := range f.CPUs {
		most = max(most, f.CPUs[i].Nr)
	}
	return int64(most)
}

// signed reads a u64 that is no point in virtual time; beyond int64 it is the
// largest number.
func signed(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
