package scenarios

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// Limits of a file. They keep a bad file from costing seconds or stack.
const (
	maxFileSize = 4 << 20 // bytes
	maxKeys     = 10_000  // of one map; the parser's time grows with their square
	maxIndent   = 200     // spaces at the start of a line
	maxNesting  = 64      // flow brackets inside each other, dashes in one line
)

// checkBytes refuses what is no text file: too big, empty, not UTF-8, or with
// characters that YAML does not allow or that people cannot see.
func (s *sieve) checkBytes() {
	text := s.src.text
	if len(text) > maxFileSize {
		s.fail(position{1, 1}, fmt.Sprintf("the file has %d bytes", len(text)), "at most 4 MiB")
		return
	}
	if strings.TrimSpace(text) == "" {
		s.fail(position{1, 1}, "the file is empty", "a scenario with at least the key tasks")
		return
	}
	at, indent := position{1, 1}, 0
	for i, r := range text {
		switch {
		case r == '\n':
			at, indent = position{at.line + 1, 1}, 0
			continue
		case r == ' ' && indent == at.col-1:
			indent++
		case r == '\t':
			s.fail(at, "tab character", "spaces")
		case r == '\r' && strings.HasPrefix(text[i:], "\r\n"):
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			s.fail(at, fmt.Sprintf("byte 0x%02x is not UTF-8", text[i]), "UTF-8 text")
		case isControl(r):
			s.fail(at, fmt.Sprintf("control character 0x%02x", r), "printable text")
		}
		if indent > maxIndent {
			s.fail(at, "the line is indented too far", fmt.Sprintf("at most %d spaces", maxIndent))
		}
		if s.failed() {
			return
		}
		at.col++
	}
}

// isControl tells whether a character could drive a terminal: C0, DEL and C1.
func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// checkTokens refuses the parts of YAML that scenarios do not use, and nesting
// so deep that only an attack has it.
func (s *sieve) checkTokens(tokens token.Tokens) {
	depth, dashes, line := 0, 0, 0
	begun := false // something other than a comment was there
	var keys keyCounter
	for _, t := range tokens {
		if t.Position.Line != line {
			dashes, line = 0, t.Position.Line
		}
		at := tokenPosition(t)
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType:
			dashes++
		case token.AnchorType, token.AliasType, token.TagType:
			s.fail(at, "a YAML anchor, alias or tag", "plain values, and quotes around a text that begins with &, * or !")
		case token.DocumentHeaderType:
			if begun {
				s.fail(at, "a second YAML document", "one scenario in a file")
			}
		case token.MergeKeyType, token.MappingKeyType, token.DirectiveType, token.DocumentEndType:
			s.fail(at, "a YAML merge key, complex key, directive or end mark", "plain keys and values")
		}
		begun = begun || t.Type != token.CommentType
		if keys.count(t, depth) > maxKeys {
			s.fail(at, "a map has too many keys", fmt.Sprintf("at most %d", maxKeys))
		}
		if depth < 0 {
			s.fail(at, "a closing bracket without an opening one", "brackets in pairs")
		}
		if depth > maxNesting || dashes > maxNesting {
			s.fail(at, "lists are nested too deeply", fmt.Sprintf("at most %d levels", maxNesting))
		}
		if s.failed() {
			return
		}
	}
}

// tokenPosition is where a token begins.
func tokenPosition(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{t.Position.Line, t.Position.Column}
}

// keyCounter counts the keys of the maps that are open: by column those on lines of
// their own, by nesting those in braces.
type keyCounter struct{ block, flow []int }

// count looks at the next token and gives the number of keys so far of the map that
// it belongs to, if it is the colon of one.
func (k *keyCounter) count(t *token.Token, depth int) int {
	list, i := &k.block, 0
	switch {
	case t.Type == token.MappingStartType:
		k.flow = k.flow[:min(len(k.flow), max(depth, 0))]
		return 0
	case t.Type == token.SequenceEntryType:
		k.block = k.block[:min(len(k.block), t.Position.Column+1)]
		return 0
	case t.Type != token.MappingValueType || t.Prev == nil:
		return 0
	case depth > 0:
		list, i = &k.flow, depth
	default:
		i = min(max(t.Prev.Position.Column, 0), maxIndent)
	}
	for len(*list) <= i {
		*list = append(*list, 0)
	}
	*list = (*list)[:i+1] // deeper maps are over
	(*list)[i]++
	return (*list)[i]
}
