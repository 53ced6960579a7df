package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"zerolag/scheduler"
)

var update = flag.Bool("update", false, "rewrite the tables in docs/FEATURES.md")

// The rules of the house: no function and no file grows beyond what can be read at
// once.
const (
	maxFunctionLines = 70
	maxFileLines     = 600
)

// mayImport says which packages of the program each package may import.
var mayImport = map[string][]string{
	".":                   {"views/cli", "views/tui"},
	"scheduler":           {},
	"model/expr":          {"scheduler"},
	"model":               {"model/expr", "scheduler"},
	"scenarios":           {"scenarios/recording", "scenarios/rtapp", "model", "model/expr", "scheduler"},
	"scenarios/recording": {"scheduler"},
	"scenarios/rtapp":     {"scheduler"},
	"scenarios/vector":    {"scheduler"},
	"views":               {"model", "model/expr", "scheduler"},
	"views/cli":           {"views", "model", "model/expr", "scenarios", "scenarios/recording", "scenarios/rtapp", "scenarios/vector", "scheduler"},
	"views/tui":           {"views", "model", "model/expr", "scenarios", "scheduler"},
}

// notInScheduler are the packages of the standard library that the machine does
// without, because time, chance and the order of maps are not deterministic.
var notInScheduler = []string{"time", "math", "math/rand", "math/rand/v2", "os", "sync", "sync/atomic", "maps", "unsafe"}

// file is one parsed file of the repository.
type file struct {
	path, dir string
	ast       *ast.File
	source    []byte
}

// goFiles parses every Go file that is no test.
func goFiles(t *testing.T, fset *token.FileSet) []file {
	t.Helper()
	var files []file
	for _, path := range repositoryFiles(t) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(fset, path, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{path, filepath.ToSlash(filepath.Dir(path)), parsed, source})
	}
	if len(files) == 0 {
		t.Fatal("no Go files found")
	}
	return files
}

// repositoryFiles lists the files of the repository, without what is built.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == ".git" || path == "dist") {
			return fs.SkipDir
		}
		// In a linked worktree .git is a file.
		if !d.IsDir() && path != "zerolag" && path != ".git" {
			paths = append(paths, filepath.ToSlash(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestLayering(t *testing.T) {
	for _, f := range goFiles(t, token.NewFileSet()) {
		allowed, known := mayImport[f.dir]
		if !known {
			t.Errorf("%s: package %s has no place in the layers of docs/ARCHITECTURE.md", f.path, f.dir)
			continue
		}
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if inner, ours := strings.CutPrefix(path, "zerolag/"); ours && !slices.Contains(allowed, inner) {
				t.Errorf("%s: package %s must not import %s", f.path, f.dir, path)
			}
			first, _, _ := strings.Cut(path, "/")
			module := strings.Contains(first, ".")
			if f.dir == "scheduler" && (module && path != "github.com/google/btree" || slices.Contains(notInScheduler, path)) {
				t.Errorf("%s: the scheduler must not import %s", f.path, path)
			}
		}
	}
}

// TestSchedulerIsDeterministic looks for what differs between machines or runs:
// floating point, the order of maps, goroutines.
func TestSchedulerIsDeterministic(t *testing.T) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range goFiles(t, fset) {
		if f.dir == "scheduler" {
			parsed = append(parsed, f.ast)
		}
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	checker := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := checker.Check("zerolag/scheduler", fset, parsed, &info); err != nil {
		t.Fatal(err)
	}
	for expr, tv := range info.Types {
		if basic, ok := tv.Type.Underlying().(*types.Basic); ok && basic.Info()&(types.IsFloat|types.IsComplex) != 0 {
			t.Errorf("%v: floating point", fset.Position(expr.Pos()))
		}
	}
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if _, isMap := info.Types[n.X].Type.Underlying().(*types.Map); isMap {
					t.Errorf("%v: iteration over a map", fset.Position(n.Pos()))
				}
			case *ast.GoStmt, *ast.SelectStmt:
				t.Errorf("%v: concurrency", fset.Position(n.Pos()))
			}
			return true
		})
	}
}

func TestFunctionsAndFilesAreShort(t *testing.T) {
	fset := token.NewFileSet()
	for _, f := range goFiles(t, fset) {
		if lines := bytes.Count(f.source, []byte("\n")); lines > maxFileLines {
			t.Errorf("%s has %d lines, at most %d", f.path, lines, maxFileLines)
		}
		for _, decl := range f.ast.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				if lines := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; lines > maxFunctionLines {
					t.Errorf("%v: %s has %d lines, at most %d", fset.Position(fn.Pos()), fn.Name.Name, lines, maxFunctionLines)
				}
			}
		}
	}
}

