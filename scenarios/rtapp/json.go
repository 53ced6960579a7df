package rtapp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Fault is something in a file that cannot be used, or that must be known.
type Fault struct {
	// Line and Col count from 1; Col counts characters.
	Line, Col int
	// Msg says what it is, Want what was expected.
	Msg, Want string
}

// Limits of a file.
const (
	maxSize    = 4 << 20 // bytes
	maxNesting = 32
)

// kind says what a value is.
type kind uint8

const (
	kindOther kind = iota // true, false, null
	kindText
	kindNumber
	kindList
	kindMap
)

// value is a value with its place; maps keep their order and keys given twice.
type value struct {
	kind   kind
	at     int    // byte offset
	text   string // of a text, number or word
	fields []field
	items  []value
}

// field is a key with its value.
type field struct {
	key   string
	at    int
	value value
}

// source is a file without what JSON does not know.
type source struct {
	text   []byte
	faults []Fault
}

// fail notes a fault at an offset.
func (s *source) fail(at int, msg, want string) {
	line, col := s.place(at)
	s.faults = append(s.faults, Fault{line, col, msg, want})
}

// place is the line and column of an offset.
func (s *source) place(at int) (line, col int) {
	before := s.text[:min(max(at, 0), len(s.text))]
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// blank replaces comments and trailing commas by spaces, so that all offsets stay.
func blank(text []byte) []byte {
	text = bytes.Clone(text)
	comma := -1 // of a comma behind which only spaces came so far
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case text[i] == '"':
			i += stringEnd(rest)
			comma = -1
		case bytes.HasPrefix(rest, []byte("//")):
			i += erase(rest, "\n") - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			i += erase(rest, "*/") - 1
		case text[i] == ',':
			comma = i
		case text[i] == '}' || text[i] == ']':
			if comma >= 0 {
				text[comma] = ' '
			}
			comma = -1
		case !strings.ContainsRune(" \t\r\n", rune(text[i])):
			comma = -1
		}
	}
	return text
}

// stringEnd is the offset of the quote that closes a string.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i
		}
	}
	return len(text)
}

// erase blanks a comment up to its end and gives its length. Line ends stay.
func erase(text []byte, end string) int {
	n := bytes.Index(text[2:], []byte(end))
	if n < 0 {
		n = len(text)
	} else {
		n += 2 + len(end)
	}
	for i := range n {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
	return n
}

// read reads the only value of a file; false if it cannot be read.
func (s *source) read() (value, bool) {
	if len(s.text) > maxSize {
		s.fail(0, "the file is too large", "at most 4 MiB")
		return value{}, false
	}
	if !utf8.Valid(s.text) {
		s.fail(0, "the file is no UTF-8", "UTF-8 text")
		return value{}, false
	}
	s.text = blank(bytes.TrimPrefix(s.text, []byte("\xef\xbb\xbf")))
	d := json.NewDecoder(bytes.NewReader(s.text))
	d.UseNumber()
	v := s.value(d, 0)
	if len(s.faults) > 0 {
		return v, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		s.fail(int(d.InputOffset()), "something follows the end of the map", "one map in the file")
		return v, false
	}
	return v, true
}

// token reads a token and where it begins.
func (s *source) token(d *json.Decoder) (json.Token, int) {
	before := int(d.InputOffset())
	t, err := d.Token()
	at := s.space(before)
	if at < len(s.text) && (s.text[at] == ',' || s.text[at] == ':') {
		at = s.space(at + 1)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		s.fail(at, "the file ends too early", "a closing bracket for each that opens")
	case err != nil:
		s.fail(at, "invalid JSON: "+err.Error(), "JSON; comments and commas before a closing bracket are fine")
	}
	return t, at
}

// space is the offset of the next byte that is no white space.
func (s *source) space(at int) int {
	for at < len(s.text) && strings.ContainsRune(" \t\r\n", rune(s.text[at])) {
		at++
	}
	return at
}

// value reads the next value.
func (s *source) value(d *json.Decoder, depth int) value {
	t, at := s.token(d)
	v := value{at: at}
	if depth > maxNesting {
		s.fail(at, "maps and lists are nested too deeply", "at most 32 levels")
	}
	if len(s.faults) > 0 {
		return v
	}
	switch t := t.(type) {
	case string:
		v.kind, v.text = kindText, t
	case json.Number:
		v.kind, v.text = kindNumber, t.String()
	case json.Delim:
		v.kind = kindList
		if t == '{' {
			v.kind = kindMap
		}
		for len(s.faults) == 0 && d.More() {
			if v.kind == kindList {
				v.items = append(v.items, s.value(d, depth+1))
				continue
			}
			key, at := s.token(d)
			if len(s.faults) > 0 {
				break
			}
			text, _ := key.(string)
			v.fields = append(v.fields, field{text, at, s.value(d, depth+1)})
		}
		if len(s.faults) == 0 {
			s.token(d) // the closing bracket
		}
	default:
		v.text = string(s.text[at:min(len(s.text), int(d.InputOffset()))])
	}
	return v
}

// describe names a value in a message.
func (v *value) describe() string {
	switch v.kind {
	case kindText:
		if len(v.text) > 40 {
			return "a long text"
		}
		return `"` + v.text + `"`
	case kindList:
		return "a list"
	case kindMap:
		return "a map"
	case kindNumber, kindOther:
	}
	return v.text
}
