package scenarios_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// TestTimesAreExact: decimal fractions reach the ns without rounding.
func TestTimesAreExact(t *testing.T) {
	for text, want := range map[string]scheduler.Time{
		"0": 0, "7": 7, "-7": -7, "0ns": 0, "3.83us": 3830, "3.83µs": 3830, "3.83μs": 3830,
		"0.1ms": 100_000, "3.100000ms": 3_100_000, "1s": 1_000_000_000,
		"0.000000001s": 1, "1.50ns": -1, "5.0ns": 5, "-1.048576ms": -1_048_576,
		"9223372036.854775807s": scheduler.NoTime, "16.777217s": 16_777_217_000,
	} {
		got, err := scenarios.ParseTime(text)
		if want == -1 {
			if err == nil {
				t.Errorf("%s: got %d, want a fault", text, got)
			}
			continue
		}
		if err != nil || got != want {
			t.Errorf("%s: got %d, %v, want %d", text, got, err, want)
		}
	}
}

// TestTextsThatAreNoTimes names the fault of each.
func TestTextsThatAreNoTimes(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "is not a time",
		"ms":                     "is not a time",
		"-":                      "is not a time",
		"+1ms":                   "is not a time",
		"1.ms":                   "is not a time",
		".5ms":                   "is not a time",
		"1.2.3ms":                "is not a time",
		"1 ms":                   "is not a time",
		"1_000":                  "is not a time",
		"--1ms":                  "is not a time",
		"1.5":                    "has no unit",
		"1sec":                   `has the unknown unit "sec"`,
		"1MS":                    `has the unknown unit "MS"`,
		"0.1234us":               "is finer than 1ns",
		"9223372036.854775808s":  "is out of range",
		"99999999999999999999ns": "is out of range",
	} {
		_, err := scenarios.ParseTime(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// TestFormatTimeIsShortestAndExact in the largest unit that is not a fraction.
func TestFormatTimeIsShortestAndExact(t *testing.T) {
	for want, time := range map[string]scheduler.Time{
		"0": 0, "3.1ms": 3_100_000, "3.83us": 3830, "999ns": 999, "100us": 100_000, "1s": 1_000_000_000,
		"1.000000001s": 1_000_000_001, "-1.048576ms": -1_048_576, "-9223372036.854775808s": -1 << 63,
	} {
		if got := scenarios.FormatTime(time); got != want {
			t.Errorf("%d: got %s, want %s", time, got, want)
		}
	}
}

// TestTimesSurviveBothWays: what FormatTime prints, ParseTime reads.
func TestTimesSurviveBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := scheduler.Time(rapid.Int64Range(-1<<63+1, 1<<63-1).Draw(t, "time"))
		got, err := scenarios.ParseTime(scenarios.FormatTime(want))
		if err != nil || got != want {
			t.Fatalf("%d became %d, %v", want, got, err)
		}
	})
}

// TestNearestNames: typing errors, beginnings and nonsense.
func TestNearestNames(t *testing.T) {
	names := []string{"nginx", "nice", "three-hogs", "short-slice", "RUN_TO_PARITY", "RUN_TO_PARITY_WAKEUP"}
	for typed, want := range map[string]string{
		"ngnix": "nginx", "nicee": "nice", "short": "short-slice", "run_to_parity": "RUN_TO_PARITY RUN_TO_PARITY_WAKEUP",
		"zebra": "", "": "", "three_hogs": "three-hogs", strings.Repeat("n", 100): "",
	} {
		if got := strings.Join(scenarios.Nearest(typed, names), " "); got != want {
			t.Errorf("%s: got %q, want %q", typed, got, want)
		}
	}
}
