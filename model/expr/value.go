package expr

import (
	"math/big"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Type is the type of a value.
type Type uint8

// The types.
const (
	Bool Type = iota
	Number
	Entity // a task, or the entity of a group
	Word   // one of a closed set of words
)

// String is the type's word in messages and in docs/FIELDS.md.
func (t Type) String() string { return [...]string{"bool", "number", "entity", "word"}[t] }

// Unit is the unit of a number.
type Unit uint8

// The units.
const (
	Plain  Unit = iota // count, index, load average
	Weight             // scaled weight, 1048576 is nice 0
	Time               // ns of wall time
	Vtime              // a point in virtual time, ns at nice 0
	Vlen               // a length in virtual time, ns at nice 0
)

// String is the unit's word in docs/FIELDS.md.
func (u Unit) String() string {
	return [...]string{"-", "weight", "ns", "vns (point)", "vns"}[u]
}

// isTime tells units that count ns from those that do not.
func (u Unit) isTime() bool { return u >= Time }

// Value is the value of an expression or field at one moment.
type Value struct {
	Type Type
	Unit Unit
	// Known is false if there is no value: a field of nobody, a state before the
	// first, a division by zero.
	Known bool
	// N is the number; 0 or 1 for a Bool; the EntityID of an Entity, -1 for
	// nobody; the code of a Word, which Text turns into the word.
	N     int64
	words *vocabulary
	// ratio is the number as a fraction of whole numbers if it need not be whole;
	// N is then rounded towards 0.
	ratio string
}

// Text is the value for people, in the language's own notation: 1.9ms, 386,
// true, nginx. frame gives the names of entities.
func (v Value) Text(frame *scheduler.Frame) string {
	if !v.Known {
		return "no value"
	}
	switch v.Type {
	case Bool:
		return strconv.FormatBool(v.N != 0)
	case Entity:
		if e := frame.Entity(scheduler.EntityID(v.N)); e != nil {
			return e.Name
		}
		return nobody
	case Word:
		return v.words.text(v.N)
	case Number:
	}
	if r, ok := new(big.Rat).SetString(v.ratio); ok && !r.IsInt() {
		if v.Unit.isTime() {
			return ratioText(r) + "ns"
		}
		return ratioText(r)
	}
	if v.Unit.isTime() {
		return duration(v.N)
	}
	return strconv.FormatInt(v.N, 10)
}

// duration prints ns exactly in the largest of ms, us and ns that leaves a whole
// part.
func duration(ns int64) string {
	size, unit := uint64(1), "ns"
	magnitude := uint64(ns)
	if ns < 0 {
		magnitude = -magnitude
	}
	switch {
	case magnitude >= 1_000_000:
		size, unit = 1_000_000, "ms"
	case magnitude >= 1_000:
		size, unit = 1_000, "us"
	}
	text := strconv.FormatUint(magnitude/size, 10)
	if rest := magnitude % size; rest != 0 {
		digits := strconv.FormatUint(size+rest, 10)[1:]
		text += "." + strings.TrimRight(digits, "0")
	}
	if ns < 0 {
		text = "-" + text
	}
	return text + unit
}

// vocabulary is the closed set of words of one field. The first text of a code
// is the one that is printed, further ones are accepted too.
type vocabulary struct {
	name  string
	words []word
}

type word struct {
	text string
	code int64
}

func (v *vocabulary) text(code int64) string {
	for _, w := range v.words {
		if w.code == code {
			return w.text
		}
	}
	return strconv.FormatInt(code, 10)
}

func (v *vocabulary) find(text string) (code int64, ok bool) {
	for _, w := range v.words {
		if w.text == text {
			return w.code, true
		}
	}
	return 0, false
}

// list is every word, for messages.
func (v *vocabulary) list() []string {
	texts := make([]string, len(v.words))
	for i, w := range v.words {
		texts[i] = w.text
	}
	return texts
}

var (
	stateWords = &vocabulary{"state", []word{
		{"new", int64(scheduler.StateNew)},
		{"running", int64(scheduler.StateRunning)},
		{"queued", int64(scheduler.StateQueued)},
		{"sleeping", int64(scheduler.StateSleeping)},
		{"delayed", int64(scheduler.StateDelayed)},
		{"dead", int64(scheduler.StateDead)},
	}}
	policyWords = &vocabulary{"policy", []word{
		{"normal", int64(scheduler.PolicyNormal)},
		{"batch", int64(scheduler.PolicyBatch)},
		{"idle", int64(scheduler.PolicyIdle)},
		{"SCHED_OTHER", int64(scheduler.PolicyNormal)},
		{"SCHED_BATCH", int64(scheduler.PolicyBatch)},
		{"SCHED_IDLE", int64(scheduler.PolicyIdle)},
	}}
	preemptWords = &vocabulary{"preempt", preemptModels()}
	eventWords   = &vocabulary{"event", eventKinds()}
)

func preemptModels() []word {
	var words []word
	for p := scheduler.PreemptFull; p <= scheduler.PreemptNone; p++ {
		words = append(words, word{p.String(), int64(p)})
	}
	return words
}

func eventKinds() []word {
	var words []word
	for k := scheduler.EventStart; k <= scheduler.EventOther; k++ {
		words = append(words, word{k.String(), int64(k)})
	}
	return words
}
