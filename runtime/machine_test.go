package runtime

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/contracts"
)

// observations are what the machine is told of for one event of the restated rules.
func observations(event string) []Observation {
	switch event {
	case "attest":
		return []Observation{{What: Attested}}
	case "reject":
		return []Observation{{What: Rejected}, {What: WorkerRespawned}}
	case rejectThenFail:
		return []Observation{{What: Rejected}, {What: RespawnFailed, Kind: contracts.FaultTimeout}}
	}
	return []Observation{{What: Faulted, Kind: contracts.FaultKind(event)}}
}

// TestMachineFollowsTheRules steps every sequence of events up to its end against the restated rules.
func TestMachineFollowsTheRules(t *testing.T) {
	for retryMax := 1; retryMax <= 5; retryMax++ {
		runs := 0
		everyRun(retryMax, func(history []string, steps []step) {
			runs++
			if problem := disagreement(retryMax, history, steps); problem != "" {
				t.Fatalf("budget %d, %v: %s", retryMax, history, problem)
			}
		})
		if runs < 10 {
			t.Errorf("budget %d: only %d runs enumerated", retryMax, runs)
		}
	}
}

// disagreement steps one run and returns where it leaves the rules, empty when it does not.
func disagreement(retryMax int, history []string, steps []step) string {
	s, err := NewState(retryMax)
	if err != nil {
		return err.Error()
	}
	for i, event := range history {
		got, last, err := stepEvent(s, event)
		if err != nil {
			return err.Error()
		}
		if diff := cmp.Diff(steps[i], got, cmp.AllowUnexported(step{})); diff != "" {
			return event + ": " + diff
		}
		if err := last.State.Check(); err != nil && !got.over {
			return err.Error()
		}
		wantCount := i + 1
		if event == "attest" {
			wantCount = i
		}
		if last.State.Counter != wantCount {
			return "the shared counter is off"
		}
		s = last.State
	}
	return ""
}

// stepEvent steps the machine until it needs the next event.
func stepEvent(s State, event string) (got step, last Transition, err error) {
	attempt := s.Attempt()
	for _, o := range observations(event) {
		if s.Phase == PhaseEnded {
			break
		}
		if last, err = Step(s, o); err != nil {
			return got, last, err
		}
		if last.Decision != "" {
			got.rows = append(got.rows, string(last.Decision))
			if last.Attempt != attempt {
				return got, last, errors.New("a row has the number of another attempt")
			}
		}
		got.wait += last.Backoff
		s = last.State
	}
	got.downgrade, got.over = s.Downgrade, last.Outcome != ""
	return got, last, nil
}

