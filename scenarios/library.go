package scenarios

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

//go:embed library/*.yaml library/teach/*.yaml library/cases/*.yaml
var libraryFiles embed.FS

// libraryNames is the order in which the built-in scenarios are shown.
var libraryNames = []string{
	"nginx", "three-hogs", "nice", "sleeper", "short-slice", "batch", "groups", "yield", "fork", "hogs-100-0.1",
	"hog",
}

// builtinNames are the names of all built-in scenarios: those of libraryNames,
// then the lessons and the cases, each by its number.
func builtinNames() []string {
	names := slices.Clone(libraryNames)
	for _, dir := range []string{"teach", "cases"} {
		files, err := libraryFiles.ReadDir("library/" + dir)
		if err != nil {
			panic("scenarios: the library has no folder " + dir)
		}
		for _, f := range files {
			names = append(names, dir+"/"+strings.TrimSuffix(f.Name(), ".yaml"))
		}
	}
	return names
}

// Entry is a built-in scenario.
type Entry struct {
	Name  string // what users type
	About string // what to look at
	// Variants are the names of its variants.
	Variants []string
}

// Library lists the built-in scenarios, the first to look at first.
func Library() []Entry {
	var entries []Entry
	for _, name := range builtinNames() {
		s, err := loadBuiltin(name)
		if err != nil {
			panic("scenarios: built-in scenario does not parse: " + err.Error())
		}
		entries = append(entries, Entry{s.Name, s.About, s.VariantNames()})
	}
	return entries
}

// Load reads a built-in scenario by name or any other from its file. A built-in
// name wins; ./NAME is the file.
func Load(nameOrFile string) (*Scenario, error) {
	names := builtinNames()
	if slices.Contains(names, nameOrFile) {
		return loadBuiltin(nameOrFile)
	}
	text, err := readFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no scenario or file %s: expected a file or %s", quote(nameOrFile), suggestion(nameOrFile, names))
	}
	if err != nil {
		return nil, err
	}
	return Parse(nameOrFile, text)
}

func loadBuiltin(name string) (*Scenario, error) {
	file := "library/" + name + ".yaml"
	text, err := libraryFiles.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse("scenarios/"+file, text)
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
