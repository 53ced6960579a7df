package scenarios

import (
	"fmt"
	"strings"
	"unicode"
)

// Fault is a thing that is wrong with a scenario file.
type Fault struct {
	File string
	// Line and Col count from 1; Col counts characters.
	Line, Col int
	// Source is the line in question.
	Source string
	// Msg says what is wrong, Want what was expected instead.
	Msg, Want string
}

// Error is three lines: position and message, the source line, a caret below
// the column.
func (f *Fault) Error() string {
	line, col := window([]rune(f.Source), f.Col)
	return fmt.Sprintf("%s:%d:%d: %s: expected %s\n%s\n%s^",
		f.File, f.Line, f.Col, f.Msg, f.Want, line, strings.Repeat(" ", col-1))
}

// A long source line is cut to sourceWidth characters, sourceLead of them
// before the caret.
const (
	sourceWidth = 100
	sourceLead  = 60
)

// window is the part of a line around a column, and the column within it.
// Characters that would disturb a terminal are replaced one by one.
func window(line []rune, col int) (string, int) {
	from := 0
	if len(line) > sourceWidth && col > sourceLead {
		from = min(col-sourceLead, len(line)-sourceWidth/2)
	}
	part := line[from:min(len(line), from+sourceWidth)]
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, string(part))
	return clean, col - from
}

// position is a place in a file, both counting from 1.
type position struct{ line, col int }

// shift is the position some characters to the right.
func (p position) shift(chars int) position { return position{p.line, p.col + chars} }

// source is a file's name and text, kept to show the line of a fault.
type source struct{ file, text string }

// fault describes what is wrong at a position, which is moved into the text if
// it lies outside.
func (s *source) fault(at position, msg, want string) *Fault {
	rest, line := s.text, ""
	number := 0
	for number < max(at.line, 1) {
		before, after, more := strings.Cut(rest, "\n")
		line, rest = before, after
		number++
		if !more {
			break
		}
	}
	line = strings.TrimSuffix(line, "\r")
	col := min(max(at.col, 1), len([]rune(line))+1)
	return &Fault{File: s.file, Line: number, Col: col, Source: line, Msg: msg, Want: want}
}

// sieve collects faults, one of each part of the file: a key of a map, an item of a
// list. Code that found one goes on with zero values, which keeps the readers free
// of error plumbing; where the part ends settle makes room for the next one.
type sieve struct {
	src   *source
	fault *Fault   // of the part at hand
	found []*Fault // of the parts before it, in the order in which they were met
}

// maxFaults is how many faults of a file are collected.
const maxFaults = 100

// fail notes a fault unless the part at hand has one already.
func (s *sieve) fail(at position, msg, want string) {
	if s.open() {
		s.fault = s.src.fault(at, msg, want)
	}
}

// open tells whether another fault would be noted.
func (s *sieve) open() bool { return s.fault == nil && len(s.found) < maxFaults }

// faulty tells whether the part at hand has a fault.
func (s *sieve) faulty() bool { return s.fault != nil }

// settle ends a part and tells whether it had a fault.
func (s *sieve) settle() bool {
	if s.fault == nil {
		return false
	}
	s.found = append(s.found, s.fault)
	s.fault = nil
	return true
}

// failed tells whether there is any fault.
func (s *sieve) failed() bool { return s.fault != nil || len(s.found) > 0 }

// faults are all of them, the one met first at the front.
func (s *sieve) faults() []*Fault {
	s.settle()
	return s.found
}

// unknown notes a name that nothing has, with the nearest names that exist.
func (s *sieve) unknown(at position, what, name string, among []string) {
	if !s.open() {
		return
	}
	s.fail(at, "unknown "+what+" "+quote(name), suggestion(name, among))
}

// quoteLimit is how many characters of a text a message shows.
const quoteLimit = 40

// quote is a text in quotes, cut if it is long.
func quote(text string) string {
	if r := []rune(text); len(r) > quoteLimit {
		text = string(r[:quoteLimit]) + "..."
	}
	return fmt.Sprintf("%q", text)
}
