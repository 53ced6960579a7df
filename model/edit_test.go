package model

import (
	"bytes"
	"testing"

	"zerolag/scheduler"
)

// newcomer is a task to be added.
func newcomer(name string) *scheduler.TaskSpec {
	return &scheduler.TaskSpec{Name: name, Program: forever(run(300*us), sleep(2*ms))}
}

// worldEdits are edits of every kind that changes a task or the machine.
func worldEdits() []scheduler.Edit {
	return []scheduler.Edit{
		{Kind: scheduler.EditAdd, Spec: newcomer("late")},
		{Kind: scheduler.EditSleep, Task: 1},
		{Kind: scheduler.EditFreeze, Task: 2},
		{Kind: scheduler.EditWake, Task: 1},
		{Kind: scheduler.EditKill, Task: 3},
		{Kind: scheduler.EditPreempt, Value: int64(scheduler.PreemptLazy)},
		{Kind: scheduler.EditAffinity, Task: 0, Allowed: scheduler.AllCPUs(1)},
		{Kind: scheduler.EditAdd, Spec: newcomer("later")},
	}
}

func TestWorldEditsForkTheRunWithTheseEdits(t *testing.T) {
	for name, w := range workloads(t) {
		if len(w.Tasks) < 4 {
			continue
		}
		r := Open(w)
		for i, e := range worldEdits() {
			r.SeekTime(scheduler.Time(70-7*i) * ms)
			apply(t, r, e)
			r.Extend(1 << 30)
			want := straight(w, r.Edits())
			if r.Known() != len(want) {
				t.Fatalf("%s edit %d: %d events, a fresh run has %d", name, i, r.Known(), len(want))
			}
			for index := 0; index < len(want); index += 101 {
				if !bytes.Equal(state(r, index), want[index]) {
					t.Fatalf("%s edit %d: state after event %d differs from a fresh run", name, i, index)
				}
			}
		}
		r.Seek(r.Known() - 1)
		for i, s := range r.Stats().Tasks {
			if got := len(r.Waits(scheduler.TaskID(i))); got != s.Waits {
				t.Errorf("%s: %d waits of %s, the numbers say %d", name, got, s.Name, s.Waits)
			}
		}
	}
}

func TestLanesFollowWorldEdits(t *testing.T) {
	r := Open(office(t, "7.2"))
	for i, e := range worldEdits() {
		r.SeekTime(scheduler.Time(20+9*i) * ms)
		apply(t, r, e)
	}
	r.Extend(1 << 30)
	for index := 1; index < r.Known(); index += 7 {
		r.Seek(index)
		f := r.Frame()
		if index+1 < r.Known() && r.Record(index+1).Time == f.Now {
			continue // not the last word at that time
		}
		for i := range f.TaskEntity {
			task := scheduler.TaskID(i)
			for _, s := range r.Segments(task, f.Now, f.Now+1) {
				if s.State != f.Task(task).State && s.To > f.Now {
					t.Fatalf("event %d, task %s: segment %+v, the frame says %v", index, f.Task(task).Name, s, f.Task(task).State)
				}
			}
		}
	}
	if r.SeekTime(250 * ms); !condition(t, r, "late.ran > 1ms && later.state != new").True(r.Context()) {
		t.Error("the added tasks did not run")
	}
	shares, _ := r.Shares(200*ms, 300*ms)
	if late := shares[len(shares)-2]; late.Runtime == 0 {
		t.Error("an added task has no share")
	}
}

func TestEqualAddedTasksAreOneBranch(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	for range 2 {
		r.SwitchBranch(0)
		r.SeekTime(10 * ms)
		apply(t, r, scheduler.Edit{Kind: scheduler.EditAdd, Spec: newcomer("late")})
	}
	if n := len(r.Branches()); n != 2 {
		t.Errorf("%d branches, want 2", n)
	}
}

