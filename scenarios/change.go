package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Change is an edit in words: what Scenario.Change reads, right before the event at
// a position.
type Change struct {
	At   Moment
	Text string
}

// String is the change as --edit takes it: 3.1ms#0=NO_PLACE_LAG.
func (c Change) String() string {
	return fmt.Sprintf("%s#%d=%s", FormatTime(c.At.Time), c.At.Ordinal, c.Text)
}

// Compare orders changes by their positions.
func (c Change) Compare(o Change) int {
	return cmp.Or(cmp.Compare(c.At.Time, o.At.Time), cmp.Compare(c.At.Ordinal, o.At.Ordinal))
}

// Change reads one change in the words of an event, such as
// "renice: {task: a, nice: 5}" or "kill: b", or the name of a feature. Options are
// those of the run that is changed; tasks that their edits add can be named. The
// edit stands at the start: At and Ordinal are for the caller to set. The error is a
// *Fault whose columns are those of text.
func (s *Scenario) Change(o Options, text string) (scheduler.Edit, error) {
	if setting, ok := scheduler.ParseFeature(text); ok {
		text = "features: [" + setting.String() + "]"
	}
	edit, err := s.change(o, "{"+text+"}")
	var fault *Fault
	if errors.As(err, &fault) {
		fault.Col, fault.Source = max(fault.Col-1, 1), text
	}
	return edit, err
}

func (s *Scenario) change(o Options, text string) (scheduler.Edit, error) {
	set, err := s.settle(o)
	if err != nil {
		return scheduler.Edit{}, err
	}
	r := &reader{sieve: sieve{src: &source{file: "edit", text: text}}, s: s}
	def := eventDef{pos: position{1, 1}}
	if tree := r.parseTree(); tree != nil {
		def = r.change(tree)
	}
	if r.failed() {
		return scheduler.Edit{}, r.faults()[0]
	}
	b := &builder{sieve: r.sieve, s: s, set: set, added: map[string]scheduler.TaskID{}}
	b.set.events = give(def.pos, []eventDef{def})
	b.config()
	b.tasks()
	for _, e := range o.Edits {
		if e.Kind == scheduler.EditAdd {
			b.added[e.Spec.Name] = scheduler.TaskID(len(b.w.Tasks) + b.entered)
			b.entered++
		}
	}
	if b.edits(); b.failed() {
		return scheduler.Edit{}, b.faults()[0]
	}
	if n := len(b.w.Edits); n != 1 {
		return scheduler.Edit{}, b.src.fault(position{1, 2}, fmt.Sprintf("these are %d changes", n), "one")
	}
	return b.w.Edits[0], nil
}

// apply puts changes into the edits of a run, in the order of their positions.
// Each goes behind the edits that stand at its position.
func (s *Scenario) apply(w *scheduler.Workload, o Options) error {
	list := slices.Clone(o.Changes)
	slices.SortStableFunc(list, Change.Compare)
	for _, c := range list {
		at, _ := slices.BinarySearchFunc(w.Edits, c.At, func(e scheduler.Edit, m Moment) int {
			return cmp.Or(cmp.Compare(e.At, m.Time), cmp.Compare(e.Ordinal, m.Ordinal), -1)
		})
		o.Edits = w.Edits[:at]
		e, err := s.Change(o, c.Text)
		if err != nil {
			return fmt.Errorf("edit at %s: %w", c.At, err)
		}
		e.At, e.Ordinal = c.At.Time, c.At.Ordinal
		w.Edits = insertEdit(w, at, e)
	}
	return nil
}

// insertEdit is the list of w's edits with e at an index. As e is an event of its
// own, later ones of its time move on by one; as a task that it adds takes the next
// number, those added later do too.
func insertEdit(w *scheduler.Workload, at int, e scheduler.Edit) []scheduler.Edit {
	list := slices.Insert(slices.Clone(w.Edits), at, e)
	number := scheduler.TaskID(len(w.Tasks))
	for _, before := range list[:at] {
		if before.Kind == scheduler.EditAdd {
			number++
		}
	}
	for i := at + 1; i < len(list); i++ {
		if list[i].At == e.At {
			list[i].Ordinal++
		}
		if e.Kind == scheduler.EditAdd && list[i].Task >= number {
			list[i].Task++
		}
	}
	return list
}

