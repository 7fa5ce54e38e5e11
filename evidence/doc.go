// Package evidence re-evaluates claims about a candidate now, in a given directory, believing nothing that was written
// down before.
//
// Start at [RunCheck], which runs the machine check of one acceptance criterion, and at [Evaluate], which
// re-evaluates one evidence atom. [ParseAtoms] and [SplitWords] are the two grammars.
//
// The difference that the package keeps: a claim that is false is a [Result] that is not OK, and so the Worker's
// matter; a claim that cannot be evaluated is a [contracts.Fault], and so the environment's. signs.go holds the one
// judgement between the two that rests on a program's words.
//
// The candidate is hostile. What it holds is run or hashed but never read as configuration: that is taken from the
// project.
package evidence
