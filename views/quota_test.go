package views

import (
	"strings"
	"testing"

	"zerolag/model"
	"zerolag/scheduler"
)

// limitedRun is a group that may run 5 ms in each 20 ms, beside a hog.
func limitedRun() (*model.Run, *scheduler.Profile) {
	p, _ := scheduler.ProfileByName("6.12.y")
	w := nginxWorkload(p)
	w.Groups = []scheduler.GroupSpec{{Name: "/web", Shares: scheduler.NiceZeroLoad, Quota: scheduler.Time(5 * ms), Period: scheduler.Time(20 * ms)}}
	w.Tasks = append(w.Tasks, scheduler.TaskSpec{Name: "peer", Program: w.Tasks[0].Program})
	w.Tasks[0].Group, w.Tasks[1].Group = 1, 1
	return model.Open(w), p
}

// seekReason moves on to the first event with a step of that reason.
func seekReason(t *testing.T, r *model.Run, why scheduler.Reason) {
	t.Helper()
	for r.Step(1) {
		for i := range r.Steps() {
			if r.Steps()[i].Reason == why {
				return
			}
		}
	}
	t.Fatalf("no step with reason %d", why)
}

func TestThrottledQueueIsMarked(t *testing.T) {
	for _, width := range []int{80, 120} {
		r, _ := limitedRun()
		seekReason(t, r, scheduler.ReasonThrottled)
		f := r.Frame()
		got := drawn(Strips{
			After: f, Rulers: FitRulers(AxisAbsolute, RulerColumns(width), f),
			Woken: scheduler.NoTask, Picked: scheduler.NoEntity, Selected: scheduler.NoEntity,
		}, width, 20)
		for _, line := range strings.Split(got, "\n") {
			cells := strings.Fields(line)
			switch {
			case strings.Contains(line, "in web") && cells[len(cells)-1] != "throttled":
				t.Errorf("%d columns: the axis is not marked: %q", width, line)
			case strings.HasPrefix(line, " web") && !strings.Contains(line, "  T"):
				t.Errorf("%d columns: the group entity is not marked: %q", width, line)
			case strings.HasPrefix(line, "  nginx") && !strings.Contains(line, "Qt"):
				t.Errorf("%d columns: the task of the group is not marked: %q", width, line)
			}
		}
		if !strings.Contains(got, "in web") || !strings.Contains(got, "\n web") || !strings.Contains(got, "\n  nginx") {
			t.Errorf("%d columns:\n%s", width, got)
		}
	}
}

func TestThrottlingIsExplained(t *testing.T) {
	for reason, want := range map[scheduler.Reason]string{
		scheduler.ReasonQuotaUsedUp: "web has used up its quota, -0.100 left: reschedule",
		scheduler.ReasonThrottled:   "web is throttled: it leaves the queue until its quota is filled up",
		scheduler.ReasonUnthrottled: "web may run again, after",
	} {
		r, p := limitedRun()
		seekReason(t, r, reason)
		if got := Why(momentOf(r, p)).Text(); strings.Count(got, want) != 1 {
			t.Errorf("the explanation says %q, want %q in it once", got, want)
		}
		if got := LogLine(r.Event(), r.Steps(), r.Frame()); !strings.Contains(got, "; "+want) {
			t.Errorf("the log says %q, want %q", got, want)
		}
		q := r.Frame().Queues[1]
		queue := QueueTable(r.Frame(), q.ID, p)
		table := queue.Text(0)
		for _, row := range []string{"runtime_remaining", "pool", "cpu.max quota", "refill", "throttle_count"} {
			if !strings.Contains(table, row) {
				t.Errorf("the inspector has no %s:\n%s", row, table)
			}
		}
	}
}

func TestLimitEditsSayWhatTheySet(t *testing.T) {
	r, _ := limitedRun()
	for want, e := range map[string]scheduler.Edit{
		"cpu.max of /web := max":                               {Kind: scheduler.EditQuota, Group: 1},
		"cpu.max of /web := 2.000 of 100.000 ms":               {Kind: scheduler.EditQuota, Group: 1, Value: 2 * ms},
		"cpu.max of /web := 2.000 of 5.000 ms, burst 1.000 ms": {Kind: scheduler.EditQuota, Group: 1, Value: 2 * ms, Period: scheduler.Time(5 * ms), Burst: scheduler.Time(ms)},
	} {
		if got := EditText(e, r.Frame()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
