package views

import (
	"math"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// Decimals of a value in ms: three by default, all six where there is room.
const (
	ShortDecimals = 3
	FullDecimals  = 6
	wideScreen    = 120 // columns from which values show FullDecimals
)

// decimalsFor is the number of decimals of ms values on a picture that wide.
func decimalsFor(width int) int {
	if width >= wideScreen {
		return FullDecimals
	}
	return ShortDecimals
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// subSaturating is a-b, held at the ends of int64 instead of wrapping: two
// positions can lie 2^63 ns apart, and a clipped marker must clip on its side.
func subSaturating(a, b int64) int64 {
	d := a - b
	if b < 0 && d < a {
		return math.MaxInt64
	}
	if b > 0 && d > a {
		return math.MinInt64
	}
	return d
}

// Ms prints ns as ms with 0 ... 6 decimals, rounded down (towards minus
// infinity), so that the smallest negative value still reads negative.
func Ms(ns int64, decimals int) string {
	unit := int64(1)
	for range FullDecimals - decimals {
		unit *= 10
	}
	return fixed(floorDiv(ns, unit), decimals)
}

// SignedMs is Ms with a plus sign before values that print as more than zero.
func SignedMs(ns int64, decimals int) string {
	s := Ms(ns, decimals)
	if ns > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// fixed prints q * 10^-decimals.
func fixed(q int64, decimals int) string {
	var buf [24]byte
	magnitude := uint64(q)
	if q < 0 {
		magnitude = -magnitude
	}
	digits := strconv.AppendUint(buf[:0], magnitude, 10)
	var out [32]byte
	dst := out[:0]
	if q < 0 {
		dst = append(dst, '-')
	}
	whole := len(digits) - decimals
	if whole <= 0 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[:whole]...)
	}
	if decimals == 0 {
		return string(dst)
	}
	dst = append(dst, '.')
	for range max(0, -whole) {
		dst = append(dst, '0')
	}
	return string(append(dst, digits[max(whole, 0):]...))
}

// VtimeMs prints a point in virtual time in ms, signed: values just below 2^64
// are negative.
func VtimeMs(v scheduler.Vtime, decimals int) string { return Ms(int64(v), decimals) }

// Clock prints a moment in ms to the ns, in groups of three digits: 3.100 000.
func Clock(t scheduler.Time) string {
	s := Ms(int64(t), FullDecimals)
	return s[:len(s)-3] + " " + s[len(s)-3:]
}

// weightText prints a scaled weight as the kernel stores it.
func weightText(w uint64) string { return strconv.FormatUint(w, 10) }
