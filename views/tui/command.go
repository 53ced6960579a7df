package tui

import (
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// command is the command line that opens the current branch at the cursor.
func (s *session) command() string {
	c := s.commandFor(s.branchEdits())
	at := scenarios.Moment(s.run.Position())
	c.At = &at
	return c.String()
}

// commandFor is the command line that opens a branch with these edits.
func (s *session) commandFor(edits []scheduler.Edit) scenarios.Command {
	return scenarios.Command{Argument: s.argument, Change: s.change, Edits: edits}
}
