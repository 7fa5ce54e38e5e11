package contracts

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	thirdparty "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/go-json-experiment/json"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestSchemasAreGolden(t *testing.T) {
	for _, name := range SchemaNames() {
		t.Run(name, func(t *testing.T) {
			got, err := Schema(name)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "schema", name+".json")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the schema changed; when that is meant, run go test ./contracts -update\n%s", got)
			}
		})
	}
	golden, err := filepath.Glob(filepath.Join("testdata", "schema", "*.json"))
	if err != nil || len(golden) != len(SchemaNames()) {
		t.Errorf("%d golden files for %d schemas, %v", len(golden), len(SchemaNames()), err)
	}
	if _, err := Schema("nonsense"); CodeOf(err) != CodeUnknownName {
		t.Errorf("an unknown name gave %v", err)
	}
}

func TestEveryRuleHasAMessageAndASchema(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Finding](), reflect.TypeFor[Attestation](), reflect.TypeFor[Rejection]()} {
		for i := range typ.NumField() {
			for rule := range strings.SplitSeq(typ.Field(i).Tag.Get("validate"), ",") {
				name, _, _ := strings.Cut(rule, "=")
				if name == "" || name == "dive" || name == "omitempty" {
					continue
				}
				if messages[name] == nil || schemaRules[name] == nil {
					t.Errorf("%s.%s: the rule %s lacks a message or a schema", typ, typ.Field(i).Name, name)
				}
			}
		}
	}
}

