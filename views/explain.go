package views

import (
	"fmt"
	"strings"

	"zerolag/scheduler"
)

// Moment is one event with everything that is known about it.
type Moment struct {
	Profile  *scheduler.Profile
	Topology scheduler.Topology
	Event    scheduler.Event
	Steps    []scheduler.Step
	// Before and After are the states around the event; Before is nil at the start.
	Before, After *scheduler.Frame
	// Flips are the feature settings, one each, that would change the decision;
	// meaningful once FlipsKnown.
	Flips      []string
	FlipsKnown bool
	Decimals   int // of ms values, ShortDecimals or FullDecimals
}

// Explanation says why an event ended as it did.
type Explanation struct {
	// Headline is the kernel function and the decision: "pick_eevdf: nginx.".
	Headline string
	// Sentences are one to three sentences with the numbers of the decision.
	Sentences []string
	// FlipsWith lists the settings that would alter the decision.
	FlipsWith []string
}

// Text is headline and sentences in one paragraph.
func (e Explanation) Text() string {
	parts := append([]string{e.Headline}, e.Sentences...)
	return strings.TrimSpace(strings.Join(parts, " "))
}

// Why explains the decision of an event from its recorded steps.
func Why(m Moment) Explanation {
	out := Explanation{FlipsWith: m.Flips}
	if m.After == nil {
		out.Headline = "nothing to explain yet."
		return out
	}
	if s := m.balancing(); s != nil && balances(m.Event.Kind) {
		out.Headline, out.Sentences = m.whyBalance(s)
		return out
	}
	decision := m.decision()
	if decision == nil {
		out.Headline, out.Sentences = m.plainEvent()
	} else {
		out.Headline, out.Sentences = m.whyDecision(decision)
	}
	out.Sentences = append(out.Sentences, m.clauses(decision)...)
	return out
}

// clauses say what happened beside the decision.
func (m Moment) clauses(decision *scheduler.Step) []string {
	var list []string
	if p, placed := m.placementOf(); placed && decision != nil && decision.Kind != scheduler.StepSelect {
		list = append(list, m.placementClause(p))
	}
	quota := ""
	if decision == nil || decision.Kind != scheduler.StepPick {
		quota = m.quotaClause(decision)
	}
	for _, text := range []string{m.newidleClause(), m.overflowClause(), quota} {
		if text != "" {
			list = append(list, sentence(text))
		}
	}
	return list
}

// whyDecision explains the deciding step of an event.
func (m Moment) whyDecision(decision *scheduler.Step) (headline string, sentences []string) {
	switch decision.Kind {
	case scheduler.StepCheck:
		return m.whyCheck(decision)
	case scheduler.StepPick:
		return m.whyPick(decision)
	case scheduler.StepResched:
		return m.whyResched(decision)
	case scheduler.StepSelect:
		if p, placed := m.placementOf(); placed {
			return m.whyPlacement(p)
		}
	case scheduler.StepCharge, scheduler.StepDeadline, scheduler.StepLag, scheduler.StepWeight, scheduler.StepShares,
		scheduler.StepPlace, scheduler.StepEnqueue, scheduler.StepDequeue, scheduler.StepPut, scheduler.StepSet,
		scheduler.StepProtect, scheduler.StepBuddy, scheduler.StepYield, scheduler.StepTimer, scheduler.StepQuota, scheduler.StepEdit, scheduler.StepBalance:
	}
	return m.whyStep(decision)
}

// maxSentences bounds an explanation.
const maxSentences = 3

// decidingRank is the least rank of a step that a feature could have turned.
const decidingRank = 2

// decisionRank orders the kinds of steps by how much they decide; 0: nothing.
func decisionRank(k scheduler.StepKind) int {
	switch k {
	case scheduler.StepCheck:
		return 6
	case scheduler.StepPick:
		return 5
	case scheduler.StepResched:
		return 4
	case scheduler.StepEdit, scheduler.StepSelect:
		return 3
	case scheduler.StepYield, scheduler.StepWeight, scheduler.StepDequeue:
		return 2
	case scheduler.StepPlace, scheduler.StepEnqueue, scheduler.StepCharge, scheduler.StepQuota:
		return 1
	case scheduler.StepDeadline, scheduler.StepLag, scheduler.StepShares, scheduler.StepPut, scheduler.StepSet,
		scheduler.StepProtect, scheduler.StepBuddy, scheduler.StepTimer, scheduler.StepBalance:
	}
	return 0
}

