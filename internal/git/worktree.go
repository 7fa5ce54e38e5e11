package git

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// AddWorktree checks commit out, detached, in a new worktree at path. Branches are left alone, so that worktrees may be
// added side by side.
func (r Repo) AddWorktree(ctx context.Context, path, commit string) error {
	_, err := r.Run(ctx, "worktree", "add", "--quiet", "--detach", "--", path, commit)
	return err
}

// RemoveWorktree removes the worktree at path with everything in it, and what the repository knows of it. One that is
// gone already, in whole or in part, is no error.
func (r Repo) RemoveWorktree(ctx context.Context, path string) error {
	out, err := r.dropWorktree(ctx, path)
	if err != nil || out.exit.Code == 0 {
		return err
	}
	if info, err := os.Lstat(filepath.Join(path, ".git")); err == nil && info.IsDir() {
		return out.failure("worktree") // the repository itself
	}
	if err := removeAll(path); err != nil {
		return fmt.Errorf("removing the worktree: %w", err)
	}
	out, err = r.dropWorktree(ctx, path)
	if err != nil || out.exit.Code == 0 || strings.Contains(out.stderr, "is not a working tree") {
		return err
	}
	return out.failure("worktree")
}

func (r Repo) dropWorktree(ctx context.Context, path string) (answer, error) {
	return r.call(ctx, nil, "worktree", "remove", "--force", "--force", "--", path) // twice: a locked one too
}

// removeAll removes a directory tree, also one in which a build made directories read-only.
func removeAll(path string) error {
	if err := os.RemoveAll(path); err == nil {
		return nil
	}
	_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(path)
}
