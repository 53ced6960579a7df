package expr

import (
	"math/big"
	"slices"
	"strings"
)

// maxDepth is how deep parentheses and signs may nest.
const maxDepth = 100

// parser reads one expression by recursive descent:
//
//	all     = or [ "while" or ]
//	or      = and { "||" and }
//	and     = compare { "&&" compare }
//	compare = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum | "within" sum "of" sum ]
//	sum     = product { ("+" | "-") product }
//	product = unary { ("*" | "/") unary }
//	unary   = ("!" | "-") unary | operand { "@prev" | "." field }
//
// The first fault stops it: every method returns at once while fault is set.
type parser struct {
	src       string
	pos       int
	depth     int
	names     *Names
	compares  []comparison
	runs      []RunRef // the other runs that it looks at
	past      bool     // it asks about everything up to its moment
	elsewhere bool     // inside an operand of another run
	fault     *Fault
}

func parse(src string, from int, names *Names, whenever bool) (*Expr, error) {
	p := &parser{src: src, pos: from, names: names}
	root := p.or()
	if p.keyword("while") {
		root = p.while(root, p.or(), whenever)
	}
	p.known(&root)
	p.space()
	if p.fault == nil && p.pos < len(src) {
		p.fail(p.pos, "unexpected "+p.rest(), "an operator or the end")
	}
	if p.fault != nil {
		return nil, p.fault
	}
	return &Expr{src: strings.TrimSpace(src[from:]), root: root, compares: p.compares, prev: root.prev, runs: p.runs, past: p.past}, nil
}

// fail notes the first fault, at a byte of the source.
func (p *parser) fail(at int, msg, want string) {
	if p.fault == nil {
		p.fault = &Fault{at + 1, msg, want}
	}
}

// rest is what stands at the position, cut short, for messages.
func (p *parser) rest() string {
	if p.pos >= len(p.src) {
		return "end"
	}
	text := []rune(p.src[p.pos:])
	if len(text) > 10 {
		text = append(text[:10:10], '.', '.', '.')
	}
	return `"` + string(text) + `"`
}

func (p *parser) space() {
	for p.pos < len(p.src) && (p.src[p.pos] == ' ' || p.src[p.pos] == '\t' || p.src[p.pos] == '\n') {
		p.pos++
	}
}

// take skips one of the operators if it stands next, after space, and gives it
// with its place.
func (p *parser) take(ops ...string) (op string, at int) {
	p.space()
	for _, op := range ops {
		if p.fault == nil && strings.HasPrefix(p.src[p.pos:], op) {
			p.pos += len(op)
			return op, p.pos - len(op)
		}
	}
	return "", p.pos
}

func (p *parser) or() node {
	left := p.and()
	for {
		op, at := p.take("||")
		if op == "" {
			return left
		}
		left = p.logic(left, p.and(), op, at)
	}
}

// while joins a condition with the one that says when it matters.
func (p *parser) while(a, b node, whenever bool) node {
	at := b.start
	if !whenever {
		return p.logic(a, b, "&&", at)
	}
	p.known(&b)
	if p.fault == nil && b.typ != Bool {
		p.fail(at, "while with a "+b.kind(), "a condition")
	}
	holds := b.code
	b.code = func(c *Context, at moment) (int64, bool) {
		n, ok := holds(c, at)
		return truth(!ok || n == 0), true
	}
	return p.logic(a, b, "||", at)
}

func (p *parser) and() node {
	left := p.compare()
	for {
		op, at := p.take("&&")
		if op == "" {
			return left
		}
		left = p.logic(left, p.compare(), op, at)
	}
}

