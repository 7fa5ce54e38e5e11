package contracts

import "time"

// Check is the machine check of one acceptance criterion: a command or a list of evidence atoms, and what counts as passing.
// Exactly one of Command and Atoms is set.
type Check struct {
	// Command is one line, split into words as a POSIX shell splits them; nothing is expanded.
	Command string `json:"command,omitempty"`
	// Atoms are evidence atoms joined with semicolons, such as tool:test;files:go.mod.
	Atoms string `json:"atoms,omitempty"`
	// ExpectedExitCode is the exit code that passes. Default 0. Only for Command.
	ExpectedExitCode int `json:"expectedExitCode,omitzero"`
	// ExpectedOutputContains must occur in stdout or stderr, without regard to case. Empty means anything. Only for Command.
	ExpectedOutputContains string `json:"expectedOutputContains,omitempty"`
	// TimeoutMs bounds the check in milliseconds. 0 means the caller's default.
	TimeoutMs int64 `json:"timeoutMs,omitzero"`
}

// Timeout returns the bound of the check, or fallback when it has none.
func (c Check) Timeout(fallback time.Duration) time.Duration {
	if c.TimeoutMs <= 0 {
		return fallback
	}
	return time.Duration(c.TimeoutMs) * time.Millisecond
}
