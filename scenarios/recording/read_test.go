package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLineGrammar(t *testing.T) {
	const text = `    a b-c [x]-12    [003] dNh3.    16.537501: update_curr_ret: (foo+0x1/0x2 <- update_curr) q=0xff c_lag=-3 grp="a" v=18446744073708503040 bare`
	l, err := parseLine(7, text)
	if err != nil {
		t.Fatal(err)
	}
	if l.comm != "a b-c [x]" || l.pid != 12 || l.cpu != 3 || l.micros != 16_537_501 || l.name != "update_curr" || !l.exit || !l.irqsOff() {
		t.Errorf("got %+v", *l)
	}
	for key, want := range map[string]uint64{"q": 0xff, "c_lag": ^uint64(2), "v": 18446744073708503040} {
		if v, ok := l.get(key); !ok || v != want {
			t.Errorf("%s: got %d, %v, want %d", key, v, ok, want)
		}
	}
	if l.word("grp") != "a" || l.has("grp") || l.has("bare") {
		t.Errorf("grp: got %q, number %v", l.word("grp"), l.has("grp"))
	}
}

func TestFaultyLinesSayWhatWasExpected(t *testing.T) {
	for text, want := range map[string]string{
		"nothing":                            "expected an event",
		"comm [000] d 1.000000: x:":          "expected COMM-PID",
		"comm-a [000] d 1.000000: x:":        `pid "a"`,
		"comm-1 [000] d 1.0: x:":             `time "1.0"`,
		"comm-1 [000] d":                     "expected FLAGS TIME: EVENT:",
		"comm-1 [000] d 1.00000a: x:":        "six decimals",
		"comm-1 [99999999999999999999] d 1:": "cpu",
	} {
		if _, err := parseLine(3, text); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "3:") {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// record.sh writes meta.txt; the recorder of the test data wrote meta.json.
func TestDescriptionOfTheRecorder(t *testing.T) {
	dir := t.TempDir()
	const text = "kernel: 6.12.117 #1 SMP\nmachine: x86_64\nhz: 250\nbase_slice_ns: 3000000\nfeatures: PLACE_LAG NO_HRTICK \n"
	if err := os.WriteFile(filepath.Join(dir, metaText), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := readMeta(dir)
	if err != nil || m.Kernel != "6.12.117 #1 SMP" || m.HZ != 250 || m.BaseSlice != 3_000_000 || len(m.Features) != 2 {
		t.Fatalf("got %+v, %v", m, err)
	}
	c, err := m.config(2)
	if err != nil || c.Kernel.Name != "6.12.y" || c.CPUs != 2 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestFaultyDescriptionsSayWhatIsMissing(t *testing.T) {
	const whole = "kernel: 6.12.117\nhz: 250\nbase_slice_ns: 1\nfeatures: PLACE_LAG\n"
	for _, c := range []struct{ from, to, want string }{
		{"kernel: 6.12.117\n", "", "kernel is missing"},
		{"250", "unknown", "hz is 0"},
		{"base_slice_ns: 1", "", "base_slice_ns is missing"},
		{"PLACE_LAG", "", "features are missing"},
		{"PLACE_LAG", "PLACE_LUG", `feature "PLACE_LUG"`},
		{"6.12.117", "6.18.1", "no profile describes it; the nearest is 6."},
		{"6.12.117", "5.4.1", "the nearest is 6.6, but kernels before 6.6 do not have EEVDF"},
		{"6.12.117", "linux", "expected a release like 6.12.117"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, metaText), []byte(strings.Replace(whole, c.from, c.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := readMeta(dir)
		if err == nil {
			_, err = m.config(1)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: got %v, want %q", c.to, c.from, err, c.want)
		}
	}
}

func TestOnlyTracesAreRecordings(t *testing.T) {
	const trace = "testdata/07-cgroup/trace.txt.gz"
	for path, want := range map[string]string{
		"testdata/07-cgroup": trace, trace: trace, "testdata": "", "testdata/07-cgroup/meta.json": "", ".": "", "nothing": "",
	} {
		if got, ok := TraceIn(path); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", path, got, ok, want)
		}
	}
}

// The replay knows the functions that the recorder records.
func TestRecorderWritesWhatReplayReads(t *testing.T) {
	script, err := os.ReadFile("../../docs/record.sh")
	if err != nil {
		t.Fatal(err)
	}
	for name := range sections {
		if !strings.Contains(string(script), name+" ") && !strings.Contains(string(script), name+"_ret ") && !strings.Contains(string(script), name+"%return") {
			t.Errorf("docs/record.sh does not record %s", name)
		}
	}
	for _, f := range entityFields {
		if !strings.Contains(string(script), f.name+":") {
			t.Errorf("docs/record.sh does not record %s of an entity", f.name)
		}
	}
	for _, f := range queueFields {
		if !strings.Contains(string(script), f.name+":") {
			t.Errorf("docs/record.sh does not record %s of a queue", f.name)
		}
	}
}
