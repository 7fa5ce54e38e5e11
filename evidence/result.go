package evidence

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The kinds of a [Result] that no atom has.
const (
	// KindCommand is the result of a check's command.
	KindCommand Kind = "cmd"
	// KindAtoms is the result of a check's list of atoms.
	KindAtoms Kind = "atoms"
)

// Result is what evaluating a claim came to. It is never about the environment: that is a [contracts.Fault].
type Result struct {
	Kind Kind `json:"kind"`
	// Payload is the atom's payload, the check's command, or the check's atoms as they are written.
	Payload string `json:"payload"`
	// OK says that the claim is true.
	OK bool `json:"ok"`
	// Reason is one sentence on why OK is as it is.
	Reason string `json:"reason"`
	// ExitCode is the command's exit code; -1 when a signal ended it, 0 where no command ran.
	ExitCode int `json:"exitCode"`
	// DurationMs is how long the command ran, in milliseconds; 0 where none did.
	DurationMs int64 `json:"durationMs"`
	// OutputTail is the end of what the command wrote to stdout and stderr: at most 2 KiB, valid UTF-8.
	OutputTail string `json:"outputTail,omitempty"`
	// Argv is the command that ran. Nil where none did.
	Argv []string `json:"argv,omitempty"`
	// Files maps each path that was read to the SHA-256 of its content, in lower-case hexadecimal.
	Files map[string]string `json:"files,omitempty"`
	// Parts are the results of the atoms, in their order, where Kind is [KindAtoms].
	Parts []Result `json:"parts,omitempty"`
}

// maxNote is how many characters a note atom may have.
const maxNote = 512

// EvidenceRef renders the result as one evidence reference, such as tool:test, or files:go.mod sha256:<hex>. A
// command has no atom of its own and becomes a note: what ran, and how it ended.
func (r Result) EvidenceRef() string {
	switch r.Kind {
	case KindCommand:
		return "note:" + cutRunes(fmt.Sprintf("ran %s: %s", oneLine(r.Payload), oneLine(r.Reason)), maxNote)
	case KindFiles:
		return "files:" + r.fileRefs()
	case KindAtoms:
		return strings.Join(r.EvidenceRefs(), ";")
	}
	return Atom{r.Kind, r.Payload}.String()
}

// EvidenceRefs renders the result as one evidence reference per atom.
func (r Result) EvidenceRefs() []string {
	if r.Kind != KindAtoms {
		return []string{r.EvidenceRef()}
	}
	refs := []string{}
	for _, part := range r.Parts {
		refs = append(refs, part.EvidenceRef())
	}
	return refs
}

func (r Result) fileRefs() string {
	paths := splitPaths(r.Payload)
	for i, path := range paths {
		if sum, read := r.Files[path]; read {
			paths[i] += " sha256:" + sum
		}
	}
	return strings.Join(paths, ",")
}

// failed reports whether any part is not OK, and returns the first.
func failed(parts []Result) (Result, bool) {
	i := slices.IndexFunc(parts, func(part Result) bool { return !part.OK })
	if i < 0 {
		return Result{}, false
	}
	return parts[i], true
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cutRunes shortens s to at most n characters.
func cutRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
