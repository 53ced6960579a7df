package views

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// SharingCPUs is from how many CPUs on a group's weights depend on each other.
const SharingCPUs = 2

// GroupTables shows how the loads of groups' queues on every CPU become the weights
// of their entities: what each queue carries, what it has published and when,
// whether it would publish now, and the formula of the weight with its numbers.
// Groups on fewer than cpus CPUs are left out. The groups stand below each other,
// their heads are rows. A queue has one row, three where width has no room for all
// in one.
func GroupTables(f *scheduler.Frame, cpus, width int) Table {
	t := groupTables(f, cpus, wideGroups())
	if t.width() > width {
		t = groupTables(f, cpus, narrowGroups())
	}
	return t
}

// groupStyle is an arrangement of the facts about the queues of a group.
type groupStyle struct {
	heads  []Column // the first one is the group's
	shared []string // further heads
	rows   func(f *scheduler.Frame, q *scheduler.QueueFrame) [][]string
}

func wideGroups() groupStyle {
	return groupStyle{
		heads:  []Column{{}, {Right: true}, {Right: true}, {}, {}, {}},
		shared: []string{"load_avg", "published", "last publication", "publishes", "weight = shares*load/sum"},
		rows: func(f *scheduler.Frame, q *scheduler.QueueFrame) [][]string {
			return [][]string{{
				queueMembers(f, q), strconv.FormatUint(q.LoadAvg, 10), strconv.FormatUint(q.TgContrib, 10),
				lastPublication(f, q), publicationText(q), weightFormula(f, q),
			}}
		},
	}
}

func narrowGroups() groupStyle {
	return groupStyle{
		heads:  []Column{{}, {}},
		shared: []string{"load, publication, weight = shares*load/sum"},
		rows: func(f *scheduler.Frame, q *scheduler.QueueFrame) [][]string {
			return [][]string{
				{queueMembers(f, q), fmt.Sprintf("load_avg %d, published %d", q.LoadAvg, q.TgContrib)},
				{"", "last " + lastPublication(f, q) + "; now " + publicationText(q)},
				{"", "weight " + weightFormula(f, q)},
			}
		},
	}
}

func groupTables(f *scheduler.Frame, cpus int, style groupStyle) Table {
	t := Table{Columns: style.heads}
	for g := 1; g < len(f.Groups); g++ {
		queues := groupQueues(f, scheduler.GroupID(g))
		if len(queues) < max(cpus, 1) {
			continue
		}
		head := append([]string{"group " + shortPath(f.Groups[g].Name)}, style.shared...)
		t.Rows = append(t.Rows, Row{Style: StyleHeader, Cells: head})
		for _, q := range queues {
			for _, cells := range style.rows(f, q) {
				t.Rows = append(t.Rows, Row{Owner: Owner{OwnerQueue, int32(q.ID)}, Cells: cells})
			}
		}
	}
	return t
}

// groupQueues are the queues of a group that have anybody or carry load.
func groupQueues(f *scheduler.Frame, g scheduler.GroupID) []*scheduler.QueueFrame {
	var list []*scheduler.QueueFrame
	for i := range f.Queues {
		q := &f.Queues[i]
		if q.Group == g && q.Owner != scheduler.NoEntity && (q.LoadAvg > 0 || q.TgContrib > 0 || populated(q)) {
			list = append(list, q)
		}
	}
	return list
}

// queueMembers is a queue's CPU and who lives on it.
func queueMembers(f *scheduler.Frame, q *scheduler.QueueFrame) string {
	return fmt.Sprintf(" cpu%d %s", q.CPU, membersOf(f, q))
}

// shortPath is the last part of a group's path.
func shortPath(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 && i+1 < len(path) {
		return path[i+1:]
	}
	return path
}

// membersOf names the living tasks of a queue: "A1", "S1..S6", or counts them.
func membersOf(f *scheduler.Frame, q *scheduler.QueueFrame) string {
	var first, last string
	n := 0
	for i := range f.Entities {
		e := &f.Entities[i]
		living := e.Task != scheduler.NoTask && e.State != scheduler.StateNew && e.State != scheduler.StateDead
		if !living || e.Queue != q.ID {
			continue
		}
		if n == 0 {
			first = e.Name
		}
		last = e.Name
		n++
	}
	switch n {
	case 0:
		return "-"
	case 1:
		return first
	}
	return rangeName(first, last)
}

// rangeName names many by the first and the last of them: "S1..S6".
func rangeName(first, last string) string { return first + ".." + last }

// lastPublication says how long ago a queue published its load and what changed.
func lastPublication(f *scheduler.Frame, q *scheduler.QueueFrame) string {
	if q.TgPublished == scheduler.NoTime {
		return "never"
	}
	age := Ms(int64(f.Now-q.TgPublished), ShortDecimals) + " ms ago"
	return fmt.Sprintf("%s: %d -> %d", age, q.TgFormer, q.TgContrib)
}

// publicationText says by which rule the load would be published now, or not.
func publicationText(q *scheduler.QueueFrame) string {
	by := max(q.LoadAvg, q.TgContrib) - min(q.LoadAvg, q.TgContrib)
	switch q.Publication {
	case scheduler.PublicationTooSoon:
		return "1 ms not over"
	case scheduler.PublicationTooSmall:
		if by == 0 {
			return "no change"
		}
		return fmt.Sprintf("%d <= %d/64", by, q.TgContrib)
	case scheduler.PublicationDue:
		return fmt.Sprintf("%d > %d/64", by, q.TgContrib)
	case scheduler.PublicationNone:
	}
	return "-"
}

// weightFormula is calc_group_shares with its numbers. The entity may still have
// the weight of an earlier moment.
func weightFormula(f *scheduler.Frame, q *scheduler.QueueFrame) string {
	g := &f.Groups[q.Group]
	text := fmt.Sprintf("%d*%d/(%d-%d+%d) = %d", g.Shares, q.ShareLoad, g.LoadAvg, q.TgContrib, q.ShareLoad, q.ShareWeight)
	if e := f.Entity(q.Owner); e != nil && e.Weight != q.ShareWeight {
		text += fmt.Sprintf(" (has %d)", e.Weight)
	}
	return text
}
