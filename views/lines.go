package views

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// LogLine is one line for an event: time, what happened, what came of it, and
// the reason of its decision. steps may be empty, then the reason is left out.
func LogLine(e scheduler.Event, steps []scheduler.Step, f *scheduler.Frame) string {
	line := fmt.Sprintf("%6d %14s  cpu%d  %-8s %s", e.Index, Clock(e.Time), e.CPU, e.Kind, whatHappened(e, f))
	m := Moment{Event: e, Steps: steps, After: f}
	if s := m.decision(); s != nil && f != nil {
		line += "; " + reasonText(s, f, ShortDecimals)
		if text := m.quotaClause(s); text != "" {
			line += "; " + text
		}
	}
	return line + mark(e)
}

// LogWords says what an event was and whether it switched, without its reason.
func LogWords(e scheduler.Event, f *scheduler.Frame) string {
	return whatHappened(e, f) + mark(e)
}

// mark marks an event of a recording in which the machine disagrees.
func mark(e scheduler.Event) string {
	if d := Disagreement(e); d != "" {
		return "; ! " + d
	}
	return ""
}

func whatHappened(e scheduler.Event, f *scheduler.Frame) string {
	if f == nil {
		return e.Kind.String()
	}
	text := eventSubject(e, f)
	switch {
	case e.Switched():
		arrow := " -> "
		if e.Preempted {
			arrow = " => "
		}
		text += ": " + taskName(f, e.Prev) + arrow + runnerName(f, e)
	case e.Resched:
		text += ": resched"
	}
	return text
}

// Disagreement tells what the machine did not come to in an event of a recording,
// "" if nothing.
func Disagreement(e scheduler.Event) string {
	switch r := e.Recorded; {
	case r == nil || r.Differs == 0:
		return ""
	case r.Differs == 1:
		return "the machine disagrees: " + r.Difference
	default:
		return fmt.Sprintf("the machine disagrees in %d values: %s", r.Differs, r.Difference)
	}
}

// Whereabouts is the branch that an event is on, and of a recording the line of
// the trace.
func Whereabouts(branch string, e scheduler.Event) string {
	if e.Recorded == nil {
		return branch
	}
	return fmt.Sprintf("%s, line %d", branch, e.Recorded.Line)
}

// eventSubject says whom an event is about.
func eventSubject(e scheduler.Event, f *scheduler.Frame) string {
	if r := e.Recorded; r != nil && r.Call != "" {
		if e.Task == scheduler.NoTask {
			return r.Call
		}
		return r.Call + " " + taskName(f, e.Task)
	}
	switch e.Kind {
	case scheduler.EventStart:
		return "start"
	case scheduler.EventEdit:
		return EditText(*e.Edit, f)
	case scheduler.EventWakeup, scheduler.EventFork:
		if e.Waker != scheduler.NoTask {
			return taskName(f, e.Task) + " by " + taskName(f, e.Waker)
		}
	case scheduler.EventBalance:
		return cpuName(e.CPU) + " looks for tasks to pull"
	case scheduler.EventIdleBalance:
		return cpuName(e.CPU) + " balances for the idle CPUs"
	case scheduler.EventRefill:
		return refillText(e.Group, f)
	case scheduler.EventReceive:
		return taskName(f, e.Task) + " arrives"
	case scheduler.EventBlock, scheduler.EventExit, scheduler.EventYield, scheduler.EventTick, scheduler.EventHrtick,
		scheduler.EventSchedule, scheduler.EventInterrupt, scheduler.EventInterruptEnd, scheduler.EventOther:
	}
	return taskName(f, e.Task)
}

// runnerName is who runs on an event's CPU afterwards.
func runnerName(f *scheduler.Frame, e scheduler.Event) string {
	if e.Curr == scheduler.NoTask && e.Higher {
		return "a higher class"
	}
	return taskName(f, e.Curr)
}

func cpuName(cpu int) string {
	var buf [numberBytes]byte
	return string(appendCPU(buf[:0], cpu))
}

// refillText says whose quota is filled up.
func refillText(g scheduler.GroupID, f *scheduler.Frame) string {
	if g == scheduler.RootGroup {
		return "a quota is filled up"
	}
	return "the quota of " + groupName(f, g) + " is filled up"
}

// EditText says what an edit changes.
func EditText(e scheduler.Edit, f *scheduler.Frame) string {
	switch e.Kind {
	case scheduler.EditFeature:
		return e.Feature.String()
	case scheduler.EditNice:
		return fmt.Sprintf("nice of %s := %d", taskName(f, e.Task), e.Value)
	case scheduler.EditSlice:
		return fmt.Sprintf("slice of %s := %s ms", taskName(f, e.Task), Ms(e.Value, ShortDecimals))
	case scheduler.EditPolicy:
		return fmt.Sprintf("policy of %s := %s", taskName(f, e.Task), e.Policy)
	case scheduler.EditShares:
		return fmt.Sprintf("cpu.weight of %s := %d", groupName(f, e.Group), scheduler.WeightOfShares(uint64(e.Value)))
	case scheduler.EditGroupIdle:
		return fmt.Sprintf("cpu.idle of %s := %d", groupName(f, e.Group), e.Value)
	case scheduler.EditBaseSlice:
		return fmt.Sprintf("base_slice := %s ms", Ms(e.Value, ShortDecimals))
	case scheduler.EditMove:
		return fmt.Sprintf("%s moves to %s", taskName(f, e.Task), groupName(f, e.Group))
	case scheduler.EditWake:
		return "wake " + taskName(f, e.Task)
	case scheduler.EditAffinity:
		return fmt.Sprintf("cpus of %s := %s", taskName(f, e.Task), e.Allowed)
	case scheduler.EditAdd:
		return "add " + e.Spec.Name
	case scheduler.EditKill:
		return "kill " + taskName(f, e.Task)
	case scheduler.EditSleep:
		return "put " + taskName(f, e.Task) + " to sleep"
	case scheduler.EditFreeze:
		return "freeze " + taskName(f, e.Task)
	case scheduler.EditPreempt:
		return "preempt := " + scheduler.PreemptModel(e.Value).String()
	case scheduler.EditQuota:
		return quotaText(e, f)
	case scheduler.EditInterrupt:
		return fmt.Sprintf("a higher class takes cpu%d for %s ms", e.CPU, Ms(e.Value, ShortDecimals))
	}
	return "edit"
}

