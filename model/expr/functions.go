package expr

import (
	"math/big"
	"strings"

	"zerolag/scheduler"
)

// function reads a word that is followed by a parenthesis; ok is false if it is
// none.
func (p *parser) function() (n node, ok bool) {
	start := p.pos
	word := p.scan(isLetter)
	read := map[string]func(at int) node{
		"idle": p.idle, "share": p.share, "sum": p.total, "since": p.since, "wakeup": p.wakeup, "job": p.job, "wasted": p.wasted,
	}[word]
	if read == nil || !strings.HasPrefix(p.src[p.pos:], "(") {
		p.pos = start
		return node{}, false
	}
	p.pos++
	n = read(p.pos)
	if op, _ := p.take(")"); op == "" {
		p.fail(start, word+" is not closed", ")")
	}
	return n, true
}

// idle reads the CPU of idle(cpu0): whether it runs no task.
func (p *parser) idle(at int) node {
	p.space()
	cpu, found := p.names.cpu(p.scan(isFieldByte))
	if !found {
		p.fail(at, "idle of something that is no CPU of this machine", "idle(cpu0)")
		return node{}
	}
	curr := lookup("curr", OfCPU).get
	return node{typ: Bool, code: func(c *Context, at moment) (int64, bool) {
		id, ok := curr(c, at, cpu)
		return truth(id == int64(scheduler.NoEntity)), ok
	}}
}

// share reads the task or group of share(nginx): its part of the CPU time that
// all tasks have had.
func (p *parser) share(at int) node {
	p.space()
	if strings.HasPrefix(p.src[p.pos:], "/") {
		path := p.scan(func(b byte) bool { return isName(b) || b == '/' })
		group, found := p.names.groups[path]
		if !found {
			p.fail(at, "unknown group "+path, didYouMean(path, p.names.paths))
		}
		return shareNode(func(*Context, *scheduler.Frame, moment) (member, bool) {
			return func(f *scheduler.Frame, e *scheduler.EntityFrame) bool { return inGroup(f, e.Group, group) }, true
		})
	}
	n := p.postfix()
	p.known(&n)
	if p.fault == nil && n.typ != Entity {
		p.fail(at, "share of a "+n.kind(), "a task or the path of a group")
	}
	return shareNode(func(c *Context, f *scheduler.Frame, at moment) (member, bool) {
		id, ok := n.code(c, at)
		own := f.Entity(scheduler.EntityID(id))
		return func(_ *scheduler.Frame, e *scheduler.EntityFrame) bool { return e.ID == own.ID }, ok && own != nil
	})
}

// member tells whether a task is one of those whose share is asked for.
type member func(f *scheduler.Frame, e *scheduler.EntityFrame) bool

// shareNode is the part of all CPU time that some tasks have had; without any CPU
// time there is no share.
func shareNode(of func(c *Context, f *scheduler.Frame, at moment) (member, bool)) node {
	return ratioNode(Plain, true, func(c *Context, at moment) (*big.Rat, bool) {
		f := c.frame(at)
		if f == nil {
			return nil, false
		}
		counts, ok := of(c, f, at)
		if !ok {
			return nil, false
		}
		var part, whole int64
		for _, id := range f.TaskEntity {
			e := f.Entity(id)
			ran := int64(e.Ran)
			if whole += ran; counts(f, e) {
				part += ran
			}
		}
		if whole == 0 {
			return nil, false
		}
		return big.NewRat(part, whole), true
	})
}

// inGroup tells whether a group is another or lies below it.
func inGroup(f *scheduler.Frame, group, above scheduler.GroupID) bool {
	for ; group >= 0 && int(group) < len(f.Groups); group = f.Groups[group].Parent {
		if group == above || group == scheduler.RootGroup {
			break
		}
	}
	return group == above
}
