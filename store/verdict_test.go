package store

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestRecordAttestation(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 3)
	subject := contracts.Subject{Commit: "c1", Tree: "t1"}
	verdict := attest(task, "validator-a", "")
	receipt, err := s.RecordVerdict(t.Context(), VerdictRecord{Verdict: verdict, Subject: subject, AgentID: "agent-2"})
	if err != nil {
		t.Fatal(err)
	}
	if len(receipt.BindingIDs) != 3 || receipt.Repeated || receipt.RecordedAt == "" {
		t.Errorf("receipt %+v", receipt)
	}
	coverage := must(s.Coverage(t.Context(), "T1"))
	for i, ac := range coverage.Task.ACs {
		want := []Binding{{
			ID: receipt.BindingIDs[i], AtomID: "validator:validator-a:T1", ACID: ac.ID, Type: contracts.BindingCoverage,
			CreatedAt: receipt.RecordedAt,
			Attestation: &AttestedBy{
				ValidatorID: "validator-a", AgentID: "agent-2", Subject: subject, ContentHash: ac.ContentHash, Seq: 1,
			},
		}}
		if diff := cmp.Diff(want, coverage.Bindings[ac.ID]); diff != "" {
			t.Error(diff)
		}
		if !ac.Bound {
			t.Errorf("%s is not bound", ac.Alias())
		}
	}
	if coverage.LastRejection != nil {
		t.Error("there is a rejection")
	}
	if kept, found, err := s.VerdictBy(t.Context(), "T1", "validator-a"); err != nil || !found || kept.Digest() != verdict.Digest() {
		t.Errorf("the envelope is not kept: %v, %v", found, err)
	}
}

// Binding ids follow the findings of the envelope, whatever their order.
func TestBindingIDsAreInTheOrderOfTheFindings(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 3)
	task.ACs[0], task.ACs[2] = task.ACs[2], task.ACs[0]
	receipt := record(t, s, attest(task, "validator-a", ""))
	bindings := must(s.Coverage(t.Context(), "T1")).Bindings
	for i, ac := range task.ACs {
		if bindings[ac.ID][0].ID != receipt.BindingIDs[i] {
			t.Errorf("binding %d is not that of finding %d", i, i)
		}
	}
}

func TestAttestingAgainWritesNoSecondRow(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 2)
	first := record(t, s, attest(task, "validator-a", ""))
	t.Run("SameEnvelope", func(t *testing.T) {
		again := record(t, s, attest(task, "validator-a", ""))
		want := first
		want.Repeated = true
		if diff := cmp.Diff(want, again); diff != "" {
			t.Error(diff)
		}
		if n := count(t, s, "SELECT count(*) FROM validator_verdicts"); n != 1 {
			t.Errorf("%d envelopes", n)
		}
	})
	t.Run("AnotherEnvelope", func(t *testing.T) {
		again := record(t, s, attest(task, "validator-a", "looked once more"))
		if diff := cmp.Diff(first.BindingIDs, again.BindingIDs); diff != "" || again.Repeated {
			t.Errorf("repeated %v: %s", again.Repeated, diff)
		}
		for _, rows := range must(s.Coverage(t.Context(), "T1")).Bindings {
			if len(rows) != 1 || rows[0].Attestation.Seq != 2 {
				t.Errorf("rows %+v, want one, behind which the latest envelope stands", rows)
			}
		}
	})
	t.Run("AnotherValidator", func(t *testing.T) {
		if again := record(t, s, attest(task, "validator-b", "")); again.BindingIDs[0] == first.BindingIDs[0] {
			t.Error("two Validators share a binding")
		}
	})
	t.Run("AfterARejection", func(t *testing.T) {
		record(t, s, reject(task, "validator-c"))
		record(t, s, attest(task, "validator-a", ""))
		coverage := must(s.Coverage(t.Context(), "T1"))
		if seq := coverage.Bindings[task.ACs[0].ID][0].Attestation.Seq; seq > coverage.LastRejection.Seq {
			t.Error("an old envelope, sent again, outlived the rejection")
		}
	})
}

