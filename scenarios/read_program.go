package scenarios

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"zerolag/scheduler"
)

// instr is one instruction of a program as written, names not yet resolved.
type instr struct {
	word   // kind, sync, kernel
	at     position
	dur    stepped        // run, sleep, timer; of a random one its least or mean
	dist   scheduler.Dist // run, sleep
	most   scheduler.Time // dist: the largest, 0 for none
	task   string         // wake, fork
	object string         // lock, unlock, barrier, send, receive
	own    bool           // of each task of the entry its own, with the task's number
	body   []instr        // repeat
	times  int32          // repeat: rounds in all, 0 for ever; barrier: tasks
}

// word is what an instruction is called, and what that means.
type word struct {
	name   string
	kind   scheduler.OpKind
	sync   bool // the waker is about to sleep
	kernel bool // in kernel mode
}

// endless is the length of a run without a time: far beyond maxTime, and far
// enough from overflow that it can be added to any moment.
const endless = scheduler.NoTime / 4

// words are the instructions.
var words = []word{
	{name: "run", kind: scheduler.OpRun},
	{name: "run_kernel", kind: scheduler.OpRun, kernel: true},
	{name: "sleep", kind: scheduler.OpSleep},
	{name: "timer", kind: scheduler.OpTimer},
	{name: "block", kind: scheduler.OpBlock},
	{name: "wake", kind: scheduler.OpWake},
	{name: "wake_sync", kind: scheduler.OpWake, sync: true},
	{name: "yield", kind: scheduler.OpYield},
	{name: "exit", kind: scheduler.OpExit},
	{name: "fork", kind: scheduler.OpFork},
	{name: "lock", kind: scheduler.OpLock},
	{name: "unlock", kind: scheduler.OpUnlock},
	{name: "barrier", kind: scheduler.OpBarrier},
	{name: "send", kind: scheduler.OpSend},
	{name: "send_sync", kind: scheduler.OpSend, sync: true},
	{name: "receive", kind: scheduler.OpReceive},
	{name: "repeat", kind: scheduler.OpLoop},
}

// repeat is the word that closes a program or stands before the part it repeats.
const repeat = "repeat"

func wordNames() []string {
	var names []string
	for _, w := range words {
		names = append(names, w.name)
	}
	return names
}

// wordOf is the word of an instruction of a compiled program.
func wordOf(op *scheduler.Op) string {
	for _, w := range words {
		if w.kind == op.Kind && w.sync == op.Sync && w.kernel == op.Kernel {
			return w.name
		}
	}
	return op.Kind.String()
}

// program reads a whole program: a text with commas, or a list.
func (r *reader) program(n *node) []instr { return r.body(n, 0) }

// body reads a program or the inside of a repeat, at a nesting level.
func (r *reader) body(n *node, depth int) []instr {
	if n.kind != kindScalar && n.kind != kindList {
		r.fail(n.at, "the program is "+n.describe(), "a text such as run 5ms, sleep 1ms, repeat, or a list of instructions")
		return nil
	}
	var steps []*node
	if n.kind == kindScalar {
		steps = r.commas(n)
	} else {
		steps = n.items
	}
	if len(steps) == 0 && !r.faulty() {
		r.fail(n.at, "the program is empty", "at least one instruction")
	}
	var body []instr
	for i, step := range steps {
		if done := len(body); done > 0 && endsNever(body[done-1]) && !r.faulty() {
			r.fail(step.at, "this instruction is never reached", "nothing after a run without a time or an endless repeat")
		}
		if times, whole := r.repeatsAll(step); whole {
			return r.wrap(step, body, times, i == len(steps)-1, depth)
		}
		body = append(body, r.instruction(step, depth))
		if r.instructions++; r.instructions > maxInstructions {
			r.fail(step.at, "the programs have too many instructions", fmt.Sprintf("at most %d", maxInstructions))
			return nil
		}
		r.settle()
	}
	return body
}

// endsNever tells whether an instruction never lets the next one start.
func endsNever(in instr) bool {
	return in.kind == scheduler.OpLoop && in.times == 0 || in.kind == scheduler.OpRun && in.dur.first == endless
}

