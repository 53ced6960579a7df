package expr

import (
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Names resolves the names of tasks, groups, CPUs and features.
type Names struct {
	tasks    map[string]scheduler.TaskID
	groups   map[string]scheduler.GroupID
	taskList []string // in order of creation, for suggestions
	paths    []string
	cpus     int
	kernel   *scheduler.Profile
	others   *Others // nil if expressions cannot look at other runs
}

// NamesOf makes the names of a workload.
func NamesOf(w *scheduler.Workload) *Names {
	n := &Names{
		tasks:  map[string]scheduler.TaskID{},
		groups: map[string]scheduler.GroupID{"/": scheduler.RootGroup},
		paths:  []string{"/"},
		cpus:   w.Config.CPUs,
		kernel: w.Config.Kernel,
	}
	for i, t := range w.Tasks {
		if _, taken := n.tasks[t.Name]; !taken {
			n.tasks[t.Name] = scheduler.TaskID(i)
			n.taskList = append(n.taskList, t.Name)
		}
	}
	for i, g := range w.Groups {
		path := groupPath(n.paths, g)
		n.paths = append(n.paths, path)
		n.groups[path] = scheduler.GroupID(i + 1)
	}
	return n
}

// groupPath is a group's full path; paths holds those of the groups before it.
func groupPath(paths []string, g scheduler.GroupSpec) string {
	if strings.HasPrefix(g.Name, "/") || int(g.Parent) >= len(paths) || g.Parent < 0 {
		return "/" + strings.TrimPrefix(g.Name, "/")
	}
	return strings.TrimSuffix(paths[g.Parent], "/") + "/" + g.Name
}

// queue is the id of a group's queue on a CPU.
func (n *Names) queue(g scheduler.GroupID, cpu int) int { return int(g)*n.cpus + cpu }

// cpu reads "cpu3"; ok is false for other words and for CPUs that do not exist.
func (n *Names) cpu(word string) (cpu int, ok bool) {
	digits, cut := strings.CutPrefix(word, "cpu")
	if !cut || digits == "" || len(digits) > 6 || len(digits) > 1 && digits[0] == '0' {
		return 0, false
	}
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return 0, false
		}
		cpu = cpu*10 + int(d-'0')
	}
	return cpu, cpu < n.cpus
}

// feature finds a feature that the workload's kernel has.
func (n *Names) feature(word string) (f scheduler.Feature, ok bool) {
	f, ok = scheduler.FeatureByName(word)
	return f, ok && (n.kernel == nil || n.kernel.Knows(f))
}

// Nearest is the candidate that is most like word, "" if none is near.
func Nearest(word string, candidates []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := misspelt(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// misspelt counts the letters to insert, remove, replace or swap with their
// neighbour to get from a to b.
func misspelt(a, b string) int {
	older := make([]int, len(b)+1)
	old := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(old[j+1]+1, row[j]+1, old[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)]
}

// didYouMean is the hint for an unknown word.
func didYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "did you mean " + near + "?"
	}
	if len(candidates) <= 12 {
		return "one of " + strings.Join(slices.Clip(candidates), ", ")
	}
	return "see docs/FIELDS.md"
}
