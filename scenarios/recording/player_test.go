package recording

import (
	"reflect"
	"testing"

	"zerolag/scheduler"
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

// A simulation that plays the tape comes to the same state as the replay that
// made it, also where the trace is damaged.
func TestTapePlaysWhatWasReplayed(t *testing.T) {
	files := []string{}
	for _, name := range recordings {
		files = append(files, "testdata/"+name+"/trace.txt.gz")
	}
	for seed := range int64(20) {
		files = append(files, writeTrace(t, "09b-smp-hogs", damage(textOf(t, "09b-smp-hogs"), seed), same))
	}
	for _, file := range files {
		rec, err := Load(file)
		if err != nil {
			continue // damaged beyond reading
		}
		p := rec.Player()
		for p.Step() {
		}
		w, _ := rec.Workload()
		sim := scheduler.NewSim(w)
		differs := 0
		for {
			e, ok := sim.Step(nil)
			if !ok {
				break
			}
			differs += e.Recorded.Differs
		}
		var played, replayed scheduler.Frame
		sim.Frame(&played)
		p.r.Machine().Frame(&replayed)
		replayed.Now, replayed.Event = played.Now, played.Event
		if !reflect.DeepEqual(played, replayed) {
			t.Errorf("%s: the tape ends in another state", file)
		}
		if r := p.Result(); differs > r.Differences || r.Differences > 0 && differs == 0 {
			t.Errorf("%s: %d differences, %d on the tape", file, r.Differences, differs)
		}
	}
}
