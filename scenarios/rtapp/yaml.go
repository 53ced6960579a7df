package rtapp

import (
	"strconv"
	"strings"
)

// scenario is the text of the scenario.
func (r *reader) scenario() string {
	var b strings.Builder
	line := func(indent int, text string) { b.WriteString(strings.Repeat(" ", indent) + text + "\n") }
	line(0, "name: "+quoted(r.title))
	line(0, "source: an rt-app workload")
	if r.cpus > 1 {
		line(0, "cpus: "+strconv.Itoa(r.cpus))
	}
	line(0, "until: "+r.until)
	if r.groups != nil {
		line(0, "\ngroups:")
	}
	for _, g := range r.groups {
		line(2, "- {name: "+plain(g)+"}")
	}
	line(0, "\ntasks:")
	for i := range r.tasks {
		t := &r.tasks[i]
		line(2, "- name: "+plain(t.name))
		for _, key := range t.keys {
			line(4, key)
		}
		line(4, "does:")
		for _, text := range t.program() {
			line(6, text)
		}
	}
	return b.String()
}

// quoted is a text between single quotes, in one line.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "'", "''") + "'"
}

// plain is a name as YAML text: one that YAML would take for something else stands
// in quotes.
func plain(name string) string {
	switch strings.ToLower(name) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return "'" + name + "'"
	}
	return name
}

// keys are the lines of a task in a scenario.
func (s *settings) keys() []string {
	var lines []string
	add := func(name, value string, said bool) {
		if said {
			lines = append(lines, name+": "+value)
		}
	}
	word, _ := policyWord(s.policy)
	add("group", plain(s.group), s.group != "")
	add("nice", strconv.FormatInt(s.nice, 10), s.nice != 0)
	add("policy", word, word != "other")
	add("slice", microsText(s.slice), s.slice != 0)
	add("cpus", "'"+s.cpus+"'", s.cpus != "")
	add("at", microsText(s.delay), s.delay != 0)
	return lines
}

// program are the lines of a task's program.
func (t *task) program() []string {
	var lines []string
	endless := false
	for _, p := range t.body {
		events := p.lines()
		if len(events) == 0 {
			continue
		}
		if p.loop == 1 {
			for _, e := range events {
				lines = append(lines, "- "+e)
			}
			continue
		}
		lines = append(lines, "- repeat:")
		for _, e := range events {
			lines = append(lines, "    - "+e)
		}
		if p.loop > 1 {
			lines = append(lines, "  times: "+strconv.FormatInt(p.loop, 10))
		}
		endless = p.loop < 0
	}
	switch {
	case endless || len(lines) == 0:
	case t.loop < 0:
		lines = append(lines, "- repeat")
	case t.loop > 1:
		lines = append(lines, "- repeat "+strconv.FormatInt(t.loop, 10))
	}
	return lines
}

// lines are the events of a phase, without those that were turned into nothing.
func (p *phase) lines() []string {
	var lines []string
	for _, e := range p.events {
		if e.word != "" {
			lines = append(lines, strings.TrimSpace(e.word+" "+e.operand))
		}
	}
	return lines
}
