package spawn

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

// yard is the directory of all worktrees of one repository that this program made. Beside each worktree lies a lock file,
// locked for as long as the process lives that uses it, and maybe a marker that protects it without one. All of this is
// changed under the yard's own lock only.
type yard struct {
	dir  string
	repo git.Repo
	now  func() time.Time
	warn func(string)
}

// The suffixes of what lies beside a worktree.
const (
	suffixLock  = ".lock"  // held: in use
	suffixLease = ".lease" // holds the RFC 3339 instant until which the worktree is handed out
	suffixKept  = ".kept"  // to stay until somebody removes it
)

// yardLockFile is the name of the yard's own lock; no worktree's name begins with a dot.
const yardLockFile = ".lock"

// lockPoll is how often a lock that another process holds is asked for again.
const lockPoll = 10 * time.Millisecond

// lock makes the caller the only one in the yard, which it makes when it is not there.
func (y yard) lock(ctx context.Context) (unlock func(), err error) {
	if err := os.MkdirAll(y.dir, 0o700); err != nil {
		return nil, yardError("making the directory of worktrees", err)
	}
	lock := flock.New(filepath.Join(y.dir, yardLockFile))
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, yardError("locking the directory of worktrees", err)
	}
	return func() { _ = lock.Close() }, nil
}

func yardError(step string, err error) error {
	return contracts.Errorf(contracts.CodeSpawnFailed, "%s: %w", step, err).
		WithFix("make the directory writable, or set XDG_STATE_HOME to another one outside the project")
}

// add makes a worktree of commit and holds it for this process. Left-overs are removed first. The caller closes it.
func (y yard) add(ctx context.Context, name, commit string) (*worktree, error) {
	unlock, err := y.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	y.prune(ctx)
	w, err := y.claim(name)
	if err != nil {
		return nil, err
	}
	if err := y.repo.AddWorktree(ctx, w.path, commit); err != nil {
		w.discard(context.WithoutCancel(ctx))
		return nil, err
	}
	return w, nil
}

// claim takes the first free name: a worktree of the same attempt may have been kept, or be in use.
func (y yard) claim(name string) (*worktree, error) {
	free := name
	for n := 2; ; n++ {
		w := &worktree{yard: y, path: filepath.Join(y.dir, free)}
		taken, err := w.claim()
		if err != nil {
			return nil, yardError("locking the worktree", err)
		}
		if taken {
			return w, nil
		}
		free = name + "." + strconv.Itoa(n)
	}
}

// prune removes the worktrees that no living process uses and that nothing protects. What cannot be removed is a warning.
func (y yard) prune(ctx context.Context) {
	found, err := os.ReadDir(y.dir)
	if err != nil {
		y.warn(fmt.Sprintf("looking for left-over worktrees: %v", err))
		return
	}
	for _, entry := range found {
		if !entry.IsDir() {
			y.sweep(entry.Name())
			continue
		}
		w := &worktree{yard: y, path: filepath.Join(y.dir, entry.Name())}
		if w.isProtected() {
			continue
		}
		if held, err := w.hold(); err != nil || !held {
			continue
		}
		w.discard(ctx)
	}
}

// sweep removes a lock or marker whose worktree is gone.
func (y yard) sweep(file string) {
	for _, suffix := range []string{suffixLock, suffixLease, suffixKept} {
		name, ok := strings.CutSuffix(file, suffix)
		if !ok || name == "" {
			continue
		}
		w := &worktree{yard: y, path: filepath.Join(y.dir, name)}
		if _, err := os.Lstat(w.path); err == nil {
			return
		}
		if held, err := w.hold(); err == nil && held {
			w.release()
		}
	}
}
