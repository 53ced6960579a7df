package vector

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"
)

func decisionText(t testing.TB, name string) string {
	t.Helper()
	packed, err := os.ReadFile("testdata/smp/" + name + ".txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var decisionFiles = []string{"balance", "fork", "wakeup", "pelt"}

func TestDecisionsReplayEqual(t *testing.T) {
	for _, name := range decisionFiles {
		res, err := Replay(strings.NewReader(decisionText(t, name)))
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case res.Diff != nil:
			t.Errorf("%s: %s", name, res.Diff)
		case res.States < 1000 || name != "pelt" && res.States != res.Ops:
			t.Errorf("%s: %d of %d questions were compared", name, res.States, res.Ops)
		}
	}
}

// TestEveryAnswerIsCompared changes one number of an answer and expects it to be
// found.
func TestEveryAnswerIsCompared(t *testing.T) {
	for _, name := range decisionFiles {
		lines := strings.Split(decisionText(t, name), "\n")[:1000]
		for at := 0; at < len(lines); at += 97 {
			for !strings.HasPrefix(lines[at], "= ") {
				at++
			}
			changed := append([]string{}, lines...)
			changed[at] += "1"
			res, err := Replay(strings.NewReader(strings.Join(changed, "\n")))
			if err != nil || res.Diff == nil || res.Diff.Line != at+1 {
				t.Fatalf("%s:%d: got %+v, %v; want a difference there", name, at+1, res.Diff, err)
			}
		}
	}
}

func TestFaultyDecisionsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"case 1\n> now x 0":                                  `2:1: "x": expected an integer`,
		"case 1\n> sing 1 2\n= 1":                            `3:1: question 2: > sing 1 2: operation "sing": expected now, attg`,
		"case 1\n> now 1\n= 1":                               `operation "now" has 1 operands: expected 2`,
		"case 1\n> tick 0 0\nhello":                          `3:1: line "hello": expected a case, a question (>) or an answer (=)`,
		"case 9 1 1\n":                                       "1:1: number 9: expected 1 to 4",
		"> 1 1\n= 2":                                         "too few numbers",
		"> 999999 1 0\n= 1 2 3 4 5":                          "number 999999: expected 1 to 256",
		"case 1 1 2\n> 1 9 1 1 0\n= 1 2 3 4":                 "number 9: expected 0 to 1",
		"> 1 2 1 0 0 3" + strings.Repeat(" 0", 15) + "\n= 2": "numbers too many",
	} {
		res, err := Replay(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, %v; want %s", text, res, err, want)
		}
	}
}

func FuzzDecisions(f *testing.F) {
	f.Add("case 1 1 2\n> 4591 1 2 7 0 0 1 1 1 1 3 85 811 1 0 0 258 0 0 0 2456 1 0 1 2\n= 1 0 0 7 0")
	f.Add("case 0\n> now 906692059 0\n> attg 0 0\n> w 0 15360\n> enq 0 0\n> run 0 0\n> now 907692059 0\n> tick 0 0\n= root 0 0 0 0 0 0 0 0")
	f.Add("> 2 1 0 8 1 117 4 2 1 0 0 268 171 271 0 0 242 889 1722 2 2\n= 1 1 853 1 1")
	f.Add("> 1 2 1 1 0 3 26 134 960 0 0 0 24 11 96 97 1 1 0 9\n= 0")
	f.Fuzz(func(_ *testing.T, text string) {
		if isDecision(text) {
			_, _ = Replay(strings.NewReader(text))
		}
	})
}
