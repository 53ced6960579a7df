package model

import (
	"zerolag/model/expr"
	"zerolag/scheduler"
)

// Run is one workload with all its branches and a cursor on an event of the
// current branch. It is not safe for concurrent use.
type Run struct {
	w *scheduler.Workload
}

// Open makes the run of w with the cursor at event 0, the start.
func Open(w *scheduler.Workload) *Run { return &Run{w: w} }

// Workload is the workload as it was opened.
func (r *Run) Workload() *scheduler.Workload { return r.w }

// Event is the event at the cursor.
func (r *Run) Event() scheduler.Event { return scheduler.Event{} }

// Index is the number of the event at the cursor; 0 is the start.
func (r *Run) Index() int { return 0 }

// Position is the position of the event at the cursor.
func (r *Run) Position() Position { return Position{} }

// Known is the number of events simulated so far on this branch, the start
// included: events 0 ... Known()-1 have records.
func (r *Run) Known() int { return 1 }

// Complete tells whether the whole branch is known: it ends before the first
// event at or after the workload's Until, or when nothing more happens.
func (r *Run) Complete() bool { return false }

// Extend simulates up to budget more events beyond the known ones and tells
// whether the branch is complete. The cursor stays.
func (r *Run) Extend(budget int) bool { return false }

// Seek moves the cursor to an event, simulating as far as needed; an index
// outside the run goes to its nearer end. Every move tells whether the cursor
// moved.
func (r *Run) Seek(index int) bool { return false }

// SeekTime moves to the last event with Time <= t.
func (r *Run) SeekTime(t scheduler.Time) bool { return false }

// SeekPosition moves to the last event at or before p.
func (r *Run) SeekPosition(p Position) bool { return false }

// Step moves by delta events.
func (r *Run) Step(delta int) bool { return false }

// Switch moves over -delta or delta events at which a CPU's running task
// changed and stops on the last of them.
func (r *Run) Switch(delta int) bool { return false }

// Frame is the state after the event at the cursor. It is valid until the
// cursor moves and is not to be changed.
func (r *Run) Frame() *scheduler.Frame { return nil }

// Before is the state before the event at the cursor, nil at event 0.
func (r *Run) Before() *scheduler.Frame { return nil }

// Pair is the state before and after what the cursor stands on: the event, or
// the sub-step when Sub is not -1. before is nil at event 0.
func (r *Run) Pair() (before, after *scheduler.Frame) { return nil, nil }

// Steps are the sub-steps of the event at the cursor, made by replay.
func (r *Run) Steps() []scheduler.Step { return nil }

// Sub is the sub-step the cursor stands on, -1 for the event as a whole.
func (r *Run) Sub() int { return -1 }

// SubStep moves by one sub-step, delta 1 or -1, into the next or previous event
// at the ends. Every other move leaves the sub-steps.
func (r *Run) SubStep(delta int) bool { return false }

// Whole leaves the sub-steps: the cursor stands on the whole event again.
func (r *Run) Whole() {}

// Record is the short record of a known event, 0 <= index < Known().
func (r *Run) Record(index int) EventRecord { return EventRecord{} }

// Find is the index of the last known event at or before p.
func (r *Run) Find(p Position) int { return 0 }

// Range gives the known events with from <= Time < to as the indices
// first <= i < end: their records are the ticks, wakeups, ... of a window.
func (r *Run) Range(from, to scheduler.Time) (first, end int) { return 0, 0 }

// Spans tells who ran on a CPU between from and to, as far as it is known,
// without gaps; the outer ones reach beyond the window.
func (r *Run) Spans(cpu int, from, to scheduler.Time) []Span { return nil }

// Segments tells what a task did between from and to, as far as it is known,
// without gaps; the outer ones reach beyond the window.
func (r *Run) Segments(task scheduler.TaskID, from, to scheduler.Time) []Segment { return nil }

// Flips are the features whose change alone alters the decision of the event at
// the cursor, in the order of the profile, proposals last.
func (r *Run) Flips() []Flip { return nil }

// Decision is what the event at the cursor decided.
func (r *Run) Decision() Decision { return Decision{} }

// Apply makes an edit right before the event at the cursor and re-runs that
// event: the cursor ends on it in the branch of these edits. At and Ordinal of
// e are set here. At the start, and on an edit, e comes after the edits that
// stand there and the cursor stays in front of the event that follows. An edit
// that changes nothing is ignored; edits that undo each other at one position
// cancel. An impossible edit is an error.
func (r *Run) Apply(e scheduler.Edit) error { return nil }

// ApplyFromStart makes an edit right after the start of the run; the cursor
// keeps its time.
func (r *Run) ApplyFromStart(e scheduler.Edit) error { return nil }

// Branches lists the branches in order of creation; main is the first.
func (r *Run) Branches() []Branch { return nil }

// Branch is the name of the current branch.
func (r *Run) Branch() string { return "main" }

// SwitchBranch makes branch i of Branches the current one; the cursor goes to
// the event that is nearest to where it stood.
func (r *Run) SwitchBranch(i int) bool { return false }

// Dirty tells whether the current branch has edits beyond the workload's own.
func (r *Run) Dirty() bool { return false }

// Edits are all edits of the current branch, the workload's own included: with
// the workload they are the whole run.
func (r *Run) Edits() []scheduler.Edit { return nil }

// Names resolves the names that expressions about this run may use.
func (r *Run) Names() *expr.Names { return nil }

// Until looks for the nearest event after the cursor (dir 1) or before it
// (dir -1) at which cond holds, looking at no more than budget events in this
// call. Call it again with the same arguments while it says Working; to give up,
// stop calling. The cursor moves only when it says Found.
func (r *Run) Until(cond *expr.Expr, dir, budget int) Progress { return Exhausted }

// Value evaluates an expression at the cursor.
func (r *Run) Value(x *expr.Expr) expr.Value { return expr.Value{} }

// Stats are the numbers of all tasks at the cursor.
func (r *Run) Stats() Stats { return Stats{} }

// Verdict is what became of one expectation.
type Verdict struct {
	Expectation *expr.Expectation
	Held        bool
	// Index is the event it was decided at: the moment asked for, the end of the
	// run, or the first event that broke an "always" or "never".
	Index    int
	Position Position
	// Sides are both sides of each comparison that failed, with their values.
	Sides []expr.Side
}

// Expect simulates the current branch to its end and evaluates expectations, in
// their order. The cursor stays.
func (r *Run) Expect(list []*expr.Expectation) []Verdict { return nil }
