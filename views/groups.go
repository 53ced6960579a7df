package views

import (
	"fmt"
	"strconv"
	"strings"

	"zerolag/scheduler"
)

// GroupTable shows how the load of a group's queues on every CPU becomes the
// weights of its entities: what each queue carries, what it has published and
// when, whether it would publish now, and the formula of the weight with its
// numbers. The first row names the group.
func GroupTable(f *scheduler.Frame, g scheduler.GroupID) Table {
	t := Table{Columns: []Column{
		{Head: "group " + shortPath(groupName(f, g))},
		{Head: "load_avg", Right: true},
		{Head: "published", Right: true},
		{Head: "last publication"},
		{Head: "publishes"},
		{Head: "weight = shares*load/sum"},
	}}
	for i := range f.Queues {
		q := &f.Queues[i]
		if q.Group != g || q.Owner == scheduler.NoEntity || q.LoadAvg == 0 && q.TgContrib == 0 && !populated(q) {
			continue
		}
		t.Rows = append(t.Rows, Row{Owner: Owner{OwnerQueue, int32(q.ID)}, Cells: []string{
			fmt.Sprintf(" cpu%d %s", q.CPU, membersOf(f, q)),
			strconv.FormatUint(q.LoadAvg, 10), strconv.FormatUint(q.TgContrib, 10),
			lastPublication(f, q), publicationText(q), weightFormula(f, q),
		}})
	}
	return t
}

// GroupTables are the tables of all groups that are on at least so many CPUs,
// below each other in one table whose heads are rows.
func GroupTables(f *scheduler.Frame, cpus int) Table {
	var t Table
	for g := 1; g < len(f.Groups); g++ {
		part := GroupTable(f, scheduler.GroupID(g))
		if len(part.Rows) < max(cpus, 1) {
			continue
		}
		head := Row{Style: StyleHeader}
		for _, c := range part.Columns {
			head.Cells = append(head.Cells, c.Head)
		}
		if t.Columns == nil {
			for _, c := range part.Columns {
				t.Columns = append(t.Columns, Column{Right: c.Right})
			}
		}
		t.Rows = append(append(t.Rows, head), part.Rows...)
	}
	return t
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
	return RangeName(first, last)
}

// RangeName names many by the first and the last of them: "S1..S6".
func RangeName(first, last string) string { return first + ".." + last }

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
