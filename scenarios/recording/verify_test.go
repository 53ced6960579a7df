package recording

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recordings are of a running 6.12.117: HRTICK, groups whose weights change, a
// slice that changes, batch and idle tasks, yields, and two CPUs with migrations.
var recordings = []string{
	"01d-hogs3-hrtick", "03-wakeup", "05d-slice-change", "06-batch-idle", "07-cgroup", "08c-yield", "09b-smp-hogs", "09c-smp-balance",
}

func TestRealKernelAgreesWithMachine(t *testing.T) {
	for _, name := range recordings {
		r, err := Verify(filepath.Join("testdata", name, traceName+".gz"))
		if err != nil {
			t.Fatal(err)
		}
		if r.First != nil || r.Differences > 0 {
			t.Errorf("%s: %d differences\n%s", name, r.Differences, r.First)
		}
		if r.Profile != "6.12.y" || r.Integers < 23_000 || r.Decisions < 450 || r.Operations < 600 {
			t.Errorf("%s: too little was compared: %+v", name, r)
		}
		if r.Adopted.Total()*100 > r.Integers {
			t.Errorf("%s: more than 1 %% adopted: %s", name, r.Adopted.String())
		}
	}
}

// textOf is a trace as lines of text.
func textOf(t *testing.T, name string) []string {
	t.Helper()
	r, err := open(filepath.Join("testdata", name, traceName+".gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	lines, err := readLines(name, r)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{traceMark + " nop"}
	for _, l := range lines {
		list = append(list, l.text)
	}
	return list
}

// verifyText verifies a changed trace with the description of the original.
func verifyText(t *testing.T, name string, text []string, change func(meta string) string) (Result, error) {
	t.Helper()
	return Verify(writeTrace(t, name, text, change))
}

// writeTrace writes a changed trace with the description of the original.
func writeTrace(t *testing.T, name string, text []string, change func(meta string) string) string {
	t.Helper()
	dir := t.TempDir()
	about, err := os.ReadFile(filepath.Join("testdata", name, metaJSON))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{traceName: strings.Join(text, "\n") + "\n", metaJSON: change(string(about))}
	for file, data := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, traceName)
}

func same(meta string) string { return meta }

// One digit of one event is changed: it is found, on that line.
func TestMutatedDigitIsFound(t *testing.T) {
	for _, c := range []struct{ trace, event, field string }{
		{"08c-yield", "update_curr_ret", "c_v"},
		{"08c-yield", "update_curr_ret", "c_sum"},
		{"08c-yield", "avg_vruntime_ret", "q_zv"},
		{"08c-yield", "avg_vruntime_ret", "q_av"},
		{"08c-yield", "place_entity_ret", "v"},
		{"08c-yield", "place_entity_ret", "d"},
		{"08c-yield", "update_entity_lag_ret", "lag"},
		{"08c-yield", "set_next_entity_ret", "lag"},
		{"08c-yield", "set_next_entity_ret", "ex"},
		{"08c-yield", "set_next_entity_ret", "psum"},
		{"08c-yield", "set_next_entity_ret", "q_curr"},
		{"08c-yield", "__enqueue_entity_ret", "q_al"},
		{"08c-yield", "__enqueue_entity_ret", "q_left"},
		{"08c-yield", "__dequeue_entity_ret", "q_root"},
		{"08c-yield", "enqueue_entity_ret", "q_nr"},
		{"08c-yield", "dequeue_entity_ret", "ret"},
		{"08c-yield", "dequeue_entity_ret", "q_w"},
		{"08c-yield", "dequeue_entity_ret", "on"},
		{"08c-yield", "dequeue_entity_ret", "rel"},
		{"08c-yield", "dequeue_task_fair_ret", "nr"},
		{"08c-yield", "dequeue_entities_ret", "ret"},
		{"08c-yield", "enqueue_entity_ret", "cus"},
		{"08c-yield", "check_preempt_wakeup_fair_ret", "q_hq"},
		{"08c-yield", "yield_task_fair_ret", "v"},
		{"08c-yield", "yield_task_fair_ret", "d"},
		{"08c-yield", "pick_eevdf_ret", "ret"},
		{"08c-yield", "pick_task_fair_ret", "p"},
		{"08c-yield", "sw", "nv"},
		{"08c-yield", "sw", "next"},
		{"08c-yield", "reweight_task_fair", "ninv"},
		{"07-cgroup", "reweight_entity_ret", "v"},
		{"07-cgroup", "reweight_entity_ret", "d"},
		{"07-cgroup", "reweight_entity_ret", "w"},
		{"07-cgroup", "reweight_entity_ret", "inv"},
		{"07-cgroup", "reweight_entity", "weight"},
		{"07-cgroup", "update_cfs_group", "gq_w"},
		{"07-cgroup", "update_cfs_group", "tg_sh"},
		{"07-cgroup", "set_group_shares", "old"},
		{"07-cgroup", "enqueue_entity_ret", "sl"},
		{"07-cgroup", "set_next_entity", "q_next"},
		{"03-wakeup", "requeue_delayed_entity_ret", "dly"},
		{"09b-smp-hogs", "sched_fork_ret", "d"},
		{"09b-smp-hogs", "enqueue_entity_ret", "ex"},
		{"09b-smp-hogs", "enqueue_entity_ret", "q_hr"},
	} {
		t.Run(c.event+"/"+c.field, func(t *testing.T) {
			text := textOf(t, c.trace)
			at := mutate(t, text, c.event, c.field)
			r, err := verifyText(t, c.trace, text, same)
			if err != nil {
				t.Fatal(err)
			}
			if r.First == nil || r.Differences == 0 {
				t.Fatalf("not found: line %d: %s", at+1, text[at])
			}
			if r.First.Line != at+1 {
				t.Errorf("changed line %d, found\n%s", at+1, r.First)
			}
		})
	}
}

// mutate changes the last digit of a field, or an address to none, in the last event of that name that
// has one: what happened before has shown everything by then.
func mutate(t *testing.T, text []string, event, field string) int {
	t.Helper()
	for at := len(text) - 1; at > 0; at-- {
		l, err := parseLine(at+1, text[at])
		if err != nil {
			t.Fatal(err)
		}
		name := l.name
		if l.exit {
			name += "_ret"
		}
		v, ok := l.get(field)
		if name != event || !ok || strings.HasPrefix(field, "c_") && l.num64("q_curr") == 0 {
			continue
		}
		old := fmt.Sprintf(" %s=%s", field, l.word(field))
		changed := old[:len(old)-1] + string(byte('0'+(v+1)%2))
		if strings.HasPrefix(l.word(field), "0x") { // nobody else has that address
			changed = fmt.Sprintf(" %s=0x0", field)
		}
		if old == changed {
			continue
		}
		text[at] = strings.Replace(text[at], old, changed, 1)
		return at
	}
	t.Fatalf("no event %s with %s", event, field)
	return 0
}

func TestWrongKernelSettingsDisagree(t *testing.T) {
	for _, c := range []struct{ trace, from, to string }{
		{"08c-yield", `"RUN_TO_PARITY"`, `"NO_RUN_TO_PARITY"`},
		{"08c-yield", `"PLACE_DEADLINE_INITIAL"`, `"NO_PLACE_DEADLINE_INITIAL"`},
		{"08c-yield", `"DELAY_DEQUEUE"`, `"NO_DELAY_DEQUEUE"`},
		{"09b-smp-hogs", `"PLACE_REL_DEADLINE"`, `"NO_PLACE_REL_DEADLINE"`},
		{"09b-smp-hogs", `"base_slice_ns": 3000000`, `"base_slice_ns": 3000001`},
	} {
		t.Run(c.to, func(t *testing.T) {
			r, err := verifyText(t, c.trace, textOf(t, c.trace), func(meta string) string {
				if !strings.Contains(meta, c.from) {
					t.Fatalf("%s is not in the description", c.from)
				}
				return strings.Replace(meta, c.from, c.to, 1)
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Differences == 0 {
				t.Errorf("no difference with %s", c.to)
			}
		})
	}
}

// A queue without its reference point cannot be replayed.
func TestMinVruntimeIsRefused(t *testing.T) {
	text := textOf(t, "08c-yield")
	for i := range text {
		text[i] = strings.Replace(text[i], " q_zv=", " q_mv=", 1)
	}
	if _, err := verifyText(t, "08c-yield", text, same); err == nil || !strings.Contains(err.Error(), "kernels with min_vruntime do not have") {
		t.Errorf("got %v", err)
	}
}

// A recording may begin anywhere: in the middle of a call, with tasks queued.
func TestRecordingMayBeginAnywhere(t *testing.T) {
	for _, name := range recordings {
		text := textOf(t, name)
		for cut := 1; cut < 1200; cut += 197 {
			r, err := verifyText(t, name, append(text[:1:1], text[cut:]...), same)
			if err != nil {
				t.Fatal(err)
			}
			if r.First != nil {
				t.Errorf("%s without its first %d events: %s", name, cut-1, r.First)
			}
		}
	}
}

// damage drops, swaps and changes some lines of a trace.
func damage(text []string, seed int64) []string {
	rng := rand.New(rand.NewSource(seed))
	damaged := slices.Clone(text)
	for range 20 {
		at, other := 1+rng.Intn(len(text)-1), 1+rng.Intn(len(text)-1)
		switch rng.Intn(3) {
		case 0:
			damaged[at] = ""
		case 1:
			damaged[at], damaged[other] = damaged[other], damaged[at]
		case 2:
			damaged[at] = strings.Replace(damaged[at], "=1", "=9", 1+rng.Intn(4))
		}
	}
	return damaged
}

// Whatever is in a trace, the replay ends and says what does not fit.
func TestDamagedRecordingEnds(t *testing.T) {
	text := textOf(t, "09b-smp-hogs")
	found := 0
	for seed := range int64(30) {
		r, err := verifyText(t, "09b-smp-hogs", damage(text, seed), same)
		if err != nil || r.First != nil {
			found++
		}
	}
	if found < 27 {
		t.Errorf("damage was noticed in %d of 30 traces", found)
	}
}
