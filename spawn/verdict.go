package spawn

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cleocode/cleo-validator/contracts"
)

// conclude turns the end of the process into a verdict that is written, or an error. What was printed comes first, then
// what the agent shipped by itself; exit codes and prose only tell one fault from another.
func (a *attempt) conclude(ctx context.Context, end ending) (contracts.Verdict, error) {
	if verdict := end.answer.verdict; !verdict.IsZero() {
		return verdict, a.ship(ctx, verdict)
	}
	verdict, found, err := a.shippedAlone(ctx)
	if err != nil {
		return contracts.Verdict{}, fmt.Errorf("looking for a verdict of %s: %w", a.who.validatorID, err)
	}
	if found {
		return verdict, nil
	}
	return contracts.Verdict{}, classify(end)
}

// ship has the tools write a printed verdict. What they refuse is no verdict.
func (a *attempt) ship(ctx context.Context, verdict contracts.Verdict) error {
	if verdict.TaskID() != a.who.taskID || verdict.ValidatorID() != a.who.validatorID {
		return &contracts.Fault{
			Kind: contracts.FaultPartial,
			Message: fmt.Sprintf("the verdict is by %s on %s, but the Validator was %s on %s",
				verdict.ValidatorID(), verdict.TaskID(), a.who.validatorID, a.who.taskID),
			Detail: map[string]any{"taskId": verdict.TaskID(), "validatorId": verdict.ValidatorID()},
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settlingTime)
	defer cancel()
	err := a.invoke(ctx, verdict)
	if refusal, ok := errors.AsType[*contracts.Error](err); ok && slices.Contains(refusals, refusal.Code) {
		return &contracts.Fault{
			Kind:    contracts.FaultPartial,
			Message: fmt.Sprintf("the verdict was refused: %s (%s)", refusal.Message, refusal.Code),
			Detail:  map[string]any{"code": refusal.Code, "refusal": contracts.Envelope(err)},
		}
	}
	return err
}

// refusals are the codes that say that a verdict is none. Any other error is about what writes it.
var refusals = []contracts.Code{
	contracts.CodeAuthRole, contracts.CodeAttestationInvalid, contracts.CodeRejectionInvalid, contracts.CodeVerdictInvalid,
	contracts.CodeACNotFound, contracts.CodeTaskNotFound, contracts.CodeNotIndependent, contracts.CodeInvalidInput,
	contracts.CodeTokenInvalid, contracts.CodeVerdictClosed,
}

// invoke calls the tool of the verdict's kind, for the commit that was judged.
func (a *attempt) invoke(ctx context.Context, verdict contracts.Verdict) error {
	judge := a.judge.At(a.place.subject)
	caller := contracts.Caller{Role: contracts.RoleValidator, AgentID: a.who.validatorID}
	if verdict.Kind() == contracts.VerdictAttest {
		_, err := judge.Attest().Invoke(ctx, contracts.AttestInput{
			ProjectRoot: a.opts.ProjectRoot, Caller: caller, Attestation: verdict.Canonical(),
		})
		return err
	}
	_, err := judge.Reject().Invoke(ctx, contracts.RejectInput{
		ProjectRoot: a.opts.ProjectRoot, Caller: caller, Rejection: verdict.Canonical(),
	})
	return err
}
