package store

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cleocode/cleo-validator/contracts"
)

// NewTask is a task to be added. Its criteria get fresh ids, and ordinals in the order given.
type NewTask struct {
	ID    string
	Title string
	ACs   []NewAC
}

// NewAC is an acceptance criterion to be added.
type NewAC struct {
	Text string
	// Check is the machine check; nil when there is none. The store keeps it and does not look into it.
	Check *contracts.Check
}

// AddTasks adds every task or, on an error, none: [contracts.CodeTaskExists] when an id is in the ledger already or twice
// in the list, [contracts.CodeInvalidInput] for a malformed id, a blank title or a criterion without text.
func (s *Store) AddTasks(ctx context.Context, tasks []NewTask) error {
	if err := checkNewTasks(tasks); err != nil || len(tasks) == 0 {
		return err
	}
	return s.write(ctx, "adding tasks", func(tx *transaction) error {
		for _, task := range tasks {
			if err := tx.insertTask(task); err != nil {
				return err
			}
		}
		return nil
	})
}

func checkNewTasks(tasks []NewTask) error {
	seen := make(map[string]bool, len(tasks))
	for _, task := range tasks {
		if err := contracts.CheckTaskID(task.ID); err != nil {
			return err
		}
		if seen[task.ID] {
			return contracts.Errorf(contracts.CodeTaskExists, "task %s is in the list twice", task.ID).
				WithFix("give each task an id of its own")
		}
		seen[task.ID] = true
		if err := checkText("the title of "+task.ID, task.Title); err != nil {
			return err
		}
		for i, ac := range task.ACs {
			if err := checkText("criterion "+contracts.Alias(i+1)+" of "+task.ID, ac.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkText refuses what cannot be shown to anybody.
func checkText(what, text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return contracts.Errorf(contracts.CodeInvalidInput, "%s is blank", what).WithFix("say it in words")
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return contracts.Errorf(contracts.CodeInvalidInput, "%s is not text", what).WithFix("write it in UTF-8")
	}
	return nil
}

func (tx *transaction) insertTask(task NewTask) error {
	added, err := tx.exec(`
		INSERT INTO {tasks} (id, title, status, created_at, updated_at)
		VALUES (?, ?, 'pending', ?, ?)
		ON CONFLICT (id) DO NOTHING`, task.ID, task.Title, tx.now, tx.now)
	if err != nil {
		return err
	}
	if added == 0 {
		return contracts.Errorf(contracts.CodeTaskExists, "task %s exists", task.ID).
			WithFix("choose another id, or remove the task that has it")
	}
	for i, ac := range task.ACs {
		if err := tx.insertCriterion(task.ID, i+1, ac); err != nil {
			return err
		}
	}
	return nil
}

func (tx *transaction) insertCriterion(taskID string, ordinal int, ac NewAC) error {
	id := tx.newID()
	if !contracts.IsACID(id) {
		return fmt.Errorf("%q, made for a criterion, is not a UUID in lower case", id)
	}
	_, err := tx.exec(`
		INSERT INTO {criteria} (id, task_id, ordinal, text, created_at, updated_at, content_hash)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, id, taskID, ordinal, ac.Text, tx.now, tx.now, contentHash(ac.Text))
	if err != nil {
		return err
	}
	return tx.insertCheck(taskID, id, ac.Check)
}
