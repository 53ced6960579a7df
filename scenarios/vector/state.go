package vector

import (
	"fmt"
	"strings"

	"zerolag/scheduler"
)

// compare checks an expected state against the machine's.
func (p *replayer) compare(line int, want string) {
	p.m.Frame(&p.frame)
	objects := strings.Split(strings.TrimSuffix(want, "|"), "|")
	got := p.state()
	p.res.States++
	for i, w := range objects {
		g := ""
		if i < len(got) {
			g = got[i]
		}
		p.res.Integers += strings.Count(w, " ")
		if w != g {
			p.res.Diff = p.difference(line, w, g)
			return
		}
	}
	if len(got) > len(objects) {
		p.res.Diff = p.difference(line, "", got[len(objects)])
	}
}

// difference names the first field in which two objects differ.
func (p *replayer) difference(line int, want, got string) *Diff {
	d := &Diff{Line: line, Op: p.lastOp, StateWas: want, StateIs: got, Object: "(none)", Field: "(object)", Want: "(none)", Got: "(none)"}
	ws, gs := strings.Fields(want), strings.Fields(got)
	if len(ws) > 0 {
		d.Object = ws[0]
	} else if len(gs) > 0 {
		d.Object = gs[0]
	}
	if len(ws) > 0 && len(gs) > 0 && ws[0] != gs[0] {
		d.Want, d.Got = ws[0], gs[0]
		return d
	}
	for i := 1; i < max(len(ws), len(gs)); i++ {
		var w, g string
		if i < len(ws) {
			w = ws[i]
		}
		if i < len(gs) {
			g = gs[i]
		}
		if w == g {
			continue
		}
		d.Field, d.Want, _ = strings.Cut(w, "=")
		name, value, _ := strings.Cut(g, "=")
		d.Got = value
		if d.Field == "" {
			d.Field, d.Want = name, "(none)"
		}
		return d
	}
	return d
}

// state is the machine's state as the objects of a state line.
func (p *replayer) state() []string {
	f := &p.frame
	var out []string
	for cpu := range f.CPUs {
		c := &f.CPUs[cpu]
		text := fmt.Sprintf("cpu%d cur=%d nr=%d rs=%d", cpu, c.Curr, c.Nr, bit(c.Resched))
		if p.head.profile.HasVprot {
			text += fmt.Sprintf(" lz=%d", bit(c.Lazy))
		}
		out = append(out, text, p.queueState(&f.Queues[cpu]))
	}
	for g := 1; g < len(f.Groups); g++ {
		for cpu := range f.CPUs {
			q := &f.Queues[g*len(f.CPUs)+cpu]
			e := &f.Entities[q.Owner]
			out = append(out, p.queueState(q), fmt.Sprintf("g%d", g*10+cpu)+p.entityState(e))
		}
	}
	for t, id := range f.TaskEntity {
		out = append(out, fmt.Sprintf("t%d", t)+p.entityState(&f.Entities[id]))
	}
	return out
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *replayer) queueState(q *scheduler.QueueFrame) string {
	name := fmt.Sprintf("q%d.%d", q.Group, q.CPU)
	next := bit(q.Next != scheduler.NoEntity)
	if p.head.profile.HasVprot {
		return fmt.Sprintf("%s nr=%d hq=%d hr=%d hi=%d w=%d av=%d al=%d sh=%d z=%d mn=%d mx=%d la=%d ls=%d ra=%d ua=%d nx=%d",
			name, q.Nr, q.HQueued, q.HRunnable, q.HIdle, q.Load, q.Sum, q.SumWeight, q.SumShift, uint64(q.Zero),
			q.MinSlice, q.MaxSlice, q.LoadAvg, q.LoadSum, q.RunnableAvg, q.UtilAvg, next)
	}
	return fmt.Sprintf("%s nr=%d hq=%d hr=%d hd=%d in=%d ihn=%d w=%d av=%d al=%d z=%d la=%d ls=%d ra=%d ua=%d nx=%d",
		name, q.Nr, q.HQueued, q.HRunnable, q.HDelayed, q.NrIdle, q.HIdle, q.Load, q.Sum, q.SumWeight, uint64(q.Zero),
		q.LoadAvg, q.LoadSum, q.RunnableAvg, q.UtilAvg, next)
}

func (p *replayer) entityState(e *scheduler.EntityFrame) string {
	vprot := ""
	if p.head.profile.HasVprot {
		vprot = fmt.Sprintf(" vp=%d", uint64(e.Vprot))
	}
	return fmt.Sprintf(" w=%d v=%d d=%d lag=%d%s sl=%d on=%d del=%d rel=%d cs=%d ex=%d sum=%d la=%d ls=%d ra=%d ua=%d",
		e.Weight, uint64(e.Vruntime), uint64(e.Deadline), e.Vlag, vprot, e.Slice, bit(e.OnRQ), bit(e.Delayed), bit(e.RelDeadline),
		bit(e.CustomSlice), e.ExecStart, e.SumExec, e.LoadAvg, e.LoadSum, e.RunnableAvg, e.UtilAvg)
}
