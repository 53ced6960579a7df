package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"zerolag/scheduler"
)

// names resolves the names of a scenario.
type names struct {
	taskNames          // without a variant
	groups    []string // paths; "/" first
	groupIDs  map[string]scheduler.GroupID
	specs     []scheduler.GroupSpec
	// variantRefs are the variants that expectations name.
	variantRefs []nameRef
}

// taskNames resolves the names of tasks.
type taskNames struct {
	list   []string // by TaskID
	ids    map[string]scheduler.TaskID
	defs   []int32        // TaskID to index of the entry
	defIDs map[string]int // name of an entry to its index
}

// link gives tasks and groups their ids and checks the names that do not depend
// on the variant.
func (r *reader) link() {
	r.linkGroups()
	r.settle()
	r.s.names.taskNames = r.number(r.s.tasks)
	r.linkTable()
	r.settle()
	variants := r.s.VariantNames()
	for _, ref := range r.s.names.variantRefs {
		for _, name := range splitVariants(ref.name) {
			if !slices.Contains(variants, name) {
				r.unknown(ref.at, "variant", name, variants)
				r.settle()
			}
		}
	}
	for i := range r.s.Variants {
		for _, o := range r.s.Variants[i].setup.tasks {
			if _, known := r.s.names.defIDs[o.name.name]; !known {
				r.unknown(o.name.at, "task", o.name.name, r.s.taskDefNames())
				r.settle()
			}
		}
	}
}

// taskDefNames lists the names of the entries of the list of tasks.
func (s *Scenario) taskDefNames() []string {
	list := make([]string, len(s.tasks))
	for i := range s.tasks {
		list[i] = s.tasks[i].name
	}
	return list
}

// number gives the tasks of the entries their ids, in file order. An entry with a
// count of n makes name1 ... namen.
func (s *sieve) number(defs []taskDef) taskNames {
	ns := taskNames{ids: map[string]scheduler.TaskID{}, defIDs: map[string]int{}}
	for d := range defs {
		t := &defs[d]
		if _, twice := ns.defIDs[t.name]; twice {
			s.fail(t.at, "duplicate task name "+quote(t.name), "a name that no other task has")
			return ns
		}
		ns.defIDs[t.name] = d
		t.first = scheduler.TaskID(len(ns.list))
		if int64(len(ns.list))+t.count.or(1) > maxTasks {
			s.fail(t.at, "there are too many tasks", fmt.Sprintf("at most %d", maxTasks))
			return ns
		}
		for i := range t.count.or(1) {
			name := t.name
			if t.count.set {
				name = fmt.Sprint(t.name, i+1)
			}
			if _, twice := ns.ids[name]; twice {
				s.fail(t.at, "duplicate task name "+quote(name), "a name that no other task has")
				return ns
			}
			if name == "queues" {
				s.fail(t.at, `the task name is "queues"`, "another name, as start has a key queues")
				return ns
			}
			ns.ids[name] = scheduler.TaskID(len(ns.list))
			ns.list = append(ns.list, name)
			ns.defs = append(ns.defs, int32(d))
		}
	}
	return ns
}

// linkGroups numbers the groups, parents before children and otherwise in file
// order.
func (r *reader) linkGroups() {
	ns := &r.s.names
	ns.groups = []string{"/"}
	ns.groupIDs = map[string]scheduler.GroupID{"": scheduler.RootGroup}
	declared := map[string]int{}
	for i := range r.s.groups {
		g := &r.s.groups[i]
		if _, twice := declared[g.name]; twice {
			r.fail(g.at, "duplicate group name "+quote(g.name), "a name that no other group has; a path such as a/b tells groups apart")
			return
		}
		declared[g.name] = i
	}
	ids := make([]scheduler.GroupID, len(r.s.groups))
	for i := range r.s.groups {
		if r.linkGroup(i, declared, ids); r.faulty() {
			return
		}
	}
}

// linkGroup numbers a group after its ancestors.
func (r *reader) linkGroup(i int, declared map[string]int, ids []scheduler.GroupID) {
	var chain []int // from the group upwards, as far as not numbered yet
	parent := scheduler.RootGroup
	for {
		g := &r.s.groups[i]
		if ids[i] != scheduler.RootGroup {
			parent = ids[i]
			break
		}
		if slices.Contains(chain, i) {
			r.fail(g.at, "group "+quote(g.name)+" is its own ancestor", "a parent that is not below the group")
			return
		}
		if chain = append(chain, i); len(chain) > maxGroupDepth {
			break
		}
		ref := r.parentOf(g)
		if ref.name == "" {
			break
		}
		up, known := declared[ref.name]
		if !known {
			r.unknown(ref.at, "group", ref.name, groupNames(r.s.groups))
			return
		}
		i = up
	}
	for _, i := range slices.Backward(chain) {
		parent = r.addGroup(i, parent)
		ids[i] = parent
	}
}

// parentOf is the declared name of a group's parent, "" for the root. A name
// that is a path holds it.
func (r *reader) parentOf(g *groupDef) nameRef {
	slash := strings.LastIndexByte(g.name, '/')
	if !g.parent.set {
		return nameRef{g.at, g.name[:max(slash, 0)]}
	}
	if slash >= 0 {
		r.fail(g.parent.at, "group "+quote(g.name)+" has its parent in its name", "no key parent, or a name without a slash")
	}
	return nameRef{g.parent.at, strings.Trim(g.parent.value.name, "/")}
}

func groupNames(groups []groupDef) []string {
	list := make([]string, len(groups))
	for i := range groups {
		list[i] = groups[i].name
	}
	return list
}

// defaultShares is the weight of a group that names none: cpu.weight 100.
const defaultShares = 1024 * sharesScale

// addGroup appends a group below a parent that has its number.
func (r *reader) addGroup(i int, parent scheduler.GroupID) scheduler.GroupID {
	g, ns := &r.s.groups[i], &r.s.names
	path := strings.TrimSuffix(ns.groups[parent], "/") + "/" + g.name[strings.LastIndexByte(g.name, '/')+1:]
	id := scheduler.GroupID(len(ns.groups))
	if strings.Count(path, "/") > maxGroupDepth {
		r.fail(g.at, "groups are nested too deeply", fmt.Sprintf("at most %d levels", maxGroupDepth))
	}
	if _, twice := ns.groupIDs[path[1:]]; twice {
		r.fail(g.at, "duplicate group path "+quote(path), "a path that no other group has")
	}
	ns.groups = append(ns.groups, path)
	ns.groupIDs[path[1:]], ns.groupIDs[g.name] = id, id
	ns.specs = append(ns.specs, scheduler.GroupSpec{
		Name: path, Parent: parent, Shares: g.shares.or(defaultShares), Idle: g.idle,
		Quota: g.limit.quota.value, Period: g.limit.period, Burst: g.limit.burst.value,
	})
	return id
}
