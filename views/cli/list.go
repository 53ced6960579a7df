package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// noArguments demands that there are none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s with argument %q: expected none", cmd.Name(), args[0])
	}
	return nil
}

func newList(out *output) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the built-in scenarios",
		Example: `  zerolag list`,
		GroupID: groupKnow,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			out.printf("%s", listText())
			return nil
		},
	}
}

// topic is a heading of the list: scenarios by name, or all of a folder.
type topic struct {
	title  string
	names  []string
	folder string
}

// has tells whether a scenario stands under the heading; one with neither names
// nor a folder takes the rest.
func (t topic) has(name string) bool {
	if t.folder != "" {
		return strings.HasPrefix(name, t.folder+"/")
	}
	return t.names == nil || slices.Contains(t.names, name)
}

// topics say what the built-in scenarios are about. One that stands nowhere here
// is listed at the end.
var topics = []topic{
	{title: "Wakeups and preemption", names: []string{"nginx", "short-slice", "batch"}},
	{title: "Shares and weights", names: []string{"three-hogs", "nice", "groups"}},
	{title: "Sleep, yield and fork", names: []string{"sleeper", "yield", "fork"}},
	{title: "Slices and the tick", names: []string{"hogs-100-0.1"}},
	{title: "Several CPUs", names: []string{"hog"}},
	{title: "Lessons, the easiest first", folder: "teach"},
	{title: "Cases from reports and commits (docs/CASES.md)", folder: "cases"},
}

// listText is every built-in scenario by topic: its name, the first sentence of
// what to look at, its variants.
func listText() string {
	rest := scenarios.Library()
	var b strings.Builder
	for _, t := range append(slices.Clip(topics), topic{title: "More"}) {
		var chosen []scenarios.Entry
		rest = slices.DeleteFunc(rest, func(e scenarios.Entry) bool {
			if !t.has(e.Name) {
				return false
			}
			chosen = append(chosen, e)
			return true
		})
		if len(chosen) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.title + "\n")
		for _, e := range chosen {
			b.WriteString(entryText(e))
		}
	}
	return b.String()
}

// The widths of the list, in columns: of the names, of the texts beside them.
const (
	nameWidth  = 14
	aboutWidth = 62
)

func entryText(e scenarios.Entry) string {
	about := firstSentence(e.About)
	if len(e.Variants) > 0 {
		about += "\nvariants: " + strings.Join(e.Variants, ", ")
	}
	var b strings.Builder
	name := e.Name
	if len(name) >= nameWidth {
		fmt.Fprintf(&b, "  %s\n", name)
		name = ""
	}
	for line := range strings.SplitSeq(ansi.Wordwrap(about, aboutWidth, ""), "\n") {
		fmt.Fprintf(&b, "  %-*s%s\n", nameWidth, name, line)
		name = ""
	}
	return b.String()
}

// firstSentence is a text up to its first full stop that ends a sentence.
func firstSentence(text string) string {
	for i, r := range text {
		if r == '.' && (i+1 == len(text) || text[i+1] == ' ') {
			return text[:i]
		}
	}
	return text
}

func newKernels(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [VERSION]...",
		Short: "list the kernel versions that can be run",
		Long: `kernels lists the profiles that can be run. For any other version it tells which
profile is the nearest and what is different there.`,
		Example: `  zerolag kernels
  zerolag kernels 6.10 6.18.5 6.12.30 tip`,
		GroupID: groupKnow,
		RunE: func(_ *cobra.Command, versions []string) error {
			t := views.Table{Columns: []views.Column{{Head: "kernel"}, {Head: "release"}, {Head: "summary"}}}
			if len(versions) > 0 {
				t.Columns = []views.Column{{Head: "kernel"}, {Head: "profile"}, {Head: "what differs"}}
			}
			for _, v := range versions {
				p, exact, note := scheduler.NearestProfile(v)
				switch {
				case p == nil:
					return fmt.Errorf("%s", note)
				case exact:
					note = "nothing: the profile describes it"
				}
				t.Rows = append(t.Rows, views.Row{Cells: []string{v, p.Name, note}})
			}
			if len(versions) == 0 {
				for _, p := range scheduler.Profiles() {
					t.Rows = append(t.Rows, views.Row{Cells: []string{p.Name, p.Release, p.Summary}})
				}
			}
			out.printf("%s", t.Text(0))
			return nil
		},
	}
}

func newVersion(out *output) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the version of the program",
		Example: `  zerolag version`,
		GroupID: groupKnow,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			version := "unknown"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			out.printf("zerolag %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
