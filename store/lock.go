package store

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/cleocode/cleo-validator/contracts"
)

// LockRun makes this the only process that drives a run of the task, until unlock is called or the process ends, however
// it ends. When another one does, or this one does already, the error has [contracts.CodeRunBusy].
func (s *Store) LockRun(taskID string) (unlock func() error, err error) {
	if err := contracts.CheckTaskID(taskID); err != nil {
		return nil, err
	}
	lock, err := s.lockFile("run-" + taskID + ".lock")
	if err != nil {
		return nil, err
	}
	locked, err := lock.TryLock()
	if err != nil {
		return nil, unavailable(s.path, errors.Join(err, lock.Close()))
	}
	if !locked {
		busy := contracts.Errorf(contracts.CodeRunBusy, "a run of %s is being driven already", taskID).
			WithFix("wait until it ends, or stop the process that drives it")
		return nil, errors.Join(busy, lock.Close())
	}
	return lock.Close, nil
}

// lockFile returns a lock beside the database, not yet taken. Lock files stay: to remove one that another process is
// about to take would give the lock away twice.
func (s *Store) lockFile(name string) (*flock.Flock, error) {
	dir := s.path + "-locks"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unavailable(s.path, err)
	}
	return flock.New(filepath.Join(dir, name), flock.SetPermissions(0o600)), nil
}
