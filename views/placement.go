package views

import (
	"fmt"
	"strings"

	"zerolag/scheduler"
)

// placementRule is one rule by which a wakeup chooses a CPU, in the order in which
// they are asked.
type placementRule struct {
	reason scheduler.Reason
	stage  placementStage
	words  string
	about  placementCPU
	// feature without which the rule is never asked.
	feature scheduler.Feature
	gated   bool
}

// placementStage is the kernel function that asks.
type placementStage uint8

const (
	stageCurrent placementStage = iota
	stageAffine
	stageSibling
)

func (s placementStage) String() string {
	return [...]string{"wake_on_current", "wake_affine", "select_idle_sibling"}[s]
}

// placementCPU is the CPU that a rule looks at.
type placementCPU uint8

const (
	cpuWaking placementCPU = iota
	cpuPrevious
	cpuTarget
	cpuSearched // one that the rule finds
)

// placementRules are the rules of select_task_rq_fair for a wakeup.
func placementRules() []placementRule {
	gated := func(r scheduler.Reason, s placementStage, words string, about placementCPU, f scheduler.Feature) placementRule {
		return placementRule{reason: r, stage: s, words: words, about: about, feature: f, gated: true}
	}
	sibling := func(r scheduler.Reason, words string, about placementCPU) placementRule {
		return placementRule{reason: r, stage: stageSibling, words: words, about: about}
	}
	return []placementRule{
		gated(scheduler.ReasonCPUSisCurrent, stageCurrent, "SIS_CURRENT: two short partners", cpuWaking, scheduler.SisCurrent),
		gated(scheduler.ReasonAffineThisIdle, stageAffine, "WA_IDLE: waking CPU idle, same cache", cpuWaking, scheduler.WaIdle),
		gated(scheduler.ReasonAffineSync, stageAffine, "WA_IDLE: waker alone, about to sleep", cpuWaking, scheduler.WaIdle),
		gated(scheduler.ReasonAffinePrevIdle, stageAffine, "WA_IDLE: previous CPU idle", cpuPrevious, scheduler.WaIdle),
		gated(scheduler.ReasonAffineWeight, stageAffine, "WA_WEIGHT: waking CPU less loaded", cpuWaking, scheduler.WaWeight),
		{reason: scheduler.ReasonAffineUndecided, stage: stageAffine, words: "otherwise the previous CPU", about: cpuPrevious},
		sibling(scheduler.ReasonCPUTargetIdle, "target idle", cpuTarget),
		sibling(scheduler.ReasonCPUPrevIdle, "previous CPU idle, same cache", cpuPrevious),
		sibling(scheduler.ReasonCPURecent, "CPU used before idle", cpuSearched),
		sibling(scheduler.ReasonCPUSibling, "thread of the previous core idle", cpuSearched),
		sibling(scheduler.ReasonCPUIdleCore, "search: a wholly idle core", cpuSearched),
		sibling(scheduler.ReasonCPUIdleFound, "search: an idle CPU", cpuSearched),
		sibling(scheduler.ReasonCPUNoIdle, "otherwise the target", cpuTarget),
	}
}

// placement is what the sub-steps tell of the choice of a CPU.
type placement struct {
	affine, final, limit, remote *scheduler.Step
}

// placementOf finds the choice of a CPU in an event; ok is false if it made none.
func (m Moment) placementOf() (p placement, ok bool) {
	for i := range m.Steps {
		s := &m.Steps[i]
		if s.Kind != scheduler.StepSelect {
			continue
		}
		switch r := s.Reason; {
		case r >= scheduler.ReasonAffineThisIdle && r <= scheduler.ReasonAffineUndecided:
			p.affine = s
		case r == scheduler.ReasonScanLimit:
			p.limit = s
		case r == scheduler.ReasonQueuedRemote:
			p.remote = s
		case r == scheduler.ReasonMigrated || r == scheduler.ReasonCPUPinned:
		default:
			p.final = s
		}
	}
	return p, p.final != nil
}

// whyPlacement says where a wakee or child goes and which rules decided.
func (m Moment) whyPlacement(p placement) (headline string, sentences []string) {
	cpu, _ := p.final.Arg(scheduler.ArgCPU)
	headline = fmt.Sprintf("%s: %s to cpu%d.", kernelFunction(p.final, m.Profile), m.name(p.final.Entity), cpu)
	for _, s := range [...]*scheduler.Step{p.affine, p.limit, p.final, p.remote} {
		if s != nil {
			sentences = append(sentences, m.statement(s))
		}
	}
	return headline, sentences
}

// placementClause is whyPlacement in one sentence, for an event that decides more.
func (m Moment) placementClause(p placement) string {
	cpu, _ := p.final.Arg(scheduler.ArgCPU)
	text := fmt.Sprintf("It was placed on cpu%d (%s): ", cpu, kernelFunction(p.final, m.Profile))
	if p.affine != nil {
		text += reasonText(p.affine, m.stepFrame(p.affine), m.decimals()) + "; "
	}
	return sentence(text + reasonText(p.final, m.stepFrame(p.final), m.decimals()))
}

