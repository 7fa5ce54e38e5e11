package audit

import "context"

// Waiver is one line of ac-waiver.jsonl: criteria that somebody decided to do without. Timestamp is RFC 3339 in UTC.
type Waiver struct {
	Timestamp string `json:"timestamp"`
	TaskID    string `json:"taskId"`
	// WaivedACs and WaivedAliases name the same criteria, in the same order.
	WaivedACs     []string `json:"waivedAcs"`
	WaivedAliases []string `json:"waivedAliases"`
	Reason        string   `json:"reason"`
	Actor         string   `json:"actor"`
	// UnresolvedTokens are what was asked for and names no criterion of the task.
	UnresolvedTokens []string `json:"unresolvedTokens"`
}

// AppendWaiver appends a waiver. The line is on the disk when it returns nil, so that the act it permits may follow.
// The error is a [contracts.Error] with [contracts.CodeAuditUnavailable].
func (l *Log) AppendWaiver(ctx context.Context, w Waiver) error {
	return l.appendSynced(ctx, WaiversFile, w)
}
