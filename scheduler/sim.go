package scheduler

// Sim runs a Workload one Event at a time. It is flat: CopyFrom makes an equal
// Sim in reused memory, and two equal Sims go on identically.
type Sim struct {
	w     *Workload
	edits []Edit
	event Event
}

// NewSim builds the simulation of w at event 0, EventStart.
func NewSim(w *Workload) *Sim { return &Sim{w: w, edits: w.Edits} }

// Step takes the next event. ok is false when nothing will ever happen again.
// rec, if not nil, is emptied and collects the sub-steps.
func (s *Sim) Step(rec *Recorder) (e Event, ok bool) { return Event{}, false }

// Event is the event that the Sim stands after.
func (s *Sim) Event() Event { return s.event }

// Next is the time of the next event; ok is false when there is none.
func (s *Sim) Next() (t Time, ok bool) { return NoTime, false }

// Features is the set of features that are on now.
func (s *Sim) Features() Features { return 0 }

// SetEdits replaces the list of edits, ascending by (At, Ordinal). Those that
// the Sim has applied already must stay as they are.
func (s *Sim) SetEdits(edits []Edit) { s.edits = edits }

// Frame fills f with the present state, reusing its memory.
func (s *Sim) Frame(f *Frame) {}

// CopyFrom makes s equal to o, reusing the memory of s. Both share the Workload.
func (s *Sim) CopyFrom(o *Sim) { *s = *o }

// AppendState appends the whole state in a canonical form: equal bytes mean
// equal states.
func (s *Sim) AppendState(dst []byte) []byte { return dst }

// Check tests the invariants of the state and describes the first broken one.
func (s *Sim) Check() error { return nil }
