package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scenarios"
)

// StateFolder is where recovery files are kept: zerolag in XDG_STATE_HOME, else in
// ~/.local/state; "" if there is no home.
func StateFolder() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "zerolag")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "zerolag")
}

// recovery keeps unsaved work in a file, so that nothing that ends the program
// loses it. The file is a saved session below a line that names the scenario; it is
// gone as soon as nothing is unsaved.
type recovery struct {
	folder string             // "" keeps nothing
	kept   *scenarios.Session // the work that the file has or will have; nil: no file
	asked  int                // writes so far
	mu     sync.Mutex         // of the file and done
	done   int                // number of the last write that was carried out
}

// recoveryHead begins the first line of a recovery file.
const recoveryHead = "# zerolag: unsaved work on "

// path is the file of this process.
func (r *recovery) path() string {
	return filepath.Join(r.folder, fmt.Sprintf("%d.yaml", os.Getpid()))
}

// write replaces the file, unless a later write was carried out already.
func (r *recovery) write(number int, argument string, x *scenarios.Scenario, work scenarios.Session) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number <= r.done {
		return nil
	}
	r.done = number
	text, err := scenarios.Write(x, work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return err
	}
	return replaceFile(r.path(), slices.Concat([]byte(recoveryHead+argument+"\n"), text))
}

// remove takes the file away for good.
func (r *recovery) remove() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done, r.kept = r.asked, nil
	if r.folder != "" {
		_ = os.Remove(r.path()) // there may be none
	}
}

// whole is the argument as every folder understands it: a file by its whole path.
func whole(argument string) string {
	if path, err := filepath.Abs(argument); err == nil {
		if _, err := os.Stat(argument); err == nil && isScenarioFile(argument) {
			return path
		}
	}
	return argument
}

// keptMsg tells how keeping unsaved work went.
type keptMsg struct{ err error }

// keep brings the recovery file up to date if the work has changed.
func (a *app) keep() tea.Cmd {
	if a.s == nil || a.recovery.folder == "" {
		return nil
	}
	r, s := &a.recovery, a.s
	work := s.work()
	switch {
	case !s.unsaved():
		if r.kept != nil {
			r.remove()
		}
		return nil
	case r.kept != nil && reflect.DeepEqual(work, *r.kept):
		return nil
	}
	r.kept = &work
	r.asked++
	number, x, now, argument := r.asked, s.scenario, s.snapshot(), whole(s.argument)
	return func() tea.Msg { return keptMsg{r.write(number, argument, x, now)} }
}

func (a *app) told(msg keptMsg) {
	if msg.err != nil {
		a.complain("unsaved work is not safe, its recovery file cannot be written: " + msg.err.Error())
	}
}

// end keeps unsaved work when the program ends without the user's will, else
// removes the recovery file. It tells whether work was kept.
func (a *app) end() (kept bool, err error) {
	if a.s == nil || a.recovery.folder == "" {
		return false, nil
	}
	if a.left || !a.s.unsaved() {
		a.recovery.remove()
		return false, nil
	}
	a.recovery.asked++
	return true, a.recovery.write(a.recovery.asked, whole(a.s.argument), a.s.scenario, a.s.snapshot())
}

// leftover is a recovery file of a process that is no more.
type leftover struct {
	path     string
	argument string
	when     time.Time
}

// leftovers are those in a folder, the newest first.
func leftovers(folder string) []leftover {
	paths, _ := filepath.Glob(filepath.Join(folder, "*.yaml")) // the pattern is correct
	var list []leftover
	for _, path := range paths {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(path), ".yaml"))
		info, gone := os.Stat(path)
		if err != nil || gone != nil || lives(pid) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		head, _, _ := strings.Cut(string(text), "\n")
		if argument, ok := strings.CutPrefix(head, recoveryHead); ok {
			list = append(list, leftover{path, argument, info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b leftover) int { return b.when.Compare(a.when) })
	return list
}

// lives tells whether a process is there.
func lives(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// offer asks whether work that an earlier process could not save is to be opened:
// on this scenario, or on any if the user has not chosen one.
func (a *app) offer(argument string) {
	for _, l := range leftovers(a.recovery.folder) {
		if argument != "" && l.argument != whole(argument) {
			continue
		}
		a.question = &question{
			text: fmt.Sprintf("unsaved work on %s of %s.  r restore   d discard   n later", filepath.Base(l.argument), l.when.Format("2 Jan 15:04")),
			options: []option{
				{"r", func() tea.Cmd { return a.restore(l) }},
				{"d", func() tea.Cmd { return a.discard(l) }},
			},
		}
		return
	}
}

func (a *app) discard(l leftover) tea.Cmd {
	if err := os.Remove(l.path); err != nil {
		a.complain(err.Error())
	}
	return nil
}

// restore opens the work of a recovery file. It counts as unsaved, and its file is
// kept until this process has one of its own.
func (a *app) restore(l leftover) tea.Cmd {
	text, err := os.ReadFile(l.path)
	if err != nil {
		a.complain(err.Error())
		return nil
	}
	_, body, _ := strings.Cut(string(text), "\n")
	x, err := scenarios.Parse(l.argument, []byte(body))
	if err == nil {
		var s *session
		if s, err = openSession(Options{Scenario: x, Argument: l.argument}); err == nil {
			s.saved = scenarios.Session{Options: s.change}
			a.s, a.picker = s, nil
			s.resize(a.width, a.height)
			a.say("restored; ctrl+s saves it")
		}
	}
	if err != nil {
		a.complain(oneLine(err))
		return nil
	}
	keep := a.keep()
	if keep == nil {
		return a.discard(l)
	}
	return func() tea.Msg {
		msg := keep()
		if kept, ok := msg.(keptMsg); ok && kept.err == nil {
			_ = os.Remove(l.path) // else it is offered again
		}
		return msg
	}
}

// oneLine is an error for the message line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "  ") }
