package vector

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// op is one kind of line: how many arguments, and what it does.
type op struct {
	args []string
	do   func(p *replayer, a []int64) error
}

// operations are the lines of a vector, by letter.
var operations = map[string]op{
	"A": {[]string{"ns"}, func(p *replayer, a []int64) error { return p.advance(a[0]) }},
	"G": {[]string{"parent", "idle"}, (*replayer).newGroup},
	"F": {[]string{"cpu", "grp", "nice", "policy", "slice"}, (*replayer).fork},
	"S": {[]string{"cpu", "block", "special"}, (*replayer).schedule},
	"W": {[]string{"task"}, func(p *replayer, a []int64) error { return p.wake(a[0], 0) }},
	"V": {[]string{"task", "sync", "sel"}, (*replayer).wakeFlags},
	"T": {[]string{"cpu"}, func(p *replayer, a []int64) error { return p.onCPU(a[0], p.m.Tick) }},
	"Q": {[]string{"cpu"}, func(p *replayer, a []int64) error { return p.onCPU(a[0], p.m.HrtickExpire) }},
	"Y": {[]string{"cpu"}, func(p *replayer, a []int64) error { return p.onCPU(a[0], p.yield) }},
	"B": {[]string{"cpu", "task"}, (*replayer).yieldTo},
	"N": {[]string{"task", "nice"}, (*replayer).setNice},
	"L": {[]string{"task", "runtime"}, (*replayer).setSlice},
	"H": {[]string{"grp", "shares"}, (*replayer).setShares},
	"M": {[]string{"task", "cpu"}, (*replayer).migrate},
	"X": {[]string{"task", "grp"}, (*replayer).moveGroup},
	"I": {[]string{"grp", "idle"}, (*replayer).groupIdle},
	"K": {[]string{"feature", "value"}, (*replayer).setFeature},
	"P": {[]string{"task or parameter", "policy or value", "nice"}, (*replayer).policyOrParameter},
}

// apply executes one operation line.
func (p *replayer) apply(line int, text string) error {
	words := strings.Fields(text)
	o, ok := operations[words[0]]
	if !ok {
		return fmt.Errorf("operation %q is not known", words[0])
	}
	given := words[1:]
	if len(given) != len(o.args) && (words[0] != "P" || len(given) != 2) {
		return fmt.Errorf("operation %q: expected %d arguments (%s), got %d", words[0], len(o.args), strings.Join(o.args, " "), len(given))
	}
	nums := make([]int64, len(given))
	for i, w := range given {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return fmt.Errorf("argument %q of %q: expected an integer for %s", w, words[0], o.args[i])
		}
		nums[i] = n
	}
	p.lastOp = fmt.Sprintf("%d: %s", line, text)
	p.res.Ops++
	return o.do(p, nums)
}

// maxClock bounds the clock of a vector, ns: some 35 years.
const maxClock = scheduler.Time(1) << 60

func (p *replayer) advance(ns int64) error {
	if ns < 0 || scheduler.Time(ns) > maxClock-p.clock {
		return fmt.Errorf("time step %d: expected 0 ... %d", ns, maxClock-p.clock)
	}
	p.clock += scheduler.Time(ns)
	for cpu := range p.head.ncpu {
		p.m.SetClock(cpu, p.clock, p.clock)
	}
	return nil
}

func (p *replayer) onCPU(cpu int64, do func(int)) error {
	if cpu < 0 || cpu >= int64(p.head.ncpu) {
		return fmt.Errorf("cpu %d: expected 0 ... %d", cpu, p.head.ncpu-1)
	}
	do(int(cpu))
	return nil
}

// onTask finds a task that lives, and its present state.
func (p *replayer) onTask(t int64, do func(scheduler.TaskID, *scheduler.EntityFrame) error) error {
	if t < 0 || t >= int64(p.m.Tasks()) {
		return fmt.Errorf("task %d: expected 0 ... %d", t, p.m.Tasks()-1)
	}
	p.m.Frame(&p.frame)
	e := p.frame.Task(scheduler.TaskID(t))
	if e.State == scheduler.StateDead {
		return fmt.Errorf("task %d is dead", t)
	}
	return do(e.Task, e)
}

func (p *replayer) onGroup(g, least int64, do func(scheduler.GroupID)) error {
	if g < least || g >= int64(p.m.Groups()) {
		return fmt.Errorf("group %d: expected %d ... %d", g, least, p.m.Groups()-1)
	}
	do(scheduler.GroupID(g))
	return nil
}

