package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// visits are the branches that were current: back before the present one, ahead
// those that Undo left.
type visits struct{ back, ahead []*branch }

// visit makes b the current branch and remembers where it came from.
func (r *Run) visit(b *branch) {
	if b == r.b {
		return
	}
	r.visited.back = append(r.visited.back, r.b)
	r.visited.ahead = nil
	r.enter(b)
}

// CanUndo tells whether Undo would do something.
func (r *Run) CanUndo() bool { return len(r.visited.back) > 0 }

// CanRedo tells whether Redo would do something.
func (r *Run) CanRedo() bool { return len(r.visited.ahead) > 0 }

// Undo takes the last edit or change of branch back: the branch before it is
// current again, with the cursor on the event nearest to where it stood. It tells
// whether there was one.
func (r *Run) Undo() bool { return r.revisit(&r.visited.back, &r.visited.ahead) }

// Redo does again what Undo took back; an edit in between ends that.
func (r *Run) Redo() bool { return r.revisit(&r.visited.ahead, &r.visited.back) }

// revisit goes to the last branch of from and leaves the current one on to.
func (r *Run) revisit(from, to *[]*branch) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	b := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, r.b)
	here := *r.b.record(r.index)
	r.enter(b)
	r.approach(here)
	return true
}

// freeName is a name for a new branch: b1, b2, ...
func (r *Run) freeName() string {
	for n := len(r.branches); ; n++ {
		if name := fmt.Sprintf("b%d", n); !r.named(name) {
			return name
		}
	}
}

func (r *Run) named(name string) bool {
	return slices.ContainsFunc(r.branches, func(b *branch) bool { return b.name == name })
}

// RenameBranch gives branch i of Branches a name of its own.
func (r *Run) RenameBranch(i int, name string) error {
	name = strings.TrimSpace(name)
	switch {
	case i < 0 || i >= len(r.branches):
		return fmt.Errorf("branch %d: expected 0 to %d", i, len(r.branches)-1)
	case name == "" || strings.ContainsAny(name, "\n\r\t"):
		return errors.New("branch name: expected one line of text")
	case r.branches[i].name == name:
		return nil
	case r.named(name):
		return fmt.Errorf("branch name %q is taken: expected another", name)
	}
	r.branches[i].name = name
	return nil
}
