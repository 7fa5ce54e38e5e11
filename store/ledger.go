package store

import "strings"

// ledger is where tasks, criteria and bindings live. Statements over them name the tables {tasks}, {criteria} and
// {bindings} and never join them with tables of ours, which may be in another file.
type ledger struct{ names *strings.Replacer }

// ownLedger is the ledger within our own database, in the shape that CLEO gives its own.
func ownLedger() ledger {
	return newLedger("tasks", "task_acceptance_criteria", "evidence_ac_bindings")
}

func newLedger(tasks, criteria, bindings string) ledger {
	return ledger{strings.NewReplacer("{tasks}", tasks, "{criteria}", criteria, "{bindings}", bindings)}
}

// sql puts the table names into a statement.
func (l ledger) sql(query string) string { return l.names.Replace(query) }