// commas splits a text into its instructions, each with its own place.
func (r *reader) commas(n *node) []*node {
	var steps []*node
	at := n.at
	for part := range strings.SplitSeq(n.text, ",") {
		word := strings.TrimLeft(part, " \n")
		step := &node{kind: kindScalar, at: at.shift(utf8.RuneCountInString(part[:len(part)-len(word)])), text: strings.TrimRight(word, " \n")}
		if step.text == "" {
			r.fail(step.at, "an instruction is missing", "one of "+strings.Join(wordNames(), ", "))
			return nil
		}
		steps = append(steps, step)
		at = at.shift(utf8.RuneCountInString(part) + 1)
	}
	return steps
}

// repeatsAll recognises the short form, repeat or repeat N, which closes a
// program and repeats all of it.
func (r *reader) repeatsAll(n *node) (times int32, whole bool) {
	if n.kind != kindScalar {
		return 0, false
	}
	word, count, counted := strings.Cut(n.text, " ")
	if word != repeat {
		return 0, false
	}
	if !counted {
		return 0, true
	}
	return r.rounds(&node{kind: kindScalar, at: n.at.shift(len(word) + 1), text: count}), true
}

// rounds reads how often a repeat runs.
func (r *reader) rounds(n *node) int32 { return int32(r.integer(n, "times", 1, math.MaxInt32)) }

// wrap puts the instructions before a closing repeat into its body.
func (r *reader) wrap(n *node, body []instr, times int32, last bool, depth int) []instr {
	switch {
	case !last:
		r.fail(n.at, "repeat stands before other instructions", "it at the end, or repeat: [...] around what it repeats")
	case len(body) == 0:
		r.fail(n.at, "repeat has nothing before it", "the instructions to repeat")
	}
	r.checkDepth(n.at, depth+levels(body))
	return []instr{{word: word{kind: scheduler.OpLoop}, at: n.at, body: body, times: times}}
}

// levels is how deep the repeats of a body nest.
func levels(body []instr) int {
	deepest := 0
	for _, in := range body {
		if in.kind == scheduler.OpLoop {
			deepest = max(deepest, 1+levels(in.body))
		}
	}
	return deepest
}

// checkDepth refuses a repeat inside too many others.
func (r *reader) checkDepth(at position, outer int) {
	if outer >= scheduler.MaxLoopDepth {
		r.fail(at, "repeats are nested too deeply", fmt.Sprintf("at most %d levels", scheduler.MaxLoopDepth))
	}
}

// instruction reads one step in its short or its long form.
func (r *reader) instruction(n *node, depth int) instr {
	name, operand := n.text, &node{at: n.at}
	at := n.at
	switch n.kind {
	case kindScalar:
		w, rest, has := strings.Cut(n.text, " ")
		if name = w; has {
			operand = &node{kind: kindScalar, at: n.at.shift(utf8.RuneCountInString(w) + 1), text: strings.TrimSpace(rest)}
		}
	case kindMap:
		if len(n.fields) == 0 {
			r.fail(n.at, "the instruction is empty", "one of "+strings.Join(wordNames(), ", "))
			return instr{}
		}
		name, at, operand = n.fields[0].key, n.fields[0].at, n.fields[0].value
		if loop := findField(n, repeat); loop != nil {
			return r.loop(n, depth)
		}
		if len(n.fields) > 1 {
			at = n.fields[1].at
			r.fail(at, "a second instruction in one entry", "an entry of its own for each instruction")
		}
	case kindList, kindNull:
		r.fail(n.at, "the instruction is "+n.describe(), "one of "+strings.Join(wordNames(), ", "))
	}
	for _, w := range words {
		if w.name == name && w.kind != scheduler.OpLoop {
			return r.operate(w, at, operand)
		}
	}
	r.unknown(at, "instruction", name, wordNames())
	return instr{}
}

// loop reads repeat: [...] with its times.
func (r *reader) loop(n *node, depth int) instr {
	in := instr{word: word{kind: scheduler.OpLoop}, at: findField(n, repeat).at}
	if r.checkDepth(in.at, depth); r.faulty() {
		return in
	}
	r.object(n, "the repeat", []key{
		{repeat, func(n *node) { in.body = r.body(n, depth+1) }},
		{"times", func(n *node) { in.times = r.rounds(n) }},
	})
	return in
}

func findField(n *node, name string) *field {
	for i := range n.fields {
		if n.fields[i].key == name {
			return &n.fields[i]
		}
	}
	return nil
}
