package recording

import (
	"testing"
)

func load(t *testing.T, name string) *Recording {
	t.Helper()
	rec, err := Load("testdata/" + name + "/trace.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestTwoPlayersDoNotDisturbEachOther(t *testing.T) {
	rec := load(t, "09b-smp-hogs")
	a, b := rec.Player(), rec.Player()
	for range 100 {
		a.Step()
	}
	for b.Step() {
	}
	for a.Step() {
	}
	if ra, rb := a.Result(), b.Result(); ra != rb || ra.Differences != 0 {
		t.Errorf("got\n%+v\n%+v", ra, rb)
	}
}

// A read of sched/debug without the lock races with whoever uses the queue
// meanwhile, and is then not judged.
func TestUnlockedReadIsNotJudgedWhenRaced(t *testing.T) {
	rec := load(t, "09b-smp-hogs")
	reads, races := 0, 0
	for _, n := range rec.ops {
		if n.unlocked() {
			reads++
			if n.raced {
				races++
			}
		}
	}
	if reads == 0 || races > reads/10 {
		t.Errorf("got %d races in %d unlocked reads", races, reads)
	}
}
