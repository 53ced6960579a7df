package recording

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Recording is a trace that has been read and understood.
type Recording struct {
	path    string
	kernel  string
	config  scheduler.Config
	lines   []*line
	ops     []*node
	profile string
}

// Load reads a trace file, plain or compressed, and what describes its kernel.
func Load(file string) (*Recording, error) {
	about, err := readMeta(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	r, err := open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	lines, err := readLines(file, r)
	if err != nil {
		return nil, err
	}
	rec := &Recording{path: file, kernel: about.Kernel}
	rec.arrange(lines)
	w, err := discover(rec.lines, rec.ops)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if rec.config, err = about.config(w.cpus); err != nil {
		return nil, fmt.Errorf("%s: %w", about.file, err)
	}
	rec.config.ClockStart = firstClock(rec.lines)
	rec.profile = rec.config.Kernel.Name
	return rec, nil
}

// arrange nests the events of a trace.
func (rec *Recording) arrange(lines []*line) {
	paired := pairs(lines)
	rec.lines = trim(lines, paired)
	rec.ops = nest(rec.lines, paired)
}

// firstClock is the first clock that an event shows, ns.
func firstClock(lines []*line) uint64 {
	for _, l := range lines {
		if clk, ok := l.get("clk"); ok {
			return clk
		}
	}
	return 0
}

// config is the machine that was recorded.
func (m *meta) config(cpus int) (scheduler.Config, error) {
	profile, err := profileOf(m.Kernel)
	if err != nil {
		return scheduler.Config{}, err
	}
	features := profile.Defaults()
	for _, name := range m.Features {
		s, ok := scheduler.ParseFeature(name)
		if !ok || !profile.Knows(s.Feature) {
			return scheduler.Config{}, fmt.Errorf("feature %q: expected the features of kernel %s, which does not have it", name, profile.Name)
		}
		features = features.With(s.Feature, s.On)
	}
	return scheduler.Config{
		Kernel: profile, CPUs: cpus, HZ: m.HZ, BaseSlice: m.BaseSlice, NBase: profile.NBase,
		MigrationCost: 500_000, Features: features, Aug: scheduler.AugBuilt,
	}, nil
}

// profileOf finds the profile of a release: the one that describes it exactly,
// else that of its series. Of 6.12 only late stable releases move the reference
// point as the recorder expects.
func profileOf(release string) (*scheduler.Profile, error) {
	version, _, _ := strings.Cut(release, " ")
	version, _, _ = strings.Cut(version, "+")
	version, _, _ = strings.Cut(version, "-")
	series := version
	if parts := strings.SplitN(version, ".", 3); len(parts) == 3 {
		series = parts[0] + "." + parts[1]
	}
	for _, p := range scheduler.Profiles() {
		if p.Release == version {
			return p, nil
		}
	}
	for _, name := range []string{series + ".y", series} {
		if p, ok := scheduler.ProfileByName(name); ok {
			return p, nil
		}
	}
	if p, _, note := scheduler.NearestProfile(version); p != nil {
		return nil, fmt.Errorf("kernel %q: no profile describes it; the nearest is %s, but %s", release, p.Name, note)
	}
	return nil, fmt.Errorf("kernel %q: expected a release like 6.12.117", release)
}

// Player replays a recording step by step.
type Player struct {
	rec       *Recording
	w         *world
	r         *scheduler.Replay
	saved     []*scheduler.Replay // where outer functions began
	addrs     map[scheduler.EntityID]uint64
	live      map[uint64]int // index of the present life
	next      int            // operation to replay next
	following *node          // the call after the present one, at its level
	calls     []*node        // from the outermost call to the present one
	tape      tape
	result    Result
}

// Player starts at the state before the first event.
func (rec *Recording) Player() *Player {
	p := &Player{
		rec: rec, r: scheduler.NewReplay(rec.config),
		addrs: map[scheduler.EntityID]uint64{}, live: map[uint64]int{},
		tape:   tape{open: map[int]*entry{}, last: -1},
		result: Result{Path: rec.path, Kernel: rec.kernel, Profile: rec.profile, Events: len(rec.lines)},
	}
	p.w, _ = discover(rec.lines, rec.ops) // it has been read before without an error
	p.build()
	return p
}

// Result is what has been found so far.
func (p *Player) Result() Result { return p.result }

// build makes the groups and tasks of the world and puts them where they were
// at the start.
func (p *Player) build() {
	for _, tg := range p.w.groupOrder {
		g := p.w.groups[tg]
		if tg == p.w.root {
			g.id = scheduler.RootGroup
			continue
		}
		g.id = p.r.AddGroup(p.w.groups[g.parent].id, p.path(g))
	}
	for _, addr := range p.w.queueOrder {
		q := p.w.queues[addr]
		q.id = p.r.QueueOf(p.w.groups[q.tg].id, q.cpu)
	}
	for _, n := range p.w.lifeOrder {
		if q := p.w.queues[p.w.owners[n.addr]]; n.group && q != nil {
			n.id = p.r.Owner(q.id)
		} else if !n.group {
			n.task = p.r.AddTask(p.taskName(n))
			n.id = p.r.TaskEntity(n.task)
			p.setAttributesOf(n)
		}
		if n.id != scheduler.NoEntity {
			p.addrs[n.id] = n.addr
		}
	}
	p.start()
}

// path is the full name of a group as far as it is known.
func (p *Player) path(g *groupInfo) string {
	name := g.name
	if name == "" {
		name = fmt.Sprintf("group-%x", g.tg)
	}
	if up := p.w.groups[g.parent]; g.parent != p.w.root {
		return p.path(up) + "/" + name
	}
	return "/" + name
}

// start puts queues and entities into the state in which their first events
// show them. Who is on a queue follows from the entities; the queue's own count
// and weight are computed.
func (p *Player) start() {
	for _, n := range p.w.lifeOrder {
		if q := p.w.queues[n.queue]; q != nil && n.task != scheduler.NoTask {
			task, id := n.task, q.id
			p.change(func(r *scheduler.Replay) { r.Attach(task, id) })
		}
	}
	for _, addr := range p.w.queueOrder {
		q := p.w.queues[addr]
		s := p.r.Queue(q.id)
		for i := range queueFields {
			if f := &queueFields[i]; !f.structure {
				f.set(p, &s, q.first.num64(f.name))
			}
		}
		for _, end := range []struct {
			name string
			id   *scheduler.EntityID
		}{{"q_curr", &s.Curr}, {"q_next", &s.Next}} {
			if id := p.known(q.first.num64(end.name)); id != scheduler.NoEntity && p.r.Member(id) == q.id {
				*end.id = id
			}
		}
		p.adoptQueue(q, s)
	}
	for _, n := range slices.SortedStableFunc(slices.Values(p.w.lifeOrder), p.w.byLeftmost) {
		if n.first != nil && n.id != scheduler.NoEntity {
			p.startEntity(n)
		}
	}
	p.startTasks()
}

// startTasks lets those tasks live that were there before the recording.
func (p *Player) startTasks() {
	for cpu := range p.w.cpus {
		clock := scheduler.Time(p.rec.config.ClockStart)
		p.change(func(r *scheduler.Replay) { r.Machine().SetClock(cpu, clock, clock) })
	}
	for _, n := range p.w.lifeOrder {
		if n.first == nil || n.task == scheduler.NoTask {
			continue
		}
		task, runs := n.task, false
		for cpu := range p.w.cpus {
			runs = runs || p.running(cpu) == n.id
		}
		p.change(func(r *scheduler.Replay) { r.Begin(task, runs) })
	}
}

func (p *Player) startEntity(n *life) {
	s := p.r.Entity(n.id)
	for i := range entityFields {
		f := &entityFields[i]
		if v, ok := n.first.get(n.prefix + f.name); ok {
			f.set(&s, v)
		}
	}
	q := p.w.queues[n.queue]
	s.OnRQ = s.OnRQ && q != nil
	p.adoptEntity(n, s)
	if !s.OnRQ {
		return
	}
	to := p.r.Queue(q.id)
	to.Nr++
	to.Load += s.Weight
	p.adoptQueue(q, to)
	if to.Curr != n.id {
		id := n.id
		p.change(func(r *scheduler.Replay) { r.EnterTree(id) })
	}
}

// life is the present life at an entity's address.
func (p *Player) life(addr uint64) *life {
	list := p.w.lives[addr]
	if i := p.live[addr]; i < len(list) {
		return list[i]
	}
	return nil
}

// known is the entity at an address, NoEntity if there is none.
func (p *Player) known(addr uint64) scheduler.EntityID {
	if n := p.life(addr); n != nil {
		return n.id
	}
	return scheduler.NoEntity
}

func (p *Player) nodeAddr(id scheduler.EntityID) uint64 {
	if id == scheduler.NoEntity {
		return 0
	}
	return p.addrs[id] + p.w.nodeOffset
}

// Step replays the next operation; false at the end of the recording.
func (p *Player) Step() bool {
	if p.next >= len(p.rec.ops) {
		return false
	}
	n := p.rec.ops[p.next]
	p.next++
	p.following = nil
	if p.next < len(p.rec.ops) {
		p.following = p.rec.ops[p.next]
	}
	p.begin(n)
	p.run(n)
	if n.name == "reweight_entity" {
		p.tableInverse(n.line().num64("se"))
	}
	return true
}

// run replays a call: first what it called, each from the half-done state it
// was called in, then the call itself from where it began.
func (p *Player) run(n *node) {
	p.calls = append(p.calls, n)
	if n.entry != nil && !n.raced {
		p.prepare(n)
		p.look(n.entry)
	}
	if len(n.kids) > 0 {
		at, following := p.save(len(p.calls)), p.following
		for i, k := range n.kids {
			p.following = nil
			if i+1 < len(n.kids) {
				p.following = n.kids[i+1]
			}
			p.run(k)
		}
		p.r.CopyFrom(at)
		p.following = following
	}
	p.perform(n)
	if n.exit != nil {
		p.look(n.exit)
	}
	p.calls = p.calls[:len(p.calls)-1]
}

// save copies the machine into the memory of a nesting depth.
func (p *Player) save(depth int) *scheduler.Replay {
	for len(p.saved) <= depth {
		p.saved = append(p.saved, scheduler.NewReplay(p.rec.config))
	}
	p.saved[depth].CopyFrom(p.r)
	return p.saved[depth]
}