// Changes says some edits of a run of w as changes; all are all edits of that run,
// and edits is a part of them in their order.
func Changes(w *scheduler.Workload, all, edits []scheduler.Edit) []Change {
	said := changes{w: w}
	var list []Change
	for i := range all {
		e := &all[i]
		text, err := said.next(e)
		if len(edits) == 0 || *e != edits[0] {
			continue
		}
		edits = edits[1:]
		if e.Kind == scheduler.EditFeature {
			text = e.Feature.String()
		}
		if err != nil {
			text = err.Error()
		}
		list = append(list, Change{Moment{e.At, e.Ordinal}, text})
	}
	return list
}

// changes prints edits in the words of events. They must be given one after the
// other, because the tasks that they add can be named from then on.
type changes struct {
	w     *scheduler.Workload
	added []*scheduler.TaskSpec
}

// next is what the next edit changes.
func (c *changes) next(e *scheduler.Edit) (string, error) {
	if e.Kind == scheduler.EditAdd {
		c.added = append(c.added, e.Spec)
		return c.addText(e.Spec)
	}
	task, group := plainName(c.name(e.Task)), c.group(e.Group)
	switch e.Kind {
	case scheduler.EditFeature:
		return "features: [" + e.Feature.String() + "]", nil
	case scheduler.EditNice:
		return fmt.Sprintf("renice: {task: %s, nice: %d}", task, e.Value), nil
	case scheduler.EditSlice:
		return fmt.Sprintf("slice: {task: %s, slice: %s}", task, FormatTime(scheduler.Time(e.Value))), nil
	case scheduler.EditPolicy:
		return fmt.Sprintf("policy: {task: %s, policy: %s}", task, policyWord(e.Policy)), nil
	case scheduler.EditAffinity:
		return fmt.Sprintf("affinity: {task: %s, cpus: '%s'}", task, e.Allowed), nil
	case scheduler.EditShares:
		return sharesText(group, uint64(e.Value))
	case scheduler.EditGroupIdle:
		return fmt.Sprintf("group_idle: {group: %s, idle: %t}", group, e.Value != 0), nil
	case scheduler.EditBaseSlice:
		return "base_slice: " + FormatTime(scheduler.Time(e.Value)), nil
	case scheduler.EditPreempt:
		return "preempt: " + scheduler.PreemptModel(e.Value).String(), nil
	case scheduler.EditMove:
		return fmt.Sprintf("move: {task: %s, group: %s}", task, group), nil
	case scheduler.EditInterrupt:
		return fmt.Sprintf("interrupt: %s, cpu: %d", FormatTime(scheduler.Time(e.Value)), e.CPU), nil
	case scheduler.EditWake, scheduler.EditSleep, scheduler.EditFreeze, scheduler.EditKill:
		return aloneWords[e.Kind] + ": " + task, nil
	case scheduler.EditQuota:
		return limitText(group, e), nil
	case scheduler.EditAdd:
	}
	return "", fmt.Errorf("an edit of kind %d cannot be written: expected one that events know", e.Kind)
}

// aloneWords are the changes that name just a task.
var aloneWords = map[scheduler.EditKind]string{
	scheduler.EditWake: "wake", scheduler.EditSleep: "sleep", scheduler.EditFreeze: "freeze", scheduler.EditKill: "kill",
}

// name is the name of a task, "" if there is none with that number yet.
func (c *changes) name(id scheduler.TaskID) string {
	known := scheduler.TaskID(len(c.w.Tasks))
	switch {
	case id >= 0 && id < known:
		return c.w.Tasks[id].Name
	case id >= known && int(id-known) < len(c.added):
		return c.added[id-known].Name
	}
	return ""
}

func (c *changes) group(id scheduler.GroupID) string {
	switch {
	case id == scheduler.RootGroup:
		return "/"
	case id > 0 && int(id) <= len(c.w.Groups):
		return plainName(c.w.Groups[id-1].Name)
	}
	return ""
}

// plainName is a name as YAML text: one that YAML would take for something else
// stands in quotes.
func plainName(name string) string {
	switch strings.ToLower(name) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return "'" + name + "'"
	}
	return name
}

