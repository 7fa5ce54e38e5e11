package runtime

import (
	"context"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// attempt spawns one Validator, after the wait that was decided on, and decides on what it came back with.
func (r *run) attempt(ctx context.Context) error {
	if r.pending != nil {
		return r.settleLost(ctx)
	}
	if err := r.backOff(ctx); err != nil {
		return err
	}
	req := contracts.SpawnRequest{
		TaskID: r.result.TaskID, RunID: r.result.RunID, AttemptNumber: r.state.Attempt(),
		ValidatorID:        "validator-" + r.opts.NewID(),
		DowngradeModelTier: r.state.Downgrade, PreviousRejection: r.rejected.verdict,
	}
	if err := r.reserve(ctx, req); err != nil {
		return err
	}
	r.tell(Event{Kind: EventAttempt, Attempt: req.AttemptNumber})
	return r.spawn(ctx, req)
}

// spawn carries out the request and decides on what it came back with.
func (r *run) spawn(ctx context.Context, req contracts.SpawnRequest) error {
	began := r.now()
	act, limit := r.bounded(ctx, began)
	got, err := r.crew.Spawner.SpawnValidator(act, req)
	now := r.now()
	loop := r.left(limit, now)
	limit.release()
	d := readAttempt(req.TaskID, got, err)
	if ctx.Err() != nil && d.What == Faulted {
		if got.Verdict, err = r.shipped(ctx, req); err != nil {
			return err
		}
		if got.Verdict.IsZero() {
			return r.pause(ctx, req.AttemptNumber)
		}
		d = readAttempt(req.TaskID, got, nil)
	}
	d.Loop, d.NoProgress = loop, r.opts.NoProgress && r.repeats(&d)
	d.validatorID, d.settles = req.ValidatorID, req.AttemptNumber
	d.timed(began, now)
	return r.decide(ctx, &d, now)
}

// shipped returns the verdict that was accepted from the Validator of an attempt that ctx cut short, zero when there is
// none. Such an attempt is over, not interrupted: were its slot handed back, interrupting after every rejection would be
// a way around the budget.
func (r *run) shipped(ctx context.Context, req contracts.SpawnRequest) (contracts.Verdict, error) {
	if r.opts.Journal == nil {
		return contracts.Verdict{}, nil
	}
	settle, cancel := settling(ctx)
	defer cancel()
	verdict, _, err := r.opts.Journal.VerdictBy(settle, req.TaskID, req.ValidatorID)
	return verdict, err
}

// backOff sleeps what was decided on.
func (r *run) backOff(ctx context.Context) error {
	if r.wait > 0 {
		r.tell(Event{Kind: EventBackingOff, Attempt: r.state.Attempt(), Backoff: r.wait})
		if err := r.opts.Clock.Sleep(ctx, r.wait); err != nil && ctx.Err() == nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return r.pause(ctx, 0)
	}
	return nil
}

// reserve takes the attempt's slot before anything is started.
func (r *run) reserve(ctx context.Context, req contracts.SpawnRequest) error {
	if r.opts.Journal == nil {
		return nil
	}
	err := r.opts.Journal.ReserveAttempt(ctx, req.RunID, req.AttemptNumber, req.ValidatorID)
	if err != nil && ctx.Err() != nil {
		// The write may have gone through all the same. Where it did not, there is nothing to hand back, which is no
		// failure here.
		settle, cancel := settling(ctx)
		defer cancel()
		_ = r.opts.Journal.ReleaseAttempt(settle, req.RunID, req.AttemptNumber)
	}
	return err
}

// timed notes how long the round took.
func (d *round) timed(began, now time.Time) {
	took := max(0, now.Sub(began)).Milliseconds()
	d.durationMs = &took
}
