package store

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// bindByHand writes a binding as another program would.
func bindByHand(t *testing.T, s *Store, id, atom, acID string, kind contracts.BindingType) {
	t.Helper()
	_, err := s.writer.Exec(`
		INSERT INTO evidence_ac_bindings (id, evidence_atom_id, ac_id, binding_type, created_at)
		VALUES (?, ?, ?, ?, '2026-05-25 10:00:00')`, id, atom, acID, string(kind))
	if err != nil {
		t.Fatal(err)
	}
}

func TestCoverageOfOthersRows(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 2)
	record(t, s, attest(task, "validator-a", ""))
	ac := task.ACs[0].ID
	bindByHand(t, s, "b1", "tool:test", ac, contracts.BindingDirect)
	bindByHand(t, s, "b2", "task:T0", ac, contracts.BindingSatisfies)
	bindByHand(t, s, "b3", "validator:validator-x:T1", ac, contracts.BindingCoverage)
	// Our atom, but not a row that attest writes.
	bindByHand(t, s, "b4", "validator:validator-a:T1", ac, contracts.BindingDirect)
	var got []string
	for _, b := range must(s.Coverage(t.Context(), "T1")).Bindings[ac] {
		ours := "others"
		if b.Attestation != nil {
			ours = "ours"
		}
		got = append(got, string(b.Type)+" "+b.AtomID+" "+ours)
	}
	want := []string{
		"coverage validator:validator-a:T1 ours", "direct tool:test others", "satisfies task:T0 others",
		"coverage validator:validator-x:T1 others", "direct validator:validator-a:T1 others",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Attesting part after part leaves each criterion with the envelope that is about it.
func TestCoverageOfPartialAttestations(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 2)
	first, second := task, task
	first.ACs, second.ACs = task.ACs[:1], task.ACs[1:]
	record(t, s, attest(first, "validator-a", ""))
	record(t, s, attest(second, "validator-a", ""))
	bindings := must(s.Coverage(t.Context(), "T1")).Bindings
	for i, ac := range task.ACs {
		if seq := bindings[ac.ID][0].Attestation.Seq; seq != int64(i+1) {
			t.Errorf("%s is attested by envelope %d", ac.Alias(), seq)
		}
	}
}

func TestCoverageShowsDrift(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 1)
	record(t, s, attest(task, "validator-a", ""))
	if _, err := s.writer.Exec(`UPDATE task_acceptance_criteria SET text = 'something easier'`); err != nil {
		t.Fatal(err)
	}
	coverage := must(s.Coverage(t.Context(), "T1"))
	ac := coverage.Task.ACs[0]
	if ac.ContentHash == task.ACs[0].ContentHash {
		t.Error("the hash is not that of the text")
	}
	if got := coverage.Bindings[ac.ID][0].Attestation.ContentHash; got != task.ACs[0].ContentHash {
		t.Error("the attested hash moved with the text")
	}
}

func TestComplete(t *testing.T) {
	s := openTemp(t)
	task := add(t, s, "T1", 1)
	record(t, s, attest(task, "validator-a", ""))
	status := func() string { return must(s.Task(t.Context(), "T1")).Status }

	refusal := errors.New("no")
	if _, err := s.Complete(t.Context(), "T1", func(Coverage) error { return refusal }); err != refusal {
		t.Errorf("error %v, want the refusal itself", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Complete(ctx, "T1", func(Coverage) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) || status() != "pending" {
		t.Errorf("cancelled while deciding: %v, status %s", err, status())
	}

	want := must(s.Coverage(t.Context(), "T1"))
	already, err := s.Complete(t.Context(), "T1", func(c Coverage) error {
		if diff := cmp.Diff(want, c); diff != "" {
			t.Error(diff)
		}
		if status() != "pending" { // a reader does not wait for the writer
			t.Error("the status changed before the decision")
		}
		return nil
	})
	if err != nil || already || status() != StatusDone || must(s.Task(t.Context(), "T1")).CompletedAt == "" {
		t.Errorf("already %v, %v, status %s", already, err, status())
	}
	already, err = s.Complete(t.Context(), "T1", func(Coverage) error { t.Error("asked again"); return nil })
	if err != nil || !already {
		t.Errorf("already %v, %v", already, err)
	}
}

// No verdict comes between the look at the coverage and the change of the status.
func TestCompleteExcludesVerdicts(t *testing.T) {
	path := tempPath(t)
	s, other := openAt(t, path), openAt(t, path)
	task := add(t, s, "T1", 1)
	recorded := make(chan error, 1)
	_, err := s.Complete(t.Context(), "T1", func(Coverage) error {
		go func() {
			_, err := other.RecordVerdict(context.Background(), VerdictRecord{Verdict: reject(task, "validator-a"), Admit: func(task Task) error {
				if task.Status != StatusDone {
					return errors.New("the verdict was admitted before the completion ended")
				}
				return nil
			}})
			recorded <- err
		}()
		return nil
	})
	if err := errors.Join(err, <-recorded); err != nil {
		t.Error(err)
	}
}
