package scheduler

import "math/bits"

// calcDeltaInverse is __calc_delta with NICE_0_LOAD, up to 7.0: wall ns to
// virtual ns by the cached inverse of the unscaled weight.
//
//	d * 1024 * inverse >> 32, with as many bits of the factor dropped first as
//	do not fit into 32
//
// All steps truncate (SPEC-6.12 section 1.2).
func calcDeltaInverse(d uint64, e *entity) uint64 {
	if e.weight == NiceZeroLoad {
		return d
	}
	if e.inverse == 0 {
		e.inverse = inverseOf(e.weight)
	}
	fact, shift := uint64(1<<fixedShift)*uint64(e.inverse), 32
	if hi := fact >> 32; hi != 0 {
		n := bits.Len64(hi)
		shift -= n
		fact >>= n
	}
	hi, lo := bits.Mul64(d, fact)
	return hi<<(64-shift) | lo>>shift
}

// inverseOf is floor((2^32-1)/w) of the unscaled weight, for loads that have no
// table entry.
func inverseOf(weight uint64) uint32 {
	switch x := down(weight); {
	case x >= 1<<32-1:
		return 1
	case x == 0:
		return 1<<32 - 1
	default:
		return uint32((1<<32 - 1) / x)
	}
}

// calcDeltaFull is __calc_delta with NICE_0_LOAD from 7.1 on: d * 2^20 / weight
// with the full weight, the product modulo 2^64 (SPEC-7x section 2.1).
func calcDeltaFull(d uint64, e *entity) uint64 {
	if e.weight == NiceZeroLoad {
		return d
	}
	return d * NiceZeroLoad / e.weight
}

// div32 divides by a divisor cut to 32 signed bits, truncating (div_s64).
func div32(a, b int64) int64 {
	if d := int64(int32(b)); d != 0 {
		return a / d
	}
	return 0
}

// div64 divides by the full divisor, truncating.
func div64(a, b int64) int64 { return a / b }

// overflows tells whether the signed product a*b leaves 64 bits; b is not
// negative.
func overflows(a int64, b uint64) bool {
	hi, lo := mulSigned(a, b)
	return hi != int64(lo)>>63
}

// mulSigned is the 128-bit product of a signed and an unsigned number.
func mulSigned(a int64, b uint64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(a), b)
	if a < 0 {
		h -= b
	}
	return int64(h), l
}