func (p *parser) logic(a, b node, op string, at int) node {
	p.known(&a)
	p.known(&b)
	if p.fault != nil {
		return a
	}
	if a.typ != Bool || b.typ != Bool {
		p.fail(at, op+" between "+a.kind()+" and "+b.kind(), "conditions on both sides")
		return a
	}
	stop := truth(op == "||") // the value that decides without the right side
	run := func(c *Context, at moment) (int64, bool) {
		n, ok := a.code(c, at)
		if truth(ok && n != 0) == stop {
			return stop, true
		}
		n, ok = b.code(c, at)
		return truth(ok && n != 0), true
	}
	return node{typ: Bool, prev: a.prev || b.prev, start: a.start, end: b.end, code: run}
}

func (p *parser) compare() node {
	ops := []string{"==", "!=", "<=", ">=", "<", ">"}
	left := p.sum()
	if p.keyword("within") {
		return p.within(left)
	}
	op, at := p.take(ops...)
	if op == "" {
		p.wrongOperator()
		return left
	}
	right := p.sum()
	p.settle(&left, &right)
	p.settle(&right, &left)
	p.checkCompare(&left, &right, op, at)
	if p.fault != nil {
		return left
	}
	if next, at := p.take(ops...); next != "" {
		p.fail(at, "comparisons do not chain", "&& between two comparisons")
	}
	p.wrongOperator()
	n := node{typ: Bool, prev: left.prev || right.prev, start: left.start, end: right.end, code: compareCode(&left, &right, op)}
	p.compares = append(p.compares, comparison{p.src[n.start:n.end], left, right, n.code})
	return n
}

// wrongOperator names the usual slips.
func (p *parser) wrongOperator() {
	for _, slip := range []struct{ wrote, want string }{{"=", "=="}, {"&", "&&"}, {"|", "||"}} {
		rest := p.src[p.pos:]
		if strings.HasPrefix(rest, slip.wrote) && !strings.HasPrefix(rest, slip.want) {
			p.fail(p.pos, `"`+slip.wrote+`" is no operator`, slip.want)
		}
	}
}

// settle reads a as one of the words that b may be, if b is a word.
func (p *parser) settle(a, b *node) {
	if b.code == nil || b.typ != Word || a.name == "" || a.typ == Word && a.code != nil {
		p.known(a)
		return
	}
	n, ok := b.words.find(a.name)
	if !ok {
		p.fail(a.start, "unknown "+b.words.name+" "+a.name, didYouMean(a.name, b.words.list()))
		return
	}
	a.typ, a.words, a.code = Word, b.words, constant(n)
}

// known fails for a word that means nothing.
func (p *parser) known(n *node) {
	if p.fault != nil || n.code != nil {
		return
	}
	if n.name == nobody {
		n.typ, n.code = Entity, constant(-1)
		return
	}
	candidates := slices.Concat(p.names.taskList, fieldNames(OfRun, OfCPU, OfQueue))
	p.fail(n.start, "unknown name "+n.name, didYouMean(n.name, candidates))
}

func (p *parser) checkCompare(a, b *node, op string, at int) {
	if p.fault != nil {
		return
	}
	switch {
	case a.typ != b.typ, a.typ == Number && !fits(a, b):
		p.fail(at, op+" between "+a.kind()+" and "+b.kind(), "the same kind on both sides")
	case a.typ == Word && a.words != b.words:
		p.fail(at, op+" between "+a.words.name+" and "+b.words.name, "the same kind on both sides")
	case a.typ != Number && op != "==" && op != "!=":
		p.fail(at, op+" has no meaning for "+a.kind(), "== or !=")
	}
}

func (p *parser) sum() node {
	left := p.product()
	for {
		op, at := p.take("+", "-")
		if op == "" {
			return left
		}
		right := p.product()
		if !p.numbers(&left, &right, op, at) {
			return left
		}
		if !fits(&left, &right) {
			p.fail(at, op+" between "+left.kind()+" and "+right.kind(), "the same kind on both sides")
			return left
		}
		left = join(&left, &right, op[0], sumUnit(&left, &right, op[0]))
	}
}

