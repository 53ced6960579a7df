package recording

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The files of a recording. The trace may have any name; what describes the
// kernel stands beside it.
const (
	traceName = "trace.txt"
	metaJSON  = "meta.json"
	metaText  = "meta.txt"
)

// traceMark begins every trace that ftrace prints.
const traceMark = "# tracer:"

// maxLine bounds a line of a trace, in bytes.
const maxLine = 1 << 20

// TraceIn is the trace that path means: path itself, plain or compressed, or the
// one in that directory. ok is false if there is none.
func TraceIn(path string) (file string, ok bool) {
	for _, file := range []string{path, filepath.Join(path, traceName), filepath.Join(path, traceName+".gz")} {
		if isTrace(file) {
			return file, true
		}
	}
	return "", false
}

func isTrace(path string) bool {
	r, err := open(path)
	if err != nil {
		return false
	}
	defer r.Close()
	start := make([]byte, len(traceMark))
	_, err = io.ReadFull(r, start)
	return err == nil && string(start) == traceMark
}

// unzipped closes a compressed file with its reader.
type unzipped struct {
	*gzip.Reader
	file *os.File
}

func (u unzipped) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return unzipped{z, f}, nil
}

// readLines reads the events of a trace; header lines and blank ones are left out.
func readLines(file string, r io.Reader) ([]*line, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	var list []*line
	num := 1
	for ; in.Scan(); num++ {
		text := in.Text()
		if strings.HasPrefix(text, "#") || strings.TrimSpace(text) == "" {
			continue
		}
		l, err := parseLine(num, text)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", file, err)
		}
		list = append(list, l)
	}
	switch {
	case in.Err() != nil:
		return nil, fmt.Errorf("%s:%d:1: %w", file, num, in.Err())
	case len(list) == 0:
		return nil, fmt.Errorf("%s:%d:1: the trace ends: expected events", file, num)
	}
	return list, nil
}

// meta is what a trace does not say about the kernel that wrote it.
type meta struct {
	file      string
	Workload  string   `json:"workload"`
	Kernel    string   `json:"kernel"`
	HZ        int      `json:"hz"`
	BaseSlice uint64   `json:"base_slice_ns"`
	Features  []string `json:"features"`
}

// readMeta reads meta.json, or meta.txt as record.sh writes it, in a directory.
func readMeta(dir string) (meta, error) {
	m := meta{file: filepath.Join(dir, metaJSON)}
	data, err := os.ReadFile(m.file)
	if err == nil {
		if err = json.Unmarshal(data, &m); err != nil {
			return m, fmt.Errorf("%s:%s %w", m.file, lineColumn(data, err), err)
		}
		return m, m.check()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	m.file = filepath.Join(dir, metaText)
	data, err = os.ReadFile(m.file)
	if err != nil {
		return m, fmt.Errorf("%s: expected %s or %s beside the trace, with kernel, hz, base_slice_ns and features", dir, metaJSON, metaText)
	}
	for _, text := range strings.Split(string(data), "\n") {
		key, value, _ := strings.Cut(text, ":")
		m.set(key, strings.TrimSpace(value))
	}
	return m, m.check()
}

// lineColumn is the line and column of an error in JSON, "line:column:".
func lineColumn(data []byte, err error) string {
	at := 0
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = int(syntax.Offset)
	case errors.As(err, &kind):
		at = int(kind.Offset)
	}
	before := string(data[:at])
	return fmt.Sprintf("%d:%d:", strings.Count(before, "\n")+1, max(len(before)-strings.LastIndex(before, "\n")-1, 1))
}

// set takes one line of meta.txt; a number that cannot be read stays 0.
func (m *meta) set(key, value string) {
	switch key {
	case "kernel":
		m.Kernel = value
	case "hz":
		m.HZ, _ = strconv.Atoi(value)
	case "base_slice_ns":
		m.BaseSlice, _ = strconv.ParseUint(value, 10, 64)
	case "features":
		m.Features = strings.Fields(value)
	}
}

// check tells what is missing.
func (m *meta) check() error {
	switch {
	case m.Kernel == "":
		return fmt.Errorf("%s: kernel is missing: expected a release like 6.12.117", m.file)
	case m.HZ < 1 || m.HZ > 10000:
		return fmt.Errorf("%s: hz is %d: expected 1 ... 10000", m.file, m.HZ)
	case m.BaseSlice == 0:
		return fmt.Errorf("%s: base_slice_ns is missing: expected the base slice in ns", m.file)
	case len(m.Features) == 0:
		return fmt.Errorf("%s: features are missing: expected the words of the kernel's features file", m.file)
	}
	return nil
}
