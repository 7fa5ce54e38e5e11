package runtime

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

var errCtrlC = errors.New("ctrl-c")

func TestInterruptedAttemptHandsItsSlotBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		books := &ledger{}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Minute, func() { cancel(errCtrlC) })
		crew := &scripted{t: t, validators: []validator{books.shipping(rejects(candidate("a"))), hangs}}
		result, err := RunMaxN(ctx, task, crew.crew(), Options{Journal: books, Audit: books})
		checkInterrupted(t, err)
		if len(result.Attempts) != 1 || result.Outcome != "" {
			t.Errorf("a row was made up: %v", decisions(result))
		}
		if last := books.calls[len(books.calls)-2:]; cmp.Diff([]string{"release 2", "commit state"}, last) != "" {
			t.Errorf("ended with %v", last)
		}
		if active := books.runs[0].Active; active != time.Minute {
			t.Errorf("kept %s of active time, not 1m", active)
		}
		again := &scripted{t: t, validators: []validator{attests}}
		result, err = RunMaxN(t.Context(), task, again.crew(), Options{Journal: books})
		if err != nil || result.Outcome != OutcomeAttest || again.spawned[0].AttemptNumber != 2 {
			t.Errorf("resumed: outcome %s at attempt %d, error %v", result.Outcome, again.spawned[0].AttemptNumber, err)
		}
		if again.spawned[0].ValidatorID == crew.spawned[1].ValidatorID {
			t.Error("the attempt was handed to the same validator again")
		}
	})
}

// TestAStoppedValidatorsFaultIsNoFault: what a child says that we killed ourselves is no row.
func TestAStoppedValidatorsFaultIsNoFault(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	crew := &scripted{t: t, validators: []validator{
		func(context.Context, contracts.SpawnRequest) (contracts.Attempt, error) {
			cancel(errCtrlC)
			return contracts.Attempt{}, &contracts.Fault{Kind: contracts.FaultOOM, Message: "killed"}
		},
	}}
	result, err := RunMaxN(ctx, task, crew.crew(), Options{})
	checkInterrupted(t, err)
	if len(result.Attempts) != 0 {
		t.Errorf("rows %v", decisions(result))
	}
}

func TestInterruptedBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		books := &ledger{}
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(2*time.Second, func() { cancel(errCtrlC) })
		_, err := RunMaxN(ctx, task, (&scripted{t: t, validators: []validator{faults(contracts.FaultTimeout)}}).crew(),
			Options{Journal: books})
		checkInterrupted(t, err)
		if slices.Contains(books.calls, "release 1") || slices.Contains(books.calls, "reserve 2") {
			t.Errorf("calls %v", books.calls)
		}
		began := time.Now()
		result, err := RunMaxN(t.Context(), task, (&scripted{t: t, validators: []validator{attests}}).crew(),
			Options{Journal: books})
		if err != nil || result.Outcome != OutcomeAttest || time.Since(began) != 3*time.Second {
			t.Errorf("outcome %s after %s, error %v", result.Outcome, time.Since(began), err)
		}
	})
}

func TestInterruptedWorker(t *testing.T) {
	books := &ledger{}
	ctx, cancel := context.WithCancelCause(t.Context())
	crew := &scripted{t: t, validators: []validator{books.shipping(rejects(candidate("a")))}}
	crew.workers = append(crew.workers, func(ctx context.Context) (contracts.Subject, error) {
		cancel(errCtrlC)
		return contracts.Subject{}, context.Cause(ctx)
	})
	result, err := RunMaxN(ctx, task, crew.crew(), books.options())
	checkInterrupted(t, err)
	if len(result.Attempts) != 1 {
		t.Errorf("rows %v", decisions(result))
	}
	again := &scripted{t: t, validators: []validator{attests}}
	if _, err := RunMaxN(t.Context(), task, again.crew(), books.options()); err != nil || len(again.respawned) != 1 {
		t.Errorf("%d respawns after the resume, error %v", len(again.respawned), err)
	}
}

// TestAVerdictCountsAlthoughInterrupted: it is in the store already, so that forgetting it would be wrong.
func TestAVerdictCountsAlthoughInterrupted(t *testing.T) {
	for name, test := range map[string]struct {
		verdict validator
		outcome Outcome
		row     string
	}{
		"attest": {attests, OutcomeAttest, "commit attest"},
		"reject": {rejects(candidate("a")), "", "commit retry-worker"},
	} {
		t.Run(name, func(t *testing.T) {
			books := &ledger{}
			ctx, cancel := context.WithCancelCause(t.Context())
			crew := &scripted{t: t, validators: []validator{
				func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
					cancel(errCtrlC)
					return books.shipping(test.verdict)(ctx, req)
				},
			}}
			result, err := RunMaxN(ctx, task, crew.crew(), books.options())
			if result.Outcome != test.outcome || !slices.Contains(books.calls, test.row) || len(crew.respawned) != 0 {
				t.Errorf("outcome %q, calls %v", result.Outcome, books.calls)
			}
			if test.outcome == "" {
				checkInterrupted(t, err)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestAShippedVerdictIsNotHandedBack: the spawner was stopped before it could return what the store has accepted.
func TestAShippedVerdictIsNotHandedBack(t *testing.T) {
	books := &ledger{}
	ctx, cancel := context.WithCancelCause(t.Context())
	crew := &scripted{t: t, validators: []validator{
		func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
			books.ship(rejectionOf(req))
			cancel(errCtrlC)
			return contracts.Attempt{}, context.Cause(ctx)
		},
	}}
	result, err := RunMaxN(ctx, task, crew.crew(), books.options())
	checkInterrupted(t, err)
	if len(result.Attempts) != 1 || result.Attempts[0].Verdict != contracts.VerdictReject ||
		slices.Contains(books.calls, "release 1") {
		t.Errorf("rows %v, calls %v", decisions(result), books.calls)
	}
}

func TestInterruptedBeforeItBegan(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errCtrlC)
	for _, opts := range []Options{{}, (&ledger{}).options()} {
		_, err := RunMaxN(ctx, task, (&scripted{t: t}).crew(), opts)
		checkInterrupted(t, err)
	}
}

// TestInterruptedReservation: whether or not the write went through, the slot is not lost.
func TestInterruptedReservation(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	books := &ledger{}
	books.after = func(call string) error {
		if call != "reserve 1" {
			return nil
		}
		cancel(errCtrlC)
		return context.Canceled
	}
	_, err := RunMaxN(ctx, task, (&scripted{t: t}).crew(), books.options())
	checkInterrupted(t, err)
	if books.runs[0].Pending != nil {
		t.Error("the slot is still taken")
	}
}

func checkInterrupted(t *testing.T, err error) {
	t.Helper()
	if contracts.CodeOf(err) != contracts.CodeInterrupted || !errors.Is(err, errCtrlC) {
		t.Errorf("error %v (%s), not an interruption by its cause", err, contracts.CodeOf(err))
	}
}
