package cli

import (
	"fmt"
	"strings"

	"zerolag/scenarios/recording"
)

// recordings counts what the replay of recordings compared.
type recordings struct {
	out                 *output
	all, differ, faulty int
	sum                 recording.Result
}

// file replays a trace and prints what became of it.
func (v *recordings) file(trace string) {
	v.all++
	r, err := recording.Verify(trace)
	if err != nil {
		v.faulty++
		v.out.printf("%s: UNREADABLE, %s\n", trace, strings.TrimSpace(strings.TrimPrefix(err.Error(), trace+":")))
		return
	}
	v.sum.Operations += r.Operations
	v.sum.Integers += r.Integers
	v.sum.Decisions += r.Decisions
	v.sum.Differences += r.Differences
	for kind, n := range r.Adopted {
		v.sum.Adopted[kind] += n
	}
	if r.First == nil {
		v.out.printf("%s: ok, kernel %s, %s\n", trace, r.Profile, counts(r))
		return
	}
	v.differ++
	v.out.printf("%s: DIFFERS, kernel %s, %s\n  first  %s\n", trace, r.Profile, counts(r), r.First)
}

// total prints the sum of all recordings.
func (v *recordings) total() {
	v.out.printf("%d recordings: %d ok, %d differ, %d unreadable; %s\n", v.all, v.all-v.differ-v.faulty, v.differ, v.faulty, counts(v.sum))
}

// counts is what a replay compared and what it adopted.
func counts(r recording.Result) string {
	text := fmt.Sprintf("%d operations, %d integers and %d decisions compared, %d differences, %d adopted",
		r.Operations, r.Integers, r.Decisions, r.Differences, r.Adopted.Total())
	if list := r.Adopted.String(); list != "" {
		text += " (" + list + ")"
	}
	return text
}
