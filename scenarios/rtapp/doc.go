// Package rtapp reads and writes the workloads of rt-app: JSON files with tasks,
// phases and events, as its users have them for real machines.
//
// Import turns such a file into the text of a scenario, Export a workload into such
// a file. Both list everything that they cannot carry over; nothing is left out in
// silence.
//
// The way of a file: json.go (values with their places) -> import.go (tasks and
// phases) -> events.go (what a phase does) -> yaml.go (the scenario).
package rtapp
