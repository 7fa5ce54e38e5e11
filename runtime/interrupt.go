package runtime

import (
	"context"
	"errors"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// settleTime bounds a write that has to be made although the caller's context may have ended.
const settleTime = 30 * time.Second

// settling returns a context for writing down what has really happened, whether or not ctx has ended by now.
func settling(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), settleTime)
}

// interrupted says that ctx ended, and what failed beside, if anything.
func (r *run) interrupted(ctx context.Context, err error) error {
	if contracts.CodeOf(err) == contracts.CodeInterrupted {
		return err
	}
	cause := context.Cause(ctx)
	if !errors.Is(err, cause) {
		cause = errors.Join(cause, err)
	}
	return contracts.Errorf(contracts.CodeInterrupted, "validating %s was interrupted: %w", r.result.TaskID, cause).
		WithFix("run it again: with a database it goes on with the budget that is left")
}

// pause leaves the run so that it can be resumed: the slot of an attempt under way (0: none) is handed back, no row is
// made up for it, and the active time is kept.
func (r *run) pause(ctx context.Context, attempt int) error {
	return r.interrupted(ctx, r.handBack(ctx, attempt))
}

func (r *run) handBack(ctx context.Context, attempt int) error {
	if r.opts.Journal == nil {
		return nil
	}
	settle, cancel := settling(ctx)
	defer cancel()
	if attempt > 0 {
		if err := r.opts.Journal.ReleaseAttempt(settle, r.result.RunID, attempt); err != nil {
			return err
		}
	}
	return r.commit(settle, Transition{State: r.state}, nil, 0)
}
