package store

import (
	"context"
	"errors"
)

// RemoveTask removes a task with its criteria, bindings, machine checks and Workers, and gives up its unfinished run.
// Verdicts and audit rows stay. An unknown task is [contracts.CodeTaskNotFound].
func (s *Store) RemoveTask(ctx context.Context, id string) error {
	return s.write(ctx, "removing task "+id, func(tx *transaction) error {
		removed, err := tx.exec(`DELETE FROM {tasks} WHERE id = ?`, id)
		if err != nil {
			return err
		}
		if removed == 0 {
			return taskNotFound(id)
		}
		_, checks := tx.exec(`DELETE FROM validator_checks WHERE task_id = ?`, id)
		_, workers := tx.exec(`DELETE FROM validator_workers WHERE task_id = ?`, id)
		return errors.Join(checks, workers, tx.abandonRun(id))
	})
}
