package spawn

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/contracts"
)

func assigned(validatorID string) Assignment {
	return Assignment{
		TaskID: "T1", ValidatorID: validatorID, ACs: []AssignedAC{{ID: "550e8400-e29b-41d4-a716-446655440000"}},
	}
}

func TestReadAnswer(t *testing.T) {
	pass := envelope(assigned("validator-1"), contracts.StatusPass)
	fail := envelope(assigned("validator-1"), contracts.StatusFail)
	pretty := strings.ReplaceAll(pass, ",", ",\n  ")
	for name, test := range map[string]struct {
		output string
		want   contracts.VerdictKind
		fault  contracts.FaultKind
		broken bool
	}{
		"Bare":               {output: pass, want: contracts.VerdictAttest},
		"Fenced":             {output: "Here:\n```json\n" + pretty + "\n```\nDone. {ok}\n", want: contracts.VerdictAttest},
		"AfterNoise":         {output: "\x00\xff{{{ } {\"a\": [1, {\"b\"" + pass, want: contracts.VerdictAttest},
		"BeforeNoise":        {output: pass + "\n{\"a\":1}\n{broken {\"verdict\": ", want: contracts.VerdictAttest},
		"LastWins":           {output: pass + "\n" + fail, want: contracts.VerdictReject},
		"LastThatParsesWins": {output: pass + "\n" + strings.Replace(fail, "reject", "maybe", 1), want: contracts.VerdictAttest, broken: true},
		"Nested":             {output: `{"type":"result","result":` + fail + `,"cost":1}`, want: contracts.VerdictReject},
		"AsAString":          {output: `{"result":"` + strings.ReplaceAll(pass, `"`, `\"`) + `"}`},
		"Nothing":            {output: ""},
		"Prose":              {output: "everything passes, verdict: attest"},
		"Cut":                {output: pass[:len(pass)-1]},
		"Broken":             {output: strings.Replace(pass, "taskId", "taskID", 1), broken: true},
		"DuplicateKey":       {output: strings.Replace(pass, `"taskId":`, `"taskId":"T2","taskId":`, 1), broken: true},
		"Fault":              {output: `{"fault":{"kind":"timeout","message":"x"}}`, fault: contracts.FaultTimeout},
		"FaultAfterVerdict":  {output: pass + `{"fault":{"kind":"tool-not-resolved","message":"x","detail":{"program":"y"}}}`, fault: contracts.FaultToolNotResolved},
		"ForbiddenFault":     {output: `{"fault":{"kind":"conduit-drop","message":"x"}}`, broken: true},
		"ALogLine":           {output: `{"level":"error","fault":{"kind":"timeout","message":"x"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := readAnswer([]byte(test.output))
			if got.verdict.Kind() != test.want {
				t.Errorf("the verdict is %q, want %q", got.verdict.Kind(), test.want)
			}
			if (got.fault != nil) != (test.fault != "") || got.fault != nil && got.fault.Kind != test.fault {
				t.Errorf("the fault is %v, want %q", got.fault, test.fault)
			}
			if (got.broken != nil) != test.broken {
				t.Errorf("broken: %v", got.broken)
			}
		})
	}
}

// TestReadAnswerIsBounded feeds what is slow to look through. What is measured is the work, not the time.
func TestReadAnswerIsBounded(t *testing.T) {
	const size = 1 << 20
	for name, unit := range map[string]string{
		"Braces":       "{",
		"Open":         `{"a":`,
		"OpenArrays":   `{"a":[`,
		"Strings":      `{"a":"`,
		"Escapes":      `{"\"`,
		"Objects":      `{"a":{}}`,
		"Blanks":       "{ ",
		"Verdicts":     `{"verdict":"attest"}`,
		"OpenVerdicts": `{"verdict":"attest","findings":[`,
		"Binary":       "\x00\xff\xfe{\"",
	} {
		t.Run(name, func(t *testing.T) {
			hostile := bytes.Repeat([]byte(unit), size/len(unit))
			got, looked := searchAnswer(hostile)
			if !got.verdict.IsZero() {
				t.Error("found a verdict")
			}
			if looked > 10*size {
				t.Errorf("looked at %d bytes of %d", looked, len(hostile))
			}
		})
	}
}

func TestReadAnswerPassesOverBloatedObjects(t *testing.T) {
	pass := envelope(assigned("validator-1"), contracts.StatusPass)
	bloated := `{"verdict":"attest","findings":[` + strings.Repeat("0,", 1<<20) + `0]}`
	if got := readAnswer([]byte(bloated)); got.broken != nil {
		t.Errorf("it was read: %.200v", got.broken)
	}
	if got := readAnswer([]byte(pass + bloated)); got.verdict.IsZero() {
		t.Error("the verdict before it is not found")
	}
}

func TestReadAnswerFindsAVerdictInAnyNoise(t *testing.T) {
	pass := envelope(assigned("validator-1"), contracts.StatusPass)
	noise := rapid.OneOf(
		rapid.String(), rapid.StringMatching(`[{}\[\]",:a0 \n\\]{0,60}`), rapid.SampledFrom([]string{"```json\n", "{\"a\":1}", "\xff"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		before, after := noise.Draw(t, "before"), noise.Draw(t, "after")
		if got := readAnswer([]byte(before + pass + after)); got.verdict.Kind() != contracts.VerdictAttest {
			t.Fatalf("not found: %+v", got)
		}
	})
}

func TestClaimed(t *testing.T) {
	for text, want := range map[string]bool{
		`{"ok":true,"bindingsWritten":3}`: true, "I called VALIDATOR.ATTEST": true, "Shipped my verdict.": true,
		"": false, "all criteria pass": false,
	} {
		if got := claimed([]byte(text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
