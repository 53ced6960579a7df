package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// laneText is the drawn lanes at 76 columns.
func laneText(l Lanes) []string {
	c := NewCanvas(PictureWidth, len(l.Rows)+1)
	l.Draw(c, ASCIIGlyphs())
	return strings.Split(c.Plain(), "\n")
}

func TestLanesEndAtTheCursor(t *testing.T) {
	l := nginxLanes(LaneColumns(PictureWidth))
	for _, line := range laneText(l)[1:] {
		if cursor := laneGutter + l.Axis.Column(l.Cursor); len(line) > cursor+1 {
			t.Errorf("line goes on after the cursor in column %d: %q", cursor, line)
		}
	}
}

func TestShortestRunHasACell(t *testing.T) {
	l := nginxLanes(LaneColumns(PictureWidth))
	at := scheduler.Time(1500 * us)
	l.Rows = []Lane{{Name: "blink", Segments: []model.Segment{
		{State: scheduler.StateQueued, From: at - 400_000, To: at},
		{State: scheduler.StateRunning, From: at, To: at + 10},
		{State: scheduler.StateQueued, From: at + 10, To: at + 400_000},
	}}}
	got := laneText(l)[1]
	if col := laneGutter + l.Axis.Column(at); got[col] != '#' || got[col-1] != '.' || got[col+1] != '.' {
		t.Errorf("column %d must show the run, its neighbours the waiting: %q", col, got)
	}
}

func TestCursorStaysInTheLanes(t *testing.T) {
	for _, columns := range []int{1, 10, 20, 62, 186} {
		for _, tick := range []scheduler.Time{scheduler.Millisecond, 3333333, 10 * scheduler.Millisecond} {
			for cursor := scheduler.Time(0); cursor < scheduler.Second; cursor += 777777 {
				a := FitLanes(columns, tick, cursor)
				if a.From < 0 || a.From%tick != 0 {
					t.Fatalf("window starts at %d, want whole ticks of %d", a.From, tick)
				}
				if col := a.Column(cursor); columns >= columnsPerTick*2 && (col < 0 || col >= columns) {
					t.Fatalf("cursor %d stands in column %d of %d", cursor, col, columns)
				}
			}
		}
	}
}

func TestLanesCountWhoHasNoRow(t *testing.T) {
	l := nginxLanes(40)
	l.Rows = append(l.Rows, l.Rows...)
	c := NewCanvas(60, 3)
	l.Draw(c, ASCIIGlyphs())
	if got := c.Plain(); !strings.Contains(got, "3 more") {
		t.Errorf("got:\n%s", got)
	}
}

func TestTableScrollsToTheSelectedRow(t *testing.T) {
	p := profile("7.2")
	table := FeatureTable(p, p.Defaults(), 1)
	for selected := range table.Rows {
		c := NewCanvas(60, 6)
		table.Draw(c, selected, ASCIIGlyphs())
		if got, name := c.Plain(), table.Rows[selected].Cells[1]; !strings.Contains(got, name) {
			t.Errorf("row %d (%s) is not visible:\n%s", selected, name, got)
		}
	}
}

func TestFeatureTableMarksChangesAndProposals(t *testing.T) {
	p := profile("7.2")
	on := p.Defaults().With(scheduler.RunToParityWakeup, true).With(scheduler.PlaceLag, false)
	marks := map[string]string{}
	for _, row := range FeatureTable(p, on, 1).Rows {
		marks[row.Cells[1]] = row.Cells[0] + " " + row.Cells[2]
	}
	for name, want := range map[string]string{
		"PLACE_LAG": "! off", "RUN_TO_PARITY": " on", "RUN_TO_PARITY_WAKEUP": "P! on", "RESPECT_SLICE": "P off",
	} {
		if marks[name] != want {
			t.Errorf("%s is marked %q, want %q", name, marks[name], want)
		}
	}
	want := "NO_PLACE_LAG RUN_TO_PARITY_WAKEUP (proposal)"
	if got := strings.Join(ChangedFeatures(p, on), " "); got != want {
		t.Errorf("changed features are %q, want %q", got, want)
	}
}

