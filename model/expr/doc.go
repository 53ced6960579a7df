// Package expr is the expression language over the state of a run and the
// catalogue of fields that it, the inspector and JSON share.
//
// docs/FIELDS.md describes both. An expression is parsed once, names resolved to
// indices, and then evaluated after any number of events without allocating.
//
// A parsed expression is a tree of closures (code). What an operand means is
// settled while parsing, where a fault still has a column.
package expr
