package contracts

import (
	"slices"
)

// VerdictKind discriminates the two envelopes.
type VerdictKind string

// The two verdicts; there is no third.
const (
	VerdictAttest VerdictKind = "attest"
	VerdictReject VerdictKind = "reject"
)

// Verdict is a checked envelope: exactly one of an attestation and a rejection, every rule of which holds.
// It is made by [ParseVerdict], [NewAttestation] and [NewRejection] only. The zero Verdict is no verdict.
type Verdict struct {
	attestation *Attestation
	rejection   *Rejection
	canonical   []byte
}

// NewAttestation checks a and returns it as a verdict, or an [Error] with [CodeAttestationInvalid] that lists every broken rule.
func NewAttestation(a Attestation) (Verdict, error) { return fromStruct(a, CodeAttestationInvalid) }

// NewRejection checks r and returns it as a verdict, or an [Error] with [CodeRejectionInvalid] that lists every broken rule.
func NewRejection(r Rejection) (Verdict, error) { return fromStruct(r, CodeRejectionInvalid) }

// IsZero reports whether v is the zero Verdict, which is no verdict.
func (v Verdict) IsZero() bool { return v.attestation == nil && v.rejection == nil }

// Kind returns attest or reject; empty for the zero Verdict.
func (v Verdict) Kind() VerdictKind {
	switch {
	case v.attestation != nil:
		return VerdictAttest
	case v.rejection != nil:
		return VerdictReject
	}
	return ""
}

// Attestation returns a copy of the attestation, and false when v is none.
func (v Verdict) Attestation() (Attestation, bool) {
	if v.attestation == nil {
		return Attestation{}, false
	}
	a := *v.attestation
	a.Findings = cloneFindings(a.Findings)
	return a, true
}

// Rejection returns a copy of the rejection, and false when v is none.
func (v Verdict) Rejection() (Rejection, bool) {
	if v.rejection == nil {
		return Rejection{}, false
	}
	r := *v.rejection
	r.Findings = cloneFindings(r.Findings)
	r.RemediationHints = slices.Clone(r.RemediationHints)
	return r, true
}

// TaskID returns the task judged.
func (v Verdict) TaskID() string {
	switch v.Kind() {
	case VerdictAttest:
		return v.attestation.TaskID
	case VerdictReject:
		return v.rejection.TaskID
	}
	return ""
}

// ValidatorID returns the Validator instance that judged.
func (v Verdict) ValidatorID() string {
	switch v.Kind() {
	case VerdictAttest:
		return v.attestation.ValidatorID
	case VerdictReject:
		return v.rejection.ValidatorID
	}
	return ""
}

// Findings returns a copy of the findings, in the order of the envelope.
func (v Verdict) Findings() []Finding {
	switch v.Kind() {
	case VerdictAttest:
		return cloneFindings(v.attestation.Findings)
	case VerdictReject:
		return cloneFindings(v.rejection.Findings)
	}
	return nil
}

// Canonical returns the RFC 8785 (JCS) form of the envelope as it was received; nil for the zero Verdict.
func (v Verdict) Canonical() []byte { return slices.Clone(v.canonical) }

// MarshalJSON returns [Verdict.Canonical], or null for the zero Verdict.
func (v Verdict) MarshalJSON() ([]byte, error) {
	if v.IsZero() {
		return []byte("null"), nil
	}
	return v.Canonical(), nil
}

func cloneFindings(in []Finding) []Finding {
	out := slices.Clone(in)
	for i := range out {
		out[i].EvidenceRefs = slices.Clone(out[i].EvidenceRefs)
	}
	return out
}
