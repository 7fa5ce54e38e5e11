package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestEventsTellTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		crew := &scripted{t: t, validators: []validator{rejects(candidate("a")), faults(contracts.FaultTimeout), attests}}
		var told []string
		_, err := RunMaxN(t.Context(), task, crew.crew(), Options{OnEvent: func(e Event) {
			told = append(told, e.Elapsed.String()+" "+e.String())
			if e.TaskID != task || e.RunID == "" || e.Since.Sub(began) != e.Elapsed || e.Final() != (e.Kind == EventEnded) {
				t.Errorf("event %+v", e)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"0s attempt 1: validating",
			"0s attempt 1: reject → retry-worker: it does not run",
			"0s attempt 1: the worker mends what was rejected",
			"0s attempt 1: the worker handed a candidate over",
			"0s attempt 2: validating",
			"0s attempt 2: timeout → retry-validator: made up",
			"0s attempt 3: waiting 5s before it",
			"5s attempt 3: validating",
			"5s attempt 3: attest → attest: every acceptance criterion is attested",
			"5s attest",
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Error(diff)
		}
	})
}

func TestEventsTellAnEscalation(t *testing.T) {
	var last Event
	crew := &scripted{t: t, validators: []validator{faults(contracts.FaultNoACs)}}
	result, err := RunMaxN(t.Context(), task, crew.crew(), Options{OnEvent: func(e Event) { last = e }})
	if err != nil || last.Kind != EventEnded || last.String() != "escalate-permanent: "+result.Reason || !last.Final() {
		t.Errorf("last event %q, error %v", last, err)
	}
}

func TestEventsTellAnInterruptionAndAResume(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	books := &ledger{}
	var told []string
	opts := books.options()
	opts.OnEvent = func(e Event) {
		told = append(told, e.String())
		if e.Final() != (e.Kind == EventStopped || e.Kind == EventEnded) {
			t.Errorf("%s: final %t", e.Kind, e.Final())
		}
	}
	_, _ = RunMaxN(ctx, task, (&scripted{t: t}).crew(), opts)
	_, _ = RunMaxN(t.Context(), task, (&scripted{t: t, validators: []validator{attests}}).crew(), opts)
	want := []string{
		"stopped: validating T1 was interrupted: context canceled",
		"going on with an unfinished run at attempt 1",
		"attempt 1: validating",
		"attempt 1: attest → attest: every acceptance criterion is attested",
		"attest",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}
