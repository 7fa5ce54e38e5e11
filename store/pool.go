package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// pool is a pool of connections that keeps the statements it runs again and again compiled. A process that does one thing
// compiles nothing twice.
type pool struct {
	*sql.DB

	mu   sync.Mutex
	kept map[string]*sql.Stmt // nil: seen once
}

// openPool opens a pool of up to n connections, which are kept. It connects when it is first used.
func openPool(dsn string, n int) (*pool, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return &pool{DB: db, kept: map[string]*sql.Stmt{}}, nil
}

// Close closes the statements and the connections.
func (p *pool) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var failures []error
	for query, statement := range p.kept {
		if statement != nil {
			failures = append(failures, statement.Close())
		}
		delete(p.kept, query)
	}
	return errors.Join(append(failures, p.DB.Close())...)
}

// statement returns the compiled form of a query, nil when there is none; again says that it was asked for before.
func (p *pool) statement(query string) (statement *sql.Stmt, again bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	statement, again = p.kept[query]
	if !again {
		p.kept[query] = nil
	}
	return statement, again
}

// compile keeps queries compiled. It needs a connection, so it is not called within a transaction. A query that cannot be
// compiled now is run as it is.
func (p *pool) compile(ctx context.Context, queries []string) {
	for _, query := range queries {
		statement, err := p.PrepareContext(ctx, query)
		if err != nil {
			return
		}
		p.keep(query, statement)
	}
}

func (p *pool) keep(query string, statement *sql.Stmt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.kept[query]; !ok || known != nil { // the pool was closed, or somebody was faster
		_ = statement.Close()
		return
	}
	p.kept[query] = statement
}