// quotaText says what an edit of cpu.max sets.
func quotaText(e scheduler.Edit, f *scheduler.Frame) string {
	head := "cpu.max of " + groupName(f, e.Group) + " := "
	if e.Value == 0 {
		return head + "max"
	}
	period, burst := e.Period, ""
	if period == 0 {
		period = scheduler.DefaultPeriod
	}
	if e.Burst > 0 {
		burst = ", burst " + Ms(int64(e.Burst), ShortDecimals) + " ms"
	}
	return head + Ms(e.Value, ShortDecimals) + " of " + Ms(int64(period), ShortDecimals) + " ms" + burst
}

func groupName(f *scheduler.Frame, id scheduler.GroupID) string {
	if f == nil || id < 0 || int(id) >= len(f.Groups) {
		return "no group"
	}
	return f.Groups[id].Name
}

// EventTitle is the event in the status line: "wakeup: service".
func EventTitle(e scheduler.Event, f *scheduler.Frame) string {
	if e.Kind == scheduler.EventStart || f == nil {
		return e.Kind.String()
	}
	return e.Kind.String() + ": " + eventSubject(e, f)
}

// StepLine is one line for a sub-step: the kernel function and its formula with
// the numbers filled in.
func StepLine(s *scheduler.Step, p *scheduler.Profile, f *scheduler.Frame, decimals int) string {
	if s.After != nil {
		f = s.After
	}
	if f == nil {
		return kernelFunction(s, p)
	}
	return kernelFunction(s, p) + ": " + reasonText(s, f, decimals)
}

// Operands are the numbers of a sub-step's formula as the machine recorded them:
// integers with their units.
func Operands(s *scheduler.Step) string {
	var words []string
	for _, a := range s.Args {
		words = append(words, a.Name.String()+"="+strconv.FormatInt(a.Value, 10)+unitText(a.Name.Unit()))
	}
	return strings.Join(words, " ")
}

// unitText is the unit of an operand, right behind its number.
func unitText(u scheduler.Unit) string {
	switch u {
	case scheduler.UnitTime:
		return "ns"
	case scheduler.UnitVtime, scheduler.UnitVlen:
		return "vns"
	case scheduler.UnitNone, scheduler.UnitWeight, scheduler.UnitLoad, scheduler.UnitEntity:
	}
	return ""
}

// WhyTable is the decision table of a pick: every candidate in tree order, what
// was asked of it and what became of it.
func WhyTable(s *scheduler.Step, f *scheduler.Frame, decimals int) Table {
	t := Table{Columns: []Column{
		{Head: "candidate"},
		{Head: "v-V", Right: true},
		{Head: "deadline", Right: true},
		{Head: "slice", Right: true},
		{Head: "E/N"},
		{Head: "prot"},
		{Head: "search"},
		{Head: "rule"},
	}}
	if s.After != nil {
		f = s.After
	}
	m := Moment{After: f}
	zeroLag := m.zeroLag(s)
	for i := range s.Candidates {
		c := &s.Candidates[i]
		name, eligible, prot, search := entityName(f, c.Entity), "N", "-", "pruned"
		if c.Curr {
			name = ">" + name
		}
		if c.Eligible {
			eligible = "E"
		}
		if c.Protected {
			prot = "yes"
		}
		if c.Visited {
			search = "visited"
		}
		style := StyleText
		if c.Fate == scheduler.FateChosen {
			style = StyleWhy
		}
		t.Rows = append(t.Rows, Row{Owner: EntityOwner(c.Entity), Style: style, Cells: []string{
			name, SignedMs(c.Vruntime.Sub(zeroLag), decimals), VtimeMs(c.Deadline, decimals), Ms(int64(c.Slice), decimals),
			eligible, prot, search, fateRule(c.Fate),
		}})
	}
	return t
}

// fateRule says by which rule a candidate won or lost.
func fateRule(f scheduler.Fate) string {
	switch f {
	case scheduler.FateChosen:
		return "chosen"
	case scheduler.FateNotEligible:
		return "lag < 0"
	case scheduler.FateLater:
		return "deadline is later"
	case scheduler.FatePruned:
		return "its subtree cannot hold the answer"
	case scheduler.FateDropped:
		return "running, lag < 0: no candidate"
	case scheduler.FateNotAsked:
		return "decided before it was asked"
	}
	return f.String()
}
