package tools

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Reject is validator.reject: keep a rejection for operators and for the next Worker. It writes no binding, since a
// rejection is the absence of one. The checks are those of [Service.Attest] but for completeness: one criterion that
// fails is reason enough to reject.
func (s *Service) Reject() Tool[contracts.RejectInput, contracts.RejectOutput] {
	return Tool[contracts.RejectInput, contracts.RejectOutput]{
		Name:        "validator.reject",
		Description: "Ship the verdict that at least one acceptance criterion fails or is inconclusive. Role validator only.",
		Idempotent:  true,
		Invoke:      s.reject,
	}
}

func (s *Service) reject(ctx context.Context, in contracts.RejectInput) (contracts.RejectOutput, error) {
	if err := s.admitCaller(in.Caller, in.ProjectRoot); err != nil {
		return contracts.RejectOutput{}, err
	}
	verdict, err := parse(in.Rejection, contracts.VerdictReject)
	if err != nil {
		return contracts.RejectOutput{}, s.refineEnvelopeError(ctx, in.Rejection, err)
	}
	rejection, _ := verdict.Rejection()
	receipt, err := s.record(ctx, verdict, in.Caller, func(task store.Task) error {
		return checkBelong(task, rejection.Findings)
	})
	if err != nil {
		return contracts.RejectOutput{}, err
	}
	failing := failingACIDs(rejection.Findings)
	return contracts.RejectOutput{
		OK:                  true,
		Rejection:           rejection,
		FailingFindingCount: len(failing),
		FailingACIDs:        failing,
		ProcessedAt:         receipt.RecordedAt,
	}, nil
}

func failingACIDs(findings []contracts.Finding) []string {
	var ids []string
	for _, f := range findings {
		if f.Status != contracts.StatusPass {
			ids = append(ids, f.ACID)
		}
	}
	return ids
}
