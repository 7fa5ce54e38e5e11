package audit_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
)

func ExampleLog_Retries() {
	project, err := os.MkdirTemp("", "project")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(project)

	log := audit.At(filepath.Join(project, ".cleo", "audit"))
	for _, task := range []string{"T1", "T2"} {
		err := log.AppendRetry(context.Background(), contracts.RetryEntry{
			Timestamp: "2026-05-01T10:00:00.000Z", TaskID: task, AttemptNumber: 1,
			RetryDecision: contracts.DecisionAttest, Message: "every criterion holds",
		})
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	for row, err := range log.Retries(context.Background(), audit.Filter{TaskID: "T2"}) {
		if err != nil {
			fmt.Println(err) // a malformed line; reading goes on
			continue
		}
		fmt.Println(row.TaskID, row.RetryDecision, row.Message)
	}
	// Output: T2 attest every criterion holds
}
