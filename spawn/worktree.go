package spawn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// worktree is a worktree in a yard, held by this process.
type worktree struct {
	yard yard
	path string
	lock *flock.Flock
}

// removalTime bounds the removal of a worktree, which goes on when the attempt's context has ended.
const removalTime = time.Minute

// hold locks the worktree for the life of this process; false when another one has it, or another part of this one.
func (w *worktree) hold() (bool, error) {
	lock := flock.New(w.path + suffixLock)
	held, err := lock.TryLock()
	if err != nil || !held {
		_ = lock.Close()
		return false, err
	}
	w.lock = lock
	return true, nil
}

// claim holds the worktree if nothing is at its path yet.
func (w *worktree) claim() (bool, error) {
	if _, err := os.Lstat(w.path); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return w.hold()
}

// isProtected reports whether a marker keeps the worktree, though no process holds it.
func (w *worktree) isProtected() bool {
	if _, err := os.Lstat(w.path + suffixKept); err == nil {
		return true
	}
	lease, err := os.ReadFile(w.path + suffixLease)
	if err != nil {
		return false
	}
	until, err := time.Parse(time.RFC3339, string(lease))
	return err == nil && w.yard.now().Before(until)
}

// Close removes the worktree. It does so on a cancelled context too.
func (w *worktree) Close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removalTime)
	defer cancel()
	unlock, err := w.yard.lock(ctx)
	if err != nil {
		w.yard.warn(fmt.Sprintf("removing the worktree %s: %v", w.path, err))
		_ = w.lock.Close() // a later run finds it left over
		return
	}
	defer unlock()
	w.discard(ctx)
}

// discard removes a worktree that is held; the caller has the yard's lock. What cannot be removed stays, as a left-over.
func (w *worktree) discard(ctx context.Context) {
	if err := w.yard.repo.RemoveWorktree(ctx, w.path); err != nil {
		w.yard.warn(fmt.Sprintf("removing the worktree %s: %v", w.path, err))
		_ = w.lock.Close()
		return
	}
	w.release()
}

// release lets go of what lies beside the worktree.
func (w *worktree) release() {
	for _, suffix := range []string{suffixLease, suffixKept, suffixLock} {
		_ = os.Remove(w.path + suffix) // a marker that stays is swept later
	}
	_ = w.lock.Close()
}

// Keep lets go of the worktree and leaves it where it is, for good.
func (w *worktree) Keep() error { return w.leave(suffixKept, "") }

// Lease lets go of the worktree and leaves it where it is until then.
func (w *worktree) Lease(until time.Time) error {
	return w.leave(suffixLease, until.UTC().Format(time.RFC3339))
}

// leave marks the worktree before it is let go, so that it is protected throughout.
func (w *worktree) leave(suffix, text string) error {
	defer w.lock.Close()
	if err := os.WriteFile(w.path+suffix, []byte(text), 0o600); err != nil {
		return yardError("marking the worktree", err)
	}
	return nil
}
