package views

import (
	"strings"

	"zerolag/scheduler"
)

// tree draws the tree of one queue.
type tree struct {
	f        *scheduler.Frame
	pick     *scheduler.Step // the search on this tree, nil if there was none
	profile  *scheduler.Profile
	glyphs   Glyphs
	decimals int
	table    Table
}

// summary is what a node stores about its subtree.
type summary struct {
	least     scheduler.Vtime
	low, high uint64
	known     bool
}

// TreeTable is the tree of a queue as the kernel keeps it: a node a row in the
// order of the tree, the first on top, the root at the left. R and B are the
// colours. Behind each node stand what the search of pick did there, its own numbers,
// and what it stores about its subtree: ! where that is stale, with the true value in
// brackets. pick is nil if nobody was picked from this tree.
func TreeTable(f *scheduler.Frame, id scheduler.QueueID, pick *scheduler.Step, p *scheduler.Profile, g Glyphs, decimals int) Table {
	t := tree{f: f, pick: pick, profile: p, glyphs: g, decimals: decimals}
	t.table.Columns = []Column{
		{Head: "node"}, {Head: "search"}, {Head: "deadline", Right: true}, {Head: "vruntime", Right: true}, {Head: "min " + t.other(), Right: true},
	}
	if p.KeepsMinSlice() {
		t.table.Columns = append(t.table.Columns, Column{Head: "min slice", Right: true})
	}
	if p.KeepsMaxSlice() {
		t.table.Columns = append(t.table.Columns, Column{Head: "max slice", Right: true})
	}
	if q := f.Queue(id); q != nil {
		t.node(q.Root, "", "", "")
	}
	return t.table
}

// other is the number that the tree is not ordered by.
func (t *tree) other() string {
	if t.profile.ByVruntime() {
		return "deadline"
	}
	return "vruntime"
}

// node adds the rows of a subtree and returns its true summary. mark joins the node
// to its parent; above and below are what stands before the rows of its children.
func (t *tree) node(id scheduler.EntityID, mark, above, below string) summary {
	e := t.f.Entity(id)
	if e == nil {
		return summary{}
	}
	bar, gap := string(t.glyphs.Divider)+" ", "  "
	left := t.node(e.Left, above+string(t.glyphs.Upper)+string(t.glyphs.Dash), above+gap, above+bar)
	at := len(t.table.Rows)
	t.table.Rows = append(t.table.Rows, Row{Owner: EntityOwner(id)})
	right := t.node(e.Right, below+string(t.glyphs.Lower)+string(t.glyphs.Dash), below+bar, below+gap)
	own := summary{e.Vruntime, e.Slice, e.Slice, true}
	if t.profile.ByVruntime() {
		own.least = e.Deadline
	}
	truth := own.with(left).with(right)
	row := &t.table.Rows[at]
	row.Cells, row.Style = t.cells(e, mark, truth), t.style(id)
	return truth
}

// with joins two summaries.
func (s summary) with(o summary) summary {
	if !o.known {
		return s
	}
	if o.least.Before(s.least) {
		s.least = o.least
	}
	s.low, s.high = min(s.low, o.low), max(s.high, o.high)
	return s
}

func (t *tree) cells(e *scheduler.EntityFrame, mark string, truth summary) []string {
	colour := "B "
	if e.Red {
		colour = "R "
	}
	least := VtimeMs(e.Least, t.decimals)
	if e.Least != truth.least {
		least = stale(least, VtimeMs(truth.least, t.decimals))
	}
	slice := func(stored, is uint64) string {
		text := Ms(int64(stored), t.decimals)
		if stored != is {
			return stale(text, Ms(int64(is), t.decimals))
		}
		return text
	}
	cells := []string{
		mark + colour + e.Name, t.search(e.ID), VtimeMs(e.Deadline, t.decimals), VtimeMs(e.Vruntime, t.decimals), least,
	}
	if t.profile.KeepsMinSlice() {
		cells = append(cells, slice(e.LeastSlice, truth.low))
	}
	if t.profile.KeepsMaxSlice() {
		cells = append(cells, slice(e.MostSlice, truth.high))
	}
	return cells
}

// stale is a stored value that is not the true one, which stands in brackets.
func stale(stored, is string) string { return "!" + stored + " (" + strings.TrimSpace(is) + ")" }

// search is what the search did at a node.
func (t *tree) search(id scheduler.EntityID) string {
	c := t.candidate(id)
	switch {
	case c == nil:
		return ""
	case c.Fate == scheduler.FateChosen:
		return "chosen"
	case c.Fate == scheduler.FateNotAsked:
		return "not asked"
	case !c.Visited:
		return "pruned"
	case c.Eligible:
		return "visited E"
	}
	return "visited N"
}

func (t *tree) style(id scheduler.EntityID) Style {
	c := t.candidate(id)
	switch {
	case c == nil:
		return StyleText
	case c.Fate == scheduler.FateChosen:
		return StyleWhy
	case c.Fate == scheduler.FatePruned:
		return StyleDim
	}
	return StyleText
}

func (t *tree) candidate(id scheduler.EntityID) *scheduler.Candidate {
	if t.pick == nil {
		return nil
	}
	for i := range t.pick.Candidates {
		if c := &t.pick.Candidates[i]; c.Entity == id && !c.Curr {
			return c
		}
	}
	return nil
}

// PickOn is the last pick among steps from a queue, nil if there is none.
func PickOn(steps []scheduler.Step, id scheduler.QueueID) *scheduler.Step {
	for i := len(steps) - 1; i >= 0; i-- {
		if s := &steps[i]; s.Kind == scheduler.StepPick && s.Queue == id && len(s.Candidates) > 0 {
			return s
		}
	}
	return nil
}
