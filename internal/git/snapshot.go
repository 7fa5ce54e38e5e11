package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// Snapshot returns a commit, on top of HEAD, of the work tree as it is: tracked files and those that are neither tracked
// nor ignored. No ref, index or file of the project is touched; only objects are added. The same state on the same HEAD
// gives the same commit, and a state that is HEAD's gives HEAD. Errors are those of [Repo.Resolve].
func (r Repo) Snapshot(ctx context.Context) (contracts.Subject, error) {
	head, err := r.Resolve(ctx, "HEAD")
	if err != nil {
		return contracts.Subject{}, err
	}
	scratch, err := os.MkdirTemp("", "cleo-validator-index-")
	if err != nil {
		return contracts.Subject{}, fmt.Errorf("making a scratch index: %w", err)
	}
	defer os.RemoveAll(scratch)
	index := filepath.Join(scratch, "index")
	if err := r.copyIndex(ctx, index); err != nil {
		return contracts.Subject{}, err
	}
	tree, err := r.treeOfWork(ctx, index)
	if err != nil || tree == head.Tree {
		return head, err
	}
	commit, err := r.commitOf(ctx, tree, head.Commit)
	return contracts.Subject{Commit: commit, Tree: tree}, err
}

// copyIndex copies the project's index: it knows what was added though ignored, and what a sparse checkout leaves out.
func (r Repo) copyIndex(ctx context.Context, to string) error {
	path, err := r.locate(ctx, "--path-format=absolute", "--git-path", "index")
	if err != nil {
		return err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("copying the index: %w", err)
	}
	return nil
}

// treeOfWork writes the work tree as a tree object, by way of the given index.
func (r Repo) treeOfWork(ctx context.Context, index string) (string, error) {
	env := []string{"GIT_INDEX_FILE=" + index}
	if _, err := r.runWith(ctx, env, append([]string{"add", "--all"}, ownPaths...)...); err != nil {
		return "", err
	}
	tree, err := r.runWith(ctx, env, "write-tree")
	return strings.TrimSpace(tree), err
}

// commitOf makes a commit of tree on top of parent, at the parent's own time.
func (r Repo) commitOf(ctx context.Context, tree, parent string) (string, error) {
	when, err := r.Run(ctx, "show", "--no-patch", "--no-show-signature", "--format=%ct", parent)
	if err != nil {
		return "", err
	}
	date := "@" + strings.TrimSpace(when) + " +0000"
	env := slices.Concat(identity, []string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date})
	commit, err := r.runWith(ctx, env, "commit-tree", tree, "-p", parent, "-m", "Uncommitted state, taken for validation")
	return strings.TrimSpace(commit), err
}
