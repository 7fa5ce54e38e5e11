package contracts

import "github.com/go-json-experiment/json/jsontext"

// ACPullInput is the input of validator.ac-pull.
type ACPullInput struct {
	ProjectRoot string `json:"projectRoot" jsonschema:"the project's directory"`
	TaskID      string `json:"taskId"`
}

// ACPullOutput is the answer of validator.ac-pull. ACs is empty, never nil, for a task without criteria.
type ACPullOutput struct {
	OK     bool        `json:"ok"`
	TaskID string      `json:"taskId"`
	ACs    []Criterion `json:"acs"`
}

// AttestInput is the input of validator.attest. The envelope travels as the bytes the caller sent, so that the tool, and
// no one before it, judges them.
type AttestInput struct {
	ProjectRoot string         `json:"projectRoot" jsonschema:"the project's directory"`
	Caller      Caller         `json:"caller"`
	Attestation jsontext.Value `json:"attestation"`
	// AllowPartial lets an attestation cover some of the task's criteria only, for callers that split a task among Validators.
	AllowPartial bool `json:"allowPartial,omitzero" jsonschema:"accept an attestation of some criteria only"`
}

// AttestOutput is the answer of validator.attest.
type AttestOutput struct {
	OK bool `json:"ok"`
	// BindingsWritten counts the rows that stand under the attestation's atom id for its criteria.
	BindingsWritten int      `json:"bindingsWritten"`
	BindingIDs      []string `json:"bindingIds"`
	ProcessedAt     string   `json:"processedAt"`
}

// RejectInput is the input of validator.reject. See [AttestInput] for why the envelope is bytes.
type RejectInput struct {
	ProjectRoot string         `json:"projectRoot" jsonschema:"the project's directory"`
	Caller      Caller         `json:"caller"`
	Rejection   jsontext.Value `json:"rejection"`
}

// RejectOutput is the answer of validator.reject.
type RejectOutput struct {
	OK                  bool      `json:"ok"`
	Rejection           Rejection `json:"rejection"`
	FailingFindingCount int       `json:"failingFindingCount"`
	FailingACIDs        []string  `json:"failingAcIds"`
	ProcessedAt         string    `json:"processedAt"`
}

// SpawnInput is the input of spawn.validator.
type SpawnInput struct {
	ProjectRoot string `json:"projectRoot" jsonschema:"the project's directory"`
	Caller      Caller `json:"caller"`
	TaskID      string `json:"taskId"`
	// SpawnScope is free text that is handed to the Validator: the part of the project to look at.
	SpawnScope string `json:"spawnScope,omitzero" jsonschema:"the part of the project to look at"`
	// NoWorktree prepares the spawn in the project itself.
	NoWorktree bool `json:"noWorktree,omitzero" jsonschema:"validate in the project itself"`
}

// SpawnOutput is the answer of spawn.validator.
type SpawnOutput struct {
	OK     bool        `json:"ok"`
	Result SpawnResult `json:"result"`
}

// SpawnResult is a prepared Validator spawn: all that a harness needs to start the agent.
type SpawnResult struct {
	TaskID       string `json:"taskId"`
	ValidatorID  string `json:"validatorId"`
	SessionID    string `json:"sessionId"`
	WorktreePath string `json:"worktreePath"`
	Commit       string `json:"commit,omitempty"`
	Prompt       string `json:"prompt"`
	// Environment is the whole environment of the agent, not an addition to the caller's.
	Environment map[string]string `json:"environment"`
}
