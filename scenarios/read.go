package scenarios

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"zerolag/scheduler"
)

// reader turns nodes into values of the scenario.
type reader struct {
	sieve
	s *Scenario
	// instructions and events count what was read, against the limits.
	instructions, events int
}

// given is a value that the file may leave out; if it is there, with its place.
type given[T any] struct {
	set   bool
	at    position
	value T
}

// give is a value that the file has.
func give[T any](at position, value T) given[T] { return given[T]{true, at, value} }

// or is the value, or a default if the file left it out.
func (g given[T]) or(standard T) T {
	if g.set {
		return g.value
	}
	return standard
}

// key is one key of a map with what reads its value.
type key struct {
	name string
	read func(n *node)
}

// object reads a map with known keys in file order. One with a fault is broken
// afterwards.
func (r *reader) object(n *node, what string, keys []key) {
	if n.kind != kindMap {
		r.fail(n.at, what+" is "+n.describe(), "a map with "+keyList(keys))
		n.broken = true
		return
	}
	before := len(r.found)
	for _, f := range n.fields {
		if k := findKey(keys, f.key); k != nil {
			k.read(f.value)
		} else {
			r.unknown(f.at, "key", f.key, keyNames(keys))
		}
		r.settle()
	}
	n.broken = len(r.found) > before
}

func findKey(keys []key, name string) *key {
	for i := range keys {
		if keys[i].name == name {
			return &keys[i]
		}
	}
	return nil
}

