package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// formatWidth is how long a line with braces or brackets may be.
const formatWidth = 140

// Format writes a scenario in the usual form: two spaces for each level, list items
// below their key indented too, one space behind commas and before comments, no more than
// one empty line at a time. Comments, order and notation of the values stay. The result
// means the same, and formatting it again changes nothing. The error is a *Fault
// if it is about a place.
func Format(name string, src []byte) ([]byte, error) {
	if isWorkload(name) {
		return nil, fmt.Errorf("%s: expected a scenario, not a workload of rt-app", name)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n")
	s := &sieve{src: &source{file: name, text: text}}
	before := s.parseTree()
	if s.failed() {
		return nil, s.faults()[0]
	}
	f := &formatter{lines: strings.Split(text, "\n"), comments: commentsOf(text)}
	for _, doc := range s.parseYAML().Docs {
		if doc.Body != nil {
			f.block(doc.Body, 0)
		}
	}
	f.commentsBefore(len(f.lines)+1, 0)
	done := f.out.String()
	again := &sieve{src: &source{file: name, text: done}}
	after := again.parseTree()
	if again.failed() || !after.equal(before) || !slices.Equal(texts(commentsOf(done)), texts(f.comments)) {
		return nil, s.src.fault(position{1, 1}, "this file cannot be formatted without changing it",
			"a simpler layout: texts of several lines after > or |, no comments inside braces")
	}
	return []byte(done), nil
}

// comment is a comment of the file.
type comment struct {
	line int
	own  bool // nothing else stands in its line
	text string
}

func commentsOf(text string) []comment {
	var list []comment
	lines := strings.Split(text, "\n")
	for _, t := range lexer.Tokenize(text) {
		if t.Type == token.CommentType {
			at := t.Position.Line
			list = append(list, comment{at, strings.HasPrefix(strings.TrimSpace(lines[at-1]), "#"), "#" + strings.TrimRight(t.Value, " ")})
		}
	}
	return list
}

func texts(comments []comment) []string {
	var list []string
	for _, c := range comments {
		list = append(list, c.text)
	}
	return list
}

// equal tells whether two nodes mean the same.
func (n *node) equal(m *node) bool {
	if n.kind != m.kind || n.text != m.text {
		return false
	}
	same := func(a, b field) bool { return a.key == b.key && a.value.equal(b.value) }
	return slices.EqualFunc(n.fields, m.fields, same) && slices.EqualFunc(n.items, m.items, (*node).equal)
}

// formatter prints nodes again.
type formatter struct {
	lines    []string
	comments []comment
	next     int // the first comment that is not printed
	out      strings.Builder
}

// commentsBefore prints the comments above a line of the source that have a line of
// their own, and one empty line where there were some.
func (f *formatter) commentsBefore(line, indent int) {
	for ; f.next < len(f.comments) && f.comments[f.next].line < line; f.next++ {
		c := f.comments[f.next]
		f.emptyBefore(c.line)
		f.out.WriteString(strings.Repeat(" ", indent) + c.text + "\n")
	}
	if line <= len(f.lines) {
		f.emptyBefore(line)
	}
}

// emptyBefore keeps an empty line above a line of the source.
func (f *formatter) emptyBefore(line int) {
	if line > 1 && strings.TrimSpace(f.lines[line-2]) == "" && f.out.Len() > 0 {
		f.out.WriteByte('\n')
	}
}

// end ends a line that stands for the source up to a line, with its comment.
func (f *formatter) end(last int) {
	for f.next < len(f.comments) && f.comments[f.next].line <= last {
		f.out.WriteString(" " + f.comments[f.next].text)
		f.next++
	}
	f.out.WriteByte('\n')
}

// block prints a map, list or scalar on lines of its own.
func (f *formatter) block(n ast.Node, indent int) {
	switch v := n.(type) {
	case *ast.MappingNode:
		for _, field := range v.Values {
			f.field(field, indent)
		}
	case *ast.MappingValueNode:
		f.field(v, indent)
	case *ast.SequenceNode:
		for _, item := range v.Values {
			f.item(item, indent)
		}
	default:
		f.begin(n.GetToken().Position.Line, indent)
		f.out.WriteString(raw(n.GetToken()))
		f.end(lastLine(n))
	}
}

// begin begins a line for what stands in a line of the source, unless the line at
// hand is just a dash so far.
func (f *formatter) begin(line, indent int) {
	if text := f.out.String(); !strings.HasSuffix(text, "- ") {
		f.commentsBefore(line, indent)
		f.out.WriteString(strings.Repeat(" ", indent))
	}
}

// field prints a key with its value.
func (f *formatter) field(v *ast.MappingValueNode, indent int) {
	key := v.Key.GetToken()
	f.begin(key.Position.Line, indent)
	f.out.WriteString(raw(key) + ":")
	f.value(v.Value, indent+len("  "), key.Position.Line)
}

// item prints an item of a list.
func (f *formatter) item(n ast.Node, indent int) {
	line := firstLine(n)
	f.begin(line, indent)
	f.out.WriteByte('-')
	if isCollection(n) && !f.fitsInline(n, indent+len("- ")) {
		f.out.WriteByte(' ')
		f.block(n, indent+len("- "))
		return
	}
	f.value(n, indent+len("  "), line)
}

// value prints what stands behind a key or dash, in the same line if it can.
func (f *formatter) value(n ast.Node, indent, line int) {
	switch v := n.(type) {
	case nil, *ast.NullNode:
		if n != nil && raw(n.GetToken()) != "" && n.GetToken().Type == token.NullType {
			f.out.WriteString(" " + raw(n.GetToken()))
		}
		f.end(line)
	case *ast.LiteralNode:
		f.out.WriteString(" " + raw(v.Start))
		f.end(line)
		f.literal(v, indent)
	default:
		if f.fitsInline(n, indent) {
			f.out.WriteString(" " + inline(n))
			f.end(lastLine(n))
			return
		}
		f.end(line)
		f.block(n, indent)
	}
}

// fitsInline tells whether a node is printed in one line: a scalar, or a list or map
// in brackets that is not too long and has no comment inside.
func (f *formatter) fitsInline(n ast.Node, indent int) bool {
	if isBlock(n) {
		return false
	}
	first, last := firstLine(n), lastLine(n)
	for _, c := range f.comments {
		if c.line >= first && c.line < last {
			return false
		}
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		return len(v.Values) == 0 || indent+len(inline(n)) <= formatWidth
	case *ast.SequenceNode:
		return len(v.Values) == 0 || indent+len(inline(n)) <= formatWidth
	}
	return true
}
