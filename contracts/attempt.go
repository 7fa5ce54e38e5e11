package contracts

// SpawnRequest asks for one Validator attempt.
type SpawnRequest struct {
	TaskID string
	RunID  string
	// AttemptNumber is the shared counter + 1; 1-based.
	AttemptNumber int
	// ValidatorID is the fresh id of the Validator to start; its verdict must carry it.
	ValidatorID string
	// DowngradeModelTier asks for the smaller model tier, for this spawn only.
	DowngradeModelTier bool
	// PreviousRejection is the last rejection of this run; the zero Verdict on the first round.
	PreviousRejection Verdict
}

// Attempt is what a Validator spawn came back with. Verdict is zero when the spawn also returned an error; the other
// fields are then what was known when it failed.
type Attempt struct {
	Verdict Verdict
	Subject Subject
	// Detail is a JSON object for the audit row. Nil when there is none.
	Detail map[string]any
}

// RespawnRequest asks the Worker to mend what a Validator rejected.
type RespawnRequest struct {
	TaskID string
	RunID  string
	// AttemptNumber is the number of the attempt that was rejected.
	AttemptNumber int
	Rejection     Verdict
}
