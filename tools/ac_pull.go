package tools

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// ACPull is validator.ac-pull: the task's acceptance criteria in their order. Anyone may call it.
// A known task without criteria is an empty list; an unknown one is [contracts.CodeTaskNotFound].
func (s *Service) ACPull() Tool[contracts.ACPullInput, contracts.ACPullOutput] {
	return Tool[contracts.ACPullInput, contracts.ACPullOutput]{
		Name:        "validator.ac-pull",
		Description: "List the acceptance criteria of a task: UUID, alias, text, and whether each is already bound to evidence.",
		ReadOnly:    true,
		Idempotent:  true,
		Invoke:      s.acPull,
	}
}

func (s *Service) acPull(ctx context.Context, in contracts.ACPullInput) (contracts.ACPullOutput, error) {
	if err := s.checkProject(in.ProjectRoot); err != nil {
		return contracts.ACPullOutput{}, err
	}
	if err := contracts.CheckTaskID(in.TaskID); err != nil {
		return contracts.ACPullOutput{}, err
	}
	task, err := s.store.Task(ctx, in.TaskID)
	if err != nil {
		return contracts.ACPullOutput{}, err
	}
	return contracts.ACPullOutput{OK: true, TaskID: task.ID, ACs: criteria(task.ACs)}, nil
}

func criteria(acs []store.AC) []contracts.Criterion {
	out := make([]contracts.Criterion, 0, len(acs))
	for _, ac := range acs {
		status := contracts.BindingUnsatisfied
		if ac.Bound {
			status = contracts.BindingSatisfied
		}
		out = append(out, contracts.Criterion{
			ID: ac.ID, Alias: ac.Alias(), Ordinal: ac.Ordinal, Text: ac.Text, BindingStatus: status,
		})
	}
	return out
}
