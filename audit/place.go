package audit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

const (
	dirMode  = 0o700
	fileMode = 0o600

	// lockName is a file of its own, so that the lock outlives a log file that is renamed away.
	lockName = ".lock"
	// lockPatience bounds the wait for the lock. It is held for one write, so that a longer wait means a stopped
	// process.
	lockPatience = 30 * time.Second
	lockRetry    = 2 * time.Millisecond

	// openGuards keep an open from waiting for the other end of a pipe, and from following a link that leads elsewhere.
	openGuards = syscall.O_NONBLOCK | syscall.O_NOFOLLOW
)

// ensureDir makes the directory of the log. A link in its place is refused: whoever planted it would choose where the
// record goes.
func ensureDir(dir string) error {
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is %s, not a directory", dir, describe(info.Mode()))
	}
	return nil
}

// openRegular opens a plain file, without ever waiting for it.
func openRegular(path string, flag int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s, not a plain file", describe(info.Mode()))
	}
	file, err := os.OpenFile(path, flag|openGuards, fileMode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("it is %s, not a plain file", describe(info.Mode()))
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// lock takes the log's lock and returns the way to give it back.
func lock(ctx context.Context, dir string) (func() error, error) {
	path := filepath.Join(dir, lockName)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("the lock %s is %s, not a plain file", path, describe(info.Mode()))
	}
	held := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|openGuards), flock.SetPermissions(fileMode))
	patient, cancel := context.WithTimeoutCause(ctx, lockPatience,
		fmt.Errorf("another process has held it for %s", lockPatience))
	defer cancel()
	if _, err := held.TryLockContext(patient, lockRetry); err != nil {
		if patient.Err() != nil {
			err = context.Cause(patient)
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return held.Unlock, nil
}

func describe(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	}
	return "a special file"
}
