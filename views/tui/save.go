package tui

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/renameio/v2"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

// resume goes to where a session stood: its branches, conditions, watches, bookmarks,
// CPUs and position.
func (s *session) resume(x *scenarios.Session) {
	own := x.Options.Edits
	if own == nil {
		own = s.workload.Edits
	}
	for _, b := range x.Branches {
		s.run.Adopt(b.Name, b.Edits)
	}
	s.run.Adopt(x.Branch, own)
	s.marks = slices.Clone(x.Bookmarks)
	if !x.CPUs.Empty() {
		s.cpus.display = views.FirstDisplays(x.CPUs, s.workload.Config.CPUs)
	}
	var conditions []model.Condition
	for _, c := range x.Conditions {
		conditions = append(conditions, model.Condition{Text: c.Text, Off: c.Off})
	}
	s.conditions.Restore(conditions, s.run.Names())
	s.watches = model.RestoreWatches(s.run, x.Watches)
	s.run.SeekPosition(model.Position{Time: x.Time, Ordinal: x.Ordinal})
}

// snapshot is everything that a file keeps of the work.
func (s *session) snapshot() scenarios.Session {
	at := s.run.Position()
	x := s.work()
	x.Time, x.Ordinal = at.Time, at.Ordinal
	if slices.Contains(s.cpus.display, views.DisplayHidden) {
		for cpu, d := range s.cpus.display {
			if d != views.DisplayHidden {
				x.CPUs.Add(cpu)
			}
		}
	}
	return x
}

// work is what would be lost if nothing was saved: the branches with edits, on
// which of them one is, bookmarks, stop conditions and watches. How one looks at it
// is no work.
func (s *session) work() scenarios.Session {
	x := scenarios.Session{Options: s.change, Bookmarks: slices.Clone(s.marks), Watches: s.watches.Texts()}
	for _, c := range s.conditions.List() {
		x.Conditions = append(x.Conditions, scenarios.Condition{Text: c.Text, Off: c.Off})
	}
	for _, b := range s.run.Branches() {
		switch {
		case b.Current && len(b.Edits) > 0:
			x.Branch, x.Options.Edits = b.Name, b.All
		case len(b.Edits) > 0:
			x.Branches = append(x.Branches, scenarios.Branch{Name: b.Name, Edits: b.All})
		}
	}
	return x
}

// lost says in a few words what quitting would lose, "" if nothing.
func (s *session) lost() string {
	now := s.work()
	branches := 0
	for _, b := range allBranches(&now) {
		saved := slices.ContainsFunc(allBranches(&s.saved), func(old scenarios.Branch) bool { return slices.Equal(old.Edits, b.Edits) })
		if !saved {
			branches++
		}
	}
	switch {
	case branches == 1:
		return "1 branch is not saved"
	case branches > 1:
		return fmt.Sprintf("%d branches are not saved", branches)
	case !slices.Equal(now.Bookmarks, s.saved.Bookmarks):
		return "bookmarks are not saved"
	}
	return ""
}

// unsaved tells whether no file has all of the work. Nobody is asked about conditions
// and watches, but a crash shall not lose them; a recording cannot be saved with them.
func (s *session) unsaved() bool {
	if s.lost() != "" {
		return true
	}
	now := s.work()
	same := slices.Equal(now.Conditions, s.saved.Conditions) && slices.Equal(now.Watches, s.saved.Watches)
	return !same && !s.scenario.Recorded()
}

// allBranches are the branches of a session, the current one included.
func allBranches(x *scenarios.Session) []scenarios.Branch {
	if x.Options.Edits == nil {
		return x.Branches
	}
	return append(slices.Clip(x.Branches), scenarios.Branch{Name: x.Branch, Edits: x.Options.Edits})
}

// askSave asks for the file to save the session in and then goes on with saved.
func (a *app) askSave(saved func() tea.Cmd) tea.Cmd {
	s := a.s
	if s.scenario.Recorded() {
		a.say("this is a recording: only a scenario file can hold a session")
		return nil
	}
	return a.ask(prompt{label: "save session as", hint: "a scenario file: opening it leads to this step", done: func(path string) error {
		if path != "" && !isScenarioFile(path) {
			path += ".yaml"
		}
		return a.writeWith(path, s.file, func() error {
			if err := s.saveAs(path); err != nil {
				return err
			}
			a.say("saved: zerolag " + scenarios.ShellWord(path) + " leads here")
			a.after = saved()
			return nil
		})
	}}, s.sessionFile())
}

// writeWith writes a file by calling write. One that exists is replaced only when
// the user says so, or if it is mine.
func (a *app) writeWith(path, mine string, write func() error) error {
	if path == "" {
		return errors.New("no name, expected that of a file to write")
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || path == mine {
		return write()
	}
	a.question = &question{text: filepath.Base(path) + " exists.  y replace it   n leave it", options: []option{{"y", func() tea.Cmd {
		if err := write(); err != nil {
			a.complain(err.Error())
		}
		return a.followUp()
	}}}}
	return nil
}

// followUp is what a finished prompt asks the program to do.
func (a *app) followUp() tea.Cmd {
	cmd := a.after
	a.after = nil
	return cmd
}

func isScenarioFile(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// saveSession saves the session as a scenario file.
func (a *app) saveSession() tea.Cmd { return a.askSave(func() tea.Cmd { return nil }) }

// sessionFile is the name that is proposed for the file of the session.
func (s *session) sessionFile() string {
	if isScenarioFile(s.argument) {
		return cmp.Or(s.file, s.argument)
	}
	return cmp.Or(s.file, strings.ReplaceAll(s.scenario.Name, "/", "-")+".yaml")
}

// saveAs writes the session. The file is as it was before or has all of it, whatever
// happens meanwhile.
func (s *session) saveAs(path string) error {
	text, err := scenarios.Write(s.scenario, s.snapshot())
	if err != nil {
		return err
	}
	if err := replaceFile(path, text); err != nil {
		return err
	}
	s.file, s.saved = path, s.work()
	return nil
}

// replaceFile writes a file by way of another one beside it, so that a full disk or
// a crash leave the old one as it is. A link is followed.
func replaceFile(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	err := renameio.WriteFile(path, text, 0o644, renameio.WithTempDir(filepath.Dir(path)), renameio.WithExistingPermissions())
	var fault *fs.PathError
	if errors.As(err, &fault) {
		return fmt.Errorf("cannot write: %w", fault.Err) // its path is that of the other file
	}
	return err
}

// quit ends the program, after asking if work would be lost.
func (a *app) quit() tea.Cmd {
	lost := ""
	if a.s != nil {
		lost = a.s.lost()
	}
	if lost == "" {
		return a.leave()
	}
	a.question = &question{
		text:    lost + ".  s save and quit   y quit   n stay",
		options: []option{{"y", a.leave}, {"ctrl+c", a.leave}, {"s", func() tea.Cmd { return a.askSave(a.leave) }}},
	}
	return nil
}

// leave ends the program; what is not saved is given up.
func (a *app) leave() tea.Cmd {
	a.left = true
	return tea.Quit
}
