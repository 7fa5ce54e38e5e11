package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

func TestIntentBeforeEffect(t *testing.T) {
	books := &ledger{}
	crew := &scripted{t: t, validators: []validator{
		books.shipping(rejects(candidate("a"))), books.shipping(faults(contracts.FaultTimeout)), books.shipping(attests),
	}}
	crew.workers = append(crew.workers, func(context.Context) (contracts.Subject, error) {
		books.calls = append(books.calls, "worker")
		return candidate("b"), nil
	})
	result, err := RunMaxN(t.Context(), task, crew.crew(), books.options())
	if err != nil || result.Outcome != OutcomeAttest {
		t.Fatalf("outcome %s, error %v", result.Outcome, err)
	}
	want := []string{
		"open",
		"reserve 1", "validator", "commit retry-worker", "audit retry-worker", "worker", "commit state",
		"reserve 2", "validator", "commit retry-validator", "audit retry-validator",
		"reserve 3", "validator", "commit attest", "audit attest",
	}
	if diff := cmp.Diff(want, books.calls); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(books.runs[0].Entries, result.Attempts); diff != "" {
		t.Errorf("the result does not mirror the rows: %s", diff)
	}
}

// shipping has a Validator write its verdict before it returns it, as the tools do.
func (l *ledger) shipping(v validator) validator {
	return func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
		l.calls = append(l.calls, "validator")
		got, err := v(ctx, req)
		if err == nil {
			l.ship(got.Verdict)
		}
		return got, err
	}
}

// interruptedRun is a run that was killed while its n-th attempt, after the given events, was in flight.
func interruptedRun(t *testing.T, books *ledger, opts Options, ship bool, before ...string) {
	t.Helper()
	left := before
	c := &chaos{books: books}
	c.event = func() string {
		if len(left) == 0 {
			return "reject"
		}
		event := left[0]
		left = left[1:]
		return event
	}
	inFlight := 0
	c.kill = func() bool {
		if len(books.calls) == 0 || len(left) > 0 || len(books.runs[0].Entries) < len(before) || books.runs[0].Pending == nil {
			return false
		}
		inFlight++
		return !ship && inFlight == 1 || ship && inFlight == 2
	}
	if _, ended := c.process(t, opts); ended {
		t.Fatal("the lead was not killed")
	}
}

func TestResumeFindsTheVerdictOfTheAttemptInFlight(t *testing.T) {
	books := &ledger{}
	interruptedRun(t, books, books.options(), true)
	crew := &scripted{t: t, validators: []validator{books.shipping(attests)}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), books.options())
	if err != nil {
		t.Fatal(err)
	}
	want := []contracts.RetryDecision{contracts.DecisionRetryWorker, contracts.DecisionAttest}
	if diff := cmp.Diff(want, decisions(result)); diff != "" {
		t.Error(diff)
	}
	if len(crew.respawned) != 1 || crew.spawned[0].PreviousRejection.IsZero() {
		t.Errorf("%d respawns; the next validator was told of %v", len(crew.respawned), crew.spawned[0].PreviousRejection.Kind())
	}
}

func TestResumeSettlesALostAttempt(t *testing.T) {
	books := &ledger{}
	interruptedRun(t, books, books.options(), false, "validator-OOM")
	crew := &scripted{t: t, validators: []validator{books.shipping(attests)}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), books.options())
	if err != nil || len(result.Attempts) != 3 {
		t.Fatalf("rows %v, error %v", decisions(result), err)
	}
	lost := result.Attempts[1]
	if lost.AttemptNumber != 2 || *lost.FaultKind != contracts.FaultConduitDrop || lost.ValidatorID == "" ||
		cmp.Diff(map[string]any{"leadLost": true}, lost.Detail) != "" || !strings.Contains(lost.Message, "lead ended") {
		t.Errorf("row %+v", lost)
	}
	if crew.spawned[0].DowngradeModelTier {
		t.Error("the downgrade was for the attempt that was lost, and only that one")
	}
}