func (p *replayer) newGroup(a []int64) error {
	return p.onGroup(a[0], 0, func(parent scheduler.GroupID) {
		p.m.NewGroup(parent, "", scheduler.NiceZeroLoad, a[1] != 0)
	})
}

// policyOf reads a policy number of the fair class.
func policyOf(n int64) (scheduler.Policy, error) {
	for _, policy := range []scheduler.Policy{scheduler.PolicyNormal, scheduler.PolicyBatch, scheduler.PolicyIdle} {
		if n == int64(policy) {
			return policy, nil
		}
	}
	return 0, fmt.Errorf("policy %d: expected 0, 3 or 5", n)
}

func checkNice(n int64) error {
	if n < scheduler.MinNice || n > scheduler.MaxNice {
		return fmt.Errorf("nice %d: expected -20 ... 19", n)
	}
	return nil
}

func checkSlice(n int64) error {
	if n < 0 {
		return fmt.Errorf("slice %d: expected 0 or a length in ns", n)
	}
	return nil
}

func (p *replayer) fork(a []int64) error {
	policy, err := policyOf(a[3])
	if err != nil {
		return err
	}
	if err := checkNice(a[2]); err != nil {
		return err
	}
	if err := checkSlice(a[4]); err != nil {
		return err
	}
	if err := p.onCPU(a[0], func(int) {}); err != nil {
		return err
	}
	return p.onGroup(a[1], 0, func(g scheduler.GroupID) {
		cpu := int(a[0])
		p.m.Fork(p.m.NewTask("", cpu, g, int(a[2]), policy, uint64(a[4])), cpu)
	})
}

func (p *replayer) schedule(a []int64) error {
	how := scheduler.LeaveStay
	if a[1] != 0 {
		how = scheduler.LeaveSleep
		if a[2] != 0 {
			how = scheduler.LeaveDie
		}
	}
	return p.onCPU(a[0], func(cpu int) { p.m.Schedule(cpu, how) })
}

func (p *replayer) wake(t int64, flags scheduler.WakeFlags) error {
	return p.onTask(t, func(t scheduler.TaskID, _ *scheduler.EntityFrame) error {
		if !p.m.Sleeps(t) {
			return fmt.Errorf("task %d does not sleep: only a sleeper can be woken", t)
		}
		p.m.Wake(t, flags)
		return nil
	})
}

func (p *replayer) wakeFlags(a []int64) error {
	var flags scheduler.WakeFlags
	if a[1] != 0 {
		flags |= scheduler.WakeSync
	}
	if a[2] != 0 {
		flags |= scheduler.WakeRQSelected
	}
	return p.wake(a[0], flags)
}

func (p *replayer) yield(cpu int) {
	p.m.Yield(cpu)
	p.m.Schedule(cpu, scheduler.LeaveStay)
}

func (p *replayer) yieldTo(a []int64) error {
	return p.onTask(a[1], func(t scheduler.TaskID, e *scheduler.EntityFrame) error {
		if e.State != scheduler.StateQueued {
			return fmt.Errorf("task %d is not waiting for a CPU: yield_to expects a queued task that does not run", t)
		}
		return p.onCPU(a[0], func(cpu int) {
			p.m.YieldTo(cpu, t)
			p.m.Schedule(cpu, scheduler.LeaveStay)
		})
	})
}

func (p *replayer) setNice(a []int64) error {
	if err := checkNice(a[1]); err != nil {
		return err
	}
	return p.onTask(a[0], func(t scheduler.TaskID, _ *scheduler.EntityFrame) error {
		p.m.SetNice(t, int(a[1]))
		return nil
	})
}

func (p *replayer) setSlice(a []int64) error {
	if err := checkSlice(a[1]); err != nil {
		return err
	}
	return p.onTask(a[0], func(t scheduler.TaskID, _ *scheduler.EntityFrame) error {
		p.m.SetSlice(t, uint64(a[1]))
		return nil
	})
}

func (p *replayer) setShares(a []int64) error {
	if a[1] < scheduler.MinShares || a[1] > scheduler.MaxShares {
		return fmt.Errorf("shares %d: expected %d ... %d", a[1], scheduler.MinShares, scheduler.MaxShares)
	}
	idle := false
	err := p.onGroup(a[0], 1, func(g scheduler.GroupID) {
		p.m.Frame(&p.frame)
		if idle = p.frame.Groups[g].Idle; !idle {
			p.m.SetShares(g, uint64(a[1]))
		}
	})
	if idle {
		return fmt.Errorf("group %d is idle: its shares cannot be written", a[0])
	}
	return err
}