func TestRowsSayWhatTheyAreAbout(t *testing.T) {
	fresh, _ := NewState(3)
	atWork := must(Step(fresh, Observation{What: Rejected})).State
	partial := About{1, contracts.FamilySemantic, contracts.FaultPartial, contracts.ClassTransient}
	tests := map[string]struct {
		state State
		saw   Observation
		want  About
	}{
		"attest":  {fresh, Observation{What: Attested}, About{Attempt: 1}},
		"reject":  {fresh, Observation{What: Rejected}, partial},
		"partial": {fresh, Observation{What: Faulted, Kind: contracts.FaultPartial}, partial},
		"no progress, at a hand-over": {
			atWork, Observation{What: WorkerRespawned, NoProgress: true}, partial,
		},
		"respawn failed for a semantic reason": {
			atWork, Observation{What: RespawnFailed, Kind: contracts.FaultToolNotResolved},
			About{1, contracts.FamilyInfra, contracts.FaultToolNotResolved, contracts.ClassTransient},
		},
		"OOM": {
			fresh, Observation{What: Faulted, Kind: contracts.FaultOOM},
			About{1, contracts.FamilyInfra, contracts.FaultOOM, contracts.ClassTransientThenPermanent},
		},
		"unknown kind": {
			fresh, Observation{What: Faulted, Kind: "bogus"},
			About{1, contracts.FamilyInfra, contracts.FaultTimeout, contracts.ClassTransient},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, must(Step(test.state, test.saw)).About); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRejectsSpendNoOwnRetries: a reject is written as validator-partial, but does not use that kind's own retry up.
func TestRejectsSpendNoOwnRetries(t *testing.T) {
	s, _ := NewState(9)
	for _, event := range []string{"reject", "reject", "validator-partial", "reject"} {
		_, last, err := stepEvent(s, event)
		if err != nil || last.Outcome != "" {
			t.Fatalf("%s: outcome %q, error %v", event, last.Outcome, err)
		}
		s = last.State
	}
	if _, last, _ := stepEvent(s, "validator-partial"); last.Name != TransitionEscalateOwnRetriesSpent {
		t.Errorf("the second validator-partial led to %s", last.Name)
	}
}

// TestOrderOfTheFaultRules sets up states in which several rules hold.
func TestOrderOfTheFaultRules(t *testing.T) {
	gone := LoopBudget{Bounded: true}
	tests := map[string]struct {
		before []string
		saw    Observation
		want   TransitionName
	}{
		"permanent before the budget": {
			[]string{"reject", "timeout"}, Observation{What: Faulted, Kind: contracts.FaultNoACs}, TransitionEscalatePermanent,
		},
		"permanent before the loop budget": {
			nil, Observation{What: Faulted, Kind: contracts.FaultToolNotResolved, Loop: gone}, TransitionEscalatePermanent,
		},
		"second OOM before the budget": {
			[]string{"validator-OOM", "reject"}, Observation{What: Faulted, Kind: contracts.FaultOOM}, TransitionEscalatePermanent,
		},
		"first OOM at the end of the budget": {
			[]string{"reject", "reject"}, Observation{What: Faulted, Kind: contracts.FaultOOM}, TransitionEscalateBudgetSpent,
		},
		"the budget before own retries": {
			[]string{"reject", "validator-partial"}, Observation{What: Faulted, Kind: contracts.FaultPartial},
			TransitionEscalateBudgetSpent,
		},
		"own retries": {
			[]string{"validator-partial"}, Observation{What: Faulted, Kind: contracts.FaultPartial},
			TransitionEscalateOwnRetriesSpent,
		},
		"the loop budget before the budget": {
			[]string{"reject", "reject"}, Observation{What: Rejected, Loop: gone}, TransitionEscalateLoopSpent,
		},
		"an attest although the loop budget is spent": {
			nil, Observation{What: Attested, Loop: gone}, TransitionAttest,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, _ := NewState(3)
			for _, event := range test.before {
				_, last, err := stepEvent(s, event)
				if err != nil {
					t.Fatal(err)
				}
				s = last.State
			}
			if got := must(Step(s, test.saw)).Name; got != test.want {
				t.Errorf("%s, not %s", got, test.want)
			}
		})
	}
}

func TestLoopBudgetOnABackoff(t *testing.T) {
	s, _ := NewState(3)
	for left, want := range map[time.Duration]TransitionName{
		5*time.Second + 1: TransitionRetryValidator,
		5 * time.Second:   TransitionEscalateLoopSpent,
		1:                 TransitionEscalateLoopSpent,
		0:                 TransitionEscalateLoopSpent,
		-time.Hour:        TransitionEscalateLoopSpent,
	} {
		o := Observation{What: Faulted, Kind: contracts.FaultTimeout, Loop: LoopBudget{Bounded: true, Left: left}}
		if got := must(Step(s, o)).Name; got != want {
			t.Errorf("%s left: %s, not %s", left, got, want)
		}
	}
}

func TestNoProgress(t *testing.T) {
	s, _ := NewState(5)
	if got := must(Step(s, Observation{What: Rejected, NoProgress: true})); got.Name != TransitionEscalateNoProgress {
		t.Errorf("a repeated rejection leads to %s", got.Name)
	}
	s = must(Step(s, Observation{What: Rejected})).State
	got := must(Step(s, Observation{What: WorkerRespawned, NoProgress: true}))
	if got.Name != TransitionEscalateNoProgress || got.State.Counter != 1 {
		t.Errorf("an unchanged candidate leads to %s with %d spent", got.Name, got.State.Counter)
	}
}

func TestOutOfTurn(t *testing.T) {
	fresh, _ := NewState(3)
	atWork := must(Step(fresh, Observation{What: Rejected})).State
	ended := must(Step(fresh, Observation{What: Attested})).State
	fits := map[Phase][]Observed{
		PhaseVerdict: {Attested, Rejected, Faulted}, PhaseWorker: {WorkerRespawned, RespawnFailed}, PhaseEnded: nil,
	}
	for _, s := range []State{fresh, atWork, ended} {
		for _, what := range []Observed{Attested, Rejected, Faulted, WorkerRespawned, RespawnFailed, "bogus"} {
			_, err := Step(s, Observation{What: what})
			if want := slices.Contains(fits[s.Phase], what); (err == nil) != want {
				t.Errorf("%s while %s: error %v", what, s.Phase, err)
			}
		}
	}
}

// TestEveryRunEnds feeds any observations, sensible or not, with any loop budget: a run ends within its budget, and is
// never attested without an attestation.
func TestEveryRunEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := NewState(rapid.IntRange(1, 50).Draw(t, "retryMax"))
		if err != nil {
			t.Fatal(err)
		}
		spent, attested := 0, false
		for s.Phase != PhaseEnded {
			o := drawObservation(t)
			next, err := Step(s, o)
			if err != nil {
				continue
			}
			if o.What != Attested && s.Phase == PhaseVerdict {
				spent++
			}
			attested = o.What == Attested
			if (next.Outcome == OutcomeAttest) != attested {
				t.Fatalf("%s led to outcome %q", o.What, next.Outcome)
			}
			s = roundTrip(t, next.State)
		}
		if spent > s.Max || spent != s.Counter {
			t.Fatalf("%d spent of %d, counted %d", spent, s.Max, s.Counter)
		}
	})
}