func TestResumeWaitsWhatIsLeftOfABackoff(t *testing.T) {
	for gap, left := range map[time.Duration]time.Duration{
		0: 10 * time.Second, 4 * time.Second: 6 * time.Second, time.Hour: 0, -time.Hour: 10 * time.Second,
	} {
		t.Run(gap.String(), func(t *testing.T) {
			books := &ledger{}
			clock := &virtualClock{now: time.Unix(0, 0)}
			opts := books.options()
			opts.Clock = clock
			c := &chaos{books: books, event: func() string { return "validator-unreachable" }, kill: func() bool { return false }}
			books.after = func(call string) error {
				if strings.HasPrefix(call, "audit") {
					panic(killed{})
				}
				return nil
			}
			if _, ended := c.process(t, opts); ended {
				t.Fatal("the lead was not killed")
			}
			books.after = nil
			clock.now = clock.now.Add(gap)
			began := clock.now
			crew := &scripted{t: t, validators: []validator{attests}}
			result, err := RunMaxN(t.Context(), task, crew.crew(), opts)
			if err != nil || result.Outcome != OutcomeAttest {
				t.Fatalf("outcome %s, error %v", result.Outcome, err)
			}
			if waited := clock.now.Sub(began); waited != left {
				t.Errorf("waited %s, not %s", waited, left)
			}
		})
	}
}

func TestResumeRespawnsTheWorkerAgain(t *testing.T) {
	books := &ledger{}
	interrupted := &scripted{t: t, validators: []validator{books.shipping(rejects(candidate("a")))}}
	interrupted.workers = append(interrupted.workers, func(context.Context) (contracts.Subject, error) { panic(killed{}) })
	func() {
		defer func() { _ = recover() }()
		_, _ = RunMaxN(t.Context(), task, interrupted.crew(), books.options())
	}()
	crew := &scripted{t: t, validators: []validator{books.shipping(rejects(candidate("a"))), attests}}
	crew.workers = append(crew.workers, handsOver(candidate("a")))
	opts := books.options()
	opts.NoProgress = true
	result, err := RunMaxN(t.Context(), task, crew.crew(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(crew.respawned) != 1 || crew.respawned[0].AttemptNumber != 1 || crew.respawned[0].Rejection.IsZero() {
		t.Errorf("the worker was asked %+v", crew.respawned)
	}
	if result.Outcome != OutcomeEscalateHITL || len(crew.spawned) != 0 {
		t.Errorf("the candidate that was rejected before the kill is forgotten: %v", decisions(result))
	}
}

// TestLoopBudgetIsThatOfTheWholeRun: the time of earlier processes counts, the time between them does not.
func TestLoopBudgetIsThatOfTheWholeRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		books := &ledger{}
		opts := Options{Journal: books, LoopBudget: time.Minute, RetryMax: 9}
		slow := func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
			time.Sleep(25 * time.Second)
			return faults(contracts.FaultConduitDrop)(ctx, req)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancelled := func(context.Context, contracts.SpawnRequest) (contracts.Attempt, error) {
			time.Sleep(25 * time.Second)
			cancel()
			return contracts.Attempt{}, errBroken
		}
		crew := &scripted{t: t, validators: []validator{slow, cancelled}}
		if _, err := RunMaxN(ctx, task, crew.crew(), opts); contracts.CodeOf(err) != contracts.CodeInterrupted {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		began := time.Now()
		result, err := RunMaxN(t.Context(), task, (&scripted{t: t, validators: []validator{hangs}}).crew(), opts)
		if err != nil || result.Outcome != OutcomeEscalateHITL || time.Since(began) != 10*time.Second {
			t.Errorf("outcome %s after %s, error %v", result.Outcome, time.Since(began), err)
		}
	})
}

// TestResumeKeepsTheBudgetItBeganWith whatever the options say now.
func TestResumeKeepsTheBudgetItBeganWith(t *testing.T) {
	books := &ledger{}
	opts := books.options()
	opts.RetryMax = 2
	interruptedRun(t, books, opts, false, "reject")
	opts.RetryMax = 9
	result, err := RunMaxN(t.Context(), task, (&scripted{t: t}).crew(), opts)
	if err != nil || result.Outcome != OutcomeEscalateHITL || len(result.Attempts) != 2 {
		t.Errorf("rows %v, error %v", decisions(result), err)
	}
}

