package scheduler

import "testing"

// The worked examples of the rules: arithmetic, weights, tunables.

func TestDeltaInVirtualTime(t *testing.T) {
	unknown := uint32(0) // groups: computed from the unscaled weight
	rows := []struct {
		name    string
		weight  uint64
		inverse uint32
		of      [4]uint64 // 1, 1000000, 2800000 and 4000000 ns
	}{
		{"nice -20", 90891264, 48388, [4]uint64{0, 11536, 32302, 46146}},
		{"nice -10", 9777152, 449829, [4]uint64{0, 107247, 300293, 428990}},
		{"nice -5", 3195904, 1376151, [4]uint64{0, 328099, 918679, 1312399}},
		{"nice -1", 1307648, 3363326, [4]uint64{0, 801879, 2245262, 3207517}},
		{"nice 0", 1048576, 4194304, [4]uint64{1, 1000000, 2800000, 4000000}},
		{"nice 1", 839680, 5237765, [4]uint64{1, 1248780, 3496585, 4995121}},
		{"nice 5", 343040, 12820798, [4]uint64{3, 3056716, 8558806, 12226865}},
		{"nice 10", 112640, 39045157, [4]uint64{9, 9309090, 26065454, 37236363}},
		{"nice 15", 36864, 119304647, [4]uint64{28, 28444444, 79644444, 113777777}},
		{"nice 19", 15360, 286331153, [4]uint64{68, 68266666, 191146666, 273066666}},
		{"SCHED_IDLE", 3072, 1431655765, [4]uint64{341, 341333333, 955733333, 1365333333}},
		{"group 1048575", 1048575, unknown, [4]uint64{1, 1000977, 2802737, 4003910}},
		{"group 2048", 2048, unknown, [4]uint64{511, 511999999, 1433599999, 2047999999}},
		{"group 1920", 1920, unknown, [4]uint64{511, 511999999, 1433599999, 2047999999}},
		{"group 524288", 524288, unknown, [4]uint64{1, 1999999, 5599999, 7999999}},
		{"group 2097152", 2097152, unknown, [4]uint64{0, 499999, 1399999, 1999999}},
		{"group 268435456", 268435456, unknown, [4]uint64{0, 3906, 10936, 15624}},
	}
	for _, r := range rows {
		for i, d := range []uint64{1, 1_000_000, 2_800_000, 4_000_000} {
			if got := calcDeltaInverse(d, &entity{weight: r.weight, inverse: r.inverse}); got != r.of[i] {
				t.Errorf("%s: %d ns are %d, want %d", r.name, d, got, r.of[i])
			}
		}
	}
}

func TestInverseOfGroupWeights(t *testing.T) {
	for _, r := range []struct {
		weight uint64
		want   uint32
	}{
		{1048575, 4198404},
		{2048, 2147483647},
		{1920, 2147483647},
		{524288, 8388607},
		{2097152, 2097151},
		{268435456, 16383},
		{1048576, 4194303},
	} {
		if got := inverseOf(r.weight); got != r.want {
			t.Errorf("inverse of %d is %d, want %d", r.weight, got, r.want)
		}
	}
}

// Each nice step is a factor of 1.25, give or take the hand-made rounding, and
// the inverses are 2^32/weight, some rounded down and some to the nearest.
func TestWeightTables(t *testing.T) {
	for i, w := range niceWeight {
		down, near := (uint64(1)<<32)/uint64(w), (uint64(1)<<32+uint64(w)/2)/uint64(w)
		if got := uint64(niceInverse[i]); got != down && got != near {
			t.Errorf("inverse of weight %d is %d, want %d or %d", w, got, down, near)
		}
		if i > 0 && (1000*niceWeight[i-1] < 1170*w || 1000*niceWeight[i-1] > 1310*w) {
			t.Errorf("weights %d and %d are not a factor of 1.25 apart", niceWeight[i-1], w)
		}
	}
	if NiceLoad(0, PolicyNormal) != NiceZeroLoad || NiceLoad(-20, PolicyBatch) != 90891264 || NiceLoad(-20, PolicyIdle) != 3072 {
		t.Error("loads of nice 0, nice -20 and SCHED_IDLE are wrong")
	}
}

func TestScaledDownWeight(t *testing.T) {
	for _, r := range [][2]uint64{{0, 0}, {1, 2}, {2047, 2}, {2048, 2}, {3072, 3}, {15360, 15}, {1048576, 1024}} {
		if got := down(r[0]); got != r[1] {
			t.Errorf("down(%d) = %d, want %d", r[0], got, r[1])
		}
	}
}

func TestCgroupWeight(t *testing.T) {
	for _, r := range []struct{ weight, shares, read uint64 }{
		{1, 10240, 1},
		{2, 20480, 2},
		{10, 104448, 10},
		{50, 524288, 50},
		{99, 1038336, 99},
		{100, 1048576, 100},
		{101, 1058816, 101},
		{1000, 10485760, 1000},
		{10000, 104857600, 10000},
	} {
		if got := SharesOfWeight(r.weight); got != r.shares {
			t.Errorf("cpu.weight %d gives shares %d, want %d", r.weight, got, r.shares)
		}
		if got := WeightOfShares(r.shares); got != r.read {
			t.Errorf("shares %d read back as %d, want %d", r.shares, got, r.read)
		}
	}
}

func TestTickAndBaseSlice(t *testing.T) {
	for hz, want := range map[int]Time{100: 10_000_000, 250: 4_000_000, 300: 3_333_333, 1000: 1_000_000} {
		if got := TickLength(hz); got != want {
			t.Errorf("a tick at %d Hz is %d ns, want %d", hz, got, want)
		}
	}
	for cpus, want := range map[int]uint64{1: 700_000, 2: 1_400_000, 3: 1_400_000, 4: 2_100_000, 6: 2_100_000, 8: 2_800_000, 64: 2_800_000} {
		if got := ScaledBaseSlice(700_000, cpus); got != want {
			t.Errorf("base slice on %d CPUs is %d, want %d", cpus, got, want)
		}
	}
}

func TestDivisionTruncates(t *testing.T) {
	for _, r := range [][3]int64{{7, 2, 3}, {-7, 2, -3}, {-1, 1024, 0}, {-8, 4, -2}, {5, -2, -2}, {5, 1<<32 + 2, 2}} {
		if got := div32(r[0], r[1]); got != r[2] {
			t.Errorf("%d / %d = %d, want %d", r[0], r[1], got, r[2])
		}
	}
}

func TestVirtualTimeWraps(t *testing.T) {
	low, high := Vtime(10), ^Vtime(0)-5
	if !high.Before(low) || low.Before(high) || low.Sub(high) != 16 || high.Add(16) != low || minVtime(low, high) != high {
		t.Error("comparisons across 2^64 are wrong")
	}
}
