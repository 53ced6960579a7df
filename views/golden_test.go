package views

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/NAME.golden.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got), go test ./views -run %s -update rewrites it:\n%s", path, t.Name(), diff)
	}
}

func renderer(p termenv.Profile) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	return r
}

func TestScreenAtNamedSizes(t *testing.T) {
	for _, size := range []struct {
		name          string
		width, height int
		glyphs        Glyphs
	}{
		{"screen-80x24-ascii", 80, 24, ASCIIGlyphs()},
		{"screen-80x24-unicode", 80, 24, UnicodeGlyphs()},
		{"screen-120x40-unicode", 120, 40, UnicodeGlyphs()},
		{"screen-200x50-unicode", 200, 50, UnicodeGlyphs()},
	} {
		t.Run(size.name, func(t *testing.T) {
			c := Screen(nginxScreen(size.width, size.height, size.glyphs))
			if c.Width() != size.width || c.Height() != size.height {
				t.Errorf("canvas is %dx%d, want %dx%d", c.Width(), c.Height(), size.width, size.height)
			}
			got := c.Plain()
			assertFits(t, got, size.width, size.height)
			golden(t, size.name, got)
		})
	}
}

func TestScreenInColour(t *testing.T) {
	c := Screen(nginxScreen(80, 24, UnicodeGlyphs()))
	golden(t, "screen-80x24-colour", c.String(NewStyles(renderer(termenv.TrueColor), ThemeDark)))
}

func TestPictureForMail(t *testing.T) {
	lanes := nginxLanes(LaneColumns(PictureWidth))
	status := nginxStatus()
	status.Play = ""
	c := Picture(PictureInput{
		Glyphs: ASCIIGlyphs(), Status: status, Strips: nginxStrips(RulerColumns(PictureWidth)), Moment: nginxMoment(false),
		Lanes: &lanes, Command: "zerolag nginx --at 3.1ms",
	})
	got := c.Plain()
	assertFits(t, got, PictureWidth, c.Height())
	golden(t, "picture-76-ascii", got)
}

// assertFits checks height, width and right-trimming.
func assertFits(t *testing.T, text string, width, height int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != height {
		t.Errorf("%d lines, want %d", len(lines), height)
	}
	for i, line := range lines {
		if w := textWidth(line); w > width {
			t.Errorf("line %d has %d columns, want at most %d: %q", i+1, w, width, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("line %d ends in blanks: %q", i+1, line)
		}
	}
}
