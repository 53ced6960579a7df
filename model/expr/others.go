package expr

import (
	"math/big"
	"slices"
	"strings"
)

// RunRef names a run of a scenario by its variant and kernel; "" is no variant,
// and the kernel that scenario and variant name.
type RunRef struct{ Variant, Kernel string }

// Others are the runs of a scenario beside the one that an expression is about.
type Others struct {
	Own      RunRef   // the run that the expression is about
	Variants []string // of the scenario
	// Names resolves the names of another run, or says why there is none.
	Names func(RunRef) (*Names, error)
}

// Among are the names with those of other runs, which expressions may then look
// at.
func (n *Names) Among(o Others) *Names {
	more := *n
	more.others = &o
	return &more
}

// baseRun is the word for the run without a variant.
const baseRun = "base"

// otherRun reads an operand of another run: with.nginx.ran, base.nginx.ran,
// kernel["6.12.y"].nginx.ran, variant["n40,old"].V; ok is false if none stands
// next. What is not named stays: the own variant on another kernel.
func (p *parser) otherRun() (n node, ok bool) {
	if p.names.others == nil {
		return node{}, false
	}
	start := p.pos
	ref := p.names.others.Own
	if !p.selector(&ref) {
		p.pos = start
		return node{}, false
	}
	for p.fault == nil && p.pos < len(p.src) {
		at := p.pos
		if p.pos++; p.src[at] != '.' || !p.bracket(&ref) {
			p.pos = at
			break
		}
	}
	if op, at := p.take("."); op == "" {
		p.fail(at, "another run alone has no value", "one of its fields, such as with.nginx.ran")
	}
	return p.inRun(ref, start), true
}

// selector takes the words that choose a run.
func (p *parser) selector(ref *RunRef) bool {
	if p.bracket(ref) {
		return true
	}
	start := p.pos
	text := p.scan(isName)
	for cut := text; cut != ""; cut = shorter(cut) {
		p.pos = start + len(cut)
		_, isTask := p.names.tasks[cut]
		known := cut == baseRun || slices.Contains(p.names.others.Variants, cut)
		if known && !isTask && strings.HasPrefix(p.src[p.pos:], ".") {
			if ref.Variant = cut; cut == baseRun && !slices.Contains(p.names.others.Variants, baseRun) {
				ref.Variant = ""
			}
			return true
		}
	}
	return false
}

// bracket takes kernel["NAME"] or variant["NAME"].
func (p *parser) bracket(ref *RunRef) bool {
	for _, part := range []struct {
		word string
		to   *string
	}{{"kernel[", &ref.Kernel}, {"variant[", &ref.Variant}} {
		rest, found := strings.CutPrefix(p.src[p.pos:], part.word)
		if !found {
			continue
		}
		name, behind, closed := strings.Cut(strings.TrimLeft(rest, `"`), "]")
		if !closed {
			p.fail(p.pos, "this bracket is not closed", part.word+`"NAME"]`)
			return true
		}
		*part.to = strings.TrimRight(name, `"`)
		p.pos = len(p.src) - len(behind)
		return true
	}
	return false
}

// inRun reads an operand with the names of another run.
func (p *parser) inRun(ref RunRef, start int) node {
	if p.fault != nil {
		return node{}
	}
	own := p.names
	names, err := own.others.Names(ref)
	if err != nil {
		msg, want, _ := strings.Cut(err.Error(), ": expected ")
		p.fail(start, msg, want)
		return node{}
	}
	inside := len(p.compares)
	p.names, p.elsewhere = names, true
	n := p.postfix()
	p.known(&n)
	p.names, p.elsewhere, p.compares = own, false, p.compares[:inside]
	if p.fault != nil {
		return node{}
	}
	if n.typ == Entity {
		p.fail(start, "a task of another run", "one of its fields, as tasks of two runs do not compare")
	}
	index := slices.Index(p.runs, ref)
	if index < 0 {
		index = len(p.runs)
		p.runs = append(p.runs, ref)
	}
	return n.of(index)
}

// of is the operand in another run.
func (n node) of(run int) node {
	other := func(c *Context) *Context {
		if run >= len(c.Runs) {
			return &Context{}
		}
		return c.Runs[run]
	}
	code, ratio := n.code, n.exact
	n.code = func(c *Context, at moment) (int64, bool) { return code(other(c), at) }
	if ratio != nil {
		n.exact = func(c *Context, at moment) (*big.Rat, bool) { return ratio(other(c), at) }
	}
	n.name, n.field = "", nil
	return n
}