func (p *replayer) migrate(a []int64) error {
	return p.onTask(a[0], func(t scheduler.TaskID, e *scheduler.EntityFrame) error {
		if !e.OnRQ || e.State == scheduler.StateRunning {
			return fmt.Errorf("task %d is not queued, or runs: only a waiting task can be moved", t)
		}
		return p.onCPU(a[1], func(cpu int) { p.m.Migrate(t, cpu) })
	})
}

func (p *replayer) moveGroup(a []int64) error {
	return p.onTask(a[0], func(t scheduler.TaskID, _ *scheduler.EntityFrame) error {
		return p.onGroup(a[1], 0, func(g scheduler.GroupID) { p.m.MoveGroup(t, g) })
	})
}

func (p *replayer) groupIdle(a []int64) error {
	return p.onGroup(a[0], 1, func(g scheduler.GroupID) { p.m.SetGroupIdle(g, a[1] != 0) })
}

// numbered are the features by their number in vectors; 10 to 15 are proposals.
var numbered = [...]scheduler.Feature{
	0: scheduler.PlaceLag, 1: scheduler.PlaceDeadlineInitial, 2: scheduler.PlaceRelDeadline, 3: scheduler.RunToParity,
	4: scheduler.PreemptShort, 5: scheduler.NextBuddy, 6: scheduler.PickBuddy, 7: scheduler.DelayDequeue,
	8: scheduler.DelayZero, 9: scheduler.WakeupPreemption, 10: scheduler.RunToParityWakeup, 11: scheduler.EnforceEligibility,
	12: scheduler.SchedQuanta, 13: scheduler.SliceSet, 14: scheduler.RespectSlice, 15: scheduler.LagClamp,
}

// newNumbers are the numbers that mean another feature from 6.17 on.
var newNumbers = map[int64]scheduler.Feature{13: scheduler.ParanoidAvg, 14: scheduler.RunToParityWakeup}

func (p *replayer) setFeature(a []int64) error {
	if a[0] < 0 || a[0] >= int64(len(numbered)) {
		return fmt.Errorf("feature number %d: expected 0 ... %d", a[0], len(numbered)-1)
	}
	f, on := numbered[a[0]], a[1] != 0
	if newer, ok := newNumbers[a[0]]; ok && p.head.profile.HasVprot {
		f = newer
	}
	switch f {
	case scheduler.SliceSet:
		p.sliceSet = on
	case scheduler.RespectSlice:
		p.ignoresSlice = !on
	default:
		p.m.SetFeature(scheduler.FeatureSetting{Feature: f, On: on})
		return nil
	}
	p.m.SetFeature(scheduler.FeatureSetting{Feature: scheduler.SliceSet, On: p.sliceSet})
	p.m.SetFeature(scheduler.FeatureSetting{Feature: scheduler.RespectSlice, On: p.sliceSet && !p.ignoresSlice})
	return nil
}

// policyOrParameter is P: with three arguments a policy change, with two a
// parameter.
func (p *replayer) policyOrParameter(a []int64) error {
	if len(a) == 3 {
		policy, err := policyOf(a[1])
		if err != nil {
			return err
		}
		if err := checkNice(a[2]); err != nil {
			return err
		}
		return p.onTask(a[0], func(t scheduler.TaskID, _ *scheduler.EntityFrame) error {
			p.m.SetScheduler(t, policy, int(a[2]))
			return nil
		})
	}
	return p.setParameter(a[0], a[1])
}

func (p *replayer) setParameter(number, value int64) error {
	if value < 0 || number < 2 && value == 0 {
		return fmt.Errorf("parameter %d: value %d is out of range", number, value)
	}
	switch number {
	case 0:
		p.m.SetBaseSlice(uint64(value))
	case 1:
		p.m.SetNBase(uint64(value))
	case 2:
		p.m.SetMigrationCost(uint64(value))
	case 3:
		model := scheduler.PreemptFull
		if value != 0 {
			model = scheduler.PreemptLazy
		}
		p.m.SetPreempt(model)
	default:
		return fmt.Errorf("parameter %d: expected 0 ... 3", number)
	}
	return nil
}
