// Package scheduler is the machine: what the fair class of the Linux scheduler
// (EEVDF) would do, and why.
//
// It has two layers.
//
// Operations mirror the kernel's functions and take the clock as an argument:
// enqueue, dequeue, pick, tick, reweight and so on, as methods of Machine. They
// can be called in any legal order by anyone, which is how vectors and
// recordings of a real kernel are replayed number by number.
//
// The simulation, type Sim, decides when operations happen: an event queue,
// task programs, ticks, need-resched, edits. One call of Sim.Step takes one
// Event.
//
// Every decision and sub-step is handed to a Recorder at the branch that
// decides, as data (Step, Reason, Args); words are made elsewhere. Without a
// recorder nothing is built.
//
// The package is pure and deterministic: integers only, no clock, no file, no
// goroutine, no map iteration. All vruntime and deadline arithmetic wraps
// modulo 2^64.
package scheduler
