package rtapp

import (
	"strconv"
	"strings"
)

// printer is a value of a file to be written.
type printer interface{ print(indent int) string }

// number is a number, or a list of them, as it stands in the file.
type number string

func (n number) print(int) string { return string(n) }

// text is a text. Names of scenarios need no escapes.
type text string

func (t text) print(int) string { return strconv.Quote(string(t)) }

// object is a map in the order of its keys.
type object struct {
	keys   []string
	values []printer
}

func newObject() *object { return &object{} }

func (o *object) add(key string, v printer) {
	o.keys = append(o.keys, key)
	o.values = append(o.values, v)
}

// flatWidth is how long a map in one line may be.
const flatWidth = 70

// print writes a map in one line if it is short and holds no other map.
func (o *object) print(indent int) string {
	var parts []string
	flat := true
	for i, key := range o.keys {
		_, deep := o.values[i].(*object)
		flat = flat && !deep
		parts = append(parts, strconv.Quote(key)+": "+o.values[i].print(indent+2))
	}
	if line := "{ " + strings.Join(parts, ", ") + " }"; flat && len(line) <= flatWidth {
		return line
	}
	space := strings.Repeat(" ", indent)
	return "{\n" + space + "  " + strings.Join(parts, ",\n"+space+"  ") + "\n" + space + "}"
}
