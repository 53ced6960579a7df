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
// Two runs make a Pair, which walks them in lock-step from one different decision to
// the next; Sweep compares many on all cores. A Trail follows one number back to the
// sub-steps that changed it; Watches and Conditions are lists of expressions. Work
// that can be long takes a budget of events and goes on in the next call.
//
// The package knows no terminal. Its expressions are package expr.
package model
