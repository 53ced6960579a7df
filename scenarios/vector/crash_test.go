package vector

import (
	"strings"
	"testing"
)

// TestNullPointerIsADifference: the reweight of 6.8 overflows until nobody is
// eligible; the replay ends at that schedule() and names it.
func TestNullPointerIsADifference(t *testing.T) {
	const text = `# profile=6.8 ncpu=1 hz=250 base_slice=3000000
A 1000000000
G 0 0
G 0 0
H 2 268435456
F 0 1 0 0 0
S 0 0 0
F 0 2 19 0 0
A 10000000000
T 0
H 2 2048
H 1 268435456
S 0 0 0
`
	res, err := Replay(strings.NewReader(text))
	if err != nil || res.Diff == nil {
		t.Fatalf("got %+v, %v; want the null pointer", res, err)
	}
	if d := res.Diff; d.Line != 13 || d.Object != "machine" || d.Field != "oops" || !strings.Contains(d.Got, "null pointer") {
		t.Errorf("got %s", d)
	}
	res, err = Replay(strings.NewReader(strings.Replace(text, "6.8", "6.9", 1)))
	if err != nil || res.Diff != nil {
		t.Errorf("6.9: got %+v, %v; want no difference", res, err)
	}
}
