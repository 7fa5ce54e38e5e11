package runtime

import (
	"context"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// RunMaxN drives one task until a Validator attests it, the budget is spent, or a permanent fault is met. With a journal
// it goes on with the task's unfinished run, if there is one.
//
// An escalation is a [Result], not an error. The error is a [*contracts.Error] with [contracts.CodeInvalidInput] for a
// call that cannot be carried out, with [contracts.CodeInterrupted], wrapping the cause, when ctx ended, or what the
// journal or the clock failed with; a run with a journal stays resumable after the latter two. The caller makes sure
// that nobody else drives the same task at the same time.
func RunMaxN(ctx context.Context, taskID string, crew Crew, opts Options) (Result, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return Result{TaskID: taskID}, err
	}
	if err := crew.check(taskID); err != nil {
		return Result{TaskID: taskID}, err
	}
	r := newRun(taskID, crew, opts)
	if err := r.drive(ctx); err != nil {
		r.tell(Event{Kind: EventStopped, Attempt: r.state.Attempt(), Message: err.Error()})
		return r.result, err
	}
	return r.result, nil
}

// run is one run as this process knows it.
type run struct {
	crew   Crew
	opts   Options
	result Result

	state    State
	rejected rejected
	// pending is the reservation of a process that ended before it settled the attempt.
	pending *store.Reservation
	// wait is how long to back off before the next Validator; each decision sets it.
	wait time.Duration

	// began is when the clock was first read; before is the active time of earlier processes.
	began   time.Time
	started bool
	before  time.Duration
}

// rejected is the last rejection of a run, zero before the first, and the candidate it is about.
type rejected struct {
	verdict contracts.Verdict
	subject contracts.Subject
}

func newRun(taskID string, crew Crew, opts Options) run {
	r := run{
		crew: crew, opts: opts,
		state:  State{Max: opts.RetryMax, Phase: PhaseVerdict},
		result: Result{TaskID: taskID, Attempts: make([]contracts.RetryEntry, 0, 1)},
	}
	if !opts.unnamed {
		r.result.RunID = opts.NewID()
	}
	return r
}

// drive does what the machine decides until the run has ended.
func (r *run) drive(ctx context.Context) error {
	err := r.open(ctx)
	for err == nil && r.state.Phase != PhaseEnded {
		if r.state.Phase == PhaseWorker {
			err = r.respawn(ctx)
		} else {
			err = r.attempt(ctx)
		}
	}
	if err != nil && ctx.Err() != nil {
		return r.interrupted(ctx, err)
	}
	return err
}

// tell hands an event to the observer, if there is one.
func (r *run) tell(e Event) {
	if r.opts.OnEvent == nil {
		return
	}
	e.TaskID, e.RunID, e.Phase = r.result.TaskID, r.result.RunID, r.state.Phase
	e.Since = r.now()
	e.Elapsed = r.active(e.Since)
	r.opts.OnEvent(e)
}
