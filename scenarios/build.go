package scenarios

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// What a file that says nothing gets, and the bounds of HZ.
const (
	defaultKernel        = "7.2"
	defaultHZ            = 1000
	defaultCPUs          = 1
	defaultScalingCPUs   = 8
	defaultUntil         = scheduler.Second
	defaultMigrationCost = 500 * scheduler.Microsecond
	firstClock           = scheduler.Time(1) << 20 // ns; to load averages 0 is never
	minHZ, maxHZ         = 100, 1000
	maxQueues            = 100_000 // groups times CPUs
)

// Options change a scenario from outside, after its variant. Zero values change
// nothing.
type Options struct {
	Kernel    string // name of a profile
	Variant   string // name of a variant, or several with commas; "" is the base
	Features  []scheduler.FeatureSetting
	HZ        int            // 100 ... 1000
	BaseSlice scheduler.Time // 0.1 ms ... 1 s
	Until     scheduler.Time // up to a day
	// Edits are all edits of the run in their order, the scenario's included; nil
	// means the scenario's.
	Edits []scheduler.Edit
	// Changes come on top of the edits.
	Changes []Change
}

// Workload builds what the simulation runs: the base, then the variant, then the
// options. The error is a *Fault if something in the file does not fit, for
// example a feature that the kernel of the options does not have.
func (s *Scenario) Workload(o Options) (*scheduler.Workload, error) {
	if s.recorded != nil {
		return s.playback(o)
	}
	set, err := s.settle(o)
	if err != nil {
		return nil, err
	}
	return s.build(set, o)
}

// build makes the workload of a setup; of the options, features and edits remain
// to be put on top.
func (s *Scenario) build(set setup, o Options) (*scheduler.Workload, error) {
	b := s.assemble(set, false)
	if b.failed() {
		return nil, b.found[0]
	}
	profile := b.w.Config.Kernel
	for _, f := range o.Features {
		if !profile.Knows(f.Feature) {
			return nil, fmt.Errorf("kernel %s has no feature %v: expected %s", profile.Name, f.Feature, kernelsWith(f.Feature))
		}
		b.w.Config.Features = b.w.Config.Features.With(f.Feature, f.On)
	}
	if o.Edits != nil {
		b.w.Edits = o.Edits
	}
	if err := s.apply(b.w, o); err != nil {
		return nil, err
	}
	return b.w, nil
}

// assemble builds the workload of a setup as far as it goes; partial tells that a part
// of the file could not be read.
func (s *Scenario) assemble(set setup, partial bool) *builder {
	b := &builder{sieve: sieve{src: s.src}, s: s, set: set, partial: partial}
	for _, step := range []func(){b.config, b.groups, b.tasks} {
		step()
		b.settle()
	}
	if len(b.w.Tasks) < len(b.names.list) {
		return b // the entries could not be numbered
	}
	for _, step := range []func(){b.programs, b.edits, b.queues} {
		step()
		b.settle()
	}
	if partial || b.failed() {
		return b
	}
	for _, step := range []func(){b.circles, b.forks, b.meetings, b.wakes, b.start} {
		if step(); b.settle() {
			break
		}
	}
	return b
}

// settle puts variant and options on top of the base.
func (s *Scenario) settle(o Options) (setup, error) {
	set := s.base
	for _, name := range splitVariants(o.Variant) {
		v, ok := s.variant(name)
		if !ok {
			return set, fmt.Errorf("unknown variant %q of %s: expected %s", name, s.Name, suggestion(name, s.VariantNames()))
		}
		set = set.with(&v.setup)
	}
	if o.Kernel != "" {
		p, expected := Kernel(o.Kernel)
		if p == nil {
			return set, fmt.Errorf("unknown kernel %q: expected %s", o.Kernel, expected)
		}
		set.kernel = give(position{1, 1}, p)
	}
	if o.HZ != 0 {
		if o.HZ < minHZ || o.HZ > maxHZ {
			return set, fmt.Errorf("hz is %d: expected %d to %d", o.HZ, minHZ, maxHZ)
		}
		set.hz = give(position{1, 1}, int64(o.HZ))
	}
	if o.BaseSlice != 0 {
		if o.BaseSlice < 100*scheduler.Microsecond || o.BaseSlice > scheduler.Second {
			return set, fmt.Errorf("base slice is %s: expected 100us to 1s", FormatTime(o.BaseSlice))
		}
		set.baseSlice = give(position{1, 1}, o.BaseSlice)
	}
	if o.Until != 0 {
		if o.Until < 0 || o.Until > maxTime {
			return set, fmt.Errorf("until is %s: expected 1ns to %s", FormatTime(o.Until), FormatTime(maxTime))
		}
		set.until = give(position{1, 1}, o.Until)
	}
	return set, nil
}

