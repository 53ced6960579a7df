package scheduler

import (
	"strings"
	"testing"
)

// TestNearestProfile: every version is answered, and says what differs unless it
// is the one described.
func TestNearestProfile(t *testing.T) {
	for _, c := range []struct {
		text, profile string
		exact         bool
		note          string
	}{
		{"5.10", "6.6", false, "EEVDF"},
		{"6.6", "6.6", true, ""},
		{"v6.6.0", "6.6", true, ""},
		{"6.6.30", "6.6", false, "stable"},
		{"6.10", "6.9", false, "unscaled weight"},
		{"6.11.4", "6.9", false, "SCHED_IDLE"},
		{"6.9-rc3", "6.9", false, "6.9-rc5"},
		{"6.12.0", "6.12", true, ""},
		{"6.12.y", "6.12.y", true, ""},
		{"6.12.7", "6.12", false, "one by one"},
		{"6.12.30", "6.12.y", false, "between"},
		{"6.12.117", "6.12.y", true, ""},
		{"6.12.117-1~deb12u1", "6.12.y", true, ""},
		{"6.12.200", "6.12.y", false, "after 6.12.117"},
		{"6.13", "6.12", false, "places the entity again"},
		{"6.16", "6.12.y", false, "lazy"},
		{"6.18", "6.17", false, "quotas"},
		{"6.18.2", "6.17", false, "yield forfeits"},
		{"v7.1", "7.1", true, ""},
		{"7.3", "7.2", false, "flat"},
		{"9.0", "7.2", false, "newest"},
	} {
		p, exact, note := NearestProfile(c.text)
		if p == nil || p.Name != c.profile || exact != c.exact || !strings.Contains(note, c.note) || exact != (note == "") {
			t.Errorf("%s: got %v, %t, %q; want %s, %t, a note with %q", c.text, p, exact, note, c.profile, c.exact, c.note)
		}
	}
	for _, text := range []string{"", "latest", "6", "6.", "x.y", "99999999999999999999.1"} {
		if p, _, note := NearestProfile(text); p != nil || !strings.Contains(note, "expected") {
			t.Errorf("%q: got %v, %q; want no profile and what was expected", text, p, note)
		}
	}
}

// TestTablesNameEveryFeature: each feature is in one table once, with a default
// for each profile.
func TestTablesNameEveryFeature(t *testing.T) {
	seen := map[Feature]bool{}
	for _, rows := range [][]featureRow{kernelFeatures, proposedFeatures} {
		for _, r := range rows {
			if len(r.defaults) != len(profiles) || strings.Trim(r.defaults, "tf-") != "" {
				t.Errorf("%s has columns %q, want one of t, f and - for each of %d profiles", r.feature, r.defaults, len(profiles))
			}
			if seen[r.feature] {
				t.Errorf("%s is listed twice", r.feature)
			}
			seen[r.feature] = true
		}
	}
	for f := range Feature(NumFeatures) {
		if !seen[f] {
			t.Errorf("%s is in no table", f)
		}
	}
}

// TestProfilesDescribeThemselves: what users read of a profile is there.
func TestProfilesDescribeThemselves(t *testing.T) {
	for _, p := range Profiles() {
		if p.Name == "" || p.Release == "" || p.Summary == "" || p.NBase == 0 || p.ZeroName == "" || p.NrName == "" {
			t.Errorf("profile %+v is incomplete", p)
		}
		if got, exact, _ := NearestProfile(p.Release); got != p || !exact {
			t.Errorf("release %s of profile %s is answered with %v", p.Release, p.Name, got)
		}
	}
}
