package contracts

// RetryDecision is what the runtime does after an attempt.
type RetryDecision string

// The five decisions.
const (
	DecisionRetryValidator    RetryDecision = "retry-validator"
	DecisionRetryWorker       RetryDecision = "retry-worker"
	DecisionEscalateHITL      RetryDecision = "escalate-hitl"
	DecisionEscalatePermanent RetryDecision = "escalate-permanent"
	DecisionAttest            RetryDecision = "attest"
)

// RetryEntry is one line of .cleo/audit/validator-retries.jsonl: what one attempt came back with and what was decided.
// The fields up to Detail are CLEO's own; the ones after it are ours, and absent from lines that CLEO wrote.
type RetryEntry struct {
	// Timestamp is the RFC 3339 UTC instant of the decision, in milliseconds.
	Timestamp string `json:"timestamp"`
	TaskID    string `json:"taskId"`
	// AttemptNumber is the shared counter + 1 at the time the Validator was spawned; 1-based.
	AttemptNumber int `json:"attemptNumber"`
	// FaultFamily, FaultKind and Classification are null on an attest.
	FaultFamily    *FaultFamily `json:"faultFamily"`
	FaultKind      *FaultKind   `json:"faultKind"`
	Classification *FaultClass  `json:"classification"`
	// BackoffMs is the wait before the next attempt in milliseconds; null when there is no next attempt.
	BackoffMs     *int64         `json:"backoffMs"`
	RetryDecision RetryDecision  `json:"retryDecision"`
	Message       string         `json:"message"`
	Detail        map[string]any `json:"detail,omitempty"`

	// RunID groups the attempts of one run.
	RunID string `json:"runId,omitempty"`
	// Verdict is attest or reject; absent when the attempt ended in a fault.
	Verdict     VerdictKind `json:"verdict,omitempty"`
	ValidatorID string      `json:"validatorId,omitempty"`
	// DurationMs is how long the attempt took, in milliseconds.
	DurationMs *int64 `json:"durationMs,omitempty"`
	// Commit is the full id of the commit judged; absent where there is none.
	Commit string `json:"commit,omitempty"`
}
