//go:build unix

package tui

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// program builds the whole program.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "zerolag")
	if text, err := exec.Command("go", "build", "-o", path, "zerolag").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	return path
}

// terminal is the program in a pseudo-terminal of 80x24.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	file *os.File
	mu   sync.Mutex
	text bytes.Buffer // what it has written behind what was seen last
	done chan struct{}
}

func start(t *testing.T, state, arguments string) *terminal {
	t.Helper()
	x := &terminal{t: t, cmd: exec.Command(program(t), strings.Fields(arguments)...), done: make(chan struct{})}
	x.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "TERM=xterm-256color", "NO_COLOR=1", "TMUX=")
	file, err := pty.StartWithSize(x.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	x.file = file
	go func() {
		defer close(x.done)
		var buf [4096]byte
		for {
			n, err := file.Read(buf[:])
			x.mu.Lock()
			x.text.Write(buf[:n])
			x.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = file.Close()
		_ = x.cmd.Process.Kill()
	})
	return x
}

// sees waits until the program has written a text behind what was seen last.
func (x *terminal) sees(text string) {
	x.t.Helper()
	for range 500 {
		x.mu.Lock()
		at := bytes.Index(x.text.Bytes(), []byte(text))
		if at >= 0 {
			x.text.Next(at + len(text))
		}
		x.mu.Unlock()
		if at >= 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.t.Fatalf("the terminal never shows %q, but\n%q", text, x.text.String())
}

func (x *terminal) types(keys string) {
	x.t.Helper()
	if _, err := x.file.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits for the end of the program and gives its exit code.
func (x *terminal) ends() int {
	x.t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = x.cmd.Wait() // the code tells
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		x.t.Fatal("the program does not end")
	}
	return x.cmd.ProcessState.ExitCode()
}

// kept counts the recovery files.
func kept(t *testing.T, state string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(state, "zerolag", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// TestInATerminal goes through a session as a user does: keys, mouse, another size,
// suspension, and three ways to end.
func TestInATerminal(t *testing.T) {
	state := t.TempDir()
	x := start(t, state, "nginx --ascii")
	x.sees("\x1b[?1049h") // the other screen
	x.sees("wakeup: service")
	x.types("f")
	x.sees("flips this decision")
	x.types(" ")
	x.sees("keeps nginx")
	x.types("f\x1b[<65;5;5M") // the wheel
	x.sees("tick: nginx")
	if err := pty.Setsize(x.file, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		t.Fatal(err)
	}
	x.sees("-- log ")
	x.types("\x1a")
	x.sees("\x1b[?1049l")
	time.Sleep(200 * time.Millisecond) // until the program waits to be continued
	if err := x.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	x.sees("\x1b[?1002h") // the mouse again
	x.types("h")
	x.sees("wakeup: service")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.ends()
	if kept(t, state) != 1 {
		t.Fatal("the work is lost after SIGTERM")
	}

	x = start(t, state, "nginx --ascii")
	x.sees("unsaved work on nginx of ")
	x.types("r")
	x.sees("restored")
	if err := x.cmd.Process.Signal(syscall.SIGHUP); err != nil { // as of a terminal that goes away
		t.Fatal(err)
	}
	x.ends()
	if kept(t, state) != 1 {
		t.Fatal("the work is lost with the terminal")
	}

	x = start(t, state, "nginx --ascii")
	x.sees("unsaved work on nginx of ")
	x.types("r")
	x.sees("restored")
	x.types("q")
	x.sees("1 branch is not saved")
	x.types("y")
	if code := x.ends(); code != 0 || kept(t, state) != 0 {
		t.Errorf("exit code %d, %d recovery files, want none", code, kept(t, state))
	}
}
