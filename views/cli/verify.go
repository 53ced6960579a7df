package cli

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zerolag/scenarios/vector"
	"zerolag/scheduler"
)

func newVerify(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE|DIR...",
		Short: "replay vectors of scheduler operations, every integer compared",
		Long: `verify replays vectors: text files of scheduler operations with the complete
expected state after each. They may be compressed (.gz) or stand in an archive
(.tar.gz). It prints one line per vector, the first difference of each in full,
and a total. Of a directory all *.txt, *.txt.gz and *.tar.gz files are taken,
those in its subdirectories included.

A vector for a kernel that 'zerolag kernels' does not list is skipped; the total
counts it.

Exit code 1: a vector differs; 2: a file cannot be read as a vector.`,
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
			if err == nil && !d.IsDir() && isVector(path) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s: no vectors: expected *.txt, *.txt.gz or *.tar.gz files", argument)
		}
	}
	return files, nil
}

// isArchive tells archives of vectors from single ones by name.
func isArchive(name string) bool { return strings.HasSuffix(name, ".tar.gz") }

// isVector tells by its name whether a file of a directory is taken.
func isVector(name string) bool {
	endings := []string{".txt", ".txt.gz", ".tar.gz"}
	return slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) })
}

// reason is an error of a file without the operation and the file's name.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// outcome is what became of one vector.
type outcome uint8

const (
	vectorEqual outcome = iota
	vectorDiffers
	vectorSkipped
	vectorUnreadable
	numOutcomes
)

// verification counts what was compared.
type verification struct {
	out              *output
	count            [numOutcomes]int
	states, integers int
}

// verifyAll replays files. All are tried, whatever became of those before.
func verifyAll(files []string, out *output) error {
	v := verification{out: out}
	for _, file := range files {
		if err := v.file(file); err != nil {
			v.note(file, vector.Result{}, vectorUnreadable, reason(err))
		}
		if out.closed() {
			break
		}
	}
	total := 0
	for _, n := range v.count {
		total += n
	}
	out.printf("%d vectors: %d ok, %d differ, %d skipped, %d unreadable; %d states, %d integers\n", total, v.count[vectorEqual],
		v.count[vectorDiffers], v.count[vectorSkipped], v.count[vectorUnreadable], v.states, v.integers)
	switch {
	case v.count[vectorUnreadable] > 0:
		return fmt.Errorf("%d of %d files cannot be read as vectors", v.count[vectorUnreadable], total)
	case v.count[vectorDiffers] > 0:
		return errFailed
	}
	return nil
}

// file replays a file, or every vector of an archive. The error is about the file
// itself; what is wrong with a vector is noted.
func (v *verification) file(name string) error {
	in, err := openVector(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if !isArchive(name) {
		v.vector(name, in)
		return nil
	}
	archive := tar.NewReader(in)
	for {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry.Typeflag == tar.TypeReg {
			v.vector(name+":"+entry.Name, archive)
		}
	}
}

// vector replays one vector and notes what became of it.
func (v *verification) vector(name string, in io.Reader) {
	text := bufio.NewReader(in)
	if kernel, known := headerProfile(text); !known {
		v.note(name, vector.Result{}, vectorSkipped, fmt.Errorf("kernel %q is not one of 'zerolag kernels'", kernel))
		return
	}
	res, err := vector.Replay(text)
	switch {
	case err != nil:
		v.note(name, res, vectorUnreadable, err)
	case res.Diff != nil:
		v.note(name, res, vectorDiffers, nil)
	default:
		v.note(name, res, vectorEqual, nil)
	}
}

// note counts and prints one outcome.
func (v *verification) note(name string, res vector.Result, how outcome, err error) {
	v.count[how]++
	v.states += res.States
	v.integers += res.Integers
	switch how {
	case vectorEqual:
		v.out.printf("%s: ok, %d states, %d integers\n", name, res.States, res.Integers)
	case vectorDiffers:
		v.out.printf("%s: DIFFERS, %v\n", name, res.Diff)
	case vectorSkipped:
		v.out.printf("%s: skipped, %v\n", name, err)
	case vectorUnreadable:
		v.out.printf("%s: UNREADABLE, %v\n", name, err)
	case numOutcomes:
	}
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
// release, without consuming it. A "t" after the name says that the vector switches
// proposals. A header that names none is left to the replay.
func headerProfile(in *bufio.Reader) (name string, known bool) {
	head, _ := in.Peek(in.Size())
	line, _, _ := strings.Cut(string(head), "\n")
	_, rest, found := strings.Cut(line, " profile=")
	if !strings.HasPrefix(line, "#") || !found {
		return "", true
	}
	name, _, _ = strings.Cut(strings.TrimRight(rest, "\r"), " ")
	for _, p := range scheduler.Profiles() {
		if p.Name == strings.TrimSuffix(name, "t") || p.Release == name {
			return name, true
		}
	}
	return name, false
}
