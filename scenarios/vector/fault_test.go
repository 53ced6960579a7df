package vector

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// changedDigit returns the text with the n-th digit of its state lines changed.
// ok is false beyond the last one. A digit that belongs to a name (cpu0, q0.0,
// t3) counts as well: the object is then another one.
func changedDigit(text []byte, n int) (changed []byte, ok bool) {
	for start := 0; start < len(text); {
		end := start + bytes.IndexByte(text[start:], '\n')
		if end < start {
			end = len(text)
		}
		if bytes.HasPrefix(text[start:end], []byte("= ")) {
			for i := start; i < end; i++ {
				if text[i] < '0' || text[i] > '9' {
					continue
				}
				if n == 0 {
					changed = bytes.Clone(text)
					changed[i] = '0' + (text[i]-'0'+1)%10
					return changed, true
				}
				n--
			}
		}
		start = end + 1
	}
	return nil, false
}

func TestChangedDigitIsFound(t *testing.T) {
	for _, archive := range archives {
		eachVector(t, archive, func(name string, text []byte) {
			// The first part of a vector is enough: the replay stops at the difference.
			for n := 3; n < 6000; n = n*9 + 2 {
				changed, ok := changedDigit(text, n)
				if !ok {
					break
				}
				res, err := Replay(bytes.NewReader(changed))
				if err != nil {
					t.Fatalf("%s, digit %d: %v", name, n, err)
				}
				if res.Diff == nil {
					t.Fatalf("%s, digit %d: a changed digit was not noticed", name, n)
				}
				if res.Diff.Want == res.Diff.Got || res.Diff.Line == 0 || res.Diff.Op == "" {
					t.Fatalf("%s, digit %d: difference does not say what differs: %s", name, n, res.Diff)
				}
			}
		})
	}
}

func TestDifferenceNamesLineObjectAndField(t *testing.T) {
	text := "# profile=7.2 ncpu=1 hz=1000 base_slice=2800000\nA 1000\n= cpu0 cur=-1 nr=7 rs=0 lz=0|\n"
	res, err := Replay(strings.NewReader(text))
	if err != nil || res.Diff == nil {
		t.Fatalf("got %+v, %v; want a difference", res, err)
	}
	d := res.Diff
	if d.Line != 3 || d.Op != "2: A 1000" || d.Object != "cpu0" || d.Field != "nr" || d.Want != "7" || d.Got != "0" {
		t.Errorf("got %s", d)
	}
}

func TestMissingAndSurplusObjectsAreDifferences(t *testing.T) {
	const head = "# profile=7.2 ncpu=1 hz=1000 base_slice=2800000\n"
	for _, states := range []string{
		"= cpu0 cur=-1 nr=0 rs=0 lz=0|\n",
		"= \n",
		"= cpu0 cur=-1 nr=0 rs=0 lz=0 extra=1|\n",
		"= cpu0 cur=-1 nr=0 rs=0|\n",
	} {
		res, err := Replay(strings.NewReader(head + states))
		if err == nil && res.Diff == nil {
			t.Errorf("%q was accepted", states)
		}
	}
}

const (
	head72  = "# profile=7.2 ncpu=2 hz=1000 base_slice=2800000\n"
	oneTask = head72 + "A 2000000\nF 0 0 0 0 0\n"
	running = oneTask + "S 0 0 0\n"
	asleep  = running + "S 0 1 0\n"
	dead    = running + "S 0 1 1\n"
	idleGrp = head72 + "G 0 1\n"
	twoQ    = running + "F 0 0 0 0 0\n"
)