// PlacementTable lists the rules that could have chosen the CPU of a wakee, in
// order, with the CPU each looked at, what went on there before, and its verdict.
// Where width has no room for all columns, who asks is left out. ok is false if the
// event chose no CPU by these rules.
func PlacementTable(m Moment, width int) (t Table, ok bool) {
	p, ok := m.placementOf()
	if !ok || p.final.Reason == scheduler.ReasonCPUForkIdlest {
		return t, false
	}
	t = m.ruleTable(p)
	if t.width() > width {
		t.dropFirst()
	}
	return t, true
}

// ruleTable is the table of the rules of a wakeup.
func (m Moment) ruleTable(p placement) (t Table) {
	t.Columns = []Column{{Head: "asked by"}, {Head: "rule"}, {Head: "cpu", Right: true}, {Head: "before"}, {Head: "verdict"}}
	decided := [...]scheduler.Reason{
		stageCurrent: scheduler.ReasonNone, stageAffine: scheduler.ReasonNone, stageSibling: p.final.Reason,
	}
	if p.affine != nil {
		decided[stageAffine] = p.affine.Reason
	}
	current := p.final.Reason == scheduler.ReasonCPUSisCurrent
	passed := [len(decided)]bool{}
	for _, rule := range placementRules() {
		verdict, style := "no", StyleText
		switch {
		case rule.reason == p.final.Reason || p.affine != nil && rule.reason == p.affine.Reason:
			verdict, style = m.verdict(rule, p), StyleWhy
			passed[rule.stage] = true
		case rule.gated && !m.After.Features.Has(rule.feature):
			verdict, style = "off", StyleDim
		case current || passed[rule.stage]:
			verdict, style = "not asked", StyleDim
		case rule.stage == stageAffine && p.affine == nil:
			verdict, style = m.noAffine(p), StyleDim
		case rule.reason == scheduler.ReasonCPUIdleFound && p.limit != nil:
			verdict = "cut short: SIS_UTIL"
		}
		cpu, state := m.ruleCPU(rule, p)
		t.Rows = append(t.Rows, Row{Style: style, Cells: []string{rule.stage.String(), rule.words, cpu, state, verdict}})
	}
	if p.remote != nil {
		t.Rows = append(t.Rows, Row{Cells: []string{"ttwu_queue", "TTWU_QUEUE: sent by interrupt", "", "", "yes"}})
	}
	return t
}

// verdict says what the rule that decided led to.
func (m Moment) verdict(rule placementRule, p placement) string {
	if rule.stage != stageAffine {
		return "decides"
	}
	cpu, _ := p.affine.Arg(scheduler.ArgCPU)
	text := fmt.Sprintf("decides: target cpu%d", cpu)
	this, ok := p.affine.Arg(scheduler.ArgThisLoad)
	if prev, _ := p.affine.Arg(scheduler.ArgPrevLoad); ok {
		text += fmt.Sprintf(", %d < %d", this, prev)
	}
	return text
}

// noAffine says why wake_affine was not asked.
func (m Moment) noAffine(p placement) string {
	this, _ := p.final.Arg(scheduler.ArgThisCPU)
	if prev, _ := p.final.Arg(scheduler.ArgPrevCPU); this == prev {
		return "not asked: woken on its CPU"
	}
	return "not asked: waker of many"
}

// ruleCPU is the CPU that a rule looks at and what went on there before.
func (m Moment) ruleCPU(rule placementRule, p placement) (cpu, state string) {
	var at int64
	switch rule.about {
	case cpuWaking:
		at, _ = p.final.Arg(scheduler.ArgThisCPU)
	case cpuPrevious:
		at, _ = p.final.Arg(scheduler.ArgPrevCPU)
	case cpuTarget:
		at, _ = p.final.Arg(scheduler.ArgPrevCPU)
		if p.affine != nil {
			at, _ = p.affine.Arg(scheduler.ArgCPU)
		}
	case cpuSearched:
		if rule.reason != p.final.Reason {
			return "-", ""
		}
		at, _ = p.final.Arg(scheduler.ArgCPU)
	}
	return fmt.Sprint(at), m.stateOf(int(at))
}

// stateOf says what went on on a CPU before the event.
func (m Moment) stateOf(cpu int) string {
	f := m.Before
	if f == nil || cpu < 0 || cpu >= len(f.CPUs) {
		return ""
	}
	if isIdle(f, cpu) {
		return "idle"
	}
	text := "higher class"
	if c := &f.CPUs[cpu]; !c.Higher {
		text = taskName(f, c.Curr)
	}
	if n := waiting(f, cpu); n > 0 {
		text += fmt.Sprintf(" +%d", n)
	}
	return text
}

