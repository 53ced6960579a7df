package views

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Style is the number of a style; what it looks like is for Styles to say.
type Style uint8

// The styles, by what they mean.
const (
	StyleText       Style = iota
	StyleDim              // rules, rulers, things of little weight
	StyleCurr             // the current entity
	StyleEligible         // position with lag >= 0, E
	StyleIneligible       // position with lag < 0, N
	StyleDelayed          // asleep but still queued
	StyleV                // the 0-lag point
	StyleGhost            // where something was before
	StyleProtected        // protected part of a request
	StyleRequest          // the rest of a request
	StyleDeadline         // deadline and vprot
	StyleNote             // a bookmark's note
	StyleHeader           // status line, column heads
	StyleKey              // a key in the key line
	StyleError            // a message about a fault
	StyleSelect           // the selected row
	StyleChanged          // a feature or value that differs from its default
	StyleProposal         // a proposal from a mailing list
	StyleWhy              // the decision
	StyleRunning          // lanes: has the CPU
	StyleWaiting          // lanes: wants it
	StylePreempted        // lanes: lost it
	numStyles
)

// showsBlank tells whether a blank cell of this style can be seen.
func (s Style) showsBlank() bool { return s == StyleSelect }

// Theme is a choice of colours.
type Theme uint8

// The themes. ThemeMono uses bold and reverse only.
const (
	ThemeDark Theme = iota
	ThemeLight
	ThemeMono
	NumThemes
)

// String is the theme's name as --theme takes it.
func (t Theme) String() string { return [...]string{"dark", "light", "mono"}[t] }

// paint is how a style looks: colours for dark and light backgrounds, each
// given for true colour, 256 and 16 colours.
type paint struct {
	dark, light lipgloss.CompleteColor
	bold        bool
	reverse     bool
}

func colour(true24, c256, c16 string) lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: true24, ANSI256: c256, ANSI: c16}
}

// paints keeps to blue, orange, yellow, purple and grey, which people with any of the
// common colour deficiencies tell apart; no pair differs by red and green only.
func paints() [numStyles]paint {
	blueDark, blueLight := colour("#56B4E9", "74", "12"), colour("#0072B2", "25", "4")
	orangeDark, orangeLight := colour("#E69F00", "178", "3"), colour("#B35900", "130", "3")
	yellowDark, yellowLight := colour("#F0E442", "227", "11"), colour("#7A6A00", "94", "3")
	pinkDark, purpleLight := colour("#CC79A7", "175", "13"), colour("#5E3C99", "61", "5")
	greyDark, greyLight := colour("#8A8A8A", "245", "8"), colour("#6C6C6C", "242", "8")
	return [numStyles]paint{
		StyleDim:        {dark: greyDark, light: greyLight},
		StyleCurr:       {bold: true},
		StyleEligible:   {dark: blueDark, light: blueLight, bold: true},
		StyleIneligible: {dark: orangeDark, light: orangeLight, bold: true},
		StyleDelayed:    {dark: pinkDark, light: purpleLight},
		StyleV:          {dark: yellowDark, light: yellowLight, bold: true},
		StyleGhost:      {dark: greyDark, light: greyLight},
		StyleProtected:  {dark: blueDark, light: blueLight},
		StyleRequest:    {dark: greyDark, light: greyLight},
		StyleDeadline:   {bold: true},
		StyleNote:       {dark: yellowDark, light: yellowLight},
		StyleHeader:     {bold: true},
		StyleKey:        {bold: true},
		StyleError:      {dark: orangeDark, light: orangeLight, bold: true},
		StyleSelect:     {reverse: true},
		StyleChanged:    {dark: orangeDark, light: orangeLight, bold: true},
		StyleProposal:   {dark: pinkDark, light: purpleLight},
		StyleRunning:    {dark: blueDark, light: blueLight},
		StyleWaiting:    {dark: greyDark, light: greyLight},
		StylePreempted:  {dark: orangeDark, light: orangeLight},
	}
}

// Styles are the escape sequences of every style for one terminal.
type Styles struct {
	open, close [numStyles]string
}

// NewStyles makes the styles of a theme for what r's terminal can show; a
// renderer without colours (NO_COLOR, no terminal) yields none.
func NewStyles(r *lipgloss.Renderer, theme Theme) *Styles {
	const probe = "x"
	s := &Styles{}
	for i, p := range paints() {
		style := r.NewStyle()
		if p.bold {
			style = style.Bold(true)
		}
		if p.reverse {
			style = style.Reverse(true)
		}
		switch theme {
		case ThemeDark:
			style = foreground(style, p.dark)
		case ThemeLight:
			style = foreground(style, p.light)
		case ThemeMono, NumThemes:
		}
		s.open[i], s.close[i], _ = strings.Cut(style.Render(probe), probe)
	}
	return s
}

func foreground(style lipgloss.Style, c lipgloss.CompleteColor) lipgloss.Style {
	if c.ANSI == "" {
		return style
	}
	return style.Foreground(c)
}

// PlainStyles leaves everything unstyled.
func PlainStyles() *Styles { return &Styles{} }
