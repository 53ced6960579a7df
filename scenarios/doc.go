// Package scenarios reads scenario files: YAML that describes a machine, its
// tasks with their programs, edits, bookmarks, variants and expectations.
//
// Parse turns a file into a Scenario, Scenario.Workload turns that into what the
// simulation runs. A bad file is one Fault with file, line, column, the source
// line and a caret. docs/SCENARIOS.md is the manual of the language.
//
// The way of a file: check.go (bytes, nesting) -> node.go (YAML tree with
// positions) -> read*.go (keys and values) -> link.go (names) -> build.go
// (one workload for each kernel and variant). Names, times and suggestions are
// shared with the command line.
package scenarios
