package audit

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// The kinds of [Override].
const (
	// OverrideACCoverage opened the completion gate over uncovered criteria.
	OverrideACCoverage = "ac-coverage"
	// OverrideFreshRun gave an unfinished run up, and with it what it had spent of its budget.
	OverrideFreshRun = "fresh-run"
)

// Override is one line of force-bypass.jsonl: a rule that the owner set aside. Timestamp is RFC 3339 in UTC.
type Override struct {
	// Kind is one of [OverrideACCoverage] and [OverrideFreshRun].
	Kind      string `json:"kind"`
	Timestamp string `json:"timestamp"`
	TaskID    string `json:"taskId"`
	Reason    string `json:"reason"`
	Actor     string `json:"actor"`
	// Unsatisfied are the criteria that were uncovered at that moment.
	Unsatisfied []contracts.UncoveredAC `json:"unsatisfied"`
}

// AppendOverride appends an override. The line is on the disk when it returns nil, so that the act it permits may
// follow. The error is a [contracts.Error] with [contracts.CodeAuditUnavailable].
func (l *Log) AppendOverride(ctx context.Context, o Override) error {
	return l.appendSynced(ctx, OverridesFile, o)
}
