package evidence

import (
	"context"
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

// evaluateCommit looks for the commit in the history of the one under validation. A commit that exists elsewhere
// only, in another branch or another repository, is not part of the candidate.
func evaluateCommit(ctx context.Context, site Site, atom Atom) (Result, error) {
	repo := git.At(site.Dir)
	head := site.Head
	if head == "" {
		subject, err := repo.Resolve(ctx, "HEAD")
		if err != nil {
			return Result{}, asFault(ctx, contracts.FaultToolNotResolved, "resolving HEAD for "+atom.String(), err)
		}
		head = subject.Commit
	}
	reachable, err := repo.Reachable(ctx, atom.Payload, head)
	if err != nil {
		return Result{}, asFault(ctx, contracts.FaultToolNotResolved, "looking for "+atom.String(), err)
	}
	result := Result{Kind: atom.Kind, Payload: atom.Payload, OK: reachable}
	if reachable {
		result.Reason = fmt.Sprintf("commit %s is part of the history of %s", atom.Payload, head)
	} else {
		result.Reason = fmt.Sprintf("commit %s is absent or not reachable from %s", atom.Payload, head)
	}
	return result, nil
}
