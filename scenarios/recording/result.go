package recording

import (
	"fmt"
	"strings"
)

// Adoption is a reason to take a value from the recording.
type Adoption uint8

// The reasons.
const (
	FirstSight   Adoption = iota // state from before the recording
	OtherClass                   // run time of a task while it was in another class
	OtherTasks                   // rq.nr_running, which counts other classes
	LoadAverage                  // inputs of the share formula
	FairServer                   // exec_start moved by the fair server
	UnlockedRead                 // a reader of sched/debug raced with the scheduler
	HalfDone                     // what a nested call finds half done; the result of its caller is compared
	numAdoptions
)

var adoptionNames = [numAdoptions]string{
	"first sight", "run time in another class", "tasks of other classes", "load averages", "fair server", "unlocked reads", "half-done states",
}

// String is the reason in words.
func (a Adoption) String() string { return adoptionNames[a] }

// Adopted counts adopted values by reason.
type Adopted [numAdoptions]int

// Total is the number of adopted values.
func (a *Adopted) Total() int {
	sum := 0
	for _, n := range a {
		sum += n
	}
	return sum
}

// String lists the reasons that occurred.
func (a *Adopted) String() string {
	var parts []string
	for i, n := range a {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", Adoption(i), n))
		}
	}
	return strings.Join(parts, ", ")
}

// Result is what the replay of one recording found.
type Result struct {
	Path        string
	Kernel      string // release that was recorded
	Profile     string // of the machine that replayed it
	Events      int    // in the recording
	Operations  int    // replayed, nested ones included
	Decisions   int    // compared: picks, preemptions, delayed dequeues, shares
	Integers    int    // compared, decisions not counted
	Differences int
	Adopted     Adopted
	First       *Difference // nil if there is none
}

// Difference is a recorded value that the machine does not come to.
type Difference struct {
	Line    int
	Call    string // the function and who called it, innermost first
	Object  string // task, group entity, queue or decision
	Field   string
	Want    string // recorded
	Got     string // computed
	Section string // of the specification that states the rule
	Event   string // the line itself
}

// words is the difference without the event.
func (d *Difference) words() string {
	return fmt.Sprintf("line %d, %s: %s %s: recorded %s, computed %s", d.Line, d.Call, d.Object, d.Field, d.Want, d.Got)
}

// String is the difference in full.
func (d *Difference) String() string {
	return fmt.Sprintf("%s\n  rule   %s\n  event  %s", d.words(), d.Section, d.Event)
}

// Verify replays a trace file. An error means that it cannot be read as a
// recording; a difference is not an error.
func Verify(file string) (Result, error) {
	rec, err := Load(file)
	if err != nil {
		return Result{}, err
	}
	p := rec.Player()
	for p.Step() {
	}
	return p.Result(), nil
}
