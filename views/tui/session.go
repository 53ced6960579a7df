package tui

import (
	"reflect"
	"slices"

	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// session is an open scenario: its run and how one looks at it.
type session struct {
	scenario *scenarios.Scenario
	argument string // names it on the command line
	world
	past, future []world              // that undo and redo lead to
	marks        []scenarios.Bookmark // of the user, in the order of their positions
	saved        scenarios.Session    // the work that a file or a command line has
	file         string               // where it was saved last, "" if nowhere

	look     look
	looks    map[viewpoint]look // of the events seen, so that going back shows the same
	adjusted bool               // the user zoomed or panned
	layout   layout
	mode     views.AxisMode
	width    int // of the screen
	height   int
	columns  int                  // of the axis
	unfolded []scheduler.EntityID // groups whose members have rows, by the user's choice
	closed   []scheduler.EntityID // and groups whose members have none
	selected scheduler.EntityID
	cpus     cpus

	scope     scope
	elsewhere int // events that the last move skipped

	lists
	pattern string // what / looks for
	speed   int    // index of playSpeeds
	playing bool
	play    int // number of the playback, so that old ticks are recognised

	cursors [numPanes]int    // selected row by pane
	subject int              // what the inspector shows
	altered scheduler.TaskID // whom the edit pane is about
	curves  curves           // of the entity in focus
	origin  *origin          // of a number, nil if none was asked for
	waits   waits            // of the task in focus
	versus  *versus          // what the run is compared with; nil: nothing
	page    int              // which decision the decision pane shows
	drawn   drawn

	job         *job
	slices      int       // of background work, to redraw now and then
	flipsAt     viewpoint // the event that flips holds for
	flips       []string  // see views.FlipNames
	flipsKnown  bool      // flips is of flipsAt
	nothingToDo bool      // the background has nothing left
}

// look is where the axes stand for one picture.
type look struct {
	rulers views.Rulers
	shifts []views.Shift
	refit  bool // they were fitted to this place, not kept
}

// viewpoint is a place of the cursor.
type viewpoint struct {
	branch     string
	index, sub int
}

// layout is an arrangement of the strips.
type layout uint8

const (
	layoutPair layout = iota // before and after
	layoutOne                // after only
	layoutZero               // before and after, with the reference point
	numLayouts
)

// maxLooks bounds the memory of looks; beyond it they are forgotten.
const maxLooks = 1 << 14

// openSession opens a scenario and goes to where one starts.
func openSession(o Options) (*session, error) {
	x := o.Scenario
	resume := x.Session
	if !reflect.DeepEqual(o.Change, scenarios.Options{}) {
		resume = nil
	}
	if resume != nil {
		o.Change = resume.Options
		o.Change.Edits = nil // resume opens that branch with the others
	}
	w, err := newWorld(x, o.Change)
	if err != nil {
		return nil, err
	}
	s := &session{
		scenario: x, argument: o.Argument, world: w,
		looks: map[viewpoint]look{}, selected: scheduler.NoEntity, speed: normalSpeed,
		cpus: cpus{display: views.FirstDisplays(x.Show, w.workload.Config.CPUs), selected: -1},
	}
	if s.argument == "" {
		s.argument = x.Name
	}
	switch marks := x.Bookmarks; {
	case resume != nil:
		s.resume(resume)
	case len(marks) > 0:
		s.run.SeekPosition(s.markPosition(marks[0]))
	default:
		s.run.Seek(1)
	}
	if o.At != nil {
		s.run.SeekPosition(*o.At)
	}
	s.arrive()
	s.saved = s.work()
	if o.Versus != "" {
		if err := s.compareWith(o.Versus); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *session) viewpoint() viewpoint {
	return viewpoint{s.run.Branch(), s.run.Index(), s.run.Sub()}
}

// cpu is the CPU whose queues are shown.
func (s *session) cpu() int { return int(s.run.Record(s.run.Index()).CPU) }

// arrive brings the axes up to date after the cursor moved. At a place seen
// before they stand as they did then; else they move only if they must. If what
// matters is wider than the window, and the user did not choose the scale, it is
// chosen anew.
func (s *session) arrive() {
	s.elsewhere, s.page = 0, 0
	s.lists.follow(s.run)
	s.drawn.found = nil // its memory is the cursor's
	s.flipsKnown = s.flipsKnown && s.flipsAt == s.eventPoint()
	s.nothingToDo = false
	s.cursors[paneLog] = s.run.Index()
	if s.versus != nil {
		s.versus.follow()
	}
	if s.columns == 0 {
		return
	}
	at := s.viewpoint()
	if seen, ok := s.looks[at]; ok {
		s.look = seen
		return
	}
	important, frames := s.important(), s.frames()
	s.look.refit = false
	s.look.rulers, s.look.shifts = s.look.rulers.Keep(important, frames...)
	if !s.adjusted && !s.look.rulers.Shows(s.cpu(), important, frames...) {
		s.look = look{rulers: views.FitRulers(s.mode, s.columns, frames...), refit: true}
	}
	s.remember()
}

// remember keeps the axes of this place.
func (s *session) remember() {
	if len(s.looks) >= maxLooks {
		clear(s.looks)
	}
	s.looks[s.viewpoint()] = s.look
}

// important are the entities that must be on the axis.
func (s *session) important() []scheduler.EntityID {
	e := s.run.Event()
	list := []scheduler.EntityID{s.picked(), s.selected}
	if t := s.run.Frame().Task(e.Task); t != nil {
		list = append(list, t.ID)
	}
	return list
}

// picked is whom the last pick of the event, up to the sub-step at the cursor,
// chose.
func (s *session) picked() scheduler.EntityID {
	steps := s.run.Steps()
	if sub := s.run.Sub(); sub >= 0 {
		steps = steps[:sub+1]
	}
	for _, step := range slices.Backward(steps) {
		if step.Kind == scheduler.StepPick {
			return step.Other
		}
	}
	return scheduler.NoEntity
}

// resize sets the size of the screen. Unless the user chose the scale it is chosen
// anew.
func (s *session) resize(width, height int) {
	s.width, s.height = width, height
	columns := views.RulerColumns(views.MainWidth(width))
	if columns == s.columns {
		return
	}
	fresh := s.columns == 0 || !s.adjusted
	s.columns = columns
	if fresh {
		s.fit()
		return
	}
	s.look.rulers = s.look.rulers.Resized(columns)
	clear(s.looks)
	s.remember()
}

// fit chooses scale and offset for what is at the cursor.
func (s *session) fit() {
	s.adjusted = false
	s.setRulers(views.FitRulers(s.mode, s.columns, s.frames()...))
}

// frames are all states of the event at the cursor.
func (s *session) frames() []*scheduler.Frame {
	return append(s.versus.both(), views.Moment{Steps: s.run.Steps(), Before: s.run.Before(), After: s.run.Frame()}.States()...)
}

// setRulers sets the axes for this place; what was remembered is void.
func (s *session) setRulers(r views.Rulers) {
	s.look = look{rulers: r}
	clear(s.looks)
	s.remember()
}

// members lists the living entities on the CPUs that have rows.
func (s *session) members() []scheduler.EntityID {
	var list []scheduler.EntityID
	for _, cpu := range s.shownCPUs() {
		list = append(list, views.Living(s.run.Frame(), cpu)...)
	}
	return list
}

// focus is the entity that the user selected, else the one of the event's task,
// else the running one.
func (s *session) focus() *scheduler.EntityFrame {
	f, e := s.run.Frame(), s.run.Event()
	if x := f.Entity(s.selected); x != nil {
		return x
	}
	for _, task := range []scheduler.TaskID{e.Task, e.Curr} {
		if x := f.Task(task); x != nil {
			return x
		}
	}
	return f.Task(0)
}
