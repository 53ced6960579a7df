package scenarios

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"zerolag/scheduler"
)

// HashDigits is the length of a hash: how much of the sum is kept: enough to notice a change, short
// enough for a command line.
const HashDigits = 12

// Hash identifies what a workload simulates: 12 hexadecimal digits of a SHA-256 over
// kernel profile, machine, features that are on, groups, tasks with their programs
// and start states, and edits. Names of switches and instructions go in, never their
// numbers, so that a later version of the program gives the same for the same.
func Hash(w *scheduler.Workload) string {
	h := sha256.New()
	hashMachine(h, w)
	for _, g := range w.Groups {
		fmt.Fprintf(h, "group %q %d %d %t %d %d %d\n", g.Name, g.Parent, g.Shares, g.Idle, g.Quota, g.Period, g.Burst)
	}
	for i := range w.Tasks {
		hashTask(h, &w.Tasks[i])
	}
	for _, q := range w.Queues {
		fmt.Fprintf(h, "queue %d %d\n", q.Queue, q.Zero)
	}
	if w.Tape != nil {
		hashTape(h, w.Tape)
	}
	said := changes{w: w}
	for i := range w.Edits {
		e := &w.Edits[i]
		// An edit that no file can say still differs by its numbers.
		change, err := said.next(e)
		fmt.Fprintf(h, "edit %d %d %s %v %d %d %d\n", e.At, e.Ordinal, change, err, e.Value, e.Period, e.Burst)
		if e.Kind == scheduler.EditAdd {
			hashTask(h, e.Spec)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:HashDigits]
}

// Differs tells in one sentence that the run with the hash now is not the one with
// another; "" if it is, or the other is "".
func Differs(now, hash string) string {
	if hash == "" || hash == now {
		return ""
	}
	return "this is another run than the one the command line was made for (hash " + now + ", not " + hash + "): what it shows may differ"
}

// hashTape writes what a recording shows.
func hashTape(h io.Writer, t *scheduler.Tape) {
	fmt.Fprintf(h, "tape %q\n", t.Release)
	for i := range t.Events {
		e := &t.Events[i]
		fmt.Fprintf(h, "%d %v %d %d %q %d %d\n", e.At, e.Kind, e.CPU, e.Task, e.Call, e.Line, e.Differs)
	}
}

// hashMachine writes the machine and the features that are on, by name.
func hashMachine(h io.Writer, w *scheduler.Workload) {
	c := &w.Config
	t := c.Topology
	fmt.Fprintf(h, "kernel %s %s\ncpus %d %d %d %d %d %d\n", c.Kernel.Name, c.Kernel.Release,
		c.CPUs, t.Nodes, t.LLCsPerNode, t.CoresPerLLC, t.Threads, t.Numbering)
	fmt.Fprintf(h, "machine %d %d %d %d %d %v %d %t\n", c.HZ, c.BaseSlice, c.NBase, c.MigrationCost, c.Aug, c.Preempt, c.ClockStart, c.Balance)
	fmt.Fprintf(h, "times %v %d %d %d\nobjects %q\n", w.TickOffset, w.IRQPerTick, w.IPIDelay, w.Until, w.Objects)
	if draws(w) {
		fmt.Fprintf(h, "seed %d\n", w.Seed)
	}
	var on []string
	for f := range scheduler.NumFeatures {
		if feature := scheduler.Feature(f); c.Features.Has(feature) {
			on = append(on, feature.String())
		}
	}
	slices.Sort(on)
	fmt.Fprintf(h, "features %q\n", on)
}

// draws tells whether a program has random times, so that the seed matters.
func draws(w *scheduler.Workload) bool {
	random := func(op scheduler.Op) bool { return op.Dist != scheduler.DistFixed }
	for i := range w.Tasks {
		if slices.ContainsFunc(w.Tasks[i].Program, random) {
			return true
		}
	}
	return slices.ContainsFunc(w.Edits, func(e scheduler.Edit) bool { return e.Spec != nil && slices.ContainsFunc(e.Spec.Program, random) })
}

// hashTask writes one task with its program and start state.
func hashTask(h io.Writer, t *scheduler.TaskSpec) {
	fmt.Fprintf(h, "task %q %d %d %d %d %d %q %d\n", t.Name, t.Group, t.Nice, t.Policy, t.Slice, t.CPU, t.Allowed.String(), t.Arrive)
	for _, op := range t.Program {
		fmt.Fprintf(h, "%v %d %d %d %d %d %d %d %t %t %d\n", op.Kind, op.Dur, op.Dist, op.Max, op.Object, op.Task, op.Target, op.Count,
			op.Sync, op.Kernel, op.Depth)
	}
	if s := t.Start; s != nil {
		fmt.Fprintf(h, "start %d %d %d %d %t %t %t %t\n", s.Vruntime, s.Deadline, s.Vlag, s.Vprot, s.Asleep, s.Delayed, s.Running, s.RelDeadline)
	}
}
