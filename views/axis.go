package views

import (
	"math"

	"zerolag/scheduler"
)

// AxisMode says what an axis measures.
type AxisMode uint8

// The two views of a queue.
const (
	AxisAbsolute AxisMode = iota // vruntime: entities stay, V moves
	AxisLag                      // v-V: V stays, entities move
)

// ticksPerMajor is the distance of major ticks in columns.
const ticksPerMajor = 10

// Axis maps virtual time of one queue to columns. Column c holds the values
// from Left + c*NsPerCol up to, not including, the next column's: every marker
// is rounded down by this one rule.
type Axis struct {
	Mode     AxisMode
	NsPerCol int64           // 1, 2 or 5 times a power of ten, ns
	Columns  int             // width of the window
	Anchor   scheduler.Vtime // labels count from here (AxisAbsolute)
	Left     int64           // left edge of column 0, ns from the anchor or from V
}

// Coordinate is the place of v on the axis in ns; zeroLag is the queue's V in
// the same frame.
func (a Axis) Coordinate(v, zeroLag scheduler.Vtime) int64 {
	if a.Mode == AxisLag {
		return v.Sub(zeroLag)
	}
	return v.Sub(a.Anchor)
}

// Column is the column of a coordinate: -1 left of the window, Columns right of it.
func (a Axis) Column(coordinate int64) int {
	col := floorDiv(subSaturating(coordinate, a.Left), max(a.NsPerCol, 1))
	return int(min(max(col, -1), int64(a.Columns)))
}

// Inside tells whether a column lies in the window.
func (a Axis) Inside(col int) bool { return col >= 0 && col < a.Columns }

// major is the distance of two major ticks in ns.
func (a Axis) major() int64 { return a.NsPerCol * ticksPerMajor }

// minorColumns is the distance of minor ticks in columns: halves of a major
// tick, fifths where a column is 5 units.
func (a Axis) minorColumns() int64 {
	if leadingDigit(a.NsPerCol) == 5 {
		return 2
	}
	return 5
}

// labelDecimals is how many decimals of a ms the minor ticks need.
func (a Axis) labelDecimals() int {
	step := max(a.NsPerCol, 1) * a.minorColumns()
	decimals := FullDecimals
	for decimals > 0 && step%10 == 0 {
		step /= 10
		decimals--
	}
	return decimals
}

// Label prints a coordinate as the ruler does: with a sign where it counts from
// an anchor.
func (a Axis) Label(coordinate int64) string {
	var buf [numberBytes]byte
	return string(a.appendValue(buf[:0], coordinate, a.labelDecimals()))
}

// appendValue appends a coordinate with that many decimals.
func (a Axis) appendValue(dst []byte, coordinate int64, decimals int) []byte {
	if a.Mode == AxisLag || a.Anchor != 0 {
		return appendSignedMs(dst, coordinate, decimals)
	}
	return appendMs(dst, coordinate, decimals)
}

// tick classifies a column: major, minor or neither.
func (a Axis) tick(col int) (major, minor bool) {
	k := a.Left/max(a.NsPerCol, 1) + int64(col)
	return k%ticksPerMajor == 0, k%a.minorColumns() == 0
}

func (a Axis) drawRuler(c *Canvas, x, y int, g Glyphs) {
	for col := range a.Columns {
		r := g.Dash
		if major, minor := a.tick(col); major {
			r = g.Major
		} else if minor {
			r = g.Minor
		}
		c.Set(x+col, y, r, StyleDim)
	}
}

// drawLabels writes the values of the major ticks, the first figure shift
// columns right of its tick.
func (a Axis) drawLabels(c *Canvas, x, y, shift int) {
	free, decimals := 0, a.labelDecimals()
	for col := range a.Columns {
		if major, _ := a.tick(col); !major || col < free {
			continue
		}
		var buf [numberBytes]byte
		label := a.appendValue(buf[:0], a.Left+int64(col)*a.NsPerCol, decimals)
		if col+shift+len(label) > a.Columns {
			return
		}
		c.Bytes(x+col+shift, y, label, StyleDim)
		free = col + shift + len(label) + 1
	}
}

func leadingDigit(n int64) int64 {
	for n >= 10 {
		n /= 10
	}
	return n
}

const maxNsPerCol = 500_000_000_000_000_000

// nextScale is the next coarser scale of the series 1-2-5.
func nextScale(n int64) int64 {
	if n >= maxNsPerCol {
		return n
	}
	if leadingDigit(n) == 2 {
		return n / 2 * 5
	}
	return n * 2
}

// previousScale is the next finer scale of the series 1-2-5.
func previousScale(n int64) int64 {
	if n <= 1 {
		return 1
	}
	if leadingDigit(n) == 5 {
		return n / 5 * 2
	}
	return n / 2
}

// extent is a range of coordinates, empty while none was added.
type extent struct {
	lo, hi int64
	any    bool
}

func (e *extent) add(c int64) {
	if !e.any {
		*e = extent{c, c, true}
		return
	}
	e.lo, e.hi = min(e.lo, c), max(e.hi, c)
}

// span is hi-lo, held at the largest int64.
func (e *extent) span() int64 { return subSaturating(e.hi, e.lo) }

// scaleFor is the finest scale at which span leaves half a major tick of the window
// free.
func scaleFor(span int64, columns int) int64 {
	scale := int64(1)
	for scale < maxNsPerCol && span/scale+ticksPerMajor/2 > int64(columns) {
		scale = nextScale(scale)
	}
	return scale
}

// leftFor is a left edge that shows e with a third of the spare room left of it,
// since V and the runner move right: on a major tick if that keeps e in the
// window, else on a minor one or a column.
func (a Axis) leftFor(e extent) int64 {
	spare := max(subSaturating(a.NsPerCol*int64(a.Columns), e.span()), 0)
	start := subSaturating(e.lo, spare/3)
	for _, cols := range []int64{ticksPerMajor, a.minorColumns(), 1} {
		left := alignDown(start, cols*a.NsPerCol)
		if a.Left = left; a.Inside(a.Column(e.hi)) && a.Inside(a.Column(e.lo)) {
			return left
		}
	}
	return alignDown(start, a.NsPerCol)
}

// alignDown rounds n down to a multiple of step, up at the end of int64.
func alignDown(n, step int64) int64 {
	if n < math.MinInt64+step {
		return n / step * step
	}
	return floorDiv(n, step) * step
}
