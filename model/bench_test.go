package model

import (
	"testing"

	"zerolag/scheduler"
)

// million events of ten tasks on one CPU, with the cursor at the end.
func longRun(b *testing.B) *Run {
	b.Helper()
	w := nginx(b, "7.2")
	w.Until = 0
	for i := range 8 {
		name := string(rune('a' + i))
		d := scheduler.Time(i)
		w.Tasks = append(w.Tasks, scheduler.TaskSpec{
			Name: name, Nice: i - 4, Arrive: d * 130 * us, Program: forever(run(300*us+d*170*us), sleep(2*ms+d*700*us)),
		})
	}
	r := Open(w)
	r.Extend(million)
	r.Seek(r.Known() - 1)
	return r
}

// BenchmarkExtend is the cost of one event with all that is kept of it.
func BenchmarkExtend(b *testing.B) {
	w := longRun(b).w
	r := Open(w)
	b.ReportAllocs()
	b.ResetTimer()
	r.Extend(b.N)
}

// BenchmarkJump goes to a random event of a million and looks at it.
func BenchmarkJump(b *testing.B) {
	r := longRun(b)
	x := uint32(1)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		x = x*1664525 + 1013904223
		r.Seek(int(x>>8) % million)
		r.Frame()
		r.Before()
	}
}

// BenchmarkLongestJump goes to the last event before a checkpoint.
func BenchmarkLongestJump(b *testing.B) {
	r := longRun(b)
	b.ResetTimer()
	for i := range b.N {
		r.Seek(((i*37)%(million/r.b.spacing-1) + 1) * r.b.spacing)
		r.Frame()
	}
}

// BenchmarkStepBack goes back one event and looks at it.
func BenchmarkStepBack(b *testing.B) {
	r := longRun(b)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if !r.Step(-1) {
			r.Seek(r.Known() - 1)
		}
		r.Frame()
		r.Before()
	}
}

// BenchmarkUntil is the cost of looking at one event.
func BenchmarkUntil(b *testing.B) {
	r := longRun(b)
	r.Seek(0)
	cond := condition(b, r, "nginx.waiting > 1s && V < V@prev")
	b.ReportAllocs()
	b.ResetTimer()
	for n := b.N; n > 0; n -= million {
		r.Until(cond, 1, min(n, million))
	}
}

// BenchmarkFlips asks for the flips of one event.
func BenchmarkFlips(b *testing.B) {
	r := longRun(b)
	b.ResetTimer()
	for i := range b.N {
		r.Seek(million/2 + i%1000)
		r.Flips()
	}
}

// BenchmarkStats counts a million events from the start.
func BenchmarkStats(b *testing.B) {
	r := longRun(b)
	b.ResetTimer()
	for range b.N {
		r.counter = nil
		r.Stats()
	}
}