func TestExportedIdentifiersAreDocumented(t *testing.T) {
	fset := token.NewFileSet()
	for _, f := range goFiles(t, fset) {
		for _, decl := range f.ast.Decls {
			for _, name := range undocumented(decl) {
				t.Errorf("%v: %s has no comment", fset.Position(name.Pos()), name.Name)
			}
		}
	}
}

// undocumented are the exported names of a declaration that no comment describes.
// A comment on a group of constants or variables describes all of them.
func undocumented(decl ast.Decl) []*ast.Ident {
	var names []*ast.Ident
	note := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(docs, func(d *ast.CommentGroup) bool { return d != nil }) {
			names = append(names, name)
		}
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || exportedReceiver(d.Recv.List[0].Type) {
			note(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				note(s.Name, s.Doc, d.Doc)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					note(name, s.Doc, s.Comment, d.Doc)
				}
			}
		}
	}
	return names
}

func exportedReceiver(t ast.Expr) bool {
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	name, ok := t.(*ast.Ident)
	return ok && name.IsExported()
}

// TestRepositorySpeaksOfTheProduct looks for words of unfinished work and of other
// places than this repository.
func TestRepositorySpeaksOfTheProduct(t *testing.T) {
	// Written in parts, so that this file may contain them.
	words := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|X` + `XX|HA` + `CK)\b|(?i:\bst` + `ub\b|\bfor no` + `w\b)|/wo` + `rk/|/tm` + `p/`)
	for _, path := range repositoryFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(source, 0) >= 0 {
			continue
		}
		for i, line := range strings.Split(string(source), "\n") {
			if word := words.FindString(line); word != "" {
				t.Errorf("%s:%d: %q in %s", path, i+1, word, strings.TrimSpace(line))
			}
		}
	}
}

// documents are the texts for people, with their content.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, path := range repositoryFiles(t) {
		if !strings.HasSuffix(path, ".md") || strings.Contains(path, "testdata/") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		docs[path] = string(text)
	}
	return docs
}

// TestDocsNameFilesThatExist checks links and every file name in backquotes: a
// path from the root or from the document, or the name of some file.
func TestDocsNameFilesThatExist(t *testing.T) {
	bare := map[string]bool{}
	for _, path := range repositoryFiles(t) {
		bare[filepath.Base(path)] = true
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	quoted := regexp.MustCompile("`([A-Za-z0-9_./-]+\\.(?:go|md|golden|txtar)|(?:docs|model|scenarios|scheduler|views|\\.ci)/[A-Za-z0-9_./-]*)`")
	for path, text := range documents(t) {
		for _, m := range slices.Concat(link.FindAllStringSubmatch(text, -1), quoted.FindAllStringSubmatch(text, -1)) {
			_, fromRoot := os.Stat(m[1])
			_, fromHere := os.Stat(filepath.Join(filepath.Dir(path), m[1]))
			if fromRoot != nil && fromHere != nil && !bare[m[1]] {
				t.Errorf("%s names %s, which does not exist", path, m[1])
			}
		}
	}
}

// zerolag runs a command line without a terminal.
func zerolag(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

// TestReadmeCommandsRun runs every zerolag command of the README's shell blocks.
func TestReadmeCommandsRun(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(documents(t)["README.md"], -1)
	ran := 0
	for _, block := range blocks {
		for line := range strings.Lines(block[1]) {
			command, _, _ := strings.Cut(line, " # ")
			command, _, _ = strings.Cut(command, "|")
			words := strings.Fields(command)
			switch {
			case len(words) > 2 && words[0] == "go" && words[1] == "run" && words[2] == ".":
				words = words[3:]
			case len(words) > 0 && (words[0] == "zerolag" || words[0] == "./zerolag"):
				words = words[1:]
			default:
				continue
			}
			ran++
			if stdout, stderr, code := zerolag(words...); code != 0 || stdout == "" {
				t.Errorf("zerolag %s: exit code %d, %d bytes, stderr: %s", strings.Join(words, " "), code, len(stdout), stderr)
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands found in README.md", ran)
	}
}

// TestPicturesInDocsAreWhatTheProgramDraws draws every picture of the documents
// again, by the command in its last line; -update rewrites them.
func TestPicturesInDocsAreWhatTheProgramDraws(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```\n([^`]*? ev [0-9]+/[0-9]+\n.*?)```")
	drawn := 0
	for path, text := range documents(t) {
		got := blocks.ReplaceAllStringFunc(text, func(block string) string {
			lines := strings.Split(strings.TrimSuffix(block, "\n```"), "\n")
			words := strings.Fields(lines[len(lines)-1])
			if len(words) < 2 || words[0] != "zerolag" {
				t.Errorf("%s: a picture does not end in the command that reopens it:\n%s", path, block)
				return block
			}
			drawn++
			picture, stderr, code := zerolag(append([]string{"draw"}, words[1:]...)...)
			if code != 0 {
				t.Errorf("%s: %s: exit code %d: %s", path, lines[len(lines)-1], code, stderr)
			}
			return "```\n" + picture + "```"
		})
		if got == text {
			continue
		}
		if !*update {
			t.Errorf("a picture in %s is not what the program draws (go test . -run PicturesInDocs -update rewrites it):\n%s", path, cmp.Diff(text, got))
		} else if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Error(err)
		}
	}
	if drawn < 3 {
		t.Errorf("only %d pictures found in the documents", drawn)
	}
}

