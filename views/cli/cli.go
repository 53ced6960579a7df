// Package cli is the program without a terminal: its commands, their flags and
// what they print.
//
// Pictures, log lines and explanations come from package views, so they are the
// ones that the terminal program shows. Everything that is printed depends on the
// arguments and files alone: the same input gives the same bytes. The one
// exception is the speed that "story --quiet" measures.
//
// cli.go runs a command and turns its error into an exit code; root.go builds the
// tree of commands; flags.go reads the flags that change a scenario; the other
// files hold one command each.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"syscall"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // an expectation, an invariant or a vector does not hold
	exitBad    = 2 // the input cannot be used
)

// Opening says what the terminal program is asked to show.
type Opening struct {
	// Scenario is nil if the user is to choose one.
	Scenario *scenarios.Scenario
	// Argument is how the command line names the scenario: a name or a file.
	Argument string
	// Change overrides the scenario from outside.
	Change scenarios.Options
	// At is where to start; nil is the first bookmark.
	At    *model.Position
	ASCII bool
	Theme views.Theme
	// Versus are settings to compare with, see scenarios.ParseSettings; "": nothing.
	Versus string
	// Hash is that of the run that the command line was made for; "" if it does not
	// say.
	Hash string
}

// Program is where the commands read and write.
type Program struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal tells that Stdin and Stdout are a terminal.
	Terminal bool
	// ErrTerminal tells that Stderr is one: progress is shown there.
	ErrTerminal bool
	// Open shows the terminal program and returns when the user quits.
	Open func(Opening) error
}

// Run runs one command line without the program's name and returns its exit code:
// 0, 1 if something does not hold that was to be verified, 2 if the input cannot
// be used. A reader of the output that goes away early is no error.
func (p Program) Run(args []string) int {
	out := newOutput(p.Stdout)
	root := newRoot(&p, out)
	root.SetArgs(append([]string{}, args...))
	root.SetIn(p.Stdin)
	root.SetOut(out)
	root.SetErr(p.Stderr)
	err := root.Execute()
	out.flush()
	code := exitOK
	switch {
	case errors.Is(err, errFailed):
		code = exitFailed
	case err != nil:
		fmt.Fprintf(p.Stderr, "zerolag: %v\n", err)
		code = exitBad
	}
	if out.err != nil && !errors.Is(out.err, syscall.EPIPE) {
		fmt.Fprintf(p.Stderr, "zerolag: output: %v\n", out.err)
		return exitBad
	}
	return code
}

// errFailed ends a command that has printed what does not hold.
var errFailed = errors.New("verification failed")

// output is the standard output. After the first error nothing more is written,
// and commands with much to say stop.
type output struct {
	w   *bufio.Writer
	err error
}

func newOutput(w io.Writer) *output { return &output{w: bufio.NewWriter(w)} }

// Write never fails: the error is kept.
func (o *output) Write(p []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.w.Write(p)
	}
	return len(p), nil
}

func (o *output) printf(format string, args ...any) { fmt.Fprintf(o, format, args...) }

func (o *output) flush() {
	if o.err == nil {
		o.err = o.w.Flush()
	}
}

// closed tells that nobody reads the output any more.
func (o *output) closed() bool { return o.err != nil }
