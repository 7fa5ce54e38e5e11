package tools

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Attest is validator.attest: accept an attestation and write one coverage binding per criterion, in one transaction.
// The checks run in the order of the specification (role, envelope, task, criteria, completeness, independence); the
// first that fails wins and nothing is written. Attesting again with the same Validator id writes no second row.
func (s *Service) Attest() Tool[contracts.AttestInput, contracts.AttestOutput] {
	return Tool[contracts.AttestInput, contracts.AttestOutput]{
		Name:        "validator.attest",
		Description: "Ship the verdict that every acceptance criterion of the task passes. Role validator only.",
		Idempotent:  true,
		Invoke:      s.attest,
	}
}

func (s *Service) attest(ctx context.Context, in contracts.AttestInput) (contracts.AttestOutput, error) {
	if err := s.admitCaller(in.Caller, in.ProjectRoot); err != nil {
		return contracts.AttestOutput{}, err
	}
	verdict, err := parse(in.Attestation, contracts.VerdictAttest)
	if err != nil {
		return contracts.AttestOutput{}, s.refineEnvelopeError(ctx, in.Attestation, err)
	}
	findings := verdict.Findings()
	receipt, err := s.record(ctx, verdict, in.Caller, func(task store.Task) error {
		if err := checkBelong(task, findings); err != nil {
			return err
		}
		if in.AllowPartial {
			return nil
		}
		return checkComplete(task, findings)
	})
	if err != nil {
		return contracts.AttestOutput{}, err
	}
	return contracts.AttestOutput{
		OK:              true,
		BindingsWritten: len(receipt.BindingIDs),
		BindingIDs:      receipt.BindingIDs,
		ProcessedAt:     receipt.RecordedAt,
	}, nil
}
