package scheduler

// Upcoming is a kernel without a profile: what is known to differ from the newest
// profile, and what would have to be known to run it (SPEC-7x section 13).
type Upcoming struct {
	Version           string
	Differs, Unstated []string
}

// Tip is the development tree after the newest profile.
func Tip() Upcoming {
	return Upcoming{
		Version: tip,
		Differs: []string{
			"one queue per CPU holds the tasks of all groups; group entities keep load and averages, but have no vruntime",
			"a task competes with a hierarchical weight: the product of the shares of load from its group up to the root",
			"a new weight moves a task as in 7.2, but by its hierarchical weight, and that of the running task only when it is touched",
			"cgroup_mode chooses how a group's shares are split between CPUs: up, smp, concur (default), max, tasks",
			"a slice is protected until the first vruntime that is not eligible, if a shorter one waits and PREEMPT_SHORT is on",
			"after a wakeup check protection is shortened from the smaller of vruntime and V, also if a reschedule is pending already",
			"a wakee with a shorter slice preempts if it is eligible, and becomes the next buddy; every preemption by a wakeup ends protection",
			"the largest and smallest slices that the tree holds are right: the key aug: ideal in a scenario",
		},
		Unstated: []string{
			"when the hierarchical weights of queued tasks change as others of their groups come and go",
			"in which order a tick or a pick charges, ages and reweights the running task",
			"whether shortening protection moves zero_vruntime, on which the last digit depends",
			"whether an idle runner's giving way makes the wakee the next buddy",
			"its features and their defaults; no vectors or recordings of it exist",
		},
	}
}
