package views

import (
	"strings"
	"testing"

	"zerolag/model"
)

func TestLagBeyondTheBoundIsMarked(t *testing.T) {
	lags := []model.LagPoint{
		{Index: 1, Lag: 500, Queued: true, Low: -1000, High: 1000},
		{Index: 2, Lag: 1000, Queued: true, Low: -1000, High: 1000},
		{Index: 3, Lag: -2000, Queued: true, Low: -1000, High: 1000},
		{Index: 4, Lag: -2000},
	}
	for i, want := range []string{
		"     .....:.*...",
		"     .....:....!",
		"!    .....:.....",
		"z         :     ",
	} {
		row := LagTable(lags, 0, nil, 16, ASCIIGlyphs(), FullDecimals).Rows[i]
		if row.Cells[4] != want {
			t.Errorf("point %d is drawn as %q, want %q", i, row.Cells[4], want)
		}
		if marked := row.Cells[3] == "!"; marked != strings.Contains(want, "!") {
			t.Errorf("point %d: marked %t", i, marked)
		}
	}
}

func TestShareStandsAgainstWeight(t *testing.T) {
	row := ShareTable([]ShareRow{{To: 10, Stat: model.ShareStat{Share: 750_000, WeightShare: 500_000}}}, 21).Rows[0]
	if got, want := strings.Join(row.Cells[2:], " "), "75.00 50.00 +25.00 ##########|####      "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
