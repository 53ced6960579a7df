package scheduler

import (
	"testing"

	"pgregory.net/rapid"
)

// dice draws the choices of a random script: from bytes, until none are left, or
// from a rapid test, which can then shrink them.
type dice struct {
	data  []byte
	rapid *rapid.T
}

func (d *dice) more() bool { return len(d.data) > 0 }

// upTo is a number from 0 to n-1.
func (d *dice) upTo(n int) int64 {
	if d.rapid != nil {
		return rapid.Int64Range(0, int64(n)-1).Draw(d.rapid, "choice")
	}
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	if n > 256 && len(d.data) > 0 {
		c := d.data[0]
		d.data = d.data[1:]
		return (int64(b)<<8 | int64(c)) % int64(n)
	}
	return int64(b) % int64(n)
}

// The values that scripts draw from: round ones that make ties, odd ones that
// make remainders.
var (
	diceTimes  = []int64{0, 1, 1000, 100_000, 333_333, 700_000, 1_000_000, 1_000_001, 2_800_000, 4_000_000, 12_345_678, 50_000_000}
	diceSlices = []int64{0, 0, 100_000, 300_000, 700_000, 2_800_000, 5_000_001, 10_000_000, 40_000_000}
	diceNices  = []int64{0, 0, 0, 5, -5, 1, -1, 10, -10, 19, -20}
	diceShares = []int64{2048, 15360, 524288, 1048576, 1048575, 2097152, 268435456}
	policies   = []Policy{PolicyNormal, PolicyNormal, PolicyNormal, PolicyBatch, PolicyIdle}
)

func pickOne[T any](d *dice, from []T) T { return from[d.upTo(len(from))] }

// config draws a machine. flat machines have one CPU and true slice summaries.
func (d *dice) config(flat bool) Config {
	cfg := Config{
		Kernel: pickOne(d, Profiles()), CPUs: 1, HZ: int(pickOne(d, []int64{1000, 250, 100})),
		BaseSlice: uint64(pickOne(d, []int64{2_800_000, 700_000, 3_000_000})), NBase: 700_000, MigrationCost: uint64(pickOne(d, []int64{500_000, 0})),
		Aug: AugIdeal,
	}
	if !flat {
		cfg.CPUs, cfg.Aug = int(1+d.upTo(3)), AugMode(d.upTo(2))
	}
	cfg.Features = cfg.Kernel.Defaults()
	for range d.upTo(6) {
		if f := Feature(d.upTo(NumFeatures)); cfg.Kernel.Knows(f) && scripted(f) {
			cfg.Features = cfg.Features.With(f, !cfg.Features.Has(f))
		}
	}
	return cfg
}

// scripted tells whether random scripts switch a feature: HRTICK only arms a
// timer that nobody serves here, and PARANOID_AVG changes the weights of sums.
func scripted(f Feature) bool { return f != Hrtick && f != ParanoidAvg }

// op draws one operation.
func (d *dice) op(cfg Config, groups, tasks int) scriptOp {
	cpu := d.upTo(cfg.CPUs)
	task := d.upTo(max(1, tasks))
	group := d.upTo(groups)
	switch d.upTo(24) {
	case 0, 1:
		return makeOp('F', cpu, group, pickOne(d, diceNices), int64(pickOne(d, policies)), pickOne(d, diceSlices))
	case 2, 3:
		return makeOp('S', cpu, 1, 0)
	case 4:
		return makeOp('S', cpu, 1, int64(d.upTo(8)/7))
	case 5, 6, 7:
		return makeOp('S', cpu, 0, 0)
	case 8, 9, 10:
		return makeOp('W', task)
	case 11:
		return makeOp('V', task, 1, 0)
	case 12, 13, 14:
		return makeOp('T', cpu)
	case 15:
		return makeOp(pickOne(d, []byte("QYY")), cpu)
	case 16:
		return makeOp('B', cpu, task)
	case 17:
		return makeOp('N', task, pickOne(d, diceNices))
	case 18:
		return makeOp('L', task, pickOne(d, diceSlices))
	case 19:
		return makeOp('P', task, int64(pickOne(d, policies)), pickOne(d, diceNices))
	case 20:
		return d.groupOp(cfg, group, task)
	}
	return makeOp('A', pickOne(d, diceTimes)+d.upTo(3))
}

func (d *dice) groupOp(cfg Config, group, task int64) scriptOp {
	switch d.upTo(6) {
	case 0:
		return makeOp('G', group, d.upTo(4)/3)
	case 1:
		return makeOp('X', task, group)
	case 2:
		return makeOp('M', task, d.upTo(cfg.CPUs))
	case 3:
		if group > 0 {
			return makeOp('H', group, pickOne(d, diceShares))
		}
	case 4:
		if group > 0 {
			return makeOp('I', group, d.upTo(2))
		}
	}
	return makeOp('T', d.upTo(cfg.CPUs))
}

// flatOnly drops what a machine of one queue cannot do.
func flatOnly(o scriptOp) bool {
	switch o.letter {
	case 'G', 'X', 'M', 'H', 'I':
		return false
	}
	return true
}

// runFlat runs bytes on a machine of one queue beside the second opinion.
func runFlat(data []byte) error {
	d := &dice{data: data}
	cfg := d.config(true)
	r := newRig(cfg, true)
	if err := r.do(makeOp('A', 2_000_000)); err != nil {
		return err
	}
	for d.more() {
		o := d.op(cfg, 1, len(r.m.tasks))
		if !flatOnly(o) {
			continue
		}
		if err := r.do(o); err != nil || r.wrapped {
			return err
		}
	}
	return nil
}

// runGrouped runs bytes on a machine with groups and CPUs; invariants and audit
// hold after each operation.
func runGrouped(data []byte) error {
	d := &dice{data: data}
	cfg := d.config(false)
	r := newRig(cfg, false)
	if err := r.do(makeOp('A', 2_000_000)); err != nil {
		return err
	}
	for d.more() {
		if err := r.do(d.op(cfg, len(r.m.groups), len(r.m.tasks))); err != nil || r.lostBits() {
			return err
		}
	}
	return nil
}

// repeat lets rapid drive a machine operation by operation.
func repeat(t *rapid.T, flat bool) {
	d := &dice{rapid: t}
	cfg := d.config(flat)
	r := newRig(cfg, flat)
	t.Repeat(map[string]func(*rapid.T){
		"operation": func(t *rapid.T) {
			d.rapid = t
			o := d.op(cfg, len(r.m.groups), len(r.m.tasks))
			if flat && !flatOnly(o) || r.wrapped || !r.legal(o) {
				t.Skip("not here, or not now")
			}
			if err := r.do(o); err != nil {
				t.Fatal(err)
			}
		},
	})
}

func TestSecondOpinionAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { repeat(t, true) })
	for seed := range uint32(300) {
		if err := runFlat(noise(seed, 1200)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGroupsKeepInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { repeat(t, false) })
	for seed := range uint32(40) {
		if err := runGrouped(noise(seed, 800)); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzMachine runs arbitrary bytes as operations, on one queue beside the second
// opinion, and on groups and CPUs.
func FuzzMachine(f *testing.F) {
	for seed := range uint32(8) {
		f.Add(noise(seed+1000, 300))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := runFlat(data); err != nil {
			t.Fatal(err)
		}
		if err := runGrouped(data); err != nil {
			t.Fatal(err)
		}
	})
}

// named is the profile of that name, which exists.
func named(name string) *Profile {
	p, ok := ProfileByName(name)
	if !ok {
		panic("no profile " + name)
	}
	return p
}
