package contracts

// Rejection is the envelope of a Validator that found at least one acceptance criterion failing or inconclusive.
//
// The struct is plain data and may break the rules; [NewRejection] and [ParseVerdict] are the ways to a checked one.
type Rejection struct {
	Verdict     VerdictKind `json:"verdict" validate:"eq=reject" jsonschema:"always reject"`
	TaskID      string      `json:"taskId" validate:"taskid" jsonschema:"the task judged"`
	ValidatorID string      `json:"validatorId" validate:"validatorid" jsonschema:"the Validator instance"`
	// Findings has at least one finding that is not a pass; no criterion twice.
	Findings []Finding `json:"findings" validate:"min=1,dive" jsonschema:"at least one that is not a pass"`
	// Summary says why the candidate is rejected.
	Summary string `json:"summary" validate:"notblank" jsonschema:"why it is rejected; never blank"`
	// RemediationHints are for the Worker that mends the candidate.
	RemediationHints []string `json:"remediationHints,omitempty" jsonschema:"what may help the Worker"`
	// RejectedAt is the RFC 3339 instant of the verdict.
	RejectedAt    string `json:"rejectedAt" validate:"instant" jsonschema:"RFC 3339 instant with a zone"`
	SchemaVersion string `json:"schemaVersion" validate:"eq=1" jsonschema:"always 1"`
}
