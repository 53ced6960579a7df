package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"zerolag": func() { os.Exit(Program{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}.Run(os.Args[1:])) },
	})
}

func TestCommands(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// run runs a command line without a terminal.
func run(args ...string) (stdout, stderr string, code int) {
	var out, errs bytes.Buffer
	code = Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}.Run(args)
	return out.String(), errs.String(), code
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		want int
		args string
	}{
		{0, "list"},
		{0, "nginx"},
		{0, "test batch"},
		{1, "test nginx --features NO_WAKEUP_PREEMPTION"},
		{2, "nosuch"},
		{2, "story nginx --nosuch"},
		{2, "story nginx --kernel 1.0"},
		{2, "verify nosuch"},
	} {
		if _, stderr, code := run(strings.Fields(c.args)...); code != c.want {
			t.Errorf("zerolag %s: exit code %d, want %d; stderr: %s", c.args, code, c.want, stderr)
		}
	}
}

func TestBuiltInScenariosHold(t *testing.T) {
	stdout, stderr, code := run("test", "--invariants")
	if code != exitOK {
		t.Errorf("zerolag test --invariants: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestSameInputGivesSameBytes(t *testing.T) {
	for _, args := range []string{
		"list", "kernels", "features --long", "nginx", "story groups --until 50ms", "story groups --until 50ms --format json",
		"draw sleeper --at 26ms", "stats groups", "test nginx",
	} {
		first, _, _ := run(strings.Fields(args)...)
		second, _, _ := run(strings.Fields(args)...)
		if first != second || first == "" {
			t.Errorf("zerolag %s: %d bytes, then %d others", args, len(first), len(second))
		}
	}
}

// opened runs a command line in a terminal and returns what was to be opened.
func opened(t *testing.T, args ...string) Opening {
	t.Helper()
	var got []Opening
	var errs bytes.Buffer
	code := Program{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &errs, Terminal: true,
		Open: func(o Opening) error {
			got = append(got, o)
			return nil
		},
	}.Run(args)
	if code != exitOK || len(got) != 1 {
		t.Fatalf("zerolag %v: exit code %d, opened %d times, stderr %s", args, code, len(got), errs.String())
	}
	return got[0]
}

func TestTerminalOpensScenario(t *testing.T) {
	o := opened(t, "nginx", "--kernel", "6.12.y", "--at", "3.1ms#1", "--ascii", "--theme", "light")
	if o.Scenario == nil || o.Scenario.Name != "nginx" || o.Argument != "nginx" || o.Change.Kernel != "6.12.y" || !o.ASCII || o.Theme != views.ThemeLight {
		t.Errorf("opened %+v", o)
	}
	if want := (model.Position{Time: 3_100_000, Ordinal: 1}); o.At == nil || *o.At != want {
		t.Errorf("opened at %v, want %v", o.At, want)
	}
}

func TestTerminalWithoutScenarioLetsChoose(t *testing.T) {
	if o := opened(t); o.Scenario != nil {
		t.Errorf("opened %s, want a choice", o.Scenario.Name)
	}
}

func TestFaultOfTerminalProgramIsReported(t *testing.T) {
	var errs bytes.Buffer
	code := Program{
		Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &errs, Terminal: true,
		Open: func(Opening) error { return errors.New("no screen") },
	}.Run([]string{"nginx"})
	if code != exitBad || errs.String() != "zerolag: no screen\n" {
		t.Errorf("exit code %d, stderr %q", code, errs.String())
	}
}

// The command that a picture prints is the command that opens it.
func TestCommandLineReadsBack(t *testing.T) {
	edit := func(at scheduler.Time, ordinal int, text string) scenarios.Change {
		return scenarios.Change{At: scenarios.Moment{Time: at, Ordinal: ordinal}, Text: text}
	}
	change := scenarios.Options{Kernel: "7.2", Variant: "with", HZ: 250, BaseSlice: 3_000_000, Until: 50_000_000}
	for _, f := range []string{"NO_PLACE_LAG", "HRTICK"} {
		s, _ := scheduler.ParseFeature(f)
		change.Features = append(change.Features, s)
	}
	change.Changes = []scenarios.Change{edit(1_000_000, 0, "NO_DELAY_DEQUEUE"), edit(3_100_000, 1, "kill:service")}
	at := model.Position{Time: 3_100_000, Ordinal: 2}
	line := (&subject{argument: "nginx", changes: &changes{options: change}}).command(&at)
	words := strings.Fields(line)
	o := opened(t, words[1:]...)
	if got := (&subject{argument: o.Argument, changes: &changes{options: o.Change}}).command(o.At); got != line {
		t.Errorf("%s\nreads back as\n%s", line, got)
	}
}

func TestCommandLineQuotesForTheShell(t *testing.T) {
	for argument, want := range map[string]string{
		"my file.yaml": "zerolag 'my file.yaml'",
		"it's":         `zerolag 'it'\''s'`,
		"a/b-c_1.yaml": "zerolag a/b-c_1.yaml",
		"#x":           "zerolag '#x'",
	} {
		if got := (&subject{argument: argument, changes: &changes{}}).command(nil); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// failing is a writer that fails from the start.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestLostOutputIsAnError(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{{syscall.EPIPE, exitOK}, {syscall.ENOSPC, exitBad}} {
		var errs bytes.Buffer
		code := Program{Stdin: strings.NewReader(""), Stdout: failing{c.err}, Stderr: &errs}.Run([]string{"story", "hogs-100-0.1"})
		if code != c.want || (errs.Len() > 0) != (c.want != exitOK) {
			t.Errorf("%v: exit code %d, want %d; stderr %q", c.err, code, c.want, errs.String())
		}
	}
}

func TestBrokenInvariantIsReproducible(t *testing.T) {
	c := &changes{options: scenarios.Options{Kernel: "7.2"}}
	var printed bytes.Buffer
	out := newOutput(&printed)
	s, err := load("nginx", c, out)
	if err != nil {
		t.Fatal(err)
	}
	err = s.checkInvariants(out, func(sim *scheduler.Sim) error {
		if sim.Event().Index == 9 {
			return errors.New("the sum is off")
		}
		return nil
	})
	out.flush()
	if !errors.Is(err, errFailed) {
		t.Errorf("error %v, want %v", err, errFailed)
	}
	for _, want := range []string{"invariant broken: the sum is off\n", "wakeup   service", "reproduce: zerolag nginx --kernel 7.2 --at 3.1ms --invariants\n"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("no %q in:\n%s", want, printed.String())
		}
	}
}

func TestEveryReasonHasItsOwnName(t *testing.T) {
	seen := map[string]scheduler.Reason{}
	for r := range scheduler.NumReasons {
		reason := scheduler.Reason(r)
		name := reasonName(reason)
		if other, twice := seen[name]; name == "" || twice {
			t.Errorf("reason %d is called %q like reason %d", reason, name, other)
		}
		seen[name] = reason
	}
}

func TestEveryScenarioHasOneTopic(t *testing.T) {
	text, topics := listText(""), map[string]bool{}
	last := ""
	for _, e := range scenarios.Library() {
		if n := strings.Count(text, "\n  "+e.Name+" ") + strings.Count(text, "\n  "+e.Name+"\n"); n != 1 {
			t.Errorf("%s is listed %d times:\n%s", e.Name, n, text)
		}
		if e.Topic != last && topics[e.Topic] {
			t.Errorf("the topic %q of %s has begun before", e.Topic, e.Name)
		}
		last, topics[e.Topic] = e.Topic, true
	}
}

// The list for a kernel has the cases that show something there, and all that is
// not about kernels.
func TestListForAKernel(t *testing.T) {
	entries := scenarios.Library()
	for _, kernel := range kernelNames() {
		text := listText(kernel)
		for _, e := range entries {
			if listed := strings.Contains(text, "\n  "+e.Name); listed != e.ShownOn(kernel) {
				t.Errorf("%s is listed for %s: %v, it shows on %v", e.Name, kernel, listed, e.Shows)
			}
		}
	}
}

// Every line of a JSON story is an object whose frame has the whole catalogue.
func TestJSONStoryHasAllFields(t *testing.T) {
	stdout, _, code := run("story", "groups", "--until", "20ms", "--format", "json")
	if code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	where := map[expr.Object]string{
		expr.OfEntity: "entities", expr.OfTask: "entities", expr.OfGroup: "groups", expr.OfQueue: "queues", expr.OfCPU: "cpus",
	}
	for line := range strings.Lines(stdout) {
		var got struct {
			Event map[string]any
			Frame map[string]any
			Steps []map[string]any
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		for _, f := range expr.Fields() {
			object, _ := got.Frame["run"].(map[string]any)
			if list, ok := got.Frame[where[f.Object]].([]any); ok {
				object, _ = list[len(list)-1].(map[string]any)
			}
			if _, ok := object[f.Name]; !ok && !(f.Object == expr.OfTask && got.Event["index"] == 0.0) {
				t.Fatalf("field %s of %v is missing in %s", f.Name, f.Object, line)
			}
		}
	}
}

const recordedYields = "../../scenarios/recording/testdata/08c-yield"

// damaged is a copy of a recording whose text was changed.
func damaged(t *testing.T, change func(trace string) string) string {
	t.Helper()
	dir := t.TempDir()
	about, err := os.ReadFile(filepath.Join(recordedYields, "meta.json"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(recordedYields, "trace.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"trace.txt": change(string(trace)), "meta.json": string(about)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestVerifyReplaysRecordings(t *testing.T) {
	for _, args := range [][]string{{recordedYields}, {recordedYields + "/trace.txt.gz"}, {"../../scenarios/recording/testdata"}} {
		stdout, stderr, code := run(append([]string{"verify"}, args...)...)
		if code != exitOK || !strings.Contains(stdout, "08c-yield/trace.txt.gz: ok, kernel 6.12.y, ") || !strings.Contains(stdout, " 0 differ, 0 unreadable; ") {
			t.Errorf("verify %v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if stdout, _, _ := run("verify", "../../scenarios"); !strings.Contains(stdout, " vectors: ") || !strings.Contains(stdout, " recordings: ") {
		t.Errorf("verify of vectors and recordings:\n%s", stdout)
	}
}

func TestVerifyShowsTheFirstDifferenceInFull(t *testing.T) {
	dir := damaged(t, func(trace string) string {
		return strings.Replace(trace, " c_v=10512229477 ", " c_v=10512229478 ", 1)
	})
	stdout, stderr, code := run("verify", dir)
	if code != exitFailed || stderr != "" {
		t.Errorf("exit code %d, stderr %s", code, stderr)
	}
	for _, want := range []string{"DIFFERS", "first  line ", "recorded 10512229478, computed 10512229477", "SPEC-6.12 section 8.1", "update_curr", "1 differ, "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is missing:\n%s", want, stdout)
		}
	}
}

func TestVerifySaysWhereARecordingCannotBeRead(t *testing.T) {
	dir := damaged(t, func(trace string) string { return strings.Replace(trace, "[000]", "[zero]", 1) })
	stdout, stderr, code := run("verify", dir)
	if code != exitBad || !strings.Contains(stdout, "trace.txt: UNREADABLE, 13:1: expected an event") || !strings.Contains(stderr, "1 of 1 files cannot be read") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestCommandsShowRecordings(t *testing.T) {
	for args, wants := range map[string][]string{
		"story %":                 {"fork     wl-181 by record.sh-134", "yield    t1-yield-183: t1-yield-183 => t2-yield-184", "call     avg_vruntime"},
		"story % --format json":   {`"kind":"call"`, `"call":"sched_fork","line":`, `"differs":0`},
		"draw % --at 24.216665ms": {"08c-yield  6.12.y  HZ 250  base 3", "recorded, line "},
		"stats %":                 {"t0-hog-182"},
		"waits % t0-hog-182":      {"t0-hog-182"},
		"%":                       {"recording of Linux 6.12.117", "! wl go"},
	} {
		stdout, stderr, code := run(strings.Fields(strings.ReplaceAll(args, "%", recordedYields))...)
		if code != exitOK {
			t.Errorf("zerolag %s: exit code %d, %s", args, code, stderr)
		}
		for _, want := range wants {
			if !strings.Contains(stdout, want) {
				t.Errorf("zerolag %s: %q is missing in\n%s", args, want, stdout[:min(len(stdout), 4000)])
			}
		}
	}
	// The command below a picture reopens it.
	picture, _, _ := run("draw", recordedYields, "--at", "24.216665ms")
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(picture, "\\\n", " ")), "\n")
	command := strings.Fields(lines[len(lines)-1])
	if again, stderr, code := run(append([]string{"draw"}, command[1:]...)...); code != exitOK || again != picture {
		t.Errorf("%v: exit code %d, %s", command, code, stderr)
	}
	for args, want := range map[string]string{
		"story % --kernel 7.2":    "08c-yield is a recording: expected no other kernel",
		"stats % --hz 1000":       "expected no other HZ",
		"story % --invariants":    "expected no --invariants, 'zerolag verify",
		"compare % --each-kernel": "08c-yield is a recording: expected a scenario",
	} {
		_, stderr, code := run(strings.Fields(strings.ReplaceAll(args, "%", recordedYields))...)
		if code != exitBad || !strings.Contains(stderr, want) {
			t.Errorf("zerolag %s: exit code %d, stderr %s", args, code, stderr)
		}
	}
}

func TestStoryMarksDisagreements(t *testing.T) {
	dir := damaged(t, func(trace string) string {
		return strings.Replace(trace, " c_v=10512229477 ", " c_v=10512229478 ", 1)
	})
	stdout, stderr, code := run("story", dir)
	if code != exitOK || strings.Count(stdout, "! the machine disagrees: line 41, update_curr") != 1 {
		t.Errorf("exit code %d, %s\n%s", code, stderr, stdout)
	}
}

func TestExportRefusesARecording(t *testing.T) {
	stdout, stderr, code := run("export", recordedYields)
	if code != exitBad || stdout != "" || !strings.Contains(stderr, "is a recording: expected a scenario, because a recording has no task programs") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
