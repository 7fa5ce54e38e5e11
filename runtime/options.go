package runtime

import (
	"strings"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// DefaultLoopBudget is the wall-clock bound of a run that names none.
const DefaultLoopBudget = 30 * time.Minute

// Options tune a run. The zero value works: a budget of 3, half an hour, nothing kept.
type Options struct {
	// RetryMax is the retry budget that rejections and faults share. 0 means [DefaultRetryMax]; below 0 is refused. A run
	// that is resumed keeps the budget it began with.
	RetryMax int
	// LoopBudget bounds the active wall-clock time of the whole run, over every process that drove it. 0 means
	// [DefaultLoopBudget], below 0 no bound.
	LoopBudget time.Duration
	// NoProgress escalates at once when the Worker hands over what was already rejected.
	NoProgress bool
	// Clock is the time. Nil means the machine's.
	Clock Clock
	// NewID makes the ids of runs and Validators: lower-case letters, digits and hyphens. Nil means random UUIDs.
	NewID func() string
	// Journal makes the budget durable. Nil: the run lives in memory and cannot be resumed.
	Journal Journal
	// Audit receives every row after it was decided. Nil: none is kept.
	Audit AuditLog
	// OnEvent observes the run, synchronously; [RunMany] calls it from many goroutines. Nil: nobody does.
	OnEvent func(Event)

	// unnamed leaves a run without an id: nobody keeps it, and nobody asked for ids.
	unnamed bool
}

// withDefaults returns a checked copy with nothing left unset that has a default.
func (o Options) withDefaults() (Options, error) {
	if o.RetryMax == 0 {
		o.RetryMax = DefaultRetryMax
	}
	if _, err := NewState(o.RetryMax); err != nil {
		return o, err
	}
	if o.LoopBudget == 0 {
		o.LoopBudget = DefaultLoopBudget
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.NewID == nil {
		o.NewID, o.unnamed = newUUID, o.Journal == nil && o.Audit == nil && o.OnEvent == nil
	}
	return o, nil
}

// check refuses a call that could not do anything. Whether there is such a task is for those to say who look it up.
func (c Crew) check(taskID string) error {
	if c.Spawner == nil {
		return contracts.Errorf(contracts.CodeInvalidInput, "there is no spawner to validate %q with", taskID)
	}
	if strings.TrimSpace(taskID) == "" {
		return contracts.CheckTaskID(taskID)
	}
	return nil
}
