package contracts

// SchemaVersion is the version of both envelopes.
const SchemaVersion = "1"

// Attestation is the envelope of a Validator that found every acceptance criterion satisfied.
//
// The struct is plain data and may break the rules; [NewAttestation] and [ParseVerdict] are the ways to a checked one.
type Attestation struct {
	Verdict     VerdictKind `json:"verdict" validate:"eq=attest" jsonschema:"always attest"`
	TaskID      string      `json:"taskId" validate:"taskid" jsonschema:"the task judged"`
	ValidatorID string      `json:"validatorId" validate:"validatorid" jsonschema:"the Validator instance"`
	// Findings has one passing finding per criterion; no criterion twice.
	Findings []Finding `json:"findings" validate:"min=1,dive" jsonschema:"one passing finding per criterion"`
	Summary  string    `json:"summary,omitempty" jsonschema:"optional remarks"`
	// AttestedAt is the RFC 3339 instant of the verdict.
	AttestedAt    string `json:"attestedAt" validate:"instant" jsonschema:"RFC 3339 instant with a zone"`
	SchemaVersion string `json:"schemaVersion" validate:"eq=1" jsonschema:"always 1"`
}
