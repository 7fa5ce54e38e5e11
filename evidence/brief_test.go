package evidence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func TestReadBrief(t *testing.T) {
	got, err := evidence.ReadBrief([]byte("\ufeff" + `{"goal":" Ship it ","acceptance_criteria":["it builds",
		{"criterion":"it passes","test_command":"go test ./...","expected_output_contains":"ok"},
		{"criterion":"it reads well","test_command":" "}],"notes":{"kept":"elsewhere"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := evidence.Brief{Goal: "Ship it", Criteria: []evidence.BriefCriterion{
		{Text: "it builds"},
		{Text: "it passes", Check: &contracts.Check{Command: "go test ./...", ExpectedOutputContains: "ok"}},
		{Text: "it reads well"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the brief differs (-want +got):\n%s", diff)
	}
}

func TestReadBriefRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", ``, "JSON object"},
		{"no JSON", `goal: x`, "JSON object"},
		{"a list", `[]`, "JSON object"},
		{"a key twice", `{"goal":"a","goal":"b","acceptance_criteria":["c"]}`, "JSON object"},
		{"no goal", `{"acceptance_criteria":["a"]}`, "no goal"},
		{"a blank goal", `{"goal":" ","acceptance_criteria":["a"]}`, "no goal"},
		{"a number for a goal", `{"goal":1}`, "JSON object"},
		{"no criteria", `{"goal":"g"}`, "no acceptance_criteria"},
		{"an empty list of criteria", `{"goal":"g","acceptance_criteria":[]}`, "no acceptance_criteria"},
		{"one criterion", `{"goal":"g","acceptance_criteria":"a"}`, "JSON object"},
		{"a blank criterion", `{"goal":"g","acceptance_criteria":["a"," "]}`, "acceptance_criteria[1] is blank"},
		{"a criterion without text", `{"goal":"g","acceptance_criteria":[{"test_command":"a"}]}`, "acceptance_criteria[0] is blank"},
		{"a number for a criterion", `{"goal":"g","acceptance_criteria":["a",2]}`, "acceptance_criteria[1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := evidence.ReadBrief([]byte(tt.in))
			if contracts.CodeOf(err) != contracts.CodeInvalidInput || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want %s that says %q", err, contracts.CodeInvalidInput, tt.want)
			}
		})
	}
}
