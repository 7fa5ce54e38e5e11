package audit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

// MalformedLine is what a reader yields for a line that is no row. Reading goes on after it.
type MalformedLine struct {
	// File is the path of the file, Line the 1-based number of the line in it.
	File string
	Line int
	Err  error
}

// Error tells the place and the cause.
func (e *MalformedLine) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap returns the cause.
func (e *MalformedLine) Unwrap() error { return e.Err }

// Retries yields the rows of validator-retries.jsonl that f chooses, in the order of the file, in memory that does
// not grow with it. A line that is no row is yielded as a [*MalformedLine] and skipped; every other error ends the
// sequence. A project without the file has no rows. Rows that CLEO wrote lack the fields that are ours.
func (l *Log) Retries(ctx context.Context, f Filter) iter.Seq2[contracts.RetryEntry, error] {
	path := l.path(RetriesFile)
	return func(yield func(contracts.RetryEntry, error) bool) {
		file, err := openRegular(path, os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(contracts.RetryEntry{}, unreadable(path, err))
			return
		}
		defer file.Close()
		for line, err := range lines(file) {
			if ctx.Err() != nil {
				yield(contracts.RetryEntry{}, context.Cause(ctx))
				return
			}
			if err != nil {
				yield(contracts.RetryEntry{}, unreadable(path, err))
				return
			}
			if !yieldRow(yield, f, path, line) {
				return
			}
		}
	}
}

// yieldRow hands one line on, unless it is blank or not chosen. It reports whether the consumer wants more.
func yieldRow(yield func(contracts.RetryEntry, error) bool, f Filter, path string, line numberedLine) bool {
	if !line.tooLong && len(bytes.TrimSpace(line.text)) == 0 {
		return true
	}
	row, err := decodeRow(line)
	if err != nil {
		return yield(contracts.RetryEntry{}, &MalformedLine{File: path, Line: line.number, Err: err})
	}
	return !f.Matches(row) || yield(row, nil)
}

// decodeRow reads what a row cannot do without strictly, and tolerates fields that only its writer knows.
func decodeRow(line numberedLine) (contracts.RetryEntry, error) {
	if line.tooLong {
		return contracts.RetryEntry{}, fmt.Errorf("the line is longer than %d bytes", maxLine)
	}
	var row contracts.RetryEntry
	if err := json.Unmarshal(line.text, &row); err != nil {
		return contracts.RetryEntry{}, err
	}
	if row.TaskID == "" || row.Timestamp == "" {
		return contracts.RetryEntry{}, errors.New("the row has no taskId or no timestamp")
	}
	if !slices.Contains(decisions(), row.RetryDecision) {
		return contracts.RetryEntry{}, fmt.Errorf("unknown retryDecision %q", row.RetryDecision)
	}
	return row, nil
}

func decisions() []contracts.RetryDecision {
	return []contracts.RetryDecision{
		contracts.DecisionRetryValidator, contracts.DecisionRetryWorker, contracts.DecisionEscalateHITL,
		contracts.DecisionEscalatePermanent, contracts.DecisionAttest,
	}
}

func unreadable(path string, err error) error {
	return contracts.Errorf(contracts.CodeAuditUnavailable, "reading %s: %w", path, err).
		WithFix("make %s a plain file that you can read", path)
}
