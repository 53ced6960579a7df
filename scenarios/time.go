package scenarios

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"zerolag/scheduler"
)

// timeUnits are the units a time can be written with, largest first, with the
// number of decimal places that each has to the ns.
var timeUnits = []struct {
	name   string
	places int
}{
	{"s", 9}, {"ms", 6}, {"us", 3}, {"µs", 3}, {"μs", 3}, {"ns", 0},
}

// wantTime says how a time is written.
const wantTime = "a time such as 3.1ms with a unit of ns, us, ms or s (a bare integer is ns)"

// ParseTime reads a time: a decimal number with a unit, exact to the ns, or a
// bare integer of ns. A minus sign is allowed. "3.83us" is 3830.
func ParseTime(text string) (scheduler.Time, error) {
	t, err := parseTime(text)
	if err != nil {
		return 0, fmt.Errorf("time %q %w: expected %s", text, err, wantTime)
	}
	return t, nil
}

// The ways in which a text is not a time, as predicates.
var (
	errNotTime   = errors.New("is not a time")
	errNoUnit    = errors.New("has no unit")
	errTooFine   = errors.New("is finer than 1ns")
	errTimeRange = errors.New("is out of range")
)

func parseTime(text string) (scheduler.Time, error) {
	number, negative := strings.CutPrefix(text, "-")
	whole, rest := digits(number)
	fraction := ""
	if after, dot := strings.CutPrefix(rest, "."); dot {
		fraction, rest = digits(after)
		if fraction == "" {
			return 0, errNotTime
		}
	}
	if whole == "" {
		return 0, errNotTime
	}
	places, err := unitPlaces(rest, fraction != "")
	if err != nil {
		return 0, err
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > places {
		return 0, errTooFine
	}
	ns, fits := decimal(whole + fraction + strings.Repeat("0", places-len(fraction)))
	if !fits {
		return 0, errTimeRange
	}
	if negative {
		ns = -ns
	}
	return ns, nil
}

// unitPlaces finds the decimal places of a unit. No unit means ns, if there is
// no fraction.
func unitPlaces(unit string, fraction bool) (int, error) {
	if unit == "" {
		if fraction {
			return 0, errNoUnit
		}
		return 0, nil
	}
	for _, u := range timeUnits {
		if u.name == unit {
			return u.places, nil
		}
	}
	if c := unit[0]; c == '.' || c == '-' || c == '_' || c == ' ' || len(unit) > quoteLimit {
		return 0, errNotTime
	}
	return 0, fmt.Errorf("has the unknown unit %q", unit)
}

// digits splits a text after its leading decimal digits.
func digits(text string) (head, rest string) {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return text[:n], text[n:]
}

// decimal reads digits; fits is false beyond 2^63 - 1.
func decimal(digits string) (t scheduler.Time, fits bool) {
	var value uint64
	for i := range len(digits) {
		high, low := bits.Mul64(value, 10)
		value = low + uint64(digits[i]-'0')
		if high != 0 || value > uint64(scheduler.NoTime) {
			return 0, false
		}
	}
	return scheduler.Time(value), true
}

// FormatTime is the shortest exact form of a time in the largest unit of which
// it has at least one: 3.1ms, 100us, 0.
func FormatTime(t scheduler.Time) string {
	if t == 0 {
		return "0"
	}
	sign, ns := "", uint64(t)
	if t < 0 {
		sign, ns = "-", -ns
	}
	unit, size := "ns", uint64(1)
	switch {
	case ns >= uint64(scheduler.Second):
		unit, size = "s", uint64(scheduler.Second)
	case ns >= uint64(scheduler.Millisecond):
		unit, size = "ms", uint64(scheduler.Millisecond)
	case ns >= uint64(scheduler.Microsecond):
		unit, size = "us", uint64(scheduler.Microsecond)
	}
	// size + rest has as many digits as size: a 1, then the decimal places.
	places := strings.TrimRight(fmt.Sprint(size + ns%size)[1:], "0")
	if places != "" {
		places = "." + places
	}
	return fmt.Sprintf("%s%d%s%s", sign, ns/size, places, unit)
}
