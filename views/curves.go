package views

import (
	"math/bits"
	"strconv"
	"strings"

	"zerolag/model"
	"zerolag/scheduler"
)

// LagTable is the curve of an entity's lag with time running downwards: a row for
// each event that changed it, V of the queue id beside it while it is there, and the lag as a mark on a
// line that many columns wide. Shaded is what the theorem allows a queued entity,
// -r_max < lag < max(r_max, q); ! marks a lag beyond it.
func LagTable(lags []model.LagPoint, id scheduler.QueueID, vs []model.VPoint, width int, g Glyphs, decimals int) Table {
	t := Table{Columns: []Column{{Head: "at ms", Right: true}, {Head: "V", Right: true}, {Head: "lag", Right: true}, {Head: ""}, {Head: lagHead(lags, width, decimals)}}}
	low, high := lagRange(lags)
	v := 0
	for i := range lags {
		p := &lags[i]
		for v+1 < len(vs) && vs[v+1].Index <= p.Index {
			v++
		}
		row := Row{Cells: []string{Clock(p.Time), "", SignedMs(p.Lag, decimals), " ", lagLine(p, low, high, width, g)}}
		if p.Queue == id && v < len(vs) && vs[v].Index <= p.Index {
			row.Cells[1] = VtimeMs(vs[v].V, decimals)
		}
		if p.Violates() {
			row.Cells[3], row.Style = "!", StyleError
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// lagRange is what the lines must show: 0, the lags and their bounds.
func lagRange(lags []model.LagPoint) (low, high int64) {
	for i := range lags {
		p := &lags[i]
		low, high = min(low, p.Lag, p.Low), max(high, p.Lag, p.High)
	}
	return low, max(high, low+1)
}

// lagHead names both ends of the lines.
func lagHead(lags []model.LagPoint, width, decimals int) string {
	low, high := lagRange(lags)
	left, right := SignedMs(low, decimals), SignedMs(high, decimals)
	return left + strings.Repeat(" ", max(width-len(left)-len(right), 1)) + right
}

func lagLine(p *model.LagPoint, low, high int64, width int, g Glyphs) string {
	column := func(lag int64) int {
		over, under := bits.Mul64(uint64(lag-low), uint64(width-1))
		x, _ := bits.Div64(over, under, uint64(high-low))
		return int(x)
	}
	line := []rune(strings.Repeat(" ", width))
	if p.Queued {
		for x := column(p.Low); x <= column(p.High); x++ {
			line[x] = g.Waiting
		}
	}
	line[column(0)] = g.V
	mark := g.Eligible
	switch {
	case p.Violates():
		mark = '!'
	case !p.Queued:
		mark = g.Delayed
	case p.Lag < 0:
		mark = g.Ineligible
	}
	line[column(p.Lag)] = mark
	return string(line)
}

// ShareRow is a task's share of the CPU time in one window.
type ShareRow struct {
	From, To scheduler.Time
	Stat     model.ShareStat
}

// ShareTable is a task's share against the one that its weight promises, a window a
// row, both as marks on a line from 0 to 100 %: # the share, | the weight's.
func ShareTable(rows []ShareRow, width int) Table {
	t := Table{Columns: []Column{
		{Head: "from ms", Right: true},
		{Head: "to ms", Right: true},
		{Head: "share %", Right: true},
		{Head: "weight %", Right: true},
		{Head: "error", Right: true},
		{Head: "0 %" + strings.Repeat(" ", max(width-8, 1)) + "100 %"},
	}}
	for i := range rows {
		r := &rows[i]
		line := []byte(strings.Repeat(" ", width))
		part := func(ppm int64) int { return int(ppm * int64(width-1) / million) }
		for x := range part(r.Stat.Share) {
			line[x] = '#'
		}
		line[part(r.Stat.WeightShare)] = '|'
		t.Rows = append(t.Rows, Row{Cells: []string{
			Clock(r.From), Clock(r.To), fixed(r.Stat.Share/100, 2), fixed(r.Stat.WeightShare/100, 2), signedFixed(r.Stat.Share/100-r.Stat.WeightShare/100, 2), string(line),
		}})
	}
	return t
}

const million = 1_000_000

// signedFixed is fixed with a sign, except at 0.
func signedFixed(n int64, decimals int) string {
	if n > 0 {
		return "+" + fixed(n, decimals)
	}
	return fixed(n, decimals)
}

// HistogramTable counts waits by length: the ranges that have any, and when the
// longest of each began. full is the length of the longest bar, text writes times.
func HistogramTable(waits []model.Wait, full int, text func(scheduler.Time) string) (t Table, longest []int) {
	t = Table{Columns: []Column{
		{Head: "from", Right: true}, {Head: "to", Right: true}, {Head: "waits", Right: true}, {Head: "longest began", Right: true}, {},
	}}
	buckets, most := model.Histogram(waits), 0
	for _, b := range buckets {
		most = max(most, b.Count)
	}
	for _, b := range buckets {
		if b.Count == 0 {
			continue
		}
		bar := strings.Repeat("#", (b.Count*full+most-1)/most)
		t.Rows = append(t.Rows, Row{Cells: []string{
			text(b.From), text(b.To), strconv.Itoa(b.Count), text(waits[b.Longest].From), bar,
		}})
		longest = append(longest, b.Longest)
	}
	return t, longest
}