// decision is the step that decides the event: the last one of the highest rank; at
// the end of a period the refill itself.
func (m Moment) decision() *scheduler.Step {
	var best *scheduler.Step
	rank := 0
	for i := range m.Steps {
		switch s := &m.Steps[i]; {
		case s.Reason == scheduler.ReasonRefilled:
			return s
		case s.Kind == scheduler.StepCheck && m.endsTurn():
			continue
		}
		if r := decisionRank(m.Steps[i].Kind); r > 0 && r >= rank {
			best, rank = &m.Steps[i], r
		}
	}
	return best
}

// endsTurn tells whether the event is the end of a turn: then the pick decides,
// whatever a task was checked against that balancing pulled on the way.
func (m Moment) endsTurn() bool {
	k := m.Event.Kind
	return k == scheduler.EventBlock || k == scheduler.EventExit || k == scheduler.EventYield || k == scheduler.EventSchedule
}

// lastPick is the last pick of the event, or nil.
func (m Moment) lastPick() *scheduler.Step {
	for i := len(m.Steps) - 1; i >= 0; i-- {
		if m.Steps[i].Kind == scheduler.StepPick {
			return &m.Steps[i]
		}
	}
	return nil
}

// plainEvent explains an event without recorded steps.
func (m Moment) plainEvent() (headline string, sentences []string) {
	if m.Event.Kind == scheduler.EventStart {
		return "start: nothing has happened yet.", nil
	}
	return m.Event.Kind.String() + ":", []string{sentence(LogWords(m.Event, m.After))}
}

func (m Moment) name(id scheduler.EntityID) string { return entityName(m.After, id) }

func (m Moment) ms(ns int64) string { return Ms(ns, m.decimals()) }

func (m Moment) vms(v scheduler.Vtime) string { return VtimeMs(v, m.decimals()) }

func (m Moment) decimals() int { return max(m.Decimals, ShortDecimals) }

