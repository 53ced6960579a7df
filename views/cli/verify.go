package cli

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/scenarios/vector"
	"zerolag/scheduler"
)

func newVerify(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE|DIR...",
		Short: "replay vectors of scheduler operations, every integer compared",
		Long: `verify replays vectors: text files (also compressed, .gz) of scheduler operations
with the complete expected state after each. It prints one line per file, the first
difference of a file in full, and a total. Of a directory all *.txt and *.txt.gz
files are taken, those in its subdirectories included.

A file for a kernel that 'zerolag kernels' does not list is skipped; the total
counts it.

Exit code 1: a file differs; 2: a file cannot be read as a vector.`,
		Example: `  zerolag verify scenarios/vector/testdata
  zerolag verify recorded.txt.gz`,
		GroupID: groupCheck,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("verify without arguments: expected files or directories with vectors")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := vectorFiles(args)
			if err != nil {
				return err
			}
			return verifyAll(files, out)
		},
	}
}

// vectorFiles lists the files that the arguments name, directories in
// alphabetical order.
func vectorFiles(arguments []string) ([]string, error) {
	var files []string
	for _, argument := range arguments {
		info, err := os.Stat(argument)
		if err != nil {
			return nil, fmt.Errorf("%s: %w: expected a vector or a directory of vectors", argument, reason(err))
		}
		if !info.IsDir() {
			files = append(files, argument)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(argument, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && (strings.HasSuffix(path, ".txt") || strings.HasSuffix(path, ".txt.gz")) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no vectors: expected *.txt or *.txt.gz files", argument)
		}
	}
	return files, nil
}

// reason is an error of a file without the operation and the file's name.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// outcome is what became of one file.
type outcome uint8

const (
	fileEqual outcome = iota
	fileDiffers
	fileSkipped
	fileUnreadable
	numOutcomes
)

// verifyAll replays files. All are tried, whatever became of those before.
func verifyAll(files []string, out *output) error {
	var count [numOutcomes]int
	states, integers := 0, 0
	for _, file := range files {
		res, how, err := verifyFile(file)
		count[how]++
		states += res.States
		integers += res.Integers
		switch how {
		case fileEqual:
			out.printf("%s: ok, %d states, %d integers\n", file, res.States, res.Integers)
		case fileDiffers:
			out.printf("%s: DIFFERS, %v\n", file, res.Diff)
		case fileSkipped:
			out.printf("%s: skipped, %v\n", file, err)
		case fileUnreadable:
			out.printf("%s: UNREADABLE, %v\n", file, err)
		}
		if out.closed() {
			break
		}
	}
	out.printf("%d files: %d ok, %d differ, %d skipped, %d unreadable; %d states, %d integers\n",
		len(files), count[fileEqual], count[fileDiffers], count[fileSkipped], count[fileUnreadable], states, integers)
	switch {
	case count[fileUnreadable] > 0:
		return fmt.Errorf("%d of %d files cannot be read as vectors", count[fileUnreadable], len(files))
	case count[fileDiffers] > 0:
		return errFailed
	}
	return nil
}

// verifyFile replays one file. The error says why it was skipped or cannot be read.
func verifyFile(file string) (vector.Result, outcome, error) {
	in, err := openVector(file)
	if err != nil {
		return vector.Result{}, fileUnreadable, reason(err)
	}
	defer in.Close()
	text := bufio.NewReader(in)
	if name, known := headerProfile(text); !known {
		return vector.Result{}, fileSkipped, fmt.Errorf("kernel %q is not one of 'zerolag kernels'", name)
	}
	res, err := vector.Replay(text)
	switch {
	case err != nil:
		return res, fileUnreadable, fmt.Errorf("line %w", err)
	case res.Diff != nil:
		return res, fileDiffers, nil
	}
	return res, fileEqual, nil
}

// openVector opens a file, decompressing it if its name ends in .gz.
func openVector(file string) (io.ReadCloser, error) {
	f, err := os.Open(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

// headerProfile reads the kernel that the first line of a vector names, by name or
// release, without consuming it. A header that names none is left to the replay.
func headerProfile(in *bufio.Reader) (name string, known bool) {
	head, _ := in.Peek(in.Size())
	line, _, _ := strings.Cut(string(head), "\n")
	_, rest, found := strings.Cut(line, " profile=")
	if !strings.HasPrefix(line, "#") || !found {
		return "", true
	}
	name, _, _ = strings.Cut(strings.TrimRight(rest, "\r"), " ")
	for _, p := range scheduler.Profiles() {
		if p.Name == name || p.Release == name {
			return name, true
		}
	}
	return name, false
}
