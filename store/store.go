package store

import (
	"context"
	"errors"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite", without cgo

	"github.com/cleocode/cleo-validator/contracts"
)

// readers is how many reads go on at once within one process.
const readers = 4

// Store is an open database. It is safe for concurrent use.
type Store struct {
	path   string
	opts   Options
	ledger ledger
	writer *pool // one connection: its queue is fairer than SQLite's lock
	reader *pool
}

// Open opens the database at path, makes it when there is none, and raises its schema when an older program wrote it. The
// directory is made with mode 0700 and the file with 0600. A file that is not ours, or that a newer program wrote, is
// left untouched: an error with [contracts.CodeStoreInvalid]. One that cannot be read or written is
// [contracts.CodeStoreUnavailable]. The caller closes the store.
func Open(ctx context.Context, path string, opts Options) (*Store, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, contracts.Errorf(contracts.CodeInvalidInput, "the path of the database is empty").
			WithFix("name a file with --db")
	}
	path, err = resolve(path)
	if err != nil {
		return nil, unavailable(path, err)
	}
	s := &Store{path: path, opts: opts, ledger: ownLedger()}
	if err := s.prepare(ctx); err != nil {
		return nil, atFile(ctx, path, err)
	}
	if err := s.connect(); err != nil {
		return nil, atFile(ctx, path, errors.Join(err, s.Close()))
	}
	return s, nil
}

// resolve returns the one path of the file, by which SQLite names the files beside it, too: absolute and without symbolic
// links.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target, nil
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)), nil
	}
	return path, nil // the directory is still to be made
}

// connect makes the pools; their connections are opened when they are first needed.
func (s *Store) connect() (err error) {
	if s.writer, err = openPool(writerDSN(s.path, s.opts), 1); err != nil {
		return err
	}
	s.reader, err = openPool(readerDSN(s.path, s.opts), readers)
	return err
}

// Close closes the database. Operations that are under way end first or fail.
func (s *Store) Close() error {
	var failures []error
	for _, pool := range []*pool{s.reader, s.writer} {
		if pool != nil {
			failures = append(failures, pool.Close())
		}
	}
	return errors.Join(failures...)
}