func TestResumeRefusesWhatItCannotGoOnWith(t *testing.T) {
	tests := map[string]store.Run{
		"no JSON":          {State: []byte("{")},
		"unknown field":    {State: []byte(`{"state":{"max":3,"phase":"awaiting-verdict"},"newer":1}`)},
		"ended":            {State: []byte(`{"state":{"max":3,"phase":"ended"}}`)},
		"impossible state": {State: []byte(`{"state":{"max":3,"counter":7,"own":[0,0,0,0,0,0,0],"phase":"awaiting-verdict"}}`)},
		"rejection gone": {
			State: []byte(`{"state":{"max":3,"counter":1,"own":[0,0,0,0,0,0,0],"phase":"awaiting-worker"},` +
				`"rejectedBy":"validator-x"}`),
		},
		"another attempt reserved": {
			State:   []byte(`{"state":{"max":3,"own":[0,0,0,0,0,0,0],"phase":"awaiting-verdict"}}`),
			Pending: &store.Reservation{AttemptNumber: 2},
		},
	}
	for name, run := range tests {
		t.Run(name, func(t *testing.T) {
			run.TaskID, run.ID, run.RetryMax = task, "r", 3
			books := &ledger{runs: []*ledgerRun{{Run: run, reserved: map[int]bool{}}}}
			_, err := RunMaxN(t.Context(), task, (&scripted{t: t}).crew(), books.options())
			if contracts.CodeOf(err) != contracts.CodeStoreInvalid {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestAFailingJournalStopsTheRun before the effect that it should have kept, and leaves it resumable.
func TestAFailingJournalStopsTheRun(t *testing.T) {
	for _, failing := range []string{"open", "reserve 1", "commit retry-worker", "commit state", "reserve 2", "commit attest"} {
		t.Run(failing, func(t *testing.T) {
			books := &ledger{}
			books.before = func(call string) error {
				if call == failing {
					return errBroken
				}
				return nil
			}
			crew := &scripted{t: t, validators: []validator{books.shipping(rejects(candidate("a"))), books.shipping(attests)}}
			result, err := RunMaxN(t.Context(), task, crew.crew(), books.options())
			if err == nil || !strings.Contains(err.Error(), "broken") || result.Outcome != "" {
				t.Fatalf("outcome %s, error %v", result.Outcome, err)
			}
			if last := books.calls[len(books.calls)-1]; last != failing {
				t.Errorf("went on to %s", last)
			}
			if len(books.runs) > 0 && len(result.Attempts) != len(books.runs[0].Entries) {
				t.Errorf("the result tells of rows that were not committed: %v", decisions(result))
			}
			books.before = nil
			again := &scripted{t: t, validators: []validator{books.shipping(attests), books.shipping(attests)}}
			result, err = RunMaxN(t.Context(), task, again.crew(), books.options())
			if err != nil || result.Outcome != OutcomeAttest {
				t.Errorf("resumed: outcome %s, error %v", result.Outcome, err)
			}
		})
	}
}

func TestAFailingAuditLogStopsNothing(t *testing.T) {
	books := &ledger{}
	books.before = func(call string) error {
		if strings.HasPrefix(call, "audit") {
			return errBroken
		}
		return nil
	}
	var told []string
	opts := books.options()
	opts.OnEvent = func(e Event) {
		if e.Kind == EventAuditFailed {
			told = append(told, e.Message)
		}
	}
	crew := &scripted{t: t, validators: []validator{rejects(candidate("a")), attests}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), opts)
	if err != nil || result.Outcome != OutcomeAttest {
		t.Fatalf("outcome %s, error %v", result.Outcome, err)
	}
	var want []string
	for n := 1; n <= 2; n++ {
		want = append(want, fmt.Sprintf("appending the audit row of attempt %d: broken", n))
	}
	if diff := cmp.Diff(want, result.AuditErrors); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}
