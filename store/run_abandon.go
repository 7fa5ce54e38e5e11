package store

import "context"

// outcomeAbandoned ends a run that is not gone on with.
const outcomeAbandoned = "abandoned"

// AbandonRun gives up the unfinished run of a task and returns it as it was, and false when there is none. The next
// [Store.OpenRun] then begins one with a budget of its own.
func (s *Store) AbandonRun(ctx context.Context, taskID string) (Run, bool, error) {
	var (
		run   Run
		found bool
	)
	err := s.write(ctx, "giving up the run of "+taskID, func(tx *transaction) (err error) {
		if run, found, err = tx.openRun(taskID); err != nil || !found {
			return err
		}
		run.Resumed = true
		return tx.abandonRun(taskID)
	})
	if err != nil {
		return Run{}, false, err
	}
	return run, found, nil
}

// abandonRun ends the unfinished run of a task, if there is one.
func (tx *transaction) abandonRun(taskID string) error {
	_, err := tx.exec(`
		UPDATE validator_runs
		SET
			outcome = ?,
			ended_at = ?
		WHERE task_id = ? AND outcome IS NULL`, outcomeAbandoned, tx.now, taskID)
	return err
}
