package tui

import (
	"fmt"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/scheduler"
	"zerolag/views"
)

// curveReach is how many events on both sides of the cursor the curve of the lag
// covers, shareWindows how many windows the time up to the cursor has.
const (
	curveReach   = 200
	shareWindows = 20
)

// curves are the curve of the lag and the shares of the entity in focus around a
// place of the cursor.
type curves struct {
	at     viewpoint
	last   int // event that they were asked to reach
	entity scheduler.EntityID
	queue  scheduler.QueueID // whose V it is
	lags   []model.LagPoint
	vs     []model.VPoint
	shares []views.ShareRow
	ends   []int // last event of each window
}

// curvesHere are the curves at the cursor. They stay while it moves inside of them,
// so that their rows can be followed.
func (s *session) curvesHere() *curves {
	c, e := &s.curves, s.focus()
	at := s.eventPoint()
	near := c.at.branch == at.branch && max(at.index-c.at.index, c.at.index-at.index) <= curveReach/2
	if e == nil || near && c.entity == e.ID && c.last == min(c.at.index+curveReach, s.run.Known()-1) {
		return c
	}
	last := min(at.index+curveReach, s.run.Known()-1)
	*c = curves{at: at, last: last, entity: e.ID, queue: e.Queue}
	from, to := s.run.EventAt(max(at.index-curveReach, 0)).Time, s.run.EventAt(last).Time+1
	scan := s.run.Curves([]scheduler.EntityID{e.ID}, []scheduler.QueueID{e.Queue}, from, to)
	for !scan.Scan(curveReach) {
	}
	c.lags, c.vs = scan.Lag(0), scan.V(0)
	return c
}

// sharesHere are the shares of the entity in focus; a group has none.
func (s *session) sharesHere() *curves {
	c := s.curvesHere()
	e := s.run.Frame().Entity(c.entity)
	if len(c.shares) > 0 || e == nil || e.Task == scheduler.NoTask {
		return c
	}
	end := s.run.EventAt(c.at.index).Time
	for i := range scheduler.Time(shareWindows) {
		row := views.ShareRow{From: end * i / shareWindows, To: end * (i + 1) / shareWindows}
		if row.To == row.From {
			continue
		}
		list, index := s.run.Shares(row.From, row.To)
		row.Stat = list[e.Task]
		c.shares, c.ends = append(c.shares, row), append(c.ends, index)
	}
	return c
}

// chooseCurvePoint selects the point of the event at the cursor, or the last one
// before it.
func (s *session) chooseCurvePoint() {
	s.cursors[paneCurves] = 0
	for i, p := range s.curvesHere().lags {
		if p.Index <= s.run.Index() {
			s.cursors[paneCurves] = i
		}
	}
}

// curvePane shows the curve of the lag; its second page the share against the
// weight.
func (s *session) curvePane(r room) (title string, t views.Table) {
	c, f := s.curvesHere(), s.run.Frame()
	e := f.Entity(c.entity)
	if e == nil {
		return "curves: select somebody with j, k outside of panes", views.Table{}
	}
	if s.page > 0 {
		c = s.sharesHere()
		title = fmt.Sprintf("share of %s against its weight, %d windows up to here: # share, | weight  [tab] lag", e.Name, len(c.shares))
		return title, views.ShareTable(c.shares, max(r.width-58, 20))
	}
	violations := 0
	for _, p := range c.lags {
		if p.Violates() {
			violations++
		}
	}
	title = fmt.Sprintf("lag of %s and V around here, %d points, %d beyond the bound !  [tab] share", e.Name, len(c.lags), violations)
	return title, views.LagTable(c.lags, c.queue, c.vs, max(r.width-48, 20), r.glyphs, views.ShortDecimals)
}

// turnCurves goes to the other page of the curves or the waits.
func (s *session) turnCurves(dir int) bool {
	if next := s.page + dir; next >= 0 && next <= 1 {
		s.page = next
		s.cursors[paneCurves], s.cursors[paneWaits] = 0, 0
		return true
	}
	return false
}

// goToPoint goes to the event of the selected point or to the end of the selected
// window. Who is in focus stays so.
func (a *app) goToPoint() {
	s := a.s
	c, row := s.curvesHere(), s.cursors[paneCurves]
	index, page := -1, s.page
	switch {
	case page == 0 && row < len(c.lags):
		index = c.lags[row].Index
	case page == 1 && row < len(c.ends):
		index = c.ends[row]
	}
	if index < 0 {
		a.say("no point to go to")
		return
	}
	s.selected = c.entity
	s.run.Seek(index)
	s.arrive()
	s.page = page
	a.say("here, at " + scenarios.FormatTime(s.run.Event().Time))
}
