package scheduler

import (
	"bytes"
	"fmt"
	"testing"
)

// limited is a machine with groups that have quotas; each task runs for ever
// unless it has a program.
func limited(p *Profile, cpus int, groups []GroupSpec, tasks ...TaskSpec) *Workload {
	for i := range groups {
		groups[i].Name, groups[i].Shares = fmt.Sprintf("/g%d", i+1), NiceZeroLoad
	}
	for i := range tasks {
		tasks[i].Name = fmt.Sprint("t", i)
		if tasks[i].Program == nil {
			tasks[i].Program = []Op{{Kind: OpRun, Dur: 1000 * Second}}
		}
	}
	return &Workload{
		Config: Config{
			Kernel: p, CPUs: cpus, HZ: 1000, BaseSlice: 2_800_000, NBase: p.NBase, MigrationCost: 500_000,
			Features: p.Defaults(), ClockStart: 1 << 20,
		},
		Groups: groups, Tasks: tasks,
	}
}

// runUntil steps to the last event before a time and checks the invariants.
func runUntil(t *testing.T, s *Sim, until Time) {
	t.Helper()
	for at, ok := s.Next(); ok && at < until; at, ok = s.Next() {
		e, _ := s.Step(nil)
		if err := s.Check(); err != nil {
			t.Fatalf("event %d, %s at %d: %v", e.Index, e.Kind, e.Time, err)
		}
	}
}

// ran is the run time of a task, with what is not charged yet.
func (s *Sim) ran(t TaskID, now Time) Time {
	e := s.m.ent(s.m.tasks[t].entity)
	sum := Time(e.sumExec)
	if c := s.m.tasks[t].cpu; s.m.cpus[c].curr == t {
		sum += now - Time(e.execStart-s.w.Config.ClockStart)
	}
	return sum
}

// perPeriod is what tasks ran in each 100 ms, in ms.
func perPeriod(t *testing.T, w *Workload, periods int, tasks ...TaskID) []Time {
	t.Helper()
	s := NewSim(w)
	var list []Time
	before := Time(0)
	for i := range periods {
		until := Time(i+1) * 100 * Millisecond
		runUntil(t, s, until)
		sum := Time(0)
		for _, id := range tasks {
			sum += s.ran(id, until)
		}
		list = append(list, (sum-before)/Millisecond)
		before = sum
	}
	return list
}

func TestQuotaIsUsedUpEachPeriod(t *testing.T) {
	limit := func() []GroupSpec { return []GroupSpec{{Quota: 20 * Millisecond}} }
	nested := []GroupSpec{{Quota: 20 * Millisecond}, {Parent: 1, Quota: 50 * Millisecond}}
	tight := []GroupSpec{{Quota: 50 * Millisecond}, {Parent: 1, Quota: 20 * Millisecond}}
	in := func(g GroupID) TaskSpec { return TaskSpec{Group: g} }
	sleeper := TaskSpec{Group: 1, Program: []Op{{Kind: OpRun, Dur: 3 * Millisecond}, {Kind: OpSleep, Dur: Millisecond}, {Kind: OpLoop}}}
	one, two := CPUSet{1}, CPUSet{2}
	apart := []TaskSpec{{Group: 1, Allowed: one}, {Group: 1, CPU: 1, Allowed: two}}
	for _, p := range Profiles() {
		for _, c := range []struct {
			name  string
			w     *Workload
			tasks []TaskID
			want  Time
		}{
			{"alone", limited(p, 1, limit(), in(1)), []TaskID{0}, 20},
			{"in competition", limited(p, 1, limit(), in(1), in(0)), []TaskID{0}, 20},
			{"two in the group", limited(p, 1, limit(), in(1), in(1), in(0)), []TaskID{0, 1}, 20},
			{"the group above is tighter", limited(p, 1, nested, in(2), in(0)), []TaskID{0}, 20},
			{"the group below is tighter", limited(p, 1, tight, in(2), in(1)), []TaskID{0}, 20},
			{"and the rest is for its sister", limited(p, 1, tight, in(2), in(1)), []TaskID{0, 1}, 50},
			{"with sleeps", limited(p, 1, limit(), sleeper), []TaskID{0}, 20},
			{"on two CPUs together", limited(p, 2, limit(), apart...), []TaskID{0, 1}, 20},
			{"no limit", limited(p, 1, []GroupSpec{{}}, in(1)), []TaskID{0}, 100},
		} {
			for i, got := range perPeriod(t, c.w, 5, c.tasks...) {
				if got != c.want {
					t.Errorf("%s, %s: ran %d ms in period %d, want %d", p.Name, c.name, got, i, c.want)
				}
			}
		}
	}
}

// withQuotas gives the groups of a drawn workload quotas, and lets edits change
// them.
func (d *dice) withQuotas(w *Workload) *Workload {
	w.Config.Balance = d.upTo(2) == 0
	quota := func() Time { return Time(1+d.upTo(4)) * Millisecond }
	for g := range w.Groups {
		if spec := &w.Groups[g]; d.upTo(3) > 0 {
			spec.Quota, spec.Period, spec.Burst = quota(), Time(2+d.upTo(8))*Millisecond, quota()*Time(d.upTo(2))
		}
	}
	for i := range w.Edits {
		if e := &w.Edits[i]; len(w.Groups) > 0 && d.upTo(3) == 0 {
			*e = Edit{
				At: e.At, Ordinal: e.Ordinal, Kind: EditQuota, Group: GroupID(1 + d.upTo(len(w.Groups))),
				Value: int64(quota() * Time(d.upTo(3))), Period: Time(2+d.upTo(5)) * Millisecond,
			}
		}
	}
	return w
}

// Whatever tasks and edits do in groups with quotas, the invariants hold, and a
// copy goes on like the original.
func TestQuotasKeepInvariants(t *testing.T) {
	throttles := uint64(0)
	for seed := range uint32(400) {
		d := &dice{data: noise(seed+1000, 400)}
		w := d.withQuotas(d.workload())
		s := NewSim(w)
		c := NewSim(w)
		for i := range 600 {
			e, ok := s.Step(nil)
			if !ok {
				break
			}
			if err := s.Check(); err != nil {
				t.Fatalf("seed %d, %s, event %d, %s at %d: %v", seed, w.Config.Kernel.Name, e.Index, e.Kind, e.Time, err)
			}
			if i%50 == 0 {
				c.CopyFrom(s)
			} else {
				c.Step(nil)
			}
			if !bytes.Equal(s.AppendState(nil), c.AppendState(nil)) {
				t.Fatalf("seed %d, event %d: a copy has gone another way", seed, e.Index)
			}
		}
		throttles += s.m.throttles
	}
	t.Log(throttles)
	if throttles < 400 {
		t.Errorf("queues were throttled %d times only", throttles)
	}
}
