package expr

import (
	"strings"

	"zerolag/scheduler"
)

// When says at which moments an expectation is evaluated.
type When uint8

// The moments.
const (
	AtEnd  When = iota // after the last event
	AtTime             // "at TIME:" or "at TIME #ORDINAL:"
	Always             // after every event it must hold
	Never              // after every event it must not hold
)

// Expectation is a condition with the moment at which it must hold.
type Expectation struct {
	When    When
	Time    scheduler.Time // AtTime: after the last event with Time <= it
	Ordinal int            // AtTime: up to that ordinal; -1 if not given
	Expr    *Expr
	src     string
}

// ParseExpectation reads a condition, after an optional "at TIME:",
// "at TIME #ORDINAL:", "always:" or "never:". The error is a *Fault.
func ParseExpectation(src string, names *Names) (*Expectation, error) {
	e := &Expectation{Ordinal: -1, src: strings.TrimSpace(src)}
	p := &parser{src: src, names: names}
	p.space()
	start := p.pos
	word := p.scan(isLetter)
	switch {
	case word == "at" && strings.HasPrefix(p.src[p.pos:], " "):
		p.moment(e)
	case word == "always" && p.colon():
		e.When = Always
	case word == "never" && p.colon():
		e.When = Never
	default:
		p.pos = start
	}
	if p.fault != nil {
		return nil, p.fault
	}
	x, err := parseCondition(src, p.pos, names, e.When == Always)
	if err != nil {
		return nil, err
	}
	if len(x.runs) > 0 && (e.When == Always || e.When == Never) {
		return nil, &Fault{x.root.start + 1, "another run is looked at after every event", "another run at the end, or at a time"}
	}
	if x.past && (e.When == Always || e.When == Never) {
		return nil, &Fault{x.root.start + 1, "the past is looked at after every event", "it at the end, or at a time"}
	}
	e.Expr = x
	return e, nil
}

// Source is the text of the expectation.
func (e *Expectation) Source() string { return e.src }

func (p *parser) colon() bool {
	op, _ := p.take(":")
	return op != ""
}

// moment reads "TIME:" or "TIME #ORDINAL:" after "at".
func (p *parser) moment(e *Expectation) {
	p.space()
	at := p.pos
	if p.pos >= len(p.src) || !isDigit(p.src[p.pos]) {
		p.fail(at, "no time after at", "a time, such as at 3.1ms:")
		return
	}
	n, hasUnit := p.amount()
	if !hasUnit && n != 0 {
		p.fail(at, "a time needs a unit", "ns, us, ms or s")
	}
	e.When, e.Time = AtTime, scheduler.Time(n)
	if op, _ := p.take("#"); op != "" {
		at = p.pos
		text := p.scan(isDigit)
		if text == "" || len(text) > 9 {
			p.fail(at, "no ordinal after #", "a whole number")
		}
		e.Ordinal = int(p.digits(at, text))
	}
	if !p.colon() {
		p.fail(p.pos, "no colon after the time", "a colon, such as at 3.1ms: pick == nginx")
	}
}
