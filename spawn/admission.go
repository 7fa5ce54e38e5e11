package spawn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Preflight checks what can be checked before a run is opened: the task exists, the candidate resolves, nothing tracked is
// uncommitted, and there is a place for worktrees. Each failure is a [contracts.Error] that says what to do; untracked
// files are a warning, once. A task without criteria passes here: that is a fault, which the run records.
func (s *Spawner) Preflight(ctx context.Context, taskID string) error {
	if _, err := s.task(ctx, taskID); err != nil {
		return err
	}
	if !s.opts.NoWorktree {
		if _, err := s.yard(ctx); err != nil {
			return err
		}
	}
	return s.checkCandidate(ctx, s.opts.NoWorktree)
}

// checkCandidate makes sure that there is a candidate, and that it is all that there is.
func (s *Spawner) checkCandidate(ctx context.Context, noWorktree bool) error {
	subject, err := s.candidate(ctx, noWorktree)
	if err != nil || subject == (contracts.Subject{}) {
		return err
	}
	return s.checkClean(ctx)
}

func (s *Spawner) task(ctx context.Context, taskID string) (store.Task, error) {
	if err := contracts.CheckTaskID(taskID); err != nil {
		return store.Task{}, err
	}
	return s.ledger.Task(ctx, taskID)
}

// admit returns the task when a Validator of that id may judge it.
func (s *Spawner) admit(ctx context.Context, taskID, validatorID string) (store.Task, error) {
	task, err := s.task(ctx, taskID)
	if err != nil {
		return store.Task{}, err
	}
	if len(task.ACs) == 0 {
		return store.Task{}, &contracts.Fault{
			Kind: contracts.FaultNoACs, Message: taskID + " has no acceptance criteria to judge",
		}
	}
	if !contracts.IsValidatorID(validatorID) {
		return store.Task{}, contracts.Errorf(contracts.CodeInvalidInput, "%q is not a validator id", validatorID).
			WithFix("use validator- followed by lower-case letters, digits and hyphens")
	}
	if slices.Contains(task.Workers, validatorID) {
		return store.Task{}, contracts.Errorf(contracts.CodeNotIndependent, "%s worked on %s and cannot judge it", validatorID, taskID).
			WithFix("use a fresh validator id")
	}
	return task, nil
}

// candidate returns the commit to judge: zero in a project without one, which only NoWorktree allows.
func (s *Spawner) candidate(ctx context.Context, noWorktree bool) (contracts.Subject, error) {
	subject, err := resolveCandidate(ctx, s.repo, s.opts.Rev, s.opts.IncludeDirty)
	if !noWorktree {
		return subject, err
	}
	switch code := contracts.CodeOf(err); {
	case ctx.Err() != nil:
		return contracts.Subject{}, context.Cause(ctx)
	case s.opts.Rev == "" && (code == contracts.CodeNotARepository || code == contracts.CodeToolNotResolved):
		return contracts.Subject{}, nil
	case err != nil:
		return contracts.Subject{}, err
	}
	return subject, s.checkCheckedOut(ctx, subject)
}

// checkCheckedOut refuses a revision that is not what lies in the project.
func (s *Spawner) checkCheckedOut(ctx context.Context, subject contracts.Subject) error {
	if s.opts.Rev == "" {
		return nil
	}
	head, err := s.repo.Resolve(ctx, "HEAD")
	if err == nil && head != subject {
		return contracts.Errorf(contracts.CodeInvalidInput, "%q is not what is checked out, and without a worktree only that can be validated", s.opts.Rev).
			WithFix("leave out --no-worktree, or --commit")
	}
	return err
}

// checkClean refuses a project whose tracked files are not as HEAD has them: nobody would judge the difference.
func (s *Spawner) checkClean(ctx context.Context) error {
	changes, err := s.repo.Changes(ctx)
	if err != nil {
		return err
	}
	if s.opts.IncludeDirty {
		return nil
	}
	if n := len(changes.Tracked); n > 0 {
		return contracts.Errorf(contracts.CodeUncommitted, "uncommitted changes in %s: %s", countFiles(n, "tracked"), quoteSome(changes.Tracked)).
			WithFix("commit or stash the changes, or validate a snapshot of them (--include-dirty)").
			WithDetail("paths", changes.Tracked[:min(n, 1000)])
	}
	if n := len(changes.Untracked); n > 0 {
		s.untracked.Do(func() {
			s.opts.Warn(fmt.Sprintf("not part of the candidate, because git does not track them: %s (%s)", countFiles(n, "untracked"), quoteSome(changes.Untracked)))
		})
	}
	return nil
}

func countFiles(n int, kind string) string {
	if n == 1 {
		return "1 " + kind + " file"
	}
	return fmt.Sprintf("%d %s files", n, kind)
}

// quoteSome names the first few paths.
func quoteSome(paths []string) string {
	const some = 5
	var quoted []string
	for _, path := range paths[:min(len(paths), some)] {
		quoted = append(quoted, fmt.Sprintf("%q", path))
	}
	if len(paths) > some {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}
