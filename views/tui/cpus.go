package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"zerolag/scheduler"
	"zerolag/views"
)

// cpus is how one looks at the CPUs beside that of the event.
type cpus struct {
	display  []views.CPUDisplay // by CPU
	selected int                // by J and K; -1: none
	changes  int                // of display
}

func (s *session) manyCPUs() bool { return s.workload.Config.CPUs > 1 }

func (a *app) lacksCPUs() string {
	if a.s.manyCPUs() {
		return ""
	}
	return "this machine has one CPU"
}

func (a *app) nextCPU() tea.Cmd     { return a.selectCPU(1) }
func (a *app) previousCPU() tea.Cmd { return a.selectCPU(-1) }

// selectCPU selects the next CPU, from that of the event on.
func (a *app) selectCPU(dir int) tea.Cmd {
	s := a.s
	n := s.workload.Config.CPUs
	s.cpus.selected = (s.selectedCPU() + dir + n) % n
	a.tellCPU()
	return nil
}

// selectedCPU is the CPU that keys act on: that of the event if none is selected.
func (s *session) selectedCPU() int {
	if s.cpus.selected < 0 {
		return s.cpu()
	}
	return s.cpus.selected
}

// tellCPU says which CPU is selected and how it is displayed.
func (a *app) tellCPU() {
	cpu := a.s.selectedCPU()
	a.say(fmt.Sprintf("%s: display %s; x changes it, X makes all automatic", cpuName(cpu), a.s.cpus.display[cpu]))
}

// changeDisplay goes to the next display of the selected CPU.
func (a *app) changeDisplay() tea.Cmd {
	s := a.s
	s.cpus.selected = s.selectedCPU()
	d := &s.cpus.display[s.cpus.selected]
	*d = (*d + 1) % views.NumDisplays
	s.cpus.changes++
	a.tellCPU()
	return nil
}

// resetDisplays makes the display of every CPU automatic.
func (a *app) resetDisplays() tea.Cmd {
	clear(a.s.cpus.display)
	a.s.cpus.changes++
	a.s.cpus.selected = -1
	a.say("every CPU is displayed automatically: busy ones with an axis or a line, idle ones together")
	return nil
}

// nextOfCPU goes to the next event of the selected CPU.
func (a *app) nextOfCPU() {
	s := a.s
	cpu := s.selectedCPU()
	here := func(i int) bool { return int(s.run.Record(i).CPU) == cpu }
	a.walk(1, here, "looking for the next event of "+cpuName(cpu), "no further event of "+cpuName(cpu))
	s.elsewhere = 0
}

// arrangement is what is shown of the other CPUs.
type arrangement struct {
	others []views.OtherCPU
	idle   scheduler.CPUSet
}

// arrangeKey is what an arrangement depends on.
type arrangeKey struct {
	at            viewpoint
	width, height int
	changes       int
}

// arrange chooses what is shown of the other CPUs.
func (s *session) arrange() arrangement {
	if !s.manyCPUs() {
		return arrangement{}
	}
	d := &s.drawn
	if key := (arrangeKey{s.viewpoint(), s.width, s.height, s.cpus.changes}); d.arrangedFor != key {
		strips := views.ShowsStrips(s.width, s.height)
		d.arranged.others, d.arranged.idle = views.Arrange(s.run.Frame(), s.run.Steps(), s.cpu(), s.cpus.display, strips)
		d.arrangedFor = key
	}
	return d.arranged
}

// shownCPUs are the CPUs whose entities have rows, that of the event first.
func (s *session) shownCPUs() []int {
	list := []int{s.cpu()}
	for _, x := range s.arrange().others {
		if !x.Folded {
			list = append(list, x.CPU)
		}
	}
	return list
}

// machineTable is the overview of all CPUs.
func (s *session) machineTable(r room) (t views.Table, selected int) {
	return views.Machine(views.MachineInput{
		Frame: s.run.Frame(), Topology: s.workload.Config.Topology, Selected: s.selectedCPU(), Event: s.cpu(), Width: r.width, Rows: views.PaneRows(r.rows),
	})
}

// machineTitle names the machine and the selected CPU.
func (s *session) machineTitle() string {
	title := fmt.Sprintf("machine: %d CPUs", s.workload.Config.CPUs)
	if t := s.workload.Config.Topology; t.CPUs() == s.workload.Config.CPUs {
		title += " " + t.String()
	}
	return title + ", selected " + cpuName(s.selectedCPU())
}
