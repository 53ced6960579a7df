package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/scenarios"
	"zerolag/views"
)

// The groups of commands in the help.
const (
	groupLook  = "look"
	groupCheck = "check"
	groupWrite = "write"
	groupKnow  = "know"
)

// newRoot builds the tree of commands.
func newRoot(p *Program, out *output) *cobra.Command {
	c, at, versus := &changes{}, &place{}, &scenarios.Settings{}
	root := &cobra.Command{
		Use:   "zerolag [NAME|FILE|DIR]",
		Short: "Watch the Linux EEVDF scheduler think, step by step, exact to the integer",
		Long: `zerolag runs a scenario on an exact model of the Linux fair scheduler (EEVDF)
and lets you step through every decision: who was eligible, whose deadline was
earliest, whose slice was protected, and which feature would change the outcome.

In a terminal NAME or FILE opens the stepping program at its first bookmark.
Elsewhere (in a pipe, in a file) the same command prints the story: note,
picture and explanation of every bookmark. Without arguments there is the list of
scenarios. FILE is a scenario in YAML or a workload of rt-app in JSON.

DIR is a recording of a running kernel, as docs/record.sh makes it: what the kernel
did is stepped through in the same way, and where the model disagrees is marked.
story, draw, stats, waits and origin take one too.`,
		Example: `  zerolag nginx                          step through the Nginx wakeup story
  zerolag nginx --at 3.1ms               open it at that moment
  zerolag nginx --vs NO_RUN_TO_PARITY    step through two runs at once
  zerolag nginx --variant with | less    read the story of a variant
  zerolag list                           what else there is to watch`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeScenario,
		SilenceErrors:     true,
		SilenceUsage:      true,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 0:
				return choose(p, cmd, c, out)
			case 1:
				return open(p, cmd, c, Opening{Argument: args[0], At: at.at, Versus: versus.String()}, out)
			}
			return fmt.Errorf("%d arguments: expected one scenario, as in 'zerolag %s'", len(args), args[0])
		},
	}
	c.register(root)
	at.register(root, "open at event N of time T, such as 3.1ms or 3.1ms#1")
	versusFlag(root, "compare with another run: A,NO_B,kernel=6.12.y,hz=250", func(x scenarios.Settings) { *versus = x })
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(helpTemplate)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: groupLook, Title: "Look:"},
		&cobra.Group{ID: groupCheck, Title: "Check:"},
		&cobra.Group{ID: groupWrite, Title: "Write scenarios:"},
		&cobra.Group{ID: groupKnow, Title: "Know:"},
	)
	root.SetHelpCommandGroupID(groupKnow)
	root.SetCompletionCommandGroupID(groupKnow)
	root.AddCommand(
		newStory(out), newDraw(out), newStats(out), newCompare(out), newWaits(out), newOrigin(out),
		newTest(p, out), newVerify(out),
		newNew(out), newLint(out), newFmt(out), newImport(p, out), newExport(p, out),
		newList(out), newKernels(out), newFeatures(out), newVersion(out),
	)
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Short = "print a script that completes names in your shell"
		completion.Args = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("completion with argument %q: expected one of bash, fish, powershell, zsh", args[0])
			}
			return nil
		}
		completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	return root
}

// helpTemplate is the help of every command.
const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}Usage:
  {{.UseLine}}
{{- if .HasExample}}

Examples:
{{.Example}}
{{- end}}
{{- if .HasAvailableSubCommands}}{{$all := .Commands}}
{{- range $group := .Groups}}

{{.Title}}
{{- range $all}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}
{{- end}}{{end}}{{end}}
{{- end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{- end}}
{{- if .HasAvailableSubCommands}}

zerolag COMMAND --help tells more about a command. Exit codes: 0 all is well,
1 something that was to be verified does not hold, 2 the input cannot be used.
{{- end}}
`

// flagError names the flags that somebody who typed an unknown one probably meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown interface{ GetSpecifiedName() string }
	if !errors.As(err, &unknown) || !strings.HasPrefix(err.Error(), "unknown") {
		return err
	}
	name := unknown.GetSpecifiedName()
	for _, near := range scenarios.Nearest(name, flagNames(cmd)) {
		return fmt.Errorf("unknown flag --%s: expected --%s", name, near)
	}
	return fmt.Errorf("unknown flag --%s: expected one of '%s --help'", name, cmd.CommandPath())
}

// choose lets the user choose a scenario. Without a terminal the scenarios are
// listed.
func choose(p *Program, cmd *cobra.Command, c *changes, out *output) error {
	if cmd.Flags().NFlag() > 0 && !p.Terminal {
		return errors.New("flags without a scenario: expected a name, as in 'zerolag nginx'")
	}
	if p.Terminal {
		return p.Open(Opening{Change: c.options, ASCII: c.ascii, Theme: c.theme})
	}
	out.printf("%s", listText(""))
	out.printf("\n'zerolag NAME' opens one in a terminal, 'zerolag --help' tells all.\n")
	return nil
}

// open shows what o asks for: in a terminal with the stepping program, else in print.
func open(p *Program, cmd *cobra.Command, c *changes, o Opening, out *output) error {
	if err := refuseTypo(cmd, o.Argument); err != nil {
		return err
	}
	s, err := load(o.Argument, c, out)
	if err != nil {
		return err
	}
	if err := s.inside(o.At); err != nil {
		return err
	}
	o.Scenario, o.Change, o.ASCII, o.Theme, o.Hash = s.scenario, c.options, c.ascii, c.theme, c.hash
	switch {
	case p.Terminal:
		return p.Open(o)
	case o.Versus != "":
		return fmt.Errorf("--vs without a terminal: expected 'zerolag compare %s --vs %s'", scenarios.ShellWord(o.Argument), scenarios.ShellWord(o.Versus))
	case o.At != nil:
		return s.draw(out, drawing{width: views.PictureWidth, glyphs: views.ASCIIGlyphs(), command: true}, *o.At)
	}
	return s.tell(out)
}

// refuseTypo tells about a name that is neither a scenario nor a file, but
// resembles a command.
func refuseTypo(cmd *cobra.Command, argument string) error {
	if slices.Contains(scenarios.Names(), argument) {
		return nil
	}
	if _, err := os.Stat(argument); err == nil {
		return nil
	}
	var commands []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			commands = append(commands, sub.Name())
		}
	}
	near := scenarios.Nearest(argument, slices.Concat(scenarios.Names(), commands))
	if len(near) == 0 {
		return nil
	}
	return fmt.Errorf("no scenario, file or command %q: expected %s", argument, strings.Join(near, " or "))
}
