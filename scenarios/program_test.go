package scenarios_test

import (
	"testing"

	"zerolag/scenarios"
)

// holds parses a scenario and evaluates its expectations.
func holds(t *testing.T, text string) {
	t.Helper()
	s := parse(t, text)
	for _, run := range s.Runs() {
		_, verdicts, err := s.Test(run, s.Workload)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range verdicts {
			if !v.Held {
				t.Errorf("%s %s: %v", run.Options.Variant, v.Expectation.Source(), v.Compared)
			}
		}
	}
}

// TestTimersKeepTheirPeriod: the wakeups stand on multiples of the period since the
// start, however long the work takes; a late one is made up for.
func TestTimersKeepTheirPeriod(t *testing.T) {
	holds(t, `
until: 41ms
tasks: [{name: a, at: 0.5ms, does: "timer 4ms, run 1ms, repeat"}]
variants:
  late:
    tasks: {a: {does: "timer 4ms, run 5ms, repeat"}}
    expect: [a.wakeups == 1, a.ran == 35.5ms]
expect:
  - a.wakeups == 10
  - "at 4.5ms #0: event == wakeup && subject == a"
  - "at 40.5ms #0: event == wakeup && subject == a"
`)
}

// TestObjectsLetTasksWait: a mutex keeps others out, a barrier holds until all are
// there, messages arrive.
func TestObjectsLetTasksWait(t *testing.T) {
	holds(t, `
cpus: 2
until: 20ms
balance: off
tasks:
  - {name: a, cpus: "0", does: "lock m, run 3ms, unlock m, sleep 100ms"}
  - {name: b, cpus: "1", at: 1ms, does: "lock m, run 1ms, unlock m, sleep 100ms"}
expect:
  - "at 2ms: b.state == sleeping"
  - "at 3ms: b.on_rq"
  - b.wakeups == 1 && b.ran == 1ms
`)
	holds(t, `
until: 20ms
tasks:
  - {name: a, does: "run 1ms, barrier gate 3, run 1ms, sleep 100ms"}
  - {name: b, does: "run 2ms, barrier gate 3, run 1ms, sleep 100ms"}
  - {name: c, does: "run 3ms, barrier gate 3, run 1ms, sleep 100ms"}
expect:
  - "at 5.5ms: a.state == sleeping && b.state == sleeping"
  - "never: now > 9ms && queued > 0"
  - a.ran == 2ms && b.ran == 3ms && c.ran == 4ms
`)
	holds(t, `
until: 20ms
tasks:
  - {name: reader, does: "receive q, run 1ms, repeat"}
  - {name: source, does: "timer 2ms, run 0.1ms, send_sync q, repeat"}
expect:
  - reader.wakeups == 9 && reader.ran == 8.9ms || reader.ran == 9ms
`)
}

// TestRandomTimesComeFromTheSeed: within their bounds, the same each time, others
// with another seed or for another task.
func TestRandomTimesComeFromTheSeed(t *testing.T) {
	text := func(seed string) string {
		return "seed: " + seed + `
until: 1s
tasks: [{name: a, count: 2, does: "run uniform 1ms 3ms, sleep exponential 2ms max 5ms, repeat"}]
variants: {again: {}}
expect:
  - a1.ran != a2.ran
  - again.a1.ran == a1.ran && again.a2.ran == a2.ran
  - a1.ran > a1.voluntary * 1ms && a1.ran < (a1.voluntary + 1) * 3ms
  - a1.ran within 15% of a1.voluntary * 2ms
`
	}
	hashes := map[string]bool{}
	for _, seed := range []string{"1", "2"} {
		holds(t, text(seed))
		hashes[scenarios.Hash(build(t, parse(t, text(seed)), scenarios.Options{}))] = true
	}
	if len(hashes) != 2 {
		t.Error("two seeds are one run")
	}
}
