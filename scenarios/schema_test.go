package scenarios_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"zerolag/scenarios"
)

const schemaFile = "../docs/scenario.schema.json"

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate reads a scenario as an editor does.
func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return s.Validate(plain(value))
}

// plain turns numbers into those that the validator knows.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case uint64:
		return int64(v)
	}
	return value
}

// TestSchemaKnowsAllScenarios: what the program reads, editors accept.
func TestSchemaKnowsAllScenarios(t *testing.T) {
	s := schema(t)
	files, err := filepath.Glob("library/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob("library/*/*.yaml")
	files = slices.Concat(files, more, []string{"template.yaml"})
	if len(files) < 20 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate(t, s, string(text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	manual, err := os.ReadFile("../docs/SCENARIOS.md")
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(manual), "```yaml\n") {
		if example, _, ok := strings.Cut(block, "\n```"); ok && strings.Contains(example, "tasks:") && !strings.HasPrefix(block, "# Scenarios") {
			if err := validate(t, s, example); err != nil {
				t.Errorf("%s\n%v", example, err)
			}
		}
	}
}

// TestSchemaHasEveryKey: each key that the program knows at a place stands in the
// schema there, and no other.
func TestSchemaHasEveryKey(t *testing.T) {
	s := schema(t)
	properties := func(s *jsonschema.Schema) []string {
		for s.Ref != nil {
			s = s.Ref
		}
		var keys []string
		for key := range s.Properties {
			keys = append(keys, key)
		}
		return keys
	}
	inner := func(key string) *jsonschema.Schema {
		list := s.Properties[key].Items2020
		for list.Ref != nil {
			list = list.Ref
		}
		return list
	}
	for _, place := range []struct {
		text   string
		schema *jsonschema.Schema
	}{
		{"x: 1", s},
		{"tasks: [{x: 1}]", inner("tasks")},
		{"groups: [{x: 1}]", inner("groups")},
		{"bookmarks: [{x: 1}]", inner("bookmarks")},
		{"events: [{x: 1}]", inner("events")},
		{"start: {a: {x: 1}}", s.Properties["start"].AdditionalProperties.(*jsonschema.Schema)},
		{"variants: {v: {x: 1}}", s.Properties["variants"].AdditionalProperties.(*jsonschema.Schema).AnyOf[1]},
		{"session: {x: 1}", s.Properties["session"]},
		{"table: {x: 1}", s.Properties["table"]},
		{"shows: {x: 1}", s.Properties["shows"]},
	} {
		_, err := scenarios.Parse("x.yaml", []byte(place.text))
		_, list, ok := strings.Cut(strings.Split(err.Error(), "\n")[0], `unknown key "x": expected `)
		if !ok {
			t.Fatalf("%s: %v", place.text, err)
		}
		list = strings.ReplaceAll(strings.TrimPrefix(list, "one of "), " or ", ", ")
		want, got := strings.Split(list, ", "), properties(place.schema)
		slices.Sort(want)
		slices.Sort(got)
		diff(t, place.text, got, want)
	}
}

// TestSchemaRefusesFaults: editors mark what the program refuses.
func TestSchemaRefusesFaults(t *testing.T) {
	s := schema(t)
	for _, text := range []string{
		"name: a",
		"tasks: []",
		"tasks: [{name: a}]",
		"tasks: [{does: run}]",
		"tasks: [{name: 9a, does: run}]",
		"tasks: [{name: a, does: hop}]",
		"tasks: [{name: a, does: 'run 5msec'}]",
		"tasks: [{name: a, does: 'run 1ms,'}]",
		"tasks: [{name: a, does: [{run: 1ms, sleep: 1ms}]}]",
		"tasks: [{name: a, does: [{repeat: []}]}]",
		"tasks: [{name: a, does: 'barrier gate'}]",
		"tasks: [{name: a, does: 'run uniform 1ms'}]",
		"tasks: [{name: a, does: run, nice: 20}]",
		"tasks: [{name: a, does: run, policy: fifo}]",
		"tasks: [{name: a, does: run, at: 1ms, wakes_at: 2ms}]",
		"tasks: [{name: a, does: run, slice: 1.5}]",
		"hz: 99\ntasks: [{name: a, does: run}]",
		"cpus: 0\ntasks: [{name: a, does: run}]",
		"topology: 2x\ntasks: [{name: a, does: run}]",
		"groups: [{name: g, weight: 0}]\ntasks: [{name: a, does: run}]",
		"groups: [{name: g, weight: 10, shares: 10}]\ntasks: [{name: a, does: run}]",
		"features: [no]\ntasks: [{name: a, does: run}]",
		"events: [{wake: a}]\ntasks: [{name: a, does: run}]",
		"events: [{at: 1ms}]\ntasks: [{name: a, does: run}]",
		"events: [{at: 1ms, wake: a, kill: a}]\ntasks: [{name: a, does: run}]",
		"events: [{at: 1ms, wake: a, times: 3}]\ntasks: [{name: a, does: run}]",
		"events: [{at: 1ms, renice: {task: a}}]\ntasks: [{name: a, does: run}]",
		"bookmarks: [{at: 1ms}]\ntasks: [{name: a, does: run}]",
		"expect: [{when: {variant: v}}]\ntasks: [{name: a, does: run}]",
		"start: {a: {vruntime: 1x}}\ntasks: [{name: a, does: run}]",
	} {
		if validate(t, s, text) == nil {
			t.Errorf("the schema accepts\n%s", text)
		}
		if _, err := scenarios.Parse("x.yaml", []byte(text)); err == nil {
			t.Errorf("the program accepts\n%s", text)
		}
	}
}
