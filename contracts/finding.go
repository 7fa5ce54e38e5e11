package contracts

// FindingStatus is what a Validator says of one acceptance criterion.
type FindingStatus string

// The three statuses. Anything but a pass forces the whole verdict to be a rejection.
const (
	StatusPass         FindingStatus = "pass"
	StatusFail         FindingStatus = "fail"
	StatusInconclusive FindingStatus = "inconclusive"
)

// Finding is the judgement on one acceptance criterion.
type Finding struct {
	// ACID is the criterion's UUID, in lower case and hyphenated; never its alias.
	ACID string `json:"acId" validate:"acid" jsonschema:"the criterion's UUID, not its alias"`
	// Status is pass, fail or inconclusive.
	Status FindingStatus `json:"status" validate:"oneof=pass fail inconclusive" jsonschema:"pass, fail or inconclusive"`
	// Reasoning justifies the status, whichever it is (VAL-005).
	Reasoning string `json:"reasoning" validate:"notblank" jsonschema:"why; never blank"`
	// EvidenceRefs are the evidence atoms the judgement rests on, such as tool:test or commit:<sha>.
	EvidenceRefs []string `json:"evidenceRefs,omitempty" validate:"omitempty,dive,notblank" jsonschema:"evidence atoms; each not blank"`
	// CheckedAt is the RFC 3339 instant, with its zone, at which the finding was made.
	CheckedAt string `json:"checkedAt" validate:"instant" jsonschema:"RFC 3339 instant with a zone"`
}
