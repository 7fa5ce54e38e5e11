package store

import (
	"context"
	"database/sql"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// transaction is one transaction as the statements see it. It carries the context that it ends with, as [sql.Tx] does,
// and the one instant at which everything in it happens.
type transaction struct {
	sql    *sql.Tx
	pool   *pool
	ctx    context.Context
	ledger ledger
	now    string
	newID  func() string
	// open are the compiled statements bound to this transaction, wanted the queries worth compiling after it.
	open   map[string]*sql.Stmt
	wanted []string
}

// patience is after how many busy timeouts a lock is taken to be held for good.
const patience = 6

// write runs do in a transaction that holds the write lock from its start. When do fails, or ctx ends, nothing is written.
func (s *Store) write(ctx context.Context, step string, do func(*transaction) error) error {
	tx, err := s.beginWrite(ctx)
	if err != nil {
		return s.failure(ctx, step, err)
	}
	return s.finish(ctx, step, s.writer, tx, do)
}

// read runs do on one snapshot of the database.
func (s *Store) read(ctx context.Context, step string, do func(*transaction) error) error {
	tx, err := s.reader.BeginTx(ctx, nil)
	if err != nil {
		return s.failure(ctx, step, err)
	}
	return s.finish(ctx, step, s.reader, tx, do)
}

func (s *Store) finish(ctx context.Context, step string, p *pool, begun *sql.Tx, do func(*transaction) error) error {
	tx := &transaction{
		sql: begun, pool: p, ctx: ctx, ledger: s.ledger, now: instant(s.opts.Now()), newID: s.opts.NewID,
		open: map[string]*sql.Stmt{},
	}
	defer func() { _ = begun.Rollback() }() // says only that the transaction was committed
	err := do(tx)
	if err == nil {
		err = begun.Commit()
	}
	if err == nil {
		p.compile(ctx, tx.wanted)
	}
	return s.failure(ctx, step, err)
}

// beginWrite takes the write lock. That is the one place where SQLite may find the database busy, so that what is
// retried has not begun yet.
func (s *Store) beginWrite(ctx context.Context) (*sql.Tx, error) {
	policy := backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(10*time.Millisecond),
		backoff.WithMaxInterval(500*time.Millisecond),
		backoff.WithMaxElapsedTime(patience*s.opts.BusyTimeout),
	)
	return backoff.RetryWithData(func() (*sql.Tx, error) {
		tx, err := s.beginOnce(ctx)
		if err != nil && !isBusy(err) {
			err = backoff.Permanent(err)
		}
		return tx, err
	}, backoff.WithContext(policy, ctx))
}

// beginOnce stops waiting when ctx ends, which SQLite does not do while it waits for another process.
func (s *Store) beginOnce(ctx context.Context) (*sql.Tx, error) {
	type begun struct {
		tx  *sql.Tx
		err error
	}
	result := make(chan begun, 1)
	go func() {
		tx, err := s.writer.BeginTx(ctx, nil)
		result <- begun{tx, err}
	}()
	select {
	case b := <-result:
		return b.tx, b.err
	case <-ctx.Done(): // the transaction, should it still begin, is rolled back by database/sql
		return nil, ctx.Err()
	}
}
