package store

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// hold takes the write lock through another store, until release is called.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	tx, err := openAt(t, path).writer.Begin()
	mustDo(t, err)
	t.Cleanup(func() { _ = tx.Rollback() })
	return func() { _ = tx.Rollback() }
}

// A caller that gives up does not wait until SQLite does: the busy timeout here is an hour.
func TestWaitEndsWithTheContext(t *testing.T) {
	s, err := Open(t.Context(), tempPath(t), Options{BusyTimeout: time.Hour})
	mustDo(t, err)
	task := add(t, s, "T1", 1)
	release := hold(t, s.path)
	defer s.Close()
	defer release()
	cause := errors.New("the owner went home")
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := s.RecordVerdict(ctx, VerdictRecord{Verdict: attest(task, "validator-a", "")})
		failed <- err
	}()
	for s.writer.Stats().InUse == 0 { // until the connection waits for the lock
		runtime.Gosched()
	}
	cancel(cause)
	if err := <-failed; !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
		t.Errorf("error %v, want the cancellation and its cause", err)
	}
	empty(t, s)
}

func TestEndedContext(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"Read":  func() error { _, err := s.Task(ctx, "T1"); return err },
		"Write": func() error { return s.RecordWorker(ctx, "T1", "agent-1") },
		"Open":  func() error { _, err := Open(ctx, s.path, Options{}); return err },
		"OpenNew": func() error {
			path := tempPath(t)
			_, err := Open(ctx, path, Options{})
			if _, found := os.Stat(path); found == nil {
				t.Error("a database was made")
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := call(); !errors.Is(err, context.Canceled) || contracts.CodeOf(err) != contracts.CodeInternal {
				t.Errorf("error %v, want the cancellation and no code", err)
			}
		})
	}
}

// countingContext calls do when it is asked for the nth time whether it has ended. Each try of a write asks a few times.
type countingContext struct {
	context.Context
	asked, n atomic.Int64
	do       func()
}

func (c *countingContext) Done() <-chan struct{} {
	if c.asked.Add(1) == c.n.Load() {
		c.do()
	}
	return c.Context.Done()
}

// A write that SQLite gives up on, here after a millisecond, is tried again until the lock is free.
func TestBusyIsRetried(t *testing.T) {
	s, err := Open(t.Context(), tempPath(t), Options{BusyTimeout: time.Millisecond})
	mustDo(t, err)
	defer s.Close()
	add(t, s, "T1", 1)
	s.opts.BusyTimeout = time.Hour // our own patience; the connection is open already
	ctx := &countingContext{Context: t.Context(), do: hold(t, s.path)}
	ctx.n.Store(40)
	mustDo(t, s.RecordWorker(ctx, "T1", "agent-1"))
	if n := ctx.asked.Load(); n < 40 {
		t.Errorf("the lock was given before it was free, after %d questions", n)
	}
}

func TestBusyForGood(t *testing.T) {
	s, err := Open(t.Context(), tempPath(t), Options{BusyTimeout: time.Millisecond})
	mustDo(t, err)
	defer s.Close()
	add(t, s, "T1", 1)
	defer hold(t, s.path)()
	wantCode(t, s.RecordWorker(t.Context(), "T1", "agent-1"), contracts.CodeStoreUnavailable)
	if _, err := s.Task(t.Context(), "T1"); err != nil {
		t.Errorf("a reader waited for the writer: %v", err)
	}
}

// A database that somebody else is making for good is not waited for for good.
func TestSchemaLockHeldForGood(t *testing.T) {
	path := old(t, 1)
	unlock, err := (&Store{path: path, opts: must(Options{}.withDefaults())}).lockSchema(t.Context())
	mustDo(t, err)
	defer unlock()
	_, err = Open(t.Context(), path, Options{BusyTimeout: time.Millisecond})
	wantCode(t, err, contracts.CodeStoreUnavailable)
}
