package runtime

import (
	"context"
	"errors"
	"time"
)

// errLoopSpent is the cause of the end of a context that the loop budget bounds.
var errLoopSpent = errors.New("the time that the whole run may take is spent")

// now reads the clock. The first reading is when this process began to drive the run.
func (r *run) now() time.Time {
	now := r.opts.Clock.Now()
	if !r.started {
		r.began, r.started = now, true
	}
	return now
}

// active returns how long the run has been driven up to now, over every process. Time in which nobody drove it does not
// count.
func (r *run) active(now time.Time) time.Duration {
	return r.before + max(0, now.Sub(r.began))
}

// loop returns the loop budget as of now.
func (r *run) loop(now time.Time) LoopBudget {
	if r.opts.LoopBudget < 0 {
		return LoopBudget{}
	}
	return LoopBudget{Bounded: true, Left: r.opts.LoopBudget - r.active(now)}
}

// bounded returns a context for one act of the crew that ends with the loop budget at the latest, and must be released.
func (r *run) bounded(ctx context.Context, now time.Time) (context.Context, *deadline) {
	budget := r.loop(now)
	if !budget.Bounded {
		return ctx, nil
	}
	if _, real := r.opts.Clock.(systemClock); !real {
		now = time.Now() // contexts end by the machine's clock
	}
	act := &deadline{parent: ctx, at: now.Add(budget.Left)}
	return act, act
}

// left returns the loop budget after an act of the crew. The context's word counts beside the clock's, so that an act
// that was cut short never finds time left.
func (r *run) left(act *deadline, now time.Time) LoopBudget {
	budget := r.loop(now)
	if act.cutShort() {
		budget.Left = 0
	}
	return budget
}
