package runtime

import (
	"fmt"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// EventKind names what an observer is told of.
type EventKind string

// The kinds of events, in the order in which a run may show them.
const (
	// EventResumed: an unfinished run is gone on with.
	EventResumed EventKind = "resumed"
	// EventBackingOff: the run waits for Backoff before the attempt.
	EventBackingOff EventKind = "backing-off"
	// EventAttempt: a Validator is being spawned.
	EventAttempt EventKind = "attempt"
	// EventDecided: a row was decided on and committed.
	EventDecided EventKind = "decided"
	// EventRespawning: the Worker is mending the candidate.
	EventRespawning EventKind = "respawning"
	// EventRespawned: the Worker handed a candidate over.
	EventRespawned EventKind = "respawned"
	// EventAuditFailed: a row could not be appended to the audit log; the run goes on.
	EventAuditFailed EventKind = "audit-failed"
	// EventEnded: the run has its outcome.
	EventEnded EventKind = "ended"
	// EventStopped: the run stopped with an error and without an outcome.
	EventStopped EventKind = "stopped"
)

// Event is one moment of a run, for observers. Fields that a kind does not speak of are zero.
type Event struct {
	Kind   EventKind
	TaskID string
	RunID  string
	// Attempt is the number of the attempt that the event belongs to.
	Attempt int
	// Phase is what the run waits for now.
	Phase    Phase
	Decision contracts.RetryDecision
	Verdict  contracts.VerdictKind
	Fault    contracts.FaultKind
	Backoff  time.Duration
	Outcome  Outcome
	// Message is the row's message, the reason of the end, or what failed.
	Message string
	// Since is when the event happened.
	Since time.Time
	// Elapsed is the active time of the run up to the event.
	Elapsed time.Duration
}

// Final reports whether the event is the last of its run in this process.
func (e Event) Final() bool { return e.Kind == EventEnded || e.Kind == EventStopped }

// String returns the event as one phrase, without its task.
func (e Event) String() string {
	switch e.Kind {
	case EventResumed:
		return fmt.Sprintf("going on with an unfinished run at attempt %d", e.Attempt)
	case EventBackingOff:
		return fmt.Sprintf("attempt %d: waiting %s before it", e.Attempt, e.Backoff)
	case EventAttempt:
		return fmt.Sprintf("attempt %d: validating", e.Attempt)
	case EventDecided:
		return fmt.Sprintf("attempt %d: %s → %s: %s", e.Attempt, e.cameBackWith(), e.Decision, e.Message)
	case EventRespawning:
		return fmt.Sprintf("attempt %d: the worker mends what was rejected", e.Attempt)
	case EventRespawned:
		return fmt.Sprintf("attempt %d: the worker handed a candidate over", e.Attempt)
	case EventAuditFailed:
		return fmt.Sprintf("attempt %d: %s", e.Attempt, e.Message)
	case EventEnded:
		if e.Message == "" {
			return string(e.Outcome)
		}
		return fmt.Sprintf("%s: %s", e.Outcome, e.Message)
	case EventStopped:
		return "stopped: " + e.Message
	}
	return string(e.Kind)
}

func (e Event) cameBackWith() string {
	if e.Verdict != "" {
		return string(e.Verdict)
	}
	return string(e.Fault)
}
