package store

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

// RunSpec is a run to be begun.
type RunSpec struct {
	ID     string
	TaskID string
	// RetryMax is the budget: how many attempts the run may reserve. At least 1.
	RetryMax int
	// State is JSON that the store keeps and does not look into.
	State []byte
}

// Run is one unfinished run of a task.
type Run struct {
	ID       string
	TaskID   string
	RetryMax int
	State    []byte
	// Active is how long the run was driven, over all processes that drove it.
	Active    time.Duration
	StartedAt string
	// DecidedAt is the time of the last decision; empty when there was none.
	DecidedAt string
	// Entries are the audit rows in the order of the decisions.
	Entries []contracts.RetryEntry
	// Pending is the attempt that was reserved and not settled; nil when there is none.
	Pending *Reservation
	// Resumed says that the run was there before.
	Resumed bool
}

// Reservation is a slot of the budget that is taken.
type Reservation struct {
	AttemptNumber int
	ValidatorID   string
	ReservedAt    string
}

const (
	selectOpenRun = `
		SELECT
			id,
			task_id,
			retry_max,
			state,
			active_ms,
			started_at,
			coalesce(decided_at, '')
		FROM validator_runs
		WHERE task_id = ? AND outcome IS NULL`

	selectPending = `
		SELECT
			attempt_number,
			validator_id,
			reserved_at
		FROM validator_attempts
		WHERE run_id = ? AND settled_at IS NULL`

	selectEntries = `
		SELECT entry
		FROM validator_audit
		WHERE run_id = ?
		ORDER BY seq`
)

// OpenRun returns the unfinished run of the task, whatever else spec says, or begins the one that spec describes. An
// unknown task is [contracts.CodeTaskNotFound], a budget below 1 [contracts.CodeInvalidInput].
func (s *Store) OpenRun(ctx context.Context, spec RunSpec) (Run, error) {
	if spec.RetryMax < 1 {
		return Run{}, contracts.Errorf(contracts.CodeInvalidInput, "a budget of %d attempts allows none", spec.RetryMax).
			WithFix("allow at least one attempt")
	}
	var run Run
	err := s.write(ctx, "opening a run of "+spec.TaskID, func(tx *transaction) (err error) {
		if err := tx.mustHaveTask(spec.TaskID); err != nil {
			return err
		}
		if run, run.Resumed, err = tx.openRun(spec.TaskID); err != nil || run.Resumed {
			return err
		}
		run = Run{ID: spec.ID, TaskID: spec.TaskID, RetryMax: spec.RetryMax, State: spec.State, StartedAt: tx.now}
		_, err = tx.exec(`
			INSERT INTO validator_runs (id, task_id, retry_max, state, started_at)
			VALUES (?, ?, ?, ?, ?)`, run.ID, run.TaskID, run.RetryMax, string(run.State), run.StartedAt)
		return err
	})
	if err != nil {
		return Run{}, err
	}
	return run, nil
}

// openRun reads the unfinished run of a task, and false when there is none.
func (tx *transaction) openRun(taskID string) (run Run, found bool, err error) {
	var activeMs int64
	found, err = tx.row(selectOpenRun, []any{taskID},
		&run.ID, &run.TaskID, &run.RetryMax, &run.State, &activeMs, &run.StartedAt, &run.DecidedAt)
	if err != nil || !found {
		return Run{}, false, err
	}
	run.Active = time.Duration(activeMs) * time.Millisecond
	if run.Entries, err = tx.entries(run.ID); err != nil {
		return Run{}, false, err
	}
	run.Pending, err = tx.pending(run.ID)
	return run, err == nil, err
}

func (tx *transaction) entries(runID string) ([]contracts.RetryEntry, error) {
	var entries []contracts.RetryEntry
	err := tx.each(selectEntries, []any{runID}, func(scan scanner) error {
		var text string
		if err := scan(&text); err != nil {
			return err
		}
		var entry contracts.RetryEntry
		if err := json.Unmarshal([]byte(text), &entry); err != nil {
			return fmt.Errorf("reading an audit row of run %s: %w", runID, err)
		}
		entries = append(entries, entry)
		return nil
	})
	return entries, err
}

func (tx *transaction) pending(runID string) (*Reservation, error) {
	var r Reservation
	found, err := tx.row(selectPending, []any{runID}, &r.AttemptNumber, &r.ValidatorID, &r.ReservedAt)
	if err != nil || !found {
		return nil, err
	}
	return &r, nil
}