// TestFeaturesDocListsTheFeatureTable compares the tables of docs/FEATURES.md with
// the program's; -update rewrites them.
func TestFeaturesDocListsTheFeatureTable(t *testing.T) {
	const path = "docs/FEATURES.md"
	text := documents(t)[path]
	want := text
	for section, content := range featureSections() {
		begin, end := "<!-- "+section+" -->\n", "<!-- end of "+section+" -->\n"
		head, rest, found := strings.Cut(want, begin)
		_, tail, closed := strings.Cut(rest, end)
		if !found || !closed {
			t.Fatalf("%s: no section between %q and %q", path, begin, end)
		}
		want = head + begin + content + end + tail
	}
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s differs from the feature table, 'go test . -run %s -update' rewrites it (-want +got):\n%s", path, t.Name(), diff)
	}
	for f := range scheduler.NumFeatures {
		name := scheduler.Feature(f).String()
		if n := strings.Count(text, "\n- **"+name+"** "); n != 1 {
			t.Errorf("%s: %d entries '- **%s** ' that say where its rule applies, want 1", path, n, name)
		}
	}
}

func TestFeaturesDocHasAPageForEveryKernel(t *testing.T) {
	text := documents(t)["docs/FEATURES.md"]
	for _, p := range scheduler.Profiles() {
		if !strings.Contains(text, "\n### "+p.Name+"\n") {
			t.Errorf("docs/FEATURES.md has no page for kernel %s", p.Name)
		}
	}
}

// featureSections are the parts of docs/FEATURES.md that the program knows.
func featureSections() map[string]string {
	sections := map[string]string{"features": featureRows(false), "proposals": featureRows(true)}
	var threads strings.Builder
	for _, t := range scheduler.Threads() {
		fmt.Fprintf(&threads, "- %s: %s (%s)\n", t.Number, t.Subject, t.Dates)
	}
	sections["threads"] = threads.String()
	for _, p := range scheduler.Profiles() {
		sections["inferred "+p.Name] = bullets(p.Inferred)
	}
	tip := scheduler.Tip()
	sections["differs"], sections["unstated"] = bullets(tip.Differs), bullets(tip.Unstated)
	return sections
}

// bullets is a list that is one sentence.
func bullets(items []string) string { return "- " + strings.Join(items, ";\n- ") + ".\n" }

// featureRows is the table of the kernels' features or of the proposals.
func featureRows(proposals bool) string {
	var b strings.Builder
	profiles := scheduler.Profiles()
	b.WriteString("| feature |")
	for _, p := range profiles {
		b.WriteString(" " + p.Name + " |")
	}
	b.WriteString(" since | until | meaning | remark |\n|---|" + strings.Repeat("---|", len(profiles)+4) + "\n")
	for f := range scheduler.NumFeatures {
		feature := scheduler.Feature(f)
		info := feature.Info()
		if (info.Proposal != "") != proposals {
			continue
		}
		fmt.Fprintf(&b, "| %s |", info.Name)
		for _, p := range profiles {
			b.WriteString(" " + defaultText(p, feature) + " |")
		}
		fmt.Fprintf(&b, " %s | %s | %s | %s |\n", info.Since, info.Until, info.Meaning, feature.Remark())
	}
	return b.String()
}

// defaultText is on, off, or - if the kernel does not know the feature.
func defaultText(p *scheduler.Profile, f scheduler.Feature) string {
	switch {
	case !p.Knows(f):
		return "-"
	case p.Defaults().Has(f):
		return "on"
	}
	return "off"
}
