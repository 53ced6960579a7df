package scenarios

import (
	"cmp"
	"fmt"
	"slices"

	"zerolag/scheduler"
)

// planned is a change at its position, names not yet resolved.
type planned struct {
	at      scheduler.Time
	ordinal int
	event   *eventDef
	change  *editDef
}

// edits turns events into edits in the order in which they apply.
func (b *builder) edits() {
	var list []planned
	for i := range b.set.events.value {
		list = b.repeat(list, &b.set.events.value[i])
	}
	slices.SortStableFunc(list, func(x, y planned) int {
		if x.at != y.at || b.set.listed {
			return cmp.Compare(x.at, y.at)
		}
		return cmp.Compare(x.ordinal, y.ordinal)
	})
	if b.nameAdded(list); b.faulty() {
		return
	}
	b.w.Edits = slices.Grow(b.w.Edits, len(list))
	for _, p := range list {
		b.w.Edits = append(b.w.Edits, b.resolve(p))
		b.settle()
	}
}

// repeat appends the changes of one event, with its repetitions.
func (b *builder) repeat(list []planned, e *eventDef) []planned {
	if cpu := e.cpu.value; cpu >= int64(b.w.Config.CPUs) {
		b.fail(e.cpu.at, fmt.Sprintf("cpu is %d", cpu), fmt.Sprintf("at most %d, the last of cpus", b.w.Config.CPUs-1))
	}
	rounds := int64(1)
	if e.every.set {
		// Rounds with at + i*every < until.
		rounds = max(0, int64((b.w.Until-e.at+e.every.value-1)/e.every.value))
		rounds = min(rounds, e.times.or(rounds))
	}
	if int64(len(list))+rounds*int64(len(e.edits)) > maxEvents {
		b.fail(e.pos, "there are too many events with their repetitions", fmt.Sprintf("at most %d", maxEvents))
		return list
	}
	for i := range rounds {
		for d := range e.edits {
			list = append(list, planned{e.at + scheduler.Time(i)*e.every.value, e.ordinal, e, &e.edits[d]})
		}
	}
	return list
}

// nameAdded numbers the tasks that events add, in the order in which they do.
func (b *builder) nameAdded(list []planned) {
	for _, p := range list {
		def := p.change.added
		if def == nil {
			continue
		}
		_, twice := b.names.ids[def.name]
		if _, again := b.added[def.name]; twice || again {
			b.fail(def.at, "duplicate task name "+quote(def.name), "a name that no other task has; an event that is repeated adds its task only once")
			return
		}
		if b.added == nil {
			b.added = map[string]scheduler.TaskID{}
		}
		b.added[def.name] = scheduler.TaskID(len(b.w.Tasks) + len(b.added))
	}
}

// resolve makes one edit with ids for names.
func (b *builder) resolve(p planned) scheduler.Edit {
	d := p.change
	edit := scheduler.Edit{
		At: p.at, Ordinal: p.ordinal, Kind: d.kind,
		Task: scheduler.NoTask, Group: scheduler.NoGroup,
		Policy: d.policy, CPU: int(p.event.cpu.value), Value: d.value, Allowed: d.cpus.value,
		Period: d.limit.period, Burst: d.limit.burst.value,
	}
	b.checkCPUs(d.cpus)
	if d.kind == scheduler.EditFeature {
		b.checkFeature(d.feature)
		edit.Feature = d.feature.setting
	}
	if d.task.name != "" {
		edit.Task = b.present(d.task)
	}
	if d.group.name != "" {
		edit.Group = b.group(d.group)
		if edit.Group == scheduler.RootGroup && d.kind != scheduler.EditMove {
			b.fail(d.group.at, "the root group has neither weight nor limit", "a group below the root")
		}
	}
	if d.added != nil {
		edit.Spec = b.addedSpec(d.added)
		b.entered++
	}
	if d.kind == scheduler.EditWake && int(edit.Task) < len(b.woken) && !b.faulty() {
		b.woken[edit.Task] = true
	}
	return edit
}

// present resolves the name of a task that is there when the edit happens: one of
// the scenario, or one that an edit before this one has added.
func (b *builder) present(ref nameRef) scheduler.TaskID {
	id := b.task(ref)
	if int(id) >= len(b.w.Tasks)+b.entered && !b.faulty() {
		b.fail(ref.at, "task "+quote(ref.name)+" is not there yet", "an event after the one that adds it")
	}
	return id
}

// addedSpec is the task that an event adds. Its program may wake any task that is
// there, and itself.
func (b *builder) addedSpec(shared *taskDef) *scheduler.TaskSpec {
	def := *shared // scenarios are not changed
	spec := b.spec(&def)
	spec.Name = def.name
	body := def.program.value
	b.checkTime(body)
	for i := range body {
		if uses(body[i:i+1], scheduler.OpFork) {
			b.fail(body[i].at, "a task that an event adds forks another", "one that does not fork")
		}
	}
	def.first = b.added[def.name]
	p := plan{def: &def}
	b.compile(&p, 0)
	for _, link := range p.links {
		if link.task > def.first {
			b.fail(link.at, "task "+quote(def.name)+" wakes one that is added after it", "a task that is there by then")
		}
		if int(link.task) < len(b.woken) {
			b.woken[link.task] = true
		}
	}
	spec.Program = p.ops
	return &spec
}
