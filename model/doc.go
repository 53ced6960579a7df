// Package model is the run that one steps through: a workload, its events, a
// cursor on them, and the branches that edits open.
//
// A Run keeps history cheaply because the simulation is deterministic: a short
// record of every event, whole states some thousands of events apart, and the
// whole states of the events around the cursor. Everything else is replayed. A
// state reached by stepping back is the state that stepping forward had shown,
// to the byte.
//
// An edit never changes the past that is kept: it opens a branch that shares
// everything before the edit. The same edits are always the same branch.
//
// The package knows no terminal. Its expressions are package expr.
package model
