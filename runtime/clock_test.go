package runtime

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestInstant(t *testing.T) {
	east := time.FixedZone("", 3600)
	for want, at := range map[string]time.Time{
		"1970-01-01T00:00:00.000Z": time.Unix(0, 0),
		"2026-11-21T04:05:06.789Z": time.Date(2026, 11, 21, 5, 5, 6, 789_999_999, east),
		"2026-12-31T23:59:59.007Z": time.Date(2026, 12, 31, 23, 59, 59, 7_000_000, time.UTC),
	} {
		if got := instant(at); got != want {
			t.Errorf("%s is written as %s", want, got)
		}
		if got := at.UTC().Format("2006-01-02T15:04:05.000Z07:00"); got != want {
			t.Errorf("%s is not what package time writes, %s", want, got)
		}
	}
}

func TestSystemClockSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := systemClock{}
		ctx, cancel := context.WithCancelCause(t.Context())
		for _, d := range []time.Duration{time.Minute, 0, -time.Minute} {
			began := clock.Now()
			if err := clock.Sleep(ctx, d); err != nil || clock.Now().Sub(began) != max(0, d) {
				t.Errorf("sleeping %s took %s, error %v", d, clock.Now().Sub(began), err)
			}
		}
		time.AfterFunc(time.Second, func() { cancel(errCtrlC) })
		began := clock.Now()
		if err := clock.Sleep(ctx, time.Hour); err != errCtrlC || clock.Now().Sub(began) != time.Second {
			t.Errorf("woken after %s with %v", clock.Now().Sub(began), err)
		}
		if err := clock.Sleep(ctx, 0); err != errCtrlC {
			t.Errorf("sleeping when it is over: %v", err)
		}
	})
}
