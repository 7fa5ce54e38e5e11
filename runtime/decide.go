package runtime

import (
	"context"
	"strconv"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// decide steps the machine with a round and does what goes with every decision: it is committed first, then its row is
// appended to the audit log, then it is told. Acting on it is left to the next turn of the loop.
func (r *run) decide(ctx context.Context, d *round, now time.Time) error {
	t, err := Step(r.state, d.Observation)
	if err != nil {
		return err
	}
	if t.Decision == "" {
		return r.proceed(ctx, t)
	}
	known, rows := r.rejected, len(r.result.Attempts)
	if d.What == Rejected {
		r.rejected = rejected{verdict: d.verdict, subject: d.subject}
	}
	r.result.Attempts = append(r.result.Attempts, r.row(t, d, now))
	row := &r.result.Attempts[rows]
	if err := r.commitRow(ctx, t, row, d.settles); err != nil {
		r.rejected, r.result.Attempts = known, r.result.Attempts[:rows]
		return err
	}
	r.state, r.wait = t.State, t.Backoff
	r.append(ctx, row)
	r.tell(Event{
		Kind: EventDecided, Attempt: t.Attempt, Decision: t.Decision, Verdict: row.Verdict, Fault: t.Kind,
		Backoff: t.Backoff, Message: row.Message,
	})
	if t.Outcome != "" {
		r.end(t, d)
	}
	return nil
}

// proceed takes the one transition that has no row.
func (r *run) proceed(ctx context.Context, t Transition) error {
	if err := r.commitRow(ctx, t, nil, 0); err != nil {
		return err
	}
	r.state = t.State
	r.tell(Event{Kind: EventRespawned, Attempt: r.state.Counter})
	return nil
}

// row is the audit row of a decision.
func (r *run) row(t Transition, d *round, now time.Time) contracts.RetryEntry {
	row := contracts.RetryEntry{
		Timestamp: instant(now), TaskID: r.result.TaskID, RunID: r.result.RunID,
		AttemptNumber: t.Attempt, RetryDecision: t.Decision,
		Message: d.message, Detail: d.detail, Verdict: d.verdict.Kind(),
		ValidatorID: d.validatorID, DurationMs: d.durationMs, Commit: d.subject.Commit,
	}
	if t.Kind != "" {
		family, kind, class := t.Family, t.Kind, t.Class
		row.FaultFamily, row.FaultKind, row.Classification = &family, &kind, &class
	}
	if t.Outcome == "" {
		backoff := t.Backoff.Milliseconds()
		row.BackoffMs = &backoff
	}
	return row
}

// append hands a row to the audit log. A log that cannot be written stops nothing: the row is in the journal, and the
// operator is told.
func (r *run) append(ctx context.Context, row *contracts.RetryEntry) {
	if r.opts.Audit == nil {
		return
	}
	settle, cancel := settling(ctx)
	defer cancel()
	if err := r.opts.Audit.AppendRetry(settle, *row); err != nil {
		problem := "appending the audit row of attempt " + strconv.Itoa(row.AttemptNumber) + ": " + err.Error()
		r.result.AuditErrors = append(r.result.AuditErrors, problem)
		r.tell(Event{Kind: EventAuditFailed, Attempt: row.AttemptNumber, Message: problem})
	}
}

// end fills the result in.
func (r *run) end(t Transition, d *round) {
	r.result.Outcome = t.Outcome
	switch t.Outcome {
	case OutcomeAttest:
		r.result.Verdict = d.verdict
	case OutcomeEscalatePermanent:
		r.result.Fault = permanentFault(t, d)
		r.result.Reason = r.reason(t, d.message)
	default:
		r.result.Reason = r.reason(t, d.message)
	}
	r.tell(Event{
		Kind: EventEnded, Attempt: t.Attempt, Outcome: t.Outcome, Message: r.result.Reason,
	})
}

func permanentFault(t Transition, d *round) *PermanentFault {
	return &PermanentFault{
		Kind: t.Kind, Family: t.Family, Classification: t.Class,
		EscalationCode: catalogue[rowIndex(t.Kind)].Escalation, Message: d.message, Detail: d.detail,
	}
}
