package views

import (
	"strings"
	"testing"

	"zerolag/scheduler"
)

func TestEveryReasonHasWords(t *testing.T) {
	f, _ := nginxFrames()
	for r := range scheduler.Reason(scheduler.NumReasons) {
		if reasonWords[r] == "" {
			t.Errorf("reason %d has no words", r)
			continue
		}
		s := scheduler.Step{Reason: r, Entity: 0, Other: 1}
		bare := reasonText(&s, f, ShortDecimals)
		for a := scheduler.ArgName(0); int(a) < scheduler.NumArgs; a++ {
			s.Args = append(s.Args, scheduler.Arg{Name: a, Value: 1500 * us})
		}
		full := reasonText(&s, f, ShortDecimals)
		for _, text := range []string{bare, full} {
			if strings.ContainsAny(text, "{}[]") || strings.Contains(text, "  ") || strings.TrimSpace(text) != text {
				t.Errorf("reason %d reads badly: %q", r, text)
			}
		}
		if opt := strings.Contains(reasonWords[r], "["); opt && bare == full {
			t.Errorf("reason %d does not use its operands: %q", r, reasonWords[r])
		}
	}
}

func TestWordsNameKnownOperandsOnly(t *testing.T) {
	known := map[string]bool{"e": true, "o": true}
	for a := scheduler.ArgName(0); int(a) < scheduler.NumArgs; a++ {
		known[a.String()] = true
	}
	for r, words := range reasonWords {
		for _, part := range strings.Split(words, "{")[1:] {
			name, _, found := strings.Cut(part, "}")
			if !found || !known[strings.TrimPrefix(name, "+")] {
				t.Errorf("reason %d names the unknown operand %q", r, name)
			}
		}
	}
}

func assertWhy(t *testing.T, m Moment, want string) {
	t.Helper()
	if got := Why(m).Text(); got != want {
		t.Errorf("got:  %s\nwant: %s", got, want)
	}
}

func TestWhyTheWakeupPreempts(t *testing.T) {
	m := nginxMoment(false)
	assertWhy(t, m, "wakeup_preempt_fair: PREEMPT. nginx v 1.851 > V 1.001: not eligible, so its protection (to 3.751, 1.900 left)"+
		" is not asked; service is the only candidate.")
	m.Profile = profile("6.12.y")
	if got, want := Why(m).Headline, "check_preempt_wakeup_fair: PREEMPT."; got != want {
		t.Errorf("headline on %s is %q, want %q", m.Profile.Name, got, want)
	}
}

func TestWhyTheProtectedRunnerStays(t *testing.T) {
	assertWhy(t, nginxMoment(true), "wakeup_preempt_fair: keeps nginx. nginx v 1.851 > V 1.001: not eligible, but protected until 3.751"+
		" (1.900 left): it keeps running.")
}

func TestWhyTheCheckNeverPicks(t *testing.T) {
	m := nginxMoment(true)
	m.Steps = []scheduler.Step{{Kind: scheduler.StepCheck, Reason: scheduler.ReasonCheckBatch, Entity: 1, Other: 0}}
	assertWhy(t, m, "wakeup_preempt_fair: keeps nginx. the policy of service never preempts.")
}

func TestWhyTheTickReschedules(t *testing.T) {
	m := nginxMoment(false)
	m.Event.Kind = scheduler.EventTick
	m.Steps = []scheduler.Step{
		{Kind: scheduler.StepCharge, Reason: scheduler.ReasonCharged, Entity: 0},
		{Kind: scheduler.StepResched, Reason: scheduler.ReasonUnprotected, Entity: 0, Args: []scheduler.Arg{
			{Name: scheduler.ArgVruntime, Value: 3800 * us}, {Name: scheduler.ArgVprot, Value: nginxDeadline},
		}},
	}
	assertWhy(t, m, "entity_tick: update_curr: RESCHED. nginx is no longer protected: v 3.800 has reached vprot 3.751: asks for a reschedule.")
}

// pickOf is a schedule() among eligible waiters by deadline.
func pickOf(reason scheduler.Reason, candidates ...scheduler.Candidate) Moment {
	m := nginxMoment(false)
	m.Event.Kind = scheduler.EventSchedule
	chosen := scheduler.NoEntity
	for _, c := range candidates {
		if c.Fate == scheduler.FateChosen {
			chosen = c.Entity
		}
	}
	m.Steps = []scheduler.Step{{Kind: scheduler.StepPick, Reason: reason, Entity: chosen, Other: scheduler.NoEntity, After: m.After, Candidates: candidates}}
	return m
}

