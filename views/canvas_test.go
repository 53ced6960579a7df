package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func TestTextIsClipped(t *testing.T) {
	c := NewCanvas(5, 2)
	c.Text(3, 0, "abc", StyleText)
	c.Text(-1, 1, "xyz", StyleText)
	c.Text(0, 7, "below", StyleText)
	if got, want := c.Plain(), "   ab\nyz\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubDrawsInItsParent(t *testing.T) {
	c := NewCanvas(6, 3)
	c.Sub(2, 1, 3, 9).Text(0, 0, "abcdef", StyleText)
	if got, want := c.Plain(), "\n  abc\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWideRunesTakeTwoCells(t *testing.T) {
	c := NewCanvas(5, 1)
	c.Text(0, 0, "世界x", StyleText)
	if got, want := c.Plain(), "世界x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.Set(1, 0, 'a', StyleText)
	if got, want := c.Plain(), " a界x\n"; got != want {
		t.Errorf("half overwritten: got %q, want %q", got, want)
	}
	c.Clear()
	c.Text(4, 0, "世", StyleText)
	if got, want := c.Plain(), "\n"; got != want {
		t.Errorf("cut at the edge: got %q, want %q", got, want)
	}
}

func TestControlCharactersAreReplaced(t *testing.T) {
	c := NewCanvas(8, 1)
	c.Text(0, 0, "a\x1b[1m\n", StyleText)
	if got, want := c.Plain(), "a?[1m?\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCellsKnowTheirOwner(t *testing.T) {
	c := Screen(nginxScreen(80, 24, ASCIIGlyphs()))
	if got, want := c.At(38, 6).Owner, EntityOwner(0); got != want {
		t.Errorf("the marker of nginx belongs to %v, want %v", got, want)
	}
	if got, want := c.At(3, 19).Owner, (Owner{OwnerLane, 1}); got != want {
		t.Errorf("the lane of service belongs to %v, want %v", got, want)
	}
}

func TestGlyphsAreOneColumnWide(t *testing.T) {
	g := UnicodeGlyphs()
	for _, r := range []rune{
		g.Current, g.Eligible, g.Ineligible, g.Delayed, g.Protected, g.Rest, g.Vprot, g.Deadline, g.Both, g.V, g.Ghost,
		g.OutLeft, g.OutRight, g.Major, g.Minor, g.Dash, g.ArrowLeft, g.ArrowRight, g.Shaft, g.Rule, g.Divider, g.Running, g.Waiting, g.Cut,
	} {
		if w := ansi.StringWidth(string(r)); w != 1 {
			t.Errorf("%q has %d columns, want 1", r, w)
		}
	}
}

func TestMonoUsesNoColour(t *testing.T) {
	got := Screen(nginxScreen(80, 24, UnicodeGlyphs())).String(NewStyles(renderer(termenv.TrueColor), ThemeMono))
	for _, escape := range strings.Split(got, "\x1b[")[1:] {
		code, _, _ := strings.Cut(escape, "m")
		if code != "0" && code != "1" && code != "7" {
			t.Fatalf("escape %q is neither bold, reverse nor reset", code)
		}
	}
	if !strings.Contains(got, "\x1b[1m") {
		t.Error("the mono theme must use bold")
	}
}

func TestNoColourTerminalGetsPlainText(t *testing.T) {
	c := Screen(nginxScreen(80, 24, UnicodeGlyphs()))
	got := c.String(NewStyles(renderer(termenv.Ascii), ThemeDark)) + "\n"
	if want := c.Plain(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestColoursDoNotChangeTheText(t *testing.T) {
	c := Screen(nginxScreen(80, 24, UnicodeGlyphs()))
	for _, profile := range []termenv.Profile{termenv.ANSI, termenv.ANSI256, termenv.TrueColor} {
		for _, theme := range []Theme{ThemeDark, ThemeLight, ThemeMono} {
			if got := ansi.Strip(c.String(NewStyles(renderer(profile), theme))) + "\n"; got != c.Plain() {
				t.Errorf("profile %v theme %v: text differs: %q", profile, theme, got)
			}
		}
	}
}
