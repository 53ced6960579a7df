// Package recording replays what a real kernel did, as docs/record.sh writes it
// down, on the machine: operation by operation, every recorded integer compared
// with the one that the machine computes.
//
// A recording says which scheduler function ran, on which entity and queue,
// with which arguments and at which clock, and it holds the state of entity and
// queue before (entry event) and after (exit event). The replay takes from it
// the function, its arguments and the clock; the state it computes. What cannot
// be computed is adopted, and counted by kind: what was there before the first
// event, and what happens outside the fair class.
//
// Functions call each other, so events nest. Every nested function is replayed
// on its own first, from the half-done state in which its caller left the
// machine. Then the machine goes back to where the outer function began and
// runs that one as a whole: its result counts, and is compared at its exit. So
// nothing that a nested event shows ever becomes state of the machine.
//
// Verify checks a file, Load and Player go through one step by step.
package recording
