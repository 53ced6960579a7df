package expr

import (
	"strings"

	"zerolag/scheduler"
)

// nobody is the word for the entity that is none.
const nobody = "idle"

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' }

// isName tells the bytes of names. Those beyond ASCII belong to names.
func isName(b byte) bool { return isLetter(b) || isDigit(b) || b == '-' || b >= 0x80 }

// Quoted is the name of a task or the path of a group as an expression has it: in
// quotes if it is made of more than the characters of names.
func Quoted(name string) string {
	for i := range len(name) {
		b, path := name[i], name[0] == '/'
		if !isName(b) && (b != '/' || !path) || i == 0 && !isLetter(b) && b < 0x80 && !path {
			quote := `"`
			if strings.Contains(name, quote) {
				quote = "`"
			}
			return quote + name + quote
		}
	}
	return name
}

// scan takes the bytes that accept likes.
func (p *parser) scan(accept func(byte) bool) string {
	from := p.pos
	for p.pos < len(p.src) && accept(p.src[p.pos]) {
		p.pos++
	}
	return p.src[from:p.pos]
}

func (p *parser) operand() node {
	p.space()
	start := p.pos
	if p.fault != nil || p.pos >= len(p.src) {
		p.fail(p.pos, "the expression ends here", "a number, a field or a name")
		return node{start: start, end: start}
	}
	var n node
	switch b := p.src[p.pos]; {
	case b == '(':
		n = p.parens()
	case isDigit(b):
		n = p.number()
	case b == '"' || b == '`':
		n = p.quoted()
	case b == '/':
		n = p.path(0)
	case isLetter(b) || b >= 0x80:
		n = p.word()
	default:
		p.fail(start, "unexpected "+p.rest(), "a number, a field or a name")
	}
	n.start, n.end = start, p.pos
	return n
}

func (p *parser) parens() node {
	open := p.pos
	p.pos++
	n := p.or()
	p.known(&n)
	if op, _ := p.take(")"); op == "" {
		p.fail(open, "this parenthesis is not closed", ")")
	}
	n.name = ""
	return n
}

func (p *parser) number() node {
	if n, ok := p.decimal(); ok {
		return n
	}
	n, hasUnit := p.amount()
	if !hasUnit {
		return node{typ: Number, bare: true, code: constant(n)}
	}
	return node{typ: Number, unit: Time, code: constant(n)}
}

// timeUnits are the units of time, longer spellings of the same letters first.
var timeUnits = []struct {
	text   string
	digits int // decimals of one unit that are whole ns
}{{"ns", 0}, {"us", 3}, {"\u00b5s", 3}, {"\u03bcs", 3}, {"ms", 6}, {"s", 9}}

// amount reads a number; one with a unit of time is in ns, exact.
func (p *parser) amount() (n int64, hasUnit bool) {
	start := p.pos
	whole := p.scan(isDigit)
	decimals := ""
	if strings.HasPrefix(p.src[p.pos:], ".") {
		p.pos++
		if decimals = p.scan(isDigit); decimals == "" {
			p.fail(p.pos, "no digit after the point", "a number such as 3.1ms")
			return 0, false
		}
	}
	unitAt := p.pos
	text := p.scan(func(b byte) bool { return isName(b) && b != '-' })
	if text == "" {
		if decimals != "" {
			p.fail(start, "a number without a unit is whole", "a unit: ns, us, ms or s")
		}
		return p.digits(start, whole), false
	}
	for _, u := range timeUnits {
		if u.text != text {
			continue
		}
		if len(strings.TrimRight(decimals, "0")) > u.digits {
			p.fail(start, "finer than 1 ns", "a whole number of ns")
			return 0, true
		}
		decimals = (decimals + "000000000")[:u.digits]
		return p.digits(start, whole+decimals), true
	}
	p.fail(unitAt, "unknown unit "+text, "ns, us, ms or s")
	return 0, false
}

func (p *parser) digits(at int, text string) int64 {
	n := int64(0)
	for _, d := range []byte(text) {
		digit := int64(d - '0')
		if n > (1<<63-1-digit)/10 {
			p.fail(at, "the number is too large", "at most 9223372036854775807")
			return 0
		}
		n = n*10 + digit
	}
	return n
}

// quoted reads the name of a task, or the path of a group, in quotes.
func (p *parser) quoted() node {
	start := p.pos
	name, rest, closed := strings.Cut(p.src[start+1:], p.src[start:start+1])
	if !closed {
		p.fail(start, "this quote is not closed", p.src[start:start+1])
		return node{}
	}
	p.pos = len(p.src) - len(rest)
	if id, ok := p.names.tasks[name]; ok {
		return taskNode(id, name)
	}
	if g, ok := p.names.groups[name]; ok {
		return p.groupMember(g, 0)
	}
	candidates := append(append([]string(nil), p.names.taskList...), p.names.paths...)
	p.fail(start, "unknown task or group "+name, didYouMean(name, candidates))
	return node{}
}

// path reads "/", "/a" or "/a/b" and what follows it.
func (p *parser) path(cpu int) node {
	start := p.pos
	path := p.scan(func(b byte) bool { return isName(b) || b == '/' })
	for cut := path; cut != ""; cut = shorter(cut) {
		if g, ok := p.names.groups[cut]; ok {
			p.pos = start + len(cut)
			return p.groupMember(g, cpu)
		}
	}
	p.fail(start, "unknown group "+path, didYouMean(path, p.names.paths))
	return node{}
}

// shorter is a name cut before its last "-", "" if it has none.
func shorter(name string) string {
	return name[:max(strings.LastIndexByte(name, '-'), 0)]
}

