package cli

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

// noArguments demands that there are none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s with argument %q: expected none", cmd.Name(), args[0])
	}
	return nil
}

func newList(out *output) *cobra.Command {
	kernel := ""
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the built-in scenarios",
		Long: `list prints every built-in scenario by topic: its name, what to look at, the kernels
that show it and its variants.

--kernel leaves out the cases that show nothing on that kernel.`,
		Example: `  zerolag list
  zerolag list --kernel 6.8`,
		GroupID: groupKnow,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			out.printf("%s", listText(kernel))
			return nil
		},
	}
	cmd.Flags().Var(&flagValue{kind: "NAME", read: func(text string) error {
		if _, known := scheduler.ProfileByName(text); !known {
			return errors.New("expected " + strings.Join(kernelNames(), ", "))
		}
		kernel = text
		return nil
	}}, "kernel", "only what shows something on this kernel")
	completeFlag(cmd, "kernel", kernelNames)
	return cmd
}

// listText is every built-in scenario that shows something on a kernel ("" is any),
// by topic: its name, the first sentence of what to look at, its variants.
func listText(kernel string) string {
	var b strings.Builder
	topic := ""
	for _, e := range scenarios.Library() {
		if kernel != "" && !e.ShownOn(kernel) {
			continue
		}
		if e.Topic != topic {
			if topic != "" {
				b.WriteByte('\n')
			}
			topic = e.Topic
			b.WriteString(topic + "\n")
		}
		b.WriteString(entryText(e))
	}
	return b.String()
}

// The widths of the list, in columns: of the names, of the texts beside them.
const (
	nameWidth  = 14
	aboutWidth = 62
)

func entryText(e scenarios.Entry) string {
	about := e.Headline()
	if e.Shows != nil {
		about += "\n" + e.Shows.String()
	}
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
