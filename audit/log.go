// Package audit appends to and reads the JSONL files under .cleo/audit, the operators' record of what was decided.
//
// Start at [At]. The invariant: a line is written whole, in one write under an advisory lock, and never glued to what a
// crash left behind, so that any number of processes may append at once. The package records; it decides nothing.
package audit

import "path/filepath"

// The files of the log.
const (
	// RetriesFile has one line per Validator attempt.
	RetriesFile = "validator-retries.jsonl"
	// WaiversFile has one line per use of a waiver, whether or not the gate then opened.
	WaiversFile = "ac-waiver.jsonl"
	// OverridesFile has one line per override by the owner.
	OverridesFile = "force-bypass.jsonl"
)

// Log is the audit log of one project. It is safe for concurrent use, by goroutines and by processes.
type Log struct {
	// Warn is told, in one sentence, of what was found and mended while appending: a last line that a crash left
	// torn, a detail too large to keep. Nil drops the warnings. Set it before the first use.
	Warn func(message string)

	dir string
}

// At returns the log in dir, which is <project>/.cleo/audit. It does no I/O: dir and its files are made, readable by
// their owner only, when the first line is appended.
func At(dir string) *Log { return &Log{dir: dir} }

func (l *Log) path(file string) string { return filepath.Join(l.dir, file) }

func (l *Log) warn(message string) {
	if l.Warn != nil {
		l.Warn(message)
	}
}
