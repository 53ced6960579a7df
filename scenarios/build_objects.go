package scenarios

import (
	"fmt"
	"slices"

	"zerolag/scheduler"
)

// object is a mutex, barrier or message queue that programs name.
type object struct {
	at    position // where it is named first
	class string
	tasks int32 // barrier: how many it holds until it opens
	used  [scheduler.OpReceive + 1]bool
	come  int64 // barrier: tasks whose programs name it
	last  *taskDef
}

// class is what an instruction takes its object for.
func class(kind scheduler.OpKind) string {
	switch kind {
	case scheduler.OpLock, scheduler.OpUnlock:
		return "lock"
	case scheduler.OpBarrier:
		return "barrier"
	}
	return "queue of messages"
}

// object numbers the object of an instruction, at its first use.
func (b *builder) object(in *instr, of *taskDef, number int64) int32 {
	name := in.object
	if in.own {
		name = fmt.Sprint(name, number+1)
	}
	id := slices.Index(b.w.Objects, name)
	if id < 0 {
		id = len(b.w.Objects)
		b.w.Objects = append(b.w.Objects, name)
		b.objects = append(b.objects, object{at: in.at, class: class(in.kind), tasks: in.times})
	}
	o := &b.objects[id]
	switch {
	case o.class != class(in.kind):
		b.fail(in.at, quote(name)+" is a "+o.class+" already", "a name that only a "+class(in.kind)+" has")
	case o.tasks != in.times:
		b.fail(in.at, fmt.Sprintf("barrier %s is for %d tasks", quote(in.object), in.times), fmt.Sprintf("%d, as in line %d", o.tasks, o.at.line))
	}
	o.used[in.kind] = true
	if o.last != of {
		o.last = of
		o.come += of.count.or(1)
	}
	return int32(id)
}

// meetings refuses objects that somebody would wait for in vain.
func (b *builder) meetings() {
	for id := range b.objects {
		o, name := &b.objects[id], quote(b.w.Objects[id])
		switch {
		case o.used[scheduler.OpReceive] && !o.used[scheduler.OpSend]:
			b.fail(o.at, "nobody sends to "+name, "a send in the program of another task")
		case o.used[scheduler.OpLock] && !o.used[scheduler.OpUnlock] && o.come > 1:
			b.fail(o.at, "nobody unlocks "+name, "an unlock after each lock")
		case o.used[scheduler.OpUnlock] && !o.used[scheduler.OpLock]:
			b.fail(o.at, "nobody locks "+name, "a lock before each unlock")
		case o.come < int64(o.tasks):
			b.fail(o.at, fmt.Sprintf("barrier %s never opens: %d tasks come", name, o.come), fmt.Sprintf("%d tasks that come to it, or a smaller number", o.tasks))
		}
	}
}
