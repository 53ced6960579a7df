package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"zerolag/scheduler"
	"zerolag/views"
)

// kernelsWidth is the width of the lists below the table, in columns.
const kernelsWidth = 80

func newKernels(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "kernels [VERSION]...",
		Short: "list the kernel versions that can be run",
		Long: `kernels lists the profiles that can be run. For any other version it tells which
profile is the nearest and what is different there, and which rules of that profile
nobody has run or seen in that version's source.`,
		Example: `  zerolag kernels
  zerolag kernels 6.10 6.18.5 6.12.30 tip`,
		GroupID: groupKnow,
		RunE: func(_ *cobra.Command, versions []string) error {
			if len(versions) > 0 {
				return nearestKernels(out, versions)
			}
			t := views.Table{Columns: []views.Column{{Head: "kernel"}, {Head: "release"}, {Head: "summary"}}}
			for _, p := range scheduler.Profiles() {
				t.Rows = append(t.Rows, views.Row{Cells: []string{p.Name, p.Release, p.Summary}})
			}
			out.printf("%s", t.Text(0))
			return nil
		},
	}
}

// nearestKernels tells which profile answers for each version, what differs there,
// and what is inferred of these profiles.
func nearestKernels(out *output, versions []string) error {
	t := views.Table{Columns: []views.Column{{Head: "kernel"}, {Head: "profile"}, {Head: "what differs"}}}
	var profiles []*scheduler.Profile
	upcoming := false
	for _, v := range versions {
		p, exact, note := scheduler.NearestProfile(v)
		upcoming = upcoming || p != nil && note == scheduler.TipNote
		switch {
		case p == nil:
			return fmt.Errorf("%s", note)
		case exact:
			note = "nothing: the profile describes it"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []string{v, p.Name, note}})
		if !slices.Contains(profiles, p) {
			profiles = append(profiles, p)
		}
	}
	out.printf("%s", t.Text(0))
	if upcoming {
		next := scheduler.Tip()
		out.printf("%s", listBelow(next.Version+", tip, what is known to differ:", next.Differs))
		out.printf("%s", listBelow(next.Version+", tip, what is not known precisely enough to run it:", next.Unstated))
	}
	for _, p := range profiles {
		out.printf("%s", listBelow("profile "+p.Name+", not run or not seen in that version's source:", p.Inferred))
	}
	return nil
}

// listBelow is a list under its heading, after a blank line.
func listBelow(heading string, items []string) string {
	text := "\n" + heading + "\n"
	for _, item := range items {
		text += hanging("- ", item)
	}
	return text
}

// hanging is a text in lines of kernelsWidth columns behind a mark.
func hanging(mark, text string) string {
	lines := ansi.Wordwrap(text, kernelsWidth-len(mark), "")
	return mark + strings.ReplaceAll(lines, "\n", "\n"+strings.Repeat(" ", len(mark))) + "\n"
}
