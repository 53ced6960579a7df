package vector

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// decisions replays vectors of single decisions about CPUs: questions, lines
// that begin with ">", each followed by the expected answers, lines that begin
// with "=". Some are put in cases, lines that begin with "case".
type decisions struct {
	probe  *scheduler.Probe
	op     string
	args   []int64
	asked  bool // answers are those of the question
	next   int  // of answers, the next to compare
	answer []scheduler.Answer
	lastOp string
	res    Result
}

// isDecision tells a vector of decisions by its first line.
func isDecision(first string) bool {
	return strings.HasPrefix(first, "case ") || strings.HasPrefix(first, "> ")
}

func newDecisions() *decisions {
	return &decisions{asked: true, res: Result{Profile: "6.12.y"}}
}

func (d *decisions) result() *Result { return &d.res }

// line executes one line.
func (d *decisions) line(n int, text string) error {
	mark, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	words := strings.Fields(rest)
	switch mark {
	case "":
		return nil
	case "case":
		return d.begin(words)
	case ">":
		return d.question(n, text, words)
	case "=":
		return d.compare(n, rest, words)
	}
	return fmt.Errorf("line %q: expected a case, a question (>) or an answer (=)", clip(text))
}

// begin starts a case; the first one tells what the vector is about.
func (d *decisions) begin(words []string) error {
	args, err := integers(words)
	if err != nil {
		return err
	}
	if err := d.ask(); err != nil {
		return err
	}
	d.asked, d.answer, d.next = true, nil, 0
	if d.probe == nil {
		kind := scheduler.ProbeLoad
		if len(args) > 1 {
			kind = scheduler.ProbeWakeup
		}
		d.probe = scheduler.NewProbe(kind)
	}
	return d.probe.Begin(args)
}

// question keeps a question until its answer tells what it is about. One that
// nobody answers is put all the same, as it may change the situation.
func (d *decisions) question(n int, text string, words []string) (err error) {
	if err := d.ask(); err != nil {
		return err
	}
	d.op, d.asked = "", false
	if len(words) > 0 && words[0][0] >= 'a' {
		d.op, words = words[0], words[1:]
	}
	d.lastOp = fmt.Sprintf("%d: %s", n, clip(text))
	d.res.Ops++
	d.args, err = integers(words)
	return err
}

// ask puts the question that is kept, if any.
func (d *decisions) ask() (err error) {
	if d.asked || d.probe == nil {
		return nil
	}
	d.asked, d.next = true, 0
	if d.answer, err = d.probe.Ask(d.op, d.args); err != nil {
		return fmt.Errorf("question %s: %w", d.lastOp, err)
	}
	return nil
}

// compare checks an answer line against the machine's.
func (d *decisions) compare(n int, text string, words []string) (err error) {
	if d.probe == nil {
		kind := scheduler.ProbeBalance
		if len(words) == 1 {
			kind = scheduler.ProbeFork
		}
		d.probe = scheduler.NewProbe(kind)
	}
	if err := d.ask(); err != nil {
		return err
	}
	if d.next == 0 {
		d.res.States++
	}
	if d.next == len(d.answer) {
		return fmt.Errorf("answer %q: expected a question after %d answers", clip(text), d.next)
	}
	a := &d.answer[d.next]
	d.next++
	if a.Name != "" && len(words) > 0 && words[0] == a.Name {
		words = words[1:]
	}
	want, err := integers(words)
	if err != nil {
		return err
	}
	d.res.Integers += len(want)
	d.res.Diff = difference(n, d.lastOp, a, want, text)
	return nil
}

// difference is the first field of an answer that is not as expected, nil if all
// are.
func difference(line int, op string, a *scheduler.Answer, want []int64, text string) *Diff {
	d := Diff{Line: line, Op: op, Object: a.Name, StateWas: text, StateIs: strings.TrimSpace(a.Name + " " + strings.Trim(fmt.Sprint(a.Values), "[]"))}
	if d.Object == "" {
		d.Object = "answer"
	}
	for i := range max(len(want), len(a.Values)) {
		d.Field, d.Want, d.Got = a.Field(i), "(none)", "(none)"
		if i < len(want) {
			d.Want = strconv.FormatInt(want[i], 10)
		}
		if i < len(a.Values) {
			d.Got = strconv.FormatInt(a.Values[i], 10)
		}
		if d.Want != d.Got {
			return &d
		}
	}
	return nil
}

// integers reads the numbers of a line.
func integers(words []string) ([]int64, error) {
	list := make([]int64, len(words))
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q: expected an integer", clip(w))
		}
		list[i] = n
	}
	return list, nil
}
