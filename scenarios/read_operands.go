package scenarios

import (
	"math"
	"strings"
	"unicode/utf8"

	"zerolag/scheduler"
)

// operate reads the operand that an instruction takes.
func (r *reader) operate(w word, at position, operand *node) instr {
	in := instr{word: w, at: at}
	switch w.kind {
	case scheduler.OpRun:
		in.dur.first = endless
		if operand.kind != kindNull {
			r.span(operand, &in)
		} else if w.kernel {
			r.fail(at, w.name+" has no time", wantTime)
		}
	case scheduler.OpSleep:
		r.span(operand, &in)
	case scheduler.OpTimer:
		in.dur = r.stepped(operand, w.name, 1)
	case scheduler.OpWake, scheduler.OpFork:
		in.task, in.at = r.line(operand, w.name), operand.at
	case scheduler.OpLock, scheduler.OpUnlock, scheduler.OpSend, scheduler.OpReceive:
		name := *operand
		name.text, in.own = strings.CutSuffix(operand.text, ownObject)
		in.object, in.at = r.newName(&name, w.name, "-"), operand.at
	case scheduler.OpBarrier:
		r.barrier(operand, &in)
	case scheduler.OpBlock, scheduler.OpYield, scheduler.OpExit, scheduler.OpLoop:
		if operand.kind != kindNull {
			r.fail(operand.at, w.name+" is followed by "+operand.describe(), "nothing after it")
		}
	}
	return in
}

// ownObject stands behind the name of an object that each task of an entry has for
// itself: ping[i] is ping1 for the first.
const ownObject = "[i]"

// barrier reads the name of a barrier and how many tasks it holds until it opens.
func (r *reader) barrier(n *node, in *instr) {
	name, number := r.split(n)
	in.at = n.at
	if number.text == "" {
		r.fail(n.at, "barrier is "+n.describe(), "a name and the number of tasks that meet there, as in barrier gate 3")
		return
	}
	in.object = r.newName(name, "barrier", "-")
	in.times = int32(r.integer(number, "barrier", 2, maxTasks))
}

// split divides a text at its first space; each part keeps its place.
func (r *reader) split(n *node) (first, rest *node) {
	head, tail, _ := strings.Cut(n.text, " ")
	trimmed := strings.TrimLeft(tail, " ")
	skipped := utf8.RuneCountInString(n.text[:len(n.text)-len(trimmed)])
	return &node{kind: n.kind, at: n.at, text: head}, &node{kind: kindScalar, at: n.at.shift(skipped), text: trimmed}
}

// The words for distributions, and for the limit of one.
const (
	uniform     = "uniform"
	exponential = "exponential"
	atMost      = "max"
)

// span reads how long a run or sleep is: a time, or a distribution with its times.
func (r *reader) span(n *node, in *instr) {
	word, rest := r.split(n)
	switch {
	case n.kind == kindScalar && word.text == uniform:
		low, high := r.split(rest)
		if high.text == "" {
			r.fail(n.at, "uniform has no two times", "the shortest and the longest, as in uniform 1ms 3ms")
			return
		}
		in.dist, in.dur.first = scheduler.DistUniform, r.length(low, uniform)
		in.most = r.time(high, uniform, in.dur.first, maxTime)
	case n.kind == kindScalar && word.text == exponential:
		mean, limit := r.split(rest)
		in.dist, in.dur.first = scheduler.DistExponential, r.length(mean, exponential)
		if limit.text == "" {
			return
		}
		key, high := r.split(limit)
		if key.text != atMost {
			r.fail(limit.at, quote(limit.text)+" after the mean", "max and a time, as in exponential 2ms max 10ms")
			return
		}
		in.most = r.length(high, atMost)
	default:
		in.dur = r.stepped(n, in.name, 1)
	}
}

// seed reads where the draws of random times begin.
func (r *reader) seed(n *node) uint64 { return uint64(r.integer(n, "seed", 0, math.MaxInt64)) }
