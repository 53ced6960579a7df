package vector

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// archives hold the vectors of the profiles, one folder each.
var archives = []string{
	"6.6", "6.7", "6.8", "6.8-toggles", "6.9", "6.12", "6.12.y", "6.12.y-toggles",
	"6.17", "7.0", "7.1", "7.2", "7.2-toggles",
}

// eachVector calls do with every file of an archive.
func eachVector(t testing.TB, archive string, do func(name string, text []byte)) {
	t.Helper()
	f, err := os.Open("testdata/" + archive + ".tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".txt") {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files++
		do(h.Name, text)
	}
	if files == 0 {
		t.Fatalf("archive %s holds no vector", archive)
	}
}

func TestVectorsReplayEqual(t *testing.T) {
	for _, archive := range archives {
		t.Run(archive, func(t *testing.T) {
			eachVector(t, archive, func(name string, text []byte) {
				res, err := Replay(bytes.NewReader(text))
				switch {
				case err != nil:
					t.Errorf("%s:%v", name, err)
				case res.Diff != nil:
					t.Errorf("%s: %s", name, res.Diff)
				case res.States == 0:
					t.Errorf("%s: no state was compared", name)
				}
			})
		})
	}
}

func TestInvariantsHoldAfterEveryOperation(t *testing.T) {
	for _, archive := range archives {
		t.Run(archive, func(t *testing.T) {
			eachVector(t, archive, func(name string, text []byte) {
				if err := checkEveryLine(text); err != nil {
					t.Errorf("%s:%v", name, err)
				}
			})
		})
	}
}

// checkEveryLine executes the operations of a vector and checks the machine
// after each; it compares nothing.
func checkEveryLine(text []byte) error {
	in := bufio.NewScanner(bytes.NewReader(text))
	in.Buffer(nil, maxLine)
	var p replayer
	for n := 1; in.Scan(); n++ {
		if strings.HasPrefix(in.Text(), "= ") {
			continue
		}
		if err := p.line(n, in.Text()); err != nil {
			return &FormatError{n, err.Error()}
		}
		if err := p.m.Check(); err != nil {
			return fmt.Errorf("%d: after %q: %w", n, in.Text(), err)
		}
	}
	return in.Err()
}
