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
	{"Slices and the tick", []string{"hogs-100-0.1"}},
	{"Several CPUs", []string{"hog", "pingpong", "schbench", "two-cpus", "newidle", "wake-affine-delayed"}},
}

// The folders of the library.
const (
	lessons = "teach/"
	cases   = "cases/"
)

// topicOf is the heading that a built-in scenario stands under. Cases stand under
// the kernel that ends them.
func topicOf(s *Scenario, name string) string {
	switch {
	case strings.HasPrefix(name, lessons):
		return "Lessons, the easiest first"
	case !strings.HasPrefix(name, cases):
		i := slices.IndexFunc(topics, func(t topic) bool { return slices.Contains(t.names, name) })
		return topics[i].title
	case s.Shows == nil || len(s.Shows.On) == len(kernelNames()):
		return "Museum: what every kernel shows"
	case s.Shows.Gone() == "":
		return "Museum: what older kernels did not show"
	}
	return "Museum: gone in " + s.Shows.Gone()
}

// topicRank orders the topics of cases: by the kernel that ends them, and those
// that the newest kernel shows at the end.
func topicRank(s *Scenario, name string) int {
	switch {
	case !strings.HasPrefix(name, cases):
		return -1
	case s.Shows == nil || len(s.Shows.On) == len(kernelNames()):
		return len(kernelNames()) + 1
	case s.Shows.Gone() == "":
		return len(kernelNames())
	}
	return slices.Index(kernelNames(), s.Shows.Gone())
}