func (p *parser) product() node {
	left := p.unary()
	for {
		op, at := p.take("*", "/")
		if op == "" {
			return left
		}
		right := p.unary()
		if !p.numbers(&left, &right, op, at) {
			return left
		}
		unit := left.unit
		switch {
		case op == "*" && left.unit.isTime() && right.unit.isTime():
			p.fail(at, "a time times a time", "a count on one side")
		case op == "*" && right.unit.isTime():
			unit = right.unit
		case op == "/" && left.unit.isTime() && right.unit.isTime():
			unit = Plain
		case op == "/" && right.unit.isTime():
			p.fail(at, "a "+left.kind()+" divided by a time", "a time on the left")
		}
		left = join(&left, &right, op[0], unit)
	}
}

// numbers checks that both operands of an arithmetic operator are numbers.
func (p *parser) numbers(a, b *node, op string, at int) bool {
	p.known(a)
	p.known(b)
	if p.fault == nil && (a.typ != Number || b.typ != Number) {
		p.fail(at, op+" between "+a.kind()+" and "+b.kind(), "numbers on both sides")
	}
	return p.fault == nil
}

func join(a, b *node, op byte, unit Unit) node {
	n := node{typ: Number, code: arithmetic(a.code, b.code, op)}
	if a.exact != nil || b.exact != nil {
		n = ratioNode(unit, false, exactly(a.ratio(), b.ratio(), op))
	}
	n.unit, n.bare, n.prev = unit, a.bare && b.bare, a.prev || b.prev
	n.start, n.end = a.start, b.end
	return n
}

func (p *parser) unary() node {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail(p.pos, "nested too deeply", "")
	}
	op, at := p.take("-", "!")
	if op == "" {
		return p.postfix()
	}
	n := p.unary()
	p.known(&n)
	if p.fault != nil {
		return n
	}
	want := map[string]Type{"-": Number, "!": Bool}[op]
	if n.typ != want {
		p.fail(at, op+" before "+n.kind(), "a "+want.String())
		return n
	}
	if n.exact != nil {
		nothing := node{code: constant(0)}
		negative := ratioNode(n.unit, n.bare, exactly(nothing.ratio(), n.exact, '-'))
		negative.prev, negative.start, negative.end = n.prev, at, n.end
		return negative
	}
	inner := n.code
	n.start, n.name, n.field = at, "", nil
	n.code = func(c *Context, at moment) (int64, bool) {
		v, ok := inner(c, at)
		if op == "-" {
			return -v, ok
		}
		return truth(!ok || v == 0), true
	}
	return n
}

func (p *parser) postfix() node {
	inside := len(p.compares)
	n := p.operand()
	for p.fault == nil && p.pos < len(p.src) {
		switch p.src[p.pos] {
		case '@':
			n = p.atPrev(n)
			p.compares = p.compares[:inside] // those of another moment explain nothing
		case '.':
			n = p.entityField(n)
		default:
			return n
		}
	}
	return n
}

// atPrev reads "@prev": the operand after the previous event.
func (p *parser) atPrev(n node) node {
	at := p.pos
	p.known(&n)
	if op, _ := p.take("@prev"); op == "" || p.pos < len(p.src) && isName(p.src[p.pos]) {
		p.fail(at, "unknown moment", "@prev, the state after the previous event")
	}
	if n.prev {
		p.fail(at, "@prev inside @prev", "one @prev: only the previous event is at hand")
	}
	if p.fault != nil {
		return n
	}
	inner := n.code
	if ratio := n.exact; ratio != nil {
		n.exact = func(c *Context, _ moment) (*big.Rat, bool) {
			if c.Prev == nil {
				return nil, false
			}
			return ratio(c, before)
		}
	}
	n.prev, n.name, n.end = true, "", p.pos
	n.code = func(c *Context, _ moment) (int64, bool) {
		if c.Prev == nil {
			return 0, false
		}
		return inner(c, before)
	}
	return n
}
