package tools_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// A task is added, its gate is shut, a Validator attests it, and its gate is open.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(ctx, filepath.Join(dir, "validator.db"), store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	task := store.NewTask{ID: "T1", Title: "Greeting", ACs: []store.NewAC{{Text: "it greets"}}}
	if err := db.AddTasks(ctx, []store.NewTask{task}); err != nil {
		log.Fatal(err)
	}

	service := tools.New(db, tools.Options{ProjectRoot: dir})
	_, err = service.Gate(ctx, "T1")
	fmt.Println(contracts.CodeOf(err))

	roster, err := service.ACPull().Invoke(ctx, contracts.ACPullInput{TaskID: "T1"})
	if err != nil {
		log.Fatal(err)
	}
	verdict, err := contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: "T1", ValidatorID: "validator-7", SchemaVersion: contracts.SchemaVersion,
		AttestedAt: "2026-05-25T22:18:05Z",
		Findings: []contracts.Finding{{
			ACID: roster.ACs[0].ID, Status: contracts.StatusPass, Reasoning: "ran ./greet, it says hello",
			CheckedAt: "2026-05-25T22:18:00Z",
		}},
	})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := service.Attest().Invoke(ctx, contracts.AttestInput{
		Caller: contracts.Caller{Role: contracts.RoleValidator}, Attestation: verdict.Canonical(),
	})
	fmt.Println(answer.BindingsWritten, err)

	gate, err := service.Gate(ctx, "T1")
	fmt.Println(gate.OK, err)
	// Output:
	// E_AC_COVERAGE_INCOMPLETE
	// 1 <nil>
	// true <nil>
}
