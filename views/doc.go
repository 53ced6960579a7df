// Package views turns values into pictures. Everything in it is a pure function
// of plain values: frames, steps and events of package scheduler and the small
// input structs defined here. It knows neither keys nor files nor clocks.
//
// Every picture is drawn into a Canvas, a buffer of cells (rune, style number,
// owner). The terminal program prints Canvas.String, the headless commands
// Canvas.Plain; both show the same cells.
//
// Screen composes the terminal program's screen for any size, Picture the
// picture for a mail. Rulers holds the axes, which outlive one picture, because
// an entity whose vruntime did not change must stay in its column.
package views
