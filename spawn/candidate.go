package spawn

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

// resolveCandidate returns the commit that rev names now (HEAD when it is empty), or a snapshot of the dirty state.
func resolveCandidate(ctx context.Context, repo git.Repo, rev string, dirty bool) (contracts.Subject, error) {
	if dirty {
		return repo.Snapshot(ctx)
	}
	if rev == "" {
		rev = "HEAD"
	}
	return repo.Resolve(ctx, rev)
}
