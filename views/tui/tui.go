// Package tui is the terminal program: keys, panes and playback around the
// pictures of package views.
//
// There is one tea.Model, app. Update only routes; every key is a row of the
// table in keys.go, whose action is one method. What is open is a session: a
// scenario, its run and how it is looked at. Long work is a job, done in slices
// between messages, so that no key waits for it. The picture is drawn anew only
// after something changed.
package tui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"

	"zerolag/model"
	"zerolag/scenarios"
	"zerolag/views"
)

// Options say what the program opens and how it looks.
type Options struct {
	// Scenario is what to open; nil shows the list of built-in scenarios.
	Scenario *scenarios.Scenario
	// Argument is how the command line names the scenario: a name or a file.
	Argument string
	// Change overrides the scenario: kernel, variant, features, edits and so on. If
	// it changes nothing, the session of the scenario's file is opened.
	Change scenarios.Options
	// At is the event to open at; nil is where the session stood, else the first
	// bookmark, or the first event.
	At *model.Position
	// Versus are settings to compare with, see scenarios.ParseSettings; "": nothing.
	Versus string
	// Hash is that of the run that the command line was made for; "" if it does not
	// say.
	Hash string
	// Recovery is the folder where unsaved work is kept and looked for, see
	// StateFolder; "" is none.
	Recovery string
	ASCII    bool // draw with ASCII characters only
	Theme    views.Theme
}

// Run shows the program on out, reads keys from in and returns when the user
// quits.
func Run(o Options, in io.Reader, out io.Writer) error {
	out, screen := serialised(out)
	renderer := lipgloss.NewRenderer(screen)
	a, err := newApp(o, func(t views.Theme) *views.Styles { return views.NewStyles(renderer, t) })
	if err != nil {
		return err
	}
	a.terminal = out
	p := tea.NewProgram(a, tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithMouseCellMotion())
	stop := quitOnHangup(p)
	defer stop()
	if o.Scenario != nil && !slices.Contains(scenarios.Names(), o.Argument) {
		unwatch, err := watchFile(o.Argument, func() { p.Send(fileMsg{}) })
		if err != nil {
			a.complain("changes of the file are not noticed: " + err.Error())
		} else {
			defer unwatch()
		}
	}
	_, err = p.Run()
	kept, lost := a.end()
	switch {
	case lost != nil:
		return fmt.Errorf("unsaved work is lost, its recovery file cannot be written: %w", errors.Join(lost, err))
	case err != nil && kept:
		return fmt.Errorf("terminal program: %w (unsaved work is kept and offered at the next start)", err)
	case err != nil:
		return fmt.Errorf("terminal program: %w", err)
	}
	return nil
}

// quitOnHangup ends p in good order when its terminal goes away, until stop is
// called. Other signals are the library's.
func quitOnHangup(p *tea.Program) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		if _, ok := <-hangup; ok {
			p.Quit()
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
	}
}

// serialised makes writes to out exclude each other, because the renderer and
// the clipboard sequence come from two goroutines. A file stays recognisable as
// a terminal; screen is what colours are detected on.
func serialised(out io.Writer) (locked, screen io.Writer) {
	if f, ok := out.(*os.File); ok {
		return &lockedFile{File: f}, f
	}
	return &lockedWriter{w: out}, out
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

type lockedFile struct {
	*os.File
	mu sync.Mutex
}

func (l *lockedFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.File.Write(p)
}

// WriteString keeps that of the file from going round the lock.
func (l *lockedFile) WriteString(s string) (int, error) { return l.Write([]byte(s)) }