// sentence ends a clause with a full stop and starts it as it is: names keep
// their case.
func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// statement is the reason of a step as a sentence of its own: one that does not
// begin with a name begins with a capital letter.
func (m Moment) statement(s *scheduler.Step) string {
	text := sentence(reasonText(s, m.stepFrame(s), m.decimals()))
	if words := reasonWords[s.Reason]; words != "" && words[0] >= 'a' && words[0] <= 'z' && !strings.HasPrefix(words, "cpu") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// whyCheck explains a wakeup's preemption check.
func (m Moment) whyCheck(s *scheduler.Step) (headline string, sentences []string) {
	function := kernelFunction(s, m.Profile)
	preempts := m.Event.Resched && s.Reason != scheduler.ReasonCheckPending || s.Reason == scheduler.ReasonCheckPicked
	switch {
	case s.Reason == scheduler.ReasonCheckIdleCPU:
		headline = function + ": RESCHED."
	case preempts:
		headline = function + ": PREEMPT."
	case s.Reason == scheduler.ReasonCheckPending || s.Reason == scheduler.ReasonCheckSameTask:
		headline = function + ":"
	default:
		headline = function + ": keeps " + taskName(m.After, m.Event.Curr) + "."
	}
	pick := m.lastPick()
	if pick == nil || s.Reason != scheduler.ReasonCheckPicked && s.Reason != scheduler.ReasonCheckNotPicked && s.Reason != scheduler.ReasonCheckShort {
		return headline, []string{sentence(reasonText(s, m.After, m.decimals()))}
	}
	if s.Reason == scheduler.ReasonCheckShort {
		sentences = append(sentences, sentence(reasonText(s, m.After, m.decimals())))
	}
	return headline, append(sentences, m.pickSentence(pick))
}

// whyPick explains a pick outside a check: level by level, leaving out those
// where there was nothing to choose, and who was throttled meanwhile.
func (m Moment) whyPick(s *scheduler.Step) (headline string, sentences []string) {
	function := kernelFunction(s, m.Profile)
	headline = function + ":"
	if chosen := chosenOf(s); chosen != nil {
		headline = function + ": " + m.name(chosen.Entity) + "."
	}
	again := false // a queue was throttled, and the pick may have been made again
	for i := range m.Steps {
		p := &m.Steps[i]
		if p.Reason == scheduler.ReasonThrottled {
			sentences, again = append(sentences, sentence(reasonText(p, m.stepFrame(p), m.decimals()))), true
			continue
		}
		if p.Kind != scheduler.StepPick || p.Reason == scheduler.ReasonPickOnly && !again || len(sentences) == maxSentences {
			continue
		}
		level := ""
		if q := m.stepFrame(p).Queue(p.Queue); q != nil && q.Owner != scheduler.NoEntity {
			level = "in " + m.name(q.Owner) + ": "
		}
		sentences = append(sentences, level+m.pickSentence(p))
	}
	if len(sentences) == 0 {
		sentences = append(sentences, m.pickSentence(s))
	}
	return headline, sentences
}

// whyResched explains a tick: did the runner's turn end.
func (m Moment) whyResched(s *scheduler.Step) (headline string, sentences []string) {
	headline = kernelFunction(s, m.Profile) + ":"
	if m.Event.Kind == scheduler.EventTick {
		headline = "entity_tick: " + headline
	}
	if m.Event.Resched {
		headline += " RESCHED."
	}
	sentences = []string{sentence(reasonText(s, m.After, m.decimals()))}
	if e := m.stepFrame(s).Entity(s.Entity); e != nil && e.Curr && !e.Eligible && !m.Event.Resched {
		sentences = append(sentences, fmt.Sprintf("Nobody asks whether %s is eligible (lag %s) before its turn ends.", shortName(e), m.ms(e.Lag)))
	}
	return headline, append(sentences, m.reweights()...)
}

// reweights tells, beside a tick's own decision, of what reweights did in it.
func (m Moment) reweights() []string {
	var sentences []string
	var lag *scheduler.Step
	for i := range m.Steps {
		switch s := &m.Steps[i]; {
		case s.Kind == scheduler.StepLag:
			lag = s
		case s.Kind == scheduler.StepWeight && s.Reason == scheduler.ReasonReweightedQueued:
			if lag != nil && lag.Entity != s.Entity {
				lag = nil
			}
			sentences = append(sentences, m.reweight(lag, s))
		}
	}
	return sentences[:min(len(sentences), maxSentences-1)]
}

// reweight tells what a reweight did to the lag and, of a current entity, to what
// is left of its protection. lag is the step that measured it, nil if none did.
func (m Moment) reweight(lag, weight *scheduler.Step) string {
	value := func(name scheduler.ArgName) int64 {
		v, _ := weight.Arg(name)
		return v
	}
	text := kernelFunction(weight, m.Profile) + ": " + reasonText(weight, m.stepFrame(weight), m.decimals())
	if v, ok := weight.Arg(scheduler.ArgV); ok && lag != nil {
		from, to := value(scheduler.ArgWeightFrom), value(scheduler.ArgWeightTo)
		text = fmt.Sprintf("%s: %s scaled by %d/%d to %s", kernelFunction(weight, m.Profile), m.measuredLag(lag), from, to,
			m.ms(scheduler.Vtime(v).Sub(scheduler.Vtime(value(scheduler.ArgVruntimeTo)))))
	}
	before := value(scheduler.ArgVprotFrom) - value(scheduler.ArgVruntimeFrom)
	after := value(scheduler.ArgVprotTo) - value(scheduler.ArgVruntimeTo)
	if e := m.stepFrame(weight).Entity(weight.Entity); e != nil && e.Protected && before != after {
		text += fmt.Sprintf("; until vprot it was %s and is %s", m.ms(before), m.ms(after))
	}
	return sentence(text)
}

// measuredLag is the lag that a reweight keeps, and whether the limit cut it.
func (m Moment) measuredLag(s *scheduler.Step) string {
	lag, _ := s.Arg(scheduler.ArgLag)
	to, _ := s.Arg(scheduler.ArgLagTo)
	if s.Reason != scheduler.ReasonLagClamped {
		return fmt.Sprintf("lag %s of %s is", m.ms(to), m.name(s.Entity))
	}
	return fmt.Sprintf("lag %s of %s is clamped to %s and", m.ms(lag), m.name(s.Entity), m.ms(to))
}

// whyStep explains an event by its leading step.
func (m Moment) whyStep(s *scheduler.Step) (headline string, sentences []string) {
	if s.Kind == scheduler.StepEdit && m.Event.Kind == scheduler.EventEdit {
		return "edit: " + sentence(EditText(*m.Event.Edit, m.After)), nil
	}
	return kernelFunction(s, m.Profile) + ":", []string{sentence(reasonText(s, m.After, m.decimals()))}
}

func chosenOf(s *scheduler.Step) *scheduler.Candidate {
	for i := range s.Candidates {
		if s.Candidates[i].Fate == scheduler.FateChosen {
			return &s.Candidates[i]
		}
	}
	return nil
}

func runnerOf(s *scheduler.Step) *scheduler.Candidate {
	for i := range s.Candidates {
		if s.Candidates[i].Curr {
			return &s.Candidates[i]
		}
	}
	return nil
}

// stepFrame is the state after a step, or after the event where it was not kept.
func (m Moment) stepFrame(s *scheduler.Step) *scheduler.Frame {
	if s.After != nil {
		return s.After
	}
	return m.After
}

// zeroLag is V at a step: as recorded, else of its queue.
func (m Moment) zeroLag(s *scheduler.Step) scheduler.Vtime {
	if v, ok := s.Arg(scheduler.ArgV); ok {
		return scheduler.Vtime(v)
	}
	if q := m.stepFrame(s).Queue(s.Queue); q != nil {
		return q.V
	}
	return 0
}

// pickSentence says in one sentence why the pick chose whom it chose: first
// what kept or dropped the runner, then what chose the other.
func (m Moment) pickSentence(s *scheduler.Step) string {
	chosen, runner := chosenOf(s), runnerOf(s)
	switch s.Reason {
	case scheduler.ReasonPickProtected, scheduler.ReasonPickProtectedNotElig:
		if runner != nil {
			return sentence(m.runnerPlace(s, runner) + m.protectedClause(s, runner))
		}
	case scheduler.ReasonPickEarliest:
		if chosen != nil {
			return sentence(m.runnerClause(s, runner, chosen) + m.earliestClause(s, chosen))
		}
	case scheduler.ReasonPickCurrEarlier:
		if other := earliestOther(s, chosen); runner != nil && other != nil {
			return sentence(fmt.Sprintf("%s keeps running: its deadline %s is before %s, the earliest that waits and is eligible (%s)",
				m.name(runner.Entity), m.vms(runner.Deadline), m.vms(other.Deadline), m.name(other.Entity)))
		}
	case scheduler.ReasonPickCurrOnlyEligible:
		if runner != nil {
			return sentence(m.runnerPlace(s, runner) + ", and nobody waiting is eligible: it keeps running")
		}
	}
	return sentence(reasonText(s, m.stepFrame(s), m.decimals()))
}

// runnerPlace compares the runner with V: the eligibility test with its numbers.
func (m Moment) runnerPlace(s *scheduler.Step, runner *scheduler.Candidate) string {
	zeroLag, relation, verdict := m.zeroLag(s), "<=", "eligible"
	if !runner.Eligible {
		verdict = "not eligible"
	}
	if zeroLag.Before(runner.Vruntime) {
		relation = ">"
	}
	return fmt.Sprintf("%s v %s %s V %s: %s", m.name(runner.Entity), m.vms(runner.Vruntime), relation, m.vms(zeroLag), verdict)
}

// protectedClause says until when the runner that stays is protected.
func (m Moment) protectedClause(s *scheduler.Step, runner *scheduler.Candidate) string {
	joint := ", and"
	if !runner.Eligible {
		joint = ", but"
	}
	if e := m.stepFrame(s).Entity(runner.Entity); e != nil && e.Protected {
		return fmt.Sprintf("%s protected until %s (%s left): it keeps running", joint, m.vms(e.ProtectedTo), m.ms(e.ProtectedTo.Sub(runner.Vruntime)))
	}
	return joint + " protected: it keeps running"
}

// runnerClause says why the runner did not win, "" if there is none.
func (m Moment) runnerClause(s *scheduler.Step, runner, chosen *scheduler.Candidate) string {
	if runner == nil || runner == chosen {
		return ""
	}
	if runner.Eligible {
		return fmt.Sprintf("%s is eligible but its deadline is %s; ", m.name(runner.Entity), m.vms(runner.Deadline))
	}
	text := m.runnerPlace(s, runner)
	if e := m.stepFrame(s).Entity(runner.Entity); runner.Protected && e != nil {
		return text + fmt.Sprintf(", so its protection (to %s, %s left) is not asked; ", m.vms(e.ProtectedTo), m.ms(e.ProtectedTo.Sub(runner.Vruntime)))
	}
	return text + "; "
}

// earliestClause says what the chosen one won against.
func (m Moment) earliestClause(s *scheduler.Step, chosen *scheduler.Candidate) string {
	name := m.name(chosen.Entity)
	if chosen.Curr {
		name += " keeps running: it"
	}
	eligible, ineligible := 0, 0
	for i := range s.Candidates {
		switch c := &s.Candidates[i]; {
		case c.Curr && c != chosen:
		case c.Eligible:
			eligible++
		default:
			ineligible++
		}
	}
	switch {
	case eligible == 1 && ineligible == 0:
		return name + " is the only candidate"
	case eligible == 1:
		return fmt.Sprintf("%s is the only eligible one of %d", name, eligible+ineligible)
	}
	text := fmt.Sprintf("%s has the earliest deadline (%s) of %d eligible", name, m.vms(chosen.Deadline), eligible)
	if next := earliestOther(s, chosen); next != nil {
		text += fmt.Sprintf(", before %s (%s)", m.name(next.Entity), m.vms(next.Deadline))
	}
	return text
}

// earliestOther is the eligible candidate that would be next by deadline.
func earliestOther(s *scheduler.Step, chosen *scheduler.Candidate) *scheduler.Candidate {
	var best *scheduler.Candidate
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if c == chosen || !c.Eligible || c.Curr {
			continue
		}
		if best == nil || c.Deadline.Before(best.Deadline) {
			best = c
		}
	}
	return best
}
