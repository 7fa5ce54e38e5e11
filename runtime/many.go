package runtime

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/cleocode/cleo-validator/contracts"
)

// TaskResult is how the run of one of several tasks ended: what [RunMaxN] returned for it.
type TaskResult struct {
	TaskID string
	Result Result
	Err    error
}

// RunMany drives the tasks side by side, at most limit at once, and returns their results in the order of taskIDs. An
// error or an escalation of one never stops the others. When the call cannot be carried out (a task named twice, a limit
// below 1), nothing is started and every result carries the same [*contracts.Error] with [contracts.CodeInvalidInput].
func RunMany(ctx context.Context, taskIDs []string, limit int, crew Crew, opts Options) []TaskResult {
	results := make([]TaskResult, len(taskIDs))
	refusal := checkMany(taskIDs, limit)
	for i, id := range taskIDs {
		results[i] = TaskResult{TaskID: id, Result: Result{TaskID: id}, Err: refusal}
	}
	if refusal != nil {
		return results
	}
	var group errgroup.Group
	group.SetLimit(limit)
	for i, id := range taskIDs {
		group.Go(func() error {
			results[i].Result, results[i].Err = RunMaxN(ctx, id, crew, opts)
			return nil
		})
	}
	_ = group.Wait() // the functions return nil: each task has its own error
	return results
}

func checkMany(taskIDs []string, limit int) error {
	if limit < 1 {
		return contracts.Errorf(contracts.CodeInvalidInput, "at least 1 task has to run at a time, not %d", limit)
	}
	seen := make(map[string]bool, len(taskIDs))
	for _, id := range taskIDs {
		if seen[id] {
			return contracts.Errorf(contracts.CodeInvalidInput, "task %q is named twice", id).
				WithFix("name each task once")
		}
		seen[id] = true
	}
	return nil
}
