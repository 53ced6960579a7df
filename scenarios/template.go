package scenarios

import (
	_ "embed"
	"strings"
)

//go:embed template.yaml
var template string

// Template is a commented scenario to begin with. The name is one that a task
// could have; the error is a *Fault.
func Template(name string) ([]byte, error) {
	text := strings.Replace(template, "NAME", name, 1)
	if _, err := Parse(name+".yaml", []byte(text)); err != nil {
		return nil, err
	}
	return []byte(text), nil
}
