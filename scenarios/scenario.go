package scenarios

import (
	"errors"
	"path"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Scenario is one scenario file. It is not changed after Parse.
type Scenario struct {
	// Name is the key name, or the file's name without directory and ending.
	Name string
	// About tells what to look at; Source where it comes from. Both may be "".
	About, Source string
	// Bookmarks in the order of their positions.
	Bookmarks []Bookmark
	// Variants in file order.
	Variants []Variant
	// Expect is every expectation of the file, those inside variants included,
	// in file order.
	Expect []Expectation
	// Shows says which kernels show what the scenario is about; nil if the file
	// does not.
	Shows *Shows
	// Show are the CPUs to look at; empty means all.
	Show scheduler.CPUSet
	// Table is the comparison that stats prints; nil if the file has none.
	Table *Table
	// Session is where somebody's work with the scenario stood; nil if the file
	// has none.
	Session *Session

	src     *source
	base    setup
	machine machine
	groups  []groupDef
	tasks   []taskDef
	starts  []startDef
	zeros   []zeroDef
	names   names
	session sessionDef
	// recorded is what a recording plays; nil for a file.
	recorded *scheduler.Workload
}

// Bookmark is a position worth looking at, with a note for the person who does.
type Bookmark struct {
	Time    scheduler.Time // before the end of the run
	Ordinal int            // among the events of that time, from 0
	Note    string         // one line
	at      position
}

// Variant is a named set of overrides. Several can be put on top of each other:
// their names joined by commas stand wherever one name can.
type Variant struct {
	Name, About string
	setup       setup
	at          position
}

// Expectation is a statement about one run, in the expression language.
type Expectation struct {
	Text string
	// Line and Col are where Text begins in the file.
	Line, Col int
	// Variant and Kernel say for which run it holds; "" is no variant and the
	// kernel that the scenario or the variant names.
	Variant, Kernel string
}

// machine holds the keys that variants cannot override.
type machine struct {
	cpus, scalingCPUs given[int64]
	nbase             given[scheduler.Time]
	migrationCost     given[scheduler.Time]
	preempt           scheduler.PreemptModel
	topology          given[scheduler.Topology]
	ticks             []tickPhase
	ticksListed       bool // one phase for each CPU is needed
	irqPerTick        given[scheduler.Time]
	ipiDelay          given[scheduler.Time]
	clockStart        given[scheduler.Time]
	seed              given[uint64]
	show              given[scheduler.CPUSet]
}

// setup holds the keys that variants can override.
type setup struct {
	kernel    given[*scheduler.Profile]
	hz        given[int64]
	baseSlice given[scheduler.Time]
	until     given[scheduler.Time]
	balance   given[bool]
	aug       given[scheduler.AugMode]
	features  []featureRef
	events    given[[]eventDef]
	listed    bool // events of one time apply in the order of the list
	tasks     []override
}

// override changes a task in a variant.
type override struct {
	name    nameRef
	nice    given[int]
	policy  given[scheduler.Policy]
	slice   given[uint64]
	cpus    given[scheduler.CPUSet]
	count   given[int64]
	program given[[]instr]
}

// with is the setup with another on top: features add up, the rest is replaced.
func (s setup) with(o *setup) setup {
	s.kernel = later(s.kernel, o.kernel)
	s.hz = later(s.hz, o.hz)
	s.baseSlice = later(s.baseSlice, o.baseSlice)
	s.until = later(s.until, o.until)
	s.balance = later(s.balance, o.balance)
	s.aug = later(s.aug, o.aug)
	s.events = later(s.events, o.events)
	s.features = append(slices.Clip(s.features), o.features...)
	s.tasks = append(slices.Clip(s.tasks), o.tasks...)
	return s
}

func later[T any](below, above given[T]) given[T] {
	if above.set {
		return above
	}
	return below
}

// Parse reads a scenario. name is the file's name, for faults. The error is a
// *Fault, the first of those that Lint gives. Every variant and every kernel that an
// expectation names is built once, so that Workload fails later only because of its
// options.
func Parse(name string, src []byte) (*Scenario, error) {
	s, faults := parse(name, src)
	if len(faults) > 0 {
		return nil, faults[0]
	}
	return s, nil
}

// parse reads a scenario as far as it goes, with all its faults.
func parse(name string, src []byte) (*Scenario, []*Fault) {
	s := &Scenario{src: &source{file: name, text: strings.TrimPrefix(string(src), "\ufeff")}}
	r := &reader{sieve: sieve{src: s.src}, s: s}
	tree := r.parseTree()
	if r.settle() || tree == nil {
		return s, r.faults()
	}
	r.scenario(tree)
	partial := r.failed()
	r.link()
	if !partial && r.failed() {
		return s, r.faults()
	}
	for _, run := range s.Runs() {
		if set, err := s.settle(run.Options); err == nil {
			r.found = append(r.found, s.assemble(set, partial).faults()...)
		}
	}
	if r.failed() {
		return s, r.faults()
	}
	for _, b := range s.Bookmarks {
		if until := s.base.until.or(defaultUntil); b.Time >= until {
			r.fail(b.at, "the bookmark at "+FormatTime(b.Time)+" is never reached", beforeEnd(until))
			r.settle()
		}
	}
	if err := s.openSession(); err != nil {
		r.found = append(r.found, s.faultOf(err))
	}
	return s, r.faults()
}

// faultOf is an error as a fault; one without a place is about the whole file.
func (s *Scenario) faultOf(err error) *Fault {
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault
	}
	msg, want, _ := strings.Cut(err.Error(), ": expected ")
	return s.src.fault(position{1, 1}, msg, want)
}

