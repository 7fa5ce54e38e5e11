package runtime

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Crew is who does the work of a run. One crew serves many tasks: each request names its own.
type Crew struct {
	Spawner Spawner
	// Worker mends rejected candidates. Nil: there is none, and a rejection that leaves budget is escalated.
	Worker Worker
}

// Spawner starts one Validator and waits for its verdict.
type Spawner interface {
	// SpawnValidator returns a verdict that validator.attest or validator.reject has written, or why there is none: a
	// [*contracts.Fault], found by errors.As, or any other error, which counts as timeout. It stops its children when
	// ctx ends.
	SpawnValidator(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error)
}

// Worker mends a candidate that a Validator rejected.
type Worker interface {
	// RespawnWorker returns the candidate handed over, zero in a project without git. Errors are read like a Spawner's.
	RespawnWorker(ctx context.Context, req contracts.RespawnRequest) (contracts.Subject, error)
}

// Journal is the durable budget; [store.Store] is one.
type Journal interface {
	OpenRun(ctx context.Context, spec store.RunSpec) (store.Run, error)
	ReserveAttempt(ctx context.Context, runID string, attempt int, validatorID string) error
	ReleaseAttempt(ctx context.Context, runID string, attempt int) error
	CommitDecision(ctx context.Context, decision store.Decision) error
	VerdictBy(ctx context.Context, taskID, validatorID string) (contracts.Verdict, bool, error)
}

// AuditLog keeps the operators' copy of the rows.
type AuditLog interface {
	AppendRetry(ctx context.Context, row contracts.RetryEntry) error
}
