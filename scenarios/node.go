package scenarios

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// kind says what a node of the file is.
type kind uint8

const (
	kindNull kind = iota
	kindScalar
	kindList
	kindMap
)

// node is one value of the file, reduced to what scenarios know: scalars are
// text, whatever YAML takes them for.
type node struct {
	kind   kind
	at     position
	text   string  // scalar
	fields []field // map, in file order, keys unique
	items  []*node // list
	broken bool    // map: a key or value of it has a fault
}

// field is a key with its value.
type field struct {
	key   string
	at    position
	value *node
}

// describe names the value in a message.
func (n *node) describe() string {
	switch n.kind {
	case kindScalar:
		return quote(n.text)
	case kindList:
		return "a list"
	case kindMap:
		return "a map"
	case kindNull:
	}
	return "empty"
}

// parseTree reads the file as YAML. The result is nil if there is a fault.
func (s *sieve) parseTree() *node {
	if s.checkBytes(); s.failed() {
		return nil
	}
	file := s.parseYAML()
	if s.failed() {
		return nil
	}
	for _, d := range file.Docs {
		if d.Body != nil {
			return s.convert(d.Body)
		}
	}
	s.fail(position{1, 1}, "the file is empty", "a scenario with at least the key tasks")
	return nil
}

// parseYAML runs the YAML parser. Parsers of big languages have corner cases in
// which they panic; such a file is as invalid as any other.
func (s *sieve) parseYAML() (file *ast.File) {
	defer func() {
		if recover() != nil {
			s.fail(position{1, 1}, "the YAML parser gave up on this file", "valid YAML")
		}
	}()
	tokens := lexer.Tokenize(s.src.text)
	if s.checkTokens(tokens); s.failed() {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err == nil {
		return file
	}
	// The text of the error would print all of the file around the place.
	at, msg, want := position{1, 1}, "the parser does not understand it", "valid YAML"
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		at, msg = tokenPosition(syntax.Token), syntax.Message
	}
	if strings.HasPrefix(msg, "mapping value is not allowed") {
		want = "one key a line, and quotes around a text that contains a colon"
	}
	s.fail(at, "invalid YAML: "+msg, want)
	return nil
}

// convert turns a YAML node into ours.
func (s *sieve) convert(n ast.Node) *node {
	switch v := n.(type) {
	case nil:
		return &node{at: position{1, 1}}
	case *ast.NullNode:
		return &node{at: tokenPosition(v.GetToken())}
	case *ast.MappingNode:
		return s.convertMap(v.Values, tokenPosition(v.GetToken()), v.IsFlowStyle)
	case *ast.MappingValueNode:
		return s.convertMap([]*ast.MappingValueNode{v}, tokenPosition(v.GetToken()), false)
	case *ast.SequenceNode:
		list := &node{kind: kindList, at: tokenPosition(v.GetToken())}
		for _, item := range v.Values {
			list.items = append(list.items, s.convert(item))
		}
		return list
	case *ast.LiteralNode:
		return s.convertScalar(v.GetToken(), v.Value.Value)
	case ast.ScalarNode:
		return s.convertScalar(v.GetToken(), v.GetToken().Value)
	}
	s.fail(tokenPosition(n.GetToken()), "a kind of YAML value that scenarios do not use", "a text, number, list or map")
	return &node{at: position{1, 1}}
}

// convertScalar keeps the text of a scalar and where its first character stands.
func (s *sieve) convertScalar(t *token.Token, text string) *node {
	at := tokenPosition(t)
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && isControl(r) }) {
		s.fail(at, "control character in "+quote(text), "printable text")
	}
	if t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
		at = at.shift(1)
	}
	return &node{kind: kindScalar, at: at, text: text}
}

// convertMap keeps the fields in file order and refuses a key given twice.
func (s *sieve) convertMap(values []*ast.MappingValueNode, at position, flow bool) *node {
	n := &node{kind: kindMap, at: at}
	seen := map[string]position{}
	for i, v := range values {
		keyAt := tokenPosition(v.Key.GetToken())
		if i == 0 && !flow {
			n.at = keyAt
		}
		key := v.Key.GetToken().Value
		if first, twice := seen[key]; twice {
			s.fail(keyAt, "duplicate key "+quote(key), fmt.Sprintf("it once, and it stands in line %d already", first.line))
		}
		seen[key] = keyAt
		n.fields = append(n.fields, field{key, keyAt, s.convert(v.Value)})
	}
	return n
}
