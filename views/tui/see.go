package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"zerolag/views"
)

func (a *app) nextLayout() tea.Cmd {
	a.s.layout = (a.s.layout + 1) % numLayouts
	if a.s.versus != nil {
		return a.nextVersusLayout()
	}
	a.say([...]string{
		layoutPair: "strips: before and after",
		layoutOne:  "strips: after only",
		layoutZero: "strips: before and after; 0 marks the reference point",
	}[a.s.layout])
	return nil
}

func (a *app) toggleLagView() tea.Cmd {
	s := a.s
	if s.mode == views.AxisAbsolute {
		s.mode = views.AxisLag
		a.say("lag view: v-V, V stays in one column; a goes back")
	} else {
		s.mode = views.AxisAbsolute
		a.say("vruntime: entities stay in their columns, V moves")
	}
	s.fit()
	return nil
}

func (a *app) zoomIn() tea.Cmd  { return a.zoom(1, "this is the finest scale: 1 ns a column") }
func (a *app) zoomOut() tea.Cmd { return a.zoom(-1, "this is the coarsest scale") }

func (a *app) zoom(in int, limit string) tea.Cmd {
	s := a.s
	was := s.look.rulers
	now := was.Zoom(in, s.run.Frame())
	if now.NsPerCol == was.NsPerCol {
		a.say(limit)
		return nil
	}
	s.adjusted = true
	s.setRulers(now)
	a.say(views.Ms(now.NsPerCol, views.FullDecimals) + " ms a column; 0 fits again")
	return nil
}

func (a *app) panLeft() tea.Cmd  { return a.pan(-1) }
func (a *app) panRight() tea.Cmd { return a.pan(1) }

func (a *app) pan(majors int) tea.Cmd {
	a.s.adjusted = true
	a.s.setRulers(a.s.look.rulers.Pan(majors))
	return nil
}

// nextTheme changes the colours.
func (a *app) nextTheme() tea.Cmd {
	a.theme = (a.theme + 1) % views.NumThemes
	a.styles = a.paint(a.theme)
	a.say("theme: " + a.theme.String())
	return nil
}

func (a *app) refit() tea.Cmd {
	a.s.fit()
	a.say("scale and offset fit this event")
	return nil
}
