package scenarios

import (
	"fmt"
	"slices"

	"zerolag/scheduler"
)

// tasks makes the tasks without their programs.
func (b *builder) tasks() {
	b.defs = slices.Clone(b.s.tasks)
	for i := range b.set.tasks {
		o := &b.set.tasks[i]
		if d, known := b.s.names.defIDs[o.name.name]; known {
			b.defs[d].change(o)
		}
	}
	if b.names = b.number(b.defs); b.faulty() {
		return
	}
	b.w.Tasks = make([]scheduler.TaskSpec, 0, len(b.names.list))
	for d := range b.defs {
		t := &b.defs[d]
		spec := b.spec(t)
		b.settle()
		for i := range t.count.or(1) {
			spec.Name = b.names.list[len(b.w.Tasks)]
			spec.Arrive = t.arrive.value.of(i)
			if t.wakesAt.set {
				spec.Start = &scheduler.EntityStart{Asleep: true}
			}
			b.w.Tasks = append(b.w.Tasks, spec)
		}
		b.plans = append(b.plans, plan{def: t})
	}
	b.woken = make([]bool, len(b.w.Tasks))
}

// change puts what a variant says of an entry on top of it.
func (t *taskDef) change(o *override) {
	t.nice = later(t.nice, o.nice)
	t.policy = later(t.policy, o.policy)
	t.slice = later(t.slice, o.slice)
	t.cpus = later(t.cpus, o.cpus)
	t.count = later(t.count, o.count)
	t.program = later(t.program, o.program)
}

// spec is what the tasks of an entry have in common.
func (b *builder) spec(t *taskDef) scheduler.TaskSpec {
	spec := scheduler.TaskSpec{
		Nice: t.nice.value, Policy: t.policy.value, Slice: t.slice.value,
		CPU: int(t.cpu.value), Allowed: t.cpus.value,
	}
	if t.group.set {
		spec.Group = b.group(t.group.value)
	}
	if spec.CPU >= b.w.Config.CPUs {
		b.fail(t.cpu.at, fmt.Sprintf("cpu is %d", spec.CPU), fmt.Sprintf("at most %d, the last of cpus", b.w.Config.CPUs-1))
	}
	if !t.cpus.set {
		return spec
	}
	b.checkCPUs(t.cpus)
	switch {
	case !t.cpu.set:
		spec.CPU = spec.Allowed.Next(0)
	case !spec.Allowed.Has(spec.CPU):
		b.fail(t.cpu.at, fmt.Sprintf("cpu is %d", spec.CPU), "one of cpus, "+spec.Allowed.String())
	}
	return spec
}
