package cli

import (
	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
)

// commandLine is the command that opens a scenario, changed in this way, at a
// position; at may be nil. Run reads it back as it is.
func commandLine(argument string, change scenarios.Options, edits []scheduler.Edit, at *model.Position) string {
	c := scenarios.Command{Argument: argument, Change: change, Edits: edits}
	if at != nil {
		m := scenarios.Moment(*at)
		c.At = &m
	}
	return c.String()
}