// A task that is added earlier takes the number of one that was added before: the
// edits about that one follow it.
func TestTaskAddedEarlierRenumbersLaterEdits(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(20 * ms)
	apply(t, r, scheduler.Edit{Kind: scheduler.EditAdd, Spec: newcomer("second")})
	r.SeekTime(30 * ms)
	apply(t, r, scheduler.Edit{Kind: scheduler.EditNice, Task: 2, Value: 7})
	r.SeekTime(10 * ms)
	apply(t, r, scheduler.Edit{Kind: scheduler.EditAdd, Spec: newcomer("first")})
	r.SeekTime(40 * ms)
	f := r.Frame()
	if a, b := f.Task(2), f.Task(3); a.Name != "first" || a.Nice != 0 || b.Name != "second" || b.Nice != 7 {
		t.Errorf("%s has nice %d, %s nice %d", a.Name, a.Nice, b.Name, b.Nice)
	}
}

func TestImpossibleWorldEditsAreRefused(t *testing.T) {
	r := Open(nginx(t, "7.2"))
	r.SeekTime(10 * ms)
	spec := func(change func(*scheduler.TaskSpec)) *scheduler.TaskSpec {
		s := newcomer("late")
		change(s)
		return s
	}
	for _, e := range []scheduler.Edit{
		{Kind: scheduler.EditAdd},
		{Kind: scheduler.EditAdd, Spec: newcomer("nginx")},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.CPU = 1 })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Nice = 20 })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Group = 1 })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Slice = 1 })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Program = []scheduler.Op{{Kind: scheduler.OpRun}} })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Program = []scheduler.Op{{Kind: scheduler.OpWake, Task: 3}} })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Program = []scheduler.Op{{Kind: scheduler.OpLoop, Target: 1}} })},
		{Kind: scheduler.EditAdd, Spec: spec(func(s *scheduler.TaskSpec) { s.Program = []scheduler.Op{{Kind: scheduler.OpLock}} })},
		{Kind: scheduler.EditKill, Task: 2},
		{Kind: scheduler.EditFreeze, Task: -1},
		{Kind: scheduler.EditAffinity, Task: 0},
		{Kind: scheduler.EditAffinity, Task: 0, Allowed: scheduler.AllCPUs(2)},
		{Kind: scheduler.EditPreempt, Value: 4},
	} {
		if err := r.Apply(e); err == nil {
			t.Errorf("kind %d of task %d was taken", e.Kind, e.Task)
		}
	}
	if r.Dirty() {
		t.Error("a refused edit made a branch")
	}
}

func TestQuotaEditsForkTheRun(t *testing.T) {
	quota := func(value, period scheduler.Time) scheduler.Edit {
		return scheduler.Edit{Kind: scheduler.EditQuota, Group: 1, Value: int64(value), Period: period}
	}
	r := Open(office(t, "6.12.y"))
	r.SeekTime(20 * ms)
	throttled := condition(t, r, "hog.throttled")
	apply(t, r, quota(0, 0))
	if r.Branch() != "main" {
		t.Error("taking away a limit that is not there changes something")
	}
	apply(t, r, quota(2*ms, 10*ms))
	if r.SeekTime(29500 * us); !throttled.True(r.Context()) {
		t.Error("the group is not throttled after its quota is used up")
	}
	r.SeekTime(20 * ms)
	apply(t, r, quota(9*ms, 10*ms))
	if n := len(r.Edits()); n != 4 {
		t.Errorf("%d edits, want the workload's 3 and one: the later quota replaces the earlier", n)
	}
	for _, bad := range []scheduler.Edit{
		quota(ms-1, 10*ms), quota(scheduler.MaxQuota+1, 10*ms), quota(2*ms, ms-1), quota(2*ms, scheduler.Second+1),
		{Kind: scheduler.EditQuota, Group: 0, Value: int64(ms)},
		{Kind: scheduler.EditQuota, Group: 1, Value: int64(ms), Burst: 2 * ms},
	} {
		if err := r.Apply(bad); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