// sharesText says the weight of a group in the unit in which it is a whole number.
func sharesText(group string, scaled uint64) (string, error) {
	if scaled%sharesScale == 0 {
		return fmt.Sprintf("shares: {group: %s, shares: %d}", group, scaled/sharesScale), nil
	}
	for weight := range uint64(maxWeight) {
		if scheduler.SharesOfWeight(weight+1) == scaled {
			return fmt.Sprintf("weight: {group: %s, weight: %d}", group, weight+1), nil
		}
	}
	return "", fmt.Errorf("group %s gets scaled shares of %d: expected those of a cpu.weight or cpu.shares", group, scaled)
}

// policyWord is the word for a policy in files.
func policyWord(policy scheduler.Policy) string {
	for _, p := range policies {
		if p.policy == policy {
			return p.word
		}
	}
	return ""
}

// addText describes a task that is added.
func (c *changes) addText(t *scheduler.TaskSpec) (string, error) {
	words := []string{"name: " + plainName(t.Name)}
	key := func(name, value string, said bool) {
		if said {
			words = append(words, name+": "+value)
		}
	}
	key("group", c.group(t.Group), t.Group != scheduler.RootGroup)
	key("nice", fmt.Sprint(t.Nice), t.Nice != 0)
	key("policy", policyWord(t.Policy), t.Policy != scheduler.PolicyNormal)
	key("slice", FormatTime(scheduler.Time(t.Slice)), t.Slice != 0)
	key("cpu", fmt.Sprint(t.CPU), t.CPU != 0)
	key("cpus", "'"+t.Allowed.String()+"'", !t.Allowed.Empty())
	does, err := c.bodyText(t.Program, 0, len(t.Program))
	key("does", does, true)
	return "add: {" + strings.Join(words, ", ") + "}", err
}

// bodyText lists the instructions from ... to-1: a program, or the inside of a
// repeat, which ends with a jump back.
func (c *changes) bodyText(ops []scheduler.Op, from, to int) (string, error) {
	var items []string
	for i := to - 1; i >= from; i-- {
		op := &ops[i]
		if op.Kind != scheduler.OpLoop {
			text, err := c.opText(op)
			if err != nil {
				return "", err
			}
			items = append(items, text)
			continue
		}
		body, err := c.bodyText(ops, int(op.Target), i)
		if err != nil {
			return "", err
		}
		item := "{repeat: " + body
		if op.Count > 0 {
			item += fmt.Sprintf(", times: %d", op.Count)
		}
		items = append(items, item+"}")
		i = int(op.Target)
	}
	slices.Reverse(items)
	return "[" + strings.Join(items, ", ") + "]", nil
}

// opText is one instruction.
func (c *changes) opText(op *scheduler.Op) (string, error) {
	text := wordOf(op)
	switch op.Kind {
	case scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer:
		if op.Dur != endless {
			text += " " + spanText(op)
		}
	case scheduler.OpWake, scheduler.OpFork:
		text += " " + c.name(op.Task)
	case scheduler.OpLock, scheduler.OpUnlock, scheduler.OpBarrier, scheduler.OpSend, scheduler.OpReceive:
		if op.Object < 0 || int(op.Object) >= len(c.w.Objects) {
			return "", fmt.Errorf("the instruction %s of an added task cannot be written: expected an object of the scenario", text)
		}
		if text += " " + c.w.Objects[op.Object]; op.Kind == scheduler.OpBarrier {
			text += fmt.Sprintf(" %d", op.Count)
		}
	case scheduler.OpBlock, scheduler.OpYield, scheduler.OpExit, scheduler.OpLoop:
	}
	return text, nil
}

// spanText is how long a run, sleep or timer is.
func spanText(op *scheduler.Op) string {
	text := FormatTime(op.Dur)
	switch op.Dist {
	case scheduler.DistUniform:
		return uniform + " " + text + " " + FormatTime(op.Max)
	case scheduler.DistExponential:
		text = exponential + " " + text
		if op.Max > 0 {
			text += " " + atMost + " " + FormatTime(op.Max)
		}
	case scheduler.DistFixed:
	}
	return text
}
