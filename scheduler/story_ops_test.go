package scheduler

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// arguments of an operation of a story: NAME ... key=value ...
type storyArgs struct {
	t     *testing.T
	words []string
}

// word is the n-th plain word, "" if there is none.
func (a storyArgs) word(n int) string {
	for _, w := range a.words {
		if strings.Contains(w, "=") {
			continue
		}
		if n == 0 {
			return w
		}
		n--
	}
	return ""
}

func (a storyArgs) has(word string) bool { return slices.Contains(a.words, word) }

func (a storyArgs) number(n int) int64 {
	a.t.Helper()
	if a.word(n) == "" {
		return 0
	}
	return int64(length(a.t, a.word(n)))
}

// value is key's value as a number or a length, or the default.
func (a storyArgs) value(key string, otherwise int64) int64 {
	a.t.Helper()
	for _, w := range a.words {
		if k, v, ok := strings.Cut(w, "="); ok && k == key {
			if n, err := strconv.ParseInt(v, 10, 64); err == nil {
				return n
			}
			return int64(length(a.t, v))
		}
	}
	return otherwise
}

func (a storyArgs) text(key, otherwise string) string {
	for _, w := range a.words {
		if k, v, ok := strings.Cut(w, "="); ok && k == key {
			return v
		}
	}
	return otherwise
}

// policyNames are the policies of stories.
var policyNames = map[string]Policy{"normal": PolicyNormal, "batch": PolicyBatch, "idle": PolicyIdle}

// op executes one operation line.
func (s *story) op(t *testing.T, d *datadriven.TestData, words []string) {
	t.Helper()
	a := storyArgs{t, words[1:]}
	if s.cpuOp(words[0], a.word(0)) || s.groupOp(words[0], a) || s.machineOp(t, d, words, a) {
		return
	}
	if words[0] == "fork" {
		s.fork(a)
		return
	}
	id := slices.Index(s.names, a.word(0))
	if id < 0 {
		d.Fatalf(t, "operation %q: no such operation or task", strings.Join(words, " "))
	}
	s.taskOp(d, words[0], TaskID(id), a)
}

// machineOp changes the clock or a switch.
func (s *story) machineOp(t *testing.T, d *datadriven.TestData, words []string, a storyArgs) bool {
	switch {
	case strings.HasPrefix(words[0], "+"):
		s.clock += length(t, words[0][1:])
	case words[0] == "at":
		s.clock = Time(a.number(0))
	case words[0] == "feature":
		set, ok := ParseFeature(a.word(0))
		if !ok {
			d.Fatalf(t, "feature %q is not known", a.word(0))
		}
		s.m.SetFeature(set)
		return true
	case words[0] == "base":
		s.m.SetBaseSlice(uint64(a.number(0)))
		return true
	default:
		return false
	}
	for cpu := range s.m.cpus {
		s.m.SetClock(cpu, s.clock, s.clock)
	}
	return true
}

// cpuOp is what a CPU does by itself.
func (s *story) cpuOp(word, which string) bool {
	cpu, err := strconv.Atoi(which)
	if err != nil {
		cpu = 0
	}
	switch word {
	case "schedule":
		s.m.Schedule(cpu, LeaveStay)
	case "block":
		s.m.Schedule(cpu, LeaveSleep)
	case "exit":
		s.m.Schedule(cpu, LeaveDie)
	case "yield":
		s.m.Yield(cpu)
		s.m.Schedule(cpu, LeaveStay)
	case "tick":
		s.m.Tick(cpu)
	case "hrtick":
		s.m.HrtickExpire(cpu)
	case "interrupt":
		s.m.StartHigher(cpu)
	case "interrupt-end":
		s.m.EndHigher(cpu)
	case "balance":
		s.m.Balance(cpu)
	default:
		return false
	}
	return true
}

func (s *story) groupOp(word string, a storyArgs) bool {
	g, known := s.groups[a.word(0)]
	switch {
	case word == "group":
		name := a.word(0)
		s.groups[name] = s.m.NewGroup(s.groups[a.text("parent", "/")], name, uint64(a.value("shares", NiceZeroLoad)), a.has("idle"))
		s.quota(s.groups[name], a)
	case !known:
		return false
	case word == "shares":
		s.m.SetShares(g, uint64(a.number(1)))
	case word == "cpu.idle":
		s.m.SetGroupIdle(g, a.number(1) != 0)
	case word == "cpu.max":
		s.quota(g, a)
	case word == "refill":
		s.m.Refill(g)
	default:
		return false
	}
	return true
}

// quota sets the limit quota=, period=, burst= of a group.
func (s *story) quota(g GroupID, a storyArgs) {
	s.m.SetQuota(g, Time(a.value("quota", 0)), Time(a.value("period", 0)), Time(a.value("burst", 0)))
}

// fork makes a task and starts it, on the CPU that placement chooses if "place"
// is said.
func (s *story) fork(a storyArgs) {
	cpu := int(a.value("cpu", 0))
	s.names = append(s.names, a.word(0))
	task := s.m.NewTask(a.word(0), cpu, s.groups[a.text("group", "/")], int(a.value("nice", 0)), policyNames[a.text("policy", "normal")], uint64(a.value("slice", 0)))
	if a.has("place") {
		cpu = s.m.ForkCPU(task, cpu)
	}
	s.m.Fork(task, cpu)
}

func (s *story) taskOp(d *datadriven.TestData, word string, id TaskID, a storyArgs) {
	a.t.Helper()
	switch word {
	case "wake":
		flags := WakeFlags(0)
		if a.has("sync") {
			flags = WakeSync
		}
		if a.has("send") {
			s.m.WakeFrom(id, TaskID(slices.Index(s.names, a.text("by", "-"))), int(a.value("from", 0)), flags)
			return
		}
		s.m.Wake(id, flags)
	case "receive":
		s.m.Receive(id)
	case "yield-to":
		s.m.YieldTo(s.m.CPUOf(id), id)
		s.m.Schedule(s.m.CPUOf(id), LeaveStay)
	case "nice":
		s.m.SetNice(id, int(a.number(1)))
	case "slice":
		s.m.SetSlice(id, uint64(a.number(1)))
	case "policy":
		s.m.SetScheduler(id, policyNames[a.word(1)], int(s.m.tasks[id].nice))
	case "move":
		s.m.MoveGroup(id, s.groups[a.word(1)])
	case "migrate":
		s.m.Migrate(id, int(a.number(1)))
	case "affinity":
		var set CPUSet
		for _, c := range strings.Split(a.text("cpus", "0"), ",") {
			n, err := strconv.Atoi(c)
			if err != nil {
				a.t.Fatal(err)
			}
			set.Add(n)
		}
		s.m.SetAffinity(id, set)
	default:
		d.Fatalf(a.t, "operation %q is not known", word)
	}
}
