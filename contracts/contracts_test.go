package contracts_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

func ExampleParseVerdict() {
	verdict, err := contracts.ParseVerdict([]byte(`{
		"verdict": "attest", "taskId": "T1", "validatorId": "validator-7",
		"findings": [{
			"acId": "550e8400-e29b-41d4-a716-446655440000", "status": "pass",
			"reasoning": "ran go test ./..., exit 0", "checkedAt": "2026-05-25T22:18:00Z"
		}],
		"attestedAt": "2026-05-25T22:18:05Z", "schemaVersion": "1"
	}`))
	fmt.Println(verdict.Kind(), verdict.TaskID(), err)
	// Output: attest T1 <nil>
}

func ExampleParseVerdict_smuggled() {
	_, err := contracts.ParseVerdict([]byte(`{"verdict":"maybe"}`))
	fmt.Println(contracts.CodeOf(err))
	// Output: E_VALIDATOR_VERDICT_INVALID
}

// TestCodesIsComplete reads the source: every declared code is listed once, follows the pattern and says when it is used.
func TestCodesIsComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var declared []contracts.Code
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok {
			return true
		}
		code, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		declared = append(declared, contracts.Code(code))
		if !strings.HasPrefix(spec.Doc.Text(), spec.Names[0].Name+": ") {
			t.Errorf("%s has no comment that says when it is used", spec.Names[0].Name)
		}
		return true
	})
	if !slices.Equal(declared, contracts.Codes()) {
		t.Errorf("Codes() is\n%v\nbut declared are\n%v", contracts.Codes(), declared)
	}
	seen := map[contracts.Code]bool{}
	for _, code := range declared {
		if seen[code] || !strings.HasPrefix(string(code), "E_") || strings.ToUpper(string(code)) != string(code) {
			t.Errorf("%s is a duplicate or not of the form of a code", code)
		}
		seen[code] = true
	}
}

func TestErrorSurvivesWrapping(t *testing.T) {
	cause := errors.New("disk full")
	inner := contracts.Errorf(contracts.CodeStoreUnavailable, "writing: %w", cause).WithFix("make %s", "room").WithDetail("n", 1)
	wrapped := fmt.Errorf("attesting: %w", inner)
	if contracts.CodeOf(wrapped) != contracts.CodeStoreUnavailable || !errors.Is(wrapped, cause) {
		t.Errorf("code or cause is lost in %v", wrapped)
	}
	env := contracts.Envelope(wrapped)
	if env.OK || env.Message != "attesting: writing: disk full" || env.Fix != "make room" || env.Details["n"] != 1 {
		t.Errorf("envelope %+v", env)
	}
	if got := contracts.CodeOf(cause); got != contracts.CodeInternal {
		t.Errorf("an error without a code has %q", got)
	}
	if got := contracts.CodeOf(nil); got != "" {
		t.Errorf("no error has code %q", got)
	}
}

func TestIdentifiers(t *testing.T) {
	for s, want := range map[string]bool{
		"T1": true, "t_-9": true, "T" + strings.Repeat("x", 63): true,
		"": false, "1T": false, "T" + strings.Repeat("x", 64): false, "T 1": false, "T1\n": false, "Ä1": false, "_T": false,
	} {
		if got := contracts.IsTaskID(s); got != want {
			t.Errorf("IsTaskID(%q) is %t", s, got)
		}
		if err := contracts.CheckTaskID(s); (err == nil) != want || err != nil && contracts.CodeOf(err) != contracts.CodeInvalidInput {
			t.Errorf("CheckTaskID(%q) is %v", s, err)
		}
	}
	for s, want := range map[string]bool{
		"AC1": true, "ac12": true, "AC0": false, "AC01": false, "AC": false, "AC1 ": false, "BC1": false, "AC9999999999": false,
	} {
		if got := contracts.IsAlias(s); got != want {
			t.Errorf("IsAlias(%q) is %t", s, got)
		}
	}
	if got := contracts.Alias(7); got != "AC7" {
		t.Errorf("Alias(7) is %q", got)
	}
	if got := contracts.AtomID("validator-a", "T1"); got != "validator:validator-a:T1" {
		t.Errorf("AtomID is %q", got)
	}
}

