package runtime

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// TestDriverFollowsTheMachine runs every sequence of events against the restated rules, on a clock that stands still
// unless the driver sleeps.
func TestDriverFollowsTheMachine(t *testing.T) {
	for retryMax := 1; retryMax <= 3; retryMax++ {
		everyRun(retryMax, func(history []string, steps []step) {
			var want []contracts.RetryDecision
			var slept time.Duration
			for _, step := range steps {
				slept += step.wait
				for _, row := range step.rows {
					want = append(want, contracts.RetryDecision(row))
				}
			}
			clock := &virtualClock{}
			actors := &actors{events: strings.Split(strings.Join(history, ","), ","), stop: func(err error) { t.Error(err) }}
			result, err := RunMaxN(t.Context(), simulatedTask, Crew{Spawner: actors, Worker: actors}, Options{
				RetryMax: retryMax, Clock: clock,
			})
			if err != nil || cmp.Diff(want, decisions(result)) != "" {
				t.Fatalf("%v: %v, error %v", history, decisions(result), err)
			}
			if got := clock.now.Sub(time.Time{}); got != slept {
				t.Fatalf("%v: slept %s, not %s", history, got, slept)
			}
			for i, spawn := range actors.spawns {
				if spawn.AttemptNumber != i+1 || spawn.DowngradeModelTier != (i > 0 && steps[i-1].downgrade) {
					t.Fatalf("%v: spawn %d was asked for as %+v", history, i, spawn)
				}
			}
		})
	}
}

func TestRunOfThreeRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		crew := &scripted{t: t, validators: []validator{
			rejects(candidate("a")),
			func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
				time.Sleep(90 * time.Second)
				return contracts.Attempt{Detail: map[string]any{"under": 1, "over": 1}}, fmt.Errorf("supervising: %w",
					&contracts.Fault{Kind: contracts.FaultTimeout, Message: "too slow", Detail: map[string]any{"over": 2}})
			},
			attests,
		}}
		began := time.Now()
		ids := 0
		result, err := RunMaxN(t.Context(), task, crew.crew(), Options{NewID: func() string { ids++; return fmt.Sprint(ids) }})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 95*time.Second {
			t.Errorf("took %s, not 90 s and a backoff of 5 s", took)
		}
		want := `{"outcome":"attest","taskId":"T1","runId":"1","attempts":[` +
			`{"timestamp":"2000-01-01T00:00:00.000Z","taskId":"T1","attemptNumber":1,"faultFamily":"semantic",` +
			`"faultKind":"validator-partial","classification":"transient","backoffMs":0,"retryDecision":"retry-worker",` +
			`"message":"it does not run","runId":"1","verdict":"reject","validatorId":"validator-2","durationMs":0,` +
			`"commit":"commit-a"},` +
			`{"timestamp":"2000-01-01T00:01:30.000Z","taskId":"T1","attemptNumber":2,"faultFamily":"infra",` +
			`"faultKind":"timeout","classification":"transient","backoffMs":5000,"retryDecision":"retry-validator",` +
			`"message":"supervising: timeout: too slow","detail":{"over":2,"under":1},"runId":"1",` +
			`"validatorId":"validator-3","durationMs":90000},` +
			`{"timestamp":"2000-01-01T00:01:35.000Z","taskId":"T1","attemptNumber":3,"faultFamily":null,` +
			`"faultKind":null,"classification":null,"backoffMs":null,"retryDecision":"attest",` +
			`"message":"every acceptance criterion is attested","runId":"1","verdict":"attest",` +
			`"validatorId":"validator-4","durationMs":0,"commit":"commit-a"}],"verdict":{`
		got := string(must(json.Marshal(result, json.Deterministic(true))))
		if !strings.HasPrefix(got, want) {
			t.Error(cmp.Diff(want, got))
		}
		rejection := rejectionOf(crew.spawned[0])
		for i, req := range crew.spawned {
			previous := string(req.PreviousRejection.Canonical())
			if i == 0 && previous != "" || i > 0 && previous != string(rejection.Canonical()) {
				t.Errorf("attempt %d was told of the rejection %q", i+1, previous)
			}
		}
		respawn := crew.respawned[0]
		if respawn.AttemptNumber != 1 || string(respawn.Rejection.Canonical()) != string(rejection.Canonical()) {
			t.Errorf("the worker was asked %+v", respawn)
		}
	})
}

