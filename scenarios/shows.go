package scenarios

import (
	"slices"
	"strings"

	"zerolag/scheduler"
)

// Shows says on which kernels a scenario shows what it is about.
type Shows struct {
	// On are the names of these kernels, oldest first.
	On []string
	// That holds in the base run on each of these kernels and on no other.
	That Expectation
}

// shows reads the kernels and the statement, and makes an expectation for every
// kernel of it: that it holds, or that it does not.
func (r *reader) shows(n *node) {
	s := &Shows{}
	r.object(n, "shows", []key{
		{"on", func(n *node) { s.On = r.kernelRanges(n) }},
		{"that", func(n *node) { r.statement(n, &s.That) }},
	})
	r.require(n, "shows", "on", s.On != nil)
	r.require(n, "shows", "that", s.That.Text != "")
	for _, word := range []string{"always:", "never:"} {
		if strings.HasPrefix(s.That.Text, word) {
			r.fail(position{s.That.Line, s.That.Col}, "shows cannot say "+strings.TrimSuffix(word, ":"), `a statement about one moment, such as "at 3ms: pick == a", or about the end of the run`)
		}
	}
	r.s.Shows = s
	for _, name := range s.On {
		r.expectOn(name, s.That)
	}
	// The opposite comes last, so that a fault is placed in the text as written.
	e := s.That
	e.Text = negated(e.Text)
	for _, name := range kernelNames() {
		if !slices.Contains(s.On, name) {
			r.expectOn(name, e)
		}
	}
}

func (r *reader) expectOn(kernel string, e Expectation) {
	e.Kernel = kernel
	r.s.Expect = append(r.s.Expect, e)
}

// negated is the statement that another one does not hold.
func negated(text string) string {
	when, what := "", text
	if moment, rest, timed := strings.Cut(text, ": "); timed && strings.HasPrefix(text, "at ") {
		when, what = moment+": ", rest
	}
	return when + "!(" + what + ")"
}

// kernelRanges reads kernels as in 6.6..6.8,7.2, oldest first.
func (r *reader) kernelRanges(n *node) []string {
	named := map[string]bool{}
	for part := range strings.SplitSeq(r.line(n, "on"), ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(part), "..")
		if !ranged {
			to = from
		}
		first, last := slices.Index(kernelNames(), from), slices.Index(kernelNames(), to)
		if first < 0 || last < first {
			r.fail(n.at, "on has the part "+quote(strings.TrimSpace(part)), "kernels such as 6.6..6.8 or 6.6,7.2, the older one first, of "+strings.Join(kernelNames(), ", "))
			return nil
		}
		for _, name := range kernelNames()[first : last+1] {
			named[name] = true
		}
	}
	return slices.DeleteFunc(kernelNames(), func(name string) bool { return !named[name] })
}

// KernelRanges words kernels of a list that is in their order: "6.6..6.8, 7.2".
func KernelRanges(kernels []string) string {
	var parts []string
	all := kernelNames()
	for i := 0; i < len(all); {
		length := 0
		for i+length < len(all) && slices.Contains(kernels, all[i+length]) {
			length++
		}
		switch {
		case length == 1:
			parts = append(parts, all[i])
		case length > 1:
			parts = append(parts, all[i]+".."+all[i+length-1])
		}
		i += length + 1
	}
	return strings.Join(parts, ", ")
}

// Gone is the first kernel after the last that shows it, "" if the newest does.
func (s *Shows) Gone() string {
	profiles := scheduler.Profiles()
	for i, p := range profiles[:len(profiles)-1] {
		if p.Name == s.On[len(s.On)-1] {
			return profiles[i+1].Name
		}
	}
	return ""
}

// String words where it shows: "shows on 6.6..6.8, gone in 6.9".
func (s *Shows) String() string {
	text := "shows on " + KernelRanges(s.On)
	if gone := s.Gone(); gone != "" {
		text += ", gone in " + gone
	}
	return text
}