// CandidateTable lists the CPUs that a wakee or a new task could have gone to: what
// went on there before, and the rule that took or dropped each. CPUs whose cache is
// neither that of the waking CPU nor that of the previous one are counted. Where
// width has no room for all columns, what a CPU is to the wakeup is left out. ok is
// false if the event chose no CPU.
func CandidateTable(m Moment, width int) (t Table, ok bool) {
	p, ok := m.placementOf()
	if !ok {
		return t, false
	}
	t.Columns = []Column{{Head: "is"}, {Head: "cpu", Right: true}, {Head: "before"}, {Head: "verdict"}}
	c := m.candidates(p)
	far := 0
	for cpu := range c.frame.CPUs {
		if !c.near(cpu) {
			far++
			continue
		}
		verdict, style := c.verdict(cpu), StyleText
		if cpu == c.chosen {
			style = StyleWhy
		}
		t.Rows = append(t.Rows, Row{Owner: Owner{OwnerQueue, int32(cpu)}, Style: style, Cells: []string{
			c.roles(cpu), fmt.Sprint(cpu), m.stateOf(cpu), verdict,
		}})
	}
	if far > 0 {
		t.Rows = append(t.Rows, Row{Style: StyleDim, Cells: []string{"", "", fmt.Sprintf("%d more", far), "dropped: not the target's cache"}})
	}
	if c.waking < 0 || t.width() > width {
		t.dropFirst()
	}
	return t, true
}

// candidates is what a choice of a CPU went by.
type candidates struct {
	m                                Moment
	p                                placement
	frame                            *scheduler.Frame // before the event
	waking, previous, target, chosen int              // CPUs, -1: none
	allowed                          scheduler.CPUSet
}

func (m Moment) candidates(p placement) candidates {
	c := candidates{m: m, p: p, frame: m.After, waking: -1, previous: -1, target: -1}
	if m.Before != nil {
		c.frame = m.Before
	}
	if e := m.After.Entity(p.final.Entity); e != nil {
		c.allowed = e.Allowed
	}
	cpu := func(s *scheduler.Step, name scheduler.ArgName) int {
		if v, ok := s.Arg(name); ok {
			return int(v)
		}
		return -1
	}
	c.chosen = cpu(p.final, scheduler.ArgCPU)
	if p.final.Reason == scheduler.ReasonCPUForkIdlest {
		return c
	}
	c.waking, c.previous = cpu(p.final, scheduler.ArgThisCPU), cpu(p.final, scheduler.ArgPrevCPU)
	if c.target = c.previous; p.affine != nil {
		c.target = cpu(p.affine, scheduler.ArgCPU)
	}
	return c
}

// near tells whether a CPU is worth a row: it shares the cache of the waking, the
// previous or the chosen one; of a new task all are.
func (c *candidates) near(cpu int) bool {
	if c.waking < 0 {
		return true
	}
	return c.sameCache(cpu, c.waking) || c.sameCache(cpu, c.previous) || c.sameCache(cpu, c.chosen)
}

func (c *candidates) sameCache(a, b int) bool {
	t := c.m.Topology
	if t.CPUs() != len(c.frame.CPUs) {
		return true
	}
	coreA, _ := t.Place(a)
	coreB, _ := t.Place(b)
	return coreA/t.CoresPerLLC == coreB/t.CoresPerLLC
}

// roles says which of the CPUs that the rules name a CPU is.
func (c *candidates) roles(cpu int) string {
	var roles []string
	for _, r := range [...]struct {
		cpu  int
		name string
	}{{c.waking, "waking"}, {c.previous, "previous"}, {c.target, "target"}} {
		if r.cpu == cpu {
			roles = append(roles, r.name)
		}
	}
	return strings.Join(roles, ", ")
}

// verdict is the rule that took or dropped a CPU.
func (c *candidates) verdict(cpu int) string {
	fork := c.waking < 0
	switch {
	case cpu == c.chosen && fork:
		return "taken: least busy of the group chosen"
	case cpu == c.chosen:
		return "taken: " + ruleWords(c.p.final.Reason)
	case !c.allowed.Empty() && !c.allowed.Has(cpu):
		return "dropped: not in its affinity"
	case fork:
		return "dropped: busier, or in another group"
	case !c.sameCache(cpu, c.target):
		return "dropped: not the target's cache"
	case !isIdle(c.frame, cpu):
		return "dropped: busy"
	case c.p.limit != nil:
		return "not reached: SIS_UTIL cut the search short"
	}
	return "not reached: idle as well"
}

// ruleWords says a rule of placementRules.
func ruleWords(r scheduler.Reason) (words string) {
	for _, rule := range placementRules() {
		if rule.reason == r {
			words = rule.words
		}
	}
	return words
}
