package store

import (
	"context"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// VerdictRecord is a verdict to be recorded.
type VerdictRecord struct {
	Verdict contracts.Verdict
	// Subject is the commit that was judged; zero in a project without git.
	Subject contracts.Subject
	// AgentID names who shipped the verdict; empty when unknown.
	AgentID string
	// Admit sees the task as it is within the transaction. When it returns an error, nothing is written and the error is
	// returned as it is. Nil admits everything. It must not write to the store.
	Admit func(Task) error
}

// Receipt is the answer to a recorded verdict.
type Receipt struct {
	// BindingIDs are the rows that stand for the attestation, in the order of its findings; nil for a rejection.
	BindingIDs []string
	// RecordedAt is when the envelope was first accepted.
	RecordedAt string
	// Repeated says that the very same envelope was accepted before and that this is the first answer again.
	Repeated bool
}

// RecordVerdict keeps an envelope and, for an attestation, writes one coverage binding per finding under
// [contracts.AtomID], in one transaction. A Validator that attests again gets the same bindings. The errors are Admit's
// own, [contracts.CodeTaskNotFound], and [contracts.CodeACNotFound] for a finding about a criterion of no such task.
func (s *Store) RecordVerdict(ctx context.Context, r VerdictRecord) (Receipt, error) {
	if r.Verdict.IsZero() {
		return Receipt{}, contracts.Errorf(contracts.CodeVerdictInvalid, "there is no verdict to record").
			WithFix("parse the envelope first")
	}
	var (
		receipt Receipt
		refused error
	)
	err := s.write(ctx, "recording the verdict on "+r.Verdict.TaskID(), func(tx *transaction) error {
		task, err := tx.task(r.Verdict.TaskID())
		if err != nil {
			return err
		}
		if r.Admit != nil {
			if refused = r.Admit(task); refused != nil {
				return refused
			}
		}
		receipt, err = tx.record(r, task)
		return err
	})
	if refused != nil {
		return Receipt{}, refused
	}
	if err != nil {
		return Receipt{}, err
	}
	return receipt, nil
}

func (tx *transaction) record(r VerdictRecord, task Task) (Receipt, error) {
	findings := r.Verdict.Findings()
	hashes, err := textHashes(task, findings)
	if err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{RecordedAt: tx.now}
	receipt.Repeated, err = tx.row(selectVerdict, []any{r.Verdict.Digest()}, &receipt.RecordedAt)
	if err == nil && !receipt.Repeated {
		err = tx.insertVerdict(r, findings, hashes)
	}
	if err == nil && r.Verdict.Kind() == contracts.VerdictAttest {
		receipt.BindingIDs, err = tx.bind(contracts.AtomID(r.Verdict.ValidatorID(), task.ID), findings)
	}
	return receipt, err
}

// textHashes returns the hash of the text that each finding is about.
func textHashes(task Task, findings []contracts.Finding) (map[string]string, error) {
	hashes := make(map[string]string, len(task.ACs))
	for _, ac := range task.ACs {
		hashes[ac.ID] = ac.ContentHash
	}
	var strange []string
	for _, f := range findings {
		if hashes[f.ACID] == "" {
			strange = append(strange, f.ACID)
		}
	}
	if len(strange) > 0 {
		return nil, contracts.Errorf(contracts.CodeACNotFound, "%s has no acceptance criterion %s",
			task.ID, strings.Join(strange, ", ")).WithFix("judge the criteria that validator.ac-pull lists for %s", task.ID)
	}
	return hashes, nil
}
