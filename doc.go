// Package cleovalidator is the map of the source; it holds no code.
//
// # The life of one verdict
//
// A Worker says that a task is done. cmd/cleo-validator reads the command line and wires the rooms below together:
//
//	runtime   asks for one Validator attempt after another, within one budget
//	  └ spawn   makes a worktree of the candidate commit, starts the agent in it, and reads its one envelope
//	      └ evidence  re-runs commands and re-checks files and commits there (the builtin agent)
//	  └ tools   checks the envelope: role, rules, criteria, independence
//	      └ store   writes the envelope and its bindings, in one transaction
//	  └ audit   appends the attempt's row
//	tools     opens the gate when every criterion has a binding that counts, and completes the task
//
// # Reading order
//
//  1. contracts: the words everything else is said in. Start at contracts.ParseVerdict.
//  2. runtime: the fault catalogue, then the machine, then the driver. docs/state_machine.md draws it.
//  3. tools: the order of the checks, the gate's policy.
//  4. spawn: what a Validator process gets, and how its end is told apart.
//  5. evidence, store, audit, internal/git, internal/proc: one concern each.
//  6. cmd/cleo-validator: one file per command, none of which holds a rule.
//
// # Invariants
//
// A package imports only packages on lines below it; arch_test.go holds the table. Every decision is committed to the
// store before it is acted on; the JSONL files are the operators' copy. A finding is about the Worker, a fault is about
// us, and each package says in one place which is which. Clock, ids, environment and process start are passed in.
package cleovalidator
