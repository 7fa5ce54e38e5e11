package store

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cleocode/cleo-validator/contracts"
)

// Decision is what the runtime decided, to be committed before it acts on it.
type Decision struct {
	RunID string
	// State replaces the run's state.
	State []byte
	// Active replaces how long the run was driven.
	Active time.Duration
	// Entry is the audit row. Nil: only the state changes.
	Entry *contracts.RetryEntry
	// Settles is the number of the reserved attempt that was decided on; 0 when there is none.
	Settles int
	// Outcome ends the run. Empty: it goes on.
	Outcome string
}

// CommitDecision commits a decision whole. A run that has ended, or an attempt that is not pending, is an error with
// [contracts.CodeRunBusy].
func (s *Store) CommitDecision(ctx context.Context, d Decision) error {
	return s.write(ctx, "committing a decision", func(tx *transaction) error {
		if err := tx.updateRun(d); err != nil {
			return err
		}
		if d.Settles != 0 {
			if err := tx.settleAttempt(d.RunID, d.Settles); err != nil {
				return err
			}
		}
		if d.Entry == nil {
			return nil
		}
		return tx.insertEntry(d.RunID, *d.Entry)
	})
}

func (tx *transaction) updateRun(d Decision) error {
	var outcome, endedAt *string
	if d.Outcome != "" {
		outcome, endedAt = &d.Outcome, &tx.now
	}
	updated, err := tx.exec(`
		UPDATE validator_runs
		SET
			state = ?,
			active_ms = ?,
			decided_at = ?,
			outcome = ?,
			ended_at = ?
		WHERE id = ? AND outcome IS NULL`,
		string(d.State), d.Active.Milliseconds(), tx.now, outcome, endedAt, d.RunID)
	if err == nil && updated == 0 {
		return notOpen(d.RunID)
	}
	return err
}

// insertEntry appends an audit row. Bytes that are not UTF-8, as a program's output may have, are replaced.
func (tx *transaction) insertEntry(runID string, entry contracts.RetryEntry) error {
	text, err := json.Marshal(entry, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("encoding an audit row: %w", err)
	}
	_, err = tx.exec(`
		INSERT INTO validator_audit (run_id, seq, entry)
		SELECT ?1, coalesce(max(seq), 0) + 1, ?2
		FROM validator_audit
		WHERE run_id = ?1`, runID, string(text))
	return err
}
