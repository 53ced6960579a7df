package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"zerolag/scenarios"
)

func newNew(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "new [NAME]",
		Short: "write a commented scenario to begin with",
		Long: `new writes a scenario with comments into NAME.yaml, in which every part of the
language stands once. Without a name it prints it. A file that is there already
stays as it is.`,
		Example: `  zerolag new mine
  zerolag new | less`,
		GroupID:           groupWrite,
		Args:              atMostOne,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				text, err := scenarios.Template("mine")
				_, _ = out.Write(text)
				return err
			}
			file := args[0]
			if !strings.HasSuffix(file, ".yaml") {
				file += ".yaml"
			}
			text, err := scenarios.Template(strings.TrimSuffix(filepath.Base(file), ".yaml"))
			if err != nil {
				return err
			}
			if err := createFile(file, text); err != nil {
				return err
			}
			out.printf("%s is written: 'zerolag %s' opens it, 'zerolag test %s' evaluates what it expects\n", file, file, file)
			return nil
		},
	}
}

func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("%d arguments: expected at most one, as in '%s'", len(args), cmd.UseLine())
	}
	return nil
}

// createFile writes a file that is not there yet.
func createFile(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: expected the name of a new file", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// needFiles refuses a command line without files.
func needFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%s without arguments: expected files with scenarios", cmd.Name())
	}
	return nil
}

func newLint(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "lint FILE|DIR...",
		Short: "find every fault in scenarios",
		Long: `lint reads scenarios and prints every fault with line, column, a caret below it
and what was expected there. Faults that hide behind others, such as a program
that nobody wakes, are looked for when names and values are right. Expectations
are read, not evaluated: that is 'zerolag test'.

Exit code 1: there is a fault; 2: a file cannot be read.`,
		Example: `  zerolag lint mine.yaml
  zerolag lint scenarios/`,
		GroupID:           groupWrite,
		Args:              needFiles,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := scenarioFiles(args)
			if err != nil {
				return err
			}
			faults := 0
			for _, file := range files {
				name, text, err := scenarios.Read(file)
				if err != nil {
					return err
				}
				for _, fault := range scenarios.Lint(name, text) {
					out.printf("%v\n", fault)
					faults++
				}
			}
			out.printf("%s, %s\n", counted(len(files), "file"), counted(faults, "fault"))
			if faults > 0 {
				return errFailed
			}
			return nil
		},
	}
}

// counted is a number with its word.
func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func newFmt(out *output) *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use:   "fmt FILE|DIR...",
		Short: "bring scenarios into the usual form",
		Long: `fmt prints scenarios in the usual form: two spaces for each level, one behind a
comma and before a comment, no more than one empty line at a time. Comments, the
order of keys and the notation of values stay. With -w it writes the files and
prints the names of those that it changed.`,
		Example: `  zerolag fmt mine.yaml
  zerolag fmt -w scenarios/`,
		GroupID:           groupWrite,
		Args:              needFiles,
		ValidArgsFunction: completeScenario,
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := scenarioFiles(args)
			if err != nil {
				return err
			}
			for _, file := range files {
				if err := format(file, write, out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the files instead of printing them")
	return cmd
}

// format prints one scenario, or writes its file if that changes it.
func format(file string, write bool, out *output) error {
	name, text, err := scenarios.Read(file)
	if err != nil {
		return err
	}
	done, err := scenarios.Format(name, text)
	switch {
	case err != nil:
		return err
	case !write:
		_, _ = out.Write(done)
		return nil
	case string(done) == string(text):
		return nil
	case name != file:
		return fmt.Errorf("%s is built in: expected a file to write", file)
	}
	err = renameio.WriteFile(file, done, 0o644, renameio.WithTempDir(filepath.Dir(file)), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	out.printf("%s\n", file)
	return nil
}
