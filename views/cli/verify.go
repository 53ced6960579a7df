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

	"zerolag/scenarios/recording"
	"zerolag/scenarios/vector"
	"zerolag/scheduler"
)

func newVerify(out *output) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE|DIR...",
		Short: "replay vectors and recordings of kernels, every integer compared",
		Long: `verify replays vectors: text files of scheduler operations with the complete
expected state after each. They may be compressed (.gz) or stand in an archive
(.tar.gz). It prints one line per vector, the first difference of each in full,
and a total. Of a directory all *.txt, *.txt.gz and *.tar.gz files are taken,
those in its subdirectories included.

Vectors of single decisions are replayed too: where a wakee or a new task goes, whom
balancing pulls from, what the load averages and a group's weight become.

A vector for a kernel that 'zerolag kernels' does not list is skipped; the total
counts it.

verify replays recordings of a running kernel too, as docs/record.sh makes them: a
trace (trace.txt, plain or .gz) with meta.txt or meta.json beside it. The trace
gives operations, arguments and clock; the machine computes the state, and every
integer and decision that the kernel recorded is compared. What cannot be computed
is adopted from the trace and counted by kind. docs/RECORDING.md tells more.

Exit code 1: something differs; 2: a file cannot be read.`,
		Example: `  zerolag verify scenarios/vector/testdata
  zerolag verify scenarios/recording/testdata
  zerolag verify recorded.txt.gz`,
		GroupID: groupCheck,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("verify without arguments: expected files or directories with vectors or recordings")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			vectors, traces, err := verifiable(args)
			if err != nil {
				return err
			}
			return verifyAll(vectors, traces, out)
		},
	}
}

// verifiable lists the vectors and the traces that the arguments name,
// directories in alphabetical order.
func verifiable(arguments []string) (vectors, traces []string, err error) {
	for _, argument := range arguments {
		info, err := os.Stat(argument)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w: expected a vector, a recording or a directory of them", argument, reason(err))
		}
		trace, recorded := recording.TraceIn(argument)
		switch {
		case recorded:
			traces = append(traces, trace)
		case !info.IsDir():
			vectors = append(vectors, argument)
		default:
			v, t, err := verifiableBelow(argument)
			if err != nil {
				return nil, nil, err
			}
			vectors, traces = append(vectors, v...), append(traces, t...)
		}
	}
	return vectors, traces, nil
}

// verifiableBelow lists the vectors and the traces in a directory and below. Other
// files in the directory of a recording, or beside it, belong to the recording.
func verifiableBelow(dir string) (vectors, traces []string, err error) {
	beside := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() && !isVector(path) {
			return err
		}
		trace, recorded := recording.TraceIn(path)
		switch {
		case recorded && d.IsDir():
			traces = append(traces, trace)
			beside[filepath.Dir(path)] = true
			return fs.SkipDir
		case recorded:
			traces = append(traces, trace)
		case !d.IsDir():
			vectors = append(vectors, path)
		}
		return nil
	})
	vectors = slices.DeleteFunc(vectors, func(file string) bool { return beside[filepath.Dir(file)] })
	if err == nil && len(vectors)+len(traces) == 0 {
		err = fmt.Errorf("%s: no vectors: expected *.txt, *.txt.gz or *.tar.gz files, or recordings", dir)
	}
	return vectors, traces, err
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

// verifyAll replays vectors and traces. All are tried, whatever became of those
// before.
func verifyAll(vectors, traces []string, out *output) error {
	v, r := verification{out: out}, recordings{out: out}
	for _, file := range vectors {
		if err := v.file(file); err != nil {
			v.note(file, vector.Result{}, vectorUnreadable, reason(err))
		}
		if out.closed() {
			return nil
		}
	}
	for _, trace := range traces {
		r.file(trace)
		if out.closed() {
			return nil
		}
	}
	if len(vectors) > 0 {
		v.total()
	}
	if len(traces) > 0 {
		r.total()
	}
	switch unreadable := v.count[vectorUnreadable] + r.faulty; {
	case unreadable > 0:
		return fmt.Errorf("%d of %d files cannot be read as vectors or recordings", unreadable, v.all()+r.all)
	case v.count[vectorDiffers]+r.differ > 0:
		return errFailed
	}
	return nil
}

// all is the number of vectors.
func (v *verification) all() int {
	sum := 0
	for _, n := range v.count {
		sum += n
	}
	return sum
}

// total prints the sum of all vectors.
func (v *verification) total() {
	v.out.printf("%d vectors: %d ok, %d differ, %d skipped, %d unreadable; %d states, %d integers\n", v.all(), v.count[vectorEqual],
		v.count[vectorDiffers], v.count[vectorSkipped], v.count[vectorUnreadable], v.states, v.integers)
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