func drawObservation(t *rapid.T) Observation {
	return Observation{
		What: rapid.SampledFrom([]Observed{
			Rejected, Rejected, Faulted, Faulted, WorkerRespawned, WorkerRespawned, WorkerRespawned, Attested, RespawnFailed,
		}).Draw(t, "what"),
		Kind:       rapid.SampledFrom(append(contracts.FaultKinds(), "bogus")).Draw(t, "kind"),
		NoProgress: rapid.IntRange(0, 9).Draw(t, "no progress") == 0,
		Loop: LoopBudget{
			Bounded: rapid.Bool().Draw(t, "bounded"),
			Left:    time.Duration(rapid.Int64Range(-1, int64(time.Minute)).Draw(t, "left")),
		},
	}
}

func roundTrip(t *rapid.T, s State) State {
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var back State
	if err := json.Unmarshal(data, &back, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	if back != s {
		t.Fatalf("%+v came back as %+v", s, back)
	}
	return back
}

func TestNewStateRefusesABudgetBelowOne(t *testing.T) {
	for _, n := range []int{0, -1} {
		if _, err := NewState(n); contracts.CodeOf(err) != contracts.CodeInvalidInput {
			t.Errorf("NewState(%d): %v", n, err)
		}
	}
}

func TestCheckRefusesImpossibleStates(t *testing.T) {
	good := State{Max: 3, Counter: 2, Own: [kinds]int{4: 1}, Phase: PhaseVerdict}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	tests := map[string]func(*State){
		"retry budget":      func(s *State) { s.Max = 0 },
		"of a budget":       func(s *State) { s.Counter = 4 },
		"faults, but only":  func(s *State) { s.Own[0] = 2 },
		"faults of kind":    func(s *State) { s.Own[1] = -1 },
		"unknown phase":     func(s *State) { s.Phase = "" },
		"the whole budget":  func(s *State) { s.Counter = 3 },
		"without a rejecti": func(s *State) { s.Phase, s.Own[4] = PhaseWorker, 2 },
	}
	for want, spoil := range tests {
		s := good
		spoil(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, which does not say %q", s, err, want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
