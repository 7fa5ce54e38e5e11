// Package contracts is the wire format of cleo-validator: roles, findings, verdict envelopes, faults, error codes, the
// audit row, the inputs and outputs of every tool, and the JSON Schemas of all of them.
//
// Start at [ParseVerdict]: it turns bytes into a [Verdict], and holding a Verdict is the proof that every rule of the
// envelope holds. The rest of the program passes Verdicts around and never looks at unchecked bytes again.
//
// The package is a leaf: it imports nothing of the project, reads no clock and does no I/O. JSON names are camelCase and
// fixed, because other programs already read them.
package contracts
