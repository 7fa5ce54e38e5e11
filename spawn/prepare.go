package spawn

import (
	"context"
	"errors"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// leaseTime is how long a worktree that was handed out is left alone.
const leaseTime = 24 * time.Hour

// Prepare makes everything for one Validator and starts nothing: spawn.validator hands the result to a harness. The
// worktree is the harness's for 24 hours, after which the next run in the project removes it. The checks are those of
// [Spawner.Preflight]; a task without criteria is an error with [contracts.CodeNoACs].
func (s *Spawner) Prepare(ctx context.Context, in contracts.SpawnInput) (contracts.SpawnResult, error) {
	id := s.opts.NewID()
	task, err := s.admit(ctx, in.TaskID, "validator-"+id)
	if fault, ok := errors.AsType[*contracts.Fault](err); ok {
		err = contracts.Errorf(contracts.CodeNoACs, "%s", fault.Message).WithFix("add acceptance criteria to the task")
	}
	if err != nil {
		return contracts.SpawnResult{}, err
	}
	if err := checkAttempt(id, 1); err != nil {
		return contracts.SpawnResult{}, err
	}
	noWorktree := in.NoWorktree || s.opts.NoWorktree
	if err := s.checkCandidate(ctx, noWorktree); err != nil {
		return contracts.SpawnResult{}, err
	}
	place, err := s.open(ctx, id+"-1", noWorktree)
	if err != nil {
		return contracts.SpawnResult{}, err
	}
	if err := place.lease(ctx, s.opts.Now().Add(leaseTime)); err != nil {
		return contracts.SpawnResult{}, err
	}
	who := s.identify(in.TaskID, "validator-"+id, 1)
	return contracts.SpawnResult{
		TaskID: in.TaskID, ValidatorID: who.validatorID, SessionID: who.sessionID,
		WorktreePath: place.dir, Commit: place.subject.Commit,
		Prompt:      s.prompt(task, who, place, in.SpawnScope, contracts.Verdict{}),
		Environment: s.validatorEnvironment(who, tierNormal),
	}, nil
}
