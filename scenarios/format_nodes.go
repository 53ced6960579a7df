package scenarios

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// isBlock tells maps and lists on lines of their own from those in brackets.
func isBlock(n ast.Node) bool {
	switch v := n.(type) {
	case *ast.MappingNode:
		return !v.IsFlowStyle
	case *ast.MappingValueNode:
		return true
	case *ast.SequenceNode:
		return !v.IsFlowStyle
	}
	return false
}

// isCollection tells maps and lists from scalars.
func isCollection(n ast.Node) bool {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode, *ast.SequenceNode:
		return true
	}
	return false
}

// raw is a scalar as it stands in the file, in one line.
func raw(t *token.Token) string {
	lines := strings.Split(strings.TrimSpace(t.Origin), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}

// inline is a node in one line.
func inline(n ast.Node) string {
	var parts []string
	switch v := n.(type) {
	case nil, *ast.NullNode:
		return "null"
	case *ast.MappingNode:
		for _, field := range v.Values {
			parts = append(parts, inline(field))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *ast.MappingValueNode:
		return raw(v.Key.GetToken()) + ": " + inline(v.Value)
	case *ast.SequenceNode:
		for _, item := range v.Values {
			part := inline(item)
			if _, pair := item.(*ast.MappingValueNode); pair {
				part = "{" + part + "}"
			}
			parts = append(parts, part)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return raw(n.GetToken())
}

// firstLine is the line of the source in which a node begins.
func firstLine(n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingValueNode:
		return v.Key.GetToken().Position.Line
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return firstLine(v.Values[0])
		}
	}
	return n.GetToken().Position.Line
}

// lastLine is the line of the source in which a node in one line ends.
func lastLine(n ast.Node) int {
	switch v := n.(type) {
	case *ast.MappingNode:
		if v.End != nil {
			return v.End.Position.Line
		}
	case *ast.SequenceNode:
		if v.End != nil {
			return v.End.Position.Line
		}
	}
	t := n.GetToken()
	return t.Position.Line + strings.Count(strings.TrimSpace(t.Origin), "\n")
}

// literal prints the lines of a text after | or >, indented anew.
func (f *formatter) literal(v *ast.LiteralNode, indent int) {
	lines := strings.Split(strings.TrimRight(v.Value.GetToken().Origin, " \n"), "\n")
	if strings.TrimSpace(v.Value.GetToken().Origin) == "" {
		return
	}
	least := -1
	for _, line := range lines {
		if spaces := len(line) - len(strings.TrimLeft(line, " ")); strings.TrimSpace(line) != "" && (least < 0 || spaces < least) {
			least = spaces
		}
	}
	for _, line := range lines {
		if line = strings.TrimRight(line, " "); line != "" {
			line = strings.Repeat(" ", indent) + line[max(least, 0):]
		}
		f.out.WriteString(line + "\n")
	}
}
