package runtime

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

var errScriptEnded = errors.New("there are no more events")

// actors is a crew that acts out a script.
type actors struct {
	events []string
	spawns []simulatedSpawn
	stop   context.CancelCauseFunc
}

// SpawnValidator answers with the next event. When there is none, it ends the run.
func (a *actors) SpawnValidator(_ context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	if len(a.events) == 0 {
		a.stop(errScriptEnded)
		return contracts.Attempt{}, errScriptEnded
	}
	event := a.events[0]
	a.events = a.events[1:]
	a.spawns = append(a.spawns, simulatedSpawn{req.AttemptNumber, req.DowngradeModelTier})
	switch event {
	case eventAttest, eventReject:
		verdicts, err := simulatedVerdicts()
		return contracts.Attempt{Verdict: verdicts[contracts.VerdictKind(event)]}, err
	}
	return contracts.Attempt{}, &contracts.Fault{Kind: contracts.FaultKind(event), Message: "simulated " + event}
}

// RespawnWorker succeeds, unless the script says otherwise next.
func (a *actors) RespawnWorker(context.Context, contracts.RespawnRequest) (contracts.Subject, error) {
	if len(a.events) > 0 && a.events[0] == eventRespawnFails {
		a.events = a.events[1:]
		return contracts.Subject{}, errors.New("simulated failure of the worker")
	}
	return contracts.Subject{}, nil
}

// simulatedVerdicts are the two envelopes that a script can name.
var simulatedVerdicts = sync.OnceValues(func() (map[contracts.VerdictKind]contracts.Verdict, error) {
	const at, validator, ac = "1970-01-01T00:00:00Z", "validator-simulated", "00000000-0000-4000-8000-000000000001"
	finding := contracts.Finding{ACID: ac, Status: contracts.StatusPass, Reasoning: "simulated", CheckedAt: at}
	attest, err := contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: simulatedTask, ValidatorID: validator,
		Findings: []contracts.Finding{finding}, AttestedAt: at, SchemaVersion: contracts.SchemaVersion,
	})
	if err != nil {
		return nil, err
	}
	finding.Status = contracts.StatusFail
	reject, err := contracts.NewRejection(contracts.Rejection{
		Verdict: contracts.VerdictReject, TaskID: simulatedTask, ValidatorID: validator, Summary: "simulated reject",
		Findings: []contracts.Finding{finding}, RejectedAt: at, SchemaVersion: contracts.SchemaVersion,
	})
	return map[contracts.VerdictKind]contracts.Verdict{
		contracts.VerdictAttest: attest, contracts.VerdictReject: reject,
	}, err
})

// virtualClock moves only when somebody sleeps.
type virtualClock struct{ now time.Time }

func (c *virtualClock) Now() time.Time { return c.now }

func (c *virtualClock) Sleep(_ context.Context, d time.Duration) error {
	c.now = c.now.Add(d)
	return nil
}
