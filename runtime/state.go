package runtime

import (
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
)

// DefaultRetryMax is the retry budget of a run that names none.
const DefaultRetryMax = 3

// Phase says what a run waits for.
type Phase string

// The three phases.
const (
	// PhaseVerdict: a Validator is to be spawned, or was and has not answered.
	PhaseVerdict Phase = "awaiting-verdict"
	// PhaseWorker: the candidate was rejected, and the Worker is to mend it.
	PhaseWorker Phase = "awaiting-worker"
	// PhaseEnded: the run has its outcome.
	PhaseEnded Phase = "ended"
)

// State is all that the machine knows of a run. It is a plain value: copying it is a snapshot, and its JSON form is what
// the store keeps. Start with [NewState].
type State struct {
	// Max is the retry budget; rejections and faults of every kind share it.
	Max int `json:"max"`
	// Counter is how much of the budget is spent. It is never larger than Max.
	Counter int `json:"counter"`
	// Own counts the faults by kind, in the order of [Catalogue].
	Own [kinds]int `json:"own"`
	// Phase is what the run waits for.
	Phase Phase `json:"phase"`
	// Downgrade asks the next spawn for the smaller model tier.
	Downgrade bool `json:"downgrade"`
}

// NewState returns the state of a run that has not begun, or an error with [contracts.CodeInvalidInput] when the budget
// is below 1.
func NewState(retryMax int) (State, error) {
	if retryMax < 1 {
		return State{}, contracts.Errorf(contracts.CodeInvalidInput, "the retry budget must be at least 1, not %d", retryMax).
			WithFix("leave it out for the default of %d", DefaultRetryMax)
	}
	return State{Max: retryMax, Phase: PhaseVerdict}, nil
}

// Attempt returns the 1-based number of the attempt that is next, or under way.
func (s State) Attempt() int { return s.Counter + 1 }

// Faults returns how many faults the run has met.
func (s State) Faults() int {
	total := 0
	for _, n := range s.Own {
		total += n
	}
	return total
}

// Rejections returns how often the run's candidate was rejected.
func (s State) Rejections() int { return s.Counter - s.Faults() }

// Check returns an error unless s is a state that the machine can be in; it guards what was read from outside.
func (s State) Check() error {
	for i, n := range s.Own {
		if n < 0 {
			return fmt.Errorf("%d faults of kind %s", n, catalogue[i].Kind)
		}
	}
	switch {
	case s.Max < 1:
		return fmt.Errorf("retry budget %d", s.Max)
	case s.Counter < 0 || s.Counter > s.Max:
		return fmt.Errorf("%d of a budget of %d spent", s.Counter, s.Max)
	case s.Faults() > s.Counter:
		return fmt.Errorf("%d faults, but only %d of the budget spent", s.Faults(), s.Counter)
	case s.Phase != PhaseVerdict && s.Phase != PhaseWorker && s.Phase != PhaseEnded:
		return fmt.Errorf("unknown phase %q", s.Phase)
	case s.Phase != PhaseEnded && s.Counter == s.Max:
		return fmt.Errorf("phase %s with the whole budget spent", s.Phase)
	case s.Phase == PhaseWorker && s.Rejections() == 0:
		return fmt.Errorf("phase %s without a rejection", s.Phase)
	}
	return nil
}