// Fault makes a fault of this file, for whoever finds something wrong with a
// text of it later: line and col count from 1.
func (s *Scenario) Fault(line, col int, msg, want string) *Fault {
	return s.src.fault(position{line, col}, msg, want)
}

// beforeEnd says what a position must be that a run is to reach.
func beforeEnd(until scheduler.Time) string {
	return "a time before the end of the run, " + FormatTime(until)
}

// Tasks lists the names of the tasks without a variant; the index is the TaskID.
func (s *Scenario) Tasks() []string { return slices.Clone(s.names.list) }

// Groups lists the paths of the groups; the index is the GroupID, "/" the root.
func (s *Scenario) Groups() []string { return slices.Clone(s.names.groups) }

// Task finds a task by name, without a variant.
func (s *Scenario) Task(name string) (scheduler.TaskID, bool) {
	id, ok := s.names.ids[name]
	return id, ok
}

// Group finds a group by path or by its name in the file.
func (s *Scenario) Group(name string) (scheduler.GroupID, bool) {
	id, ok := s.names.groupIDs[strings.Trim(name, "/")]
	return id, ok
}

// Run is one run that expectations are about.
type Run struct {
	Options Options // Kernel and Variant only
	Expect  []Expectation
}

// runKey tells runs apart.
type runKey struct{ variant, kernel string }

// Runs lists the runs of the scenario: the base, each variant, and each other
// kernel that expectations name, every one with its expectations.
func (s *Scenario) Runs() []Run {
	runs := []Run{{}}
	index := map[runKey]int{{}: 0}
	for _, v := range s.Variants {
		index[runKey{v.Name, ""}] = len(runs)
		runs = append(runs, Run{Options: Options{Variant: v.Name}})
	}
	for _, e := range s.Expect {
		where := runKey{e.Variant, e.Kernel}
		i, known := index[where]
		if !known {
			i = len(runs)
			index[where] = i
			runs = append(runs, Run{Options: Options{Variant: e.Variant, Kernel: e.Kernel}})
		}
		runs[i].Expect = append(runs[i].Expect, e)
	}
	return runs
}

// nameOfFile is a file's name without directory and ending.
func nameOfFile(file string) string {
	name := path.Base(strings.ReplaceAll(file, "\\", "/"))
	for _, ending := range []string{".yaml", ".yml", ".json"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// variant finds a variant by name.
func (s *Scenario) variant(name string) (*Variant, bool) {
	for i := range s.Variants {
		if s.Variants[i].Name == name {
			return &s.Variants[i], true
		}
	}
	return nil, false
}

// VariantNames lists the names of the variants in file order.
func (s *Scenario) VariantNames() []string {
	var names []string
	for _, v := range s.Variants {
		names = append(names, v.Name)
	}
	return names
}
