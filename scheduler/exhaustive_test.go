package scheduler

import (
	flags "flag"
	"testing"
)

var exhaustive = flags.Bool("exhaustive", false, "try every small case with every feature and longer words; takes long")

// smallCase is three tasks on one queue: the first is ordinary, the others have
// every slice and nice value of a few.
type smallCase struct {
	cfg    Config
	slices [3]int64
	nices  [3]int64
}

// smallFeatures are switched one at a time.
var smallFeatures = []Feature{
	RunToParity, PreemptShort, DelayDequeue, DelayZero, PlaceLag, PlaceDeadlineInitial, WakeupPreemption,
	NextBuddy, RunToParityWakeup, EnforceEligibility, LagClamp, RespectSlice, SchedQuanta,
}

// shortStep: the short form takes one small case of a kernel out of so many.
const shortStep = 8

// eachSmallCase calls do with all of them, on every kernel. In the short form a
// kernel has every eighth, with the defaults or one feature switched, in turn.
func eachSmallCase(do func(smallCase)) {
	slices, nices := []int64{0, 500_000, 10_000_000}, []int64{0, 5, -5}
	n := 0
	for age, p := range Profiles() {
		for b := range 9 {
			for c := range 9 {
				if (age+9*b+c)%shortStep != 0 && !*exhaustive {
					continue
				}
				k := smallCase{
					cfg:    Config{Kernel: p, CPUs: 1, HZ: 1000, BaseSlice: 2_800_000, NBase: p.NBase, MigrationCost: 500_000, Features: p.Defaults(), Aug: AugIdeal},
					slices: [3]int64{0, slices[b%3], slices[c%3]},
					nices:  [3]int64{0, nices[b/3], nices[c/3]},
				}
				for i, f := range append([]Feature{Feature(NumFeatures)}, smallFeatures...) {
					if *exhaustive || i == n%(len(smallFeatures)+1) {
						x := k
						if i > 0 && p.Knows(f) {
							x.cfg.Features = k.cfg.Features.With(f, !k.cfg.Features.Has(f))
						}
						do(x)
					}
				}
				n++
			}
		}
	}
}

// smallOps is the alphabet: every word of a few letters is tried.
var smallOps = [][]scriptOp{
	{makeOp('A', 1_000_000), makeOp('T', 0), makeOp('S', 0, 0, 0)},
	{makeOp('A', 300_001), makeOp('S', 0, 1, 0)},
	{makeOp('A', 3_000_000), makeOp('T', 0)},
	{makeOp('W', 0), makeOp('S', 0, 0, 0)},
	{makeOp('W', 1)},
	{makeOp('W', 2), makeOp('S', 0, 0, 0)},
	{makeOp('Y', 0)},
	{makeOp('N', 1, 10)},
}

func TestEverySmallCase(t *testing.T) {
	length := 3
	if *exhaustive {
		length = 4
	}
	words := 1
	for range length {
		words *= len(smallOps)
	}
	eachSmallCase(func(k smallCase) {
		for word := range words {
			r := newRig(k.cfg, true)
			r.audit = nil
			ops := []scriptOp{makeOp('A', 2_000_000)}
			for i := range k.slices {
				ops = append(ops, makeOp('F', 0, 0, k.nices[i], 0, k.slices[i]))
			}
			ops = append(ops, makeOp('S', 0, 0, 0))
			for x, i := word, 0; i < length; i, x = i+1, x/len(smallOps) {
				ops = append(ops, smallOps[x%len(smallOps)]...)
			}
			for _, o := range ops {
				if err := r.do(o); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
