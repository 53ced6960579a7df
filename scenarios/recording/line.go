package recording

import (
	"fmt"
	"strconv"
	"strings"
)

// line is one event of a trace.
type line struct {
	num    int // 1-based, in the file
	text   string
	comm   string
	pid    int
	cpu    int // that executed it
	flags  string
	micros uint64 // trace clock
	name   string // of the event, without _ret
	exit   bool
	fields []field
}

// field is one name=number of an event. Signed values are kept modulo 2^64.
type field struct {
	key   string
	value uint64
}

// get finds a number.
func (l *line) get(key string) (uint64, bool) {
	for i := range l.fields {
		if f := &l.fields[i]; f.key == key {
			return f.value, true
		}
	}
	return 0, false
}

// num64 is a number, 0 if the event does not have it.
func (l *line) num64(key string) uint64 {
	v, _ := l.get(key)
	return v
}

// word is the text of a name=value, without quotes.
func (l *line) word(key string) string {
	_, rest, _ := strings.Cut(l.text, " "+key+"=")
	text, _, _ := strings.Cut(rest, " ")
	return strings.Trim(text, `"`)
}

// irqsOff tells whether the event ran with interrupts off, as everything under
// a run queue's lock does.
func (l *line) irqsOff() bool {
	return strings.HasPrefix(l.flags, "d") || strings.HasPrefix(l.flags, "D")
}

// parseLine reads COMM-PID [CPU] FLAGS TIME: EVENT: (where) name=value ...; COMM
// may hold blanks and dashes. An error begins with line and column.
func parseLine(num int, text string) (*line, error) {
	l := &line{num: num, text: text}
	fault := func(part, format string, args ...any) (*line, error) {
		column := len(text) - len(part) + 1
		return nil, fmt.Errorf("%d:%d: "+format, append([]any{num, column}, args...)...)
	}
	bracket := cpuBracket(text)
	if bracket < 0 {
		return fault(text, "expected an event like 'COMM-PID [CPU] FLAGS TIME: EVENT: ...'")
	}
	head := strings.TrimSpace(text[:bracket])
	dash := strings.LastIndexByte(head, '-')
	var err error
	if dash < 0 {
		return fault(text, "expected COMM-PID before the CPU, got %q", head)
	}
	l.comm = head[:dash]
	if l.pid, err = strconv.Atoi(head[dash+1:]); err != nil {
		return fault(text, "pid %q: expected a number", head[dash+1:])
	}
	rest := text[bracket+1:]
	end := strings.IndexByte(rest, ']')
	if l.cpu, err = strconv.Atoi(rest[:end]); err != nil || l.cpu >= maxCPUs {
		return fault(rest, "cpu %q: expected 0 ... %d", rest[:end], maxCPUs-1)
	}
	rest = rest[end+1:]
	words := strings.Fields(rest)
	if len(words) < 3 || !strings.HasSuffix(words[1], ":") {
		return fault(rest, "expected FLAGS TIME: EVENT: after the CPU")
	}
	l.flags = words[0]
	if l.micros, err = parseMicros(strings.TrimSuffix(words[1], ":")); err != nil {
		return fault(rest[strings.Index(rest, words[1]):], "%v", err)
	}
	l.name, l.exit = strings.CutSuffix(strings.TrimSuffix(words[2], ":"), "_ret")
	l.fields = make([]field, 0, strings.Count(text, "="))
	for _, w := range words[3:] {
		if key, text, ok := strings.Cut(w, "="); ok {
			if value, ok := parseNumber(text); ok {
				l.fields = append(l.fields, field{key, value})
			}
		}
	}
	return l, nil
}

// cpuBracket is where "[CPU] " begins: the first bracket that holds digits only.
func cpuBracket(text string) int {
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '[')
		if next < 0 {
			return -1
		}
		at += next
		end := strings.IndexByte(text[at:], ']')
		if end > 1 && strings.Trim(text[at+1:at+end], "0123456789") == "" {
			return at
		}
	}
}

// parseMicros reads seconds with six decimals.
func parseMicros(text string) (uint64, error) {
	sec, frac, _ := strings.Cut(text, ".")
	s, err := strconv.ParseUint(sec, 10, 40)
	if err != nil || len(frac) != 6 {
		return 0, fmt.Errorf("time %q: expected seconds with six decimals", text)
	}
	us, err := strconv.ParseUint(frac, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("time %q: expected seconds with six decimals", text)
	}
	return s*1_000_000 + us, nil
}

func parseNumber(text string) (value uint64, ok bool) {
	if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		return n, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return uint64(n), err == nil
}