// faults are vectors that must be refused: the line and a part of the message.
var faults = []struct {
	name, text, want string
	line             int
}{
	{"empty file", "", "empty file", 1},
	{"no header", "A 1000\n", "not a vector", 1},
	{"header without base slice", "# profile=7.2 ncpu=1\n", "base_slice", 1},
	{"unknown profile", "# profile=2.4 base_slice=1\n", "profile \"2.4\"", 1},
	{"unknown header field", "# profile=7.2 base_slice=1 colour=red\n", "colour", 1},
	{"too many CPUs", "# ncpu=11 base_slice=1\n", "1 to 10", 1},
	{"header word without value", "# ncpu base_slice=1\n", "name=value", 1},
	{"unknown toggle", "# base_slice=1 toggles=MAGIC=1\n", "MAGIC=1", 1},
	{"unknown operation", head72 + "\nZ 1\n", "\"Z\" is not known", 3},
	{"too few arguments", head72 + "F 0 0\n", "expected 5 arguments (cpu grp nice policy slice), got 2", 2},
	{"too many arguments", head72 + "A 1 2\n", "expected 1 arguments", 2},
	{"word for a number", head72 + "A soon\n", "expected an integer for ns", 2},
	{"time goes back", head72 + "A -1\n", "time step -1", 2},
	{"end of time", head72 + "A 1152921504606846976\nA 1\n", "time step 1", 3},
	{"cpu out of range", head72 + "T 2\n", "cpu 2: expected 0 ... 1", 2},
	{"negative cpu", head72 + "S -1 0 0\n", "cpu -1", 2},
	{"group out of range", head72 + "G 1 0\n", "group 1: expected 0 ... 0", 2},
	{"nice out of range", head72 + "F 0 0 20 0 0\n", "nice 20", 2},
	{"policy of another class", head72 + "F 0 0 0 1 0\n", "policy 1", 2},
	{"policy beyond a byte", head72 + "F 0 0 0 256 0\n", "policy 256", 2},
	{"negative slice", head72 + "F 0 0 0 0 -1\n", "slice -1", 2},
	{"fork on no cpu", head72 + "F 2 0 0 0 0\n", "cpu 2", 2},
	{"fork into no group", head72 + "F 0 3 0 0 0\n", "group 3", 2},
	{"wake of no task", head72 + "W 0\n", "task 0", 2},
	{"wake of a task that is awake", running + "W 0\n", "does not sleep", 5},
	{"wake of a dead task", dead + "W 0\n", "task 0 is dead", 6},
	{"migrating a running task", running + "M 0 1\n", "only a waiting task", 5},
	{"migrating a sleeping task", asleep + "M 0 1\n", "only a waiting task", 6},
	{"migrating to no cpu", oneTask + "M 0 2\n", "cpu 2", 4},
	{"yield_to a sleeping task", twoQ + "S 0 1 0\nB 0 0\n", "not waiting for a CPU", 7},
	{"yield_to the running task", twoQ + "B 0 0\n", "not waiting for a CPU", 6},
	{"group move of a dead task", dead + "X 0 0\n", "dead", 6},
	{"group move to no group", oneTask + "X 0 1\n", "group 1", 4},
	{"nice of a dead task", dead + "N 0 5\n", "dead", 6},
	{"nice too low", oneTask + "N 0 -21\n", "nice -21", 4},
	{"slice of a dead task", dead + "L 0 1000000\n", "dead", 6},
	{"negative runtime", oneTask + "L 0 -5\n", "slice -5", 4},
	{"policy of a dead task", dead + "P 0 3 0\n", "dead", 6},
	{"shares of the root group", head72 + "H 0 2048\n", "group 0: expected 1 ... 0", 2},
	{"shares of an idle group", idleGrp + "H 1 4096\n", "is idle", 3},
	{"shares below the least", head72 + "G 0 0\nH 1 2047\n", "shares 2047", 3},
	{"idle of the root group", head72 + "I 0 1\n", "group 0", 2},
	{"unknown feature number", head72 + "K 99 1\n", "feature number 99", 2},
	{"unknown parameter", head72 + "P 4 1\n", "parameter 4", 2},
	{"base slice of nothing", head72 + "P 0 0\n", "parameter 0: value 0", 2},
	{"parameter without value", head72 + "P 0\n", "expected 3 arguments", 2},
}

func TestFaultsAreErrorsWithTheirLine(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			_, err := Replay(strings.NewReader(f.text))
			var format *FormatError
			if !errors.As(err, &format) {
				t.Fatalf("got %v, want a FormatError about %q", err, f.want)
			}
			if format.Line != f.line || !strings.Contains(format.Msg, f.want) {
				t.Errorf("got %q, want line %d with %q", err, f.line, f.want)
			}
		})
	}
}

// FuzzReplay feeds arbitrary text: it must end in a result or an error, and
// after every accepted operation the invariants hold.
func FuzzReplay(f *testing.F) {
	for _, fault := range faults {
		f.Add(fault.text)
	}
	eachVector(f, "7.2-toggles", func(_ string, text []byte) { f.Add(string(text[:min(len(text), 4000)])) })
	eachVector(f, "6.12.y-toggles", func(_ string, text []byte) { f.Add(string(text[:min(len(text), 4000)])) })
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := Replay(strings.NewReader(text)); err != nil {
			return
		}
		err := checkEveryLine([]byte(text))
		if format := new(FormatError); err != nil && !errors.As(err, &format) {
			t.Fatal(err)
		}
	})
}