// splitVariants are the names of the variants to put on top of each other.
func splitVariants(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ",")
}

// builder makes one workload.
type builder struct {
	sieve
	s   *Scenario
	set setup
	// partial tells that a part of the file could not be read. What is missed may
	// stand there, so that only names are looked up.
	partial bool
	w       *scheduler.Workload
	defs    []taskDef // with the changes of the variant
	names   taskNames
	plans   []plan // by task entry
	// objects are those of w.Objects.
	objects []object
	woken   []bool                      // by TaskID: another task or an event wakes it
	added   map[string]scheduler.TaskID // tasks that events add
	// entered is how many of them the edits so far have added.
	entered int
}

// config fills in the machine.
func (b *builder) config() {
	m := &b.s.machine
	standard, _ := scheduler.ProfileByName(defaultKernel)
	profile := b.set.kernel.or(standard)
	nbase := uint64(m.nbase.or(scheduler.Time(profile.NBase)))
	scaled := scheduler.ScaledBaseSlice(nbase, int(m.scalingCPUs.or(defaultScalingCPUs)))
	b.w = &scheduler.Workload{
		Config: scheduler.Config{
			Kernel:        profile,
			CPUs:          b.cpus(),
			HZ:            int(b.set.hz.or(defaultHZ)),
			BaseSlice:     uint64(b.set.baseSlice.or(scheduler.Time(scaled))),
			NBase:         nbase,
			MigrationCost: uint64(m.migrationCost.or(defaultMigrationCost)),
			Features:      profile.Defaults(),
			Aug:           b.set.aug.value,
			Preempt:       m.preempt,
			Topology:      m.topology.value,
			ClockStart:    uint64(m.clockStart.or(firstClock)),
		},
		IRQPerTick: m.irqPerTick.value,
		IPIDelay:   m.ipiDelay.value,
		Seed:       m.seed.value,
		Until:      b.set.until.or(defaultUntil),
	}
	b.w.Config.Balance = b.set.balance.or(b.w.Config.CPUs > 1)
	b.checkCPUs(m.show)
	for _, f := range b.set.features {
		b.checkFeature(f)
		b.w.Config.Features = b.w.Config.Features.With(f.setting.Feature, f.setting.On)
	}
	tick := scheduler.TickLength(b.w.Config.HZ)
	if m.irqPerTick.value >= tick {
		b.fail(m.irqPerTick.at, "irq_per_tick is "+FormatTime(m.irqPerTick.value), "less than a tick, "+FormatTime(tick))
	}
	b.tickOffset(tick)
}

// cpus is the number of CPUs: that of the topology, if there is one.
func (b *builder) cpus() int {
	m := &b.s.machine
	n := int(m.cpus.or(defaultCPUs))
	if b.partial {
		return maxCPUs
	}
	if !m.topology.set {
		return n
	}
	t := m.topology.value
	if m.cpus.set && n != t.CPUs() {
		b.fail(m.cpus.at, fmt.Sprintf("cpus is %d", n), fmt.Sprintf("%d, the CPUs of topology %v, or no key cpus", t.CPUs(), t))
	}
	return t.CPUs()
}

// checkCPUs refuses CPUs that the machine does not have.
func (b *builder) checkCPUs(set given[scheduler.CPUSet]) {
	if cpu := set.value.Next(b.w.Config.CPUs); cpu >= 0 {
		b.fail(set.at, fmt.Sprintf("there is no CPU %d", cpu), fmt.Sprintf("at most %d, the last of cpus", b.w.Config.CPUs-1))
	}
}

