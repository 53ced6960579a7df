package views

import (
	"fmt"
	"math"
	"testing"

	"github.com/charmbracelet/lipgloss"
)

// rgb is a colour in linear light, 0 ... 1.
type rgb [3]float64

func linear(t *testing.T, c lipgloss.CompleteColor) rgb {
	t.Helper()
	var v [3]int
	if _, err := fmt.Sscanf(c.TrueColor, "#%02x%02x%02x", &v[0], &v[1], &v[2]); err != nil {
		t.Fatal(err)
	}
	var out rgb
	for i := range v {
		out[i] = math.Pow(float64(v[i])/255, 2.2)
	}
	return out
}

// The projections of colours as people without long, middle or short wave cones see
// them (Viénot, Brettel and Mollon 1999; the last is the usual approximation).
var deficiencies = map[string][3]rgb{
	"none":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}},
	"deuteranopia": {{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}},
	"tritanopia":   {{1, 0.1446, -0.1446}, {0, 0.8590, 0.1410}, {0, 0.8590, 0.1410}},
}

func seen(c rgb, m [3]rgb) rgb {
	var out rgb
	for i := range m {
		for k := range c {
			out[i] += m[i][k] * c[k]
		}
		out[i] = math.Pow(min(max(out[i], 0), 1), 1/2.2)
	}
	return out
}

// TestEverybodyTellsTheColoursApart: what stands for opposite things differs for
// every kind of colour vision, on dark and on light.
func TestEverybodyTellsTheColoursApart(t *testing.T) {
	const least = 0.15 // of the distance between black and white along one axis
	all := paints()
	for _, pair := range [][2]Style{
		{StyleEligible, StyleIneligible},
		{StyleRunning, StylePreempted},
		{StyleRunning, StyleWaiting},
		{StyleProtected, StyleRequest},
		{StyleEligible, StyleV},
		{StyleIneligible, StyleDelayed},
	} {
		for name, m := range deficiencies {
			for _, light := range []bool{false, true} {
				pick := func(s Style) rgb {
					if light {
						return seen(linear(t, all[s].light), m)
					}
					return seen(linear(t, all[s].dark), m)
				}
				a, b := pick(pair[0]), pick(pair[1])
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < least {
					t.Errorf("%s, light %v: styles %d and %d are %.2f apart, want %.2f", name, light, pair[0], pair[1], d, least)
				}
			}
		}
	}
}
