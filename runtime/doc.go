// Package runtime drives Lead → Worker → Validator for one task within one retry budget that rejections and faults
// share, so that alternating faults cannot loop for ever.
//
// Read [Catalogue] first: it is what each fault costs, as data. [Step] is the policy: a pure function from a [State] and
// what one round came back with to the next state and one decision. [RunMaxN] does what the machine decides and holds no
// policy of its own; [RunMany] runs tasks side by side; [Simulate] feeds made-up rounds to the same driver.
// docs/state_machine.md draws the machine with the names of the transitions in transition.go.
//
// The invariants: every run ends; only a checked verdict that a [Spawner] returns leads to [OutcomeAttest]; a slot of the
// budget is reserved in the [Journal] before a Validator starts, and each decision is committed there before it is acted
// on, so that killing the process never hands out a new budget.
//
// The package starts no process and knows no SQL: the spawner, the Worker, the journal, the audit log and the clock are
// passed in.
package runtime
