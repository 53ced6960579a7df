package model

import (
	"slices"

	"zerolag/model/expr"
)

// Condition is a stop condition of a list; Text is what is kept of it in a file.
type Condition struct {
	Text string
	Off  bool // does not stop anything at present
	// Fault says why the condition has no meaning in this run, nil if it has one.
	// It is a *expr.Fault.
	Fault error
	expr  *expr.Expr // nil if there is a fault
}

// Conditions is a list of stop conditions.
type Conditions struct{ list []Condition }

// List is the conditions in their order.
func (c *Conditions) List() []Condition { return slices.Clone(c.list) }

// Add appends a condition, switched on; one that is there already is switched on.
// The error is a *expr.Fault.
func (c *Conditions) Add(text string, names *expr.Names) error {
	x, err := expr.ParseCondition(text, names)
	if err != nil {
		return err
	}
	for i := range c.list {
		if c.list[i].Text == text {
			c.list[i].Off = false
			return nil
		}
	}
	c.list = append(c.list, Condition{Text: text, expr: x})
	return nil
}

// Restore makes the list one of conditions that were kept. One without a meaning in
// this run stays on the list, with its fault, and stops nothing.
func (c *Conditions) Restore(list []Condition, names *expr.Names) {
	c.list = slices.Clone(list)
	for i := range c.list {
		k := &c.list[i]
		k.expr, k.Fault = expr.ParseCondition(k.Text, names)
	}
}

// Switch switches condition i of the list off, or on again.
func (c *Conditions) Switch(i int) {
	if i >= 0 && i < len(c.list) {
		c.list[i].Off = !c.list[i].Off
	}
}

// Remove takes condition i off the list.
func (c *Conditions) Remove(i int) {
	if i >= 0 && i < len(c.list) {
		c.list = slices.Delete(c.list, i, i+1)
	}
}

// Active is how many of the list can stop something: switched on and without a fault.
func (c *Conditions) Active() int { return len(c.active()) }

// active are the expressions that are switched on.
func (c *Conditions) active() []*expr.Expr {
	var list []*expr.Expr
	for _, k := range c.list {
		if !k.Off && k.expr != nil {
			list = append(list, k.expr)
		}
	}
	return list
}

// Holding are the indices of the conditions, switched on or not, that hold at the
// cursor.
func (r *Run) Holding(c *Conditions) []int {
	var hold []int
	at := r.Context()
	for i, k := range c.list {
		if k.expr != nil && k.expr.True(at) {
			hold = append(hold, i)
		}
	}
	return hold
}

// ConditionSides is Sides of condition i of a list; nothing if that has a fault.
func (r *Run) ConditionSides(c *Conditions, i int) []expr.Side {
	if x := c.list[i].expr; x != nil {
		return r.Sides(x)
	}
	return nil
}

// Watch is a watched expression with its value at the cursor.
type Watch struct {
	Text string
	// Fault says why the expression has no meaning in this run, nil if it has one. It
	// is a *expr.Fault; the value is then unknown.
	Fault error
	Value expr.Value
	// Since is its last change at or before the cursor, if Changed: there its value
	// became this one. Without a change it has been so from the start on.
	Since   Change
	Changed bool
	// Settled tells that Since and Changed are known; else call Update again.
	Settled bool
}

// Watches is a list of watched expressions of one run.
type Watches struct {
	r     *Run
	list  []watched
	track *tracker
}

// watched is an expression of the list; expr is nil if it has no meaning in the run.
type watched struct {
	text  string
	expr  *expr.Expr
	fault error
}

// WatchDepth is how many of the last changes of each expression Update looks for.
const WatchDepth = 4

// NewWatches makes an empty list.
func NewWatches(r *Run) *Watches { return &Watches{r: r} }

// RestoreWatches makes the list of expressions that were kept. One without a meaning
// in this run stays on the list, with its fault.
func RestoreWatches(r *Run, texts []string) *Watches {
	w := NewWatches(r)
	for _, text := range texts {
		x, err := expr.Parse(text, r.Names())
		w.list = append(w.list, watched{text, x, err})
	}
	return w
}

// Texts are the expressions, which is what is kept of them in a file.
func (w *Watches) Texts() []string {
	texts := make([]string, len(w.list))
	for i, x := range w.list {
		texts[i] = x.text
	}
	return texts
}

// Add appends an expression of any type, unless it is there already. The error is a
// *expr.Fault.
func (w *Watches) Add(text string) error {
	x, err := expr.Parse(text, w.r.Names())
	if err != nil {
		return err
	}
	if !slices.Contains(w.Texts(), text) {
		w.list, w.track = append(w.list, watched{text: text, expr: x}), nil
	}
	return nil
}

// Remove takes expression i off the list.
func (w *Watches) Remove(i int) {
	if i >= 0 && i < len(w.list) {
		w.list, w.track = slices.Delete(w.list, i, i+1), nil
	}
}

// Update brings the list to the cursor, looking at about budget events, and tells
// whether everything is settled.
func (w *Watches) Update(budget int) bool {
	if len(w.list) == 0 {
		return true
	}
	t := w.tracker()
	settled := t.reach(w.r.index, budget)
	for settled && !w.settled() && budget > 0 {
		t.dig(min(budget, chunkLen))
		budget -= chunkLen
	}
	return settled && w.settled()
}

// tracker is the tracker of the list, made anew when it is of another branch or
// far from the cursor.
func (w *Watches) tracker() *tracker {
	t := w.track
	if t == nil || t.b != w.r.b || w.r.index < t.low || w.r.index > t.high+chunkLen {
		var values []func(*expr.Context) expr.Value
		for i := range w.list {
			x := &w.list[i]
			values = append(values, x.eval)
		}
		t = newTracker(w.r.b, w.r.index, values...)
		w.track = t
	}
	return t
}

// eval is the value in a context; one without a meaning has none.
func (x *watched) eval(c *expr.Context) expr.Value {
	if x.expr == nil {
		return expr.Value{}
	}
	return x.expr.Eval(c)
}

// settled tells whether the last changes of every expression are known.
func (w *Watches) settled() bool {
	if w.track.low == 0 {
		return true
	}
	for i := range w.list {
		if w.list[i].expr != nil && len(w.Changes(i, WatchDepth)) < WatchDepth {
			return false
		}
	}
	return true
}

// List is every expression at the cursor, as far as Update has come.
func (w *Watches) List() []Watch {
	t, at := w.tracker(), w.r.Context()
	list := make([]Watch, len(w.list))
	for i, x := range w.list {
		k := Watch{Text: x.text, Fault: x.fault, Value: x.eval(at)}
		if t.high >= w.r.index {
			k.Since, k.Changed = t.latest(i, w.r.index)
			k.Settled = k.Changed || t.low == 0 || x.expr == nil
		}
		list[i] = k
	}
	return list
}

// Changes are the last changes of expression i at or before the cursor that
// Update has met, the latest first, at most n of them. The last WatchDepth are
// complete when Update is settled.
func (w *Watches) Changes(i, n int) []Change {
	if i < 0 || i >= len(w.list) {
		return nil
	}
	var changes []Change
	list := w.tracker().changes[i]
	for k := len(list) - 1; k >= 0 && len(changes) < n; k-- {
		if list[k].Index <= w.r.index {
			changes = append(changes, list[k])
		}
	}
	return changes
}
