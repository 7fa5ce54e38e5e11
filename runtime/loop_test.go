package runtime

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestLoopBudgetStopsAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{t: t, validators: []validator{faults(contracts.FaultTimeout), hangs}}
		began := time.Now()
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{LoopBudget: time.Minute, RetryMax: 5})
		if err != nil || time.Since(began) != time.Minute {
			t.Fatalf("ended after %s with error %v", time.Since(began), err)
		}
		last := result.Attempts[len(result.Attempts)-1]
		if result.Outcome != OutcomeEscalateHITL || *last.FaultKind != contracts.FaultTimeout || last.BackoffMs != nil ||
			last.Message != "the time that the whole run may take is spent" {
			t.Errorf("outcome %s, last row %+v", result.Outcome, last)
		}
		if !strings.Contains(result.Reason, "loop budget of 1m0s") {
			t.Errorf("the reason does not name the loop budget: %s", result.Reason)
		}
	})
}

func TestLoopBudgetDefaultsToHalfAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		crew := &scripted{t: t, validators: []validator{hangs}}
		if _, err := RunMaxN(t.Context(), task, crew.crew(), Options{}); err != nil || time.Since(began) != 30*time.Minute {
			t.Errorf("ended after %s with error %v", time.Since(began), err)
		}
	})
}

func TestNoLoopBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{t: t, validators: []validator{
			func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
				if _, bounded := ctx.Deadline(); bounded {
					t.Error("the attempt has a deadline")
				}
				time.Sleep(100 * time.Hour)
				return rejects(candidate("a"))(ctx, req)
			},
			attests,
		}}
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{LoopBudget: -1})
		if err != nil || result.Outcome != OutcomeAttest {
			t.Errorf("outcome %s, error %v", result.Outcome, err)
		}
	})
}

func TestLoopBudgetStopsAWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{
			t: t, validators: []validator{rejects(candidate("a"))},
			workers: []func(context.Context) (contracts.Subject, error){func(ctx context.Context) (contracts.Subject, error) {
				<-ctx.Done()
				return contracts.Subject{}, context.Cause(ctx)
			}},
		}
		began := time.Now()
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{LoopBudget: time.Minute})
		if err != nil || result.Outcome != OutcomeEscalateHITL || time.Since(began) != time.Minute {
			t.Errorf("outcome %s after %s, error %v", result.Outcome, time.Since(began), err)
		}
	})
}

// TestLoopBudgetSpentByAWorker: a candidate that came too late is not judged.
func TestLoopBudgetSpentByAWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{
			t: t, validators: []validator{rejects(candidate("a"))},
			workers: []func(context.Context) (contracts.Subject, error){func(context.Context) (contracts.Subject, error) {
				time.Sleep(2 * time.Minute)
				return candidate("b"), nil
			}},
		}
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{LoopBudget: time.Minute})
		if err != nil || result.Outcome != OutcomeEscalateHITL || !strings.Contains(result.Reason, "loop budget") {
			t.Errorf("outcome %s (%s), error %v", result.Outcome, result.Reason, err)
		}
		last := result.Attempts[len(result.Attempts)-1]
		if len(result.Attempts) != 2 || last.Commit != "commit-b" || last.Message == "" {
			t.Errorf("last of %d rows: %+v", len(result.Attempts), last)
		}
	})
}

func TestBackoffThatOutlastsTheLoopBudgetIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{t: t, validators: []validator{faults(contracts.FaultUnreachable)}}
		began := time.Now()
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{LoopBudget: 10 * time.Second})
		if err != nil || result.Outcome != OutcomeEscalateHITL || time.Since(began) != 0 {
			t.Errorf("outcome %s after %s, error %v", result.Outcome, time.Since(began), err)
		}
	})
}

// TestLoopBudgetByTheContext: an attempt that the context cut short is not retried, whatever an injected clock says.
func TestLoopBudgetByTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{t: t, validators: []validator{hangs}}
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{Clock: &virtualClock{now: time.Unix(0, 0)}})
		if err != nil || result.Outcome != OutcomeEscalateHITL || len(result.Attempts) != 1 {
			t.Errorf("%v, error %v", decisions(result), err)
		}
	})
}
