package scheduler

import (
	"fmt"
	"strconv"
	"strings"
)

// version is a kernel's number: 6.12.30 is {6, 12, 30}.
type version struct{ major, minor, patch int }

func (v version) before(w version) bool {
	if v.major != w.major {
		return v.major < w.major
	}
	if v.minor != w.minor {
		return v.minor < w.minor
	}
	return v.patch < w.patch
}

// lineage says which profile answers for the versions from one on, and what
// differs; no difference means that this very version is described.
type lineage struct {
	from    version
	profile string
	differs string
}

const (
	beforeProfiles = "kernels before 6.6 do not have EEVDF; 6.6 is the oldest that is described"
	laterThan612y  = "fixes of the stable series after 6.12.117 are not described"
	early612y      = "the stable series had the rules of 6.12.0 at first; its fixes came one by one (base slice 0.7 ms in May 2025)"
	middle612y     = "between 6.12 and 6.12.y: zero_vruntime, the forfeiting yield and PICK_BUDDY came late in the series"
	tokenKernels   = "a new weight scales the lag and places the entity again (6d71a9c61604); a relative deadline does not ask PLACE_REL_DEADLINE; " +
		"min_vruntime; yield moves the deadline only; lazy preemption"
)

// tip is the version that the development tree will be.
const tip = "7.3"

// TipNote is what NearestProfile says of that version; Tip says more.
const TipNote = "one flat run queue per CPU: tasks of all groups compete with hierarchical weights; a short slice sets the next buddy and " +
	"shortens protection; the summaries of the tree are right (aug: ideal)"

// lineages is the time line of SPEC-7x section 1 and SPEC-6.6-6.12.0 section
// 3.15, ascending.
var lineages = []lineage{
	{version{0, 0, 0}, "6.6", beforeProfiles},
	{version{6, 6, 0}, "6.6", ""},
	{version{6, 7, 0}, "6.7", ""},
	{version{6, 8, 0}, "6.8", ""},
	{version{6, 9, 0}, "6.9", ""},
	{version{6, 10, 0}, "6.9", "a new task's first utilisation uses the unscaled weight"},
	{version{6, 11, 0}, "6.9", "a new task's first utilisation uses the unscaled weight; SCHED_IDLE gets its weight through a reweight, which scales the lag"},
	{version{6, 12, 0}, "6.12", ""},
	{version{6, 12, 1}, "6.12", early612y},
	{version{6, 12, 30}, "6.12.y", middle612y},
	{version{6, 12, 117}, "6.12.y", ""},
	{version{6, 12, 118}, "6.12.y", laterThan612y},
	{version{6, 13, 0}, "6.12", "a zero lag is not inflated; no DOUBLE_TICK; " + tokenKernels},
	{version{6, 14, 0}, "6.12.y", "base slice 0.75 ms; slices of groups may be wrong as in 6.12; no NI_RANDOM, no DOUBLE_TICK; " + tokenKernels},
	{version{6, 15, 0}, "6.12.y", "no NI_RANDOM, no DOUBLE_TICK; " + tokenKernels},
	{version{6, 17, 0}, "6.17", ""},
	{version{6, 18, 0}, "6.17", "quotas throttle at the return to user mode (inferred)"},
	{version{6, 18, 2}, "6.17", "quotas throttle at the return to user mode (inferred); yield forfeits the request, as in 6.19"},
	{version{6, 19, 0}, "6.19", ""},
	{version{7, 0, 0}, "7.0", ""},
	{version{7, 1, 0}, "7.1", ""},
	{version{7, 2, 0}, "7.2", ""},
	{version{7, 3, 0}, "7.2", TipNote},
	{version{7, 4, 0}, "7.2", "later than everything that is described; 7.2 is the newest profile"},
}

// NearestProfile finds the profile that answers for a kernel: a profile's name
// a version like v7.1, 6.12.30 or 6.12.117-1~deb12u1, or tip. exact tells that the
// profile describes it; otherwise note says what differs. p is nil for a text
// that is no version, and note then says what was expected.
func NearestProfile(text string) (p *Profile, exact bool, note string) {
	name := strings.TrimPrefix(text, "v")
	if name == "tip" {
		name = tip
	}
	if p, ok := ProfileByName(name); ok {
		return p, true, ""
	}
	v, rest, ok := parseVersion(name)
	if !ok {
		return nil, false, fmt.Sprintf("kernel %q: expected a version like 6.12.30", text)
	}
	l := lineages[0]
	for _, next := range lineages {
		if !v.before(next.from) {
			l = next
		}
	}
	p, _ = ProfileByName(l.profile)
	switch {
	case strings.HasPrefix(rest, "-rc"):
		note = joinNotes(l.differs, "a release candidate may lack late fixes; up to 6.9-rc5 a new weight follows the rule of 6.8")
	case l.differs == "" && v.patch > l.from.patch:
		note = "fixes of the stable series are not described"
	default:
		note = l.differs
	}
	return p, note == "", note
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// parseVersion reads MAJOR.MINOR or MAJOR.MINOR.PATCH; rest is what follows.
func parseVersion(text string) (v version, rest string, ok bool) {
	for i, part := range []*int{&v.major, &v.minor, &v.patch} {
		if i > 0 {
			if !strings.HasPrefix(text, ".") {
				return v, text, i == 2
			}
			text = text[1:]
		}
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		n, err := strconv.Atoi(text[:digits])
		if err != nil {
			return v, text, i == 2
		}
		*part, text = n, text[digits:]
	}
	return v, text, true
}
