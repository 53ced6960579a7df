package tui

import (
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// fileMsg tells that the file of the scenario was written.
type fileMsg struct{}

// settling is how long a file must rest until it is read: editors write in several
// steps.
const settling = 100 * time.Millisecond

// watchFile calls changed each time a file was written, until stop is called. The
// folder is watched, because editors replace files.
func watchFile(path string, changed func()) (stop func(), err error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := w.Add(filepath.Dir(path)); err != nil {
		_ = w.Close()
		return nil, err
	}
	go func() {
		rest := time.NewTimer(settling)
		rest.Stop()
		defer rest.Stop()
		for {
			select {
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if filepath.Base(e.Name) == filepath.Base(path) && !e.Has(fsnotify.Chmod) && !e.Has(fsnotify.Remove) {
					rest.Reset(settling)
				}
			case _, ok := <-w.Errors:
				if !ok {
					return
				}
			case <-rest.C:
				changed()
			}
		}
	}()
	return func() { _ = w.Close() }, nil
}

// reload opens the scenario's file again and keeps branches and position. A file
// with a fault changes nothing.
func (a *app) reload() {
	s := a.s
	if s == nil {
		return
	}
	x, err := scenarios.Load(s.argument)
	if err == nil && x.SameScenario(s.scenario) {
		return
	}
	name := filepath.Base(s.argument)
	if err == nil {
		err = s.replace(x)
	}
	if err != nil {
		a.complain(name + " was written, but the old run stays: " + oneLine(err))
		return
	}
	a.say(name + " was written: this is the new run, at the same moment")
}

// replace goes to the same moment of the same branches of another scenario.
func (s *session) replace(x *scenarios.Scenario) error {
	here, current := s.run.Position(), s.run.Branch()
	o := s.change
	o.Changes = scenarios.Changes(s.workload, s.run.Edits(), s.branchEdits())
	w, err := newWorld(x, o)
	if err != nil {
		return err
	}
	mine := w.run.Edits()
	for _, b := range s.run.Branches() {
		o.Changes = scenarios.Changes(s.workload, b.All, b.Edits)
		// A branch whose edits no longer fit is gone.
		if whole, err := x.Workload(o); err == nil && len(b.Edits) > 0 {
			w.run.Adopt(b.Name, whole.Edits)
		}
	}
	w.run.Adopt(current, mine)
	s.scenario, s.past, s.future = x, nil, nil
	if n := w.workload.Config.CPUs; n != len(s.cpus.display) {
		s.cpus = cpus{display: views.FirstDisplays(x.Show, n), selected: -1}
	}
	s.enter(w, here.Time)
	s.run.SeekPosition(here)
	s.selected = scheduler.NoEntity
	s.arrive()
	return nil
}
