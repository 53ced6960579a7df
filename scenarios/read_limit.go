package scenarios

import (
	"strings"
	"unicode/utf8"

	"zerolag/scheduler"
)

// limit is cpu.max and cpu.max.burst of a group; quota 0 is no limit.
type limit struct {
	quota, burst given[scheduler.Time]
	period       scheduler.Time
}

// limitKeys are the keys of a limit.
func (r *reader) limitKeys(l *limit) []key {
	return []key{
		{"cpu_max", func(n *node) { r.cpuMax(n, l) }},
		{"cpu_max_burst", func(n *node) { l.burst = give(n.at, r.cgroupTime(n, "cpu_max_burst", 0, scheduler.MaxQuota)) }},
	}
}

// checkLimit looks at the keys of a limit together.
func (r *reader) checkLimit(l *limit) {
	switch {
	case !l.burst.set:
	case !l.quota.set:
		r.fail(l.burst.at, "cpu_max_burst stands without cpu_max", "cpu_max with the quota beside it")
	case l.burst.value > l.quota.value:
		r.fail(l.burst.at, "cpu_max_burst is "+FormatTime(l.burst.value), "at most the quota, "+FormatTime(l.quota.value))
	}
}

// cpuMax reads what the cgroup's file takes, a quota or "max" and perhaps a period
// behind it; a slash may stand for the blank between them.
func (r *reader) cpuMax(n *node, l *limit) {
	text := r.line(n, "cpu_max")
	head, tail := text, ""
	l.period = scheduler.DefaultPeriod
	if i := strings.IndexAny(text, " /"); i >= 0 {
		head, tail = text[:i], strings.TrimLeft(text[i+1:], " ")
		at := n.at.shift(utf8.RuneCountInString(text[:len(text)-len(tail)]))
		l.period = r.cgroupTime(&node{kind: kindScalar, at: at, text: tail}, "the period of cpu_max", scheduler.MinPeriod, scheduler.MaxPeriod)
	}
	l.quota = give(n.at, scheduler.Time(0))
	if head != "max" {
		l.quota.value = r.cgroupTime(&node{kind: kindScalar, at: n.at, text: head}, "the quota of cpu_max", scheduler.MinQuota, scheduler.MaxQuota)
	}
}

// cgroupTime reads a time; a bare integer is us, as in the files of a cgroup.
func (r *reader) cgroupTime(n *node, what string, low, high scheduler.Time) scheduler.Time {
	text := n.text
	if _, rest := digits(text); rest == "" {
		text += "us"
	}
	t, err := parseTime(text)
	if n.kind != kindScalar || err != nil || t < low || t > high {
		r.fail(n.at, what+" is "+n.describe(), "a time from "+FormatTime(low)+" to "+FormatTime(high)+" (a bare integer is us)")
		return low
	}
	return t
}

// limitText says the limit that an edit sets in the words of an event.
func limitText(group string, e *scheduler.Edit) string {
	quota, period, burst := "max", e.Period, ""
	if e.Value > 0 {
		quota = FormatTime(scheduler.Time(e.Value))
	}
	if period == 0 {
		period = scheduler.DefaultPeriod
	}
	if e.Burst > 0 {
		burst = ", cpu_max_burst: " + FormatTime(e.Burst)
	}
	return "cpu_max: {group: " + group + ", cpu_max: " + quota + "/" + FormatTime(period) + burst + "}"
}
