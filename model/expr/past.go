package expr

import (
	"math/big"
	"strings"

	"zerolag/scheduler"
)

// Span is a kind of stretch of wall time that percentiles are taken of.
type Span uint8

// The kinds.
const (
	WakeupSpan Span = iota // from a wakeup until the task has a CPU
	JobSpan                // from there until it goes to sleep
)

// Past answers questions about everything that happened up to a moment.
type Past interface {
	// Percentile is the nearest-rank percentile of the spans of some tasks, 0 <
	// percent <= 100; false if there is no span.
	Percentile(of Span, tasks []scheduler.TaskID, percent *big.Rat) (scheduler.Time, bool)
	// Wasted is the CPU time for which CPUs were idle while tasks waited.
	Wasted() scheduler.Time
	// At is the moment after the last event up to a time, not after the present one.
	At(scheduler.Time) *Context
}

// wakeup and job read wakeup(worker, 99%) and job(worker, 99%).
func (p *parser) wakeup(at int) node { return p.percentile(at, WakeupSpan) }
func (p *parser) job(at int) node    { return p.percentile(at, JobSpan) }

func (p *parser) percentile(at int, of Span) node {
	p.needPast(at)
	tasks := p.entry()
	if op, comma := p.take(","); op == "" {
		p.fail(comma, "no percentile", "one after a comma, such as 99%")
		return node{}
	}
	p.space()
	start := p.pos
	n, ok := p.decimal()
	if !ok || !n.percent {
		p.fail(start, "no percentile", "one such as 99% or 99.9%")
		return node{}
	}
	part, _ := n.exact(&Context{}, now)
	percent := new(big.Rat).Mul(part, big.NewRat(100, 1))
	if percent.Sign() <= 0 || percent.Cmp(big.NewRat(100, 1)) > 0 {
		p.fail(start, "a percentile outside 0% to 100%", "more than 0%, at most 100%")
	}
	return node{typ: Number, unit: Time, code: func(c *Context, at moment) (int64, bool) {
		if c.Past == nil || at != now {
			return 0, false
		}
		t, ok := c.Past.Percentile(of, tasks, percent)
		return int64(t), ok
	}}
}

// wasted reads wasted().
func (p *parser) wasted(at int) node {
	p.needPast(at)
	return node{typ: Number, unit: Time, code: func(c *Context, at moment) (int64, bool) {
		if c.Past == nil || at != now {
			return 0, false
		}
		return int64(c.Past.Wasted()), true
	}}
}

// since reads since(500ms, worker.ran): by how much a number has grown.
func (p *parser) since(at int) node {
	p.needPast(at)
	p.space()
	start := p.pos
	if p.pos >= len(p.src) || !isDigit(p.src[p.pos]) {
		p.fail(start, "no time", "a time and a number, such as since(500ms, nginx.ran)")
		return node{}
	}
	from, hasUnit := p.amount()
	if !hasUnit {
		p.fail(start, "a time needs a unit", "ns, us, ms or s")
	}
	if op, comma := p.take(","); op == "" {
		p.fail(comma, "no number", "one after a comma, such as since(500ms, nginx.ran)")
	}
	if p.fault != nil {
		return node{}
	}
	start = p.pos
	n := p.sum()
	if p.known(&n); p.fault != nil {
		return node{}
	}
	if n.typ != Number || n.exact != nil {
		p.fail(start, "the growth of a "+n.kind(), "a number that is whole")
		return node{}
	}
	unit := n.unit
	if unit == Vtime {
		unit = Vlen
	}
	code := n.code
	return node{typ: Number, unit: unit, code: func(c *Context, at moment) (int64, bool) {
		if c.Past == nil || at != now {
			return 0, false
		}
		end, known := code(c, now)
		begin, was := code(c.Past.At(scheduler.Time(from)), now)
		return end - begin, known && was
	}}
}

// total reads sum(worker.ran): a field of all tasks of an entry together.
func (p *parser) total(at int) node {
	tasks := p.entry()
	if p.fault == nil && !strings.HasPrefix(p.src[p.pos:], ".") {
		p.fail(p.pos, "no field to add up", "one of all these tasks, such as sum(worker.ran)")
	}
	if p.fault != nil {
		return node{}
	}
	f := p.fieldName(OfEntity, OfTask)
	if f == nil {
		return node{}
	}
	if f.Type != Number || f.Unit == Vtime {
		p.fail(at, "a sum of "+f.Name, "a field that is a count or a length of time")
		return node{}
	}
	return node{typ: Number, unit: f.Unit, code: func(c *Context, at moment) (int64, bool) {
		frame := c.frame(at)
		if frame == nil {
			return 0, false
		}
		var total int64
		for _, t := range tasks {
			n, ok := f.get(c, at, int(entityID(frame, t)))
			if !ok {
				return 0, false
			}
			total += n
		}
		return total, true
	}}
}

// entry reads the name of a task, or of an entry with a count: worker for worker1,
// worker2 and so on.
func (p *parser) entry() []scheduler.TaskID {
	p.space()
	start := p.pos
	text := p.scan(isName)
	for cut := text; cut != ""; cut = shorter(cut) {
		if tasks := p.names.Entry(cut); tasks != nil {
			p.pos = start + len(cut)
			return tasks
		}
	}
	p.fail(start, strings.TrimSpace("unknown task "+text), didYouMean(text, p.names.taskList))
	return nil
}

// Entry are the tasks of an entry of the scenario's list, nil if there is none.
func (n *Names) Entry(name string) []scheduler.TaskID {
	if id, ok := n.tasks[name]; ok {
		return []scheduler.TaskID{id}
	}
	var tasks []scheduler.TaskID
	for _, task := range n.taskList {
		if number, cut := strings.CutPrefix(task, name); cut && number != "" && strings.Trim(number, "0123456789") == "" {
			tasks = append(tasks, n.tasks[task])
		}
	}
	return tasks
}

// needPast refuses a function about the past where only states are looked at.
func (p *parser) needPast(at int) {
	if p.past = true; p.names.others == nil && !p.elsewhere {
		p.fail(at, "the past is no condition", "it in an expectation at the end, or at a time")
	}
}
