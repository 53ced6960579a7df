package expr

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/FIELDS.md")

const (
	fieldsFile  = "../../docs/FIELDS.md"
	tableBegins = "<!-- fields: written by go test ./model/expr -update -->\n"
	tableEnds   = "<!-- end of fields -->\n"
)

// fieldTable is the catalogue as docs/FIELDS.md shows it.
func fieldTable() string {
	var b strings.Builder
	headings := map[Object]string{
		OfEntity: "Tasks and group entities: `nginx.vruntime`, `/a.vruntime`, `cpu1/a.vruntime`, `pick.vruntime`",
		OfTask:   "Tasks only: `nginx.waiting`",
		OfGroup:  "Groups as a whole: `/a.shares`",
		OfQueue:  "Queues: `V`, `/a:V`, `cpu1:V`, `cpu1/a:V`",
		OfCPU:    "CPUs: `curr`, `cpu1.curr`",
		OfRun:    "The run and the event at hand: `now`, `event`",
	}
	last := Object(255)
	for _, f := range Fields() {
		if f.Object != last {
			last = f.Object
			b.WriteString("\n### " + headings[f.Object] + "\n\n| field | type | unit | meaning |\n|---|---|---|---|\n")
		}
		name := "`" + f.Name + "`"
		for _, a := range f.Aliases {
			name += ", `" + a + "`"
		}
		meaning := f.Meaning
		if f.words != nil {
			meaning += ": " + strings.Join(f.words.list(), ", ")
		}
		if f.Rounding != "" {
			meaning += " (" + f.Rounding + ")"
		}
		unit := f.Unit.String()
		b.WriteString("| " + name + " | " + f.Type.String() + " | " + unit + " | " + meaning + " |\n")
	}
	b.WriteString("\n")
	return b.String()
}

func TestDocsListEveryField(t *testing.T) {
	data, err := os.ReadFile(fieldsFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(data), tableBegins)
	table, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		t.Fatalf("%s has no table between its marks", fieldsFile)
	}
	if table == fieldTable() {
		return
	}
	if !*update {
		t.Fatalf("%s and the catalogue differ: go test ./model/expr -update", fieldsFile)
	}
	text := before + tableBegins + fieldTable() + tableEnds + after
	if err := os.WriteFile(fieldsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestExamplesOfTheDocsParse(t *testing.T) {
	data, err := os.ReadFile(fieldsFile)
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?m)^    (.+?)(?:  +.*)?$").FindAllStringSubmatch(string(data), -1)
	if len(examples) < 10 {
		t.Fatalf("%d examples in %s, want some", len(examples), fieldsFile)
	}
	for _, e := range examples {
		if _, err := ParseExpectation(e[1], withOthers(t)); err != nil {
			t.Errorf("%s: %v", e[1], err)
		}
	}
}

func TestFieldNamesAreUniqueWithinAnObject(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Fields() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			objects := []Object{f.Object}
			if f.Object <= OfTask {
				objects = []Object{OfEntity, OfTask}
			}
			for _, o := range objects {
				if key := o.String() + " " + name; seen[key] {
					t.Errorf("%s is there twice", key)
				}
			}
			seen[f.Object.String()+" "+name] = true
		}
		if f.Meaning == "" || f.Type == Word && f.words == nil {
			t.Errorf("%s has no meaning or no words", f.Name)
		}
	}
}

func TestEveryFieldHasAValueForItsObject(t *testing.T) {
	c := testContext()
	for _, f := range Fields() {
		if v := f.Of(c, 0); !v.Known || v.Type != f.Type || v.Text(c.Frame) == "" {
			t.Errorf("%s: %+v", f.Name, v)
		}
		if f.Object != OfRun {
			if v := f.Of(c, 99); v.Known {
				t.Errorf("%s of an object that is not there: %+v", f.Name, v)
			}
		}
	}
}
