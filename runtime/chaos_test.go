package runtime

import (
	"context"

	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/contracts"
)

// chaos is a crew that answers with what it likes and a Lead that is killed between any two of its acts.
type chaos struct {
	books *ledger
	// event chooses what comes of an attempt, kill whether the Lead dies now.
	event func() string
	kill  func() bool
	// spent counts, over all processes, the attempts that were started and did not attest.
	spent int
}

func (c *chaos) mayDie() {
	if c.kill() {
		panic(killed{})
	}
}

// mayDieAt is mayDie around a write of the ledger.
func (c *chaos) mayDieAt(string) error {
	c.mayDie()
	return nil
}

// SpawnValidator may die before the Validator does anything, and after it shipped its verdict.
func (c *chaos) SpawnValidator(_ context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	event := c.event()
	if event != "attest" {
		c.spent++
	}
	c.mayDie()
	var got contracts.Attempt
	switch event {
	case "attest":
		got.Verdict = c.books.ship(attestation(req))
	case "reject":
		got.Verdict = c.books.ship(rejectionOf(req))
	default:
		c.mayDie()
		return got, &contracts.Fault{Kind: contracts.FaultKind(event), Message: "made up"}
	}
	c.mayDie()
	return got, nil
}

// RespawnWorker may die too; a Worker is not counted.
func (c *chaos) RespawnWorker(_ context.Context, req contracts.RespawnRequest) (contracts.Subject, error) {
	if req.Rejection.Kind() != contracts.VerdictReject {
		panic("the worker was told of no rejection")
	}
	c.mayDie()
	return contracts.Subject{}, nil
}

// process drives the task until the run ends (true) or the Lead is killed (false).
func (c *chaos) process(t rapid.TB, opts Options) (result Result, ended bool) {
	defer func() {
		if cause := recover(); cause != nil {
			if _, ok := cause.(killed); !ok {
				panic(cause)
			}
		}
	}()
	result, err := RunMaxN(context.Background(), task, Crew{Spawner: c, Worker: c}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return result, true
}

// checkRuns asserts what holds however often the Lead was killed: the rows are numbered 1, 2, 3… and there are never
// more of them than the budget has slots.
func (c *chaos) checkRuns(t rapid.TB, retryMax int) {
	t.Helper()
	for _, r := range c.books.runs {
		spent := 0
		for _, row := range r.Entries {
			if row.FaultKind != nil {
				spent++
			}
		}
		if spent > retryMax {
			t.Fatalf("%d rows that spend, of a budget of %d", spent, retryMax)
		}
		for i, row := range r.Entries {
			if row.AttemptNumber != i+1 {
				t.Fatalf("row %d is of attempt %d", i+1, row.AttemptNumber)
			}
		}
	}
}

// done reports whether the first run has its outcome; another process would begin a second.
func (l *ledger) done() bool { return len(l.runs) > 0 && l.runs[0].outcome != "" }
