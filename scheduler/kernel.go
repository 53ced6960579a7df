package scheduler

import "slices"

// FeatureDefault is a feature of a profile with its default.
type FeatureDefault struct {
	Feature Feature
	On      bool
}

// Profile is one kernel version: its features, its names and, in rules, the
// behaviour that no feature covers.
type Profile struct {
	// Name is what users type: "7.2".
	Name string
	// Release is the exact release described.
	Release string
	// Summary is what the profile means, in one line.
	Summary string
	// NBase is the normalised base slice, ns.
	NBase uint64
	// Features in the order in which the kernel's features file prints them.
	Features []FeatureDefault
	// Proposals that can be switched on top of this profile.
	Proposals []FeatureDefault
	// ZeroName and NrName are the kernel's names of FairQueue.Zero and Nr.
	ZeroName, NrName string
	// HasVprot: the protected slice has its own end (6.17+); else it is the
	// whole request, marked by vlag == deadline.
	HasVprot bool
	// Inferred lists the rules of this profile that nobody has run or read in
	// that version's source, one a line.
	Inferred []string

	rules *rules
}

// ByVruntime tells that the tree of a queue is ordered by vruntime and stores the
// smallest deadline of each subtree; else it is the other way round.
func (p *Profile) ByVruntime() bool { return p.rules.byVruntime }

// KeepsMinSlice tells that the tree stores the smallest slice of each subtree.
func (p *Profile) KeepsMinSlice() bool { return p.rules.keepsMinSlice }

// KeepsMaxSlice tells that the tree stores the largest slice of each subtree.
func (p *Profile) KeepsMaxSlice() bool { return p.rules.keepsMaxSlice }

// Profiles lists the kernel versions, oldest first.
func Profiles() []*Profile { return slices.Clone(profiles) }

// ProfileByName finds a profile by Name.
func ProfileByName(name string) (*Profile, bool) {
	for _, p := range profiles {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Defaults is the set of features that are on by default.
func (p *Profile) Defaults() Features {
	var s Features
	for _, list := range [][]FeatureDefault{p.Features, p.Proposals} {
		for _, d := range list {
			s = s.With(d.Feature, d.On)
		}
	}
	return s
}

// Knows tells whether the profile has the feature, as its own or as a proposal.
func (p *Profile) Knows(f Feature) bool {
	for _, list := range [][]FeatureDefault{p.Features, p.Proposals} {
		for _, d := range list {
			if d.Feature == f {
				return true
			}
		}
	}
	return false
}
