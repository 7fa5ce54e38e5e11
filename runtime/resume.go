package runtime

import (
	"context"
	"fmt"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// open begins the run in the journal, or goes on with the one that the task has.
func (r *run) open(ctx context.Context) error {
	if r.opts.Journal == nil {
		return nil
	}
	fresh, err := r.checkpoint(r.state)
	if err != nil {
		return err
	}
	found, err := r.opts.Journal.OpenRun(ctx, store.RunSpec{
		ID: r.result.RunID, TaskID: r.result.TaskID, RetryMax: r.opts.RetryMax, State: fresh,
	})
	if err != nil || !found.Resumed {
		return err
	}
	if err := r.resume(ctx, found); err != nil {
		return err
	}
	r.tell(Event{Kind: EventResumed, Attempt: r.state.Attempt()})
	return nil
}

// resume takes everything over from the journal: counters, rows, time, and what was under way.
func (r *run) resume(ctx context.Context, found store.Run) error {
	c, err := readCheckpoint(found.State)
	if err == nil && found.Pending != nil && found.Pending.AttemptNumber != c.State.Attempt() {
		err = fmt.Errorf("attempt %d is reserved, but %d is next", found.Pending.AttemptNumber, c.State.Attempt())
	}
	if err != nil {
		return r.unusable(fmt.Errorf("run %s: %w", found.ID, err))
	}
	r.state, r.pending, r.before = c.State, found.Pending, found.Active
	r.result.RunID = found.ID
	r.result.Attempts = append(r.result.Attempts, found.Entries...)
	r.wait = r.waitLeft(found.Entries)
	return r.recallRejection(ctx, c)
}

// recallRejection reads the rejection that the next round is about.
func (r *run) recallRejection(ctx context.Context, c checkpoint) error {
	if c.Rejected == "" {
		return nil
	}
	verdict, found, err := r.opts.Journal.VerdictBy(ctx, r.result.TaskID, c.Rejected)
	if err != nil {
		return err
	}
	if !found && c.State.Phase == PhaseWorker {
		return r.unusable(fmt.Errorf("the rejection of %s, which the worker is to mend, is not there", c.Rejected))
	}
	r.rejected = rejected{verdict: verdict, subject: c.Subject}
	return nil
}

// waitLeft is what is left of the wait that was decided on last, however long nobody drove the run meanwhile.
func (r *run) waitLeft(rows []contracts.RetryEntry) time.Duration {
	if len(rows) == 0 || r.state.Phase != PhaseVerdict {
		return 0
	}
	last := rows[len(rows)-1]
	if last.RetryDecision != contracts.DecisionRetryValidator || last.BackoffMs == nil {
		return 0
	}
	backoff := time.Duration(*last.BackoffMs) * time.Millisecond
	decided, err := time.Parse(time.RFC3339, last.Timestamp)
	if err != nil {
		return backoff
	}
	return min(max(0, decided.Add(backoff).Sub(r.now())), backoff)
}

// settleLost settles the attempt that was under way when an earlier process ended. A verdict that was accepted is its
// result; otherwise whatever the Validator had to say was lost, and the slot is spent, since an attempt that is handed
// back whenever its Lead is killed would be handed out for ever.
func (r *run) settleLost(ctx context.Context) error {
	pending := *r.pending
	verdict, found, err := r.opts.Journal.VerdictBy(ctx, r.result.TaskID, pending.ValidatorID)
	if err != nil {
		return err
	}
	var failure error
	if !found {
		failure = &contracts.Fault{
			Kind: contracts.FaultConduitDrop, Message: "the lead ended before a verdict was observed",
			Detail: map[string]any{"leadLost": true},
		}
	}
	now := r.now()
	d := readAttempt(r.result.TaskID, contracts.Attempt{Verdict: verdict}, failure)
	d.Loop = r.loop(now)
	d.validatorID, d.settles = pending.ValidatorID, pending.AttemptNumber
	if err := r.decide(ctx, &d, now); err != nil {
		return err
	}
	r.pending = nil
	return nil
}

// unusable says that the journal's run cannot be gone on with.
func (r *run) unusable(err error) error {
	return contracts.Errorf(contracts.CodeStoreInvalid, "resuming the run of %s: %w", r.result.TaskID, err).
		WithFix("start over with --fresh")
}
