package scenarios

import (
	"slices"
	"strings"
)

// topic is a heading over built-in scenarios.
type topic struct {
	title string
	names []string
}

// topics are the built-in scenarios outside folders, the first to look at first.
var topics = []topic{
	{"Wakeups and preemption", []string{"nginx", "short-slice", "batch"}},
	{"Shares, weights and limits", []string{"three-hogs", "nice", "groups", "quota"}},
	{"Sleep, yield and fork", []string{"sleeper", "yield", "fork"}},
	{"Slices and the tick", []string{"hogs-100-0.1", "stale-slices", "nr-running"}},
	{"Several CPUs", []string{"hog", "pingpong", "schbench", "two-cpus", "newidle", "wake-affine-delayed"}},
}

// The folders of the library.
const (
	lessons = "teach/"
	cases   = "cases/"
)

// topicOf is the heading that a built-in scenario stands under, and its place among
// the headings: first the topics and lessons, in the order of the names, then the
// cases by the kernel that ends them, then those that the newest kernel shows.
func topicOf(s *Scenario, name string) (title string, rank int) {
	kernels := kernelNames()
	switch {
	case strings.HasPrefix(name, lessons):
		return "Lessons, the easiest first", -1
	case !strings.HasPrefix(name, cases):
		i := slices.IndexFunc(topics, func(t topic) bool { return slices.Contains(t.names, name) })
		return topics[i].title, -1
	case s.Shows == nil:
		return "Museum: proposals", len(kernels) + 2
	case len(s.Shows.On) == len(kernels):
		return "Museum: what every kernel shows", len(kernels) + 1
	case s.Shows.Gone() == "":
		return "Museum: what older kernels did not show", len(kernels)
	}
	gone := s.Shows.Gone()
	return "Museum: gone in " + gone, slices.Index(kernels, gone)
}
