package runtime

import (
	"context"
	"time"
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// Sleep returns nil after d, or the cause of ctx's end when that comes first. A d of 0 or less does not wait.
	Sleep(ctx context.Context, d time.Duration) error
}

// systemClock is the machine's own clock.
type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// instant formats a time of a row: RFC 3339, UTC, milliseconds.
func instant(t time.Time) string {
	t = t.UTC()
	text := t.AppendFormat(make([]byte, 0, 32), time.RFC3339) // this layout is formatted several times faster than others
	ms := t.Nanosecond() / int(time.Millisecond)
	text[len(text)-1] = '.' // where the Z of UTC was
	return string(append(text, byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10), 'Z'))
}