func keyNames(keys []key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

func keyList(keys []key) string { return strings.Join(keyNames(keys), ", ") }

// require refuses a map without a key; it may be there under a wrong name if the map
// is broken.
func (r *reader) require(n *node, what string, name string, has bool) {
	if !has && !n.broken {
		r.fail(n.at, what+" has no "+name, "the key "+name)
	}
}

// list gives the items of a list.
func (r *reader) list(n *node, what string) []*node {
	if n.kind != kindList {
		r.fail(n.at, what+" is "+n.describe(), "a list")
		return nil
	}
	return n.items
}

// text reads a text that is not empty.
func (r *reader) text(n *node, what string) string {
	if n.kind != kindScalar || strings.TrimSpace(n.text) == "" {
		r.fail(n.at, what+" is "+n.describe(), "a text")
		return ""
	}
	return n.text
}

// line reads a text of one line.
func (r *reader) line(n *node, what string) string {
	text := strings.TrimSpace(r.text(n, what))
	if strings.Contains(text, "\n") {
		r.fail(n.at, what+" has more than one line", "one line of text")
	}
	return text
}

// integer reads a decimal integer within bounds.
func (r *reader) integer(n *node, what string, low, high int64) int64 {
	value, err := strconv.ParseInt(n.text, 10, 64)
	if n.kind != kindScalar || err != nil || value < low || value > high {
		r.fail(n.at, what+" is "+n.describe(), fmt.Sprintf("an integer from %d to %d", low, high))
		return low
	}
	return value
}

// truth reads true or false.
func (r *reader) truth(n *node, what string) bool {
	if n.kind != kindScalar || n.text != "true" && n.text != "false" {
		r.fail(n.at, what+" is "+n.describe(), "true or false")
	}
	return n.text == "true"
}

// maxTime is the longest time in a scenario. A day leaves sums far from overflow.
const maxTime = 86_400 * scheduler.Second

// time reads a time within bounds.
func (r *reader) time(n *node, what string, low, high scheduler.Time) scheduler.Time {
	if n.kind != kindScalar {
		r.fail(n.at, what+" is "+n.describe(), wantTime)
		return low
	}
	t, err := parseTime(n.text)
	if err != nil && !errors.Is(err, errTimeRange) {
		r.fail(n.at, what+" "+quote(n.text)+" "+err.Error(), wantTime)
		return low
	}
	if err != nil || t < low || t > high {
		r.fail(n.at, what+" is "+n.describe(), "a time from "+FormatTime(low)+" to "+FormatTime(high))
		return low
	}
	return t
}

// moment reads a time from the start of the run.
func (r *reader) moment(n *node, what string) scheduler.Time { return r.time(n, what, 0, maxTime) }

// length reads a time that is not zero.
func (r *reader) length(n *node, what string) scheduler.Time { return r.time(n, what, 1, maxTime) }

// stepped is a time that can grow with the number of a task in its entry.
type stepped struct{ first, step scheduler.Time }

// of is the time for the task with a number, from 0.
func (s stepped) of(number int64) scheduler.Time { return s.first + scheduler.Time(number)*s.step }

// stepped reads a time from low on, or one like 4ms + i*11us.
func (r *reader) stepped(n *node, what string, low scheduler.Time) stepped {
	first, rest, grows := strings.Cut(n.text, "+")
	if n.kind != kindScalar || !grows {
		return stepped{first: r.time(n, what, low, maxTime)}
	}
	head := &node{kind: kindScalar, at: n.at, text: strings.TrimSpace(first)}
	step := strings.TrimLeft(rest, " ")
	at := n.at.shift(utf8.RuneCountInString(n.text[:len(n.text)-len(step)]))
	each, ok := strings.CutPrefix(strings.TrimSpace(step), "i*")
	if !ok {
		r.fail(at, what+" has "+quote(step)+" after +", "i* and a time, as in 4ms + i*11us, where i numbers the tasks of a count from 0")
	}
	return stepped{
		r.time(head, what, low, maxTime),
		r.time(&node{kind: kindScalar, at: at.shift(len("i*")), text: each}, what, 1, maxTime),
	}
}

// cpuSet reads numbers of CPUs, a list or a text like 0,2-3.
func (r *reader) cpuSet(n *node, what string) scheduler.CPUSet {
	items := []*node{n}
	if n.kind == kindList {
		items = n.items
	}
	var set scheduler.CPUSet
	for _, item := range items {
		for part := range strings.SplitSeq(item.text, ",") {
			low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
			if !isRange {
				high = low
			}
			first, err1 := strconv.ParseUint(low, 10, 16)
			last, err2 := strconv.ParseUint(high, 10, 16)
			if err := errors.Join(err1, err2); err != nil || first > last || last >= maxCPUs || item.kind != kindScalar {
				r.fail(item.at, what+" is "+item.describe(), fmt.Sprintf(`CPUs from 0 to %d, as in "0,2-3"`, maxCPUs-1))
				return set
			}
			for cpu := first; cpu <= last; cpu++ {
				set.Add(int(cpu))
			}
		}
	}
	if set.Empty() {
		r.fail(n.at, what+" is "+n.describe(), "at least one CPU")
	}
	return set
}

// baseSlice reads a base_slice: what the kernel's own file accepts.
func (r *reader) baseSlice(n *node, what string) scheduler.Time {
	return r.time(n, what, 100*scheduler.Microsecond, scheduler.Second)
}

// slice reads a custom slice; 0 is none.
func (r *reader) slice(n *node, what string) uint64 {
	if n.kind == kindScalar && n.text == "0" {
		return 0
	}
	return uint64(r.time(n, what, scheduler.MinCustomSlice, scheduler.MaxCustomSlice))
}

// signed reads a time of either sign.
func (r *reader) signed(n *node, what string) int64 {
	return int64(r.time(n, what, -math.MaxInt64, math.MaxInt64))
}

// vtime reads a point in virtual time: a time of either sign, or ns modulo 2^64
// as the kernel stores it.
func (r *reader) vtime(n *node, what string) scheduler.Vtime {
	if raw, err := strconv.ParseUint(n.text, 10, 64); n.kind == kindScalar && err == nil {
		return scheduler.Vtime(raw)
	}
	return scheduler.Vtime(r.signed(n, what))
}

// policies are the words for a policy.
var policies = []struct {
	word   string
	policy scheduler.Policy
}{
	{"other", scheduler.PolicyNormal},
	{"normal", scheduler.PolicyNormal},
	{"batch", scheduler.PolicyBatch},
	{"idle", scheduler.PolicyIdle},
}

func (r *reader) policy(n *node, what string) scheduler.Policy {
	word := strings.ToLower(strings.TrimPrefix(n.text, "SCHED_"))
	for _, p := range policies {
		if n.kind == kindScalar && p.word == word {
			return p.policy
		}
	}
	r.fail(n.at, what+" is "+n.describe(), "other, batch or idle")
	return scheduler.PolicyNormal
}

func (r *reader) nice(n *node, what string) int {
	return int(r.integer(n, what, scheduler.MinNice, scheduler.MaxNice))
}

// maxWeight is the largest cpu.weight.
const maxWeight = 10_000

// weight reads cpu.weight and gives scaled shares.
func (r *reader) weight(n *node, what string) uint64 {
	return scheduler.SharesOfWeight(uint64(r.integer(n, what, 1, maxWeight)))
}

// sharesScale is between tg.shares as users see it and as it is stored.
const sharesScale = scheduler.MinShares / 2

// shares reads tg.shares (cpu.shares of cgroup v1) and gives them scaled.
func (r *reader) shares(n *node, what string) uint64 {
	low, high := int64(scheduler.MinShares/sharesScale), int64(scheduler.MaxShares/sharesScale)
	return uint64(r.integer(n, what, low, high)) * sharesScale
}

// featureRef is a feature setting with its place.
type featureRef struct {
	at      position
	setting scheduler.FeatureSetting
}

// features reads a list of NAME and NO_NAME. Whether the kernel has them is
// known when the kernel is.
func (r *reader) features(n *node, what string) []featureRef {
	refs := []featureRef{}
	for _, item := range r.list(n, what) {
		name := r.line(item, "feature")
		setting, ok := scheduler.ParseFeature(name)
		if !ok {
			r.unknown(item.at, "feature", name, featureNames(name))
			r.settle()
			continue
		}
		refs = append(refs, featureRef{item.at, setting})
	}
	return refs
}

// featureNames lists all features in the form, NAME or NO_NAME, that was typed.
func featureNames(typed string) []string {
	prefix := ""
	if strings.HasPrefix(strings.ToUpper(typed), "NO_") {
		prefix = "NO_"
	}
	names := make([]string, scheduler.NumFeatures)
	for f := range names {
		names[f] = prefix + scheduler.Feature(f).String()
	}
	return names
}

// kernel reads the name of a profile; an unknown one is read as the default.
func (r *reader) kernel(n *node, what string) *scheduler.Profile {
	name := r.line(n, what)
	p, expected := Kernel(name)
	if p == nil {
		r.fail(n.at, "unknown kernel "+quote(name), expected)
		p, _ = scheduler.ProfileByName(defaultKernel)
	}
	return p
}

// Kernel finds the profile that describes a kernel: by the profile's name, or by
// a version that it describes exactly, like v7.2 or 6.12.117. Otherwise it says
// what was expected: of a version, the nearest profile and what differs there.
func Kernel(name string) (p *scheduler.Profile, expected string) {
	p, exact, note := scheduler.NearestProfile(name)
	switch {
	case p == nil:
		return nil, suggestion(name, kernelNames())
	case !exact:
		return nil, p.Name + ", the nearest profile; " + name + " differs: " + note
	}
	return p, ""
}

func kernelNames() []string {
	var names []string
	for _, p := range scheduler.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// nameRef is a name of something else in the file, with its place.
type nameRef struct {
	at   position
	name string
}

func (r *reader) ref(n *node, what string) nameRef { return nameRef{n.at, r.line(n, what)} }

// newName reads the name of a task, group or variant.
func (r *reader) newName(n *node, what string, extra string) string {
	name := r.text(n, what)
	for i, c := range name {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if letter || i > 0 && ('0' <= c && c <= '9' || strings.ContainsRune(extra, c)) {
			continue
		}
		r.fail(n.at, what+" is "+n.describe(), "letters, digits and any of _"+extra+", the first a letter")
		return ""
	}
	if len(name) > maxNameLength {
		r.fail(n.at, what+" is "+n.describe(), fmt.Sprintf("at most %d characters", maxNameLength))
	}
	return name
}
