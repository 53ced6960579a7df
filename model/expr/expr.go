// Package expr is the expression language over the state of a run and the
// catalogue of fields that it, the inspector and JSON share.
//
// docs/FIELDS.md describes both. An expression is parsed once, names resolved to
// indices, and then evaluated after any number of events without allocating.
package expr

import "zerolag/scheduler"

// Fault is an error in the text of an expression.
type Fault struct {
	Col  int    // column in bytes, from 1
	Msg  string // what is wrong
	Want string // what was expected; "" if Msg says all
}

// Error is the fault in one line.
func (f *Fault) Error() string { return f.Msg }

// Type is the type of a value.
type Type uint8

// The types.
const (
	Bool Type = iota
	Number
	Entity
	Word
)

// Unit is the unit of a number.
type Unit uint8

// The units.
const (
	Plain  Unit = iota // count, index, load average
	Weight             // scaled weight, 1048576 is nice 0
	Time               // ns of wall time
	Vtime              // a point in virtual time, ns at nice 0
	Vlen               // a length in virtual time, ns at nice 0
)

// Value is the value of an expression or field at one moment.
type Value struct {
	Type Type
	Unit Unit
	// Known is false if there is no value: a field of nobody, a state before the
	// first, a division by zero.
	Known bool
	// N is the number, 0 or 1 for a Bool, the EntityID of an Entity (-1: nobody),
	// the place in the vocabulary of a Word.
	N int64
}

// Context is the moment at which an expression is evaluated.
type Context struct {
	Frame *scheduler.Frame
	Event scheduler.Event
	// Prev is the state after the previous event, nil at the first.
	Prev      *scheduler.Frame
	PrevEvent scheduler.Event
}

// Names resolves the names of tasks, groups and CPUs.
type Names struct{ w *scheduler.Workload }

// NamesOf makes the names of a workload.
func NamesOf(w *scheduler.Workload) *Names { return &Names{w: w} }

// Expr is a parsed expression.
type Expr struct{ src string }

// Parse reads an expression of any type. The error is a *Fault.
func Parse(src string, names *Names) (*Expr, error) { return &Expr{src: src}, nil }

// ParseCondition reads an expression that is true or false.
func ParseCondition(src string, names *Names) (*Expr, error) { return Parse(src, names) }

// Source is the text of the expression.
func (x *Expr) Source() string { return x.src }

// Type is the type of the expression's values.
func (x *Expr) Type() Type { return Bool }

// UsesPrev tells whether the expression looks at the previous state.
func (x *Expr) UsesPrev() bool { return false }

// Eval is the value at c.
func (x *Expr) Eval(c *Context) Value { return Value{} }

// True tells whether a condition holds at c; one without a value does not.
func (x *Expr) True(c *Context) bool { return false }

// Side is a comparison with the values of both its sides.
type Side struct {
	Text        string // the comparison as written
	Left, Right string // its operands' values, for people
}

// Sides lists the comparisons of x that are false at c, all if none is.
func (x *Expr) Sides(c *Context) []Side { return nil }

// When says at which moments an expectation is evaluated.
type When uint8

// The moments.
const (
	AtEnd  When = iota // after the last event
	AtTime             // "at TIME:" or "at TIME #ORDINAL:"
	Always             // after every event it must hold
	Never              // after every event it must not hold
)

// Expectation is a condition with the moment at which it must hold.
type Expectation struct {
	When    When
	Time    scheduler.Time // AtTime: after the last event with Time <= it
	Ordinal int            // AtTime: up to that ordinal; -1 if not given
	Expr    *Expr
	src     string
}

// ParseExpectation reads a condition, after an optional "at TIME:",
// "at TIME #ORDINAL:", "always:" or "never:".
func ParseExpectation(src string, names *Names) (*Expectation, error) {
	return &Expectation{src: src}, nil
}

// Source is the text of the expectation.
func (e *Expectation) Source() string { return e.src }

// Object is the kind of thing that has a field.
type Object uint8

// The objects.
const (
	OfEntity Object = iota // a task, or the entity of a group on a CPU
	OfTask                 // tasks only
	OfGroup                // a group as a whole
	OfQueue                // a fair queue
	OfCPU                  // a CPU
	OfRun                  // the run as a whole
)

// Field is one entry of the catalogue.
type Field struct {
	Name    string
	Aliases []string
	Object  Object
	Type    Type
	Unit    Unit
	Meaning string
}

// Fields is the catalogue in the order of docs/FIELDS.md.
func Fields() []Field { return nil }

// Of is the field's value for one object: an EntityID for entities and tasks, a
// GroupID, a QueueID, a CPU number; 0 for the run.
func (f *Field) Of(frame *scheduler.Frame, id int) Value { return Value{} }

// Text is the value for people, in the language's own notation: 1.9ms, 386,
// true, nginx.
func (v Value) Text(frame *scheduler.Frame) string { return "" }
