package expr

// code computes one operand; ok is false if it has no value.
type code func(c *Context, at moment) (n int64, ok bool)

// node is a parsed operand with everything that is known about it before it is
// evaluated.
type node struct {
	typ        Type
	unit       Unit
	bare       bool // a number without unit, which fits both ns and counts
	prev       bool // contains @prev
	start, end int  // bytes of the source
	words      *vocabulary
	// name is the word that the operand was written as. If code is nil it is
	// nothing known: beside a word operand it may still be one of its words.
	name string
	code code
	// exact computes a number that need not be whole; nil if it always is.
	exact   exact
	percent bool // a number written with %
	// field is what the operand reads, of the object that object computes; nil if
	// it is no plain field.
	field  *Field
	object code
}

func (n *node) value(c *Context) Value {
	v, ok := n.code(c, now)
	value := Value{Type: n.typ, Unit: n.unit, Known: ok, N: v, words: n.words}
	if n.exact != nil && ok {
		r, _ := n.exact(c, now)
		value.ratio = r.RatString()
	}
	return value
}

// kind is what the operand is, for messages.
func (n *node) kind() string {
	if n.typ != Number || n.bare {
		return n.typ.String()
	}
	if n.unit.isTime() {
		return "time"
	}
	return "count"
}

// fits tells whether two numbers may be added or compared.
func fits(a, b *node) bool {
	return a.bare || b.bare || a.unit.isTime() == b.unit.isTime()
}

func constant(n int64) code {
	return func(*Context, moment) (int64, bool) { return n, true }
}

// binary computes f of two operands; without one of them there is no value.
func binary(a, b code, f func(x, y int64) (int64, bool)) code {
	return func(c *Context, at moment) (int64, bool) {
		x, ok := a(c, at)
		if !ok {
			return 0, false
		}
		y, ok := b(c, at)
		if !ok {
			return 0, false
		}
		return f(x, y)
	}
}

// compareCode compares two operands. Without a value the answer is no. Points in
// virtual time compare by their signed distance.
func compareCode(a, b *node, op string) code {
	order := func(x, y int64) int {
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	if a.unit == Vtime && b.unit == Vtime {
		order = func(x, y int64) int { return sign(x - y) }
	}
	test := map[string]func(order int) bool{
		"==": func(o int) bool { return o == 0 },
		"!=": func(o int) bool { return o != 0 },
		"<":  func(o int) bool { return o < 0 },
		"<=": func(o int) bool { return o <= 0 },
		">":  func(o int) bool { return o > 0 },
		">=": func(o int) bool { return o >= 0 },
	}[op]
	if a.exact != nil || b.exact != nil {
		apart := distance(a, b)
		return func(c *Context, at moment) (int64, bool) {
			d, ok := apart(c, at)
			return truth(ok && test(d.Sign())), true
		}
	}
	both := binary(a.code, b.code, func(x, y int64) (int64, bool) { return truth(test(order(x, y))), true })
	return func(c *Context, at moment) (int64, bool) {
		n, _ := both(c, at)
		return n, true
	}
}

func sign(n int64) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// arithmetic is the code of + - * /. Sums and products wrap at 64 bits, as the
// kernel's do; / truncates, and by zero it has no value.
func arithmetic(a, b code, op byte) code {
	switch op {
	case '+':
		return binary(a, b, func(x, y int64) (int64, bool) { return x + y, true })
	case '-':
		return binary(a, b, func(x, y int64) (int64, bool) { return x - y, true })
	case '*':
		return binary(a, b, func(x, y int64) (int64, bool) { return x * y, true })
	}
	return binary(a, b, func(x, y int64) (int64, bool) {
		if y == 0 {
			return 0, false
		}
		return x / y, true
	})
}

// sumUnit is the unit of a+b and a-b.
func sumUnit(a, b *node, op byte) Unit {
	switch {
	case a.unit == Vtime && b.unit == Vtime && op == '-':
		return Vlen
	case a.unit == Vtime || b.unit == Vtime:
		return Vtime
	case a.bare:
		return b.unit
	}
	return a.unit
}
