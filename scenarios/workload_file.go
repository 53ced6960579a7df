package scenarios

import (
	"errors"
	"path/filepath"
	"strings"

	"zerolag/scenarios/rtapp"
)

// isWorkload tells by its name whether a file holds an rt-app workload.
func isWorkload(file string) bool { return strings.EqualFold(filepath.Ext(file), ".json") }

// Imported is an rt-app workload as a scenario.
type Imported struct {
	// Text is the text of the scenario; nil if there is none.
	Text []byte
	// Unsupported is what the scenario is without, Notes what may matter.
	Unsupported, Notes []*Fault
}

// Import turns an rt-app workload into the text of a scenario.
func Import(file string, text []byte) Imported {
	in := rtapp.Import(nameOfFile(file), text)
	src := &source{file: file, text: string(text)}
	place := func(list []rtapp.Fault) []*Fault {
		var faults []*Fault
		for _, f := range list {
			faults = append(faults, src.fault(position{f.Line, f.Col}, f.Msg, f.Want))
		}
		return faults
	}
	return Imported{in.Scenario, place(in.Unsupported), place(in.Notes)}
}

// loadWorkload reads a workload of which nothing gets lost. The error lists what would.
func loadWorkload(file string, text []byte) (*Scenario, error) {
	in := Import(file, text)
	if len(in.Unsupported) > 0 {
		return nil, listed(in.Unsupported)
	}
	return Parse(file+" as a scenario", in.Text)
}

// listed is a list of faults as one error.
func listed(faults []*Fault) error {
	list := make([]error, len(faults))
	for i, f := range faults {
		list[i] = f
	}
	return errors.Join(list...)
}