// TestReadingWhatASpawnerReturns: only a verdict about the task is one; what is no known fault is a timeout.
func TestReadingWhatASpawnerReturns(t *testing.T) {
	good := attestation(contracts.SpawnRequest{TaskID: task, ValidatorID: "validator-1"})
	other := attestation(contracts.SpawnRequest{TaskID: "T2", ValidatorID: "validator-1"})
	tests := map[string]struct {
		verdict contracts.Verdict
		err     error
		kind    contracts.FaultKind
		message string
	}{
		"a fault": {
			err: &contracts.Fault{Kind: contracts.FaultOOM, Message: "killed"}, kind: contracts.FaultOOM, message: "killed",
		},
		"a wrapped fault": {
			err:  fmt.Errorf("x: %w", &contracts.Fault{Kind: contracts.FaultOOM, Message: "killed"}),
			kind: contracts.FaultOOM, message: "x: validator-OOM: killed",
		},
		"a fault, no message": {
			err: &contracts.Fault{Kind: contracts.FaultPartial}, kind: contracts.FaultPartial,
			message: "The Validator ended without a usable verdict.",
		},
		"an unknown fault": {
			err: &contracts.Fault{Kind: "bogus", Message: "odd"}, kind: contracts.FaultTimeout, message: "bogus: odd",
		},
		"a bare error":         {err: errBroken, kind: contracts.FaultTimeout, message: "broken"},
		"an error and verdict": {verdict: good, err: errBroken, kind: contracts.FaultTimeout, message: "broken"},
		"nothing": {
			kind: contracts.FaultTimeout, message: "the spawner returned neither a verdict nor a fault",
		},
		"another task": {
			verdict: other, kind: contracts.FaultPartial, message: "the verdict is about another task, T2",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := readAttempt(task, contracts.Attempt{Verdict: test.verdict}, test.err)
			if got.What != Faulted || got.Kind != test.kind || got.message != test.message || !got.verdict.IsZero() {
				t.Errorf("read as %s %s %q", got.What, got.Kind, got.message)
			}
		})
	}
	if got := readAttempt(task, contracts.Attempt{Verdict: good}, nil); got.What != Attested {
		t.Errorf("an attestation is read as %s", got.What)
	}
}

func TestEscalations(t *testing.T) {
	tests := map[string]struct {
		validators []validator
		crew       func(*scripted) Crew
		rows       int
		outcome    Outcome
		reason     string
	}{
		"no worker": {
			validators: []validator{rejects(candidate("a"))}, rows: 2, outcome: OutcomeEscalateHITL,
			crew: func(s *scripted) Crew { return Crew{Spawner: s} },
			reason: "the worker could not be brought to mend the candidate, after 1 rejection and 0 faults; the last attempt " +
				"said: no worker is configured to mend the candidate; name one with --worker, or mend it by hand and run again",
		},
		"the budget": {
			validators: []validator{rejects(candidate("a")), faults(contracts.FaultTimeout), faults(contracts.FaultOOM)},
			rows:       3, outcome: OutcomeEscalateHITL,
			reason: "the retry budget of 3 is spent, after 1 rejection and 2 faults (timeout ×1, validator-OOM ×1); " +
				"the last attempt said: made up",
		},
		"own retries": {
			validators: []validator{faults(contracts.FaultPartial), faults(contracts.FaultPartial)},
			rows:       2, outcome: OutcomeEscalateHITL,
			reason: "validator-partial came back after 1 retry (E_VALIDATOR_PARTIAL), after 0 rejections and 2 faults " +
				"(validator-partial ×2); the last attempt said: made up",
		},
		"permanent": {
			validators: []validator{faults(contracts.FaultNoACs)}, rows: 1, outcome: OutcomeEscalatePermanent,
			reason: "validator-rejected-no-acs is permanent (E_VALIDATOR_NO_ACS), retrying cannot mend it, after 0 rejections " +
				"and 1 fault (validator-rejected-no-acs ×1); the last attempt said: made up",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			crew := &scripted{t: t, validators: test.validators}
			who := crew.crew()
			if test.crew != nil {
				who = test.crew(crew)
			}
			result, err := RunMaxN(t.Context(), task, who, Options{Clock: &virtualClock{}})
			if err != nil {
				t.Fatal(err)
			}
			if result.Outcome != test.outcome || len(result.Attempts) != test.rows || !result.Verdict.IsZero() {
				t.Errorf("outcome %s with rows %v", result.Outcome, decisions(result))
			}
			if diff := cmp.Diff(test.reason, result.Reason); diff != "" {
				t.Error(diff)
			}
			if (result.Fault != nil) != (test.outcome == OutcomeEscalatePermanent) {
				t.Errorf("the result carries the fault %+v", result.Fault)
			}
		})
	}
}

