package views

import (
	"fmt"
	"slices"

	"zerolag/scheduler"
)

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