func TestRecordRejection(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 2)
	subject := contracts.Subject{Commit: "c1", Tree: "t1"}
	for _, id := range []string{"validator-a", "validator-b"} {
		receipt, err := s.RecordVerdict(t.Context(), VerdictRecord{Verdict: reject(task, id), Subject: subject})
		if err != nil || receipt.BindingIDs != nil {
			t.Fatalf("receipt %+v, %v", receipt, err)
		}
	}
	coverage := must(s.Coverage(t.Context(), "T1"))
	if diff := cmp.Diff(&VerdictInfo{ValidatorID: "validator-b", Subject: subject, Seq: 2}, coverage.LastRejection); diff != "" {
		t.Error(diff)
	}
	if len(coverage.Bindings) > 0 {
		t.Errorf("a rejection wrote bindings: %v", coverage.Bindings)
	}
	if again := record(t, s, reject(task, "validator-a")); !again.Repeated {
		t.Error("the same rejection was taken for a new one")
	}
}

func TestVerdictBy(t *testing.T) {
	s := openTemp(t)
	one, two := add(t, s, "T1", 1), add(t, s, "T2", 1)
	record(t, s, reject(one, "validator-a"))
	latest := attest(one, "validator-a", "")
	record(t, s, latest)
	record(t, s, reject(two, "validator-a"))
	got, found, err := s.VerdictBy(t.Context(), "T1", "validator-a")
	if err != nil || !found || got.Digest() != latest.Digest() {
		t.Errorf("got %s %v, %v; want the latest on T1", got.Kind(), found, err)
	}
	if _, found, err := s.VerdictBy(t.Context(), "T1", "validator-b"); err != nil || found {
		t.Errorf("found %v, %v for a Validator that said nothing", found, err)
	}
}

// empty fails unless no verdict has left any row.
func empty(t *testing.T, s *Store) {
	t.Helper()
	for _, table := range []string{"validator_verdicts", "validator_findings", "evidence_ac_bindings"} {
		if n := count(t, s, "SELECT count(*) FROM "+table); n > 0 {
			t.Errorf("%d rows in %s", n, table)
		}
	}
}

func TestRefusedVerdictLeavesNothing(t *testing.T) {
	s := openTemp(t)
	one, two := add(t, s, "T1", 2), add(t, s, "T2", 1)
	mixed := one
	mixed.ACs = append(one.ACs[:2:2], two.ACs...)
	tests := map[string]struct {
		verdict contracts.Verdict
		want    contracts.Code
	}{
		"ErrNone":             {contracts.Verdict{}, contracts.CodeVerdictInvalid},
		"ErrUnknownTask":      {attest(Task{ID: "T9", ACs: one.ACs}, "validator-a", ""), contracts.CodeTaskNotFound},
		"ErrACOfAnotherTask":  {attest(mixed, "validator-a", ""), contracts.CodeACNotFound},
		"ErrRejectsForeignAC": {reject(mixed, "validator-a"), contracts.CodeACNotFound},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := s.RecordVerdict(t.Context(), VerdictRecord{Verdict: test.verdict})
			wantCode(t, err, test.want)
			empty(t, s)
		})
	}
	t.Run("ErrNotAdmitted", func(t *testing.T) {
		refusal := errors.New("no")
		_, err := s.RecordVerdict(t.Context(), VerdictRecord{Verdict: attest(one, "validator-a", ""), Admit: func(task Task) error {
			if diff := cmp.Diff(one, task); diff != "" {
				t.Error(diff)
			}
			return refusal
		}})
		if err != refusal {
			t.Errorf("error %v, want the refusal itself", err)
		}
		empty(t, s)
	})
	t.Run("ErrCancelledMeanwhile", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.RecordVerdict(ctx, VerdictRecord{Verdict: attest(one, "validator-a", ""), Admit: func(Task) error {
			cancel()
			return nil
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want the cancellation", err)
		}
		empty(t, s)
	})
}

func TestAttestationOfManyCriteria(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 1000)
	if receipt := record(t, s, attest(task, "validator-a", "")); len(receipt.BindingIDs) != 1000 {
		t.Errorf("%d bindings", len(receipt.BindingIDs))
	}
	for i, ac := range must(s.Task(t.Context(), "T1")).ACs {
		if ac.Text != fmt.Sprintf("criterion %d of T1", i+1) || !ac.Bound {
			t.Fatalf("criterion %d: %+v", i, ac)
		}
	}
}
