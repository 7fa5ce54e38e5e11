package audit

import (
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// Filter chooses rows. A zero field chooses every row; set fields must all hold.
type Filter struct {
	TaskID    string
	RunID     string
	Decision  contracts.RetryDecision
	FaultKind contracts.FaultKind
	// Since is the first instant chosen, Until the first one not chosen any more.
	Since, Until time.Time
}

// Matches reports whether f chooses the row. A row whose timestamp is not RFC 3339 is outside of every time range.
func (f Filter) Matches(row contracts.RetryEntry) bool {
	return (f.TaskID == "" || row.TaskID == f.TaskID) &&
		(f.RunID == "" || row.RunID == f.RunID) &&
		(f.Decision == "" || row.RetryDecision == f.Decision) &&
		(f.FaultKind == "" || row.FaultKind != nil && *row.FaultKind == f.FaultKind) &&
		f.matchesTime(row.Timestamp)
}

func (f Filter) matchesTime(timestamp string) bool {
	if f.Since.IsZero() && f.Until.IsZero() {
		return true
	}
	at, err := time.Parse(time.RFC3339, timestamp)
	return err == nil && !at.Before(f.Since) && (f.Until.IsZero() || at.Before(f.Until))
}
