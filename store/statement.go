package store

import (
	"database/sql"
	"errors"
	"slices"
)

// scanner reads the columns of one row into dest.
type scanner func(dest ...any) error

// exec runs a statement that writes and returns how many rows it touched.
func (tx *transaction) exec(query string, args ...any) (int64, error) {
	query = tx.ledger.sql(query)
	var (
		result sql.Result
		err    error
	)
	if statement := tx.statement(query); statement != nil {
		result, err = statement.ExecContext(tx.ctx, args...)
	} else {
		result, err = tx.sql.ExecContext(tx.ctx, query, args...)
	}
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// row reads the one row of a query into dest and reports whether there was one.
func (tx *transaction) row(query string, args []any, dest ...any) (found bool, err error) {
	rows, err := tx.query(query, args)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if !rows.Next() {
		return false, rows.Err()
	}
	return true, rows.Scan(dest...)
}

// each calls do for every row of a query.
func (tx *transaction) each(query string, args []any, do func(scanner) error) (err error) {
	rows, err := tx.query(query, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := do(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (tx *transaction) query(query string, args []any) (*sql.Rows, error) {
	query = tx.ledger.sql(query)
	if statement := tx.statement(query); statement != nil {
		return statement.QueryContext(tx.ctx, args...)
	}
	return tx.sql.QueryContext(tx.ctx, query, args...)
}

// statement returns the compiled form of a query for use in this transaction, nil when there is none yet.
func (tx *transaction) statement(query string) *sql.Stmt {
	if statement := tx.open[query]; statement != nil {
		return statement
	}
	compiled, again := tx.pool.statement(query)
	if compiled == nil {
		if again && !slices.Contains(tx.wanted, query) {
			tx.wanted = append(tx.wanted, query)
		}
		return nil
	}
	tx.open[query] = tx.sql.StmtContext(tx.ctx, compiled)
	return tx.open[query]
}
