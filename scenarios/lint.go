package scenarios

import (
	"cmp"
	"slices"
)

// Lint lists every fault of a scenario, those in the text of its expectations
// included, in the order of their places; of an rt-app workload what a scenario does
// not have.
func Lint(name string, src []byte) []*Fault {
	if isWorkload(name) {
		in := Import(name, src)
		if len(in.Unsupported) > 0 {
			return in.Unsupported
		}
		name, src = name+" as a scenario", in.Text
	}
	s, faults := parse(name, src)
	if len(faults) == 0 {
		faults = s.lintExpectations()
	}
	slices.SortStableFunc(faults, func(a, b *Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	// Variants meet the same fault again.
	return slices.CompactFunc(faults, func(a, b *Fault) bool { return *a == *b })
}

// lintExpectations reads the text of every expectation.
func (s *Scenario) lintExpectations() []*Fault {
	var faults []*Fault
	for _, run := range s.Runs() {
		w, err := s.Workload(run.Options)
		if err != nil {
			return []*Fault{s.faultOf(err)}
		}
		for _, e := range run.Expect {
			one := Run{run.Options, []Expectation{e}}
			if _, err := s.parseExpectations(one, w, s.Workload); err != nil {
				faults = append(faults, s.faultOf(err))
			}
		}
	}
	return append(faults, s.lintColumns()...)
}

// lintColumns reads the columns of the table for each of its runs.
func (s *Scenario) lintColumns() []*Fault {
	if s.Table == nil {
		return nil
	}
	for _, variant := range s.Table.Runs {
		o := Options{Variant: variant}
		w, err := s.Workload(o)
		if err == nil {
			_, err = s.ColumnsOf(o, w, s.Workload)
		}
		if err != nil {
			return []*Fault{s.faultOf(err)}
		}
	}
	return nil
}
