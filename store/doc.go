// Package store keeps the evidence: one SQLite file with the verdict envelopes, the runs with their budget, and, in a
// project without a CLEO store, the ledger of tasks, acceptance criteria and bindings.
//
// Start at [Open]; then [Store.RecordVerdict] and [Store.Coverage] are what the rest is for. An exported method is one
// transaction, so that nothing is ever half-written: not when a context ends, not when the process is killed. Many
// processes may use one file at once.
//
// The invariants live in the schema (package migrations). Which task may be judged by whom, and which binding counts, is
// decided elsewhere: the store calls back inside the transaction and writes nothing when it is told no.
package store
