package evidence

import (
	"context"
	"errors"

	"github.com/cleocode/cleo-validator/contracts"
)

// Evaluate re-evaluates one atom now. A claim that is false is a [Result] that is not OK. The error is a
// [*contracts.Fault] when the claim cannot be evaluated here, the cause of ctx when that ended, and a
// [contracts.Error] with [contracts.CodeInvalidInput] for an atom that [ParseAtoms] would not have made.
func Evaluate(ctx context.Context, site Site, atom Atom) (Result, error) {
	if err := checkAtom(atom); err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	switch atom.Kind {
	case KindCommit:
		return evaluateCommit(ctx, site, atom)
	case KindFiles:
		return evaluateFiles(ctx, site, atom)
	case KindTool:
		return evaluateTool(ctx, site, atom)
	}
	panic("unreachable: checkAtom refuses a kind that is not in Kinds")
}

// checkAtom refuses an atom that would not be read as itself again: one made by hand whose payload holds another atom.
func checkAtom(atom Atom) error {
	read, err := ParseAtoms(atom.String())
	if err != nil {
		return err
	}
	if len(read) != 1 || read[0] != atom {
		return badAtom("atom %q reads as %d atoms", clip(atom.String()), len(read))
	}
	return nil
}

// asFault turns an error of the environment into a fault of the given kind. A fault keeps its own kind, and the end of
// ctx is no fault.
func asFault(ctx context.Context, kind contracts.FaultKind, step string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if fault, ok := errors.AsType[*contracts.Fault](err); ok {
		return fault
	}
	return &contracts.Fault{Kind: kind, Message: step + ": " + err.Error()}
}