func TestInspectorShowsReadableAndRaw(t *testing.T) {
	f, _ := nginxFrames()
	f.Entities[0].Vruntime = scheduler.Vtime(1<<64 - 1<<20)
	got := EntityTable(f, 0)
	text := got.Text(0)
	for _, want := range []string{"vruntime", "-1.048576", "18446744073708503040", "SCHED_OTHER"} {
		if !strings.Contains(text, want) {
			t.Errorf("inspector lacks %q:\n%s", want, text)
		}
	}
	queue := QueueTable(f, 0, profile("7.2"))
	if text := queue.Text(0); !strings.Contains(text, "zero_vruntime") || !strings.Contains(text, "nr_queued") {
		t.Errorf("queue fields lack the profile's names:\n%s", text)
	}
	for _, table := range []Table{EntityTable(f, 99), QueueTable(f, 99, nil), CPUTable(f, 99)} {
		if len(table.Rows) != 1 || table.Rows[0].Cells[1] != "none" {
			t.Errorf("what does not exist must say none: %v", table.Rows)
		}
	}
}

func TestStatsStartWithTheColumnsOfPerf(t *testing.T) {
	table := StatsTable(model.Stats{Tasks: []model.TaskStat{{
		Name: "nginx", Runtime: scheduler.Time(769100 * us), SwitchedIn: 540, Share: 793456, MaxFrom: scheduler.NoTime, MaxTo: scheduler.NoTime,
	}}})
	fields := strings.Fields(table.Text(0))
	if got, want := strings.Join(fields[:10], " "), "Task Runtime ms Switches Avg delay ms Max delay ms"; got != want {
		t.Errorf("head is %q, want %q", got, want)
	}
	if text := table.Text(0); !strings.Contains(text, "769.100") || !strings.Contains(text, "79.34") || !strings.Contains(text, "540") {
		t.Errorf("numbers are missing:\n%s", text)
	}
}

func TestDisabledKeySaysWhy(t *testing.T) {
	table := HelpTable([]KeyHelp{{Keys: "c", Text: "compare", Disabled: "one run is open"}})
	if got, want := table.Rows[0].Cells[1], "compare (one run is open)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWrapKeepsWordsAndWidth(t *testing.T) {
	for _, width := range []int{1, 2, 5, 10, 40} {
		lines := wrap("one two three four extraordinarily-long-word end", width, " ")
		for _, line := range lines {
			if textWidth(line) > width {
				t.Errorf("width %d: %q is too long", width, line)
			}
		}
		got := strings.ReplaceAll(strings.Join(lines, ""), " ", "")
		if want := "onetwothreefourextraordinarily-long-wordend"; got != want {
			t.Errorf("width %d: text became %q", width, got)
		}
	}
}

func TestStatusCountsFeaturesThatDoNotFit(t *testing.T) {
	in := nginxScreen(80, 24, ASCIIGlyphs())
	in.Status.Features = []string{"NO_PLACE_LAG", "NO_RUN_TO_PARITY", "RUN_TO_PARITY_WAKEUP (proposal)"}
	line, _, _ := strings.Cut(Screen(in).Plain(), "\n")
	if want := "features: NO_PLACE_LAG +2"; !strings.Contains(line, want) {
		t.Errorf("got %q, want it to contain %q", line, want)
	}
}

func TestOpenPaneLeavesTheDecisionInSight(t *testing.T) {
	in := nginxScreen(80, 24, ASCIIGlyphs())
	in.Pane = &Pane{Title: "features", Table: FeatureTable(profile("7.2"), profile("7.2").Defaults(), 1), Selected: 3}
	got := Screen(in).Plain()
	for _, want := range []string{"PREEMPT", "-- features --", "RUN_TO_PARITY ", ">nginx", " service  ", "flips with:"} {
		if !strings.Contains(got, want) {
			t.Errorf("screen lacks %q:\n%s", want, got)
		}
	}
}

func TestCommandLineStaysReadableByAShell(t *testing.T) {
	got := commandLines("zerolag nginx --kernel 7.2 --features RUN_TO_PARITY_WAKEUP,NO_PLACE_LAG --at 3.1ms", 40)
	for i, line := range got {
		if textWidth(line) > 40 || strings.HasSuffix(line, `\`) != (i < len(got)-1) {
			t.Errorf("line %d is %q", i, line)
		}
	}
}
