package contracts

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/go-json-experiment/json"
)

// ParseVerdict reads one envelope of either kind, told apart by its field verdict. The error is an [Error] whose details
// list every broken rule with its JSON path; its code is that of the kind, or [CodeVerdictInvalid] when the document is
// neither.
func ParseVerdict(data []byte) (Verdict, error) {
	root, err := readDocument(data)
	if err != nil {
		return Verdict{}, malformed(CodeVerdictInvalid, err)
	}
	switch kindOf(root) {
	case VerdictAttest:
		return envelopeOf[Attestation](root, CodeAttestationInvalid)
	case VerdictReject:
		return envelopeOf[Rejection](root, CodeRejectionInvalid)
	}
	path := "verdict"
	if root.kind != '{' {
		path = ""
	}
	return Verdict{}, violationsError(CodeVerdictInvalid, "the document is no verdict",
		[]Violation{{Path: path, Message: `must be an envelope whose verdict is, once and in this case, "attest" or "reject"`}})
}

// ParseAttestation reads an attestation. The error is an [Error] with [CodeAttestationInvalid] that lists every broken rule.
func ParseAttestation(data []byte) (Attestation, error) {
	v, err := parseAs[Attestation](data, CodeAttestationInvalid)
	if err != nil {
		return Attestation{}, err
	}
	return *v.attestation, nil
}

// ParseRejection reads a rejection. The error is an [Error] with [CodeRejectionInvalid] that lists every broken rule.
func ParseRejection(data []byte) (Rejection, error) {
	v, err := parseAs[Rejection](data, CodeRejectionInvalid)
	if err != nil {
		return Rejection{}, err
	}
	return *v.rejection, nil
}

// IsVerdict reports whether data is a valid envelope of either kind.
func IsVerdict(data []byte) bool {
	_, err := ParseVerdict(data)
	return err == nil
}

// IsAttestation reports whether data is a valid attestation.
func IsAttestation(data []byte) bool {
	_, err := ParseAttestation(data)
	return err == nil
}

// IsRejection reports whether data is a valid rejection.
func IsRejection(data []byte) bool {
	_, err := ParseRejection(data)
	return err == nil
}

// Digest returns the SHA-256 of [Verdict.Canonical], as sha256:<hex>; empty for the zero Verdict.
func (v Verdict) Digest() string {
	if v.IsZero() {
		return ""
	}
	sum := sha256.Sum256(v.canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// DecodeStrict reads one JSON document of the type T under the rules of an envelope: unknown, duplicate, wrongly-cased and
// missing fields are errors, and so is trailing data. The error is an [Error] with [CodeInvalidInput] that lists every
// place that does not fit. Fields marked omitempty or omitzero are optional.
func DecodeStrict[T any](data []byte) (T, error) {
	var value T
	root, err := readDocument(data)
	if err != nil {
		return value, malformed(CodeInvalidInput, err)
	}
	var b binder
	b.bind(root, reflect.ValueOf(&value).Elem(), "")
	if len(b.violations) > 0 {
		var zero T
		return zero, violationsError(CodeInvalidInput, "the document does not fit", b.violations)
	}
	return value, nil
}

// kindOf returns the kind that an envelope claims to be, empty when it claims none or several.
func kindOf(root node) VerdictKind {
	var kind VerdictKind
	for _, m := range root.members {
		if m.name != "verdict" {
			continue
		}
		claimed := VerdictKind(m.value.text)
		if m.value.kind != '"' || kind != "" && kind != claimed {
			return ""
		}
		kind = claimed
	}
	return kind
}

func parseAs[T Attestation | Rejection](data []byte, code Code) (Verdict, error) {
	root, err := readDocument(data)
	if err != nil {
		return Verdict{}, malformed(code, err)
	}
	return envelopeOf[T](root, code)
}

// envelopeOf holds a document to every rule of T.
func envelopeOf[T Attestation | Rejection](root node, code Code) (Verdict, error) {
	var (
		envelope T
		b        binder
	)
	b.bind(root, reflect.ValueOf(&envelope).Elem(), "")
	violations, misfits := b.violations, pathsOf(b.violations)
	for _, v := range checkRules(envelope) {
		if !misfits.covers(v.Path) {
			violations = append(violations, v)
		}
	}
	if len(violations) > 0 {
		return Verdict{}, violationsError(code, "the "+noun(code)+" breaks the contract", violations).
			WithFix("mend every violation; cleo-validator schema %s prints the form", noun(code))
	}
	canonical := root.raw.Clone()
	if err := canonical.Canonicalize(); err != nil {
		return Verdict{}, malformed(code, err)
	}
	v := Verdict{canonical: canonical}
	switch e := any(&envelope).(type) {
	case *Attestation:
		v.attestation = e
	case *Rejection:
		v.rejection = e
	}
	return v, nil
}

// fromStruct holds an envelope built in Go to the same rules as one that was read.
func fromStruct[T Attestation | Rejection](envelope T, code Code) (Verdict, error) {
	data, err := json.Marshal(envelope)
	if err != nil {
		return Verdict{}, malformed(code, err)
	}
	return parseAs[T](data, code)
}

// pathSet holds places that do not fit their type.
type pathSet map[string]bool

func pathsOf(violations []Violation) pathSet {
	set := make(pathSet, len(violations))
	for _, v := range violations {
		set[v.Path] = true
	}
	return set
}

// covers reports whether path is, or lies within, a place of the set: a rule about it is then pointless.
func (s pathSet) covers(path string) bool {
	if s[""] || s[path] {
		return true
	}
	for i, r := range path {
		if (r == '.' || r == '[') && s[path[:i]] {
			return true
		}
	}
	return false
}

func malformed(code Code, err error) *Error {
	return Errorf(code, "the %s cannot be read: %w", noun(code), err).
		WithDetail("violations", []Violation{{Message: err.Error()}}).
		WithFix("send exactly one JSON document in UTF-8")
}

// noun names what a code is about.
func noun(code Code) string {
	switch code {
	case CodeAttestationInvalid:
		return "attestation"
	case CodeRejectionInvalid:
		return "rejection"
	case CodeVerdictInvalid:
		return "verdict"
	}
	return "document"
}
