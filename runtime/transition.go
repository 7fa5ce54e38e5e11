package runtime

import (
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// TransitionName names one edge of the machine; docs/state_machine.md draws them under the same names.
type TransitionName string

// The edges, each named like the constructor that makes it.
const (
	TransitionAttest                  TransitionName = "attest"
	TransitionRetryValidator          TransitionName = "retryValidator"
	TransitionRetryWorker             TransitionName = "retryWorker"
	TransitionHandOver                TransitionName = "handOver"
	TransitionEscalatePermanent       TransitionName = "escalatePermanent"
	TransitionEscalateBudgetSpent     TransitionName = "escalateBudgetSpent"
	TransitionEscalateOwnRetriesSpent TransitionName = "escalateOwnRetriesSpent"
	TransitionEscalateLoopSpent       TransitionName = "escalateLoopSpent"
	TransitionEscalateNoProgress      TransitionName = "escalateNoProgress"
	TransitionEscalateRespawnFailed   TransitionName = "escalateRespawnFailed"
)

// Transitions lists every edge of the machine.
func Transitions() []TransitionName {
	return []TransitionName{
		TransitionAttest, TransitionRetryValidator, TransitionRetryWorker, TransitionHandOver,
		TransitionEscalatePermanent, TransitionEscalateBudgetSpent, TransitionEscalateOwnRetriesSpent,
		TransitionEscalateLoopSpent, TransitionEscalateNoProgress, TransitionEscalateRespawnFailed,
	}
}

// Transition is one step of the machine: the state after it and the one decision.
type Transition struct {
	Name TransitionName
	// State is the state after the step.
	State State
	// Decision is empty for handOver alone, which has no audit row.
	Decision contracts.RetryDecision
	// Outcome is empty while the run goes on.
	Outcome Outcome
	// Backoff is the wait before the next Validator; only retryValidator has one.
	Backoff time.Duration
	// About is what the audit row is about.
	About
}

// About is what an audit row says an attempt came back with. The fields after Attempt are empty on an attest.
type About struct {
	// Attempt is the number of the attempt.
	Attempt int
	Family  contracts.FaultFamily
	Kind    contracts.FaultKind
	Class   contracts.FaultClass
}

// attest ends the run with the Validator's attestation. Nothing else leads to OutcomeAttest.
func attest(s State) Transition {
	t := end(s, About{Attempt: s.Attempt()}, TransitionAttest)
	t.Decision, t.Outcome = contracts.DecisionAttest, OutcomeAttest
	return t
}

// retryValidator spawns another Validator after a wait, with the smaller model tier when the fault's row asks for it.
func retryValidator(s State, about About, wait time.Duration) Transition {
	s.Downgrade = catalogue[rowIndex(about.Kind)].Downgrade
	return Transition{
		Name: TransitionRetryValidator, State: s, About: about,
		Decision: contracts.DecisionRetryValidator, Backoff: wait,
	}
}

// retryWorker sends the rejection to the Worker.
func retryWorker(s State, about About) Transition {
	s.Phase = PhaseWorker
	return Transition{Name: TransitionRetryWorker, State: s, About: about, Decision: contracts.DecisionRetryWorker}
}

// handOver goes on to the next Validator with the candidate that the Worker handed over.
func handOver(s State) Transition {
	s.Phase = PhaseVerdict
	return Transition{Name: TransitionHandOver, State: s}
}

// escalatePermanent gives up on a fault that retrying cannot mend.
func escalatePermanent(s State, about About) Transition {
	t := end(s, about, TransitionEscalatePermanent)
	t.Decision, t.Outcome = contracts.DecisionEscalatePermanent, OutcomeEscalatePermanent
	return t
}

// escalateBudgetSpent gives up since rejections and faults together spent the retry budget.
func escalateBudgetSpent(s State, about About) Transition {
	return escalateHITL(s, about, TransitionEscalateBudgetSpent)
}

// escalateOwnRetriesSpent gives up on a kind of fault that came back once more often than its row allows.
func escalateOwnRetriesSpent(s State, about About) Transition {
	return escalateHITL(s, about, TransitionEscalateOwnRetriesSpent)
}

// escalateLoopSpent gives up since the wall-clock bound of the run is passed, or would be by the next wait.
func escalateLoopSpent(s State, about About) Transition {
	return escalateHITL(s, about, TransitionEscalateLoopSpent)
}

// escalateNoProgress gives up on a Worker that changes nothing.
func escalateNoProgress(s State, about About) Transition {
	return escalateHITL(s, about, TransitionEscalateNoProgress)
}

// escalateRespawnFailed gives up on a Worker that could not be brought to mend its candidate.
func escalateRespawnFailed(s State, row int) Transition {
	return escalateHITL(s, respawnFault(s, row), TransitionEscalateRespawnFailed)
}

func escalateHITL(s State, about About, name TransitionName) Transition {
	t := end(s, about, name)
	t.Decision, t.Outcome = contracts.DecisionEscalateHITL, OutcomeEscalateHITL
	return t
}

func end(s State, about About, name TransitionName) Transition {
	s.Phase, s.Downgrade = PhaseEnded, false
	return Transition{Name: name, State: s, About: about}
}
