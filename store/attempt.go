package store

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// The budget of the run comes from its own row, so that the schema holds the number against it.
const insertAttempt = `
	INSERT INTO validator_attempts (run_id, attempt_number, retry_max, validator_id, reserved_at)
	SELECT id, ?, retry_max, ?, ?
	FROM validator_runs
	WHERE id = ? AND outcome IS NULL`

// ReserveAttempt takes slot n, 1-based, of the run's budget before a Validator is started. The schema refuses a slot that
// is taken or spent, one beyond the budget, and a second one while another is pending: an error with
// [contracts.CodeRunBusy], as for a run that has ended.
func (s *Store) ReserveAttempt(ctx context.Context, runID string, n int, validatorID string) error {
	return s.write(ctx, "reserving an attempt", func(tx *transaction) error {
		reserved, err := tx.exec(insertAttempt, n, validatorID, tx.now, runID)
		if violates(err) {
			return contracts.Errorf(contracts.CodeRunBusy, "attempt %d of run %s cannot be reserved: %w", n, runID, err).
				WithFix("let the process that drives the run finish, then run again")
		}
		if err == nil && reserved == 0 {
			return notOpen(runID)
		}
		return err
	})
}

// ReleaseAttempt hands back slot n of an attempt that was cancelled, as if it had never been reserved. A slot that is not
// pending is an error with [contracts.CodeRunBusy].
func (s *Store) ReleaseAttempt(ctx context.Context, runID string, n int) error {
	return s.write(ctx, "releasing an attempt", func(tx *transaction) error {
		released, err := tx.exec(`
			DELETE FROM validator_attempts
			WHERE run_id = ? AND attempt_number = ? AND settled_at IS NULL`, runID, n)
		if err == nil && released == 0 {
			return notPending(runID, n)
		}
		return err
	})
}

// settleAttempt marks slot n as spent.
func (tx *transaction) settleAttempt(runID string, n int) error {
	settled, err := tx.exec(`
		UPDATE validator_attempts
		SET settled_at = ?
		WHERE run_id = ? AND attempt_number = ? AND settled_at IS NULL`, tx.now, runID, n)
	if err == nil && settled == 0 {
		return notPending(runID, n)
	}
	return err
}

func notPending(runID string, n int) error {
	return contracts.Errorf(contracts.CodeRunBusy, "attempt %d of run %s is not under way", n, runID).
		WithFix("another process went on with the run; run again to see where it stands")
}

func notOpen(runID string) error {
	return contracts.Errorf(contracts.CodeRunBusy, "run %s has ended, or there is none", runID).
		WithFix("another process ended the run; run again to begin a new one")
}