func TestWhyThePickChose(t *testing.T) {
	runner := scheduler.Candidate{Entity: 0, Curr: true, Vruntime: vt(900 * us), Deadline: vt(3700 * us), Eligible: true, Fate: scheduler.FateLater}
	waiter := scheduler.Candidate{Entity: 1, Vruntime: serviceV, Deadline: serviceV + 2800000, Eligible: true, Fate: scheduler.FateChosen}
	assertWhy(t, pickOf(scheduler.ReasonPickEarliest, runner, waiter),
		"pick_eevdf: service. nginx is eligible but its deadline is 3.700; service is the only candidate.")
	other := scheduler.Candidate{Entity: 0, Vruntime: 900000, Deadline: 3700000, Eligible: true, Fate: scheduler.FateLater}
	assertWhy(t, pickOf(scheduler.ReasonPickEarliest, waiter, other),
		"pick_eevdf: service. service has the earliest deadline (2.951) of 2 eligible, before nginx (3.700).")
	runner.Fate, waiter.Fate, runner.Deadline = scheduler.FateChosen, scheduler.FateLater, vt(2*ms)
	assertWhy(t, pickOf(scheduler.ReasonPickCurrEarlier, runner, waiter),
		"pick_eevdf: nginx. nginx keeps running: its deadline 2.000 is before 2.951, the earliest that waits and is eligible (service).")
	assertWhy(t, pickOf(scheduler.ReasonPickIdle), "pick_eevdf: nothing is queued: the CPU idles.")
}

func TestWhyWithoutSteps(t *testing.T) {
	m := nginxMoment(false)
	m.Steps = nil
	assertWhy(t, m, "wakeup: service: resched.")
	assertWhy(t, Moment{}, "nothing to explain yet.")
}

func TestFlipsAreListedCountedOrNone(t *testing.T) {
	m := nginxMoment(false)
	if b := NewWhyBlock(m, 50, ""); len(b.flips) != 2 || b.flips[1] != "             NO_WAKEUP_PREEMPTION  NO_PLACE_LAG" {
		t.Errorf("flips are %q", b.flips)
	}
	if b := NewWhyBlock(m, 40, ""); b.flips[1] != "             NO_WAKEUP_PREEMPTION  +1" {
		t.Errorf("flips are %q", b.flips)
	}
	m.Flips = nil
	if b := NewWhyBlock(m, 80, ""); b.flips[0] != " flips with: nothing" {
		t.Errorf("flips are %q", b.flips)
	}
	m.FlipsKnown = false
	if b := NewWhyBlock(m, 80, ""); b.flips[0] != " flips with: ..." {
		t.Errorf("flips are %q", b.flips)
	}
}

func TestDecisionTableListsCandidatesInTreeOrder(t *testing.T) {
	m := nginxMoment(false)
	table := WhyTable(m.lastPick(), m.After, ShortDecimals)
	want := `candidate     v-V  deadline  slice  E/N  prot  search   rule
>nginx     +0.850     3.751  2.800  N    yes   visited  running, lag < 0: no candidate
service    -0.850     2.951  2.800  E    -     visited  chosen
`
	if got := table.Text(0); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestStepLineShowsTheFormula(t *testing.T) {
	m := nginxMoment(false)
	want := "place_entity: service keeps its lag 0.850, inflated by (W+w)/W to 1.700, v = V 1.851 - 1.700 = 0.151"
	if got := StepLine(&m.Steps[0], m.Profile, m.After, ShortDecimals); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogLineSaysWhatCameOfIt(t *testing.T) {
	m := nginxMoment(false)
	want := "    14      3.100 000  cpu0  wakeup   service: resched; the pick is service: it preempts nginx"
	if got := LogLine(m.Event, m.Steps, m.After); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	e := scheduler.Event{Kind: scheduler.EventSchedule, Task: 0, Prev: 0, Curr: 1, Preempted: true}
	if got, want := LogWords(e, m.After), "nginx: nginx => service"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEveryEditHasWords(t *testing.T) {
	_, f := nginxFrames()
	for k := scheduler.EditFeature; k <= scheduler.EditInterrupt; k++ {
		if got := EditText(scheduler.Edit{Kind: k}, f); got == "edit" || got == "" {
			t.Errorf("edit %d has no words", k)
		}
	}
}
