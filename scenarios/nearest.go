package scenarios

import (
	"slices"
	"strings"
)

// Limits of suggestions: how many are made, and how long a name may be to get any.
const (
	maxSuggestions = 3
	maxNameLength  = 64
)

// Nearest finds the names that somebody who typed name probably meant: those
// within an edit distance of a third of its length (at least 1) or that begin
// with it, the nearest first, at most three. Case does not count.
func Nearest(name string, among []string) []string {
	if name == "" || len(name) > maxNameLength {
		return nil
	}
	typed := strings.ToLower(name)
	limit := max(1, len(typed)/3)
	type match struct {
		name     string
		distance int
	}
	var found []match
	for _, candidate := range among {
		other := strings.ToLower(candidate)
		if len(other) > maxNameLength {
			continue
		}
		d := editDistance(typed, other)
		if d > limit && !(len(typed) > 1 && strings.HasPrefix(other, typed)) {
			continue
		}
		found = append(found, match{candidate, d})
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.distance - b.distance })
	var names []string
	for _, m := range found[:min(len(found), maxSuggestions)] {
		names = append(names, m.name)
	}
	return names
}

// suggestion words what was expected instead of an unknown name: the nearest
// names, or else all of them if they are few.
func suggestion(name string, among []string) string {
	near := Nearest(name, among)
	switch {
	case len(near) > 0:
		return strings.Join(near, " or ")
	case len(among) == 0:
		return "no name here, as there is none"
	case len(among) <= 40:
		return "one of " + strings.Join(among, ", ")
	}
	return "one of " + strings.Join(among[:5], ", ") + " and others"
}

// editDistance is the number of insertions, deletions, replacements and swaps of
// neighbours (each pair once) that turn a into b, by bytes.
func editDistance(a, b string) int {
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
