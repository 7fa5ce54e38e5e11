package evidence

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cleocode/cleo-validator/contracts"
)

// Brief is what a planning agent wrote down before the work: its goal and its acceptance criteria.
type Brief struct {
	Goal     string
	Criteria []BriefCriterion
}

// BriefCriterion is one acceptance criterion of a brief. Check is nil for a criterion without a test command.
type BriefCriterion struct {
	Text  string
	Check *contracts.Check
}

// ReadBrief reads a brief: a JSON object with goal and acceptance_criteria, whose entries are strings or objects with
// criterion, test_command and expected_output_contains. Other keys are left to their owners. A byte-order mark is
// accepted. Anything else is an error with [contracts.CodeInvalidInput].
func ReadBrief(data []byte) (Brief, error) {
	var document struct {
		Goal     string           `json:"goal"`
		Criteria []jsontext.Value `json:"acceptance_criteria"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &document); err != nil {
		return Brief{}, badBrief("the brief is not a JSON object of the expected form: %w", err)
	}
	brief := Brief{Goal: strings.TrimSpace(document.Goal)}
	if brief.Goal == "" {
		return Brief{}, badBrief("the brief has no goal")
	}
	for i, raw := range document.Criteria {
		criterion, err := readCriterion(raw)
		if err != nil {
			return Brief{}, badBrief("acceptance_criteria[%d]: %w", i, err)
		}
		if strings.TrimSpace(criterion.Text) == "" {
			return Brief{}, badBrief("acceptance_criteria[%d] is blank", i)
		}
		brief.Criteria = append(brief.Criteria, criterion)
	}
	if len(brief.Criteria) == 0 {
		return Brief{}, badBrief("the brief has no acceptance_criteria")
	}
	return brief, nil
}

func readCriterion(raw jsontext.Value) (BriefCriterion, error) {
	if raw.Kind() == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return BriefCriterion{Text: text}, err
	}
	var object struct {
		Criterion string `json:"criterion"`
		Command   string `json:"test_command"`
		Expected  string `json:"expected_output_contains"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return BriefCriterion{}, err
	}
	criterion := BriefCriterion{Text: object.Criterion}
	if strings.TrimSpace(object.Command) != "" {
		criterion.Check = &contracts.Check{Command: object.Command, ExpectedOutputContains: object.Expected}
	}
	return criterion, nil
}

func badBrief(format string, args ...any) error {
	return contracts.Errorf(contracts.CodeInvalidInput, format, args...).
		WithFix("give a JSON object with goal and acceptance_criteria")
}
