package runtime_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
)

// stubborn is a spawner whose Validators never answer.
type stubborn struct{}

func (stubborn) SpawnValidator(context.Context, contracts.SpawnRequest) (contracts.Attempt, error) {
	return contracts.Attempt{}, &contracts.Fault{Kind: contracts.FaultPartial, Message: "no verdict was printed"}
}

func ExampleRunMaxN() {
	result, err := runtime.RunMaxN(context.Background(), "T1", runtime.Crew{Spawner: stubborn{}}, runtime.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Outcome)
	for _, row := range result.Attempts {
		fmt.Println(row.AttemptNumber, *row.FaultKind, row.RetryDecision)
	}
	// Output:
	// escalate-hitl
	// 1 validator-partial retry-validator
	// 2 validator-partial escalate-hitl
}

func ExampleSimulate() {
	lines := strings.NewReader(`{"retryMax":1,"events":["timeout","attest"]}`)
	var out bytes.Buffer
	if err := runtime.Simulate(context.Background(), lines, &out); err != nil {
		fmt.Println(err)
	}
	outcome, _, _ := strings.Cut(out.String(), ",")
	fmt.Println(outcome)
	// Output:
	// {"outcome":"escalate-hitl"
}

func ExampleCatalogue() {
	for _, row := range runtime.Catalogue()[4:] {
		fmt.Println(row.Kind, row.Retries, row.Backoffs, row.Class)
	}
	// Output:
	// timeout 2 [5s 30s] transient
	// conduit-drop 3 [] transient
	// validator-OOM 1 [] transient-then-permanent
}
