package audit

import (
	"context"
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
)

// AppendRetry appends the row of one attempt. The row is not synced: the store holds the same one. A detail that would
// make the line longer than a reader takes is replaced by its size. The error is a [contracts.Error] with
// [contracts.CodeAuditUnavailable].
func (l *Log) AppendRetry(ctx context.Context, entry contracts.RetryEntry) error {
	line, err := encodeLine(entry)
	if err != nil {
		return unavailable(l.path(RetriesFile), err)
	}
	if len(line) > maxLine && entry.Detail != nil {
		l.warn(fmt.Sprintf("%s: the detail of attempt %d of %s makes a line of %d bytes; the log keeps the row without it",
			l.path(RetriesFile), entry.AttemptNumber, entry.TaskID, len(line)))
		entry.Detail = map[string]any{"omittedLineBytes": len(line)}
		if line, err = encodeLine(entry); err != nil {
			return unavailable(l.path(RetriesFile), err)
		}
	}
	return l.append(ctx, RetriesFile, line, unsynced)
}
