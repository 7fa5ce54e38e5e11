package runtime

import "github.com/cleocode/cleo-validator/contracts"

// Result is how a run ended. When [RunMaxN] also returns an error, Outcome is empty and the rest is what was known.
type Result struct {
	Outcome Outcome `json:"outcome"`
	TaskID  string  `json:"taskId"`
	// RunID is empty when the options name nobody who could want it: no journal, audit log, observer or id source.
	RunID string `json:"runId,omitempty"`
	// Attempts mirrors the audit rows of the run in order, those of earlier processes included.
	Attempts []contracts.RetryEntry `json:"attempts"`
	// Verdict is the attestation of OutcomeAttest.
	Verdict contracts.Verdict `json:"verdict,omitzero"`
	// Reason tells an operator why the run was escalated. Empty on an attest.
	Reason string `json:"reason,omitempty"`
	// Fault is the fault of OutcomeEscalatePermanent.
	Fault *PermanentFault `json:"fault,omitempty"`
	// AuditErrors are the rows that could not be appended to the audit log; a journal still has them.
	AuditErrors []string `json:"auditErrors,omitempty"`
}

// PermanentFault is a fault that retrying cannot mend, with its row of the catalogue.
type PermanentFault struct {
	Kind           contracts.FaultKind   `json:"kind"`
	Family         contracts.FaultFamily `json:"family"`
	Classification contracts.FaultClass  `json:"classification"`
	EscalationCode contracts.Code        `json:"escalationCode"`
	Message        string                `json:"message"`
	Detail         map[string]any        `json:"detail,omitempty"`
}
