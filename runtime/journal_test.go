package runtime

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// ledger is a journal in memory that outlives the processes that write to it, and is as strict as the store: a slot is
// taken once, and never more of them than the budget has.
type ledger struct {
	runs     []*ledgerRun
	verdicts map[string]contracts.Verdict
	// calls tells what was done, in order, also by the other parts of a test.
	calls []string
	// before and after are asked around every write; an error is the write's, a panic is a kill.
	before, after func(call string) error
}

type ledgerRun struct {
	store.Run
	reserved map[int]bool // false: settled
	outcome  string
}

// killed is what a Lead that is killed panics with.
type killed struct{}

func (l *ledger) write(call string, effect func() error) error {
	l.calls = append(l.calls, call)
	if l.before != nil {
		if err := l.before(call); err != nil {
			return err
		}
	}
	if err := effect(); err != nil {
		return err
	}
	if l.after != nil {
		return l.after(call)
	}
	return nil
}

// OpenRun returns the open run of the task or begins one.
func (l *ledger) OpenRun(_ context.Context, spec store.RunSpec) (out store.Run, err error) {
	err = l.write("open", func() error {
		for _, r := range l.runs {
			if r.TaskID == spec.TaskID && r.outcome == "" {
				out = r.Run
				out.Entries, out.Resumed = slices.Clone(r.Entries), true
				return nil
			}
		}
		out = store.Run{ID: spec.ID, TaskID: spec.TaskID, RetryMax: spec.RetryMax, State: spec.State}
		l.runs = append(l.runs, &ledgerRun{Run: out, reserved: map[int]bool{}})
		return nil
	})
	return out, err
}

// ReserveAttempt refuses a slot that was taken before or that the budget does not have.
func (l *ledger) ReserveAttempt(ctx context.Context, runID string, n int, validatorID string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.write(fmt.Sprint("reserve ", n), func() error {
		r := l.run(runID)
		if _, taken := r.reserved[n]; taken || n > r.RetryMax || r.Pending != nil {
			return fmt.Errorf("attempt %d of %d cannot be reserved", n, r.RetryMax)
		}
		r.reserved[n] = true
		r.Pending = &store.Reservation{AttemptNumber: n, ValidatorID: validatorID}
		return nil
	})
}

// ReleaseAttempt hands the pending slot back.
func (l *ledger) ReleaseAttempt(ctx context.Context, runID string, n int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.write(fmt.Sprint("release ", n), func() error {
		r := l.run(runID)
		if r.Pending == nil || r.Pending.AttemptNumber != n {
			return fmt.Errorf("attempt %d is not reserved", n)
		}
		delete(r.reserved, n)
		r.Pending = nil
		return nil
	})
}

// CommitDecision applies the decision whole.
func (l *ledger) CommitDecision(ctx context.Context, d store.Decision) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	call := "commit state"
	if d.Entry != nil {
		call = "commit " + string(d.Entry.RetryDecision)
	}
	return l.write(call, func() error {
		r := l.run(d.RunID)
		if d.Settles != 0 {
			if r.Pending == nil || r.Pending.AttemptNumber != d.Settles {
				return fmt.Errorf("attempt %d is not reserved", d.Settles)
			}
			r.reserved[d.Settles], r.Pending = false, nil
		}
		r.State, r.Active, r.outcome = d.State, d.Active, d.Outcome
		if d.Entry != nil {
			r.Entries = append(r.Entries, *d.Entry)
		}
		return nil
	})
}

// VerdictBy returns what a Validator shipped.
func (l *ledger) VerdictBy(_ context.Context, taskID, validatorID string) (contracts.Verdict, bool, error) {
	v, ok := l.verdicts[validatorID]
	return v, ok && v.TaskID() == taskID, nil
}

// ship is what the tools do before a spawner returns a verdict.
func (l *ledger) ship(v contracts.Verdict) contracts.Verdict {
	if l.verdicts == nil {
		l.verdicts = map[string]contracts.Verdict{}
	}
	l.verdicts[v.ValidatorID()] = v
	return v
}

func (l *ledger) run(id string) *ledgerRun {
	for _, r := range l.runs {
		if r.ID == id && r.outcome == "" {
			return r
		}
	}
	panic("no open run " + id)
}

// AppendRetry makes the ledger an audit log too, so that the order of both is seen.
func (l *ledger) AppendRetry(ctx context.Context, row contracts.RetryEntry) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return l.write("audit "+string(row.RetryDecision), func() error { return nil })
}

// options are those of a run that the ledger keeps.
func (l *ledger) options() Options {
	return Options{Journal: l, Audit: l, LoopBudget: -1, Clock: &virtualClock{now: time.Unix(0, 0)}}
}