func TestPermanentFaultIsInTheResult(t *testing.T) {
	crew := &scripted{t: t, validators: []validator{fails(&contracts.Fault{
		Kind: contracts.FaultToolNotResolved, Message: "there is no npm", Detail: map[string]any{"program": "npm"},
	})}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := &PermanentFault{
		Kind: "tool-not-resolved", Family: "semantic", Classification: "permanent", EscalationCode: "E_TOOL_NOT_RESOLVED",
		Message: "there is no npm", Detail: map[string]any{"program": "npm"},
	}
	if diff := cmp.Diff(want, result.Fault); diff != "" {
		t.Error(diff)
	}
}

func TestFailedRespawnHasARowOfItsOwn(t *testing.T) {
	crew := &scripted{
		t: t, validators: []validator{rejects(candidate("a"))},
		workers: []func(context.Context) (contracts.Subject, error){func(context.Context) (contracts.Subject, error) {
			return contracts.Subject{}, &contracts.Fault{Kind: contracts.FaultUnreachable, Message: "no network"}
		}},
	}
	result, err := RunMaxN(t.Context(), task, crew.crew(), Options{})
	if err != nil || len(result.Attempts) != 2 {
		t.Fatalf("rows %v, error %v", decisions(result), err)
	}
	row := result.Attempts[1]
	got := []any{row.AttemptNumber, *row.FaultFamily, *row.FaultKind, *row.Classification, row.BackoffMs, row.RetryDecision,
		row.Message, row.Verdict}
	want := []any{1, contracts.FamilyInfra, contracts.FaultUnreachable, contracts.ClassTransient, (*int64)(nil),
		contracts.DecisionEscalateHITL, "no network", contracts.VerdictKind("")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRefusedCalls(t *testing.T) {
	crew := &scripted{t: t}
	tests := map[string]struct {
		task string
		crew Crew
		opts Options
	}{
		"a budget below 1": {task, crew.crew(), Options{RetryMax: -1}},
		"no spawner":       {task, Crew{}, Options{}},
		"no task":          {"", crew.crew(), Options{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			result, err := RunMaxN(t.Context(), test.task, test.crew, test.opts)
			if contracts.CodeOf(err) != contracts.CodeInvalidInput || result.Outcome != "" {
				t.Errorf("outcome %q, error %v", result.Outcome, err)
			}
		})
	}
}

func TestDefaultBudgetIsThree(t *testing.T) {
	crew := &scripted{t: t, validators: []validator{rejects(candidate("a")), rejects(candidate("b")), rejects(candidate("c"))}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), Options{})
	if err != nil || result.Outcome != OutcomeEscalateHITL || len(result.Attempts) != 3 {
		t.Errorf("%v, error %v", decisions(result), err)
	}
}
