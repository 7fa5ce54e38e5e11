package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Each of these reads one task where {only} is a condition, and every task where it is empty.
const (
	selectTasks = `
		SELECT
			id,
			title,
			status,
			created_at,
			coalesce(updated_at, ''),
			coalesce(completed_at, '')
		FROM {tasks}
		{only}
		ORDER BY rowid`

	selectCriteria = `
		SELECT
			c.task_id,
			c.id,
			c.ordinal,
			c.text,
			EXISTS (SELECT 1 FROM {bindings} b WHERE b.ac_id = c.id)
		FROM {criteria} c
		{only}
		ORDER BY c.task_id, c.ordinal`
)

// scope is what is read: one task, or every task when it is empty.
type scope string

// of puts the condition into a statement and returns its arguments. column is the one that holds the task's id.
func (s scope) of(query, column string) (string, []any) {
	if s == "" {
		return strings.Replace(query, "{only}", "", 1), nil
	}
	return strings.Replace(query, "{only}", "WHERE "+column+" = ?", 1), []any{string(s)}
}

// task reads one task with all that belongs to it.
func (tx *transaction) task(id string) (Task, error) {
	if id == "" {
		return Task{}, taskNotFound(id)
	}
	tasks, err := tx.tasks(scope(id))
	if err != nil {
		return Task{}, err
	}
	if len(tasks) == 0 {
		return Task{}, taskNotFound(id)
	}
	return tasks[0], nil
}

func (tx *transaction) tasks(of scope) ([]Task, error) {
	var tasks []Task
	query, args := of.of(selectTasks, "id")
	err := tx.each(query, args, func(scan scanner) error {
		var t Task
		err := scan(&t.ID, &t.Title, &t.Status, &t.CreatedAt, &t.UpdatedAt, &t.CompletedAt)
		tasks = append(tasks, t)
		return err
	})
	if err != nil || len(tasks) == 0 {
		return nil, err
	}
	byID := make(map[string]*Task, len(tasks))
	for i := range tasks {
		byID[tasks[i].ID] = &tasks[i]
	}
	for _, load := range []func(scope, map[string]*Task) error{tx.addCriteria, tx.addChecks, tx.addWorkers} {
		if err := load(of, byID); err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// addCriteria reads the criteria by ordinal. The hash is made of the text as it is now, since whoever changed the text may
// not have changed the column that repeats it.
func (tx *transaction) addCriteria(of scope, tasks map[string]*Task) error {
	query, args := of.of(selectCriteria, "c.task_id")
	return tx.each(query, args, func(scan scanner) error {
		var (
			taskID string
			ac     AC
		)
		if err := scan(&taskID, &ac.ID, &ac.Ordinal, &ac.Text, &ac.Bound); err != nil {
			return fmt.Errorf("reading a criterion: %w", err)
		}
		ac.ContentHash = contentHash(ac.Text)
		if task := tasks[taskID]; task != nil {
			task.ACs = append(task.ACs, ac)
		}
		return nil
	})
}

// contentHash is the SHA-256 of a criterion's text in lower-case hex.
func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
