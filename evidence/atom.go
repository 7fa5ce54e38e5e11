package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cleocode/cleo-validator/contracts"
)

// Kind is the kind of an evidence atom.
type Kind string

// The kinds of atoms.
const (
	// KindCommit claims that a commit is part of the candidate's history: commit:<7-40 hex>.
	KindCommit Kind = "commit"
	// KindFiles claims that files are there: files:<path>[,<path>…].
	KindFiles Kind = "files"
	// KindTool claims that a tool of the project passes: tool:<name>.
	KindTool Kind = "tool"
)

// Kinds lists the kinds of atoms.
func Kinds() []Kind { return []Kind{KindCommit, KindFiles, KindTool} }

// Atom is one piece of evidence. [ParseAtoms] makes well-formed ones.
type Atom struct {
	Kind Kind
	// Payload is what follows the colon, without surrounding blanks.
	Payload string
}

// String returns the atom as it is written.
func (a Atom) String() string { return string(a.Kind) + ":" + a.Payload }

// FormatAtoms joins atoms into the form that [ParseAtoms] reads.
func FormatAtoms(atoms []Atom) string {
	written := make([]string, len(atoms))
	for i, atom := range atoms {
		written[i] = atom.String()
	}
	return strings.Join(written, ";")
}

const (
	// maxAtoms bounds a list of atoms, in bytes.
	maxAtoms = 64 << 10
	// maxQuoted bounds what a message quotes of an atom, in bytes.
	maxQuoted = 200
)

// clip keeps a message that quotes an atom short.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
}

// ParseAtoms reads atoms joined with semicolons. A semicolon separates only when a known kind and a colon follow it,
// so that a payload may contain one. The error is a [contracts.Error] with [contracts.CodeInvalidInput] that names
// the atom and says what is wrong with it.
func ParseAtoms(s string) ([]Atom, error) {
	if len(s) > maxAtoms {
		return nil, badAtom("atoms of %d bytes are more than the %d that are read", len(s), maxAtoms)
	}
	if !utf8.ValidString(s) {
		return nil, badAtom("atoms %q are not UTF-8", clip(s))
	}
	var atoms []Atom
	for _, written := range splitAtoms(s) {
		atom, err := parseAtom(written)
		if err != nil {
			return nil, err
		}
		atoms = append(atoms, atom)
	}
	return atoms, nil
}

// splitAtoms cuts s at the semicolons that separate.
func splitAtoms(s string) []string {
	var out []string
	start := 0
	for i := range len(s) {
		if s[i] == ';' && startsAtom(s[i+1:]) {
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// blanks may stand around an atom and around a path.
const blanks = " \t"

func startsAtom(s string) bool {
	s = strings.TrimLeft(s, blanks)
	return slices.ContainsFunc(Kinds(), func(kind Kind) bool { return strings.HasPrefix(s, string(kind)+":") })
}

func parseAtom(written string) (Atom, error) {
	written = strings.Trim(written, blanks)
	name, payload, found := strings.Cut(written, ":")
	if !found {
		return Atom{}, badAtom("atom %q has no kind and colon", clip(written))
	}
	atom := Atom{Kind: Kind(name), Payload: strings.Trim(payload, blanks)}
	if !slices.Contains(Kinds(), atom.Kind) {
		return Atom{}, badAtom("atom %q is of the unknown kind %q", clip(written), clip(name))
	}
	if reason := payloadRules()[atom.Kind](atom.Payload); reason != "" {
		if strings.Contains(atom.Payload, ";") {
			reason += "; a semicolon separates only before a known kind and a colon"
		}
		return Atom{}, badAtom("atom %q: %s", clip(written), reason)
	}
	return atom, nil
}

func badAtom(format string, args ...any) error {
	return contracts.Errorf(contracts.CodeInvalidInput, format, args...).
		WithFix("write atoms of the kinds %s, such as tool:test;files:go.mod", joinKinds())
}

func joinKinds() string {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ", ")
}

var (
	commitRegexp   = regexp.MustCompile(`^[0-9a-fA-F]{7,40}$`)
	toolNameRegexp = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
)

// payloadRules returns, per kind, what says why a payload is not of its form; empty when it is.
func payloadRules() map[Kind]func(string) string {
	return map[Kind]func(string) string{
		KindCommit: func(p string) string {
			if !commitRegexp.MatchString(p) {
				return "a commit is 7 to 40 hexadecimal digits"
			}
			return ""
		},
		KindTool: func(p string) string {
			if !toolNameRegexp.MatchString(p) {
				return "a tool's name is up to 64 lower-case letters, digits, dots, underscores and hyphens"
			}
			return ""
		},
		KindFiles: filesRule,
	}
}

func filesRule(payload string) string {
	for _, path := range splitPaths(payload) {
		if path == "" {
			return "a path is empty"
		}
		if i := strings.IndexFunc(path, isControl); i >= 0 {
			return fmt.Sprintf("the path %q has a control character", path)
		}
	}
	return ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// splitPaths returns the paths of a files payload.
func splitPaths(payload string) []string {
	paths := strings.Split(payload, ",")
	for i, path := range paths {
		paths[i] = strings.Trim(path, blanks)
	}
	return paths
}
