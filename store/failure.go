package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/cleocode/cleo-validator/contracts"
)

// failure gives what went wrong in a step its code, by the table of SQLite's result codes. An error that has a code keeps
// it; the end of ctx stays the end of ctx.
func (s *Store) failure(ctx context.Context, step string, err error) error {
	if err == nil {
		return nil
	}
	if coded, ok := errors.AsType[*contracts.Error](err); ok && error(coded) == err {
		return err
	}
	return fmt.Errorf("%s: %w", step, atFile(ctx, s.path, err))
}

// atFile is failure without a step.
func atFile(ctx context.Context, path string, err error) error {
	if err == nil || contracts.CodeOf(err) != contracts.CodeInternal {
		return err
	}
	switch code := resultCode(err); {
	case ctx.Err() != nil:
		return ended(ctx)
	case code == sqlite3.SQLITE_NOTADB || code == sqlite3.SQLITE_CORRUPT:
		return damaged(path, err)
	case code == sqlite3.SQLITE_BUSY || code == sqlite3.SQLITE_LOCKED:
		return contracts.Errorf(contracts.CodeStoreUnavailable, "another process keeps %s busy: %w", path, err).
			WithFix("end the program that holds the database, then try again")
	case code == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_IOERR || code == sqlite3.SQLITE_CANTOPEN ||
		code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_PERM || code == sqlite3.SQLITE_AUTH:
		return unavailable(path, err)
	}
	return err
}

// ended says that the caller gave up, and why.
func ended(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, ctx.Err()) {
		return fmt.Errorf("%w: %w", ctx.Err(), cause)
	}
	return context.Cause(ctx)
}

// resultCode returns SQLite's primary result code, 0 when err is none of SQLite's.
func resultCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

func isBusy(err error) bool { return resultCode(err) == sqlite3.SQLITE_BUSY }

// violates reports whether err says that a row was refused by a constraint of the schema.
func violates(err error) bool { return resultCode(err) == sqlite3.SQLITE_CONSTRAINT }

func unavailable(path string, err error) error {
	return contracts.Errorf(contracts.CodeStoreUnavailable, "the database %s cannot be used: %w", path, err).
		WithFix("make %s a directory that you can write and the database in it a plain file, with room on the disk",
			filepath.Dir(path))
}

func damaged(path string, err error) error {
	return contracts.Errorf(contracts.CodeStoreInvalid, "the database %s is damaged or none at all: %w", path, err).
		WithFix("name another file with --db, or restore this one from a backup")
}