// groupMember reads what follows a group: ":field" of its queue, ".field" of the
// group or of its entity, or nothing for the entity itself.
func (p *parser) groupMember(g scheduler.GroupID, cpu int) node {
	queue := p.names.queue(g, cpu)
	switch {
	case strings.HasPrefix(p.src[p.pos:], ":"):
		return p.field(queue, OfQueue)
	case strings.HasPrefix(p.src[p.pos:], "."):
		at := p.pos
		p.pos++
		name := p.scan(isFieldByte)
		p.pos = at
		if lookup(name, OfGroup) != nil {
			return p.field(int(g), OfGroup)
		}
		if g == scheduler.RootGroup {
			p.fail(at, "the root group has no entity", "/:field for its queue")
		}
	}
	return node{typ: Entity, code: func(c *Context, at moment) (int64, bool) {
		f := c.frame(at)
		if f == nil {
			return 0, false
		}
		if q := f.Queue(scheduler.QueueID(queue)); q != nil && q.Owner != scheduler.NoEntity {
			return int64(q.Owner), true
		}
		return 0, false
	}}
}

func isFieldByte(b byte) bool { return isLetter(b) || isDigit(b) }

// field reads a separator and a field of the fixed object id.
func (p *parser) field(id int, objects ...Object) node {
	f := p.fieldName(objects...)
	if f == nil {
		return node{}
	}
	return f.node(func(*Context, moment) (int64, bool) { return int64(id), true })
}

// entityField reads ".field" of an operand that is an entity.
func (p *parser) entityField(n node) node {
	at := p.pos
	p.known(&n)
	if p.fault == nil && n.typ != Entity {
		p.fail(at, "a "+n.kind()+" has no fields", "a task or group before the point")
	}
	f := p.fieldName(OfEntity, OfTask)
	if f == nil || p.fault != nil {
		return n
	}
	m := f.node(n.code)
	m.start, m.end, m.prev = n.start, p.pos, n.prev
	return m
}

// fieldName reads a separator and the name of a field; nil with a fault if there
// is no such field.
func (p *parser) fieldName(objects ...Object) *Field {
	p.pos++
	at := p.pos
	name := p.scan(isFieldByte)
	f := lookup(name, objects...)
	if rest, dot := strings.CutPrefix(p.src[p.pos:], "."); f == nil && dot {
		// wait.max is another way to write wait_max.
		p.pos++
		if f = lookup(name+"_"+p.scan(isFieldByte), objects...); f == nil {
			p.pos = len(p.src) - len(rest) - 1
		}
	}
	if f == nil {
		p.fail(at, strings.TrimSpace("unknown field "+name), didYouMean(name, fieldNames(objects...)))
	}
	return f
}

// node is the operand that reads the field of the object that id computes.
func (f *Field) node(id code) node {
	get := f.get
	return node{typ: f.Type, unit: f.Unit, words: f.words, field: f, object: id, code: func(c *Context, at moment) (int64, bool) {
		n, ok := id(c, at)
		if !ok {
			return 0, false
		}
		return get(c, at, int(n))
	}}
}

func taskNode(id scheduler.TaskID, name string) node {
	return node{typ: Entity, name: name, code: func(c *Context, at moment) (int64, bool) {
		f := c.frame(at)
		if f == nil {
			return 0, false
		}
		return entityID(f, id), true
	}}
}

// word reads a name. Names may contain "-": the longest known one is taken, so
// that V-1 is a difference and web-1 a task.
func (p *parser) word() node {
	if n, ok := p.function(); ok {
		return n
	}
	if n, ok := p.otherRun(); ok {
		return n
	}
	start := p.pos
	text := p.scan(isName)
	for cut := text; cut != ""; cut = shorter(cut) {
		p.pos = start + len(cut)
		if n, ok := p.meaning(cut); ok {
			return n
		}
	}
	p.pos = start + len(text)
	return node{name: text}
}

// meaning is what a bare word stands for: a task before ".", else true, false, a
// CPU, a field of the run, of cpu0 or of its root queue, a feature, a task.
func (p *parser) meaning(word string) (n node, ok bool) {
	dot := strings.HasPrefix(p.src[p.pos:], ".")
	id, isTask := p.names.tasks[word]
	f := lookup(word, OfRun, OfCPU, OfQueue)
	switch {
	case isTask && dot && (f == nil || f.Type != Entity):
		n = taskNode(id, word)
	case word == "true" || word == "false":
		n = node{typ: Bool, code: constant(truth(word == "true"))}
	case f != nil:
		n = p.field0(f)
	default:
		if cpu, found := p.names.cpu(word); found {
			return p.cpuMember(cpu), true
		}
		if feature, found := p.names.feature(word); found {
			return featureNode(feature), true
		}
		return taskNode(id, word), isTask
	}
	n.name = word
	return n, true
}

// field0 reads a field of the run, of cpu0, or of the root queue of cpu0: all of
// these objects have the id 0.
func (p *parser) field0(f *Field) node { return f.node(constant(0)) }

// cpuMember reads what follows a CPU: ".field", ":field" of its root queue, or
// the path of a group.
func (p *parser) cpuMember(cpu int) node {
	next := byte(0)
	if p.pos < len(p.src) {
		next = p.src[p.pos]
	}
	switch next {
	case '.':
		return p.field(cpu, OfCPU)
	case ':':
		return p.field(p.names.queue(scheduler.RootGroup, cpu), OfQueue)
	case '/':
		return p.path(cpu)
	}
	p.fail(p.pos, "a CPU alone has no value", "cpu0.field, cpu0:field or cpu0/group.field")
	return node{}
}

func featureNode(f scheduler.Feature) node {
	return node{typ: Bool, code: func(c *Context, at moment) (int64, bool) {
		frame := c.frame(at)
		if frame == nil {
			return 0, false
		}
		return truth(frame.Features.Has(f)), true
	}}
}
