package tui

import (
	"strings"

	"zerolag/scenarios"
)

// command is the command line that opens the current branch at the cursor. It names
// the kernel and the hash of the run, so that it tells, however much later, if it
// would show something else.
func (s *session) command() string {
	at := scenarios.Moment(s.run.Position())
	c := scenarios.Command{Argument: s.argument, Change: s.change, At: &at, Hash: s.hash()}
	if s.versus != nil && !strings.HasPrefix(s.versus.settings, branchSetting) {
		c.Versus = s.versus.settings
	}
	c.Change.Kernel = s.workload.Config.Kernel.Name
	c.Change.Changes = scenarios.Changes(s.workload, s.run.Edits(), s.branchEdits())
	return c.String()
}

// hash identifies the run of the current branch.
func (s *session) hash() string {
	w := *s.workload
	w.Edits = s.run.Edits()
	return scenarios.Hash(&w)
}
