package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// policies are those of the fair class.
var policies = []scheduler.Policy{scheduler.PolicyNormal, scheduler.PolicyBatch, scheduler.PolicyIdle}

// inside demands low <= n <= high.
func inside[T int | int32 | int64 | scheduler.Time | scheduler.TaskID | scheduler.GroupID](what string, n, low, high T) error {
	if n < low || n > high {
		return fmt.Errorf("%s %d, expected %d to %d", what, n, low, high)
	}
	return nil
}

func checkPolicy(p scheduler.Policy) error {
	if !slices.Contains(policies, p) {
		return fmt.Errorf("policy %d, expected normal, batch or idle", p)
	}
	return nil
}

// checkSlice checks a custom slice; 0 is none.
func checkSlice(ns int64) error {
	if ns == 0 {
		return nil
	}
	return inside("slice", ns, scheduler.MinCustomSlice, scheduler.MaxCustomSlice)
}

// checkQuota checks cpu.max and cpu.max.burst: quota 0 is no limit, period 0 the
// default.
func checkQuota(e scheduler.Edit) error {
	if e.Value == 0 {
		return nil
	}
	period := e.Period
	if period == 0 {
		period = scheduler.DefaultPeriod
	}
	return first(
		inside("quota", scheduler.Time(e.Value), scheduler.MinQuota, scheduler.MaxQuota),
		inside("period", period, scheduler.MinPeriod, scheduler.MaxPeriod),
		inside("burst", e.Burst, 0, scheduler.Time(e.Value)),
	)
}

// first is the first error of a list.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkEdit tells what is impossible about an edit in a state.
func (r *Run) checkEdit(f *scheduler.Frame, e scheduler.Edit) error {
	group := func(low scheduler.GroupID) error {
		return inside("group", e.Group, low, scheduler.GroupID(len(r.w.Groups)))
	}
	var task error
	if aboutTask(e.Kind) {
		task = inside("task", e.Task, 0, scheduler.TaskID(len(f.TaskEntity)-1))
	}
	switch e.Kind {
	case scheduler.EditFeature:
		if k := r.w.Config.Kernel; !k.Knows(e.Feature.Feature) {
			return fmt.Errorf("kernel %s has no feature %s, expected one of its own or a proposal", k.Name, e.Feature.Feature)
		}
		return nil
	case scheduler.EditNice:
		return first(task, inside("nice", e.Value, scheduler.MinNice, scheduler.MaxNice))
	case scheduler.EditSlice:
		return first(task, checkSlice(e.Value))
	case scheduler.EditPolicy:
		return first(task, checkPolicy(e.Policy))
	case scheduler.EditShares:
		return first(group(1), inside("shares", e.Value, scheduler.MinShares, scheduler.MaxShares))
	case scheduler.EditGroupIdle:
		return first(group(1), inside("cpu.idle", e.Value, 0, 1))
	case scheduler.EditQuota:
		return first(group(1), checkQuota(e))
	case scheduler.EditBaseSlice:
		return inside("base slice", e.Value, 1, int64(scheduler.Second))
	case scheduler.EditMove:
		return first(task, group(0))
	case scheduler.EditAffinity:
		return first(task, r.checkAllowed(e.Allowed))
	case scheduler.EditWake, scheduler.EditKill, scheduler.EditSleep, scheduler.EditFreeze:
		return task
	case scheduler.EditInterrupt:
		return first(r.checkCPU(e.CPU), inside("interrupt length", e.Value, 1, 1<<62))
	case scheduler.EditPreempt:
		return inside("preemption model", e.Value, int64(scheduler.PreemptFull), int64(scheduler.PreemptNone))
	case scheduler.EditAdd:
		return r.checkSpec(f, e.Spec)
	}
	return fmt.Errorf("edit kind %d, expected a known one", e.Kind)
}

func (r *Run) checkCPU(cpu int) error { return inside("cpu", cpu, 0, r.w.Config.CPUs-1) }

// checkAllowed demands a set of CPUs that has one of the machine and no other.
func (r *Run) checkAllowed(set scheduler.CPUSet) error {
	if set.Empty() {
		return errors.New("no cpu is allowed, expected at least one")
	}
	for cpu := set.Next(0); cpu >= 0; cpu = set.Next(cpu + 1) {
		if err := r.checkCPU(cpu); err != nil {
			return err
		}
	}
	return nil
}

// checkSpec tells what is impossible about a task to be added in a state.
func (r *Run) checkSpec(f *scheduler.Frame, spec *scheduler.TaskSpec) error {
	if spec == nil || strings.TrimSpace(spec.Name) == "" {
		return errors.New("task without a name, expected one of its own")
	}
	for _, id := range f.TaskEntity {
		if f.Entity(id).Name == spec.Name {
			return fmt.Errorf("task name %q is taken, expected another", spec.Name)
		}
	}
	var allowed error
	if set := spec.Allowed; !set.Empty() {
		if allowed = r.checkAllowed(set); allowed == nil && !set.Has(spec.CPU) {
			allowed = fmt.Errorf("cpu %d is not allowed, expected one that is", spec.CPU)
		}
	}
	return first(
		r.checkCPU(spec.CPU), allowed, inside("group", spec.Group, 0, scheduler.GroupID(len(r.w.Groups))),
		inside("nice", spec.Nice, scheduler.MinNice, scheduler.MaxNice), checkPolicy(spec.Policy), checkSlice(int64(spec.Slice)),
		r.checkProgram(spec.Program, scheduler.TaskID(len(f.TaskEntity))),
	)
}

// checkProgram tells what is impossible about a program of the task with number
// last, which may name the tasks up to itself.
func (r *Run) checkProgram(program []scheduler.Op, last scheduler.TaskID) error {
	for i := range program {
		op := &program[i]
		var err error
		switch op.Kind {
		case scheduler.OpRun, scheduler.OpSleep, scheduler.OpTimer:
			err = inside("length", op.Dur, 1, 1<<62)
		case scheduler.OpWake, scheduler.OpFork:
			err = inside("task", op.Task, 0, last)
		case scheduler.OpLoop:
			err = first(inside("jump", op.Target, 0, int32(i)), inside("depth", int(op.Depth), 0, scheduler.MaxLoopDepth-1))
		case scheduler.OpLock, scheduler.OpUnlock, scheduler.OpBarrier, scheduler.OpSend, scheduler.OpReceive:
			err = inside("object", int(op.Object), 0, len(r.w.Objects)-1)
		case scheduler.OpBlock, scheduler.OpYield, scheduler.OpExit:
		}
		if err != nil {
			return fmt.Errorf("instruction %d of the program: %w", i, err)
		}
	}
	return nil
}
