package runtime

import (
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// Observed names what a round came back with.
type Observed string

// The five things that the machine is told of. The first three answer a Validator spawn, the last two a Worker respawn.
const (
	// Attested: a checked attestation.
	Attested Observed = "attested"
	// Rejected: a checked rejection.
	Rejected Observed = "rejected"
	// Faulted: no verdict; Kind says why.
	Faulted Observed = "faulted"
	// WorkerRespawned: the Worker handed a candidate over.
	WorkerRespawned Observed = "worker-respawned"
	// RespawnFailed: the Worker did not; Kind says why.
	RespawnFailed Observed = "respawn-failed"
)

// Observation is what one round came back with, and what the driver measured beside it.
type Observation struct {
	What Observed
	// Kind is the fault of Faulted and RespawnFailed. A kind that the catalogue does not know counts as timeout.
	Kind contracts.FaultKind
	// NoProgress says that the Worker handed over what was already rejected (WorkerRespawned), or that the rejection
	// repeats the one before on the same tree (Rejected).
	NoProgress bool
	// Loop is the loop budget at this moment; its zero value means that there is none.
	Loop LoopBudget
}

// LoopBudget is what is left of the wall-clock bound of a whole run.
type LoopBudget struct {
	Bounded bool
	Left    time.Duration
}

// spent reports whether the bound has been passed.
func (b LoopBudget) spent() bool { return b.Bounded && b.Left <= 0 }

// allows reports whether something follows a wait of d.
func (b LoopBudget) allows(d time.Duration) bool { return !b.Bounded || d < b.Left }

// row returns the place in the catalogue of the fault observed.
func (o Observation) row() int {
	if i := rowIndex(o.Kind); i >= 0 {
		return i
	}
	return rowIndex(contracts.FaultTimeout)
}