// tickOffset gives each CPU the phase of its ticks.
func (b *builder) tickOffset(tick scheduler.Time) {
	m, cpus := &b.s.machine, b.w.Config.CPUs
	if len(m.ticks) == 0 {
		return
	}
	if m.ticksListed && len(m.ticks) != cpus {
		b.fail(m.ticks[0].at, fmt.Sprintf("tick_offset has %d times", len(m.ticks)), fmt.Sprintf("one for each of %d CPUs", cpus))
		return
	}
	b.w.TickOffset = make([]scheduler.Time, cpus)
	for _, phase := range m.ticks {
		if phase.offset >= tick {
			b.fail(phase.at, "tick_offset is "+FormatTime(phase.offset), "less than a tick, "+FormatTime(tick))
		}
		b.checkCPUs(give(phase.at, phase.cpus))
		for cpu := range cpus {
			if phase.cpus.Empty() || phase.cpus.Has(cpu) {
				b.w.TickOffset[cpu] = phase.offset
			}
		}
	}
}

// checkFeature refuses a feature that the kernel does not have.
func (b *builder) checkFeature(f featureRef) {
	profile := b.w.Config.Kernel
	if feature := f.setting.Feature; !profile.Knows(feature) && !b.partial {
		b.fail(f.at, "kernel "+profile.Name+" has no feature "+feature.String(), kernelsWith(feature))
	}
}

// kernelsWith names the kernels that have a feature.
func kernelsWith(f scheduler.Feature) string {
	var with []string
	for _, p := range scheduler.Profiles() {
		if p.Knows(f) {
			with = append(with, p.Name)
		}
	}
	if with == nil {
		return "a feature of this kernel; no other has it either"
	}
	return "a feature of this kernel, or kernel " + strings.Join(with, " or ")
}

// groups copies the groups, which variants do not change.
func (b *builder) groups() {
	b.w.Groups = slices.Clone(b.s.names.specs)
	if queues := (len(b.w.Groups) + 1) * b.w.Config.CPUs; queues > maxQueues && !b.partial {
		b.fail(b.s.machine.cpus.at, fmt.Sprintf("the machine has %d queues", queues), fmt.Sprintf("at most %d", maxQueues))
	}
}

// task resolves the name of a task.
func (b *builder) task(ref nameRef) scheduler.TaskID {
	id, ok := b.names.ids[ref.name]
	if !ok {
		id, ok = b.added[ref.name]
	}
	if !ok {
		b.unknown(ref.at, "task", ref.name, slices.Concat(b.names.list, slices.Sorted(maps.Keys(b.added))))
	}
	return id
}

// group resolves the name or path of a group.
func (b *builder) group(ref nameRef) scheduler.GroupID {
	id, ok := b.s.Group(ref.name)
	if !ok {
		among := b.s.Groups()
		if !strings.HasPrefix(ref.name, "/") {
			for i := range among[1:] {
				among[1+i] = among[1+i][1:]
			}
		}
		b.unknown(ref.at, "group", ref.name, among)
	}
	return id
}

// queues sets the reference points. A key is a group, with @ and a CPU if that is
// not 0.
func (b *builder) queues() {
	seen := map[scheduler.QueueID]bool{}
	for _, z := range b.s.zeros {
		name, number, other := strings.Cut(z.queue.name, "@")
		cpu := 0
		if other {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || n >= b.w.Config.CPUs {
				b.fail(z.queue.at, "queue "+quote(z.queue.name)+" is on no CPU", fmt.Sprintf("a CPU from 0 to %d after @", b.w.Config.CPUs-1))
			}
			cpu = n
		}
		group := b.group(nameRef{z.queue.at, name})
		id := scheduler.QueueID(int(group)*b.w.Config.CPUs + cpu)
		if seen[id] {
			b.fail(z.queue.at, "duplicate queue "+quote(z.queue.name), "each queue once")
		}
		seen[id] = true
		b.w.Queues = append(b.w.Queues, scheduler.QueueStart{Queue: id, Zero: z.zero})
	}
}
