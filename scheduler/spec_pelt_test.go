package scheduler

import (
	"fmt"
	"testing"
)

// The worked examples of load tracking.

func TestDecay(t *testing.T) {
	for _, r := range [][3]uint64{
		{47742, 1, 46718},
		{47742, 31, 24393},
		{47742, 32, 23870},
		{47742, 33, 23359},
		{47742, 64, 11934},
		{47742, 2016, 0},
		{47742, 2017, 0},
		{1024, 1, 1002},
		{1000000, 100, 114625},
		{1, 32, 0},
		{1 << 40, 64, 274877906880},
	} {
		if got := decayLoad(r[0], r[1]); got != r[2] {
			t.Errorf("%d after %d periods is %d, want %d", r[0], r[1], got, r[2])
		}
	}
}

// TestLoadTrace follows one average over runs and a sleep.
func TestLoadTrace(t *testing.T) {
	a := average{last: 1_000_000}
	now := uint64(1_000_000)
	for _, r := range []struct {
		ns   uint64
		runs bool
		want string
	}{
		{500, true, "false 1000000 0 0 0 0 0 0 0"},
		{600_000, true, "false 1600064 586 586 600064 600064 0 0 0"},
		{500_000, true, "true 2099776 50 1051 1076677 1076677 23 23 23"},
		{4_000_000, true, "true 6099520 884 4760 4875560 4875560 102 102 102"},
		{100_000_000, true, "true 106100288 237 41599 42598564 42598564 907 907 907"},
		{10_000_000, false, "true 116099648 786 34230 35053410 35053410 737 737 737"},
	} {
		now += r.ns
		rolled := advanceOne(&a, now, r.runs)
		got := fmt.Sprint(rolled, a.last, a.contrib, a.loadSum, a.runnableSum, a.utilSum, a.load, a.runnable, a.util)
		if got != r.want {
			t.Errorf("after %d ns, running %t:\n got  %s\n want %s", r.ns, r.runs, got, r.want)
		}
	}
}

// advanceOne ages the average of a nice-0 task that runs, or sleeps.
func advanceOne(a *average, now uint64, runs bool) bool {
	load := uint64(bit(runs))
	rolled := a.advance(now, load, load, runs)
	if rolled {
		a.average(1024)
	}
	return rolled
}

// sums and averages of one average, in the order load, runnable, util.
func sums(a *average) string {
	return fmt.Sprintf("%d/%d/%d %d/%d/%d", a.loadSum, a.runnableSum, a.utilSum, a.load, a.runnable, a.util)
}

// TestLoadOfARunner is a task that starts with nothing and is updated each ms;
// then it sleeps, and one update comes after a while.
func TestLoadOfARunner(t *testing.T) {
	const start = 1 << 20
	want := map[int]string{
		1:    "976/999424/999424 0/0/0",
		2:    "1930/1976408/1976408 41/41/41",
		3:    "2861/2930409/2930409 61/61/61",
		4:    "3772/3863968/3863968 81/81/81",
		5:    "4662/4775475/4775475 100/100/100",
		32:   "22851/23410391/23410391 495/495/495",
		64:   "34287/35128087/35128087 750/751/751",
		256:  "46627/47769919/47769919 1018/1019/1019",
		4000: "47432/48593422/48593422 1024/1024/1024",
	}
	a := average{last: start}
	now := uint64(start)
	for k := 1; k <= 4000; k++ {
		now += 1_000_000
		advanceOne(&a, now, true)
		if text, ok := want[k]; ok && sums(&a) != text {
			t.Errorf("after %d ms: got %s, want %s", k, sums(&a), text)
		}
	}
	for _, r := range []struct {
		ns   uint64
		want string
	}{
		{10_000_000, "38194 832/833/833"},
		{33_554_432, "23715 511/512/512"},
		{100_000_000, "5928 129/129/129"},
	} {
		b := a
		advanceOne(&b, now+r.ns, false)
		if got := fmt.Sprintf("%d %d/%d/%d", b.loadSum, b.load, b.runnable, b.util); got != r.want {
			t.Errorf("asleep for %d ns: got %s, want %s", r.ns, got, r.want)
		}
	}
}

// TestUtilizationOfHalfATask runs 10 ms of 20 and is updated at the edges only.
func TestUtilizationOfHalfATask(t *testing.T) {
	want := map[int][2]uint64{1: {191, 155}, 2: {317, 258}, 3: {401, 326}, 10: {555, 451}, 50: {564, 459}}
	now := uint64(1 << 20)
	a := average{last: now}
	for cycle := 1; cycle <= 50; cycle++ {
		now += 10_000_000
		advanceOne(&a, now, true)
		on := a.util
		now += 10_000_000
		advanceOne(&a, now, false)
		if w, ok := want[cycle]; ok && (on != w[0] || a.util != w[1]) {
			t.Errorf("cycle %d: %d running, %d asleep, want %d and %d", cycle, on, a.util, w[0], w[1])
		}
	}
}

// TestNewTasksShareUtilization: each new task gets half of what is left.
func TestNewTasksShareUtilization(t *testing.T) {
	m := NewMachine(interactive(named("6.12.y"), 1).Config)
	m.SetClock(0, Second, Second)
	queue := []uint64{512, 768, 896, 960, 992, 1008, 1016, 1020}
	for i, want := range []uint64{512, 256, 128, 64, 32, 16, 8, 4} {
		task := m.NewTask("t", 0, RootGroup, 0, PolicyNormal, 0)
		m.Fork(task, 0)
		if e := m.ent(m.tasks[task].entity); e.avg.util != want || m.queues[0].avg.util != queue[i] {
			t.Errorf("task %d: util %d of %d, want %d of %d", i, e.avg.util, m.queues[0].avg.util, want, queue[i])
		}
	}
}

// TestLoadSumIsCutTo32Bits: up to 6.19 a subtraction cuts a queue's 64-bit load
// sum to 32 bits; later it does not.
func TestLoadSumIsCutTo32Bits(t *testing.T) {
	for _, r := range []struct {
		profile *Profile
		want    uint64
	}{
		{named("6.12.y"), 3998505500},
		{named("7.2"), 3998505500 + 1<<32},
	} {
		m := NewMachine(interactive(r.profile, 1).Config)
		q := m.rootQueue(0)
		q.avg.loadSum, q.avg.load = 8294173566, 2*88761+15
		light := &entity{weight: 15 << fixedShift}
		light.avg.loadSum, light.avg.load = (8294173566-3998505500-1<<32)/15, 15
		m.subLoad(q, light)
		if q.avg.loadSum != r.want {
			t.Errorf("%s: load sum %d, want %d", r.profile.Name, q.avg.loadSum, r.want)
		}
	}
}
