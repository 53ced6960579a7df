package views

import (
	"fmt"
	"strconv"

	"zerolag/model"
	"zerolag/scheduler"
)

// FeatureTable lists the features and proposals of a profile on a machine of that
// many CPUs: state, default, whether it was changed (!), whether it is a proposal
// (P), and its meaning.
func FeatureTable(p *scheduler.Profile, on scheduler.Features, cpus int) Table {
	t := Table{Columns: []Column{{Head: ""}, {Head: "feature"}, {Head: "now"}, {Head: "default"}, {Head: "meaning"}}}
	for _, d := range p.Features {
		t.Rows = append(t.Rows, featureRow(d, on, cpus))
	}
	for _, d := range p.Proposals {
		t.Rows = append(t.Rows, featureRow(d, on, cpus))
	}
	return t
}

func featureRow(d scheduler.FeatureDefault, on scheduler.Features, cpus int) Row {
	info := d.Feature.Info()
	row := Row{Owner: Owner{OwnerFeature, int32(d.Feature)}}
	marker, meaning := "", info.Meaning
	if info.Proposal != "" {
		marker, row.Style = "P", StyleProposal
		meaning += " (proposal: " + info.Proposal + ")"
	}
	if inert := d.Feature.InertOn(cpus); inert != "" {
		row.Style = StyleDim
		meaning += " (no effect here: " + inert + ")"
	}
	if on.Has(d.Feature) != d.On {
		marker += "!"
		row.Style = StyleChanged
	}
	row.Cells = []string{marker, info.Name, onOff(on.Has(d.Feature)), onOff(d.On), meaning}
	return row
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// ChangedFeatures lists, as the kernel's features file would take them, the
// features that differ from the profile's defaults; proposals are marked.
func ChangedFeatures(p *scheduler.Profile, on scheduler.Features) []string {
	var list []string
	for _, defaults := range [][]scheduler.FeatureDefault{p.Features, p.Proposals} {
		for _, d := range defaults {
			if on.Has(d.Feature) == d.On {
				continue
			}
			text := scheduler.FeatureSetting{Feature: d.Feature, On: !d.On}.String()
			if d.Feature.Info().Proposal != "" {
				text += " (proposal)"
			}
			list = append(list, text)
		}
	}
	return list
}

// FlipNames are the settings that change the outcome of a decision.
func FlipNames(flips []model.Flip) []string {
	var names []string
	for _, f := range flips {
		if f.Outcome {
			names = append(names, f.Setting.String())
		}
	}
	return names
}

// StatsTable shows the numbers of all tasks, the columns of perf sched latency
// first.
func StatsTable(s model.Stats) Table {
	right := func(head string) Column { return Column{Head: head, Right: true} }
	t := Table{Columns: []Column{
		{Head: "Task"},
		right("Runtime ms"), right("Switches"), right("Avg delay ms"), right("Max delay ms"),
		right("Max start ms"), right("Max end ms"), right("Share %"), right("Weight %"), right("Volunt"), right("Invol"),
		right("Waits"), right("Wait ms"), right("p50 ms"), right("p99 ms"), right("Waiting ms"),
	}}
	ms := func(v scheduler.Time) string { return Ms(int64(v), ShortDecimals) }
	moment := func(v scheduler.Time) string {
		if v == scheduler.NoTime {
			return "-"
		}
		return ms(v)
	}
	for i := range s.Tasks {
		k := &s.Tasks[i]
		t.Rows = append(t.Rows, Row{Owner: Owner{OwnerTask, int32(k.Task)}, Cells: []string{
			k.Name, ms(k.Runtime), strconv.Itoa(k.SwitchedIn), ms(k.WaitAvg), ms(k.WaitMax), moment(k.MaxFrom), moment(k.MaxTo),
			percent(k.Share), percent(k.WeightShare), strconv.Itoa(k.Voluntary), strconv.Itoa(k.Involuntary),
			strconv.Itoa(k.Waits), ms(k.WaitTotal), ms(k.WaitP50), ms(k.WaitP99), ms(k.Waiting),
		}})
	}
	return t
}

// percent prints parts per million as per cent with two decimals, rounded down.
func percent(ppm int64) string { return fixed(floorDiv(ppm, 100), 2) }

// LogTable is the log pane: one row per event, the one with index current marked.
func LogTable(events []scheduler.Event, current int, f *scheduler.Frame) Table {
	t := Table{Columns: LogColumns()}
	for _, e := range events {
		row := LogRow(e, f)
		if e.Index == current {
			row.Cells[0], row.Style = ">", StyleCurr
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// LogColumns are the columns of the log.
func LogColumns() []Column { return []Column{{}, {Right: true}, {Right: true}, {}, {}} }

// LogRow is the row of an event in the log; its first cell is free for a mark.
func LogRow(e scheduler.Event, f *scheduler.Frame) Row {
	style := StyleText
	if e.Switched() {
		style = StyleHeader
	}
	return Row{Style: style, Owner: Owner{OwnerLog, int32(e.Index)}, Cells: []string{
		"", strconv.Itoa(e.Index), Clock(e.Time), e.Kind.String(), LogWords(e, f),
	}}
}

// StepTable lists the sub-steps of an event, one per row.
func StepTable(steps []scheduler.Step, p *scheduler.Profile, f *scheduler.Frame, decimals int) Table {
	t := Table{Columns: []Column{{Right: true}, {}, {}}}
	for i := range steps {
		s := &steps[i]
		at := f
		if s.After != nil {
			at = s.After
		}
		text := s.Kind.String()
		if at != nil {
			text = reasonText(s, at, decimals)
		}
		t.Rows = append(t.Rows, Row{Owner: EntityOwner(s.Entity), Cells: []string{
			strconv.Itoa(i + 1), kernelFunction(s, p), text,
		}})
	}
	return t
}

// KeyHelp is one key for the help pane and the key line.
type KeyHelp struct {
	Keys string // as printed: "h/l"
	Text string // what it does
	// Disabled says why the key does nothing now; "" if it works.
	Disabled string
	// Short is the word for the key line; "" keeps it out of that line.
	Short string
}

// HelpTable lists keys with what they do.
func HelpTable(keys []KeyHelp) Table {
	t := Table{Columns: []Column{{Head: "key"}, {Head: "what it does"}}}
	for _, k := range keys {
		row := Row{Cells: []string{k.Keys, k.Text}}
		if k.Disabled != "" {
			row.Style = StyleDim
			row.Cells[1] = fmt.Sprintf("%s (%s)", k.Text, k.Disabled)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
