package tui

import "zerolag/scheduler"

// job is work that may take longer than a frame. It is done in slices, the first
// one at once, the others between messages; any key cancels it.
type job struct {
	what string // shown while it goes on
	// slice does about budget events of work and tells whether the job is done.
	slice func(budget int) bool
}

// maxKnown bounds the events simulated ahead of a run without an end.
const maxKnown = 1_000_000

// redrawEvery is how many background slices pass between two pictures.
const redrawEvery = 16

// budget is how many events one slice may take: with more entities an event
// costs more, and a slice should stay below 4 ms.
func (s *session) budget() int {
	const units = 60_000
	return min(max(units/(20+len(s.workload.Tasks)+len(s.workload.Groups)), 20), 2000)
}

// begin starts a job and drops the one before.
func (a *app) begin(j job) {
	a.s.job = &j
	a.continueJob()
}

// continueJob does one more slice of the job.
func (a *app) continueJob() {
	j := a.s.job
	if j.slice(a.s.budget()) {
		if a.s.job == j {
			a.s.job = nil
		}
		return
	}
	a.say(j.what + " ... any key cancels")
}

// busy tells whether there is work for the background.
func (s *session) busy() bool { return s.job != nil || !s.nothingToDo }

// background computes what the picture waits for, else simulates ahead. It tells
// whether the picture changed.
func (s *session) background() bool {
	if !s.flipsReady() {
		s.findFlips(max(sliceState/s.stateSize(), 1))
		return s.flipsKnown
	}
	if !s.watches.Update(s.budget()) {
		s.slices++
		return s.slices%redrawEvery == 0
	}
	if s.run.Complete() || s.run.Known() >= maxKnown {
		if s.versus != nil && !s.versus.work(s.budget()) {
			return true
		}
		s.nothingToDo = true
		return true
	}
	s.slices++
	return s.run.Extend(s.budget()) || s.slices%redrawEvery == 0
}

// walk goes to the nearest event in a direction at which match holds; missing is
// what to say if there is none.
func (a *app) walk(dir int, match func(index int) bool, what, missing string) {
	s := a.s
	at, skipped := s.run.Index(), 0
	a.begin(job{what: what, slice: func(budget int) bool {
		for range budget {
			at += dir
			if at < 0 || !s.knows(at) {
				s.playing = false
				a.say(missing)
				return true
			}
			if match(at) {
				s.run.Seek(at)
				s.arrive()
				s.elsewhere = skipped
				return true
			}
			skipped++
		}
		return false
	}})
}

// knows makes an event known, if the run has it; index is at most one beyond the
// known ones.
func (s *session) knows(index int) bool {
	if index >= s.run.Known() {
		s.run.Extend(1)
	}
	return index < s.run.Known()
}

// reach makes the run known up to a time, then calls arrived.
func (a *app) reach(t scheduler.Time, what string, arrived func()) {
	s := a.s
	a.begin(job{what: what, slice: func(budget int) bool {
		limit := s.run.Known() + budget
		for !s.run.Complete() && s.run.Record(s.run.Known()-1).Time <= t && s.run.Known() < maxKnown {
			if s.run.Known() >= limit {
				return false
			}
			s.run.Extend(1)
		}
		arrived()
		return true
	}})
}
