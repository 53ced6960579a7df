package expr

import (
	"math/big"
	"strings"
)

// exact computes a number that need not be whole: decimals and shares. Nothing of
// it is rounded.
type exact func(c *Context, at moment) (*big.Rat, bool)

// maxDigits is how many digits a decimal without a unit may have.
const maxDigits = 30

// ratioNode is a number that need not be whole. Its code rounds towards 0.
func ratioNode(unit Unit, bare bool, x exact) node {
	return node{typ: Number, unit: unit, bare: bare, exact: x, code: func(c *Context, at moment) (int64, bool) {
		r, ok := x(c, at)
		if !ok {
			return 0, false
		}
		n := new(big.Int).Quo(r.Num(), r.Denom())
		return n.Int64(), n.IsInt64()
	}}
}

// ratio is the operand's number as a ratio.
func (n *node) ratio() exact {
	if n.exact != nil {
		return n.exact
	}
	whole := n.code
	return func(c *Context, at moment) (*big.Rat, bool) {
		v, ok := whole(c, at)
		return new(big.Rat).SetInt64(v), ok
	}
}

// decimal reads 0.6 or 60%; ok is false, and nothing is taken, if the number is
// whole or has a unit.
func (p *parser) decimal() (n node, ok bool) {
	start := p.pos
	p.scan(isDigit)
	point := strings.HasPrefix(p.src[p.pos:], ".") && p.pos+1 < len(p.src) && isDigit(p.src[p.pos+1])
	if point {
		p.pos++
		p.scan(isDigit)
	}
	text := p.src[start:p.pos]
	percent := strings.HasPrefix(p.src[p.pos:], "%")
	if percent {
		p.pos++
	}
	unit := p.pos < len(p.src) && (isLetter(p.src[p.pos]) || p.src[p.pos] >= 0x80)
	if unit && !percent || !point && !percent {
		p.pos = start
		return node{}, false
	}
	if len(text) > maxDigits {
		p.fail(start, "the number has too many digits", "a shorter one")
		return node{}, true
	}
	value, _ := new(big.Rat).SetString(text)
	if percent {
		value.Quo(value, big.NewRat(100, 1))
	}
	n = ratioNode(Plain, true, func(*Context, moment) (*big.Rat, bool) { return value, true })
	n.percent = percent
	return n, true
}

// exactly is arithmetic without rounding; a division by zero has no value.
func exactly(a, b exact, op byte) exact {
	return func(c *Context, at moment) (*big.Rat, bool) {
		x, ok := a(c, at)
		if !ok {
			return nil, false
		}
		y, ok := b(c, at)
		if !ok || op == '/' && y.Sign() == 0 {
			return nil, false
		}
		z := new(big.Rat)
		switch op {
		case '+':
			return z.Add(x, y), true
		case '-':
			return z.Sub(x, y), true
		case '*':
			return z.Mul(x, y), true
		}
		return z.Quo(x, y), true
	}
}

// distance is left - right. Points in virtual time have a signed distance.
func distance(a, b *node) exact {
	if a.unit == Vtime && b.unit == Vtime && a.exact == nil && b.exact == nil {
		apart := node{code: arithmetic(a.code, b.code, '-')}
		return apart.ratio()
	}
	return exactly(a.ratio(), b.ratio(), '-')
}

// within reads "TOLERANCE of TARGET" after "x within". A tolerance in percent is
// one of the target.
func (p *parser) within(left node) node {
	tolerance := p.sum()
	at := p.pos
	if !p.keyword("of") {
		p.fail(at, "within has no of", "a tolerance and a target, such as share(a) within 1% of 0.5")
	}
	target := p.sum()
	for _, n := range []*node{&left, &tolerance, &target} {
		p.known(n)
		if p.fault == nil && n.typ != Number {
			p.fail(n.start, "within with a "+n.kind(), "numbers")
		}
	}
	if p.fault != nil {
		return left
	}
	if !fits(&left, &target) || !tolerance.percent && !fits(&left, &tolerance) {
		p.fail(at, "within between "+left.kind()+" and "+target.kind(), "the same kind everywhere")
	}
	allowed, aim, apart := tolerance.ratio(), target.ratio(), distance(&left, &target)
	run := func(c *Context, at moment) (int64, bool) {
		limit, ok1 := allowed(c, at)
		goal, ok2 := aim(c, at)
		off, ok3 := apart(c, at)
		if !ok1 || !ok2 || !ok3 {
			return 0, true
		}
		if tolerance.percent {
			limit = new(big.Rat).Mul(limit, new(big.Rat).Abs(goal))
		}
		return truth(new(big.Rat).Abs(off).Cmp(limit) <= 0), true
	}
	n := node{
		typ: Bool, prev: left.prev || tolerance.prev || target.prev, start: left.start, end: target.end, code: run,
	}
	p.compares = append(p.compares, comparison{p.src[n.start:n.end], left, target, n.code})
	return n
}

// keyword takes a word if it stands next.
func (p *parser) keyword(word string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.src[p.pos:], word)
	if !ok || p.fault != nil || rest != "" && isName(rest[0]) {
		return false
	}
	p.pos += len(word)
	return true
}

// ratioText prints a ratio with up to 6 decimals; dots tell that there are more.
func ratioText(r *big.Rat) string {
	if digits, exact := r.FloatPrec(); exact && digits <= 6 {
		return r.FloatString(digits)
	}
	// Cut, not rounded: the digits that are shown are those of the number.
	cut := new(big.Rat).Mul(r, big.NewRat(1_000_000, 1))
	whole := new(big.Int).Quo(cut.Num(), cut.Denom())
	text := new(big.Rat).SetFrac(whole, big.NewInt(1_000_000)).FloatString(6)
	if whole.Sign() == 0 && r.Sign() < 0 {
		text = "-" + text
	}
	return text + "..."
}
