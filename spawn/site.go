package spawn

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// site is where one attempt takes place.
type site struct {
	// dir is the Validator's working directory: the project, in its worktree.
	dir string
	// worktree is nil without one.
	worktree *worktree
	subject  contracts.Subject
	keep     bool
	warn     func(string)
}

// open makes the place of an attempt at the candidate as it is now. The caller closes it.
func (s *Spawner) open(ctx context.Context, name string, noWorktree bool) (*site, error) {
	subject, err := s.candidate(ctx, noWorktree)
	if err != nil {
		return nil, err
	}
	place := &site{dir: s.opts.ProjectRoot, subject: subject, keep: s.opts.Keep, warn: s.opts.Warn}
	if noWorktree {
		return place, nil
	}
	yard, err := s.yard(ctx)
	if err != nil {
		return nil, err
	}
	prefix, err := s.repo.Prefix(ctx)
	if err != nil {
		return nil, err
	}
	place.worktree, err = yard.add(ctx, name, subject.Commit)
	if err != nil {
		return nil, err
	}
	place.dir = filepath.Join(place.worktree.path, prefix)
	if info, err := os.Stat(place.dir); err != nil || !info.IsDir() {
		place.worktree.Close(ctx)
		return nil, contracts.Errorf(contracts.CodeSpawnFailed, "commit %s has no directory %q, where the project is", subject.Commit, prefix).
			WithFix("commit the project's directory, or name a commit that has it")
	}
	return place, nil
}

// lease hands the worktree out until then; it is not to be closed afterwards.
func (p *site) lease(ctx context.Context, until time.Time) error {
	if p.worktree == nil {
		return nil
	}
	err := p.worktree.Lease(until)
	if err != nil {
		p.worktree.Close(ctx)
	}
	return err
}

// Close removes the worktree, unless it is to be kept.
func (p *site) Close(ctx context.Context) {
	switch {
	case p.worktree == nil:
	case !p.keep:
		p.worktree.Close(ctx)
	default:
		if err := p.worktree.Keep(); err != nil {
			p.warn(err.Error())
			return
		}
		p.warn("the worktree is kept: " + p.worktree.path)
	}
}
