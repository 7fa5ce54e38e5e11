package store

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// Task is one task of the ledger with its criteria. Times are RFC 3339 UTC text, empty when there is none.
type Task struct {
	ID          string
	Title       string
	Status      string
	CreatedAt   string
	UpdatedAt   string
	CompletedAt string
	// ACs are the criteria by ordinal.
	ACs []AC
	// Workers are the agents recorded as having worked on the task, in the order of their names.
	Workers []string
}

// StatusDone is the status of a completed task.
const StatusDone = "done"

// AC is one acceptance criterion.
type AC struct {
	ID string
	// Ordinal is 1-based; gaps are allowed.
	Ordinal int
	Text    string
	// ContentHash is the SHA-256 of Text in lower-case hex.
	ContentHash string
	// Check is the machine check; nil when there is none.
	Check *contracts.Check
	// Bound says that at least one binding of any type exists.
	Bound bool
}

// Alias returns the human name of the criterion, such as AC2.
func (ac AC) Alias() string { return contracts.Alias(ac.Ordinal) }

// Task returns one task, or an error with [contracts.CodeTaskNotFound].
func (s *Store) Task(ctx context.Context, id string) (Task, error) {
	var task Task
	err := s.read(ctx, "reading task "+id, func(tx *transaction) (err error) {
		task, err = tx.task(id)
		return err
	})
	return task, err
}

// Tasks returns every task in the order of their creation.
func (s *Store) Tasks(ctx context.Context) ([]Task, error) {
	var tasks []Task
	err := s.read(ctx, "reading the tasks", func(tx *transaction) (err error) {
		tasks, err = tx.tasks("")
		return err
	})
	return tasks, err
}

func taskNotFound(id string) error {
	return contracts.Errorf(contracts.CodeTaskNotFound, "there is no task %q", id).
		WithFix("cleo-validator task list shows the tasks there are, cleo-validator task add adds one")
}

// mustHaveTask returns an error unless the ledger has the task.
func (tx *transaction) mustHaveTask(id string) error {
	found, err := tx.row(`SELECT 1 FROM {tasks} WHERE id = ?`, []any{id}, new(int))
	if err == nil && !found {
		return taskNotFound(id)
	}
	return err
}
