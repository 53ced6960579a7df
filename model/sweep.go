package model

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"zerolag/scheduler"
)

// sweepBudget is how many events a sweep compares between two looks at its
// context.
const sweepBudget = 1 << 14

// Case is a run of a sweep: the scenario, changed in one way.
type Case struct {
	Name     string
	Workload *scheduler.Workload
}

// Effect is what a case changes.
type Effect struct {
	Name   string
	Totals Totals
	// Differences counts the decisions that differ, Apart is the time during
	// which some CPU runs another task.
	Differences int
	Apart       scheduler.Time
	ApartShare  int64 // of the time compared, in parts per million
	// First is the first difference, A being the base; meaningful if Differences
	// is not 0. At and CaseAt are its positions in both runs.
	First      Difference
	At, CaseAt Position
	// FirstKind and FirstTask tell what event it is in.
	FirstKind scheduler.EventKind
	FirstTask scheduler.TaskID
}

// FeatureCases are the workload with every feature and proposal of its kernel
// switched alone, in the order of the profile, proposals last.
func FeatureCases(w *scheduler.Workload) []Case {
	k := w.Config.Kernel
	var cases []Case
	for _, d := range slices.Concat(k.Features, k.Proposals) {
		setting := scheduler.FeatureSetting{Feature: d.Feature, On: !w.Config.Features.Has(d.Feature)}
		changed := *w
		changed.Config.Features = w.Config.Features.With(setting.Feature, setting.On)
		cases = append(cases, Case{setting.String(), &changed})
	}
	return cases
}

// Sweep compares every case with base, on all cores. The effects come ranked: the
// longest time apart first, then the most differences, then the order of cases.
// report, unless nil, is called after each case with the number of those that are
// done. The error is that of ctx.
func Sweep(ctx context.Context, base *scheduler.Workload, cases []Case, report func(done int)) (Totals, []Effect, error) {
	run := Open(base)
	totals, err := measure(ctx, run)
	if err != nil {
		return Totals{}, nil, err
	}
	effects := make([]Effect, len(cases))
	jobs, done := make(chan int), make(chan error)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cases)) {
		workers.Go(func() {
			for i := range jobs {
				var err error
				effects[i], err = effectOf(ctx, run, cases[i])
				done <- err
			}
		})
	}
	go func() {
		for i := range cases {
			jobs <- i
		}
		close(jobs)
	}()
	for i := range cases {
		if e := <-done; e != nil {
			err = e
		} else if report != nil {
			report(i + 1)
		}
	}
	workers.Wait()
	if err != nil {
		return Totals{}, nil, err
	}
	slices.SortStableFunc(effects, func(a, b Effect) int {
		return cmp.Or(cmp.Compare(b.Apart, a.Apart), cmp.Compare(b.Differences, a.Differences))
	})
	return totals, effects, nil
}

// measure runs a workload to its end.
func measure(ctx context.Context, r *Run) (Totals, error) {
	m := r.Measure()
	for !m.Scan(sweepBudget) {
		if err := ctx.Err(); err != nil {
			return Totals{}, err
		}
	}
	return m.Totals(), ctx.Err()
}

// effectOf compares a case with the base, whose branch is complete and therefore
// only read.
func effectOf(ctx context.Context, base *Run, c Case) (Effect, error) {
	run := Open(c.Workload)
	totals, err := measure(ctx, run)
	if err != nil {
		return Effect{}, err
	}
	p := Compare(base, run)
	for !p.Scan(sweepBudget) {
		if err := ctx.Err(); err != nil {
			return Effect{}, err
		}
	}
	e := Effect{Name: c.Name, Totals: totals, Differences: len(p.diffs), Apart: p.apart, ApartShare: p.ApartShare()}
	if len(p.diffs) > 0 {
		e.First = p.diffs[0]
		a, b := base.b.record(e.First.A), run.b.record(e.First.B)
		e.At, e.CaseAt, e.FirstKind, e.FirstTask = a.Position(), b.Position(), a.Kind, a.Task
		if e.First.Side == OnlyB {
			e.FirstKind, e.FirstTask = b.Kind, b.Task
		}
	}
	return e, nil
}
