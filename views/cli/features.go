package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/scheduler"
	"zerolag/views"
)

func newFeatures(out *output) *cobra.Command {
	profiles := scheduler.Profiles()
	kernel := profiles[len(profiles)-1]
	long := false
	cmd := &cobra.Command{
		Use:   "features",
		Short: "print the scheduler features of a kernel",
		Long: `features prints one line exactly as the kernel's own features file does: every
name followed by a blank, those that are off by default with NO_ before them.

--long tells of every feature, and of every proposal that can be switched on top
of that kernel, its default, since and until when kernels have it, what it does,
where it was proposed and why it may have no effect; below, what the threads are
that proposals come from.`,
		Example: `  zerolag features
  zerolag features --kernel 6.12.y --long`,
		GroupID: groupKnow,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if long {
				t := featureTable(kernel)
				out.printf("%s\n%s", t.Text(0), threadList())
				return nil
			}
			out.printf("%s\n", featureLine(kernel))
			return nil
		},
	}
	cmd.Flags().Var(&flagValue{text: kernel.Name, kind: "NAME", read: func(text string) (err error) {
		kernel, err = kernelByName(text)
		return err
	}}, "kernel", "the kernel, see 'zerolag kernels'")
	completeFlag(cmd, "kernel", kernelNames)
	cmd.Flags().BoolVar(&long, "long", false, "tell about every feature and proposal")
	return cmd
}

// featureLine is the content of the kernel's features file with its defaults.
func featureLine(p *scheduler.Profile) string {
	var b strings.Builder
	for _, d := range p.Features {
		b.WriteString(scheduler.FeatureSetting(d).String() + " ")
	}
	return b.String()
}

// threadList says what the threads are that proposals name by number.
func threadList() string {
	var b strings.Builder
	for _, t := range scheduler.Threads() {
		fmt.Fprintf(&b, "thread %s: %s (%s)\n", t.Number, t.Subject, t.Dates)
	}
	return b.String()
}

// featureTable lists the features of a profile, then the proposals.
func featureTable(p *scheduler.Profile) views.Table {
	t := views.Table{Columns: []views.Column{
		{Head: "feature"}, {Head: "default"}, {Head: "since"}, {Head: "until"}, {Head: "meaning"}, {Head: "remark"},
	}}
	for _, d := range slices.Concat(p.Features, p.Proposals) {
		info := d.Feature.Info()
		state, since, until := "off", info.Since, info.Until
		if d.On {
			state = "on"
		}
		if since == "" {
			since = "-"
		}
		if until == "" {
			until = "-"
		}
		t.Rows = append(t.Rows, views.Row{Cells: []string{info.Name, state, since, until, info.Meaning, d.Feature.Remark()}})
	}
	return t
}
