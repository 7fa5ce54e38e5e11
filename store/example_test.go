package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

func Example() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	s, err := store.Open(ctx, filepath.Join(dir, "validator.db"), store.Options{})
	if err != nil {
		panic(err)
	}
	defer s.Close()

	err = s.AddTasks(ctx, []store.NewTask{{ID: "T1", Title: "Greeting", ACs: []store.NewAC{{Text: "it greets"}}}})
	if err != nil {
		panic(err)
	}
	task, err := s.Task(ctx, "T1")
	if err != nil {
		panic(err)
	}
	verdict, err := contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: "T1", ValidatorID: "validator-a", SchemaVersion: contracts.SchemaVersion,
		AttestedAt: "2026-05-25T22:18:00Z",
		Findings: []contracts.Finding{{
			ACID: task.ACs[0].ID, Status: contracts.StatusPass, Reasoning: "it says hello", CheckedAt: "2026-05-25T22:18:00Z",
		}},
	})
	if err != nil {
		panic(err)
	}
	if _, err := s.RecordVerdict(ctx, store.VerdictRecord{Verdict: verdict}); err != nil {
		panic(err)
	}
	coverage, err := s.Coverage(ctx, "T1")
	if err != nil {
		panic(err)
	}
	for _, ac := range coverage.Task.ACs {
		for _, binding := range coverage.Bindings[ac.ID] {
			fmt.Println(ac.Alias(), ac.Text, binding.Type, binding.Attestation.ValidatorID)
		}
	}
	// Output: AC1 it greets coverage validator-a
}
