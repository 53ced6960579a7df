package scenarios

import (
	"errors"
	"strings"
	"unicode/utf8"

	"zerolag/model"
	"zerolag/model/expr"
	"zerolag/scheduler"
)

// Build makes the workload of one of a scenario's runs; its options have only
// Variant and Kernel.
type Build func(Options) (*scheduler.Workload, error)

// Test evaluates the expectations of a run. The error is a *Fault, or one of build,
// if something cannot be evaluated.
func (s *Scenario) Test(r Run, build Build) (*model.Run, []model.Verdict, error) {
	w, err := build(r.Options)
	if err != nil {
		return nil, nil, err
	}
	list, err := s.parseExpectations(r, w, build)
	if err != nil {
		return nil, nil, err
	}
	others := map[expr.RunRef]*model.Run{}
	run := model.Open(w)
	verdicts := run.Expect(list, func(ref expr.RunRef) *model.Run {
		if others[ref] == nil {
			// It was built before, when its names were looked up.
			other, _ := build(optionsOf(ref))
			others[ref] = model.Open(other)
		}
		return others[ref]
	})
	return run, verdicts, nil
}

func optionsOf(ref expr.RunRef) Options { return Options{Variant: ref.Variant, Kernel: ref.Kernel} }

// ColumnsOf reads the expressions of the table's columns for a run. The error is a
// *Fault.
func (s *Scenario) ColumnsOf(o Options, w *scheduler.Workload, build Build) ([]*expr.Expr, error) {
	names := s.namesAmong(o, w, build)
	var list []*expr.Expr
	for _, c := range s.Table.columns {
		x, err := expr.Parse(c.Text, names)
		if err != nil {
			return nil, s.placeFault(c, err)
		}
		if len(x.Runs()) > 0 {
			return nil, s.Fault(c.Line, c.Col, "a column looks at another run", "a value of the row's own run")
		}
		list = append(list, x)
	}
	return list, nil
}

// namesAmong are the names of a run with those of all others.
func (s *Scenario) namesAmong(o Options, w *scheduler.Workload, build Build) *expr.Names {
	return expr.NamesOf(w).Among(expr.Others{
		Own:      expr.RunRef{Variant: o.Variant, Kernel: o.Kernel},
		Variants: s.VariantNames(),
		Names: func(ref expr.RunRef) (*expr.Names, error) {
			other, err := build(optionsOf(ref))
			if err != nil {
				return nil, err
			}
			return expr.NamesOf(other), nil
		},
	})
}

// parseExpectations reads the expectations of a run.
func (s *Scenario) parseExpectations(r Run, w *scheduler.Workload, build Build) ([]*expr.Expectation, error) {
	names := s.namesAmong(r.Options, w, build)
	var list []*expr.Expectation
	for _, e := range r.Expect {
		parsed, err := expr.ParseExpectation(e.Text, names)
		if err != nil {
			return nil, s.placeFault(e, err)
		}
		list = append(list, parsed)
	}
	return list, nil
}

// placeFault moves a fault of an expectation's text to its place in the file.
func (s *Scenario) placeFault(e Expectation, err error) error {
	var f *expr.Fault
	if !errors.As(err, &f) {
		return err
	}
	before := e.Text[:min(max(f.Col-1, 0), len(e.Text))]
	return s.Fault(e.Line, e.Col+utf8.RuneCountInString(before), f.Msg, wanted(f.Want))
}

// wanted words the hint of an expression's fault as what was expected.
func wanted(hint string) string {
	if near, cut := strings.CutPrefix(hint, "did you mean "); cut {
		return strings.TrimSuffix(near, "?")
	}
	if hint == "" || strings.HasPrefix(hint, "see ") {
		return "an expression with the names of this scenario, as docs/FIELDS.md describes it"
	}
	return hint
}
