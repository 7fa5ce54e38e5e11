package tools

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// minSpawnTier is the lowest tier that may spawn a Validator.
const minSpawnTier = 1

// Spawn is spawn.validator: prepare a worktree, a prompt and an environment for a fresh Validator. Only an orchestrator
// of tier 1 or above may call it.
func (s *Service) Spawn() Tool[contracts.SpawnInput, contracts.SpawnOutput] {
	return Tool[contracts.SpawnInput, contracts.SpawnOutput]{
		Name:        "spawn.validator",
		Description: "Prepare an independent Validator for a task: worktree, prompt, environment. Role orchestrator, tier 1 or above.",
		Invoke:      s.spawn,
	}
}

func (s *Service) spawn(ctx context.Context, in contracts.SpawnInput) (contracts.SpawnOutput, error) {
	if err := checkSpawnCaller(in.Caller); err != nil {
		return contracts.SpawnOutput{}, err
	}
	if err := s.checkProject(in.ProjectRoot); err != nil {
		return contracts.SpawnOutput{}, err
	}
	if err := contracts.CheckTaskID(in.TaskID); err != nil {
		return contracts.SpawnOutput{}, err
	}
	if _, err := s.store.Task(ctx, in.TaskID); err != nil {
		return contracts.SpawnOutput{}, err
	}
	result, err := s.opts.Preparer.Prepare(ctx, in)
	if err != nil {
		return contracts.SpawnOutput{}, err
	}
	return contracts.SpawnOutput{OK: true, Result: result}, nil
}

func checkSpawnCaller(caller contracts.Caller) error {
	if caller.Role != contracts.RoleOrchestrator {
		return contracts.Errorf(contracts.CodeSpawnAuthRole, "only an orchestrator may spawn a Validator, the caller's role is %q", caller.Role).
			WithFix("call it as the orchestrator; on the command line say --role orchestrator --tier 1")
	}
	if caller.Tier < minSpawnTier || caller.Tier > 2 {
		return contracts.Errorf(contracts.CodeSpawnAuthTier, "spawning a Validator needs tier 1 or 2, the caller's tier is %d", caller.Tier).
			WithFix("call it at tier 1; on the command line say --tier 1")
	}
	return nil
}
