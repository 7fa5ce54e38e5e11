package store

import (
	"time"

	"github.com/google/uuid"

	"github.com/cleocode/cleo-validator/contracts"
)

// Durability says what a write waits for.
type Durability string

// The two durabilities.
const (
	// DurabilityFull waits for the disk: a write that was acknowledged survives the loss of power.
	DurabilityFull Durability = "full"
	// DurabilityNormal survives a killed process, but may lose the last writes with the power. It is about twice as fast.
	DurabilityNormal Durability = "normal"
)

// ParseDurability returns the durability that s names, or an error with [contracts.CodeInvalidInput].
func ParseDurability(s string) (Durability, error) {
	switch d := Durability(s); d {
	case DurabilityFull, DurabilityNormal:
		return d, nil
	}
	return "", contracts.Errorf(contracts.CodeInvalidInput, "unknown durability %q", s).WithFix("use full or normal")
}

// Options are the choices of [Open]. The zero value works.
type Options struct {
	// Durability defaults to [DurabilityFull].
	Durability Durability
	// BusyTimeout bounds how long SQLite waits for another process's write. Default 10 s.
	BusyTimeout time.Duration
	// Now is the clock of every recorded time. Default [time.Now].
	Now func() time.Time
	// NewID makes the ids of criteria and bindings: UUIDs in lower case. Default: random ones.
	NewID func() string
}

func (o Options) withDefaults() (Options, error) {
	if o.Durability == "" {
		o.Durability = DurabilityFull
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = uuid.NewString
	}
	_, err := ParseDurability(string(o.Durability))
	return o, err
}

// instant is how every time is stored: RFC 3339 in UTC with milliseconds, which sorts as text.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
