package git

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
)

// TopLevel returns the absolute path of the work tree's root. The error is a [contracts.Error] with
// [contracts.CodeNotARepository] when there is none.
func (r Repo) TopLevel(ctx context.Context) (string, error) {
	return r.locate(ctx, "--show-toplevel")
}

// Prefix returns the path from the work tree's root to the directory, with a slash at its end; empty at the root itself.
// Errors are those of [Repo.TopLevel].
func (r Repo) Prefix(ctx context.Context) (string, error) {
	return r.locate(ctx, "--show-prefix")
}

// CommonDir returns the absolute path of the directory that all worktrees of the repository share. Errors are those of
// [Repo.TopLevel].
func (r Repo) CommonDir(ctx context.Context) (string, error) {
	return r.locate(ctx, "--path-format=absolute", "--git-common-dir")
}

// locate asks where something of the repository is.
func (r Repo) locate(ctx context.Context, question ...string) (string, error) {
	out, err := r.call(ctx, nil, append([]string{"rev-parse"}, question...)...)
	if errors.Is(err, fs.ErrNotExist) {
		return "", r.notARepository()
	}
	if err != nil {
		return "", err
	}
	if out.exit.Code == 0 {
		return strings.TrimSuffix(out.stdout, "\n"), nil // a path may hold line breaks of its own
	}
	if strings.Contains(out.stderr, "not a git repository") || strings.Contains(out.stderr, "must be run in a work tree") {
		return "", r.notARepository()
	}
	return "", out.failure("rev-parse")
}

func (r Repo) notARepository() error {
	return contracts.Errorf(contracts.CodeNotARepository, "%q is not the work tree of a git repository", r.dir).
		WithFix("run it in a git repository, or validate without one (--no-worktree)")
}

// Resolve returns the commit that rev names, and its tree, by their full ids. The error is a [contracts.Error]: with
// [contracts.CodeNotARepository] where there is no repository or no commit, with [contracts.CodeInvalidInput] for an
// unknown or ambiguous rev.
func (r Repo) Resolve(ctx context.Context, rev string) (contracts.Subject, error) {
	commit, found, err := r.commitID(ctx, rev)
	if err != nil {
		return contracts.Subject{}, err
	}
	if !found {
		return contracts.Subject{}, r.whyUnknown(ctx, rev)
	}
	tree, err := r.Run(ctx, "rev-parse", "--verify", commit+"^{tree}")
	if err != nil {
		return contracts.Subject{}, err
	}
	return contracts.Subject{Commit: commit, Tree: strings.TrimSpace(tree)}, nil
}

// commitID returns the full id of the commit that rev names, and false when it names none.
func (r Repo) commitID(ctx context.Context, rev string) (string, bool, error) {
	if rev == "" || strings.ContainsRune(rev, 0) {
		return "", false, nil
	}
	out, err := r.call(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", false, err
	}
	return strings.TrimSpace(out.stdout), err == nil && out.exit.Code == 0, nil
}

// whyUnknown tells a revision that is not there from a repository that has none.
func (r Repo) whyUnknown(ctx context.Context, rev string) error {
	if _, err := r.TopLevel(ctx); err != nil {
		return err
	}
	_, anything, err := r.commitID(ctx, "HEAD")
	if err != nil {
		return err
	}
	if !anything {
		return contracts.Errorf(contracts.CodeNotARepository, "the repository around %q has no commit", r.dir).
			WithFix("commit the candidate first")
	}
	return contracts.Errorf(contracts.CodeInvalidInput, "%q names no commit", rev).
		WithFix("name a commit, branch or tag of the repository; git log lists commits")
}

var objectID = regexp.MustCompile(`^[0-9a-fA-F]{4,64}$`)

// Reachable reports whether commit, an id that may be abbreviated, exists and is from or one of its ancestors. An id that
// is absent, ambiguous or no id at all is not reachable, which is no error.
func (r Repo) Reachable(ctx context.Context, commit, from string) (bool, error) {
	if !objectID.MatchString(commit) {
		return false, nil
	}
	id, found, err := r.commitID(ctx, commit)
	if err != nil || !found || !strings.HasPrefix(id, strings.ToLower(commit)) { // a ref may have the name of an id
		return false, err
	}
	out, err := r.call(ctx, nil, "merge-base", "--is-ancestor", "--end-of-options", id, from)
	if err != nil {
		return false, err
	}
	switch out.exit.Code {
	case 0:
		return true, nil
	case 1:
		return false, nil
	}
	return false, out.failure("merge-base")
}
