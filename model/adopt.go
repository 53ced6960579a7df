package model

import (
	"reflect"
	"slices"

	"zerolag/scheduler"
)

// Adopt makes the branch of these edits, as Edits gives them, the current one and
// names it, unless name is "" or taken; the cursor goes to the event nearest to
// where it stood. That is what the run starts from: Undo does not go behind it.
// The edits must be possible.
func (r *Run) Adopt(name string, edits []scheduler.Edit) {
	here := *r.b.record(r.index)
	r.visit(r.branchOf(r.known(edits)))
	r.approach(here)
	if i := slices.Index(r.branches, r.b); i > 0 && name != "" {
		_ = r.RenameBranch(i, name) // it keeps its own name if this one is taken
	}
	r.visited = visits{}
}

// known are edits with those marked that the workload has itself, which are in
// the same order. Tasks that an edit of some branch adds already are the same.
func (r *Run) known(edits []scheduler.Edit) []edit {
	own := r.branches[0].edits
	list := make([]edit, len(edits))
	for i, e := range edits {
		if e.Kind == scheduler.EditAdd {
			e.Spec = r.knownSpec(e.Spec)
		}
		list[i] = edit{Edit: e}
		if len(own) > 0 && sameButOrdinal(own[0].Edit, e) {
			list[i].own, own = true, own[1:]
		}
	}
	return list
}

// sameButOrdinal compares edits that others may have moved within their time.
func sameButOrdinal(a, b scheduler.Edit) bool {
	a.Ordinal = b.Ordinal
	return reflect.DeepEqual(a, b)
}
