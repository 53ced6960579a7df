package views

import (
	"fmt"
	"strconv"

	"zerolag/scheduler"
)

// fields collects the rows of an inspector.
type fields struct {
	rows []Row
}

// Inspector columns: field, readable value with its unit, raw integer.
func (f *fields) table() Table {
	return Table{Columns: []Column{{Head: "field"}, {Head: "value", Right: true}, {Head: "unit"}, {Head: "raw", Right: true}}, Rows: f.rows}
}

func (f *fields) add(name, value, unit, raw string) {
	f.rows = append(f.rows, Row{Cells: []string{name, value, unit, raw}})
}

func (f *fields) vtime(name string, v scheduler.Vtime) {
	f.add(name, VtimeMs(v, FullDecimals), "ms virt", strconv.FormatUint(uint64(v), 10))
}

func (f *fields) length(name string, ns int64) {
	f.add(name, SignedMs(ns, FullDecimals), "ms virt", strconv.FormatInt(ns, 10))
}

func (f *fields) time(name string, ns int64) {
	f.add(name, Ms(ns, FullDecimals), "ms", strconv.FormatInt(ns, 10))
}

func (f *fields) count(name string, n int64) {
	raw := strconv.FormatInt(n, 10)
	f.add(name, raw, "", raw)
}

func (f *fields) load(name string, n uint64) {
	raw := strconv.FormatUint(n, 10)
	f.add(name, raw, "load", raw)
}

func (f *fields) weight(name string, w uint64) {
	f.add(name, fixed(int64(min(w*1000/scheduler.NiceZeroLoad, 1<<62)), 3), "nice 0", strconv.FormatUint(w, 10))
}

func (f *fields) flag(name string, on bool) {
	value, raw := "no", "0"
	if on {
		value, raw = "yes", "1"
	}
	f.add(name, value, "", raw)
}

func (f *fields) text(name, value string) { f.add(name, value, "", "") }

// EntityTable shows every field of an entity.
func EntityTable(f *scheduler.Frame, id scheduler.EntityID) Table {
	var out fields
	e := f.Entity(id)
	if e == nil {
		out.text("entity", "none")
		return out.table()
	}
	out.text("name", e.Name)
	if e.Task != scheduler.NoTask {
		out.text("state", string(e.State.Letter()))
		out.text("policy", e.Policy.String())
		out.count("nice", int64(e.Nice))
	}
	out.vtime("vruntime", e.Vruntime)
	if e.RelDeadline {
		out.length("deadline", int64(e.Deadline))
	} else {
		out.vtime("deadline", e.Deadline)
	}
	out.length("vlag", e.Vlag)
	out.vtime("vprot", e.Vprot)
	out.time("slice", int64(e.Slice))
	out.weight("weight", e.Weight)
	out.length("lag", e.Lag)
	out.flag("eligible", e.Eligible)
	out.flag("protected", e.Protected)
	if e.Protected {
		out.vtime("protected to", e.ProtectedTo)
	}
	out.flag("curr", e.Curr)
	out.flag("on_rq", e.OnRQ)
	out.flag("sched_delayed", e.Delayed)
	out.flag("rel_deadline", e.RelDeadline)
	out.flag("custom_slice", e.CustomSlice)
	out.flag("next buddy", e.Next)
	out.count("depth", int64(e.Depth))
	out.time("exec_start", int64(e.ExecStart))
	out.time("sum_exec", int64(e.SumExec))
	out.time("prev_sum_exec", int64(e.PrevSumExec))
	out.load("load_avg", e.LoadAvg)
	out.load("runnable_avg", e.RunnableAvg)
	out.load("util_avg", e.UtilAvg)
	if e.Task != scheduler.NoTask {
		out.stats(f, e)
	}
	return out.table()
}

func (f *fields) stats(frame *scheduler.Frame, e *scheduler.EntityFrame) {
	s := &e.Stats
	f.count("switched in", int64(s.SwitchedIn))
	f.count("voluntary", int64(s.Voluntary))
	f.count("preempted", int64(s.Preempted))
	f.count("wakeups", int64(s.Wakeups))
	if s.Waiting {
		f.time("waiting", int64(frame.Now-s.WaitSince))
	}
	f.count("waits", int64(s.Waits))
	f.time("wait total", int64(s.WaitTotal))
	f.time("wait max", int64(s.WaitMax))
}

// QueueTable shows every field of a queue, with the profile's own names.
func QueueTable(f *scheduler.Frame, id scheduler.QueueID, p *scheduler.Profile) Table {
	var out fields
	q := f.Queue(id)
	if q == nil {
		out.text("queue", "none")
		return out.table()
	}
	zero, nr := "zero", "nr"
	if p != nil {
		zero, nr = p.ZeroName, p.NrName
	}
	out.text("queue", fmt.Sprintf("cpu%d %s", q.CPU, groupName(f, q.Group)))
	out.text("curr", entityName(f, q.Curr))
	out.text("next", entityName(f, q.Next))
	out.vtime("V", q.V)
	out.vtime(zero, q.Zero)
	out.count(nr, int64(q.Nr))
	out.count("h_nr_queued", int64(q.HQueued))
	out.count("h_nr_runnable", int64(q.HRunnable))
	out.count("h_nr_idle", int64(q.HIdle))
	out.weight("load", q.Load)
	out.count("sum_w_vruntime", q.Sum)
	out.load("sum_weight", q.SumWeight)
	out.flag("overflow", q.Overflow)
	if populated(q) {
		out.time("min_slice", int64(q.MinSlice))
		out.time("max_slice", int64(q.MaxSlice))
	}
	out.load("load_avg", q.LoadAvg)
	out.load("runnable_avg", q.RunnableAvg)
	out.load("util_avg", q.UtilAvg)
	out.load("tg_load_avg_contrib", q.TgContrib)
	out.quota(f, q)
	return out.table()
}

// CPUTable shows every field of a CPU.
func CPUTable(f *scheduler.Frame, cpu int) Table {
	var out fields
	if cpu < 0 || cpu >= len(f.CPUs) {
		out.text("cpu", "none")
		return out.table()
	}
	c := &f.CPUs[cpu]
	out.text("curr", taskName(f, c.Curr))
	out.flag("higher class", c.Higher)
	out.count("nr_running", int64(c.Nr))
	out.flag("need_resched", c.Resched)
	out.flag("need_resched_lazy", c.Lazy)
	out.time("clock", int64(c.Clock))
	out.time("clock_task", int64(c.ClockTask))
	if c.HrtickAt == scheduler.NoTime {
		out.text("hrtick", "not armed")
	} else {
		out.time("hrtick", int64(c.HrtickAt))
	}
	out.text("last pick", taskName(f, c.LastPick))
	return out.table()
}
