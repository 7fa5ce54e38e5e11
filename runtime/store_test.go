package runtime

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// TestARunLivesInTheStore kills the Lead in each act of a run, with the real store as journal, and goes on with the
// database opened anew.
func TestARunLivesInTheStore(t *testing.T) {
	type kill struct {
		name     string
		validate int // the spawn that the Lead is killed in, 0 for none
		shipped  bool
		mend     bool
		want     []contracts.RetryDecision
	}
	worker, validator, attest := contracts.DecisionRetryWorker, contracts.DecisionRetryValidator, contracts.DecisionAttest
	for _, k := range []kill{
		{name: "nowhere", want: []contracts.RetryDecision{worker, attest}},
		{name: "before the rejection", validate: 1, want: []contracts.RetryDecision{validator, worker, attest}},
		{name: "after the rejection", validate: 1, shipped: true, want: []contracts.RetryDecision{worker, attest}},
		{name: "while the worker mends", mend: true, want: []contracts.RetryDecision{worker, attest}},
		{name: "before the attestation", validate: 2, want: []contracts.RetryDecision{worker, validator, attest}},
		{name: "after the attestation", validate: 2, shipped: true, want: []contracts.RetryDecision{worker, attest}},
	} {
		t.Run(k.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "validator.db")
			play := &storedPlay{t: t, kill: func(spawn int, shipped, mend bool) bool {
				return spawn == k.validate && spawn > 0 && shipped == k.shipped || mend && k.mend
			}}
			result, ended := play.process(path)
			if !ended {
				play.kill = func(int, bool, bool) bool { return false }
				result, ended = play.process(path)
			} else if k.name != "nowhere" {
				t.Fatal("the lead was not killed")
			}
			if diff := cmp.Diff(k.want, decisions(result)); diff != "" || !ended || result.Outcome != OutcomeAttest {
				t.Errorf("outcome %s: %s", result.Outcome, diff)
			}
			for i, row := range result.Attempts {
				if row.RunID != result.RunID || row.AttemptNumber != i+1 {
					t.Errorf("row %d is attempt %d of run %s", i, row.AttemptNumber, row.RunID)
				}
			}
		})
	}
}

// storedPlay is a crew that ships its verdicts to a real store: first a rejection, then an attestation.
type storedPlay struct {
	t      *testing.T
	db     *store.Store
	acID   string
	spawns int
	kill   func(spawn int, shipped, mend bool) bool
	// rejected says that a rejection was shipped.
	rejected bool
}

// process opens the database, drives the run until it ends (true) or the Lead is killed (false), and closes it.
func (p *storedPlay) process(path string) (result Result, ended bool) {
	p.t.Helper()
	db, err := store.Open(p.t.Context(), path, store.Options{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer db.Close()
	p.db = db
	if p.acID == "" {
		p.addTask()
	}
	defer func() {
		if cause := recover(); cause != nil && cause != any(killed{}) {
			panic(cause)
		}
	}()
	result, err = RunMaxN(p.t.Context(), task, Crew{Spawner: p, Worker: p}, Options{Journal: db})
	if err != nil {
		p.t.Fatal(err)
	}
	return result, true
}

func (p *storedPlay) addTask() {
	err := p.db.AddTasks(p.t.Context(), []store.NewTask{{ID: task, Title: "t", ACs: []store.NewAC{{Text: "it runs"}}}})
	if err != nil {
		p.t.Fatal(err)
	}
	got, err := p.db.Task(p.t.Context(), task)
	if err != nil {
		p.t.Fatal(err)
	}
	p.acID = got.ACs[0].ID
}

// SpawnValidator rejects once, then attests.
func (p *storedPlay) SpawnValidator(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	p.spawns++
	spawn := p.spawns
	if p.kill(spawn, false, false) {
		panic(killed{})
	}
	verdict, err := p.verdict(req)
	if err != nil {
		return contracts.Attempt{}, err
	}
	if _, err := p.db.RecordVerdict(ctx, store.VerdictRecord{Verdict: verdict, Subject: candidate("a")}); err != nil {
		return contracts.Attempt{}, fmt.Errorf("shipping: %w", err)
	}
	p.rejected = true
	if p.kill(spawn, true, false) {
		panic(killed{})
	}
	return contracts.Attempt{Verdict: verdict, Subject: candidate("a")}, nil
}

func (p *storedPlay) verdict(req contracts.SpawnRequest) (contracts.Verdict, error) {
	finding := contracts.Finding{ACID: p.acID, Status: contracts.StatusPass, Reasoning: "seen", CheckedAt: at}
	if p.rejected {
		if req.PreviousRejection.IsZero() {
			p.t.Error("the validator was not told of the rejection")
		}
		return contracts.NewAttestation(contracts.Attestation{
			Verdict: contracts.VerdictAttest, TaskID: task, ValidatorID: req.ValidatorID,
			Findings: []contracts.Finding{finding}, AttestedAt: at, SchemaVersion: contracts.SchemaVersion,
		})
	}
	finding.Status = contracts.StatusFail
	return contracts.NewRejection(contracts.Rejection{
		Verdict: contracts.VerdictReject, TaskID: task, ValidatorID: req.ValidatorID, Summary: "not yet",
		Findings: []contracts.Finding{finding}, RejectedAt: at, SchemaVersion: contracts.SchemaVersion,
	})
}

// RespawnWorker mends nothing that anybody could see.
func (p *storedPlay) RespawnWorker(context.Context, contracts.RespawnRequest) (contracts.Subject, error) {
	if p.kill(0, false, true) {
		panic(killed{})
	}
	return candidate("b"), nil
}
