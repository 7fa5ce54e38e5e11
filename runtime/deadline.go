package runtime

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends with its parent or at an instant, with cause [errLoopSpent]. Unlike one of
// [context.WithDeadlineCause] it costs no timer until somebody asks whether it has ended, which an act that is over at
// once never does. A nil deadline is none.
type deadline struct {
	parent context.Context
	at     time.Time

	mu       sync.Mutex
	started  context.Context
	cancel   context.CancelFunc
	released bool
}

// start returns the context of the standard library that does the work.
func (d *deadline) start() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started == nil {
		d.started, d.cancel = context.WithDeadlineCause(d.parent, d.at, errLoopSpent)
		if d.released {
			d.cancel()
		}
	}
	return d.started
}

// Deadline returns the instant, or the parent's when that is earlier.
func (d *deadline) Deadline() (time.Time, bool) {
	if at, ok := d.parent.Deadline(); ok && at.Before(d.at) {
		return at, true
	}
	return d.at, true
}

// Done returns the channel of the context started.
func (d *deadline) Done() <-chan struct{} { return d.start().Done() }

// Err returns why the context ended, nil while it has not.
func (d *deadline) Err() error { return d.start().Err() }

// Value asks the started context, since that is how the standard library finds a cause.
func (d *deadline) Value(key any) any { return d.start().Value(key) }

// cutShort reports whether anybody may have seen the context end at its instant.
func (d *deadline) cutShort() bool {
	if d == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.started != nil && d.started.Err() != nil && context.Cause(d.started) == errLoopSpent
}

// release ends the context, so that neither a timer nor what was started under it stays behind.
func (d *deadline) release() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.released = true
	if d.cancel != nil {
		d.cancel()
	}
}
