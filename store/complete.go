package store

import "context"

// Complete marks a task as done when decide returns nil. decide sees the coverage within the transaction and may take its
// time; while it does, no other process writes. It must not write to the store itself. Its error is returned as it is and
// nothing changes. A task that is done already stays as it is, and decide is not asked.
func (s *Store) Complete(ctx context.Context, taskID string, decide func(Coverage) error) (alreadyDone bool, err error) {
	var refused error
	err = s.write(ctx, "completing "+taskID, func(tx *transaction) error {
		c, err := tx.coverage(taskID)
		if err != nil {
			return err
		}
		if alreadyDone = c.Task.Status == StatusDone; alreadyDone {
			return nil
		}
		if refused = decide(c); refused != nil {
			return refused
		}
		return tx.markDone(taskID)
	})
	if refused != nil {
		return false, refused
	}
	return alreadyDone && err == nil, err
}

func (tx *transaction) markDone(taskID string) error {
	_, err := tx.exec(`
		UPDATE {tasks}
		SET
			status = ?,
			updated_at = ?,
			completed_at = ?
		WHERE id = ?`, StatusDone, tx.now, tx.now, taskID)
	return err
}
