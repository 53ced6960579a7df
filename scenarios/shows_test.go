package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// shown is a scenario that shows something on some kernels.
const shown = "tasks: [{name: a, does: run}]\nshows: {on: %, that: \"at 3ms: /:V == 1\"}\n"

// TestShowsExpectsTheStatementOrItsOpposite: one run for every kernel.
func TestShowsExpectsTheStatementOrItsOpposite(t *testing.T) {
	s := parse(t, strings.Replace(shown, "%", "'6.7..6.8, 7.2'", 1))
	if want := []string{"6.7", "6.8", "7.2"}; !slices.Equal(s.Shows.On, want) {
		t.Errorf("it shows on %v, want %v", s.Shows.On, want)
	}
	got := map[string]string{}
	for _, run := range s.Runs() {
		for _, e := range run.Expect {
			got[run.Options.Kernel] = e.Text
		}
	}
	for _, p := range scheduler.Profiles() {
		want := "at 3ms: !(/:V == 1)"
		if slices.Contains(s.Shows.On, p.Name) {
			want = "at 3ms: /:V == 1"
		}
		if got[p.Name] != want {
			t.Errorf("kernel %s is expected to have %q, want %q", p.Name, got[p.Name], want)
		}
	}
}

// TestKernelRanges: ranges read and written are the same, and Gone is what
// follows.
func TestKernelRanges(t *testing.T) {
	for _, c := range []struct{ text, gone string }{
		{"6.6", "6.7"},
		{"6.6..6.8", "6.9"},
		{"6.7, 6.12..6.17", "6.19"},
		{"6.12..7.2", ""},
		{"6.6..6.7, 7.2", ""},
	} {
		s := parse(t, strings.Replace(shown, "%", "'"+c.text+"'", 1))
		if got := scenarios.KernelRanges(s.Shows.On); got != c.text {
			t.Errorf("%s is written as %s", c.text, got)
		}
		if got := s.Shows.Gone(); got != c.gone {
			t.Errorf("what shows on %s is gone in %q, want %q", c.text, got, c.gone)
		}
	}
}
