package runtime

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadlineIsAContextLikeAnyOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &deadline{parent: t.Context(), at: time.Now().Add(time.Minute)}
		child, cancel := context.WithCancel(limit)
		defer cancel()
		if at, ok := child.Deadline(); !ok || !at.Equal(limit.at) || child.Err() != nil || limit.cutShort() {
			t.Fatalf("deadline %s, error %v", at, child.Err())
		}
		<-child.Done()
		if !errors.Is(child.Err(), context.DeadlineExceeded) || context.Cause(child) != errLoopSpent || !limit.cutShort() {
			t.Errorf("ended with %v, cause %v", child.Err(), context.Cause(child))
		}
		limit.release()
	})
}

func TestDeadlineEndsWithItsParent(t *testing.T) {
	parent, cancel := context.WithCancelCause(t.Context())
	limit := &deadline{parent: parent, at: time.Now().Add(time.Hour)}
	defer limit.release()
	cancel(errCtrlC)
	<-limit.Done()
	if context.Cause(limit) != errCtrlC || limit.cutShort() {
		t.Errorf("cause %v", context.Cause(limit))
	}
}

func TestDeadlineOfTheParentCountsWhenEarlier(t *testing.T) {
	early := time.Now().Add(time.Minute)
	parent, cancel := context.WithDeadline(t.Context(), early)
	defer cancel()
	limit := &deadline{parent: parent, at: early.Add(time.Minute)}
	if at, ok := limit.Deadline(); !ok || !at.Equal(early) {
		t.Errorf("deadline %s, not %s", at, early)
	}
}

// TestDeadlineReleasedBeforeItWasAskedFor: whoever kept the context finds it ended.
func TestDeadlineReleasedBeforeItWasAskedFor(t *testing.T) {
	limit := &deadline{parent: t.Context(), at: time.Now().Add(time.Hour)}
	limit.release()
	if !errors.Is(limit.Err(), context.Canceled) || limit.cutShort() {
		t.Errorf("error %v", limit.Err())
	}
	var none *deadline
	none.release()
	if none.cutShort() {
		t.Error("no deadline cuts nothing short")
	}
}
