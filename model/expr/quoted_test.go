package expr

import "testing"

func TestQuotedNamesAreReadAgain(t *testing.T) {
	for name, want := range map[string]string{
		"nginx": "nginx", "t0-hog-185": "t0-hog-185", "/a/b": "/a/b", "ö": "ö",
		"kworker/0:1-10": `"kworker/0:1-10"`, "record.sh": `"record.sh"`, "0x1": `"0x1"`, "-a": `"-a"`,
		"/system.slice": `"/system.slice"`, `say "a"`: "`say \"a\"`",
	} {
		if got := Quoted(name); got != want {
			t.Errorf("%s is written %s, want %s", name, got, want)
		}
	}
}
