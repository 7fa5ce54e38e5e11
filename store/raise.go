package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/cleocode/cleo-validator/migrations"
)

// historyTable is where goose notes what it applied.
const historyTable = "validator_migrations"

// prepare makes sure that there is a database of ours with the latest schema. When there is one already, which is nearly
// always, it only reads the header.
func (s *Store) prepare(ctx context.Context) error {
	h, err := s.inspect(ctx)
	if err != nil || h.version == latestVersion() {
		return err
	}
	unlock, err := s.lockSchema(ctx)
	if err != nil {
		return err
	}
	return errors.Join(s.raise(ctx), unlock())
}

// raise brings the schema up, under the lock. Another process may have been faster, so it looks anew.
func (s *Store) raise(ctx context.Context) (err error) {
	h, err := s.inspect(ctx)
	if err != nil {
		return err
	}
	if h.version == 0 {
		if err := s.create(ctx); err != nil {
			return fmt.Errorf("creating the database: %w", err)
		}
	}
	pool, err := openPool(writerDSN(s.path, s.opts), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	return migrate(ctx, pool, latestVersion())
}

// create makes the file and gives it our mark, so that from its first byte on it is told from any other. It also goes on
// where another process was killed in the middle of that.
func (s *Store) create(ctx context.Context) (err error) {
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return unavailable(s.path, err)
	}
	pool, err := openPool(makerDSN(s.path, s.opts), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	_, err = pool.ExecContext(ctx, "PRAGMA application_id = "+strconv.Itoa(applicationID))
	return err
}

// migrate applies what is missing up to a version, each file in a transaction of its own.
func migrate(ctx context.Context, pool *pool, version int64) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, pool.DB, migrations.FS,
		goose.WithTableName(historyTable), goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("raising the schema: %w", err)
	}
	return nil
}

// latestVersion is the number of the last migration of this program.
func latestVersion() int64 {
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(names) == 0 {
		return 0 // cannot happen: the files are embedded, and the pattern is well-formed
	}
	digits, _, _ := strings.Cut(names[len(names)-1], "_")
	version, _ := strconv.ParseInt(digits, 10, 64)
	return version
}

// lockSchema waits for the lock under which databases are made and raised.
func (s *Store) lockSchema(ctx context.Context) (unlock func() error, err error) {
	lock, err := s.lockFile("schema.lock")
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, patience*s.opts.BusyTimeout)
	defer cancel()
	locked, err := lock.TryLockContext(waiting, 10*time.Millisecond)
	switch {
	case ctx.Err() != nil:
		return nil, errors.Join(ended(ctx), lock.Close())
	case err != nil || !locked:
		return nil, errors.Join(unavailable(s.path, fmt.Errorf("waiting for %s: %w", lock.Path(), err)), lock.Close())
	}
	return lock.Close, nil
}
