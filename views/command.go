package views

import "strings"

// commandIndent stands before the lines of a command after its first.
const commandIndent = "    "

// commandLines breaks a command line so that a shell can still read it: between
// words, a flag staying with its value, and inside a quoted word only where nothing else fits.
func commandLines(command string, width int) []string {
	const open = " \\"
	var lines []string
	line := ""
	for _, word := range commandParts(command, width-len(open)-len(commandIndent)) {
		next := line + " " + word
		if line == "" {
			next = word
		}
		if line != "" && len(next) > width-len(open) {
			lines = append(lines, line+open)
			next = commandIndent + word
		}
		for len(next) > width-len(open) {
			head, rest, ok := splitQuoted(next, width)
			if !ok {
				break
			}
			lines, next = append(lines, head), rest
		}
		line = next
	}
	if line == "" {
		return nil
	}
	return append(lines, line)
}

// splitQuoted breaks a line inside the quoted word at its end, at a space: the quote
// is closed, and opened again at the very beginning of the next line.
func splitQuoted(line string, width int) (head, rest string, ok bool) {
	const closed = `'\`
	quoted, at := false, 0
	for i := range min(len(line), width-len(closed)+1) {
		switch {
		case line[i] == '\'' && (i == 0 || line[i-1] != '\\' || quoted):
			quoted = !quoted
		case line[i] == ' ' && quoted:
			at = i
		}
	}
	if at == 0 {
		return "", "", false
	}
	return line[:at] + closed, "'" + line[at:], true
}

// commandParts are the words of a command line as they stand, quotes included; a flag
// stays with its value if both have room.
func commandParts(command string, room int) []string {
	var parts []string
	flag := false
	for _, word := range shellWords(command) {
		if flag && len(parts[len(parts)-1])+1+len(word) <= room {
			parts[len(parts)-1] += " " + word
		} else {
			parts = append(parts, word)
		}
		flag = !flag && strings.HasPrefix(word, "--")
	}
	return parts
}

// shellWords cuts a command line at the spaces between its words.
func shellWords(command string) []string {
	var words []string
	quoted, from := false, 0
	for i := range len(command) {
		switch {
		case command[i] == '\'' && (i == 0 || command[i-1] != '\\' || quoted):
			quoted = !quoted
		case command[i] == ' ' && !quoted:
			words = append(words, command[from:i])
			from = i + 1
		}
	}
	if from < len(command) {
		words = append(words, command[from:])
	}
	return words
}
