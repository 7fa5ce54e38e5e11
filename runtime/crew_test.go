package runtime

import (
	"context"
	"errors"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

const (
	task   = "T1"
	someAC = "00000000-0000-4000-8000-00000000000"
	at     = "2026-11-21T05:00:00Z"
)

// validator is what a scripted Validator does in one attempt.
type validator func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error)

// scripted is a crew whose Validators and Workers do as told, one after the other, and that keeps what it was asked.
type scripted struct {
	t          *testing.T
	validators []validator
	workers    []func(ctx context.Context) (contracts.Subject, error)
	spawned    []contracts.SpawnRequest
	respawned  []contracts.RespawnRequest
}

func (s *scripted) crew() Crew { return Crew{Spawner: s, Worker: s} }

// SpawnValidator runs the next Validator of the script.
func (s *scripted) SpawnValidator(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	s.spawned = append(s.spawned, req)
	if len(s.spawned) > len(s.validators) {
		s.t.Errorf("spawn %d was not in the script", len(s.spawned))
		return contracts.Attempt{}, &contracts.Fault{Kind: contracts.FaultNoACs, Message: "not in the script"}
	}
	return s.validators[len(s.spawned)-1](ctx, req)
}

// RespawnWorker runs the next Worker of the script, and has nothing to say after its end.
func (s *scripted) RespawnWorker(ctx context.Context, req contracts.RespawnRequest) (contracts.Subject, error) {
	s.respawned = append(s.respawned, req)
	if len(s.respawned) > len(s.workers) {
		return contracts.Subject{}, nil
	}
	return s.workers[len(s.respawned)-1](ctx)
}

func attests(_ context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	return contracts.Attempt{Verdict: attestation(req), Subject: candidate("a")}, nil
}

// rejects returns a Validator that finds the given criteria (1 to 9) failing on a candidate.
func rejects(subject contracts.Subject, acs ...string) validator {
	return func(_ context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
		return contracts.Attempt{Verdict: rejectionOf(req, acs...), Subject: subject}, nil
	}
}

func faults(kind contracts.FaultKind) validator {
	return fails(&contracts.Fault{Kind: kind, Message: "made up"})
}

func fails(err error) validator {
	return func(context.Context, contracts.SpawnRequest) (contracts.Attempt, error) {
		return contracts.Attempt{}, err
	}
}

// hangs returns a Validator that does nothing until it is stopped, and then says why it was.
func hangs(ctx context.Context, _ contracts.SpawnRequest) (contracts.Attempt, error) {
	<-ctx.Done()
	return contracts.Attempt{}, context.Cause(ctx)
}

// handsOver returns a Worker that hands a candidate over.
func handsOver(subject contracts.Subject) func(context.Context) (contracts.Subject, error) {
	return func(context.Context) (contracts.Subject, error) { return subject, nil }
}

// candidate is a commit and its tree.
func candidate(name string) contracts.Subject {
	return contracts.Subject{Commit: "commit-" + name, Tree: "tree-" + name}
}

func attestation(req contracts.SpawnRequest) contracts.Verdict {
	return must(contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: req.TaskID, ValidatorID: req.ValidatorID,
		Findings:   []contracts.Finding{{ACID: someAC + "1", Status: contracts.StatusPass, Reasoning: "runs", CheckedAt: at}},
		AttestedAt: at, SchemaVersion: contracts.SchemaVersion,
	}))
}

func rejectionOf(req contracts.SpawnRequest, acs ...string) contracts.Verdict {
	if len(acs) == 0 {
		acs = []string{"1"}
	}
	findings := []contracts.Finding{{ACID: someAC + "0", Status: contracts.StatusPass, Reasoning: "runs", CheckedAt: at}}
	for _, ac := range acs {
		findings = append(findings, contracts.Finding{
			ACID: someAC + ac, Status: contracts.StatusFail, Reasoning: "does not run", CheckedAt: at,
		})
	}
	return must(contracts.NewRejection(contracts.Rejection{
		Verdict: contracts.VerdictReject, TaskID: req.TaskID, ValidatorID: req.ValidatorID, Summary: "it does not run",
		Findings: findings, RejectedAt: at, SchemaVersion: contracts.SchemaVersion,
	}))
}

// decisions are the rows of a result, told by their decisions.
func decisions(result Result) []contracts.RetryDecision {
	var out []contracts.RetryDecision
	for _, row := range result.Attempts {
		out = append(out, row.RetryDecision)
	}
	return out
}

var errBroken = errors.New("broken")
