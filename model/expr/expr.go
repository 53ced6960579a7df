package expr

import (
	"fmt"
	"math/big"

	"zerolag/scheduler"
)

// Fault is an error in the text of an expression.
type Fault struct {
	Col  int    // column in bytes, from 1
	Msg  string // what is wrong
	Want string // what was expected or a hint; "" if Msg says all
}

// Error is the fault in one line.
func (f *Fault) Error() string {
	if f.Want == "" {
		return fmt.Sprintf("column %d: %s", f.Col, f.Msg)
	}
	return fmt.Sprintf("column %d: %s (%s)", f.Col, f.Msg, f.Want)
}

// Context is the moment at which an expression is evaluated.
type Context struct {
	Frame *scheduler.Frame
	Event scheduler.Event
	// Prev is the state after the previous event, nil at the first.
	Prev      *scheduler.Frame
	PrevEvent scheduler.Event
	// Runs are the moments of the other runs, in the order of Expr.Runs.
	Runs []*Context
	// Past is nil where only states are looked at.
	Past Past
}

// moment chooses between the two states of a Context.
type moment uint8

const (
	now moment = iota
	before
)

func (c *Context) frame(at moment) *scheduler.Frame {
	if at == before {
		return c.Prev
	}
	return c.Frame
}

func (c *Context) event(at moment) *scheduler.Event {
	if at == before {
		return &c.PrevEvent
	}
	return &c.Event
}

// Expr is a parsed expression.
type Expr struct {
	src      string
	root     node
	compares []comparison
	prev     bool
	past     bool
	runs     []RunRef
}

// comparison is one comparison inside an expression.
type comparison struct {
	text        string
	left, right node
	code        code
}

// apart is how far its sides are from each other.
func (p *comparison) apart(c *Context) Value {
	if p.left.typ != Number {
		return Value{}
	}
	d, ok := distance(&p.left, &p.right)(c, now)
	if !ok {
		return Value{}
	}
	unit := p.left.unit
	if p.left.bare {
		unit = p.right.unit
	}
	apart := ratioNode(unit, false, func(*Context, moment) (*big.Rat, bool) { return d.Abs(d), true })
	return apart.value(c)
}

// Parse reads an expression of any type. The error is a *Fault.
func Parse(src string, names *Names) (*Expr, error) {
	return parse(src, 0, names, false)
}

// ParseCondition reads an expression that is true or false. The error is a
// *Fault.
func ParseCondition(src string, names *Names) (*Expr, error) {
	return parseCondition(src, 0, names, false)
}

// parseCondition reads a condition from a byte of the source on. "A while B" is A
// and B; whenever tells that it asks for A as long as B holds.
func parseCondition(src string, from int, names *Names, whenever bool) (*Expr, error) {
	x, err := parse(src, from, names, whenever)
	if err != nil {
		return nil, err
	}
	if x.root.typ != Bool {
		return nil, &Fault{x.root.start + 1, "this is a " + x.root.typ.String() + ", not a condition", "a comparison, such as V < V@prev"}
	}
	return x, nil
}

// Source is the text of the expression.
func (x *Expr) Source() string { return x.src }

// Type is the type of the expression's values.
func (x *Expr) Type() Type { return x.root.typ }

// Runs are the other runs that the expression looks at.
func (x *Expr) Runs() []RunRef { return x.runs }

// UsesPrev tells whether the expression looks at the previous state.
func (x *Expr) UsesPrev() bool { return x.prev }

// Field is the field that x reads if it is nothing but one, with the object that it
// is of at c, as Field.Of takes it; ok is false otherwise, or if there is no such
// object.
func (x *Expr) Field(c *Context) (field *Field, id int, ok bool) {
	if x.root.field == nil || x.prev {
		return nil, 0, false
	}
	n, ok := x.root.object(c, now)
	return x.root.field, int(n), ok
}

// Eval is the value at c.
func (x *Expr) Eval(c *Context) Value { return x.root.value(c) }

// True tells whether a condition holds at c; one without a value does not.
func (x *Expr) True(c *Context) bool {
	n, ok := x.root.code(c, now)
	return ok && n != 0
}

// Side is a comparison with the values of both its sides.
type Side struct {
	Text        string // the comparison as written
	Left, Right Value
	// Apart is how far the sides are from each other, in the unit of Left; without a
	// value if they are no numbers.
	Apart Value
}

// Sides lists the comparisons of x that are false at c; all of them if none is.
func (x *Expr) Sides(c *Context) []Side {
	var failed, all []Side
	for i := range x.compares {
		p := &x.compares[i]
		side := Side{p.text, p.left.value(c), p.right.value(c), p.apart(c)}
		all = append(all, side)
		if n, ok := p.code(c, now); !ok || n == 0 {
			failed = append(failed, side)
		}
	}
	if failed == nil {
		return all
	}
	return failed
}
