package scenarios

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"zerolag/scenarios/recording"
)

//go:embed library/*.yaml library/teach/*.yaml library/cases/*.yaml
var libraryFiles embed.FS

// Names are the names of all built-in scenarios: those of the topics, then the
// lessons and the cases, each by its number.
func Names() []string {
	var names []string
	for _, t := range topics {
		names = append(names, t.names...)
	}
	for _, dir := range []string{lessons, cases} {
		files, err := libraryFiles.ReadDir("library/" + strings.TrimSuffix(dir, "/"))
		if err != nil {
			panic("scenarios: the library has no folder " + dir)
		}
		for _, f := range files {
			names = append(names, dir+strings.TrimSuffix(f.Name(), ".yaml"))
		}
	}
	return names
}

// Entry is a built-in scenario.
type Entry struct {
	Name  string // what users type
	About string // what to look at
	Topic string // the heading it stands under; entries of one topic follow each other
	// Shows says which kernels show what the scenario is about; nil if it is not
	// about kernels.
	Shows *Shows
	// Variants are the names of its variants.
	Variants []string

	rank int
}

// ShownOn tells whether the scenario shows what it is about on a kernel. One that
// is not about kernels does on each.
func (e *Entry) ShownOn(kernel string) bool {
	return e.Shows == nil || slices.Contains(e.Shows.On, kernel)
}

// Headline is the first sentence of About.
func (e *Entry) Headline() string {
	for i, r := range e.About {
		if r == '.' && (i+1 == len(e.About) || e.About[i+1] == ' ') {
			return e.About[:i]
		}
	}
	return e.About
}

// Library lists the built-in scenarios, the first to look at first.
func Library() []Entry {
	var entries []Entry
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			panic("scenarios: built-in scenario does not parse: " + err.Error())
		}
		e := Entry{Name: s.Name, About: s.About, Shows: s.Shows, Variants: s.VariantNames()}
		e.Topic, e.rank = topicOf(s, name)
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.rank, b.rank) })
	return entries
}

// Load reads a built-in scenario by name or any other from its file, or a
// recording from its directory or trace. A built-in name wins; ./NAME is the file.
func Load(nameOrFile string) (*Scenario, error) {
	if trace, ok := recording.TraceIn(nameOrFile); ok && !slices.Contains(Names(), nameOrFile) {
		return fromRecording(nameOrFile, trace)
	}
	file, text, err := Read(nameOrFile)
	switch {
	case err != nil:
		return nil, err
	case isWorkload(file):
		return loadWorkload(file, text)
	}
	return Parse(file, text)
}

// Read reads the text that Load parses, and the name of its file.
func Read(nameOrFile string) (file string, text []byte, err error) {
	names := Names()
	if slices.Contains(names, nameOrFile) {
		file = "library/" + nameOrFile + ".yaml"
		text, err = libraryFiles.ReadFile(file)
		return "scenarios/" + file, text, err
	}
	text, err = readFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("no scenario or file %s: expected a file or %s", quote(nameOrFile), suggestion(nameOrFile, names))
	}
	return nameOrFile, text, err
}

// readFile reads a file, but not more than Parse needs to refuse it as too big.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFileSize+1))
}
