package views

import (
	"fmt"
	"math"
	"testing"

	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"zerolag/scheduler"
)

func TestAnySizeDrawsInsideItself(t *testing.T) {
	for width := 1; width <= 220; width += 3 {
		for height := 1; height <= 60; height += 2 {
			in := nginxScreen(width, height, UnicodeGlyphs())
			in.Message = "message"
			if height%4 == 1 {
				in.Pane = &Pane{Title: "features", Table: FeatureTable(profile("7.2"), profile("7.2").Defaults(), 1), Selected: 20}
			}
			c := Screen(in)
			if c.Width() != width || c.Height() != height {
				t.Fatalf("canvas is %dx%d, want %dx%d", c.Width(), c.Height(), width, height)
			}
			assertFits(t, c.Plain(), width, height)
		}
	}
}

func TestAnyNumberOfEntities(t *testing.T) {
	for _, n := range []int{0, 1, 2, 13, 2000} {
		f := crowd(n)
		in := nginxScreen(80, 24, ASCIIGlyphs())
		in.Strips.Before, in.Strips.After = f, f
		in.Strips.Rulers = FitRulers(AxisAbsolute, 50, f)
		m := nginxMoment(false)
		m.After = f
		in.Why = NewWhyBlock(m, 80, "")
		assertFits(t, Screen(in).Plain(), 80, 24)
		picture := Picture(PictureInput{Glyphs: ASCIIGlyphs(), Status: in.Status, Strips: in.Strips, Moment: m})
		assertFits(t, picture.Plain(), PictureWidth, picture.Height())
	}
}

// TestExtremesDoNotPanic draws entities up to 2^63 apart on any ruler.
func TestExtremesDoNotPanic(t *testing.T) {
	value := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, math.MaxInt64}))
	rapid.Check(t, func(t *rapid.T) {
		var frames []*scheduler.Frame
		for range 2 {
			var entities []scheduler.EntityFrame
			for i := range 3 {
				e := task(i, fmt.Sprintf("t%d", i), value.Draw(t, "v"), value.Draw(t, "deadline"))
				e.Protected, e.ProtectedTo = true, vt(value.Draw(t, "vprot"))
				entities = append(entities, e)
			}
			frames = append(frames, machine(ms, value.Draw(t, "V"), 0, entities...))
		}
		width, height := rapid.IntRange(0, 130).Draw(t, "width"), rapid.IntRange(0, 40).Draw(t, "height")
		mode := rapid.SampledFrom([]AxisMode{AxisAbsolute, AxisLag}).Draw(t, "mode")
		rulers := FitRulers(mode, RulerColumns(width), frames[0])
		rulers, _ = rulers.Keep([]scheduler.EntityID{1}, frames...)
		rulers = rulers.Zoom(rapid.IntRange(-1, 1).Draw(t, "zoom"), frames[1]).Pan(rapid.IntRange(-3, 3).Draw(t, "pan"))
		in := nginxScreen(width, height, ASCIIGlyphs())
		in.Strips.Before, in.Strips.After, in.Strips.Rulers, in.Strips.ShowZero = frames[0], frames[1], rulers, true
		m := nginxMoment(false)
		m.Before, m.After = frames[0], frames[1]
		in.Why = NewWhyBlock(m, MainWidth(width), "")
		if c := Screen(in); c.Width() != width || c.Height() != height {
			t.Fatalf("canvas is %dx%d, want %dx%d", c.Width(), c.Height(), width, height)
		}
	})
}

func TestEmptyInputDraws(t *testing.T) {
	for _, height := range []int{0, 1, 24} {
		if c := Screen(ScreenInput{Width: 80, Height: height, Glyphs: ASCIIGlyphs()}); c.Height() != height {
			t.Errorf("height is %d, want %d", c.Height(), height)
		}
	}
	Picture(PictureInput{Glyphs: ASCIIGlyphs()})
}

func BenchmarkFlatten200x60(b *testing.B) {
	c := Screen(nginxScreen(200, 60, UnicodeGlyphs()))
	styles := NewStyles(renderer(termenv.TrueColor), ThemeDark)
	b.ReportAllocs()
	for b.Loop() {
		_ = c.String(styles)
	}
}

func BenchmarkScreen200x60(b *testing.B) {
	in := nginxScreen(200, 60, UnicodeGlyphs())
	styles := NewStyles(renderer(termenv.TrueColor), ThemeDark)
	b.ReportAllocs()
	for b.Loop() {
		in.Canvas = Screen(in)
		_ = in.Canvas.String(styles)
	}
}

func TestFlattenAllocatesLittle(t *testing.T) {
	c := Screen(nginxScreen(200, 60, UnicodeGlyphs()))
	styles := NewStyles(renderer(termenv.TrueColor), ThemeDark)
	if n := testing.AllocsPerRun(10, func() { _ = c.String(styles) }); n > 10 {
		t.Errorf("flattening allocates %v times, want at most 10", n)
	}
}

func TestReusedCanvasShowsNothingOld(t *testing.T) {
	in := nginxScreen(80, 24, ASCIIGlyphs())
	want := Screen(in).Plain()
	in.Pane = &Pane{Title: "keys", Table: HelpTable(nginxKeys())}
	in.Canvas = Screen(in)
	in.Pane = nil
	if got := Screen(in).Plain(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
