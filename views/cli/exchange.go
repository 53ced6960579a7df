package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/scenarios/rtapp"
)

// partialUsage explains the flag of import and export.
const partialUsage = "go on without what cannot be carried over"

func newImport(p *Program, out *output) *cobra.Command {
	partial := false
	cmd := &cobra.Command{
		Use:   "import FILE.json",
		Short: "print an rt-app workload as a scenario",
		Long: `import reads a workload of rt-app and prints the scenario. 'zerolag FILE.json'
opens such a file as it is. Events and settings that a scenario does not have are
listed with their places; --partial goes on without them and lists them in the
scenario too. docs/RTAPP.md says what becomes of what.`,
		Example: `  zerolag import workload.json > workload.yaml
  zerolag workload.json`,
		GroupID: groupWrite,
		Args:    needFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d arguments: expected one file", len(args))
			}
			return importFile(args[0], partial, p, out)
		},
	}
	cmd.Flags().BoolVar(&partial, "partial", false, partialUsage)
	return cmd
}

// importFile prints the scenario of a workload.
func importFile(file string, partial bool, p *Program, out *output) error {
	name, text, err := scenarios.Read(file)
	if err != nil {
		return err
	}
	in := scenarios.Import(name, text)
	if len(in.Unsupported) > 0 && (!partial || in.Text == nil) {
		for _, fault := range in.Unsupported {
			fmt.Fprintf(p.Stderr, "%v\n", fault)
		}
		return fmt.Errorf("%s: %s not supported: expected a workload that a scenario can say, or --partial",
			file, counted(len(in.Unsupported), "thing"))
	}
	for _, note := range in.Notes {
		out.printf("# Line %d: %s.\n", note.Line, note.Msg)
	}
	for _, fault := range in.Unsupported {
		out.printf("# Line %d, left out: %s.\n", fault.Line, fault.Msg)
	}
	_, _ = out.Write(in.Text)
	if _, err := scenarios.Parse(file+" as a scenario", in.Text); err != nil {
		return err
	}
	return nil
}

func newExport(p *Program, out *output) *cobra.Command {
	c, partial := &changes{}, false
	cmd := &cobra.Command{
		Use:   "export NAME|FILE",
		Short: "print a scenario as an rt-app workload",
		Long: `export prints a scenario as a workload of rt-app, so that it can run on a real
machine. What such a file cannot say is listed; --partial goes on without it.
The machine, its kernel, features, tick and slices, is no part of the format: what
it has to be is said on standard error.`,
		Example: `  zerolag export nginx > nginx.json
  zerolag export fork --partial`,
		GroupID:           groupWrite,
		ValidArgsFunction: completeScenario,
		Args:              needFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d arguments: expected one scenario", len(args))
			}
			s, err := load(args[0], c, out)
			if err != nil {
				return err
			}
			if s.scenario.Recorded() {
				return fmt.Errorf("%s is a recording: expected a scenario, because a recording has no task programs", s.scenario.Name)
			}
			file, missing := rtapp.Export(s.workload)
			for _, m := range missing {
				fmt.Fprintf(p.Stderr, "%s: rt-app cannot say %s\n", args[0], m)
			}
			if len(missing) > 0 && !partial {
				return errors.New("a part would be lost: expected a scenario that rt-app can say, or --partial")
			}
			fmt.Fprintf(p.Stderr, "run it on: %s\n", s.settings())
			_, _ = out.Write(file)
			return nil
		},
	}
	c.register(cmd)
	cmd.Flags().BoolVar(&partial, "partial", false, partialUsage)
	return cmd
}
