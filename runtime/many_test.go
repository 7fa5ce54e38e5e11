package runtime

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// byTask is a spawner that answers by the task asked for.
type byTask func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error)

// SpawnValidator calls the function.
func (f byTask) SpawnValidator(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
	return f(ctx, req)
}

func TestRunManyKeepsTheOrderAndTheTasksApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		crew := Crew{Spawner: byTask(func(ctx context.Context, req contracts.SpawnRequest) (contracts.Attempt, error) {
			if now := running.Add(1); now > most.Load() {
				most.Store(now)
			}
			defer running.Add(-1)
			switch req.TaskID {
			case "T1":
				time.Sleep(time.Minute)
			case "T2":
				return contracts.Attempt{}, &contracts.Fault{Kind: contracts.FaultNoACs, Message: "none"}
			}
			time.Sleep(time.Second)
			return attests(ctx, req)
		})}
		var mu sync.Mutex
		ended := map[string]Outcome{}
		results := RunMany(t.Context(), []string{"T1", "T2", "", "T4", "T5"}, 2, crew, Options{OnEvent: func(e Event) {
			mu.Lock()
			defer mu.Unlock()
			if e.Kind == EventEnded {
				ended[e.TaskID] = e.Outcome
			}
		}})
		var got []string
		for _, r := range results {
			got = append(got, fmt.Sprintf("%s %s %s", r.TaskID, r.Result.Outcome, contracts.CodeOf(r.Err)))
		}
		want := []string{"T1 attest ", "T2 escalate-permanent ", "  E_INVALID_INPUT", "T4 attest ", "T5 attest "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if most.Load() != 2 {
			t.Errorf("%d at once, not 2", most.Load())
		}
		wantEnded := map[string]Outcome{"T1": "attest", "T2": "escalate-permanent", "T4": "attest", "T5": "attest"}
		if diff := cmp.Diff(wantEnded, ended); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRunManyRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		tasks []string
		limit int
	}{
		"a task twice":    {[]string{"T1", "T2", "T1"}, 2},
		"a limit below 1": {[]string{"T1"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			results := RunMany(t.Context(), test.tasks, test.limit, (&scripted{t: t}).crew(), Options{})
			if len(results) != len(test.tasks) {
				t.Fatalf("%d results", len(results))
			}
			for i, r := range results {
				if r.TaskID != test.tasks[i] || contracts.CodeOf(r.Err) != contracts.CodeInvalidInput {
					t.Errorf("%s: %v", r.TaskID, r.Err)
				}
			}
		})
	}
}

func TestRunManyOfNone(t *testing.T) {
	if results := RunMany(t.Context(), nil, 1, (&scripted{t: t}).crew(), Options{}); len(results) != 0 {
		t.Errorf("%v", results)
	}
}

func TestRunManyInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errCtrlC) })
		results := RunMany(ctx, []string{"T1", "T2", "T3"}, 1, Crew{Spawner: byTask(hangs)}, Options{})
		for _, r := range results {
			if !errors.Is(r.Err, errCtrlC) || contracts.CodeOf(r.Err) != contracts.CodeInterrupted {
				t.Errorf("%s: %v", r.TaskID, r.Err)
			}
		}
	})
}
