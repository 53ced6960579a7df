package scheduler

// profiles are the kernel versions, oldest first.
var profiles = []*Profile{
	{
		Name: "6.6", Release: "6.6", Summary: "first EEVDF: tree by vruntime, a new weight leaves vruntime",
		NBase: 750_000, ZeroName: "min_vruntime", NrName: "nr_running", rules: &rules66,
		Features:  defaultsOf(kernelFeatures, column66),
		Proposals: defaultsOf(proposedFeatures, column66),
		Inferred: []string{
			"the slice timer starts anew after every pick (read, not run)",
			inferredNotRun,
			"defaults of UTIL_EST_FASTUP and HZ_BW, and part of the list of features (from memory)",
			inferredOldSlices,
			inferredRelease,
			inferredLimits,
		},
	},
	{
		Name: "6.7", Release: "6.7", Summary: "as 6.6, but a new weight keeps the weighted distance to V",
		NBase: 750_000, ZeroName: "min_vruntime", NrName: "nr_running", rules: &rules67,
		Features:  defaultsOf(kernelFeatures, column67),
		Proposals: defaultsOf(proposedFeatures, column67),
		Inferred: []string{
			"the slice timer starts anew after every pick (read, not run)",
			inferredNotRun,
			"the list of features between 6.6 and 6.8 (from memory)",
			inferredOldSlices,
			inferredRelease,
			inferredLimits,
		},
	},
	{
		Name: "6.8", Release: "6.8", Summary: "tree by deadline; base of the 2024 proposals; reweight without bound",
		NBase: 750_000, ZeroName: "min_vruntime", NrName: "nr_running", rules: &rules68,
		Features:  defaultsOf(kernelFeatures, column68),
		Proposals: defaultsOf(proposedFeatures, column68),
		Inferred: []string{
			"the slice timer starts anew after every pick (read, not run)",
			inferredNotRun,
			"default of HZ_BW, and part of the list of features (from memory)",
			inferredOldSlices,
			inferredRelease,
			inferredLimits,
		},
	},
	{
		Name: "6.9", Release: "6.9", Summary: "as 6.8, but a new weight bounds the lag; right for 6.10 and 6.11 too, almost",
		NBase: 750_000, ZeroName: "min_vruntime", NrName: "nr_running", rules: &rules69,
		Features:  defaultsOf(kernelFeatures, column69),
		Proposals: defaultsOf(proposedFeatures, column69),
		Inferred: []string{
			"the slice timer starts anew after every pick (read, not run)",
			inferredNotRun,
			"default of HZ_BW, and part of the list of features (from memory)",
			inferredOldSlices,
			inferredRelease,
			inferredLimits,
		},
	},
	{
		Name: "6.12", Release: "6.12.0", Summary: "first with delayed dequeue, custom slices and PREEMPT_SHORT",
		NBase: 750_000, ZeroName: "min_vruntime", NrName: "nr_running", rules: &rules612,
		Features:  defaultsOf(kernelFeatures, column612),
		Proposals: defaultsOf(proposedFeatures, column612),
		Inferred: []string{
			"HZ_BW is gone (inferred)",
			inferredNotRun,
			inferredSlices,
			inferredRelease,
			inferredLimits,
		},
	},
	{
		Name: "6.12.y", Release: "6.12.117", Summary: "late 6.12 stable, what distributions run",
		NBase: 700_000, ZeroName: "zero_vruntime", NrName: "nr_running", rules: &rules612y,
		Features:  defaultsOf(kernelFeatures, column612y),
		Proposals: defaultsOf(proposedFeatures, column612y),
		Inferred: []string{
			inferredNotRun,
			inferredSlices,
			inferredLimits,
		},
	},
	{
		Name: "6.17", Release: "6.17", Summary: "first protected slice (vprot), stored in vlag; a new weight places again",
		NBase: 700_000, ZeroName: "min_vruntime", NrName: "nr_queued", HasVprot: true, rules: &rules617,
		Features:  defaultsOf(kernelFeatures, column617),
		Proposals: defaultsOf(proposedFeatures, column617),
		Inferred: []string{
			inferredLazy,
			inferredSlices,
			inferredTimer,
			inferredBalance,
			inferredLimits,
		},
	},
	{
		Name: "6.19", Release: "6.19", Summary: "zero_vruntime, NEXT_BUDDY in the new form, yield forfeits",
		NBase: 700_000, ZeroName: "zero_vruntime", NrName: "nr_queued", HasVprot: true, rules: &rules619,
		Features:  defaultsOf(kernelFeatures, column619),
		Proposals: defaultsOf(proposedFeatures, column619),
		Inferred: []string{
			"the whole profile is read, not run: no vectors of it exist",
			"the wakeup check is that of 7.0 (read)",
			inferredSlices,
			inferredLazy,
			inferredTimer,
			inferredBalance,
			inferredThrottle,
		},
	},
	{
		Name: "7.0", Release: "7.0", Summary: "vprot of its own, lag bounded by the longest slice",
		NBase: 700_000, ZeroName: "zero_vruntime", NrName: "nr_queued", HasVprot: true, rules: &rules70,
		Features:  defaultsOf(kernelFeatures, column70),
		Proposals: defaultsOf(proposedFeatures, column70),
		Inferred: []string{
			"run as a composite of the functions of 7.2 and of older texts, not as its own source",
			"a new tree node keeps its old largest slice (inferred)",
			inferredSlices,
			inferredLazy,
			inferredTimer,
			inferredBalance,
			inferredThrottle,
		},
	},
	{
		Name: "7.1", Release: "7.1", Summary: "full weights, lag of a delayed entity only grows, reweight keeps the lag",
		NBase: 700_000, ZeroName: "zero_vruntime", NrName: "nr_queued", HasVprot: true, rules: &rules71,
		Features:  defaultsOf(kernelFeatures, column71),
		Proposals: defaultsOf(proposedFeatures, column71),
		Inferred: []string{
			"run as the functions of 7.2 with the switch of 6.17, not as its own source",
			"a new tree node keeps its old largest slice; NI_RATE is on (inferred)",
			inferredSlices,
			inferredLazy,
			inferredTimer,
			inferredBalance,
			inferredThrottle,
		},
	},
	{
		Name: "7.2", Release: "7.2", Summary: "current: protected slice, lag bounded by the longest slice, full weights",
		NBase: 700_000, ZeroName: "zero_vruntime", NrName: "nr_queued", HasVprot: true, rules: &rules72,
		Features:  defaultsOf(kernelFeatures, column72),
		Proposals: defaultsOf(proposedFeatures, column72),
		Inferred: []string{
			"a new task's largest slice in the tree starts at 0 (in the kernel it is its parent's)",
			"NI_RATE is on (inferred)",
			inferredSlices,
			inferredLazy,
			inferredTimer,
			"the order of rotations and callbacks in the tree (from memory)",
			inferredBalance,
			inferredThrottle,
		},
	},
}

// Remarks that several profiles share.
const (
	inferredRelease   = "that no later commit of the release touches the rules (from memory)"
	inferredOldSlices = "custom slices are those of the 2024 proposals: the released kernel has none"
	inferredNotRun    = "values of the slice timer, yield_to, a base slice that changes during a run (read, not run); that the timer is never shorter than 10 us (from memory)"
	inferredSlices    = "RESPECT_SLICE and SCHED_QUANTA are adapted from 6.8 (inferred)"
	inferredLazy      = "lazy preemption flag (written from the text, not run)"
	inferredTimer     = "values of the slice timer (read, not run); that up to 7.0 it is never shorter than 10 us (from memory)"
	inferredBalance   = "load averages, the choice of a CPU and balancing between CPUs as in 6.12.y; what balancing counts and pulls changed in 6.14 (inferred)"
	inferredLimits    = "cpu.max (read, not run)"
	inferredThrottle  = "cpu.max throttles a queue when its task is put or picked, as up to 6.17; from 6.18 on the kernel throttles the task as it returns to user mode (inferred), which is not modelled"
)
