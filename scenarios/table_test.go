package scenarios_test

import (
	"errors"
	"strings"
	"testing"

	"zerolag/scenarios"
	"zerolag/scheduler"
)

const pairs = `
tasks:
  - {name: client, count: 2, does: "run 1ms, send_sync ping[i], receive pong[i], repeat"}
  - {name: server, count: 2, does: "receive ping[i], run 1ms, send pong[i], repeat"}
  - {name: hog, does: run}
variants: {few: {tasks: {hog: {count: 0}}}, batch: {tasks: {hog: {policy: batch}}}}
`

// TestEachTaskHasItsOwnObject: ping[i] is another queue in each task of an entry,
// and the same in the tasks with the same number.
func TestEachTaskHasItsOwnObject(t *testing.T) {
	w := build(t, parse(t, pairs), scenarios.Options{})
	diff(t, "objects", w.Objects, []string{"ping1", "pong1", "ping2", "pong2"})
	object := func(task, op int, kind scheduler.OpKind) int32 {
		if w.Tasks[task].Program[op].Kind != kind {
			t.Fatalf("instruction %d of %s is %v", op, w.Tasks[task].Name, w.Tasks[task].Program[op].Kind)
		}
		return w.Tasks[task].Program[op].Object
	}
	diff(t, "pings", []int32{object(0, 1, scheduler.OpSend), object(1, 1, scheduler.OpSend), object(2, 0, scheduler.OpReceive), object(3, 0, scheduler.OpReceive)}, []int32{0, 2, 0, 2})
}

func TestTableCombinesRuns(t *testing.T) {
	for table, want := range map[string]scenarios.Table{
		"{runs: [base, few, 'few,batch']}": {Runs: []string{"", "few", "few,batch"}, Tasks: []string{"client", "server", "hog"}},
		"{runs: [[few, base], [base, batch]], tasks: [hog], from: 5ms}": {
			Runs: []string{"few", "few,batch", "", "batch"}, Tasks: []string{"hog"}, From: 5_000_000,
		},
	} {
		got := parse(t, pairs+"table: "+table).Table
		diff(t, "runs", got.Runs, want.Runs)
		diff(t, "tasks", got.Tasks, want.Tasks)
		diff(t, "from", got.From, want.From)
	}
}

func TestFaultsOfTables(t *testing.T) {
	for table, want := range map[string]string{
		"{tasks: [hog]}":                   "the table has no runs",
		"{runs: [never]}":                  `unknown variant "never"`,
		"{runs: [[few], never]}":           "runs is",
		"{runs: [base], columns: 3}":       "columns is",
		"{runs: [base], tasks: [client1]}": `unknown task "client1"`,
		"[base]":                           "the table is",
	} {
		_, err := scenarios.Parse("t.yaml", []byte(pairs+"table: "+table))
		var f *scenarios.Fault
		if !errors.As(err, &f) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", table, err, want)
		}
	}
}

// TestColumnsAreReadForEachRun: a column is at fault where it names what a run of the
// table does not have.
func TestColumnsAreReadForEachRun(t *testing.T) {
	for table, want := range map[string]string{
		`{runs: [base, batch], columns: [hog.ran, "wakeup(client, 99%) + wasted()", now]}`: "",
		`{runs: [base, few], columns: [now, hog.ran]}`:                                     "unknown name hog",
		`{runs: [base], columns: [now, "few.now"]}`:                                        "a column looks at another run",
		`{runs: [base], columns: ["now +"]}`:                                               "the expression ends here",
	} {
		faults := scenarios.Lint("t.yaml", []byte(pairs+"table: "+table))
		if want == "" && len(faults) > 0 || want != "" && (len(faults) != 1 || !strings.Contains(faults[0].Error(), want)) {
			t.Errorf("%s: %v, want %q", table, faults, want)
		}
	}
}
