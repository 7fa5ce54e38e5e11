package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/contracts"
)

func spec(task string, retryMax int) RunSpec {
	return RunSpec{ID: "run-of-" + task, TaskID: task, RetryMax: retryMax, State: []byte(`{"phase":"verdict"}`)}
}

func row(attempt int) *contracts.RetryEntry {
	family, kind, class, backoff := contracts.FamilyInfra, contracts.FaultTimeout, contracts.ClassTransient, int64(5000)
	return &contracts.RetryEntry{
		Timestamp: someInstant, TaskID: "T1", AttemptNumber: attempt, FaultFamily: &family, FaultKind: &kind,
		Classification: &class, BackoffMs: &backoff, RetryDecision: contracts.DecisionRetryValidator, Message: "it took too long",
		Detail: map[string]any{"seconds": float64(300)}, RunID: "run-of-T1",
	}
}

// mustDo fails on the first error.
func mustDo(t testing.TB, failures ...error) {
	t.Helper()
	for _, err := range failures {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunIsPickedUpWhereItWas(t *testing.T) {
	path := tempPath(t)
	s := openAt(t, path)
	add(t, s, "T1", 1)
	begun := must(s.OpenRun(t.Context(), spec("T1", 3)))
	if begun.Resumed || begun.Pending != nil || begun.Entries != nil || begun.DecidedAt != "" || begun.StartedAt == "" {
		t.Errorf("a new run: %+v", begun)
	}
	state := []byte(`{"phase":"verdict","counter":1}`)
	mustDo(t,
		s.ReserveAttempt(t.Context(), begun.ID, 1, "validator-1"),
		s.CommitDecision(t.Context(), Decision{RunID: begun.ID, State: state, Active: 1500 * time.Millisecond, Entry: row(1), Settles: 1}),
		s.ReserveAttempt(t.Context(), begun.ID, 2, "validator-2"),
		s.Close())

	s = openAt(t, path)
	other := spec("T1", 9)
	other.ID, other.State = "another", []byte("[]")
	got := must(s.OpenRun(t.Context(), other))
	if got.Pending == nil || got.Pending.ReservedAt == "" || got.DecidedAt == "" {
		t.Fatalf("the run lost something: %+v", got)
	}
	want := Run{
		ID: begun.ID, TaskID: "T1", RetryMax: 3, State: state, Active: 1500 * time.Millisecond, StartedAt: begun.StartedAt,
		DecidedAt: got.DecidedAt, Entries: []contracts.RetryEntry{*row(1)}, Resumed: true,
		Pending: &Reservation{AttemptNumber: 2, ValidatorID: "validator-2", ReservedAt: got.Pending.ReservedAt},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	mustDo(t, s.CommitDecision(t.Context(), Decision{RunID: begun.ID, State: state, Entry: row(2), Settles: 2, Outcome: "escalate-hitl"}))
	next := spec("T1", 1)
	next.ID = "next"
	if got := must(s.OpenRun(t.Context(), next)); got.Resumed || got.ID != "next" {
		t.Errorf("after the end of a run: %+v", got)
	}
}

func TestAttemptRefusals(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	run := must(s.OpenRun(t.Context(), spec("T1", 2)))
	reserve := func(n int) error { return s.ReserveAttempt(t.Context(), run.ID, n, fmt.Sprintf("validator-%d", n)) }
	settle := func(n int) error {
		return s.CommitDecision(t.Context(), Decision{RunID: run.ID, State: []byte(`{}`), Entry: row(n), Settles: n})
	}
	for _, n := range []int{-1, 0, 3} {
		wantCode(t, reserve(n), contracts.CodeRunBusy)
	}
	wantCode(t, settle(1), contracts.CodeRunBusy)
	wantCode(t, s.ReleaseAttempt(t.Context(), run.ID, 1), contracts.CodeRunBusy)
	mustDo(t, reserve(1))
	wantCode(t, reserve(1), contracts.CodeRunBusy)
	wantCode(t, reserve(2), contracts.CodeRunBusy) // one at a time
	mustDo(t, s.ReleaseAttempt(t.Context(), run.ID, 1), reserve(1), settle(1))
	wantCode(t, settle(1), contracts.CodeRunBusy)
	wantCode(t, s.ReleaseAttempt(t.Context(), run.ID, 1), contracts.CodeRunBusy)
	wantCode(t, reserve(1), contracts.CodeRunBusy)
	mustDo(t, reserve(2), settle(2))
	wantCode(t, s.ReserveAttempt(t.Context(), "no such run", 1, "validator-x"), contracts.CodeRunBusy)
	if got := must(s.OpenRun(t.Context(), spec("T1", 2))); len(got.Entries) != 2 || got.Pending != nil {
		t.Errorf("the refusals left something: %+v", got)
	}
}

func TestRefusedDecisionLeavesNothing(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	run := must(s.OpenRun(t.Context(), spec("T1", 2)))
	mustDo(t, s.ReserveAttempt(t.Context(), run.ID, 1, "validator-1"))
	before := must(s.OpenRun(t.Context(), spec("T1", 2)))
	tests := map[string]Decision{
		"ErrNotPending":   {RunID: run.ID, State: []byte(`{}`), Entry: row(2), Settles: 2},
		"ErrNoSuchRun":    {RunID: "no such run", State: []byte(`{}`), Entry: row(1)},
		"ErrStateNotJSON": {RunID: run.ID, State: []byte(`{`), Entry: row(1), Settles: 1},
	}
	for name, d := range tests {
		t.Run(name, func(t *testing.T) {
			if err := s.CommitDecision(t.Context(), d); err == nil {
				t.Error("committed")
			}
			if diff := cmp.Diff(before, must(s.OpenRun(t.Context(), spec("T1", 2)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, err := s.OpenRun(t.Context(), spec("T1", 0))
	wantCode(t, err, contracts.CodeInvalidInput)
}

func TestAuditRowWithForeignBytes(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	run := must(s.OpenRun(t.Context(), spec("T1", 2)))
	entry := row(1)
	entry.Message = "it printed \xff and \x00"
	mustDo(t, s.CommitDecision(t.Context(), Decision{RunID: run.ID, State: []byte(`{}`), Entry: entry}))
	if got := must(s.OpenRun(t.Context(), spec("T1", 2))).Entries[0].Message; got != "it printed \ufffd and \x00" {
		t.Errorf("message %q", got)
	}
}

func TestAbandonRun(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	if _, found, err := s.AbandonRun(t.Context(), "T1"); err != nil || found {
		t.Errorf("found %v, %v", found, err)
	}
	first := must(s.OpenRun(t.Context(), spec("T1", 2)))
	mustDo(t, s.ReserveAttempt(t.Context(), first.ID, 1, "validator-1"))
	before := must(s.OpenRun(t.Context(), spec("T1", 2)))
	run, found, err := s.AbandonRun(t.Context(), "T1")
	if diff := cmp.Diff(before, run); err != nil || !found || diff != "" {
		t.Errorf("found %v, %v\n%s", found, err, diff)
	}
	wantCode(t, s.CommitDecision(t.Context(), Decision{RunID: first.ID, State: []byte(`{}`)}), contracts.CodeRunBusy)
	wantCode(t, s.ReserveAttempt(t.Context(), first.ID, 2, "validator-2"), contracts.CodeRunBusy)
	fresh := spec("T1", 2)
	fresh.ID = "fresh"
	if got := must(s.OpenRun(t.Context(), fresh)); got.ID != "fresh" || got.Resumed {
		t.Errorf("after giving up: %+v", got)
	}
}

// The schema alone keeps the budget, whatever statements are run.
func TestSchemaKeepsTheBudget(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	mustDo(t, errOf(s.OpenRun(t.Context(), spec("T1", 2))))
	const reserved = `INSERT INTO validator_attempts VALUES ('run-of-T1', %d, %d, 'v', 'now', 'now')`
	for name, statement := range map[string]string{
		"ErrBeyond":        fmt.Sprintf(reserved, 3, 2),
		"ErrOtherBudget":   fmt.Sprintf(reserved, 3, 3),
		"ErrNoSuchRun":     `INSERT INTO validator_attempts VALUES ('r', 1, 2, 'v', 'now', 'now')`,
		"ErrSecondOpenRun": `INSERT INTO validator_runs (id, task_id, retry_max, state, started_at) VALUES ('r', 'T1', 2, '{}', 'now')`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.writer.Exec(statement); !violates(err) {
				t.Errorf("error %v, want a constraint", err)
			}
		})
	}
	mustDo(t, errOf(s.writer.Exec(fmt.Sprintf(reserved, 1, 2))))
	if _, err := s.writer.Exec(`UPDATE validator_runs SET retry_max = 9`); !violates(err) {
		t.Errorf("a spent budget was raised: %v", err)
	}
}

func errOf[T any](_ T, err error) error { return err }

// However the calls are mixed, a run never has more attempts than its budget, nor two under way.
func TestBudgetProperty(t *testing.T) {
	s := openTemp(t)
	tasks := 0
	rapid.Check(t, func(rt *rapid.T) {
		tasks++
		retryMax := rapid.IntRange(1, 4).Draw(rt, "retryMax")
		task := fmt.Sprintf("T%d", tasks)
		add(t, s, task, 0)
		run := must(s.OpenRun(context.Background(), spec(task, retryMax)))
		spent, pending := map[int]bool{}, 0
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			n := rapid.IntRange(0, retryMax+1).Draw(rt, "n")
			var err error
			fits := n == pending && n > 0
			switch rapid.SampledFrom([]string{"reserve", "release", "settle"}).Draw(rt, "step") {
			case "reserve":
				fits = pending == 0 && n >= 1 && n <= retryMax && !spent[n]
				if err = s.ReserveAttempt(context.Background(), run.ID, n, "validator-x"); err == nil {
					pending = n
				}
			case "release":
				if err = s.ReleaseAttempt(context.Background(), run.ID, n); err == nil {
					pending = 0
				}
			case "settle":
				fits = fits || n == 0
				d := Decision{RunID: run.ID, State: []byte("{}"), Settles: n}
				if err = s.CommitDecision(context.Background(), d); err == nil && n > 0 {
					spent[n], pending = true, 0
				}
			}
			if (err == nil) != fits {
				rt.Fatalf("step on %d: %v, want success %v", n, err, fits)
			}
		}
		rows := count(t, s, `SELECT count(*) FROM validator_attempts WHERE run_id = ?`, run.ID)
		if rows > retryMax || rows != len(spent)+min(pending, 1) {
			rt.Fatalf("%d attempts of %d", rows, retryMax)
		}
	})
}

func TestLockRun(t *testing.T) {
	path := tempPath(t)
	s, other := openAt(t, path), openAt(t, path)
	unlock, err := s.LockRun("T1")
	mustDo(t, err)
	for _, busy := range []*Store{s, other} {
		_, err := busy.LockRun("T1")
		wantCode(t, err, contracts.CodeRunBusy)
	}
	unlockOther, err := other.LockRun("T2")
	mustDo(t, err, unlockOther(), unlock())
	again, err := other.LockRun("T1")
	mustDo(t, err, again())
	_, err = s.LockRun("../T1")
	wantCode(t, err, contracts.CodeInvalidInput)
	if err := errors.Join(s.Close(), other.Close()); err != nil {
		t.Error(err)
	}
}
