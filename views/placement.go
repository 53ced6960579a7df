package views

import (
	"fmt"
	"slices"

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
		gated(scheduler.ReasonAffineThisIdle, stageAffine, "WA_IDLE: waking CPU idle, shares the cache", cpuWaking, scheduler.WaIdle),
		gated(scheduler.ReasonAffineSync, stageAffine, "WA_IDLE: waker alone and about to sleep", cpuWaking, scheduler.WaIdle),
		gated(scheduler.ReasonAffinePrevIdle, stageAffine, "WA_IDLE: previous CPU idle", cpuPrevious, scheduler.WaIdle),
		gated(scheduler.ReasonAffineWeight, stageAffine, "WA_WEIGHT: waking CPU less loaded", cpuWaking, scheduler.WaWeight),
		{reason: scheduler.ReasonAffineUndecided, stage: stageAffine, words: "otherwise the previous CPU", about: cpuPrevious},
		sibling(scheduler.ReasonCPUTargetIdle, "target idle", cpuTarget),
		sibling(scheduler.ReasonCPUPrevIdle, "previous CPU idle, shares the cache", cpuPrevious),
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
			sentences = append(sentences, sentence(reasonText(s, m.stepFrame(s), m.decimals())))
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
// Of a new task it lists the CPUs. ok is false if the event chose no CPU.
func PlacementTable(m Moment) (t Table, ok bool) {
	p, ok := m.placementOf()
	if !ok {
		return t, false
	}
	if p.final.Reason == scheduler.ReasonCPUForkIdlest {
		return m.forkTable(p), true
	}
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
	return t, true
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

// forkTable lists the CPUs that a new task could start on.
func (m Moment) forkTable(p placement) Table {
	t := Table{Columns: []Column{{Head: "cpu", Right: true}, {Head: "before"}, {Head: "load_avg", Right: true}, {Head: "verdict"}}}
	chosen, _ := p.final.Arg(scheduler.ArgCPU)
	f := m.After
	if m.Before != nil {
		f = m.Before
	}
	for cpu := range f.CPUs {
		row := Row{Cells: []string{fmt.Sprint(cpu), m.stateOf(cpu), fmt.Sprint(f.Queues[cpu].LoadAvg), ""}}
		if cpu == int(chosen) {
			row.Cells[3], row.Style = "least busy: decides", StyleWhy
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Simplified parts of balancing, told wherever they act.
const (
	simplifiedNewidle = "~ simplified: looking takes no time, and the dice of NI_RANDOM are not rolled."
	simplifiedNohz    = "~ simplified: an idle CPU stops its tick at once, and the kick acts at the same instant."
)

// balances tells whether balancing is what the event is.
func balances(k scheduler.EventKind) bool {
	return k == scheduler.EventBalance || k == scheduler.EventIdleBalance
}

// balanceRank orders what balancing did by how much it tells; 0: not balancing.
func balanceRank(s *scheduler.Step) int {
	if s.Kind != scheduler.StepBalance {
		return 0
	}
	order := []scheduler.Reason{
		scheduler.ReasonNewidleSkipped, scheduler.ReasonBalanced, scheduler.ReasonPullRefused, scheduler.ReasonActiveBalance, scheduler.ReasonPulled,
	}
	return slices.Index(order, s.Reason) + 1
}

// balancing is the step that tells most of what balancing did, nil if none did.
func (m Moment) balancing() *scheduler.Step {
	var best *scheduler.Step
	rank := 0
	for i := range m.Steps {
		if r := balanceRank(&m.Steps[i]); r > rank {
			best, rank = &m.Steps[i], r
		}
	}
	return best
}

// whyBalance explains a balancing pass: what it found and whom it moved.
func (m Moment) whyBalance(s *scheduler.Step) (headline string, sentences []string) {
	headline = kernelFunction(s, m.Profile) + ": " + sentence(reasonText(s, m.stepFrame(s), m.decimals()))
	sentences = m.moves()
	if imbalance, ok := s.Arg(scheduler.ArgImbalance); ok && s.Reason == scheduler.ReasonPulled {
		source, _ := s.Arg(scheduler.ArgPrevCPU)
		sentences = append(sentences, fmt.Sprintf("The imbalance was %d; before it: cpu%d %s.", imbalance, source, m.stateOf(int(source))))
	}
	if m.Event.Kind == scheduler.EventIdleBalance {
		sentences = append(sentences, simplifiedNohz)
	}
	return headline, sentences
}

// moves are the migrations of a balancing pass, in a sentence each.
func (m Moment) moves() []string {
	var list []string
	for i := range m.Steps {
		if s := &m.Steps[i]; s.Kind == scheduler.StepBalance && s.Reason == scheduler.ReasonMigrated && len(list) < maxSentences {
			list = append(list, sentence(reasonText(s, m.stepFrame(s), m.decimals())))
		}
	}
	return list
}

// newidleClause tells of the search for work of a CPU that went idle, "" if there
// was none.
func (m Moment) newidleClause() string {
	s := m.balancing()
	if s == nil {
		return ""
	}
	return "Newly idle: " + sentence(reasonText(s, m.stepFrame(s), m.decimals())) + " " + simplifiedNewidle
}

// BalanceTable lists what balancing did in an event, step by step. ok is false if
// there was none.
func BalanceTable(m Moment) (t Table, ok bool) {
	t.Columns = []Column{{Head: "sub-step", Right: true}, {Head: "what"}, {Head: "source before"}}
	for i := range m.Steps {
		s := &m.Steps[i]
		if s.Kind != scheduler.StepBalance {
			continue
		}
		row := Row{Cells: []string{fmt.Sprint(i + 1), reasonText(s, m.stepFrame(s), m.decimals()), ""}}
		if source, known := s.Arg(scheduler.ArgPrevCPU); known {
			row.Cells[2] = fmt.Sprintf("cpu%d %s", source, m.stateOf(int(source)))
		}
		if balanceRank(s) > 2 {
			row.Style = StyleWhy
		}
		t.Rows = append(t.Rows, row)
	}
	return t, len(t.Rows) > 0
}
