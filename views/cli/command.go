package cli

import (
	"zerolag/model"
	"zerolag/scenarios"
)

// command is the command line that opens the run at a position; at may be nil.
// The program reads it back as it is.
func (s *subject) command(at *model.Position) string { return s.opening(at).String() }

func (s *subject) opening(at *model.Position) scenarios.Command {
	c := scenarios.Command{Argument: s.argument, Change: s.changes.options}
	if at != nil {
		m := scenarios.Moment(*at)
		c.At = &m
	}
	return c
}

// reproducing is the command line that stands below a picture: it names the kernel
// and the hash of the run, so that it tells, however much later, if it would show
// something else.
func (s *subject) reproducing(at model.Position) string {
	c := s.opening(&at)
	c.Change.Kernel, c.Hash = s.workload.Config.Kernel.Name, scenarios.Hash(s.workload)
	return c.String()
}
