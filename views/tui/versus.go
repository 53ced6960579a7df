package tui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// versus is the other run that the open one is compared with. Its cursor follows.
type versus struct {
	settings string // as they were typed
	pair     *model.Pair
	meters   [2]*model.Meter
	branch   string // of the open run, that meters measure
	measured bool
	alone    model.Side        // at the cursor
	met      *model.Difference // that the next arrival is at
	page     versusPage
}

// versusPage is a table of the comparison.
type versusPage uint8

const (
	pageDifferences versusPage = iota
	pageNumbers
	numPages
)

// askVersus asks what to compare with; an empty line ends the comparison.
func (a *app) askVersus() tea.Cmd {
	was := ""
	if v := a.s.versus; v != nil {
		was = v.settings
	}
	if _, b := a.chosenBranch(); !b.Current {
		was = branchSetting + b.Name
	}
	hint := "NO_PLACE_LAG,kernel=6.12.y,hz=250,base_slice=3ms,preempt=lazy,variant=... or branch=b1; empty ends"
	return a.ask(prompt{label: "compare with", hint: hint, done: func(text string) error {
		if text = strings.TrimSpace(text); text == "" {
			a.s.endVersus()
			a.say("no comparison")
			return nil
		}
		if err := a.s.compareWith(text); err != nil {
			return errors.New(oneLine(err))
		}
		a.say("compared with " + text + ": ) goes to decisions that differ, C lists them and the numbers")
		return nil
	}}, was)
}

// compareWith compares the current branch with the same run under other settings.
func (s *session) compareWith(text string) error {
	other, err := s.otherRun(text)
	if err != nil {
		return err
	}
	s.versus = &versus{settings: text}
	s.versus.begin(s.run, other)
	s.run.Whole()
	clear(s.looks)
	s.arrive()
	if !s.adjusted && s.columns > 0 {
		s.fit()
	}
	return nil
}

// otherRun is the run that a text names: that of a branch, or the current one under
// other settings.
func (s *session) otherRun(text string) (*model.Run, error) {
	if name, ok := strings.CutPrefix(text, branchSetting); ok {
		return s.branchRun(name)
	}
	settings, err := scenarios.ParseSettings(text)
	if err != nil {
		return nil, err
	}
	o := s.change
	o.Changes = scenarios.Changes(s.workload, s.run.Edits(), s.branchEdits())
	w, err := settings.Workload(s.scenario, o)
	if err != nil {
		return nil, err
	}
	return model.Open(w), nil
}

// begin pairs the open run with another one.
func (v *versus) begin(run, other *model.Run) {
	v.pair, v.branch, v.measured = model.Compare(run, other), run.Branch(), false
	v.meters = [2]*model.Meter{run.Measure(), other.Measure()}
}

// endVersus ends the comparison.
func (s *session) endVersus() {
	s.versus = nil
	clear(s.looks)
	s.arrive()
}

// follow puts the other run on the counterpart of the event at the cursor.
func (v *versus) follow() {
	if v.branch != v.pair.A.Branch() {
		v.begin(v.pair.A, v.pair.B)
	}
	if d := v.met; d != nil {
		v.pair.B.Seek(d.B) // an event that the other run has alone is no counterpart
		v.alone, v.met = d.Side, nil
		return
	}
	v.pair.Follow()
	a, b := v.pair.A.Event(), v.pair.B.Event()
	v.alone = model.BothSides
	if a.Time != b.Time || a.Kind != b.Kind || a.CPU != b.CPU || a.Task != b.Task {
		v.alone = model.OnlyA
	}
}

// work looks for differences and counts the numbers, about budget events, and
// tells whether all is known.
func (v *versus) work(budget int) bool {
	long := v.pair.A.Known() >= maxKnown || v.pair.B.Known() >= maxKnown
	v.measured = v.pair.Scan(budget) && v.meters[0].Scan(budget) && v.meters[1].Scan(budget)
	return v.measured || long
}

func (a *app) lacksVersus() string {
	if a.s.versus == nil {
		return "nothing is compared, c asks with what"
	}
	return ""
}

func (a *app) previousDifference() tea.Cmd { return a.toDifference(-1, "no earlier decision differs") }
func (a *app) nextDifference() tea.Cmd     { return a.toDifference(1, "no later decision differs") }

// toDifference goes to the nearest decision that differs in a direction.
func (a *app) toDifference(dir int, missing string) tea.Cmd {
	s, v := a.s, a.s.versus
	a.begin(job{what: "looking for a decision that differs", slice: func(budget int) bool {
		switch v.pair.Next(dir, budget) {
		case model.Working:
			if v.pair.A.Known() < maxKnown {
				return false
			}
			a.say(fmt.Sprintf("%s in the first %d events", missing, maxKnown))
		case model.Exhausted:
			a.say(missing)
		case model.Found:
			s.meet(s.differenceHere())
			a.say(v.differenceText(s.cursors[paneVersus]))
		}
		return true
	}})
	return nil
}

