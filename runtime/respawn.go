package runtime

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// respawn has the Worker mend what was rejected, and decides on what it hands over.
func (r *run) respawn(ctx context.Context) error {
	if ctx.Err() != nil {
		return r.pause(ctx, 0)
	}
	if r.crew.Worker != nil {
		r.tell(Event{Kind: EventRespawning, Attempt: r.state.Counter})
	}
	began := r.now()
	act, limit := r.bounded(ctx, began)
	subject, err := r.callWorker(act)
	now := r.now()
	round := readRespawn(subject, err)
	round.Loop = r.left(limit, now)
	limit.release()
	if ctx.Err() != nil && round.What == RespawnFailed {
		return r.pause(ctx, 0)
	}
	round.NoProgress = r.opts.NoProgress && r.unchanged(subject)
	round.describeHandOver(r.opts)
	round.timed(began, now)
	return r.decide(ctx, &round, now)
}

func (r *run) callWorker(ctx context.Context) (contracts.Subject, error) {
	if r.crew.Worker == nil {
		return contracts.Subject{}, errNoWorker
	}
	return r.crew.Worker.RespawnWorker(ctx, contracts.RespawnRequest{
		TaskID: r.result.TaskID, RunID: r.result.RunID,
		AttemptNumber: r.state.Counter, Rejection: r.rejected.verdict,
	})
}

// describeHandOver words the row that a hand-over has when the run ends with it.
func (d *round) describeHandOver(opts Options) {
	switch {
	case d.What != WorkerRespawned:
	case d.NoProgress:
		d.message = "no progress: the worker handed over the commit that was rejected, " + d.subject.Commit
	case d.Loop.spent():
		d.message = "the worker handed a candidate over, but the " + opts.LoopBudget.String() + " of the run are spent"
	}
}
