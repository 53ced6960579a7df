// Command zerolag lets people watch the Linux EEVDF scheduler think, step by step,
// exact to the integer.
package main

import (
	"io"
	"os"

	"github.com/mattn/go-isatty"

	"zerolag/views/cli"
	"zerolag/views/tui"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs one command line and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program := cli.Program{
		Stdin: stdin, Stdout: stdout, Stderr: stderr,
		Terminal: isTerminal(stdin) && isTerminal(stdout), ErrTerminal: isTerminal(stderr),
		Open: func(o cli.Opening) error {
			return tui.Run(tui.Options{
				Scenario: o.Scenario, Argument: o.Argument, Change: o.Change, At: o.At, Versus: o.Versus, Hash: o.Hash, Recovery: tui.StateFolder(), ASCII: o.ASCII, Theme: o.Theme,
			}, stdin, stdout)
		},
	}
	return program.Run(args)
}

// isTerminal tells whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}
