package views

import (
	"math"
	"strconv"

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
	var buf [numberBytes]byte
	return string(appendMs(buf[:0], ns, decimals))
}

// numberBytes is room for any number that is printed here.
const numberBytes = 48

// appendMs appends what Ms prints.
func appendMs(dst []byte, ns int64, decimals int) []byte {
	return appendFixed(dst, floorDiv(ns, unitOf(decimals)), decimals)
}

// unitOf is the last of that many decimals of a ms, in ns.
func unitOf(decimals int) int64 {
	unit := int64(1)
	for range FullDecimals - decimals {
		unit *= 10
	}
	return unit
}

// SignedMs is Ms with a plus sign before values that print as more than zero.
func SignedMs(ns int64, decimals int) string {
	var buf [numberBytes]byte
	return string(appendSignedMs(buf[:0], ns, decimals))
}

// appendSignedMs appends what SignedMs prints.
func appendSignedMs(dst []byte, ns int64, decimals int) []byte {
	if ns >= unitOf(decimals) {
		dst = append(dst, '+')
	}
	return appendMs(dst, ns, decimals)
}

// fixed prints q * 10^-decimals.
func fixed(q int64, decimals int) string {
	var buf [numberBytes]byte
	return string(appendFixed(buf[:0], q, decimals))
}

// appendFixed appends what fixed prints.
func appendFixed(dst []byte, q int64, decimals int) []byte {
	var buf [24]byte
	magnitude := uint64(q)
	if q < 0 {
		magnitude = -magnitude
	}
	digits := strconv.AppendUint(buf[:0], magnitude, 10)
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
		return dst
	}
	dst = append(dst, '.')
	for range max(0, -whole) {
		dst = append(dst, '0')
	}
	return append(dst, digits[max(whole, 0):]...)
}

// VtimeMs prints a point in virtual time in ms, signed: values just below 2^64
// are negative.
func VtimeMs(v scheduler.Vtime, decimals int) string { return Ms(int64(v), decimals) }

// Clock prints a moment in ms to the ns, in groups of three digits: 3.100 000.
func Clock(t scheduler.Time) string {
	var buf [numberBytes]byte
	return string(appendClock(buf[:0], t))
}

// appendClock appends what Clock prints.
func appendClock(dst []byte, t scheduler.Time) []byte {
	dst = appendMs(dst, int64(t), FullDecimals)
	const group = 3
	dst = append(dst, 0)
	copy(dst[len(dst)-group:], dst[len(dst)-group-1:])
	dst[len(dst)-group-1] = ' '
	return dst
}
