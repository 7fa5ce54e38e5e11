package store

import (
	"context"
	"errors"
	"os"

	"github.com/cleocode/cleo-validator/contracts"
)

// applicationID is the mark in the header of every database of ours: "CLVD".
const applicationID = 0x434c5644

// header is what the first page of a database file says.
type header struct {
	application int64
	// version is the number of the last migration.
	version int64
}

// inspect looks at the file without changing anything, on disk or in the locks that this process holds: it is never
// opened but by SQLite. A file that is missing or empty is the zero header; one that is not ours, or newer than this
// program, is an error.
func (s *Store) inspect(ctx context.Context) (header, error) {
	size, err := plainSize(s.path)
	if err != nil || size == 0 {
		return header{}, err
	}
	h, err := readHeader(ctx, headerDSN(s.path))
	if err != nil {
		return header{}, err
	}
	if h.application != applicationID {
		return header{}, foreign(s.path)
	}
	if logged, err := plainSize(s.path + "-wal"); err == nil && logged > 0 {
		if h, err = readHeader(ctx, logDSN(s.path, s.opts)); err != nil {
			return header{}, err
		}
	}
	return h, s.checkVersion(h.version)
}

func (s *Store) checkVersion(version int64) error {
	if latest := latestVersion(); version > latest {
		return contracts.Errorf(contracts.CodeStoreInvalid,
			"the database %s has schema version %d, this program knows %d", s.path, version, latest).
			WithFix("use the newer cleo-validator that wrote it, or name another file with --db")
	}
	return nil
}

func foreign(path string) error {
	return contracts.Errorf(contracts.CodeStoreInvalid, "%s is a database of another program", path).
		WithFix("name another file with --db; this one was left as it is")
}

// plainSize returns the size of a file in bytes, 0 when there is none.
func plainSize(path string) (int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, unavailable(path, err)
	}
	if !info.Mode().IsRegular() {
		return 0, unavailable(path, errors.New("it is not a plain file"))
	}
	return info.Size(), nil
}

func readHeader(ctx context.Context, dsn string) (h header, err error) {
	pool, err := openPool(dsn, 1)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	h.version, err = userVersion(ctx, pool)
	if err != nil {
		return h, err
	}
	return h, pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&h.application)
}

func userVersion(ctx context.Context, pool *pool) (version int64, err error) {
	return version, pool.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
}
