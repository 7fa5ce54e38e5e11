package store

import (
	"context"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

const selectWorkers = `
	SELECT
		task_id,
		agent_id
	FROM validator_workers
	{only}
	ORDER BY task_id, agent_id`

// RecordWorker notes that an agent works on a task, so that it cannot judge it. Noting it again changes nothing. An
// unknown task is [contracts.CodeTaskNotFound], a blank agent id [contracts.CodeInvalidInput].
func (s *Store) RecordWorker(ctx context.Context, taskID, agentID string) error {
	if strings.TrimSpace(agentID) == "" {
		return contracts.Errorf(contracts.CodeInvalidInput, "the worker's agent id is blank").
			WithFix("name the agent that works on %s", taskID)
	}
	return s.write(ctx, "recording a worker of "+taskID, func(tx *transaction) error {
		if err := tx.mustHaveTask(taskID); err != nil {
			return err
		}
		_, err := tx.exec(`
			INSERT INTO validator_workers (task_id, agent_id, recorded_at)
			VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`, taskID, agentID, tx.now)
		return err
	})
}

// addWorkers reads who worked on the tasks.
func (tx *transaction) addWorkers(of scope, tasks map[string]*Task) error {
	query, args := of.of(selectWorkers, "task_id")
	return tx.each(query, args, func(scan scanner) error {
		var taskID, agentID string
		if err := scan(&taskID, &agentID); err != nil {
			return err
		}
		if task := tasks[taskID]; task != nil {
			task.Workers = append(task.Workers, agentID)
		}
		return nil
	})
}
