package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// playSpeeds are the speeds of playback: events per tick and ticks apart.
var playSpeeds = [...]struct {
	name  string
	every time.Duration
	steps int
}{
	{"x1/4", 2000 * time.Millisecond, 1},
	{"x1/2", 1000 * time.Millisecond, 1},
	{"x1", 500 * time.Millisecond, 1},
	{"x2", 250 * time.Millisecond, 1},
	{"x4", 125 * time.Millisecond, 1},
	{"x8", 62 * time.Millisecond, 1},
	{"x16", 31 * time.Millisecond, 1},
	{"x32", 16 * time.Millisecond, 1},
	{"x64", 16 * time.Millisecond, 2},
	{"x128", 16 * time.Millisecond, 4},
}

// normalSpeed is two events a second.
const normalSpeed = 2

// playMsg is a tick of the playback with that number.
type playMsg int

func (a *app) togglePlay() tea.Cmd {
	s := a.s
	s.playing = !s.playing
	if !s.playing {
		return nil
	}
	s.play++
	return s.nextTick()
}

// nextTick asks for the next tick of the running playback.
func (s *session) nextTick() tea.Cmd {
	number := playMsg(s.play)
	return tea.Tick(playSpeeds[s.speed].every, func(time.Time) tea.Msg { return number })
}

// playOn shows the next event, unless the tick is of an earlier playback or a
// search goes on.
func (a *app) playOn(number playMsg) tea.Cmd {
	s := a.s
	if s == nil || !s.playing || int(number) != s.play {
		return nil
	}
	a.dirty = true
	for range playSpeeds[s.speed].steps {
		if s.job == nil && s.playing {
			a.step(1)
		}
	}
	if !s.playing {
		return nil
	}
	return s.nextTick()
}

func (a *app) faster() tea.Cmd { return a.setSpeed(a.s.speed+1, "this is the fastest: ") }
func (a *app) slower() tea.Cmd { return a.setSpeed(a.s.speed-1, "this is the slowest: ") }

func (a *app) setSpeed(speed int, limit string) tea.Cmd {
	s := a.s
	if speed < 0 || speed >= len(playSpeeds) {
		a.say(limit + playSpeeds[s.speed].name)
		return nil
	}
	s.speed = speed
	a.say("speed " + playSpeeds[s.speed].name)
	if !s.playing {
		return nil
	}
	s.play++
	return s.nextTick()
}

// playText is the state of the playback for the status line.
func (s *session) playText() string {
	if s.playing {
		return fmt.Sprintf("play %s", playSpeeds[s.speed].name)
	}
	return "stop"
}