// differenceHere is the index of the difference that both cursors are on.
func (s *session) differenceHere() int {
	v := s.versus
	for i, d := range v.pair.Differences() {
		if d.A == v.pair.A.Index() && d.B == v.pair.B.Index() {
			return i
		}
	}
	return 0
}

// meet goes to difference i in both runs.
func (s *session) meet(i int) {
	v := s.versus
	d := v.pair.Differences()[i]
	v.pair.Go(d)
	v.met = &d
	delete(s.looks, s.viewpoint())
	s.arrive()
	s.cursors[paneVersus] = i
}

// differenceText says which difference one is at.
func (v *versus) differenceText(i int) string {
	of := fmt.Sprint(len(v.pair.Differences()))
	if !v.measured {
		of = "at least " + of
	}
	return fmt.Sprintf("decision %d of %s that differ", i+1, of)
}

// enterDifference goes to the selected row of the list of differences.
func (a *app) enterDifference() tea.Cmd {
	s := a.s
	switch {
	case a.lacksVersus() != "":
		a.say(a.lacksVersus())
	case s.versus.page != pageDifferences || len(s.versus.pair.Differences()) == 0:
		a.say("nothing to go to here, tab shows the decisions that differ")
	default:
		s.meet(min(s.cursors[paneVersus], len(s.versus.pair.Differences())-1))
		a.say(s.versus.differenceText(s.cursors[paneVersus]))
	}
	return nil
}

// turnVersus goes to the other table of the comparison, if there is one in that
// direction.
func (s *session) turnVersus(dir int) bool {
	v := s.versus
	if v == nil || int(v.page)+dir < 0 || int(v.page)+dir >= int(numPages) {
		return false
	}
	v.page = versusPage(int(v.page) + dir)
	s.cursors[paneVersus] = 0
	return true
}

// versusPane is the comparison as a table.
func (s *session) versusPane() (title string, t views.Table) {
	v := s.versus
	if v == nil {
		return "compare: c asks with what", views.Table{}
	}
	name := s.run.Branch()
	if v.page == pageNumbers {
		if !v.measured {
			return "numbers of both runs: counting ...", views.Table{}
		}
		return "numbers of both runs and their ratio  2/2 [tab]", views.NumbersTable([]views.NamedTotals{
			{Name: name, Totals: v.meters[0].Totals()}, {Name: v.settings, Totals: v.meters[1].Totals()},
		})
	}
	title = fmt.Sprintf("decisions that differ: %d", len(v.pair.Differences()))
	if !v.measured {
		title += " so far"
	}
	return title + "  1/2 [tab: numbers]", views.DifferenceTable(v.pair, name, v.settings)
}

// versusNote tells what is compared and where the other run stands.
func (s *session) versusNote() string {
	v := s.versus
	note := fmt.Sprintf("above: %s, below: %s", s.run.Branch(), v.settings)
	a, b := v.pair.A.Event(), v.pair.B.Event()
	switch {
	case v.alone == model.OnlyA && a.Time > b.Time:
		note += fmt.Sprintf(", which has no such event: it stands %s ms earlier", views.Ms(int64(a.Time-b.Time), views.FullDecimals))
	case v.alone == model.OnlyA:
		note += ", which has no such event"
	case v.alone == model.OnlyB && b.Time > a.Time:
		note += fmt.Sprintf(" at %s ms: above there is no such event", views.Clock(b.Time))
	case v.alone == model.OnlyB:
		note += ": above there is no such event"
	}
	return note
}

// versusStrips puts both runs after the event below each other: the CPU of the
// event only, because other CPUs have no room for two states.
func (s *session) versusStrips(in views.Strips) views.Strips {
	in.Before, in.After = s.run.Frame(), s.versus.pair.B.Frame()
	in.BeforeLabel, in.AfterLabel = "this run", "the other"
	in.Compared = true
	in.Others, in.Idle = nil, scheduler.CPUSet{}
	in.Steps, in.Origin, in.Span = nil, nil, ""
	return in
}

// nextVersusLayout switches the mark of the reference point in both strips.
func (a *app) nextVersusLayout() tea.Cmd {
	if a.s.layout != layoutPair {
		a.s.layout = layoutZero
		a.say("strips: both runs; 0 marks the reference point")
		return nil
	}
	a.say("strips: both runs")
	return nil
}

// versusInput is what the other run decided, on a screen that wide.
func (s *session) versusInput(width int) views.Versus {
	v := s.versus
	b := v.pair.B
	return views.Versus{Base: s.run.Branch(), Other: v.settings, Alone: v.alone, Moment: views.Moment{
		Profile: b.Workload().Config.Kernel, Topology: b.Workload().Config.Topology, Event: b.Event(), Steps: b.Steps(), Before: b.Before(),
		After: b.Frame(), Decimals: decimals(width),
	}}
}

// both are the states of a comparison that must be on the axis.
func (v *versus) both() []*scheduler.Frame {
	if v == nil {
		return nil
	}
	return []*scheduler.Frame{v.pair.B.Frame()}
}

func (a *app) lacksWhole() string {
	if a.s.versus != nil {
		return "a comparison shows whole events; c with an empty line ends it"
	}
	return ""
}