// compile makes a schema usable with another implementation than the one that generated it.
func compile(t testing.TB, name string) *thirdparty.Schema {
	t.Helper()
	data, err := Schema(name)
	if err != nil {
		t.Fatal(err)
	}
	document, err := thirdparty.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := thirdparty.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// satisfies reports whether the other implementation accepts the document.
func satisfies(schema *thirdparty.Schema, document []byte) bool {
	value, err := thirdparty.UnmarshalJSON(bytes.NewReader(document))
	return err == nil && schema.Validate(value) == nil
}

func TestEverySchemaCompiles(t *testing.T) {
	for _, name := range SchemaNames() {
		compile(t, name)
	}
}

// beyondSchemas are the rules that a JSON Schema cannot say, by the vectors that break them and nothing else.
var beyondSchemas = map[string]bool{
	"duplicate acId":                true,
	"duplicate acId in a rejection": true,
	"duplicate key":                 true,
	"invalid UTF-8":                 true, // what a schema sees is decoded already
	"byte-order mark":               true, // accepted by us, not JSON to a schema validator
}

const (
	goodFinding = `{"acId":"550e8400-e29b-41d4-a716-446655440000","status":"pass","reasoning":"ran it","checkedAt":"2026-05-25T22:18:00Z"}`
	otherPass   = `{"acId":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","status":"pass","reasoning":"ran it","checkedAt":"2026-05-25T22:18:00Z"}`
	failFinding = `{"acId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","status":"fail","reasoning":"exit 1","checkedAt":"2026-05-25T22:18:00Z"}`
)

func attestationWith(findings ...string) string {
	return `{"verdict":"attest","taskId":"T1","validatorId":"validator-a","findings":[` + strings.Join(findings, ",") +
		`],"attestedAt":"2026-05-25T22:18:00Z","schemaVersion":"1"}`
}

func rejectionWith(findings ...string) string {
	return `{"verdict":"reject","taskId":"T1","validatorId":"validator-a","findings":[` + strings.Join(findings, ",") +
		`],"summary":"no","rejectedAt":"2026-05-25T22:18:00Z","schemaVersion":"1"}`
}

// vector is an envelope and what is to be thought of it; path is part of the complaint.
type vector struct {
	document string
	want     Code
	path     string
}

// vectors returns the corpus: good envelopes, and envelopes that break one rule.
func vectors() map[string]vector {
	good := attestationWith(goodFinding)
	replaced := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	rejected := func(old, new string) string { return strings.Replace(rejectionWith(failFinding), old, new, 1) }
	return map[string]vector{
		"attestation":                     {good, "", ""},
		"attestation of two":              {attestationWith(goodFinding, otherPass), "", ""},
		"attestation with summary":        {replaced(`"attestedAt"`, `"summary":"fine","attestedAt"`), "", ""},
		"attestation with blank summary":  {replaced(`"attestedAt"`, `"summary":"","attestedAt"`), "", ""},
		"evidence":                        {replaced(`"status"`, `"evidenceRefs":["tool:test"],"status"`), "", ""},
		"no evidence":                     {replaced(`"status"`, `"evidenceRefs":[],"status"`), "", ""},
		"offset and fraction":             {replaced(`22:18:00Z"}`, `22:18:00.123+05:30"}`), "", ""},
		"rejection":                       {rejectionWith(failFinding), "", ""},
		"rejection with a pass":           {rejectionWith(goodFinding, failFinding), "", ""},
		"rejection inconclusive":          {rejected(`"fail"`, `"inconclusive"`), "", ""},
		"rejection with hints":            {rejected(`"rejectedAt"`, `"remediationHints":["try"],"rejectedAt"`), "", ""},
		"byte-order mark":                 {"\xef\xbb\xbf" + good, "", ""},
		"white space around":              {" \n" + good + "\r\n ", "", ""},
		"empty":                           {"", CodeVerdictInvalid, "empty"},
		"null":                            {"null", CodeVerdictInvalid, ""},
		"array":                           {"[]", CodeVerdictInvalid, ""},
		"number":                          {"1", CodeVerdictInvalid, ""},
		"cut off":                         {good[:len(good)-1], CodeVerdictInvalid, "ends in the middle"},
		"trailing data":                   {good + "{}", CodeVerdictInvalid, "trailing"},
		"trailing word":                   {good + "x", CodeVerdictInvalid, "trailing"},
		"comment":                         {"// hi\n" + good, CodeVerdictInvalid, "not JSON"},
		"invalid UTF-8":                   {replaced("ran it", "\xff"), CodeVerdictInvalid, "UTF-8"},
		"no verdict":                      {replaced(`"verdict":"attest",`, ""), CodeVerdictInvalid, "verdict"},
		"third verdict":                   {replaced(`"attest"`, `"maybe"`), CodeVerdictInvalid, "verdict"},
		"verdict in capitals":             {replaced(`"attest"`, `"Attest"`), CodeVerdictInvalid, "verdict"},
		"no verdict in the wrong case":    {`{"VERDICT":"attest"}`, CodeVerdictInvalid, "verdict"},
		"verdict twice":                   {`{"verdict":"reject","verdict":"attest"}`, CodeVerdictInvalid, "verdict"},
		"verdict smuggled":                {rejected(`"taskId"`, `"VERDICT":"attest","taskId"`), CodeRejectionInvalid, `VERDICT: unknown field, names are case-sensitive: did you mean "verdict"?`},
		"duplicate key":                   {replaced(`"taskId":"T1"`, `"taskId":"T1","taskId":"T1"`), CodeAttestationInvalid, "taskId: duplicate field"},
		"unknown field":                   {replaced(`"taskId"`, `"zebra":1,"taskId"`), CodeAttestationInvalid, "zebra: unknown field"},
		"unknown field, close":            {replaced(`"schemaVersion"`, `"schemaVersoin"`), CodeAttestationInvalid, `did you mean "schemaVersion"?`},
		"unknown field in a finding":      {replaced(`"status"`, `"note":"x","status"`), CodeAttestationInvalid, "findings[0].note"},
		"field of the other kind":         {replaced(`"attestedAt"`, `"remediationHints":[],"attestedAt"`), CodeAttestationInvalid, "remediationHints"},
		"task id blank":                   {replaced(`"T1"`, `""`), CodeAttestationInvalid, "taskId"},
		"task id with a blank":            {replaced(`"T1"`, `"T 1"`), CodeAttestationInvalid, "taskId"},
		"task id with a newline":          {replaced(`"T1"`, `"T1\n"`), CodeAttestationInvalid, "taskId"},
		"task id too long":                {replaced(`"T1"`, `"T`+strings.Repeat("1", 64)+`"`), CodeAttestationInvalid, "taskId"},
		"task id a number":                {replaced(`"T1"`, `1`), CodeAttestationInvalid, "taskId: must be a string, not a number"},
		"task id null":                    {replaced(`"T1"`, `null`), CodeAttestationInvalid, "taskId: must be a string, not null"},
		"validator id without prefix":     {replaced(`"validator-a"`, `"prime"`), CodeAttestationInvalid, "validatorId"},
		"validator id in capitals":        {replaced(`"validator-a"`, `"validator-A"`), CodeAttestationInvalid, "validatorId"},
		"validator id with a dash":        {replaced(`"validator-a"`, `"validator--a"`), CodeAttestationInvalid, "validatorId"},
		"findings empty":                  {attestationWith(), CodeAttestationInvalid, "findings: must have at least one"},
		"findings missing":                {replaced(`"findings":[`+goodFinding+`],`, ""), CodeAttestationInvalid, "findings: is required"},
		"findings an object":              {replaced(`[`+goodFinding+`]`, goodFinding), CodeAttestationInvalid, "findings: must be an array"},
		"finding null":                    {attestationWith("null"), CodeAttestationInvalid, "findings[0]: must be an object, not null"},
		"a fail in an attestation":        {attestationWith(goodFinding, failFinding), CodeAttestationInvalid, "findings[1].status: must be pass"},
		"unknown status":                  {replaced(`"pass"`, `"passed"`), CodeAttestationInvalid, "findings[0].status"},
		"acId an alias":                   {replaced("550e8400-e29b-41d4-a716-446655440000", "AC1"), CodeAttestationInvalid, "findings[0].acId"},
		"acId in capitals":                {replaced("550e8400-e29b", "550E8400-E29B"), CodeAttestationInvalid, "findings[0].acId"},
		"duplicate acId":                  {attestationWith(goodFinding, otherPass, goodFinding), CodeAttestationInvalid, "findings[2].acId: is the same as findings[0].acId"},
		"duplicate acId in a rejection":   {rejectionWith(failFinding, failFinding), CodeRejectionInvalid, "findings[1].acId"},
		"reasoning empty":                 {replaced("ran it", ""), CodeAttestationInvalid, "findings[0].reasoning: must not be blank"},
		"reasoning of blanks":             {replaced("ran it", `\t \n`), CodeAttestationInvalid, "findings[0].reasoning"},
		"reasoning of no-break spaces":    {replaced("ran it", "\u00a0\u2003\u3000\u0085"), CodeAttestationInvalid, "findings[0].reasoning"},
		"reasoning missing":               {replaced(`"reasoning":"ran it",`, ""), CodeAttestationInvalid, "findings[0].reasoning: is required"},
		"evidence blank":                  {replaced(`"status"`, `"evidenceRefs":[" "],"status"`), CodeAttestationInvalid, "findings[0].evidenceRefs[0]"},
		"evidence null":                   {replaced(`"status"`, `"evidenceRefs":null,"status"`), CodeAttestationInvalid, "findings[0].evidenceRefs"},
		"evidence of numbers":             {replaced(`"status"`, `"evidenceRefs":[1],"status"`), CodeAttestationInvalid, "findings[0].evidenceRefs[0]"},
		"instant without zone":            {replaced(`22:18:00Z"}`, `22:18:00"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"instant a date":                  {replaced(`2026-05-25T22:18:00Z"}`, `2026-05-25"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"instant with a comma":            {replaced(`22:18:00Z"}`, `22:18:00,5Z"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"instant with a short hour":       {replaced(`T22:18:00Z"}`, `T2:18:00Z"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"instant in lower case":           {replaced(`2026-05-25T22:18:00Z"}`, `2026-05-25t22:18:00z"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"the thirtieth of February":       {replaced(`2026-05-25T22:18:00Z"}`, `2026-02-30T22:18:00Z"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"a leap second":                   {replaced(`22:18:00Z"}`, `23:59:60Z"}`), CodeAttestationInvalid, "findings[0].checkedAt"},
		"attestedAt missing":              {replaced(`"attestedAt":"2026-05-25T22:18:00Z",`, ""), CodeAttestationInvalid, "attestedAt: is required"},
		"schema version of tomorrow":      {replaced(`"schemaVersion":"1"`, `"schemaVersion":"2"`), CodeAttestationInvalid, "schemaVersion"},
		"schema version a number":         {replaced(`"schemaVersion":"1"`, `"schemaVersion":1`), CodeAttestationInvalid, "schemaVersion"},
		"summary null":                    {replaced(`"attestedAt"`, `"summary":null,"attestedAt"`), CodeAttestationInvalid, "summary"},
		"rejection of passes":             {rejectionWith(goodFinding), CodeRejectionInvalid, "findings: must have at least one finding that is not pass"},
		"rejection without summary":       {rejected(`"summary":"no",`, ""), CodeRejectionInvalid, "summary: is required"},
		"rejection with blank summary":    {rejected(`"no"`, `" "`), CodeRejectionInvalid, "summary: must not be blank"},
		"rejection with hints null":       {rejected(`"rejectedAt"`, `"remediationHints":null,"rejectedAt"`), CodeRejectionInvalid, "remediationHints"},
		"rejection with the other time":   {rejected(`"rejectedAt"`, `"attestedAt"`), CodeRejectionInvalid, "rejectedAt: is required"},
		"rejection with an empty finding": {rejectionWith("{}"), CodeRejectionInvalid, "findings[0].acId: is required"},
	}
}

func TestParseVerdictVectors(t *testing.T) {
	for name, v := range vectors() {
		t.Run(name, func(t *testing.T) {
			verdict, err := ParseVerdict([]byte(v.document))
			if got := CodeOf(err); got != v.want {
				t.Fatalf("code %q, want %q: %v", got, v.want, err)
			}
			if err != nil && !strings.Contains(err.Error(), v.path) {
				t.Errorf("the message does not say %q: %v", v.path, err)
			}
			if verdict.IsZero() != (err != nil) {
				t.Errorf("a verdict and an error: %v, %v", verdict, err)
			}
		})
	}
}

func TestSchemaAndParserAgreeOnVectors(t *testing.T) {
	schema := compile(t, "verdict")
	for name, v := range vectors() {
		parsed := IsVerdict([]byte(v.document))
		if agrees := satisfies(schema, []byte(v.document)) == parsed; agrees == beyondSchemas[name] {
			t.Errorf("%s: agreement of schema and parser is %t, want %t", name, agrees, !beyondSchemas[name])
		}
	}
}

// TestSchemaAndParserAgreeOnMutants replaces one value of a good envelope by any other and compares the two opinions.
func TestSchemaAndParserAgreeOnMutants(t *testing.T) {
	schema := compile(t, "verdict")
	originals := []string{
		attestationWith(goodFinding, otherPass), rejectionWith(goodFinding, failFinding),
	}
	rapid.Check(t, func(t *rapid.T) {
		var document map[string]any
		if err := json.Unmarshal([]byte(rapid.SampledFrom(originals).Draw(t, "original")), &document); err != nil {
			t.Fatal(err)
		}
		target := document
		if rapid.Bool().Draw(t, "in a finding") {
			target = document["findings"].([]any)[rapid.IntRange(0, 1).Draw(t, "finding")].(map[string]any)
		}
		mutate(t, target)
		mutant, err := json.Marshal(document, json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseVerdict(mutant)
		if satisfies(schema, mutant) != (err == nil) {
			t.Fatalf("the schema and the parser disagree on %s: %v", mutant, err)
		}
	})
}

func mutate(t *rapid.T, object map[string]any) {
	keys := rapid.SampledFrom([]string{
		"verdict", "taskId", "validatorId", "summary", "attestedAt", "rejectedAt", "schemaVersion", "remediationHints",
		"status", "reasoning", "evidenceRefs", "checkedAt", "Status", "extra",
	})
	key := keys.Draw(t, "key")
	switch rapid.IntRange(0, 4).Draw(t, "how") {
	case 0:
		delete(object, key)
	case 1:
		object[key] = rapid.SampledFrom([]any{nil, true, 1.0, "", " ", []any{}, []any{"x"}, []any{" "}, map[string]any{}}).Draw(t, "value")
	case 2:
		object[key] = rapid.SampledFrom([]any{"attest", "reject", "pass", "fail", "inconclusive", "1", "2"}).Draw(t, "word")
	case 3:
		object[key] = rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](\.[0-9]{1,3})?(Z|\+0[0-9]:00)?`).Draw(t, "instant")
	case 4:
		object[key] = rapid.String().Draw(t, "text")
	}
}

func TestEveryViolationIsListed(t *testing.T) {
	document := `{"verdict":"attest","taskId":"T 1","validatorId":"x","findings":[` +
		`{"acId":"AC1","status":"fail","reasoning":" ","evidenceRefs":[""],"checkedAt":"now"},{"acID":1}],"zebra":1}`
	_, err := ParseAttestation([]byte(document))
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	got := map[string]bool{}
	for _, v := range refused.Details["violations"].([]Violation) {
		got[v.Path] = true
	}
	for _, path := range []string{
		"taskId", "validatorId", "findings[0].acId", "findings[0].status", "findings[0].reasoning",
		"findings[0].evidenceRefs[0]", "findings[0].checkedAt", "findings[1].acID", "findings[1].acId",
		"findings[1].status", "findings[1].reasoning", "findings[1].checkedAt", "zebra", "attestedAt", "schemaVersion",
	} {
		if !got[path] {
			t.Errorf("no violation at %s; got %v", path, refused)
		}
	}
}

func TestDocumentLimits(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, test := range map[string]struct {
		document string
		says     string
	}{
		"too large":       {strings.Repeat(" ", MaxDocument-1) + "{}", "larger than 8 MiB"},
		"too deep":        {deep(MaxDepth + 1), "nests deeper than 64"},
		"far too deep":    {strings.Repeat("[", 5_000_000), "nests deeper than 64"},
		"too many":        {"[" + strings.Repeat("1,", MaxValues) + "1]", "more than 524288 values"},
		"deep in objects": {strings.Repeat(`{"a":`, MaxDepth+1) + "1" + strings.Repeat("}", MaxDepth+1), "nests deeper than 64"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ParseVerdict([]byte(test.document))
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %.200v, want %q", err, test.says)
			}
		})
	}
	if _, err := ParseVerdict([]byte(deep(MaxDepth))); err == nil || strings.Contains(err.Error(), "deeper") {
		t.Errorf("a document of just the depth gave %v", err)
	}
}

// TestALargeEnvelopeIsRead holds the limits to what an honest envelope of the largest size needs.
func TestALargeEnvelopeIsRead(t *testing.T) {
	var findings []string
	for size, i := 0, 0; size < MaxDocument-1000; i++ {
		finding := strings.Replace(goodFinding, "550e8400", fmt.Sprintf("%08x", i), 1)
		findings = append(findings, finding)
		size += len(finding) + 1
	}
	if _, err := ParseVerdict([]byte(attestationWith(findings...))); err != nil {
		t.Fatal(err)
	}
}
