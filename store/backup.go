package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/cleocode/cleo-validator/contracts"
)

// Backup writes a consistent copy of the database to path, while others use it. The copy is whole and on the disk when it
// appears under that name, and it is a database that [Open] opens. A path where something is already is
// [contracts.CodeInvalidInput]; one that cannot be written is [contracts.CodeStoreUnavailable].
func (s *Store) Backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return taken(path)
	}
	unfinished, err := os.CreateTemp(filepath.Dir(path), ".backup-*")
	if err != nil {
		return unwritable(path, err)
	}
	defer os.Remove(unfinished.Name())
	defer unfinished.Close()
	// Not in a transaction: SQLite copies one state of the database by itself, into a file that is empty.
	if _, err := s.writer.ExecContext(ctx, "VACUUM INTO ?", unfinished.Name()); err != nil {
		return s.failure(ctx, "copying the database", err)
	}
	if err := unfinished.Sync(); err != nil {
		return unwritable(path, err)
	}
	// A link, unlike a rename, never replaces what another process put there meanwhile.
	if err := os.Link(unfinished.Name(), path); errors.Is(err, os.ErrExist) {
		return taken(path)
	} else if err != nil {
		return unwritable(path, err)
	}
	return syncDir(path)
}

// syncDir makes the name of a new file last.
func syncDir(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return unwritable(path, err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return unwritable(path, err)
	}
	return nil
}

func taken(path string) error {
	return contracts.Errorf(contracts.CodeInvalidInput, "there is something at %q already", path).
		WithFix("name a file that does not exist yet")
}

func unwritable(path string, err error) error {
	return contracts.Errorf(contracts.CodeStoreUnavailable, "writing the backup %s: %w", path, err).
		WithFix("name a place that can be written, with room for the database")
}