func TestParseAgentRole(t *testing.T) {
	for _, role := range contracts.AgentRoles() {
		if got, err := contracts.ParseAgentRole(string(role)); err != nil || got != role {
			t.Errorf("%s gave %q, %v", role, got, err)
		}
		if _, err := contracts.ParseAgentRole(strings.ToUpper(string(role))); contracts.CodeOf(err) != contracts.CodeInvalidInput {
			t.Errorf("%s in capitals gave %v", role, err)
		}
	}
}

func TestVerdictIsClosedToChange(t *testing.T) {
	a := contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: "T1", ValidatorID: "validator-a", SchemaVersion: contracts.SchemaVersion,
		AttestedAt: "2026-05-25T22:18:00Z",
		Findings: []contracts.Finding{{
			ACID: "550e8400-e29b-41d4-a716-446655440000", Status: contracts.StatusPass, Reasoning: "ran it",
			EvidenceRefs: []string{"tool:test"}, CheckedAt: "2026-05-25T22:18:00Z",
		}},
	}
	verdict, err := contracts.NewAttestation(a)
	if err != nil {
		t.Fatal(err)
	}
	digest := verdict.Digest()
	a.Findings[0].Status = contracts.StatusFail
	verdict.Findings()[0].Status = contracts.StatusFail
	verdict.Findings()[0].EvidenceRefs[0] = "changed"
	verdict.Canonical()[0] = 'x'
	if copied, _ := verdict.Attestation(); copied.Findings[0].Status != contracts.StatusPass || copied.Findings[0].EvidenceRefs[0] != "tool:test" {
		t.Error("a caller changed a checked verdict")
	}
	if verdict.Digest() != digest {
		t.Error("the digest changed")
	}
	if _, err := contracts.NewAttestation(a); contracts.CodeOf(err) != contracts.CodeAttestationInvalid {
		t.Errorf("an attestation with a failing finding gave %v", err)
	}
	if _, ok := verdict.Rejection(); ok || !(contracts.Verdict{}).IsZero() || (contracts.Verdict{}).Digest() != "" {
		t.Error("the zero verdict, or the other kind, is something")
	}
}

func TestDecodeStrict(t *testing.T) {
	type inner struct {
		N int `json:"n"`
	}
	type outer struct {
		Name  string  `json:"name"`
		Items []inner `json:"items,omitempty"`
		Ref   *inner  `json:"ref,omitempty"`
		Flag  bool    `json:"flag,omitzero"`
	}
	got, err := contracts.DecodeStrict[outer]([]byte(`{"name":"x","items":[{"n":-3}],"ref":{"n":4},"flag":true}`))
	if err != nil || got.Items[0].N != -3 || got.Ref.N != 4 || !got.Flag {
		t.Errorf("got %+v, %v", got, err)
	}
	for document, says := range map[string]string{
		`{}`:                            "name: is required",
		`{"name":1}`:                    "name: must be a string",
		`{"name":"x","Flag":true}`:      "case-sensitive",
		`{"name":"x","name":"y"}`:       "duplicate",
		`{"name":"x","items":[{}]}`:     "items[0].n: is required",
		`{"name":"x","ref":null}`:       "ref: must be an object, not null",
		`{"name":"x","ref":{"n":1.5}}`:  "ref.n: must be a whole number",
		`{"name":"x","ref":{"n":1e99}}`: "ref.n",
		`{"name":"x"} {}`:               "trailing",
	} {
		if _, err := contracts.DecodeStrict[outer]([]byte(document)); contracts.CodeOf(err) != contracts.CodeInvalidInput ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s gave %v, want %q", document, err, says)
		}
	}
}

func BenchmarkParseVerdict(b *testing.B) {
	var findings []string
	for i := range 5 {
		findings = append(findings, fmt.Sprintf(
			`{"acId":"550e8400-e29b-41d4-a716-44665544000%d","status":"pass","reasoning":"ran it","checkedAt":"2026-05-25T22:18:00Z"}`, i))
	}
	document := []byte(`{"verdict":"attest","taskId":"T1","validatorId":"validator-a","findings":[` + strings.Join(findings, ",") +
		`],"attestedAt":"2026-05-25T22:18:00Z","schemaVersion":"1"}`)
	for b.Loop() {
		if _, err := contracts.ParseVerdict(document); err != nil {
			b.Fatal(err)
		}
	}
}
